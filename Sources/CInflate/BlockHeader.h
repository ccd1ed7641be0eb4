#ifndef CALLCHECK_BLOCKHEADER_H
#define CALLCHECK_BLOCKHEADER_H

#include "BitReader.h"
#include "CInflate.h"

// What comes next in a stream.
enum Phase { atBlock, inStored, inSymbols, atEnd };

typedef enum {
    Header_read,
    // The input ends in it.
    Header_cut,
    Header_corrupt,
} Header;

// Reads the header of a block (RFC 1951, section 3.2.3) and the tables in it, and sets the stream's phase.
Header BlockHeader_read(CInflate_Stream *stream, BitReader *reader);

#endif
