public import Readiness
internal import Verifications

/// What a policy file says: numbers for all functions, and entries for some.
///
/// ```yaml
/// policy: {max-blocked: 1%, window: 7d, confirm: 7}
/// functions:
///   - match: logAppError
///     exempt: the error channel must work when App Check is down
///     until: 2027-01-31
/// ```
///
/// The file is read as a whole: every mistake in it is found, not only the first.
public struct PolicyDocument: Hashable, Sendable {
    /// What stands under `policy:`.
    package var values: [PolicyKey: SettingValue]
    /// The entries under `functions:`, in file order, with their lines.
    public var entries: [PolicyEntry]
    package var settings: PolicySettings { PolicySettings(values) }
    package var lines: [PolicyKey: Int]

    /// How long a file may be, in bytes: far above any policy, far below an export given by mistake.
    package static let sizeLimit = 1 << 20

    package init(values: [PolicyKey: SettingValue] = [:], entries: [PolicyEntry] = [], lines: [PolicyKey: Int] = [:]) {
        self.values = values
        self.entries = entries
        self.lines = lines
    }

    /// Of YAML, a single document of mappings, lists and scalars is read; no anchors, aliases, merge keys and tags.
    ///
    /// - Throws: Every mistake of the file, in the order of its lines; one alone when it is not YAML.
    public init(yaml text: String) throws(InvalidPolicy) {
        self.init()
        try PolicyReader.read(text, in: .file) { reader, key, node, _ in reader.read(node, as: key, into: &self) }
    }
}

extension PolicySettings {
    package init(_ values: [PolicyKey: SettingValue]) {
        self.init()
        for (key, value) in values {
            switch (key, value) {
            case (.maxBlocked, .share(let share)): maxBlocked = share
            case (.confidence, .share(let share)): confidence = share
            case (.minDays, .count(let days)): minDays = days
            case (.window, .count(let days)): window = days
            case (.maxWindow, .count(let days)): maxWindow = days
            case (.confirm, .count(let days)): confirm = days
            case (.requiresAuth, .flag(let isOn)): requiresAuth = isOn
            case (.quietDays, .quietDays(let days)): quietDays = days
            case (.maxPerWeek, .amount(let amount)): maxPerWeek = amount
            case (.ignoreClients, .texts(let kinds)):
                ignoredClients = Set(ClientKind.allCases.filter { kinds.contains($0.name) })
            case (.acceptPlatforms, .texts(let names)): acceptedPlatforms = names.compactMap { PlatformName($0) }
            case (.requireCallers, .flag(let isOn)): requiresCallers = isOn
            default: break
            }
        }
    }
}

/// What a settings file says: what to read, what to judge by, and defaults for options.
///
/// It is read by the rules of a ``PolicyDocument``: every mistake in it is found, with its place. An empty file has no
/// settings.
package struct SettingsDocument: Hashable, Sendable {
    /// As they are written: paths are relative to the file.
    package private(set) var values: [PolicyKey: SettingValue] = [:]
    /// The policy, when the file itself has `policy:` as a mapping, or `functions:`.
    package private(set) var policy: PolicyDocument?
    package private(set) var lines: [PolicyKey: Int] = [:]

    /// Reads a file; `formats` are the words that its key `format` may have.
    package init(yaml text: String, formats: [String]) throws(InvalidPolicy) {
        try PolicyReader.read(text, in: .settingsFile, formats: formats) { reader, key, node, line in
            lines[key] = line
            let isWrittenOut = if case .mapping = node.content { true } else { false }
            if key == .functions || key == .policy && isWrittenOut {
                var document = policy ?? PolicyDocument()
                reader.read(node, as: key, into: &document)
                policy = document
            } else {
                values[key] = reader.value(node, of: key)
            }
            let isPolicy = key == .functions || key == .policy
            if isPolicy, policy != nil, values[.policy] != nil { reader.add(.twoPolicies, node) }
        }
    }
}
