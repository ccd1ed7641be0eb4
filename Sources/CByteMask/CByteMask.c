#include "CByteMask.h"

static inline CByteMask_Places before(size_t count, size_t block, uint64_t places) {
    if (count - block < 64) places &= ((uint64_t)1 << (count - block)) - 1;
    return (CByteMask_Places){places == 0 ? count : block, places};
}

static CByteMask_Places nextPlaces(const uint8_t *bytes, size_t block, size_t count) {
    for (; block < count; block += 64) {
        const CByteMask_Hints hints = CByteMask_hints(bytes + block);
        const uint64_t places = hints.newline | hints.candidate;
        if (places != 0) return before(count, block, places);
    }
    return (CByteMask_Places){block, 0};
}

static void stringStopsInRow(const uint8_t *bytes, size_t blocks, uint64_t *stops) {
    for (size_t i = 0; i < blocks; i++) stops[i] = CByteMask_stringStops(bytes + 64 * i);
}

#if defined(__x86_64__)
#include <immintrin.h>

// The same masks as in the header, 32 bytes at a time.

__attribute__((target("avx2"))) static inline __m256i equal(const uint8_t *bytes, char byte) {
    return _mm256_cmpeq_epi8(_mm256_loadu_si256((const __m256i *)bytes), _mm256_set1_epi8(byte));
}

__attribute__((target("avx2"))) static inline uint64_t placesIn32(const uint8_t *bytes) {
    const __m256i nOrT = _mm256_or_si256(equal(bytes + 11, 'n'), equal(bytes + 11, 't'));
    const __m256i marker = _mm256_and_si256(equal(bytes, 'v'), nOrT);
    const __m256i escape = _mm256_and_si256(equal(bytes, '\\'), equal(bytes + 1, 'u'));
    const __m256i rOrS = _mm256_or_si256(equal(bytes + 8, 'r'), equal(bytes + 8, 's'));
    const __m256i stream = _mm256_and_si256(equal(bytes, '%'), rOrS);
    // 'A' and 'e' differ in two bits.
    const __m256i here = _mm256_or_si256(_mm256_loadu_si256((const __m256i *)bytes), _mm256_set1_epi8(0x24));
    const __m256i aOrE = _mm256_cmpeq_epi8(here, _mm256_set1_epi8('e'));
    const __m256i text = _mm256_and_si256(aOrE, equal(bytes + 11, 'k'));
    const __m256i candidate = _mm256_or_si256(_mm256_or_si256(marker, escape), _mm256_or_si256(stream, text));
    return (uint32_t)_mm256_movemask_epi8(_mm256_or_si256(candidate, equal(bytes, '\n')));
}

__attribute__((target("avx2"))) static CByteMask_Places nextPlacesAVX2(
    const uint8_t *bytes, size_t block, size_t count) {
    for (; block < count; block += 64) {
        const uint64_t places = placesIn32(bytes + block) | placesIn32(bytes + block + 32) << 32;
        if (places != 0) return before(count, block, places);
    }
    return (CByteMask_Places){block, 0};
}

__attribute__((target("avx2"))) static inline uint64_t stringStopsIn32(const uint8_t *bytes) {
    const __m256i here = _mm256_loadu_si256((const __m256i *)bytes);
    const __m256i low = _mm256_cmpgt_epi8(_mm256_set1_epi8(0x20), here);
    return (uint32_t)_mm256_movemask_epi8(_mm256_or_si256(low, _mm256_or_si256(equal(bytes, '"'), equal(bytes, '\\'))));
}

__attribute__((target("avx2"))) static void stringStopsInRowAVX2(
    const uint8_t *bytes, size_t blocks, uint64_t *stops) {
    for (size_t i = 0; i < blocks; i++, bytes += 64) {
        stops[i] = stringStopsIn32(bytes) | stringStopsIn32(bytes + 32) << 32;
    }
}

CByteMask_Places CByteMask_nextPlaces(const uint8_t *bytes, size_t block, size_t count) {
    return __builtin_cpu_supports("avx2") ? nextPlacesAVX2(bytes, block, count) : nextPlaces(bytes, block, count);
}

void CByteMask_stringStopsInRow(const uint8_t *bytes, size_t blocks, uint64_t *stops) {
    if (__builtin_cpu_supports("avx2")) return stringStopsInRowAVX2(bytes, blocks, stops);
    stringStopsInRow(bytes, blocks, stops);
}

#else

CByteMask_Places CByteMask_nextPlaces(const uint8_t *bytes, size_t block, size_t count) {
    return nextPlaces(bytes, block, count);
}

void CByteMask_stringStopsInRow(const uint8_t *bytes, size_t blocks, uint64_t *stops) {
    stringStopsInRow(bytes, blocks, stops);
}

#endif
