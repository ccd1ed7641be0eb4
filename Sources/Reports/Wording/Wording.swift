import Readiness

/// Sentences in plain words in which names and commands are marked, so that each format can make them inert its own
/// way.
///
/// ```swift
/// let wording: Wording = "Nothing of \(name: source) was read; see \(code: "--format json")."
/// ```
struct Wording: ExpressibleByStringInterpolation, Hashable {
    enum Part: Hashable {
        /// callcheck's own words, or a figure.
        case words(String)
        /// A name from a log or a command line: never trusted.
        case name(String)
        /// Something to type, kept on one line.
        case code(String)
    }

    var parts: [Part]

    init(stringLiteral value: String) { parts = value.isEmpty ? [] : [.words(value)] }

    init(stringInterpolation: Interpolation) { parts = stringInterpolation.parts }

    /// Up to its first full stop.
    var firstSentence: Wording {
        var sentence: Wording = ""
        for part in parts {
            guard case .words(let text) = part else {
                sentence.parts.append(part)
                continue
            }
            // One sentence may end with a part, and the next one begin with another.
            if text.hasPrefix(" "), case .words(let before)? = sentence.parts.last, before.hasSuffix(".") { break }
            guard let end = text.firstRange(of: ". ") else {
                sentence.parts.append(part)
                continue
            }
            sentence.parts.append(.words(String(text[..<end.lowerBound]) + "."))
            break
        }
        return sentence
    }

    /// The start of a line: a first word begins with a capital, a name is left as it is.
    var capitalized: Wording {
        guard case .words(let text)? = parts.first else { return self }
        var sentence = self
        sentence.parts[0] = .words(text.prefix(1).uppercased() + text.dropFirst())
        return sentence
    }

    static func + (left: Wording, right: Wording) -> Wording {
        var sum = left
        sum.parts += right.parts
        return sum
    }

    struct Interpolation: StringInterpolationProtocol {
        fileprivate var parts: [Part] = []

        init(literalCapacity: Int, interpolationCount: Int) {}

        mutating func appendLiteral(_ literal: String) {
            if !literal.isEmpty { parts.append(.words(literal)) }
        }

        mutating func appendInterpolation(_ words: String) {
            appendLiteral(words)
        }

        mutating func appendInterpolation(_ wording: Wording) {
            parts += wording.parts
        }

        mutating func appendInterpolation(name: String) {
            parts.append(.name(name))
        }

        mutating func appendInterpolation(code: String) {
            parts.append(.code(code))
        }

        /// A setting to add to the command line.
        mutating func appendInterpolation<Value: Hashable>(
            set path: KeyPath<SettingTable, Setting<Value>>, _ value: Value
        ) {
            appendInterpolation(set: SettingValues(path, value))
        }

        mutating func appendInterpolation(set values: SettingValues) {
            parts.append(.code("--set \(values.text)"))
        }

        /// Words that somebody else wrote, with a full stop added if there was none.
        mutating func appendInterpolation(sentence: String) {
            appendLiteral(sentence)
            if !sentence.hasSuffix("."), !sentence.hasSuffix("!"), !sentence.hasSuffix("?") { appendLiteral(".") }
        }

        /// Lists the first few names and counts the rest: `a, b, c and 4 more`.
        mutating func appendInterpolation(names: [String]) {
            appendInterpolation(list: names.map { "\(name: $0)" })
        }

        mutating func appendInterpolation(list: [Wording]) {
            // A list that would leave out only one name is written in full.
            let shown = list.prefix(list.count == 4 ? 4 : 3)
            for (index, item) in shown.enumerated() {
                let isLast = index == list.count - 1
                if index > 0 { parts.append(.words(isLast ? " and " : ", ")) }
                parts += item.parts
            }
            let rest = list.count - shown.count
            if rest > 0 { parts.append(.words(" and \(Figures.grouped(rest)) more")) }
        }
    }
}

extension Wording.Part {
    fileprivate func text(ascii: Bool) -> String {
        switch self {
        case .words(let text), .code(let text): DisplayText(text, ascii: ascii).text
        case .name(let text): DisplayText(name: text, ascii: ascii).text
        }
    }
}

extension Wording {
    func text(ascii: Bool) -> String { parts.map { $0.text(ascii: ascii) }.joined() }

    /// The sentences as lines of at most `columns`, broken at spaces; a name or command is never broken.
    func lines(columns: Int, ascii: Bool) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in words(ascii: ascii) {
            if line.isEmpty {
                line = word
            } else if displayWidth(of: line) + 1 + displayWidth(of: word) <= columns {
                line += " " + word
            } else {
                lines.append(line)
                line = word
            }
        }
        return line.isEmpty ? lines : lines + [line]
    }

    private func words(ascii: Bool) -> [String] {
        var words: [String] = []
        var current = ""
        for part in parts {
            let text = part.text(ascii: ascii)
            guard case .words = part else {
                current += text
                continue
            }
            for character in text {
                if character != " " {
                    current.append(character)
                } else if !current.isEmpty {
                    words.append(current)
                    current = ""
                }
            }
        }
        return current.isEmpty ? words : words + [current]
    }
}

extension Collection<Wording> {
    /// Sentences one after the other.
    var joined: Wording { dropFirst().reduce(first ?? "") { $0 + " " + $1 } }
}
