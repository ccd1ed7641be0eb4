import Verifications

/// Everything that the rule knows about one function, for every night.
///
/// A class, so that the many nights and days to come for which the rule is asked share it.
final class FunctionHistory: Sendable {
    let policy: FunctionPolicy
    /// Which requests are admitted: as the policy says, or signed-in ones alone.
    let admission: Admission
    let project: ProjectCoverage
    let generation: Generation?
    let provenance: Provenance
    /// Days with a verification, ascending.
    let days: [FunctionDay]
    /// The generation 2 function of the same name.
    let successor: Successor?
    /// What the requests show of enforcement.
    let enforcementHistory: EnforcementHistory
    /// `export-old`, which is only about now.
    let exportOld: Reason?
    /// True when the log does not say which project the function belongs to.
    let isUnattributed: Bool
    /// `mixed-provenance`, where text that claims to be the SDK's is more than a tenth of what the SDK wrote.
    let mixedText: Reason?
    /// Undated requests that may have been blocked.
    let undatedBlocked: Int
    let unread: UnreadRecords
    /// Who called, by day; nil where nothing was read of it.
    let callers: FunctionCallers?
    let givenUpThrough: Day?
    let newest: NewestRequests

    struct Successor: Sendable {
        let identity: FunctionIdentity
        let tally: FunctionTally
    }

    /// One function, which need not be in the tally.
    init(_ identity: FunctionIdentity, policy: FunctionPolicy, admission: Admission, evaluator: Evaluator) {
        let tally = evaluator.tally.functions[identity] ?? FunctionTally()
        self.policy = policy
        self.admission = admission
        project = evaluator.project(identity.project)
        generation = identity.generation
        provenance = tally.provenance
        let callers = evaluator.evidence?.functions[identity]
        let judged = evaluator.judgedDays(of: identity, policy.numbers)
        days = zip(tally.days, judged).map { FunctionDay($0, judged: $1, admission: admission) }
        self.callers = callers
        newest = tally.newest
        enforcementHistory = EnforcementHistory(tally, callers)
        successor = evaluator.successor(of: identity).map {
            Successor(identity: $0, tally: evaluator.tally.functions[$0] ?? FunctionTally())
        }
        exportOld = evaluator.exportOld(inProject: identity.project)
        isUnattributed = identity.project == FunctionIdentity.unknown
        mixedText = Origin.mixedText(in: tally)
        undatedBlocked = tally.undated.blocked(.notRefused)
        unread = evaluator.unread
        givenUpThrough = evaluator.evidence?.givenUpThrough
    }

    /// Undated and unread requests that may have been blocked, where they count in a window; nil if unknown
    /// how many there are.
    func unjudged(in window: Window?) -> Int? {
        guard let days = window?.days else { return 0 }
        let undated = unread.countsUndated { days.contains($0.day) } ? undatedBlocked : 0
        return unread.total { days.contains($0.day) }.map { $0 + undated }
    }
}
