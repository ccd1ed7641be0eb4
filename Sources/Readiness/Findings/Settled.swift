import Verifications

extension Finding.Code {
    /// The policy exempts the function.
    package static let exempt = Finding.Code("exempt", .settled(.exempt))
    /// By policy, enforcement is on.
    package static let enforced = Finding.Code("enforced", .settled(.enforced))
    /// By the log, though no entry of the policy says so.
    package static let enforcedByLog = Finding.Code("enforced-by-log", .settled(.enforced))
    /// Enforcement refuses signed-in requests: the lower bound of their blocked rate exceeds the maximum.
    package static let lockout = Finding.Code("lockout", .settled(.enforced), .act)
    /// Nothing shows at what time of the policy's date enforcement was switched on.
    package static let switchUnclear = Finding.Code("switch-unclear", .settled(.enforced), .caution)
    /// By policy alone it is on, and the rule would not have let it pass.
    package static let policyUnconfirmed = Finding.Code("policy-unconfirmed", .settled(.enforced), .caution)
    /// The generation 2 function that is named has taken over.
    package static let superseded = Finding.Code("superseded", .settled(.superseded))
}

/// Nothing is left to decide: the policy has the answer, or another function took over.
///
/// For an enforced function, the rule asks the opposite question: whether enforcement refuses signed-in people.
enum Settled {
    static func find(_ evaluation: Evaluation) -> [Finding] {
        var findings: [Finding] = []
        if let because = evaluation.policy.exempt { findings.append(Finding(code: .exempt, names: [because])) }
        let enforcement = evaluation.history.enforcement
        if enforcement.isSettled {
            findings.append(Finding(code: enforcement.isByLog ? .enforcedByLog : .enforced))
            if let lockout = evaluation.lockout { findings.append(lockout.finding) }
            findings += Silence.findAfterSwitch(evaluation)
            // What a platform that has fallen silent would send is unknown after the switch, too.
            if evaluation.isNow { findings += PlatformSilence.find(evaluation) }
            if let day = enforcement.unclearDays[evaluation.admission] {
                findings.append(Finding(code: .switchUnclear, days: [day]))
            }
        }
        return findings + findSuccessor(evaluation)
    }

    private static func findSuccessor(_ evaluation: Evaluation) -> [Finding] {
        guard let successor = evaluation.history.successor, let recent = evaluation.recentStretch,
            evaluation.traffic.within(recent).isEmpty,
            !successor.traffic.within(recent).isEmpty
        else { return [] }
        return [Finding(code: .superseded, names: [successor.identity.name])]
    }
}

/// The generation 2 functions that have the names of generation 1 functions.
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
