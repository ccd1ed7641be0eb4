#include "DecodingTable.h"

#include <string.h>

// The `length` lowest bits of a code, the last one first: DEFLATE packs codes from their first bit on, and other
// numbers from their lowest.
static inline uint32_t reversed(uint32_t code, uint32_t length) {
    return __builtin_bitreverse32(code) >> (32 - length);
}

bool DecodingTable_fill(
    uint32_t *table, uint32_t size, uint32_t indexBits, const uint8_t *lengths, uint32_t count, const uint32_t *symbols,
    Codes codes) {
    uint32_t counts[longestCode + 1] = {0};
    for (uint32_t i = 0; i < count; i++) counts[lengths[i]]++;
    counts[0] = 0;
    uint32_t longest = longestCode;
    while (longest > 0 && counts[longest] == 0) longest--;
    // How many codes of the longest length are left over.
    int32_t left = 1;
    for (uint32_t length = 1; length <= longestCode; length++) {
        left = left * 2 - (int32_t)counts[length];
        if (left < 0) return false;
    }
    if (left > 0 && longest > 0 && (codes == Codes_complete || longest != 1)) return false;

    // Symbols in the order of their codes: by length, then by number.
    uint16_t starts[longestCode + 2] = {0}, sorted[288];
    for (uint32_t length = 1; length <= longestCode; length++) starts[length + 1] = starts[length] + counts[length];
    for (uint32_t i = 0; i < count; i++) {
        if (lengths[i] > 0) sorted[starts[lengths[i]]++] = (uint16_t)i;
    }

    // Where there is no code, one bit is enough to see that.
    table[0] = Entry_invalid | 1 << 8 | 1;
    uint32_t code = 0, next = 0, filled = 1;
    for (uint32_t length = 1; length <= indexBits; length++) {
        // What is known by fewer bits holds for both values of the next one.
        memcpy(table + filled, table, filled * sizeof *table);
        filled *= 2;
        code *= 2;
        for (uint32_t i = 0; i < counts[length]; i++, code++) {
            table[reversed(code, length)] = symbols[sorted[next++]] + (length << 8 | length);
        }
    }

    uint32_t prefix = UINT32_MAX, start = 0, secondBits = 0;
    for (uint32_t length = indexBits + 1; length <= longest; length++) {
        code *= 2;
        for (; counts[length] > 0; counts[length]--, code++) {
            const uint32_t bits = reversed(code, length);
            if ((bits & (filled - 1)) != prefix) {
                prefix = bits & (filled - 1);
                start = start == 0 ? filled : start + (1u << secondBits);
                // As large as the codes that share the prefix need it.
                secondBits = length - indexBits;
                int32_t room = 1 << secondBits;
                while (secondBits + indexBits < longest && (room -= (int32_t)counts[secondBits + indexBits]) > 0) {
                    secondBits++;
                    room *= 2;
                }
                if (start + (1u << secondBits) > size) return false;
                table[prefix] = Entry_secondTable | start << 16 | secondBits << 8;
            }
            const uint32_t entry = symbols[sorted[next++]] + (length << 8 | length);
            for (uint32_t i = bits >> indexBits; i < 1u << secondBits; i += 1u << (length - indexBits)) {
                table[start + i] = entry;
            }
        }
    }
    return true;
}

// Symbols without their codes: a value and the number of extra bits (RFC 1951, section 3.2.5).
#define S(value, extra) ((uint32_t)(value) << 16 | (extra))

const uint32_t DecodingTable_lengthSymbols[19] = {
    S(0, 0),  S(1, 0),  S(2, 0),  S(3, 0),  S(4, 0),  S(5, 0),  S(6, 0),  S(7, 0),  S(8, 0), S(9, 0),
    S(10, 0), S(11, 0), S(12, 0), S(13, 0), S(14, 0), S(15, 0), S(16, 0), S(17, 0), S(18, 0)};

const uint32_t DecodingTable_distanceSymbols[32] = {
    S(1, 0),     S(2, 0),     S(3, 0),     S(4, 0),     S(5, 1),      S(7, 1),      S(9, 2),       S(13, 2),
    S(17, 3),    S(25, 3),    S(33, 4),    S(49, 4),    S(65, 5),     S(97, 5),     S(129, 6),     S(193, 6),
    S(257, 7),   S(385, 7),   S(513, 8),   S(769, 8),   S(1025, 9),   S(1537, 9),   S(2049, 10),   S(3073, 10),
    S(4097, 11), S(6145, 11), S(8193, 12), S(12289, 12), S(16385, 13), S(24577, 13), Entry_invalid, Entry_invalid};

#define L(byte) (Entry_literal | (uint32_t)(byte) << 16)
#define L8(byte) L(byte), L(byte + 1), L(byte + 2), L(byte + 3), L(byte + 4), L(byte + 5), L(byte + 6), L(byte + 7)
#define L64(byte) \
    L8(byte), L8(byte + 8), L8(byte + 16), L8(byte + 24), L8(byte + 32), L8(byte + 40), L8(byte + 48), L8(byte + 56)

static const uint32_t literalSymbols[288] = {
    L64(0),    L64(64),   L64(128),  L64(192),  Entry_endOfBlock,
    S(3, 0),   S(4, 0),   S(5, 0),   S(6, 0),   S(7, 0),   S(8, 0),   S(9, 0),   S(10, 0),  S(11, 1),  S(13, 1),
    S(15, 1),  S(17, 1),  S(19, 2),  S(23, 2),  S(27, 2),  S(31, 2),  S(35, 3),  S(43, 3),  S(51, 3),  S(59, 3),
    S(67, 4),  S(83, 4),  S(99, 4),  S(115, 4), S(131, 5), S(163, 5), S(195, 5), S(227, 5), S(258, 0),
    Entry_invalid, Entry_invalid};

const uint32_t *DecodingTable_literalSymbols(void) { return literalSymbols; }
