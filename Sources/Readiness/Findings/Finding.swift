/// What holds for a finding regardless of its words, whether it is about a function, a project or the input.
package struct Finding: Sendable {
    /// The spelling in machine-readable output.
    package let code: String
    package let kind: Kind
    /// What was measured: a rate, a share, or a number of requests, days, hours or nights.
    package let value: Double?
    /// What ``value`` was compared with.
    package let limit: Double?
    package let urgency: Urgency
    package let display: Display

    /// Settled, safe and advice only explain, unless they say otherwise.
    init(
        _ code: String, _ kind: Kind, value: Double? = nil, limit: Double? = nil, _ urgency: Urgency? = nil,
        _ display: Display = []
    ) {
        self.code = code
        self.kind = kind
        self.value = value
        self.limit = limit
        self.urgency = urgency ?? (kind.explains ? .note : .caution)
        self.display = display
    }

    package enum Urgency: String, Sendable {
        case act
        /// Counts or shares may be wrong because of it.
        case caution
        /// It only explains them.
        case note
    }

    /// How reports show a finding, apart from the function it is about.
    package struct Display: OptionSet, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Below the table, functions that have it together.
        package static let shared = Display(rawValue: 1)
        /// A short answer only counts it: it changes nothing about the functions shown.
        package static let countedOnly = Display(rawValue: 2)
        /// Every answer of a gate includes it.
        package static let inAnswers = Display(rawValue: 4)
        /// It concerns whether enforcement can be switched on, not whom it refuses.
        package static let ofReadiness = Display(rawValue: 8)
        /// It is to be copied or done at once, so that nothing of it is left out.
        package static let whole = Display(rawValue: 16)
    }

    /// What a reason does to the verdict.
    package enum Kind: Hashable, Sendable {
        /// Nothing is left to decide.
        case settled(Verdict)
        /// The log lacks passed requests.
        case blind
        /// Only a newer log can tell more.
        case silence
        /// Enforcement would refuse too many requests.
        case against
        /// There is not enough data yet.
        case doubt
        /// The log may be incomplete; a user who knows better can say so with this setting.
        case incomplete(AssumeComplete)
        case safe
        /// Never changes a verdict.
        case advice

        fileprivate var explains: Bool {
            switch self {
            case .settled, .safe, .advice: true
            default: false
            }
        }
    }
}
