#ifndef CALLCHECK_CINFLATE_H
#define CALLCHECK_CINFLATE_H

// Raw DEFLATE decompression (RFC 1951), about twice as fast as libz's and of the same meaning: of any input, whole, cut
// or damaged, both yield the same bytes and the same outcome. Tests hold the two against each other.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    // How far back a match may reach: that many of the stream's last bytes must stand in front of the output.
    CInflate_window = 32768,
    // With less input than this a call does nothing unless it is told that the input ends.
    CInflate_leastInput = 1024,
};

// Sizes of tables for the longest codes, with 11 and 8 bits in the first step ("enough 288 11 15" and "enough 32 8 15"
// with the program of that name that comes with libz).
enum { CInflate_literalTableSize = 2342, CInflate_distanceTableSize = 402 };

// One stream. All zero bytes are a stream before its first byte.
typedef struct {
    // Bits that were taken from the input and not used: fewer than eight between calls.
    uint64_t bits;
    uint32_t bitCount;
    // What comes next: see CInflate.c.
    uint32_t phase;
    bool isLastBlock;
    bool hasFixedTables;
    // Bytes of a stored block that are still to come.
    uint32_t storedCount;
    // The rest of a match that did not fit into the output.
    uint32_t matchLength;
    uint32_t matchDistance;
    // How many plain bytes the stream has had, at most CInflate_window.
    uint32_t history;
    uint32_t literals[CInflate_literalTableSize];
    uint32_t distances[CInflate_distanceTableSize];
} CInflate_Stream;

typedef enum {
    // Input or room for output ran out.
    CInflate_more,
    // The last block ended.
    CInflate_finished,
    // The input is not DEFLATE data; what came before was written.
    CInflate_corrupt,
} CInflate_Outcome;

typedef struct {
    size_t taken;
    size_t written;
    CInflate_Outcome outcome;
} CInflate_Step;

// Decompresses as much as input and room allow.
//
// `output` has room for `room` bytes; in front of it stand the last bytes of the stream, as many as it has had, at most
// CInflate_window. `isEnd` says that nothing comes behind the input: then all of it is used, to the last bit.
CInflate_Step CInflate_run(
    CInflate_Stream *stream, const uint8_t *input, size_t count, bool isEnd, uint8_t *output, size_t room);

#endif
