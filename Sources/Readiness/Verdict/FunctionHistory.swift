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

    /// Whom the rule counts of those who are admitted: valid tokens of programs only where next to no other requests of
    /// a window have a row.
    func counted(_ admission: Admission, callersOf window: Window?) -> Counted {
        let people = Counted(admission: admission, machines: false)
        guard days.hasJudged(people), let window else { return Counted(admission: admission) }
        var (all, others) = (0, 0)
        for cell in table.cells(in: window.days) where cell.row == .certain {
            guard judgement.isJudged(cell, Counted(admission: admission)), let client = table.client(of: cell) else {
                continue
            }
            all += cell.count
            if !client.kind.isMachine { others += cell.count }
        }
        return others >= 300 || 100 * others >= all ? people : Counted(admission: admission)
    }

    struct Successor: Sendable {
        let identity: FunctionIdentity
        let traffic: [DaySum]
    }

    /// One function, which need not be in the tally.
    init(_ identity: FunctionIdentity, policy: FunctionPolicy, admission: Admission, evaluator: Evaluator) {
        let table = evaluator.tally.functions[identity] ?? CellTable()
        self.policy = policy
        self.admission = admission
        project = evaluator.project(identity.project)
        generation = identity.generation
        provenance = table.provenance
        readsCallers = evaluator.tally.evidence != nil
        clauses = evaluator.clauses
        enforcementHistory = evaluator.enforcementHistory(of: identity)
        enforcement = enforcementHistory.enforcement(policy: policy.enforced, asOf: evaluator.asOf)
        let judgement = Judgement(
            table: table, history: enforcementHistory, enforcement: enforcement,
            ignored: policy.numbers.ignoredClients)
        self.judgement = judgement
        let mayBeSignedIn =
            admission == .notRefused
            && table.cells.contains { judgement.isSignedOut($0) && $0.answer != nil }
        let hasMachines =
            !policy.numbers.countsMachines
            && table.cells.contains { $0.auth != .invalid && judgement.isMachine($0) }
        days = LogDays(
            judgement,
            (hasMachines ? [true, false] : [true]).flatMap { machines in
                (mayBeSignedIn ? [admission, .signedIn] : [admission]).map {
                    Counted(admission: $0, machines: machines)
                }
            })
        successor = evaluator.successor(of: identity).map {
            Successor(identity: $0, traffic: evaluator.tally.functions[$0]?.days() ?? [])
        }
        exportOld = evaluator.exportOld(inProject: identity.project)
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

    /// Requests that were answered 2xx and left no verification.
    func unlogged(in window: Window) -> Int {
        table.cells(in: window.days).reduce(0) { $1.isUnlogged ? $0 + $1.count : $0 }
    }

    /// True for a day without a verification of the function on which many of its requests were answered 5xx: it fails
    /// before the SDK logs, as `consumeAppCheckToken` does with an old Admin SDK.
    func isFailingBeforeLog(on day: Day) -> Bool {
        days.traffic.within(Window(from: day, to: day)).isEmpty
            && serverErrors(on: day) >= ProjectCoverage.manyServerErrors
    }

    /// Requests of a day that were answered 5xx and left no verification.
    func serverErrors(on day: Day) -> Int {
        table.cells(in: day...day).reduce(0) { !$1.isVerification && $1.answer == .serverError ? $0 + $1.count : $0 }
    }
}
