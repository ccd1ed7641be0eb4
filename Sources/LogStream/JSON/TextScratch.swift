internal import Glibc

/// Memory for the wanted strings of one record that are spelled with escapes.
///
/// Decoded text is never longer than its spelling, so a scratch as long as the record holds all of them. It is reused
/// from record to record and grows only when a longer record needs it.
@safe final class TextScratch {
    private var memory: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private var used = 0

    init() {
        capacity = 4096
        unsafe memory = .allocate(capacity: capacity)
    }

    deinit {
        unsafe memory.deallocate()
    }

    /// Forgets all decoded text and makes room for a record of `count` bytes.
    func reset(forRecordOf count: Int) {
        used = 0
        guard count > capacity else { return }
        unsafe memory.deallocate()
        capacity = count
        unsafe memory = .allocate(capacity: capacity)
    }

    /// The text of a JSON string: in place when it has no escapes, else decoded here.
    ///
    /// The escapes were checked by the scanner. A lone surrogate becomes U+FFFD.
    func decode(_ spelling: RawText, isEscaped: Bool) -> RawText {
        guard isEscaped else { return spelling }
        let start = used
        var index = 0
        while index < spelling.count {
            let byte = spelling[index]
            index += 1
            guard byte == UInt8(ascii: "\\"), index < spelling.count else {
                append(byte)
                continue
            }
            let escape = spelling[index]
            index += 1
            if escape == UInt8(ascii: "u") {
                append(TextScratch.scalar(in: spelling, at: &index))
            } else {
                append(TextScratch.meaning(of: escape))
            }
        }
        return unsafe RawText(start: memory + start, count: used - start)
    }

    private static func meaning(of escape: UInt8) -> UInt8 {
        switch escape {
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: escape
        }
    }

    /// The character of a `\u` escape, whose digits start at `index`, and of the low surrogate's escape behind it.
    private static func scalar(in text: RawText, at index: inout Int) -> Unicode.Scalar {
        guard let unit = codeUnit(in: text, at: index) else { return "\u{FFFD}" }
        index += 4
        if let scalar = Unicode.Scalar(unit) { return scalar }
        guard
            (0xD800..<0xDC00).contains(unit), index + 1 < text.count, text[index] == UInt8(ascii: "\\"),
            text[index + 1] == UInt8(ascii: "u"), let low = codeUnit(in: text, at: index + 2),
            (0xDC00..<0xE000).contains(low)
        else { return "\u{FFFD}" }
        index += 6
        return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)) ?? "\u{FFFD}"
    }

    private static func codeUnit(in text: RawText, at start: Int) -> UInt32? {
        guard start + 4 <= text.count else { return nil }
        var unit: UInt32 = 0
        for index in start..<start + 4 {
            guard let digit = hexadecimalDigit(text[index]) else { return nil }
            unit = unit << 4 | digit
        }
        return unit
    }

    private func append(_ scalar: Unicode.Scalar) {
        for byte in UTF8.encode(scalar) ?? Unicode.UTF8.encodedReplacementCharacter { append(byte) }
    }

    private func append(_ byte: UInt8) {
        precondition(used < capacity)
        // Safe: used < capacity.
        unsafe memory[used] = byte
        used += 1
    }
}
