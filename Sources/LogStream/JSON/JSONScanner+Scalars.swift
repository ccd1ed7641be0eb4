/// The values without parts: strings, numbers and words.
extension JSONScanner {
    mutating func string() throws(JSONFailure) -> JSONValue {
        if let text = cursor.plainString() { return JSONValue(kind: .string, text: text) }
        try cursor.expect(.quote)
        let start = cursor.position
        cursor.skipPlainStringBytes()
        let isEscaped = try skipToClosingQuote()
        let text = cursor.text(from: start)
        cursor.advance()
        return JSONValue(kind: .string, text: text, isEscaped: isEscaped)
    }

    /// Moves to the closing quote of a string with escapes or non-ASCII characters.
    ///
    /// - Returns: True when there was an escape.
    private mutating func skipToClosingQuote() throws(JSONFailure) -> Bool {
        var isEscaped = false
        while true {
            let byte = cursor.current
            if byte == .quote { return isEscaped }
            if byte == .backslash {
                isEscaped = true
                try escape()
            } else if byte >= 0x80 {
                try utf8Sequence()
            } else {
                // A control character, or the end of the record.
                throw JSONFailure()
            }
            cursor.skipPlainStringBytes()
        }
    }

    private mutating func escape() throws(JSONFailure) {
        cursor.advance()
        switch cursor.current {
        case .quote, .backslash, UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            cursor.advance()
        case UInt8(ascii: "u"):
            cursor.advance()
            for _ in 0..<4 {
                guard hexadecimalDigit(cursor.current) != nil else { throw JSONFailure() }
                cursor.advance()
            }
        default:
            throw JSONFailure()
        }
    }

    /// Moves over one multi-byte character; overlong forms, surrogates and values above U+10FFFF are refused
    /// (Unicode Standard, table 3-7).
    private mutating func utf8Sequence() throws(JSONFailure) {
        let lead = cursor.current
        cursor.advance()
        let (second, more): (ClosedRange<UInt8>, Int)
        switch lead {
        case 0xC2...0xDF: (second, more) = (0x80...0xBF, 0)
        case 0xE0: (second, more) = (0xA0...0xBF, 1)
        case 0xED: (second, more) = (0x80...0x9F, 1)
        case 0xE1...0xEF: (second, more) = (0x80...0xBF, 1)
        case 0xF0: (second, more) = (0x90...0xBF, 2)
        case 0xF1...0xF3: (second, more) = (0x80...0xBF, 2)
        case 0xF4: (second, more) = (0x80...0x8F, 2)
        default: throw JSONFailure()
        }
        guard second.contains(cursor.current) else { throw JSONFailure() }
        cursor.advance()
        for _ in 0..<more {
            guard (0x80...0xBF).contains(cursor.current) else { throw JSONFailure() }
            cursor.advance()
        }
    }

    mutating func number() throws(JSONFailure) {
        if cursor.current == UInt8(ascii: "-") { cursor.advance() }
        if cursor.current == UInt8(ascii: "0") {
            cursor.advance()
        } else if cursor.skipDigits() == 0 {
            throw JSONFailure()
        }
        if cursor.current == UInt8(ascii: ".") {
            cursor.advance()
            if cursor.skipDigits() == 0 { throw JSONFailure() }
        }
        if cursor.current | 0x20 == UInt8(ascii: "e") {
            cursor.advance()
            if cursor.current == UInt8(ascii: "+") || cursor.current == UInt8(ascii: "-") { cursor.advance() }
            if cursor.skipDigits() == 0 { throw JSONFailure() }
        }
    }

    mutating func literal(_ word: StaticString) throws(JSONFailure) {
        // Safe: the index stays inside the literal.
        for index in 0..<word.utf8CodeUnitCount { try cursor.expect(unsafe word.utf8Start[index]) }
    }
}

func hexadecimalDigit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a")) + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A")) + 10
    default: nil
    }
}
