#ifndef CALLCHECK_DECODINGTABLE_H
#define CALLCHECK_DECODINGTABLE_H

#include <stdbool.h>
#include <stdint.h>

// A table tells from the next bits of a stream which symbol they begin with. Its entries:
//
//   bit 31      the symbol is a literal
//   bits 16-30  the literal; the least length or distance; or where a second table starts
//   bits 13-15  flags, see below
//   bits 8-12   the length of the code, or how many bits index the second table
//   bits 0-7    how many bits the symbol takes: its code and the extra bits behind it
//
// Codes longer than the first index lead to a second table, which the bits behind that index choose from.
enum {
    Entry_secondTable = 1 << 13,
    Entry_endOfBlock = 1 << 14,
    Entry_invalid = 1 << 15,
};
#define Entry_literal 0x80000000u

enum { literalIndexBits = 11, distanceIndexBits = 8, lengthIndexBits = 7, longestCode = 15 };

// What a set of code lengths may be.
typedef enum {
    // Every sequence of bits must mean something; or no symbol has a code at all.
    Codes_complete,
    // There may also be a single code, of one bit.
    Codes_orSingle,
} Codes;

// Fills a table.
//
// `symbols` are the entries of the symbols without their codes. Returns false for sets of lengths that are
// over-subscribed, or incomplete in a way that `codes` does not allow: those that libz refuses.
bool DecodingTable_fill(
    uint32_t *table, uint32_t size, uint32_t indexBits, const uint8_t *lengths, uint32_t count, const uint32_t *symbols,
    Codes codes);

extern const uint32_t DecodingTable_lengthSymbols[19];
extern const uint32_t DecodingTable_distanceSymbols[32];
// Literals, the end of a block, lengths of matches.
const uint32_t *DecodingTable_literalSymbols(void);

#endif
