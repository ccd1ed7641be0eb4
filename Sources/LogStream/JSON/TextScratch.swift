internal import Platform

/// Memory for what has to be decoded before it can be read, for one record at a time: strings spelled with escapes,
/// JSON inside strings, the data of messages.
///
/// It hands out pieces that stay where they are until the next record. One block, large enough for nearly every record,
/// is kept; what does not fit gets a separate block, which goes with the record.
@safe final class TextScratch {
    private static let usualCapacity = 16 << 10

    private let block: UnsafeMutablePointer<UInt8>
    private var used = 0
    private var extraBlocks: [ExtraBlock] = []
    var recentHour = RecentHour()
    /// The number of bytes that may still be unpacked of the source's compressed messages.
    var unpackable = PubSub.mostAtFirst

    init() { unsafe block = .allocate(capacity: TextScratch.usualCapacity) }

    deinit { unsafe block.deallocate() }

    func reset() {
        used = 0
        if !extraBlocks.isEmpty { removeExtraBlocks() }
    }

    @inline(never)
    private func removeExtraBlocks() { extraBlocks.removeAll() }

    @safe private final class ExtraBlock {
        let start: UnsafeMutablePointer<UInt8>

        init(size: Int) { unsafe start = .allocate(capacity: size) }

        deinit { unsafe start.deallocate() }
    }

    /// Lets `write` fill a piece of memory, and returns the bytes that it says it has written, with slack after them.
    func fill(capacity: Int, _ write: (UnsafeMutableBufferPointer<UInt8>) -> Int) -> RawText {
        let size = capacity + byteSlack
        let start: UnsafeMutablePointer<UInt8>
        if used + size <= TextScratch.usualCapacity {
            unsafe start = block + used
        } else {
            let extra = ExtraBlock(size: size)
            extraBlocks.append(extra)
            unsafe start = extra.start
        }
        let count = unsafe write(UnsafeMutableBufferPointer(start: start, count: capacity))
        precondition(count <= capacity)
        // Safe: the piece has room for the slack after its capacity.
        unsafe memset(start + count, 0, byteSlack)
        if unsafe start == block + used { used += count + byteSlack }
        return unsafe RawText(start: start, count: count)
    }

    /// The text of a JSON string: in place when it has no escapes, else decoded here.
    @inline(__always)
    func text(of value: JSONValue) -> RawText { value.isEscaped ? decode(value.text) : value.text }

    /// Undoes the escapes of a string, which the scanner has checked; a lone surrogate becomes U+FFFD.
    @inline(never)
    func decode(_ spelling: RawText) -> RawText {
        // No escape means more bytes than it is spelled with.
        unsafe fill(capacity: spelling.count) { room in
            var writer = unsafe RoomWriter(room)
            var index = 0
            while index < spelling.count {
                let plain = spelling.cut(index..<(spelling.index(of: .backslash, from: index) ?? spelling.count))
                writer.append(plain)
                index += plain.count + 1
                guard index < spelling.count else { break }
                let escape = spelling[index]
                index += 1
                if escape == UInt8(ascii: "u") {
                    let scalar = TextScratch.scalar(in: spelling, at: &index)
                    for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { writer.append(byte) }
                } else {
                    writer.append(TextScratch.meaning(of: escape))
                }
            }
            return writer.count
        }
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

    /// The character of a `\u` escape, whose digits start at `index`, and of the low surrogate's escape after it.
    private static func scalar(in text: RawText, at index: inout Int) -> Unicode.Scalar {
        guard let unit = codeUnit(in: text, at: index) else { return "\u{FFFD}" }
        index += 4
        if let scalar = Unicode.Scalar(unit) { return scalar }
        guard
            (0xD800..<0xDC00).contains(unit), index + 1 < text.count, text[index] == .backslash,
            text[index + 1] == UInt8(ascii: "u"), let low = codeUnit(in: text, at: index + 2),
            (0xDC00..<0xE000).contains(low)
        else { return "\u{FFFD}" }
        index += 6
        return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)) ?? "\u{FFFD}"
    }

    private static func codeUnit(in text: RawText, at start: Int) -> UInt32? {
        start + 4 <= text.count ? text.cut(start..<start + 4).hexadecimalNumber.map(UInt32.init) : nil
    }
}

@safe private struct RoomWriter {
    private let room: UnsafeMutableBufferPointer<UInt8>
    private(set) var count = 0

    init(_ room: UnsafeMutableBufferPointer<UInt8>) { unsafe self.room = room }

    mutating func append(_ byte: UInt8) {
        precondition(unsafe count < room.count)
        // Safe: count < room.count.
        unsafe room[count] = byte
        count += 1
    }

    mutating func append(_ text: RawText) {
        precondition(unsafe text.count <= room.count - count)
        guard !text.isEmpty, let start = unsafe room.baseAddress else { return }
        // Safe: there is room for the text.
        unsafe memcpy(start + count, text.start, text.count)
        count += text.count
    }
}
