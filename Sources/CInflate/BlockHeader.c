#include "BlockHeader.h"

// Takes a number of so many bits into `target`, or leaves with `Header_cut`.
#define TAKE(target, number) \
    do { \
        refill(reader); \
        if (reader->count < (number)) return Header_cut; \
        (target) = lowBits(reader->bits, (number)); \
        drop(reader, (number)); \
    } while (0)

static bool useFixedTables(CInflate_Stream *stream) {
    uint8_t lengths[288];
    memset(lengths, 8, 144);
    memset(lengths + 144, 9, 112);
    memset(lengths + 256, 7, 24);
    memset(lengths + 280, 8, 8);
    stream->hasFixedTables = DecodingTable_fill(
        stream->literals, CInflate_literalTableSize, literalIndexBits, lengths, 288, DecodingTable_literalSymbols(),
        Codes_complete);
    memset(lengths, 5, 32);
    return DecodingTable_fill(
               stream->distances, CInflate_distanceTableSize, distanceIndexBits, lengths, 32,
               DecodingTable_distanceSymbols, Codes_complete)
        && stream->hasFixedTables;
}

// Section 3.2.7; the checks come in the order in which libz makes them.
static Header readTables(CInflate_Stream *stream, BitReader *reader) {
    uint32_t counts;
    TAKE(counts, 14);
    const uint32_t literals = (counts & 31) + 257, distances = (counts >> 5 & 31) + 1, codes = (counts >> 10) + 4;
    if (literals > 286 || distances > 30) return Header_corrupt;

    static const uint8_t order[19] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    uint8_t codeLengths[19] = {0};
    for (uint32_t i = 0; i < codes; i++) TAKE(codeLengths[order[i]], 3);
    uint32_t table[1 << lengthIndexBits];
    if (!DecodingTable_fill(
            table, 1 << lengthIndexBits, lengthIndexBits, codeLengths, 19, DecodingTable_lengthSymbols,
            Codes_complete)) {
        return Header_corrupt;
    }

    uint8_t lengths[286 + 30];
    uint32_t done = 0;
    while (done < literals + distances) {
        refill(reader);
        const uint32_t entry = table[lowBits(reader->bits, lengthIndexBits)];
        // Without any code every length is 0, of one bit each.
        const uint32_t symbol = entry & Entry_invalid ? 0 : entry >> 16;
        if (reader->count < codeBits(entry)) return Header_cut;
        if (symbol < 16) {
            drop(reader, codeBits(entry));
            lengths[done++] = (uint8_t)symbol;
            continue;
        }
        const uint32_t extra = symbol == 16 ? 2 : symbol == 17 ? 3 : 7;
        if (reader->count < codeBits(entry) + extra) return Header_cut;
        drop(reader, codeBits(entry));
        if (symbol == 16 && done == 0) return Header_corrupt;
        const uint32_t repeats = (symbol == 18 ? 11 : 3) + lowBits(reader->bits, extra);
        drop(reader, extra);
        if (done + repeats > literals + distances) return Header_corrupt;
        memset(lengths + done, symbol == 16 ? lengths[done - 1] : 0, repeats);
        done += repeats;
    }
    // A block must be able to end.
    if (lengths[256] == 0) return Header_corrupt;
    stream->hasFixedTables = false;
    const bool isRead =
        DecodingTable_fill(
            stream->literals, CInflate_literalTableSize, literalIndexBits, lengths, literals,
            DecodingTable_literalSymbols(), Codes_orSingle)
        && DecodingTable_fill(
            stream->distances, CInflate_distanceTableSize, distanceIndexBits, lengths + literals, distances,
            DecodingTable_distanceSymbols, Codes_orSingle);
    return isRead ? Header_read : Header_corrupt;
}

Header BlockHeader_read(CInflate_Stream *stream, BitReader *reader) {
    uint32_t head;
    TAKE(head, 3);
    stream->isLastBlock = head & 1;
    switch (head >> 1) {
    case 0: {
        drop(reader, reader->count & 7);
        uint32_t lengths;
        TAKE(lengths, 32);
        if ((lengths & 0xFFFF) != (~lengths >> 16)) return Header_corrupt;
        stream->storedCount = lengths & 0xFFFF;
        // Back to whole bytes of the input.
        reader->next -= reader->count >> 3;
        reader->bits = 0;
        reader->count = 0;
        stream->phase = inStored;
        return Header_read;
    }
    case 1:
        if (!stream->hasFixedTables && !useFixedTables(stream)) return Header_corrupt;
        stream->phase = inSymbols;
        return Header_read;
    case 2:
        stream->phase = inSymbols;
        return readTables(stream, reader);
    default:
        return Header_corrupt;
    }
}
