public import Readiness

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
    /// The numbers under `policy:`.
    package var settings: PolicySettings
    /// The entries under `functions:`, in file order, with their lines.
    public var entries: [PolicyEntry]
    /// The lines of the keys under `policy:`.
    package var lines: [PolicyKey: Int]

    /// How long a file may be, in bytes: far above any policy, far below an export given by mistake.
    package static let sizeLimit = 1 << 20

    package init(
        settings: PolicySettings = PolicySettings(), entries: [PolicyEntry] = [], lines: [PolicyKey: Int] = [:]
    ) {
        self.settings = settings
        self.entries = entries
        self.lines = lines
    }

    /// Reads the text of a policy file.
    ///
    /// A byte order mark and any of the usual line endings are accepted. Of YAML, a single document of mappings, lists
    /// and scalars is; anchors, aliases, merge keys and tags are not.
    ///
    /// - Throws: Every mistake of the file, in the order of its lines; one alone when it is not YAML.
    public init(yaml text: String) throws(InvalidPolicy) {
        var reader = PolicyReader()
        let document: PolicyDocument
        do {
            document = reader.document(try YAMLNode.root(of: text))
        } catch {
            throw InvalidPolicy(mistakes: [error])
        }
        guard reader.mistakes.isEmpty else { throw InvalidPolicy(mistakes: reader.mistakes) }
        self = document
    }
}

/// The keys of a policy file and of a settings file; the raw value is the spelling.
package enum PolicyKey: String, CaseIterable, Sendable {
    case policy
    case functions
    case maxBlocked = "max-blocked"
    case confidence
    case minDays = "min-days"
    case window
    case maxWindow = "max-window"
    case requiresAuth = "requires-auth"
    case quietDays = "quiet-days"
    case confirm
    case match
    case region
    case exempt
    case enforced
    case since
    case until
    case project
    case function
    case store
    case inventory
    case assumeComplete = "assume-complete"
    case failOn = "fail-on"
    case acceptTogether = "accept-together"
    case format
    case color
    case quiet
    case noProgress = "no-progress"
    case strict
    case jobs
    case maxRecordBytes = "max-record-bytes"
    case maxFunctions = "max-functions"
    case retention

    /// True for a key that a policy file has somewhere.
    var isOfPolicy: Bool { [PolicySection.file, .policy, .entry].contains { $0.keys.contains(self) } }
}

/// The mappings of a policy file and of a settings file, which have keys of their own.
package enum PolicySection: Hashable, Sendable {
    /// The policy file itself.
    case file
    /// The settings file itself.
    case settingsFile
    /// What stands under `policy:`.
    case policy
    /// One item of the list under `functions:`.
    case entry

    /// The keys that may stand under `policy:` and in every entry.
    private static let numbers: [PolicyKey] = [.maxBlocked, .confidence, .minDays, .window, .maxWindow, .requiresAuth]

    /// The keys that may stand there.
    package var keys: [PolicyKey] {
        switch self {
        case .file: [.policy, .functions]
        case .settingsFile:
            [.project, .region, .function, .store, .policy, .functions, .inventory] + PolicySection.numbers
                + [.confirm, .assumeComplete, .failOn, .acceptTogether, .format, .color, .quiet, .noProgress, .strict]
                + [.jobs, .maxRecordBytes, .maxFunctions, .retention]
        case .policy: PolicySection.numbers + [.confirm, .quietDays]
        case .entry: [.match, .region, .exempt, .enforced, .since, .until] + PolicySection.numbers
        }
    }
}
