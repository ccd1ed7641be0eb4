#ifndef CALLCHECK_CCHECKSUM_H
#define CALLCHECK_CCHECKSUM_H

// The long part of a CRC-32, by carry-less multiplication: several times as fast as tables.

#include <stddef.h>
#include <stdint.h>

// The beginning of a message, folded into 16 bytes that have the same CRC-32.
typedef struct {
    uint8_t bytes[16];
    // How many bytes were folded, a multiple of 64; 0 when there are too few of them, or when the processor has no
    // carry-less multiplication.
    size_t count;
} CChecksum_Folded;

// Folds as much of `bytes` as it can.
//
// `sum` is the checksum of what came before, as libz keeps it; the one that includes the folded bytes is
// `crc32(0xFFFFFFFF, folded.bytes, 16)`, where the first argument is libz's spelling of "no bit is set".
CChecksum_Folded CChecksum_fold(const uint8_t *bytes, size_t count, uint32_t sum);

// The same on processors that multiply 128 bits at a time and not 256.
CChecksum_Folded CChecksum_foldBlocks(const uint8_t *bytes, size_t count, uint32_t sum);

#endif
