import Verifications

/// Everything that the rule knows about one function, for every night.
///
/// A class, so that the many nights and days to come for which the rule is asked share it.
final class FunctionHistory: Sendable {
    let policy: FunctionPolicy
    /// The requests that are admitted, by the policy or for the twin; else only signed-in ones may be, by the log.
    let admission: Admission
    let project: ProjectCoverage
    let generation: Generation?
    let provenance: Provenance
    /// The requests that a policy selects.
    let judgement: Judgement
    let days: LogDays
    /// The generation 2 function of the same name.
    let successor: Successor?
    /// The signs of enforcement in the requests, and the state that they show.
    let enforcementHistory: EnforcementHistory
    let enforcement: Enforcement
    /// `export-old`, which is only about now.
    let exportOld: Finding?
    /// True when the log does not say which project the function belongs to.
    let isUnattributed: Bool
    /// `mixed-provenance`, where text that claims to be the SDK's is more than a tenth of what the SDK wrote.
    let mixedText: Finding?
    /// Undated requests that may have been blocked.
    let undatedBlocked: Int
    let unread: UnreadRecords
    /// T's day: what a source has after it is not seen.
    private let today: Day?
    /// Discarded requests that may have been blocked; see ``Discarded/mayBeBlocked``.
    private let discarded: [Discarded.Kind: Int]
    /// Days on which one log may be there in two shapes.
    let twoShapes: Set<Day>
    /// The clauses for functions, or those for services.
    let clauses: Clauses
    /// False where rows and lines were not to be read.
    let readsCallers: Bool

    var table: CellTable { judgement.table }

    struct Successor: Sendable {
        let identity: FunctionIdentity
        let traffic: [DaySum]
    }

    /// One function, which need not be in the tally; with an instant, only what it shows before that.
    ///
    /// Its signs of enforcement are those that the same evaluator found for `other`, if that is given.
    init(
        _ identity: FunctionIdentity, policy: FunctionPolicy, admission: Admission, evaluator: Evaluator,
        before end: Instant? = nil, like other: FunctionHistory? = nil
    ) {
        let known = evaluator.table(of: identity)
        let table = end.map(known.part) ?? known
        self.policy = policy
        self.admission = admission
        project = evaluator.project(identity.project)
        generation = identity.generation
        provenance = table.provenance
        readsCallers = evaluator.tally.evidence != nil
        clauses = evaluator.clauses
        enforcementHistory = other?.enforcementHistory ?? evaluator.enforcementHistory(of: identity)
        if let other, other.policy.enforced == policy.enforced {
            enforcement = other.enforcement
        } else {
            enforcement = enforcementHistory.enforcement(policy: policy.enforced, asOf: evaluator.asOf)
        }
        judgement = Judgement(
            table: table, history: enforcementHistory, enforcement: enforcement,
            ignored: policy.numbers.ignoredClients, leavesPrograms: !policy.numbers.countsMachines)
        days = LogDays(judgement, judgement.possible(admission))
        successor = evaluator.successor(of: identity).map {
            Successor(identity: $0, traffic: evaluator.tally.functions[$0]?.days() ?? [])
        }
        exportOld = end == nil ? evaluator.exportOld(inProject: identity.project) : nil
        isUnattributed = identity.project == FunctionIdentity.unknown
        mixedText = Origin.mixedText(in: table)
        undatedBlocked = table.undated.blocked(.notRefused)
        (unread, today) = (evaluator.unread, evaluator.asOf?.day)
        (discarded, twoShapes) = (table.discarded.mayBeBlocked, table.discarded.twoShapes)
    }

    /// Undated, unread and discarded requests that may have been blocked, where they count in a window; nil if unknown
    /// how many there are.
    func unjudged(in window: Window?, _ admission: Admission) -> Int? {
        guard let days = window?.days else { return 0 }
        func lies(_ day: Day) -> Bool { days.contains(min(day, today ?? day)) }
        let undated = unread.countsUndated { lies($0.day) } ? undatedBlocked : 0
        let discarded = discarded.filter { admission == .notRefused || $0.key.isSignedIn }
            .reduce(0) { $1.key.day.map(lies) ?? true ? $0 + $1.value : $0 }
        return unread.total { lies($0.day) }.map { $0 + undated + discarded }
    }

    /// True for a day without a verification of the function on which many of its requests were answered 5xx: it fails
    /// before the SDK logs, as `consumeAppCheckToken` does with an old Admin SDK.
    func isFailingBeforeLog(on day: Day) -> Bool {
        days.traffic.within(Window(from: day, to: day)).isEmpty
            && serverErrors(on: day) >= ProjectCoverage.manyServerErrors
    }

    /// Requests of a day that were answered 5xx and left no verification.
    func serverErrors(on day: Day) -> Int {
        table.cells(in: day...day).filter { !$0.isVerification && $0.answer == .serverError }.requests
    }
}
