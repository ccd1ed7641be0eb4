package import Readiness

extension InvalidPolicy {
    /// How many mistakes are shown; a file with more is probably not a policy.
    private static let shownMistakes = 10

    /// All that is wrong with a file, each mistake with its place; several stand on lines of their own.
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
        case .anchor: "an anchor (&), which is not allowed; write out what it stands for"
        case .bareStar: "quote a value that begins with *, such as \"*Admin\"; aliases are not allowed"
        case .tag: "a tag (!), which is not allowed; delete it"
        case .tooDeep: "lists and mappings are nested too deeply; is it the right file?"
        case .duplicateKey(let key): "\(quoted(key)) appears twice in this mapping; keep one of them"
        case .notAMapping(let section): section.shape
        case .notAList: "`functions:` must be a list; begin each entry with `- match:`, or delete the key"
        case .unknownKey(let key, let suggestion, let section):
            "\(quoted(key)) is not known \(section.location); "
                + (suggestion.map { "did you mean `\($0)`?" } ?? "the keys there are \(list(section.keys))")
        case .misplacedKey(let key, let section): "`\(key.rawValue)` does not belong \(section.location); \(key.home)"
        case .noValue(let key): "`\(key.rawValue)` has no value; write one, or delete the key"
        case .notAScalar(let key): "`\(key.rawValue)` takes a single value, not a list or a mapping; \(key.example)"
        case .number(let key, let fault): "`\(key.rawValue)`: \(fault.message)"
        case .notADate(let key): "`\(key.rawValue)` is not a calendar date; \(key.example)"
        case .notABoolean(let key): "`\(key.rawValue)` must be true or false, without quotes"
        case .emptyGlob(let key): "`\(key.rawValue)` is empty and matches nothing; \(key.example)"
        case .notAWord(let key, let words): "`\(key.rawValue)` must be one of \(words.joined(separator: ", "))"
        case .notACount(let key): "`\(key.rawValue)` must be a whole number of at least 1; \(key.example)"
        case .notASize(let key): "`\(key.rawValue)` must be a number of bytes below 4G; \(key.example)"
        case .twoPolicies: "`functions:` stands next to `policy:`, which names a file; move the entries into that file"
        case .notAQuietDay: "`quiet-days` must be a list of weekdays and dates; \(PolicyKey.quietDays.example)"
        case .noReason: "`exempt` needs a reason in words; \(PolicyKey.exempt.example), or delete the line"
        case .noMatch: "the entry does not say which functions it applies to; \(PolicyKey.match.example)"
        }
    }

    /// A key as it stands in the file, when it is short and of the kind that keys are made of.
    private func quoted(_ key: String) -> String {
        let isKeyLike = key.unicodeScalars.allSatisfy {
            $0.isASCII && ($0.properties.isAlphabetic || "0123456789-_.<".unicodeScalars.contains($0))
        }
        return isKeyLike && (1...40).contains(key.utf8.count) ? "key `\(key)`" : "this key"
    }

    private func list(_ keys: [PolicyKey]) -> String { keys.map { "`\($0.rawValue)`" }.joined(separator: ", ") }

    private func hexadecimal(_ value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
    }
}

extension PolicyNumberFault {
    /// What is wrong with the number, and how it is written; the caller names the key or flag.
    package var message: String {
        switch self {
        case .noUnit(let digits):
            "a share needs % or a decimal point; write \(digits)%" + (Double(digits + "e-2").map { " or \($0)" } ?? "")
        case .notAShare: "not a share; write a percentage such as 1%, or a fraction such as 0.01"
        case .shareOutOfRange(.maxBlocked): "must be above 0% and below 100%, and not less than a billionth"
        case .shareOutOfRange(.confidence): "must be at least 50% and below 100%"
        case .notANumberOfDays: "not a number of days; write it as 7d or 7"
        case .daysOutOfRange(let days): "must be from \(days.range.lowerBound) to \(days.range.upperBound) days"
        }
    }
}

extension PolicyEntry {
    /// Says that the entry has expired, with its place; nil for one without a last day.
    package func expiry(file: String) -> String? {
        until.map { last in
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
        let keys = entry.region == nil ? "its `match:`" : "its `match:` or `region:`"
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
        case .policy: "`policy:` must be a mapping, such as {max-blocked: 1%}; write one, or delete the key"
        case .entry: "an entry of `functions:` is a mapping; begin it with `- match:`"
        }
    }
}

extension PolicyKey {
    /// Where the key stands instead.
    fileprivate var home: String {
        switch self {
        case .policy, .functions: "move it to the top level"
        case .match, .region, .exempt, .enforced, .since, .until: "move it into an entry of `functions:`"
        case .maxBlocked, .confidence, .minDays, .window, .maxWindow, .requiresAuth:
            "move it under `policy:` or into an entry of `functions:`"
        case .quietDays: "move it under `policy:`; it applies to whole projects"
        case .confirm: "move it under `policy:`; it applies to all functions"
        case .project, .function, .store, .inventory, .assumeComplete, .failOn, .acceptTogether, .format, .color,
            .quiet, .noProgress, .strict, .jobs, .maxRecordBytes, .maxFunctions, .retention:
            "it is a setting; move it to the top level of callcheck.yml"
        }
    }

    fileprivate var example: String {
        switch self {
        case .policy: "write policy: {max-blocked: 1%}"
        case .functions: "write functions: and a list below it"
        case .match: "write match: \"admin*\""
        case .region: "write region: us-central1"
        case .exempt: "write exempt: must work when App Check is down"
        case .enforced, .since, .until: "write \(rawValue): 2026-10-20"
        case .maxBlocked: "write max-blocked: 1%"
        case .confidence: "write confidence: 95%"
        case .minDays, .window, .maxWindow, .confirm: "write \(rawValue): 7d"
        case .requiresAuth: "write requires-auth: true"
        case .quietDays: "write quiet-days: [sat, sun, 2026-12-25]"
        case .project: "write project: my-app"
        case .function: "write function: [addMessage, \"admin*\"]"
        case .store: "write store: history.db"
        case .inventory: "write inventory: functions.json"
        case .assumeComplete: "write assume-complete: failures"
        case .failOn: "write fail-on: not-safe"
        case .format: "write format: json"
        case .color: "write color: never"
        case .acceptTogether, .quiet, .noProgress, .strict: "write \(rawValue): true"
        case .jobs: "write jobs: 2"
        case .maxRecordBytes: "write max-record-bytes: 16M"
        case .maxFunctions: "write max-functions: 1000"
        case .retention: "write retention: 90d"
        }
    }
}
