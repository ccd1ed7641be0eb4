#ifndef CALLCHECK_BITREADER_H
#define CALLCHECK_BITREADER_H

#include <stdint.h>
#include <string.h>

#include "DecodingTable.h"

// The input, and the bits taken from it.
typedef struct {
    const uint8_t *next, *end;
    uint64_t bits;
    uint32_t count;
} BitReader;

// Takes bytes as long as there are any and 56 bits are not there.
static inline void refill(BitReader *reader) {
    while (reader->count < 56 && reader->next < reader->end) {
        reader->bits |= (uint64_t)*reader->next++ << reader->count;
        reader->count += 8;
    }
}

// The same in one load. Bits above `count` are then those that the input has there, and are loaded again.
static inline void refillFast(BitReader *reader) {
    uint64_t word;
    memcpy(&word, reader->next, sizeof word);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    reader->bits |= word << reader->count;
    reader->next += (63 - reader->count) >> 3;
    reader->count |= 56;
}

static inline void drop(BitReader *reader, uint32_t count) {
    reader->bits >>= count;
    reader->count -= count;
}

static inline uint32_t lowBits(uint64_t bits, uint32_t count) { return (uint32_t)(bits & ((UINT64_C(1) << count) - 1)); }

// The entry of the symbol that the bits begin with.
static inline uint32_t look(const uint32_t *table, uint32_t indexBits, uint64_t bits) {
    const uint32_t entry = table[lowBits(bits, indexBits)];
    if (!(entry & Entry_secondTable)) return entry;
    return table[(entry >> 16) + lowBits(bits >> indexBits, entry >> 8 & 31)];
}

static inline uint32_t codeBits(uint32_t entry) { return entry >> 8 & 31; }
static inline uint32_t allBits(uint32_t entry) { return entry & 0xFF; }

// The length or distance: its least value and the extra bits behind the code.
static inline uint32_t value(uint32_t entry, uint64_t bits) {
    return (entry >> 16) + (lowBits(bits, allBits(entry)) >> codeBits(entry));
}

#endif
