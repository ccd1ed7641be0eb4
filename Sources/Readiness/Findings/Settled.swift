package import Verifications

/// Nothing is left to decide: the policy has the answer, or another function took over.
///
/// For an enforced function, the rule asks the opposite question: whether enforcement refuses signed-in people.
package enum Settled: Hashable, Sendable {
    /// The policy exempts the function, for the reason given.
    case exempt(because: String)
    /// By policy, enforcement is on.
    case enforced(Enforcement)
    /// By the log, though no entry of the policy says so.
    case enforcedByLog(Enforcement)
    /// Enforcement refuses signed-in requests: the lower bound of their blocked rate exceeds the maximum.
    case lockout(Lockout)
    /// Nothing shows at what time of the policy's date enforcement was switched on.
    case switchUnclear(Day)
    /// A generation 2 function of the same name has taken over.
    case superseded(by: FunctionIdentity)

    var facts: Finding {
        switch self {
        case .exempt: .init("exempt", .settled(.exempt))
        case .enforced: .init("enforced", .settled(.enforced))
        case .enforcedByLog: .init("enforced-by-log", .settled(.enforced))
        case .lockout(let lockout):
            .init("lockout", .settled(.enforced), value: lockout.lower, limit: lockout.limit, .act)
        case .switchUnclear: .init("switch-unclear", .settled(.enforced), .caution)
        case .superseded: .init("superseded", .settled(.superseded))
        }
    }
}

extension Settled {
    static func find(_ evaluation: Evaluation) -> [Reason] {
        var findings: [Reason] = []
        if let because = evaluation.policy.exempt { findings.append(.settled(.exempt(because: because))) }
        if let enforcement = evaluation.enforcement, evaluation.isEnforced {
            findings.append(
                .settled(evaluation.policy.enforced == nil ? .enforcedByLog(enforcement) : .enforced(enforcement)))
            if let lockout = evaluation.lockout { findings.append(.settled(.lockout(lockout))) }
            if let day = enforcement.unclearDay { findings.append(.settled(.switchUnclear(day))) }
        }
        return findings + findSuccessor(evaluation)
    }

    private static func findSuccessor(_ evaluation: Evaluation) -> [Reason] {
        guard let successor = evaluation.history.successor, let recent = evaluation.recentStretch,
            evaluation.days.within(recent).isEmpty,
            successor.tally.days.contains(where: { recent.days.contains($0.day) })
        else { return [] }
        return [.settled(.superseded(by: successor.identity))]
    }
}

/// Enforcement that is on refuses people who are signed in.
package struct Lockout: Hashable, Sendable {
    /// Signed-in requests of the last W days, from the switch on.
    package let requests: Int
    package let refused: Int
    /// Lower bound of the share that is refused.
    package let lower: Double
    package let limit: Double
    /// The days that were looked at, where enforcement has been on for longer.
    package var lastDays: Int?
}

extension Evaluation {
    /// Signed-in requests of the last W days, as far as enforcement is on; nil where nothing says that it is.
    var signedInSinceSwitch: Period? {
        guard let enforcement, let start = enforcement.start, let recent = recentStretch else { return nil }
        let days = history.enforcementHistory.days(
            from: start, of: enforcement.slot, in: recent, .signedIn, leavingOut: numbers.ignoredClients)
        return Period(days[...], confidence: numbers.confidence)
    }

    /// Whether enforcement refuses signed-in people, regardless of the verdict.
    var lockout: Lockout? {
        guard let period = signedInSinceSwitch, period.lowerExceeds(numbers.maxBlocked) else { return nil }
        let isOlder = (enforcement?.start?.day).map { start in recentStretch.map { start < $0.from } ?? false } ?? false
        return Lockout(
            requests: Int(period.admitted), refused: Int(period.blocked), lower: period.lower,
            limit: numbers.maxBlocked, lastDays: isOlder ? numbers.window : nil)
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
