#include "CChecksum.h"

#if defined(__x86_64__)
#include <immintrin.h>

// A CRC is the remainder of the message, taken as a polynomial over GF(2), divided by P. 128 bits that are d bits
// before others may be replaced by their product with x^d mod P, added to those others: this moves ("folds") a block
// forward without changing the remainder. Each half of the block has a separate factor.
//
// Source: Gopal et al., "Fast CRC Computation for Generic Polynomials Using PCLMULQDQ Instruction" (Intel, 2009), whose
// constants for the bit-reflected P = 0x1DB710641 these are: x^(d+32) mod P and x^(d-32) mod P.
__attribute__((target("pclmul"))) static inline __m128i fold(__m128i block, __m128i next, __m128i factors) {
    const __m128i low = _mm_clmulepi64_si128(block, factors, 0x00);
    const __m128i high = _mm_clmulepi64_si128(block, factors, 0x11);
    return _mm_xor_si128(_mm_xor_si128(low, high), next);
}

__attribute__((target("pclmul"))) static CChecksum_Folded foldBlocks(const uint8_t *bytes, size_t count, uint32_t sum) {
    const __m128i by512 = _mm_set_epi64x(0x1C6E41596, 0x154442BD4), by128 = _mm_set_epi64x(0x0CCAA009E, 0x1751997D0);
    const __m128i *const blocks = (const __m128i *)bytes;
    // Four blocks at a time, so that the multiplications of one need not wait for those of another.
    __m128i a = _mm_xor_si128(_mm_loadu_si128(blocks), _mm_cvtsi32_si128((int)~sum));
    __m128i b = _mm_loadu_si128(blocks + 1), c = _mm_loadu_si128(blocks + 2), d = _mm_loadu_si128(blocks + 3);
    const size_t whole = count / 64 * 4;
    for (size_t i = 4; i < whole; i += 4) {
        a = fold(a, _mm_loadu_si128(blocks + i), by512);
        b = fold(b, _mm_loadu_si128(blocks + i + 1), by512);
        c = fold(c, _mm_loadu_si128(blocks + i + 2), by512);
        d = fold(d, _mm_loadu_si128(blocks + i + 3), by512);
    }
    CChecksum_Folded folded;
    _mm_storeu_si128((__m128i *)folded.bytes, fold(fold(fold(a, b, by128), c, by128), d, by128));
    folded.count = whole * 16;
    return folded;
}

// The same with blocks of 256 bits, each two of 128 that are moved alike.
__attribute__((target("vpclmulqdq,avx2"))) static inline __m256i foldPair(__m256i pair, __m256i next, __m256i factors) {
    const __m256i low = _mm256_clmulepi64_epi128(pair, factors, 0x00);
    const __m256i high = _mm256_clmulepi64_epi128(pair, factors, 0x11);
    return _mm256_xor_si256(_mm256_xor_si256(low, high), next);
}

__attribute__((target("vpclmulqdq,avx2,pclmul"))) static CChecksum_Folded foldPairs(
    const uint8_t *bytes, size_t count, uint32_t sum) {
    const __m256i by1024 = _mm256_set_epi64x(0x14A7FE880, 0x1E88EF372, 0x14A7FE880, 0x1E88EF372);
    const __m256i by256 = _mm256_set_epi64x(0x15A546366, 0x0F1DA05AA, 0x15A546366, 0x0F1DA05AA);
    const __m128i by128 = _mm_set_epi64x(0x0CCAA009E, 0x1751997D0);
    const __m256i *const pairs = (const __m256i *)bytes;
    __m256i a = _mm256_xor_si256(_mm256_loadu_si256(pairs), _mm256_set_epi64x(0, 0, 0, (uint32_t)~sum));
    __m256i b = _mm256_loadu_si256(pairs + 1), c = _mm256_loadu_si256(pairs + 2), d = _mm256_loadu_si256(pairs + 3);
    const size_t whole = count / 128 * 4;
    for (size_t i = 4; i < whole; i += 4) {
        a = foldPair(a, _mm256_loadu_si256(pairs + i), by1024);
        b = foldPair(b, _mm256_loadu_si256(pairs + i + 1), by1024);
        c = foldPair(c, _mm256_loadu_si256(pairs + i + 2), by1024);
        d = foldPair(d, _mm256_loadu_si256(pairs + i + 3), by1024);
    }
    const __m256i last = foldPair(foldPair(foldPair(a, b, by256), c, by256), d, by256);
    CChecksum_Folded folded;
    _mm_storeu_si128(
        (__m128i *)folded.bytes, fold(_mm256_castsi256_si128(last), _mm256_extracti128_si256(last, 1), by128));
    folded.count = whole * 32;
    return folded;
}

CChecksum_Folded CChecksum_foldBlocks(const uint8_t *bytes, size_t count, uint32_t sum) {
    if (count >= 64 && __builtin_cpu_supports("pclmul")) return foldBlocks(bytes, count, sum);
    return (CChecksum_Folded){{0}, 0};
}

CChecksum_Folded CChecksum_fold(const uint8_t *bytes, size_t count, uint32_t sum) {
    if (count >= 128 && __builtin_cpu_supports("vpclmulqdq") && __builtin_cpu_supports("avx2")) {
        return foldPairs(bytes, count, sum);
    }
    return CChecksum_foldBlocks(bytes, count, sum);
}

#else

CChecksum_Folded CChecksum_foldBlocks(const uint8_t *bytes, size_t count, uint32_t sum) {
    (void)bytes, (void)count, (void)sum;
    return (CChecksum_Folded){{0}, 0};
}

CChecksum_Folded CChecksum_fold(const uint8_t *bytes, size_t count, uint32_t sum) {
    return CChecksum_foldBlocks(bytes, count, sum);
}

#endif
