/// A finding about a function, with everything needed to say it in words: why its verdict is what it is, advice, or a
/// notice of what the answer depends on.
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
    case enforcement(EnforcementNotice)
    case reservation(Reservation)

    package var facts: Finding {
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
        case .enforcement(let finding): finding.facts
        case .reservation(let finding): finding.facts
        }
    }

    /// The place in a list: people who are locked out, then what happens now, then the rest.
    fileprivate var rank: Int {
        switch self {
        case .settled(.lockout): 0
        case .failing, .enforcement: 1
        default: 2
        }
    }

    package var code: String { facts.code }
    package var kind: Finding.Kind { facts.kind }
    package var value: Double? { facts.value }
    package var limit: Double? { facts.limit }
    package var urgency: Finding.Urgency { facts.urgency }
    package var display: Finding.Display { facts.display }
}

extension [Reason] {
    /// The most urgent first, else in the same order.
    package var byUrgency: [Reason] { (0...2).flatMap { rank in filter { $0.rank == rank } } }
}
