#ifndef CALLCHECK_CBYTEMASK_H
#define CALLCHECK_CBYTEMASK_H

// Byte masks: which bytes of a block are of interest, as one bit per byte, the first byte in bit 0.
//
// Swift 6.3 has no form that compiles to `pmovmskb`, so the blocks are compared here, with the vector instructions
// that every x86-64 and arm64 processor has. Each function has a scalar twin of the same meaning: it is the fallback on
// other processors, and what tests hold the vector form against.

#include <stddef.h>
#include <stdint.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__ARM_NEON) && defined(__aarch64__)
#include <arm_neon.h>
#endif

// How far behind the last byte of a block a function may read. Buffers end in that much zeroed slack.
enum { CByteMask_slack = 80 };

// What framing and search look for in 64 bytes.
typedef struct {
    // '\n': the end of a line.
    uint64_t newline;
    // 'v' with an 'n' or a 't' eleven bytes on: perhaps "verification" or "validating token".
    // '\' before 'u': a character spelled as an escape.
    // '%' with an 'r' or an 's' eight bytes on: perhaps "%2Fstderr" or "%2Frequests".
    // 'A' or 'e', or one of 'E' and 'a', with a 'k' eleven bytes on: perhaps "AppCheck token" or "execution took" from its second "e" on.
    uint64_t candidate;
} CByteMask_Hints;

// What finding the ends of values looks for in 64 bytes.
typedef struct {
    uint64_t quote;
    uint64_t backslash;
    // '{', '}', '[' and ']'.
    uint64_t bracket;
    // Control characters, line feeds among them, which no string may hold.
    uint64_t control;
    // 'o', 'p' and 'q': common in text, and in no JSON outside of strings.
    uint64_t letter;
} CByteMask_Structure;

static inline CByteMask_Structure CByteMask_structureScalar(const uint8_t *bytes) {
    CByteMask_Structure structure = {0, 0, 0, 0, 0};
    for (int i = 0; i < 64; i++) {
        const uint64_t bit = (uint64_t)1 << i;
        const uint8_t byte = bytes[i];
        if (byte == '"') structure.quote |= bit;
        if (byte == '\\') structure.backslash |= bit;
        if (byte == '{' || byte == '}' || byte == '[' || byte == ']') structure.bracket |= bit;
        if (byte < 0x20) structure.control |= bit;
        if (byte >= 'o' && byte <= 'q') structure.letter |= bit;
    }
    return structure;
}

static inline CByteMask_Hints CByteMask_hintsScalar(const uint8_t *bytes) {
    CByteMask_Hints hints = {0, 0};
    for (int i = 0; i < 64; i++) {
        const uint64_t bit = (uint64_t)1 << i;
        if (bytes[i] == '\n') hints.newline |= bit;
        if (bytes[i] == 'v' && (bytes[i + 11] == 'n' || bytes[i + 11] == 't')) hints.candidate |= bit;
        if (bytes[i] == '\\' && bytes[i + 1] == 'u') hints.candidate |= bit;
        if (bytes[i] == '%' && (bytes[i + 8] == 'r' || bytes[i + 8] == 's')) hints.candidate |= bit;
        if ((bytes[i] | 0x24) == 'e' && bytes[i + 11] == 'k') hints.candidate |= bit;
    }
    return hints;
}

// Bytes of a 64-byte block that a JSON string cannot pass over: '"', '\', control characters, and non-ASCII.
static inline uint64_t CByteMask_stringStopsScalar(const uint8_t *bytes) {
    uint64_t stops = 0;
    for (int i = 0; i < 64; i++) {
        const uint8_t byte = bytes[i];
        if (byte == '"' || byte == '\\' || byte < 0x20 || byte >= 0x80) stops |= (uint64_t)1 << i;
    }
    return stops;
}

#if defined(__SSE2__)

static inline uint64_t CByteMask_bits(__m128i mask, int shift) {
    return (uint64_t)(uint16_t)_mm_movemask_epi8(mask) << shift;
}

static inline CByteMask_Hints CByteMask_hints(const uint8_t *bytes) {
    CByteMask_Hints hints = {0, 0};
    const __m128i newline = _mm_set1_epi8('\n'), v = _mm_set1_epi8('v'), n = _mm_set1_epi8('n');
    const __m128i t = _mm_set1_epi8('t');
    const __m128i backslash = _mm_set1_epi8('\\'), u = _mm_set1_epi8('u');
    const __m128i percent = _mm_set1_epi8('%'), s = _mm_set1_epi8('s'), bit0 = _mm_set1_epi8(1);
    const __m128i bits = _mm_set1_epi8(0x24), e = _mm_set1_epi8('e'), k = _mm_set1_epi8('k');
    for (int i = 0; i < 64; i += 16) {
        const __m128i here = _mm_loadu_si128((const __m128i *)(bytes + i));
        const __m128i after1 = _mm_loadu_si128((const __m128i *)(bytes + i + 1));
        const __m128i after8 = _mm_loadu_si128((const __m128i *)(bytes + i + 8));
        const __m128i after11 = _mm_loadu_si128((const __m128i *)(bytes + i + 11));
        const __m128i nOrT = _mm_or_si128(_mm_cmpeq_epi8(after11, n), _mm_cmpeq_epi8(after11, t));
        const __m128i marker = _mm_and_si128(_mm_cmpeq_epi8(here, v), nOrT);
        const __m128i escape = _mm_and_si128(_mm_cmpeq_epi8(here, backslash), _mm_cmpeq_epi8(after1, u));
        // 'r' and 's' differ in bit 0.
        const __m128i rOrS = _mm_cmpeq_epi8(_mm_or_si128(after8, bit0), s);
        const __m128i stream = _mm_and_si128(_mm_cmpeq_epi8(here, percent), rOrS);
        const __m128i aOrE = _mm_cmpeq_epi8(_mm_or_si128(here, bits), e);
        const __m128i text = _mm_and_si128(aOrE, _mm_cmpeq_epi8(after11, k));
        const __m128i candidate = _mm_or_si128(_mm_or_si128(marker, escape), _mm_or_si128(stream, text));
        hints.newline |= CByteMask_bits(_mm_cmpeq_epi8(here, newline), i);
        hints.candidate |= CByteMask_bits(candidate, i);
    }
    return hints;
}

static inline CByteMask_Structure CByteMask_structure(const uint8_t *bytes) {
    CByteMask_Structure structure = {0, 0, 0, 0, 0};
    const __m128i quote = _mm_set1_epi8('"'), backslash = _mm_set1_epi8('\\');
    const __m128i open = _mm_set1_epi8('{'), close = _mm_set1_epi8('}'), bit5 = _mm_set1_epi8(0x20);
    const __m128i o = _mm_set1_epi8('o'), two = _mm_set1_epi8(2), highest = _mm_set1_epi8(0x1F);
    for (int i = 0; i < 64; i += 16) {
        const __m128i here = _mm_loadu_si128((const __m128i *)(bytes + i));
        // '[' and ']' are '{' and '}' without bit 5.
        const __m128i raised = _mm_or_si128(here, bit5);
        const __m128i bracket = _mm_or_si128(_mm_cmpeq_epi8(raised, open), _mm_cmpeq_epi8(raised, close));
        const __m128i fromO = _mm_sub_epi8(here, o);
        structure.quote |= CByteMask_bits(_mm_cmpeq_epi8(here, quote), i);
        structure.backslash |= CByteMask_bits(_mm_cmpeq_epi8(here, backslash), i);
        structure.bracket |= CByteMask_bits(bracket, i);
        structure.control |= CByteMask_bits(_mm_cmpeq_epi8(_mm_max_epu8(here, highest), highest), i);
        structure.letter |= CByteMask_bits(_mm_cmpeq_epi8(_mm_min_epu8(fromO, two), fromO), i);
    }
    return structure;
}

static inline uint64_t CByteMask_stringStops(const uint8_t *bytes) {
    uint64_t stops = 0;
    for (int i = 0; i < 64; i += 16) {
        const __m128i here = _mm_loadu_si128((const __m128i *)(bytes + i));
        // Compared as signed numbers, non-ASCII bytes are negative: one test finds them and the control characters.
        const __m128i low = _mm_cmplt_epi8(here, _mm_set1_epi8(0x20));
        const __m128i quote = _mm_cmpeq_epi8(here, _mm_set1_epi8('"'));
        const __m128i backslash = _mm_cmpeq_epi8(here, _mm_set1_epi8('\\'));
        stops |= CByteMask_bits(_mm_or_si128(low, _mm_or_si128(quote, backslash)), i);
    }
    return stops;
}

#elif defined(__ARM_NEON) && defined(__aarch64__)

// One bit per byte: each lane keeps the bit of its place, and pairwise additions gather eight lanes into one byte.
static inline uint32_t CByteMask_gather(uint8x16_t mask) {
    static const uint8_t places[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    const uint8x16_t bits = vandq_u8(mask, vld1q_u8(places));
    return (uint32_t)vaddv_u8(vget_low_u8(bits)) | (uint32_t)vaddv_u8(vget_high_u8(bits)) << 8;
}

static inline CByteMask_Hints CByteMask_hints(const uint8_t *bytes) {
    CByteMask_Hints hints = {0, 0};
    for (int i = 0; i < 64; i += 16) {
        const uint8x16_t here = vld1q_u8(bytes + i), after1 = vld1q_u8(bytes + i + 1);
        const uint8x16_t after8 = vld1q_u8(bytes + i + 8), after11 = vld1q_u8(bytes + i + 11);
        const uint8x16_t nOrT = vorrq_u8(vceqq_u8(after11, vdupq_n_u8('n')), vceqq_u8(after11, vdupq_n_u8('t')));
        const uint8x16_t marker = vandq_u8(vceqq_u8(here, vdupq_n_u8('v')), nOrT);
        const uint8x16_t escape = vandq_u8(vceqq_u8(here, vdupq_n_u8('\\')), vceqq_u8(after1, vdupq_n_u8('u')));
        const uint8x16_t rOrS = vceqq_u8(vorrq_u8(after8, vdupq_n_u8(1)), vdupq_n_u8('s'));
        const uint8x16_t stream = vandq_u8(vceqq_u8(here, vdupq_n_u8('%')), rOrS);
        const uint8x16_t aOrE = vceqq_u8(vorrq_u8(here, vdupq_n_u8(0x24)), vdupq_n_u8('e'));
        const uint8x16_t text = vandq_u8(aOrE, vceqq_u8(after11, vdupq_n_u8('k')));
        const uint8x16_t candidate = vorrq_u8(vorrq_u8(marker, escape), vorrq_u8(stream, text));
        hints.newline |= (uint64_t)CByteMask_gather(vceqq_u8(here, vdupq_n_u8('\n'))) << i;
        hints.candidate |= (uint64_t)CByteMask_gather(candidate) << i;
    }
    return hints;
}

static inline CByteMask_Structure CByteMask_structure(const uint8_t *bytes) {
    CByteMask_Structure structure = {0, 0, 0, 0, 0};
    for (int i = 0; i < 64; i += 16) {
        const uint8x16_t here = vld1q_u8(bytes + i), raised = vorrq_u8(here, vdupq_n_u8(0x20));
        const uint8x16_t bracket = vorrq_u8(vceqq_u8(raised, vdupq_n_u8('{')), vceqq_u8(raised, vdupq_n_u8('}')));
        const uint8x16_t letter = vcleq_u8(vsubq_u8(here, vdupq_n_u8('o')), vdupq_n_u8(2));
        structure.quote |= (uint64_t)CByteMask_gather(vceqq_u8(here, vdupq_n_u8('"'))) << i;
        structure.backslash |= (uint64_t)CByteMask_gather(vceqq_u8(here, vdupq_n_u8('\\'))) << i;
        structure.bracket |= (uint64_t)CByteMask_gather(bracket) << i;
        structure.control |= (uint64_t)CByteMask_gather(vcltq_u8(here, vdupq_n_u8(0x20))) << i;
        structure.letter |= (uint64_t)CByteMask_gather(letter) << i;
    }
    return structure;
}

static inline uint64_t CByteMask_stringStops(const uint8_t *bytes) {
    uint64_t stops = 0;
    for (int i = 0; i < 64; i += 16) {
        const uint8x16_t here = vld1q_u8(bytes + i);
        const uint8x16_t outside = vorrq_u8(vcltq_u8(here, vdupq_n_u8(0x20)), vcgeq_u8(here, vdupq_n_u8(0x80)));
        const uint8x16_t quote = vceqq_u8(here, vdupq_n_u8('"')), backslash = vceqq_u8(here, vdupq_n_u8('\\'));
        stops |= (uint64_t)CByteMask_gather(vorrq_u8(outside, vorrq_u8(quote, backslash))) << i;
    }
    return stops;
}

#else

static inline CByteMask_Hints CByteMask_hints(const uint8_t *bytes) { return CByteMask_hintsScalar(bytes); }
static inline CByteMask_Structure CByteMask_structure(const uint8_t *bytes) { return CByteMask_structureScalar(bytes); }
static inline uint64_t CByteMask_stringStops(const uint8_t *bytes) { return CByteMask_stringStopsScalar(bytes); }

#endif

// Over blocks in a row, with wider vectors where the processor has them.

// A block of 64 bytes, and those of its bytes that framing and search look for: newlines and candidates.
typedef struct {
    size_t block;
    uint64_t places;
} CByteMask_Places;

// The first block with such a byte among the blocks that start at `block`, `block` + 64 and so on, before `count`; the
// block is `count` or one after it when there is none. No place is at `count` or after it.
CByteMask_Places CByteMask_nextPlaces(const uint8_t *bytes, size_t block, size_t count);

// `CByteMask_stringStops` of `blocks` blocks in a row.
void CByteMask_stringStopsInRow(const uint8_t *bytes, size_t blocks, uint64_t *stops);

#endif
