/// The keys of a policy file; the raw value is the spelling.
public enum PolicyKey: String, CaseIterable, Sendable {
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
}

/// The mappings of a policy file, which have keys of their own.
public enum PolicySection: Hashable, Sendable {
    /// The file itself.
    case file
    /// What stands under `policy:`.
    case policy
    /// One item of the list under `functions:`.
    case entry

    /// The keys that may stand under `policy:` and in every entry.
    private static let numbers: [PolicyKey] = [.maxBlocked, .confidence, .minDays, .window, .maxWindow, .requiresAuth]

    /// The keys that may stand there.
    public var keys: [PolicyKey] {
        switch self {
        case .file: [.policy, .functions]
        case .policy: PolicySection.numbers + [.confirm, .quietDays]
        case .entry: [.match, .region, .exempt, .enforced, .since, .until] + PolicySection.numbers
        }
    }
}
