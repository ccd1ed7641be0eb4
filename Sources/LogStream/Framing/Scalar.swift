/// A value that is no object and no array, where records are looked for: `1`, `"text"`, `null`.
///
/// It is a record as every value is, though never a verification.
struct Scalar {
    /// What the next byte means.
    enum Step {
        case inside
        /// The byte is the last one.
        case end
        /// The byte before was the last one.
        case ended
        /// JSON has no such byte there.
        case broken
    }

    let isString: Bool
    private var isEscaped = false

    /// - Parameter byte: The first byte.
    init(opening byte: UInt8) {
        isString = byte == UInt8(ascii: "\"")
    }

    static func canOpen(with byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\"") || isInWord(byte)
    }

    /// Takes the byte behind those that were taken.
    mutating func take(_ byte: UInt8) -> Step {
        guard isString else { return Scalar.isInWord(byte) ? .inside : .ended }
        if isEscaped {
            isEscaped = false
        } else if byte == UInt8(ascii: "\"") {
            return .end
        } else {
            isEscaped = byte == UInt8(ascii: "\\")
        }
        return byte < 0x20 ? .broken : .inside
    }

    /// True for the bytes that numbers, `true`, `false` and `null` are spelled with.
    static func isInWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "E"),
            UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    /// True when the text is one value in JSON.
    static func isValue(_ text: RawText) -> Bool {
        var scanner = JSONScanner(JSONCursor(text))
        do throws(JSONFailure) {
            try scanner.skipValue()
            return scanner.isAtEnd()
        } catch {
            return false
        }
    }
}
