package import Readiness
internal import Verifications

public struct InvalidPolicy: Error, Hashable, Sendable {
    /// At least one, in the order of lines.
    package let mistakes: [PolicyMistake]

    init(mistakes: [PolicyMistake]) { self.mistakes = mistakes.sorted { $0.place < $1.place } }
}

package struct PolicyMistake: Error, Hashable, Sendable {
    package let place: Place
    package let kind: Kind

    /// A place in a text: line and column, both from 1; columns count Unicode scalars.
    package struct Place: Hashable, Comparable, Sendable {
        package let line: Int
        package let column: Int

        static let start = Place(line: 1, column: 1)

        package static func < (left: Place, right: Place) -> Bool {
            (left.line, left.column) < (right.line, right.column)
        }
    }

    /// The kind of mistake; keys are given as the file spells them.
    package enum Kind: Hashable, Sendable {
        case empty
        case tooLong
        case character(UInt32)
        case tab
        case syntax(String)
        case secondDocument
        case anchor
        /// An alias, or a glob that begins with `*` and has no quotes.
        case bareStar
        case tag
        case tooDeep
        case duplicateKey(String)
        case notAMapping(PolicySection)
        case notAList
        case unknownKey(String, section: PolicySection)
        case misplacedKey(SettingKey, section: PolicySection)
        case noValue(SettingKey)
        case notAScalar(SettingKey)
        case value(SettingKey, SettingFault)
        case twoPolicies
        case noMatch
    }
}

extension InvalidPolicy {
    /// The most mistakes that are shown; a file with more is probably not a policy.
    private static let shownMistakes = 10

    /// All that is wrong with a file, each mistake with its place; several are on separate lines.
    ///
    /// Keys are quoted, values are not: the file may be another one than was meant.
    public func message(file: String) -> String {
        guard mistakes.count > 1 else { return mistakes.map { $0.message(file: file) }.joined() }
        let shown = mistakes.prefix(InvalidPolicy.shownMistakes).map { $0.message(file: file) }
        let first = shown.count < mistakes.count ? ", the first of which are" : ""
        return (["\(file) has \(mistakes.count) mistakes\(first):"] + shown).joined(separator: "\n")
    }
}

extension PolicyMistake {
    /// `policy.yaml:4:5: …`: where, what, why, and what to do.
    package func message(file: String) -> String { "\(file):\(place.line):\(place.column): \(kind.message)" }
}

extension PolicyMistake.Kind {
    var message: String {
        switch self {
        case .empty: "the file is empty; write `policy:` or `functions:`, or leave out --policy"
        case .tooLong: "the file is longer than \(PolicyDocument.sizeLimit >> 10) KiB; is it the right file?"
        case .character(let value):
            "a character that is not allowed (U+\(hexadecimal(value))); delete it, or save the file as UTF-8 text"
        case .tab: "a tab; YAML is indented with spaces"
        case .syntax(let problem):
            "not YAML here (\(problem)); check the indentation, and quote text that contains `: ` or ` #`"
        case .secondDocument: "a second document begins here; only one is allowed, so delete the line `---`"
        case .anchor: "an anchor (&), which is not allowed; write out its value"
        case .bareStar: "quote a value that begins with *, such as \"*Admin\"; aliases are not allowed"
        case .tag: "a tag (!), which is not allowed; delete it"
        case .tooDeep: "lists and mappings are nested too deeply; is it the right file?"
        case .duplicateKey(let key): "\(quoted(key)) appears twice in this mapping; keep one of them"
        case .notAMapping(let section): section.shape
        case .notAList: "`functions:` must be a list; begin each entry with `- match:`, or delete the key"
        case .unknownKey(let key, let section):
            "\(quoted(key)) is not known \(section.location); "
                + (NearestName.of(key, among: section.keys.map(\.name)).map { "did you mean `\($0)`?" }
                    ?? "the keys there are \(list(section.keys))")
        case .misplacedKey(let key, let section): "`\(key.name)` does not belong \(section.location); \(key.home)"
        case .noValue(let key): "`\(key.name)` has no value; write one, or delete the key"
        case .notAScalar(let key): "`\(key.name)` takes a single value, not a list or a mapping; \(key.writtenExample)"
        case .value(let key, let fault): "`\(key.name)`: \(fault)"
        case .twoPolicies: "`functions:` is next to `policy:`, which names a file; move the entries into that file"
        case .noMatch: "the entry does not say which functions it applies to; \(SettingKey[\.match].writtenExample)"
        }
    }

    /// A key as in the file, if it is short and of the kind that keys are made of.
    private func quoted(_ key: String) -> String {
        let isKeyLike = key.unicodeScalars.allSatisfy {
            $0.isASCII && ($0.properties.isAlphabetic || "0123456789-_.<".unicodeScalars.contains($0))
        }
        return isKeyLike && (1...40).contains(key.utf8.count) ? "key `\(key)`" : "this key"
    }

    private func list(_ keys: [SettingKey]) -> String { keys.map { "`\($0.name)`" }.joined(separator: ", ") }

    private func hexadecimal(_ value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
    }
}

extension PolicyEntry {
    /// Says that the entry has expired, with its place; nil for one without a last day.
    package func expiry(file: String) -> String? {
        settings.until.map { last in
            "\(file):\(line): this entry expired on \(last); if its reason still holds, set a later day, otherwise "
                + "delete the entry"
        }
    }
}

extension IdleEntry {
    /// Says that the entry matches nothing, with its place; `suggestion` must be printable.
    package func wording(file: String, suggestion: String?) -> String {
        let place = "\(file):\(entry.line): this entry matches no function in the log or the inventory"
        if let suggestion { return "\(place); did you mean \(suggestion)?" }
        let places = [entry.settings.project.map { _ in "`project:`" }, entry.settings.region.map { _ in "`region:`" }]
            .compactMap { $0 }
        let keys = (["its `match:`"] + places).joined(separator: " or ")
        return "\(place); correct \(keys), or delete the entry if its function is gone"
    }
}

extension PolicySection {
    fileprivate var location: String {
        switch self {
        case .file: "at the top level of a policy file"
        case .settingsFile: "at the top level of a settings file"
        case .policy: "under `policy:`"
        case .entry: "in an entry of `functions:`"
        }
    }

    fileprivate var shape: String {
        switch self {
        case .file: "a policy file is a mapping with the keys `policy:` and `functions:`; is it a policy?"
        case .settingsFile: "a settings file is a mapping, such as `store: history.db`; is it the right file?"
        case .policy: "`policy:` must be a mapping, such as {max-refused: 1%}; write one, or delete the key"
        case .entry: "an entry of `functions:` is a mapping; begin it with `- match:`"
        }
    }
}

extension SettingKey {
    fileprivate var writtenExample: String { "write \(name): \(exampleInFile)" }

    fileprivate var home: String {
        if sections.contains(.file) {
            "move it to the top level"
        } else if self == SettingKey[\.quietDays] {
            "move it under `policy:`; it applies to whole projects"
        } else if sections.contains(.policy), !sections.contains(.entry) {
            "move it under `policy:`; it applies to all functions"
        } else if sections.isSuperset(of: [.policy, .entry]) {
            "move it under `policy:` or into an entry of `functions:`"
        } else if sections.contains(.entry) {
            "move it into an entry of `functions:`"
        } else if sections.isEmpty {
            "only the command line takes it: --set \(name)=\(example)"
        } else {
            "it is a setting; move it to the top level of callcheck.yml"
        }
    }
}
