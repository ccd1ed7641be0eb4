/// Why a verdict is what it is, with everything needed to say it in words.
///
/// Findings that share an idea share a type and a file, with the clause that finds them, and their ``facts``.
/// The words are in Reports, again one file for each type.
package enum Reason: Hashable, Sendable {
    case settled(Settled)
    case passes(Passes)
    case silence(Silence)
    case excess(ExcessBlocking)
    case sample(SampleSize)
    case completeness(Completeness)
    case failures(Failures)
    case origin(Origin)
    case safety(Safety)
    case callers(BlockedCallers)
    case platforms(Platforms)
    case failing(FailingNow)

    /// What holds for the reason regardless of its words.
    package struct Facts: Sendable {
        /// The spelling in machine-readable output.
        package let code: String
        package let kind: Kind
        /// What was measured: a rate, a share, or a number of requests, days, hours or nights.
        package let value: Double?
        /// What ``value`` was compared with.
        package let limit: Double?

        init(_ code: String, _ kind: Kind, value: Double? = nil, limit: Double? = nil) {
            self.code = code
            self.kind = kind
            self.value = value
            self.limit = limit
        }
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
    }

    package var facts: Facts {
        switch self {
        case .settled(let finding): finding.facts
        case .passes(let finding): finding.facts
        case .silence(let finding): finding.facts
        case .excess(let finding): finding.facts
        case .sample(let finding): finding.facts
        case .completeness(let finding): finding.facts
        case .failures(let finding): finding.facts
        case .origin(let finding): finding.facts
        case .safety(let finding): finding.facts
        case .callers(let finding): finding.facts
        case .platforms(let finding): finding.facts
        case .failing(let finding): finding.facts
        }
    }

    package var code: String { facts.code }
    package var kind: Kind { facts.kind }
    package var value: Double? { facts.value }
    package var limit: Double? { facts.limit }
}
