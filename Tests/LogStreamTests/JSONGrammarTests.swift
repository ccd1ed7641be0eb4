import Testing

@testable import LogStream

/// Every production of RFC 8259, from both sides, at every place of a value in an entry.
@Suite struct JSONGrammarTests {
    @Test(arguments: [
        "{}", "[]", "null", "true", "false", #""""#, "0", "-0", "7", "-7", "10", "0.5", "-0.0", "1e5", "1E5", "1e+5",
        "1e-5", "1.25e007", "123456789012345678901234567890", "0e0", "1e400", "-1.5E-10",
        "[1]", "[1,2]", "[[]]", "[[],{}]", "[ ]", "{ }", " [ 1 , 2 ] ", "\t\r\n{\n}\r\n\t",
        #"{"a":1}"#, #"{"a":1,"b":2}"#, #"{"a":1,"a":2}"#, #"{"":0}"#, #"{ "a" : { "b" : [ ] } }"#,
        #""\" \\ \/ \b \f \n \r \t""#, #""\u0000""#, #""\u00e9\u00E9""#, #""\ud83d\ude00""#, "\"\u{7F}\"",
        #""é 日本 😀""#, "\"\u{2028}\u{2029}\"", #""'""#, #""/""#, "\"\u{10FFFF}\u{80}\u{7FF}\u{800}\u{FFFF}\u{10000}\"",
        // Lone surrogate escapes occur in real logs; the grammar allows them, only their meaning is open.
        #""\ud83d""#, #""\ude00\ud83d""#, #""\ud83dx""#, #""\ud83d\n""#, #""\uD83D\u0041""#,
    ])
    func accepted(text: String) {
        for place in places(of: Array(text.utf8)) {
            #expect(judged(place) == .accepted, "\(String(decoding: place, as: UTF8.self))")
        }
    }

    @Test(arguments: [
        "nul", "nulls", "Null", "tru", "True", "fals", "falsee", "NaN", "Infinity", "-Infinity", "undefined",
        "+1", "01", "-01", "00", "-", ".5", "1.", "1.e5", "1e", "1e+", "1e5.5", "0x1F", "1_000", "1,000", "--1", "- 1",
        "1 e5",
        "[", "]", "[1", "[1,", "[1,]", "[,1]", "[,]", "[1 2]", "[1,,2]", "[1;2]", "[}", "[1}", "[\"a\":1]",
        "{", "}", #"{"a""#, #"{"a":"#, #"{"a":1"#, #"{"a":1,"#, #"{"a":1,}"#, #"{,"a":1}"#, "{,}", #"{"a"}"#,
        #"{"a",1}"#,
        #"{"a":1 "b":2}"#, #"{"a"::1}"#, #"{"a":}"#, "{1:2}", "{a:1}", "{'a':1}", #"{"a":1]"#, #"{"a":1;"b":2}"#,
        #"{"a":1}}"#, "[1]]", #"{"a":1}x"#, "[1],", "'a'", #"""#, #""a"#, #""\"#, #""\""#, #""\x""#, #""\u""#,
        #""\u12""#,
        #""\u123""#, #""\u123g""#, #""\u 123""#, #""\U0041""#, #""\u{41}""#, #""\'""#, #""\0""#, #""\a""#, #""\v""#,
        "\"\n\"", "\"\t\"", "\"\r\"", "\"\u{0}\"", "\"\u{1F}\"", "\"a\u{1}b\"", "\u{0}", "1\u{0}", "{}\u{0}", "\u{B}1",
        "\u{C}1", "\u{A0}1", "\u{FEFF}1", "1\u{FEFF}", "// a\n1", "/* a */1", "#\n1", "1//", "1 /*", "“a”",
    ])
    func refused(text: String) {
        for place in places(of: Array(text.utf8)) {
            #expect(judged(place) == .refused, "\(String(decoding: place, as: UTF8.self))")
        }
    }

    @Test(arguments: ["", " ", "\n\t\r "])
    func nothingIsNoValue(text: String) {
        #expect(judged(Array(text.utf8)) == .refused)
        #expect(judged(Array("{\"x\":\(text)}".utf8)) == .refused)
        #expect(judged(Array("{\"timestamp\":\(text)}".utf8)) == .refused)
    }

    /// Table 3-7 of the Unicode Standard: overlong forms, surrogates, values above U+10FFFF, and broken sequences.
    @Test(
        arguments: [
            [0x80], [0xBF], [0xC0, 0xAF], [0xC1, 0xBF], [0xC2], [0xC2, 0x41], [0xC2, 0xC2], [0xE0, 0x80, 0xAF],
            [0xE0, 0x9F, 0xBF], [0xE0, 0xA0], [0xE1, 0x80], [0xE1, 0x80, 0x41], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF],
            [0xEF, 0xBF], [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x8F, 0xBF, 0xBF], [0xF0, 0x90, 0x80],
            [0xF1, 0x80, 0x80, 0x41],
            [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80], [0xFE], [0xFF],
        ] as [[UInt8]])
    func invalidUTF8(bytes: [UInt8]) {
        for before in 0..<18 {
            let string = quoted(Array(repeating: UInt8(ascii: "a"), count: before) + bytes)
            for place in places(of: string) { #expect(judged(place) == .refused) }
            for place in places(of: quoted(bytes + Array(repeating: UInt8(ascii: "a"), count: before))) {
                #expect(judged(place) == .refused)
            }
        }
        #expect(judged(bytes) == .refused)
    }

    @Test(
        arguments: [
            [0xC2, 0x80], [0xDF, 0xBF], [0xE0, 0xA0, 0x80], [0xE1, 0x80, 0x80], [0xEC, 0xBF, 0xBF], [0xED, 0x80, 0x80],
            [0xED, 0x9F, 0xBF], [0xEE, 0x80, 0x80], [0xEF, 0xBF, 0xBF], [0xF0, 0x90, 0x80, 0x80],
            [0xF1, 0x80, 0x80, 0x80],
            [0xF3, 0xBF, 0xBF, 0xBF], [0xF4, 0x80, 0x80, 0x80], [0xF4, 0x8F, 0xBF, 0xBF],
        ] as [[UInt8]])
    func validUTF8AtBothEndsOfEachRange(bytes: [UInt8]) {
        for before in 0..<18 {
            let string = quoted(Array(repeating: UInt8(ascii: "a"), count: before) + bytes)
            for place in places(of: string) { #expect(judged(place) == .accepted) }
        }
    }

    @Test func everyControlCharacterAtEveryPlaceOfABlock() {
        for control in UInt8(0)..<0x20 {
            for before in 0..<34 {
                let padding = Array(repeating: UInt8(ascii: "a"), count: before)
                #expect(judged(quoted(padding + [control])) == .refused)
                #expect(judged(quoted(padding + [control] + padding)) == .refused)
            }
        }
    }

    /// What lies behind a record, even what would complete it, is no part of it.
    @Test func nothingBehindTheRecordCounts() {
        let record = Array(
            #"{"labels":{"a":"b"},"severity":"DEBUG","n":-1.5e7,"t":true,"x":[1,{"k":null}],"é":"\n"}"#.utf8)
        for cut in 0..<record.count {
            unsafe withSlack(record) { whole in
                guard let base = whole.baseAddress else { return }
                var scanner = unsafe JSONScanner(JSONCursor(base: base, count: cut))
                #expect(throws: JSONFailure.self, "cut at \(cut)") { try scanner.skipValue() }
                let scratch = TextScratch()
                var reader = unsafe EntryReader(
                    JSONCursor(base: base, count: cut), scratch: scratch, longestInner: 1 << 20)
                #expect(throws: JSONFailure.self, "cut at \(cut)") { try reader.readValue() }
            }
        }
    }

    /// Depth 512 is accepted, 513 is not.
    @Test(arguments: ["array", "object", "mixed"])
    func depth(kind: String) {
        func nested(_ depth: Int, _ innermost: String = "") -> [UInt8] {
            let levels = (0..<depth).map { kind == "array" || (kind == "mixed" && $0 % 3 == 0) }
            let opening = levels.map { $0 ? "[" : #"{"a":"# }.joined()
            let closing = levels.reversed().map { $0 ? "]" : "}" }.joined()
            let core = levels.last == false && innermost.isEmpty ? "0" : innermost
            return Array((opening + core + closing).utf8)
        }
        #expect(judged(nested(511)) == .accepted)
        #expect(judged(nested(512)) == .accepted)
        #expect(judged(nested(513)) == .refused)
        #expect(judged(nested(100_000)) == .refused)
        // The objects of the entry itself count.
        for (key, levels) in [("x", 1), ("labels", 1), ("timestamp", 1)] {
            let head = Array("{\"\(key)\":".utf8)
            #expect(judged(head + nested(512 - levels) + Array("}".utf8)) == .accepted)
            #expect(judged(head + nested(513 - levels) + Array("}".utf8)) == .refused)
        }
        let payload = Array(#"{"jsonPayload":{"verifications":{"app":"#.utf8)
        #expect(judged(payload + nested(509) + Array("}}}".utf8)) == .accepted)
        #expect(judged(payload + nested(510) + Array("}}}".utf8)) == .refused)
        // What is closed no longer counts.
        let siblings = Array("[".utf8) + nested(511) + Array(",".utf8) + nested(511) + Array("]".utf8)
        #expect(judged(siblings) == .accepted)
    }

    private enum Judgement {
        case accepted
        case refused
        /// Two ways of reading the same bytes do not agree.
        case contradictory
    }

    private func judged(_ bytes: [UInt8]) -> Judgement {
        let asValue = JSONText.isOneValue(bytes)
        guard asValue == JSONText.isOneRecord(bytes) else { return .contradictory }
        return asValue ? .accepted : .refused
    }

    /// The value alone, and as wanted and unwanted value of an entry, with and without something behind it.
    private func places(of value: [UInt8]) -> [[UInt8]] {
        let frames = [
            ("", ""), ("[", "]"), ("[0,", ",0]"), (#"{"x":"#, "}"), (#"{"timestamp":"#, #","x":0}"#),
            (#"{"labels":"#, "}"), (#"{"jsonPayload":"#, #","labels":{}}"#),
            (#"{"labels":{"firebase-log-type":"#, "}}"),
            (#"{"resource":{"labels":{"region":"#, "}}}"), (#"{"jsonPayload":{"verifications":{"app":"#, "}}}"),
        ]
        return frames.map { Array($0.0.utf8) + value + Array($0.1.utf8) }
    }

    private func quoted(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8(ascii: "\"")] + bytes + [UInt8(ascii: "\"")]
    }
}
