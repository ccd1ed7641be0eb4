/// A line that a function, the SDK or the platform wrote, as one of ``LinePattern/catalogue`` with its blanks filled.
package struct Line: Sendable {
    /// Index in the catalogue.
    var pattern: Int
    /// Random bits of the line, from which numbers are filled in.
    var bits: UInt64
    /// Random bits of the call, from which users and documents are filled in: all lines of a call tell of the same
    /// ones.
    var callBits: UInt64

    /// True when the line is a JSON object and so becomes `jsonPayload`; else it is `textPayload`.
    package var isObject: Bool {
        LinePattern.catalogue[pattern].isObject
    }

    /// True for a line of the platform, which is not among what a function's process writes.
    var isOfPlatform: Bool {
        LinePattern.isOfPlatform(pattern)
    }

    /// Appends the text as the content of a JSON string, in `\u` escapes if it must be ASCII, or the JSON object.
    func appendJSON(asASCII: Bool, to bytes: inout [UInt8]) {
        let pattern = LinePattern.catalogue[pattern]
        append(asASCII ? pattern.asciiEscaped : pattern.escaped, pattern.blanks, to: &bytes)
    }

    /// Appends the text as it is, perhaps over several lines, or the JSON object.
    func appendText(to bytes: inout [UInt8]) {
        let pattern = LinePattern.catalogue[pattern]
        append(pattern.plain, pattern.blanks, to: &bytes)
    }

    private func append(_ pieces: [[UInt8]], _ blanks: [LinePattern.Blank], to bytes: inout [UInt8]) {
        var random = SeededRandom(seed: bits)
        var callRandom = SeededRandom(seed: callBits)
        for index in pieces.indices {
            bytes.append(contentsOf: pieces[index])
            guard index < blanks.count else { continue }
            switch blanks[index] {
            case .number: bytes.append(decimal: UInt64(random.below(random.below(90_000) + 1)))
            case .milliseconds: bytes.append(decimal: UInt64(3 + random.below(1200)))
            case .user: bytes.append(base62: &callRandom, digits: 28)
            case .document: bytes.append(base62: &callRandom, digits: 20)
            }
        }
    }
}

/// The fixed text of a line with blanks in between, in the spellings it can take.
struct LinePattern: Sendable {
    enum Blank: Sendable {
        /// 0 to 90,000, small ones more often.
        case number
        case milliseconds
        /// A user id of Firebase Auth, 28 characters.
        case user
        /// A document id of Firestore, 20 characters.
        case document
    }

    let isObject: Bool
    /// The text between the blanks, as JSON: one piece more than there are blanks.
    let escaped: [[UInt8]]
    let asciiEscaped: [[UInt8]]
    /// The text between the blanks, as it is.
    let plain: [[UInt8]]
    let blanks: [Blank]

    /// Takes a template in which `%d`, `%m`, `%u` and `%k` mean a number, milliseconds, a user and a document.
    private init(_ template: String, isObject: Bool) {
        var pieces = [""]
        var blanks: [Blank] = []
        var afterPercent = false
        for character in template {
            if afterPercent {
                let blank = LinePattern.blank(character)
                blanks.append(blank)
                pieces.append("")
            } else if character != "%" {
                pieces[pieces.count - 1].append(character)
            }
            afterPercent = !afterPercent && character == "%"
        }
        self.isObject = isObject
        self.blanks = blanks
        plain = pieces.map { Array($0.utf8) }
        escaped = pieces.map { isObject ? Array($0.utf8) : jsonEscaped($0, asASCII: false) }
        asciiEscaped = pieces.map { isObject ? Array($0.utf8) : jsonEscaped($0, asASCII: true) }
    }

    static func text(_ template: String) -> LinePattern {
        LinePattern(template, isObject: false)
    }

    static func object(_ template: String) -> LinePattern {
        LinePattern(template, isObject: true)
    }

    private static func blank(_ letter: Character) -> Blank {
        switch letter {
        case "d": .number
        case "m": .milliseconds
        case "u": .user
        case "k": .document
        default: preconditionFailure("a template has the unknown blank %\(letter)")
        }
    }
}
