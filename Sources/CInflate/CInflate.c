#include "CInflate.h"

#include <string.h>

#include "BlockHeader.h"

// How much a round of the fast loop may take and write: it loads eight bytes at up to three places that are seven bytes
// apart, and writes three literals, or a match in steps of 16 bytes.
enum { fastInput = 32, fastRoom = 3 + 258 + 32 };

// MARK: Symbols

typedef struct {
    uint8_t *next, *end;
    // The first byte that a match may reach.
    const uint8_t *floor;
} Writer;

// Copies a match, and up to 31 bytes more than it has.
static inline void copyFast(uint8_t *to, uint32_t distance, uint32_t length) {
    const uint8_t *from = to - distance;
    uint8_t *const end = to + length;
    if (distance >= 16) {
        do {
            memcpy(to, from, 16);
            memcpy(to + 16, from + 16, 16);
            to += 32, from += 32;
        } while (to < end);
    } else if (distance == 1) {
        memset(to, *from, length);
    } else {
        while (to < end) *to++ = *from++;
    }
}

// Reads symbols as long as there is plenty of input and room, and neither the block ends nor anything is wrong: what the
// careful loop has to say of the next symbol is left to it.
static void readSymbolsFast(const CInflate_Stream *stream, BitReader *shared, Writer *writer) {
    BitReader reader = *shared;
    uint8_t *to = writer->next;
    const uint32_t *const literals = stream->literals, *const distances = stream->distances;
    while (reader.end - reader.next >= fastInput && writer->end - to >= fastRoom) {
        refillFast(&reader);
        uint32_t entry = literals[lowBits(reader.bits, literalIndexBits)];
        // Three codes of the first step take 33 bits, which leaves 23: enough for a length.
        if (entry & Entry_literal) {
            drop(&reader, allBits(entry));
            *to++ = (uint8_t)(entry >> 16);
            entry = literals[lowBits(reader.bits, literalIndexBits)];
            if (entry & Entry_literal) {
                drop(&reader, allBits(entry));
                *to++ = (uint8_t)(entry >> 16);
                entry = literals[lowBits(reader.bits, literalIndexBits)];
                if (entry & Entry_literal) {
                    drop(&reader, allBits(entry));
                    *to++ = (uint8_t)(entry >> 16);
                    continue;
                }
            }
        }
        if (entry & Entry_secondTable) entry = look(literals, literalIndexBits, reader.bits);
        if (entry & Entry_literal) {
            drop(&reader, allBits(entry));
            *to++ = (uint8_t)(entry >> 16);
            continue;
        }
        if (entry & (Entry_endOfBlock | Entry_invalid)) break;
        const uint32_t length = value(entry, reader.bits);
        BitReader behind = reader;
        drop(&behind, allBits(entry));
        refillFast(&behind);
        const uint32_t far = look(distances, distanceIndexBits, behind.bits);
        const uint32_t distance = value(far, behind.bits);
        if (far & Entry_invalid || distance > (size_t)(to - writer->floor)) break;
        drop(&behind, allBits(far));
        reader = behind;
        copyFast(to, distance, length);
        to += length;
    }
    *shared = reader;
    writer->next = to;
}

// Writes as much of a match as there is room for.
static void copyMatch(CInflate_Stream *stream, Writer *writer) {
    while (stream->matchLength > 0 && writer->next < writer->end) {
        *writer->next = *(writer->next - stream->matchDistance);
        writer->next++;
        stream->matchLength--;
    }
}

// Reads symbols to the block's end, or as far as input and room go.
static CInflate_Outcome readSymbols(CInflate_Stream *stream, BitReader *reader, Writer *writer) {
    while (true) {
        copyMatch(stream, writer);
        if (stream->matchLength > 0) return CInflate_more;
        readSymbolsFast(stream, reader, writer);
        refill(reader);
        const uint32_t entry = look(stream->literals, literalIndexBits, reader->bits);
        if (allBits(entry) > reader->count) return CInflate_more;
        if (entry & Entry_invalid) return CInflate_corrupt;
        if (entry & Entry_endOfBlock) {
            drop(reader, allBits(entry));
            return CInflate_finished;
        }
        if (writer->next == writer->end) return CInflate_more;
        if (entry & Entry_literal) {
            drop(reader, allBits(entry));
            *writer->next++ = (uint8_t)(entry >> 16);
            continue;
        }
        // A length and its distance take at most 48 of the 56 bits.
        const uint64_t behind = reader->bits >> allBits(entry);
        const uint32_t far = look(stream->distances, distanceIndexBits, behind);
        if (allBits(entry) + codeBits(far) > reader->count) return CInflate_more;
        if (far & Entry_invalid) return CInflate_corrupt;
        if (allBits(entry) + allBits(far) > reader->count) return CInflate_more;
        const uint32_t distance = value(far, behind);
        if (distance > (size_t)(writer->next - writer->floor)) return CInflate_corrupt;
        stream->matchLength = value(entry, reader->bits);
        stream->matchDistance = distance;
        drop(reader, allBits(entry) + allBits(far));
    }
}

// MARK: Blocks

static CInflate_Outcome readBlocks(CInflate_Stream *stream, BitReader *reader, Writer *writer, bool isEnd) {
    while (true) {
        switch (stream->phase) {
        case atBlock: {
            // A header is read in one go.
            if (!isEnd && reader->end - reader->next < CInflate_leastInput) return CInflate_more;
            const BitReader before = *reader;
            switch (BlockHeader_read(stream, reader)) {
            case Header_cut:
                *reader = before;
                stream->phase = atBlock;
                return CInflate_more;
            case Header_corrupt: return CInflate_corrupt;
            case Header_read: break;
            }
            break;
        }
        case inStored: {
            size_t count = stream->storedCount;
            if (count > (size_t)(reader->end - reader->next)) count = (size_t)(reader->end - reader->next);
            if (count > (size_t)(writer->end - writer->next)) count = (size_t)(writer->end - writer->next);
            if (count > 0) memcpy(writer->next, reader->next, count);
            reader->next += count;
            writer->next += count;
            stream->storedCount -= (uint32_t)count;
            if (stream->storedCount > 0) return CInflate_more;
            stream->phase = stream->isLastBlock ? atEnd : atBlock;
            break;
        }
        case inSymbols: {
            const CInflate_Outcome outcome = readSymbols(stream, reader, writer);
            if (outcome != CInflate_finished) return outcome;
            stream->phase = stream->isLastBlock ? atEnd : atBlock;
            break;
        }
        default:
            return CInflate_finished;
        }
    }
}

CInflate_Step CInflate_run(
    CInflate_Stream *stream, const uint8_t *input, size_t count, bool isEnd, uint8_t *output, size_t room) {
    BitReader reader = {input, input + count, stream->bits, stream->bitCount};
    Writer writer = {output, output + room, output - stream->history};
    const CInflate_Outcome outcome = readBlocks(stream, &reader, &writer, isEnd);
    // Whole bytes that were not used go back: they were all taken in this call.
    reader.next -= reader.count >> 3;
    stream->bitCount = reader.count & 7;
    stream->bits = lowBits(reader.bits, stream->bitCount);
    const size_t written = (size_t)(writer.next - output), history = stream->history + written;
    stream->history = history < CInflate_window ? (uint32_t)history : CInflate_window;
    return (CInflate_Step){(size_t)(reader.next - input), written, outcome};
}
