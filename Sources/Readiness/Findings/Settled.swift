package import Verifications

/// Nothing is left to decide: the policy has the answer, or another function took over.
///
/// Of a function that is enforced the rule asks the opposite question: whether enforcement refuses signed-in people.
package enum Settled: Hashable, Sendable {
    /// The policy exempts the function, for the reason given.
    case exempt(because: String)
    /// By policy, enforcement has been on since this day.
    case enforced(since: Day)
    /// By the log, though no entry of the policy says so.
    case enforcedByLog(Enforced)
    /// Enforcement refuses signed-in requests: the lower bound of their blocked rate exceeds the maximum.
    case lockout(lower: Double, limit: Double, blocked: Int, admitted: Int)
    /// A generation 2 function of the same name has taken over.
    case superseded(by: FunctionIdentity)

    var facts: Reason.Facts {
        switch self {
        case .exempt: .init("exempt", .settled(.exempt))
        case .enforced: .init("enforced", .settled(.enforced))
        case .enforcedByLog: .init("enforced-by-log", .settled(.enforced))
        case .lockout(let lower, let limit, _, _):
            .init("lockout", .settled(.enforced), value: lower, limit: limit)
        case .superseded: .init("superseded", .settled(.superseded))
        }
    }
}

extension Settled {
    static func find(_ rule: Rule) -> [Reason] {
        var findings: [Reason] = []
        if let because = rule.policy.exempt { findings.append(.settled(.exempt(because: because))) }
        if let enforced = rule.enforced {
            let byPolicy = rule.policy.enforced.map { Settled.enforced(since: $0) }
            findings.append(.settled(byPolicy ?? .enforcedByLog(enforced)))
        }
        return findings + findLockout(rule) + findSuccessor(rule)
    }

    /// Looks at the last W days, as far as enforcement is on.
    private static func findLockout(_ rule: Rule) -> [Reason] {
        guard let period = rule.signedInSinceEnforced, period.lowerExceeds(rule.numbers.maxBlocked) else { return [] }
        return [
            .settled(
                .lockout(
                    lower: period.lower, limit: rule.numbers.maxBlocked, blocked: Int(period.blocked),
                    admitted: Int(period.admitted)))
        ]
    }

    private static func findSuccessor(_ rule: Rule) -> [Reason] {
        guard let successor = rule.input.successor, let recent = rule.recentStretch,
            rule.days.within(recent).isEmpty, successor.tally.days.contains(where: { recent.days.contains($0.day) })
        else { return [] }
        return [.settled(.superseded(by: successor.identity))]
    }
}

extension Rule {
    /// Signed-in requests of the last W days, as far as enforcement is on.
    var signedInSinceEnforced: Period? {
        guard let enforced, let recent = recentStretch else { return nil }
        return Period(input.signedInDays.within(enforced.days(of: recent)), confidence: numbers.confidence)
    }
}

extension Sequence<Reason> {
    /// True when enforcement that is on refuses signed-in people.
    var showsLockout: Bool {
        contains { if case .settled(.lockout) = $0 { true } else { false } }
    }
}

/// Which generation 2 functions have the name of which generation 1 functions.
struct Succession: Sendable {
    private struct Place: Hashable {
        let project: ExactName
        let region: ExactName
        let name: ExactName

        init(_ identity: FunctionIdentity) {
            project = ExactName(identity.project)
            region = ExactName(identity.region)
            name = ExactName(FunctionIdentity.normalized(identity.name))
        }
    }

    private let seconds: [Place: FunctionIdentity]

    init(_ identities: some Sequence<FunctionIdentity>) {
        seconds = Dictionary(
            identities.filter { $0.generation == .second }.map { (Place($0), $0) },
            uniquingKeysWith: { ExactName($0.name) < ExactName($1.name) ? $0 : $1 })
    }

    /// The generation 2 function of the same project, region and normalised name.
    func successor(of identity: FunctionIdentity) -> FunctionIdentity? {
        identity.generation == .first ? seconds[Place(identity)] : nil
    }
}
