/// Changes a log the way logs are damaged: whole values are cut off, put inside others, glued together and repeated.
///
/// Bytes changed one by one hardly ever lead there. A record that was cut off, a whole one inside its open string and a
/// word at the very end are three changes, of which none by itself reaches new code. So a text is also put together
/// anew from such parts.
public struct LogMutation {
    private var random: RandomBits
    private var bytes: [UInt8]

    /// Between values, and at the end of a text.
    private static let words = [
        ",", "[", "]", "{", "}", "\"", ":", "7", ",7", "tru", "null", "\\", "\n", "},{", "]}", "[{", ",\n  ",
        #"{"entries":["#, #"],"nextPageToken":""#, "Callable request verification passed",
    ].map { Array($0.utf8) }

    /// Records, whole and cut off.
    private static let records = [
        #"{"insertId":"1"}"#, #"{"insertId":"2","x":"cut"#, #"{"insertId":"3","x":["#,
        #"""
        {"insertId":"a","labels":{"firebase-log-type":"callable-request-verification"},\#
        "jsonPayload":{"verifications":{"app":"VALID","auth":"VALID"}}}
        """#,
    ].map { Array($0.utf8) }

    /// What a text put together anew begins with.
    private static let openings = ["[", "[", #"{"entries":["#, #"{"receivedMessages":["#, "", "Text\n{\n"].map {
        Array($0.utf8)
    }

    /// - Parameters:
    ///   - bytes: The log.
    ///   - seed: The same seed makes the same changes to the same bytes.
    public init(of bytes: [UInt8], seed: UInt32) {
        self.bytes = bytes
        random = RandomBits(seed: UInt64(seed))
    }

    /// Makes one to four changes.
    public mutating func mutated() -> [UInt8] {
        for _ in 0...random.next(below: 4) { change() }
        return bytes
    }

    /// Puts a text together from words, records and values of the log, whole or cut off.
    public mutating func assembled() -> [UInt8] {
        let values = LogMutation.values(in: bytes).map { Array(bytes[$0].prefix(300)) }
        var text = LogMutation.openings[random.next(below: LogMutation.openings.count)]
        for _ in 0...random.next(below: 12) {
            switch random.next(below: 8) {
            case 0..<4: text += word()
            case 4 where !values.isEmpty: text += values[random.next(below: values.count)]
            default: text += LogMutation.records[random.next(below: LogMutation.records.count)]
            }
        }
        return text
    }

    private mutating func change() {
        let values = LogMutation.values(in: bytes)
        guard !values.isEmpty else { return bytes += word() }
        let value = values[random.next(below: values.count)]
        let other = Array(bytes[values[random.next(below: values.count)]])
        let place = value.lowerBound + random.next(below: value.count + 1)
        switch random.next(below: 10) {
        case 0: bytes.removeSubrange(place..<value.upperBound)  // Cut off.
        case 1: bytes.removeSubrange(place...)  // Cut off, and the end of the log with it.
        case 2: bytes.insert(contentsOf: other, at: place)  // One inside another.
        case 3: bytes.insert(contentsOf: other.prefix(random.next(below: other.count + 1)), at: value.upperBound)
        case 4: bytes.insert(contentsOf: [UInt8(ascii: ",")] + bytes[value], at: value.upperBound)
        case 5: bytes.insert(contentsOf: other, at: value.upperBound)
        case 6: bytes.replaceSubrange(value, with: other)
        case 7: wrap(value)
        case 8: bytes.insert(contentsOf: word(), at: random.next(below: 2) == 0 ? value.lowerBound : value.upperBound)
        default: bytes += word()
        }
    }

    private mutating func wrap(_ value: Range<Int>) {
        let wrappers = [("[", "]"), (#"{"entries":["#, "]}"), (#"{"event":"#, "}"), ("[", ""), ("\"", "\"")]
        let (open, close) = wrappers[random.next(below: wrappers.count)]
        bytes.replaceSubrange(value, with: Array(open.utf8) + bytes[value] + Array(close.utf8))
    }

    private mutating func word() -> [UInt8] {
        LogMutation.words[random.next(below: LogMutation.words.count)]
    }

    /// Strings, and what brackets enclose; what never ends goes on to the end of the text.
    private static func values(in bytes: [UInt8]) -> [Range<Int>] {
        var values: [Range<Int>] = []
        var open: [Int] = []
        var string: Int?
        var isEscaped = false
        for (index, byte) in bytes.enumerated() {
            if let start = string {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\"") || byte == 0x0A {
                    values.append(start..<index + 1)
                    string = nil
                } else {
                    isEscaped = byte == UInt8(ascii: "\\")
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): string = index
            case UInt8(ascii: "{"), UInt8(ascii: "["): open.append(index)
            case UInt8(ascii: "}"), UInt8(ascii: "]"): open.popLast().map { values.append($0..<index + 1) }
            default: break
            }
        }
        return values + (open + (string.map { [$0] } ?? [])).map { $0..<bytes.count }
    }
}

/// Bits that look random (SplitMix64, Steele, Lea and Flood, 2014).
private struct RandomBits {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next(below limit: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
        return Int((bits ^ bits >> 31) % UInt64(limit))
    }
}
