/// Base64 as messages carry it (RFC 4648, sections 4 and 5): both alphabets, padded or not, line breaks or not.
enum Base64 {
    /// The bytes; nil when the text holds anything else than base64.
    static func decode(_ text: RawText, into scratch: TextScratch) -> RawText? {
        var isValid = true
        let bytes = unsafe scratch.fill(capacity: text.count / 4 * 3 + 3) { room in
            var word: UInt32 = 0
            var bits: UInt32 = 0
            var count = 0
            var index = 0
            while index < text.count, let digit = digit(text[index], &isValid) {
                index += 1
                guard digit < 64 else { continue }
                word = word << 6 | digit
                bits += 6
                if bits >= 8 {
                    bits -= 8
                    // Safe: three bytes come of four characters, and the room is as large as that.
                    unsafe room[count] = UInt8(truncatingIfNeeded: word >> bits)
                    count += 1
                }
            }
            while index < text.count {
                isValid = isValid && (text[index] == UInt8(ascii: "=") || JSONCursor.isWhitespace(text[index]))
                index += 1
            }
            return count
        }
        return isValid ? bytes : nil
    }

    /// The value of a character, 64 for white space, nil for padding and for what is no base64.
    private static func digit(_ byte: UInt8, _ isValid: inout Bool) -> UInt32? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): return UInt32(byte - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): return UInt32(byte - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): return UInt32(byte - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"), UInt8(ascii: "-"): return 62
        case UInt8(ascii: "/"), UInt8(ascii: "_"): return 63
        case UInt8(ascii: " "), 0x09, 0x0A, 0x0D: return 64
        case UInt8(ascii: "="): return nil
        default:
            isValid = false
            return nil
        }
    }
}
