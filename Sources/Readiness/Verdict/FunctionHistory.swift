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
    /// Days with a verification, ascending, by whom the rule counts.
    private let counted: [Counted: [FunctionDay]]
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
    /// The callers by day; nil if nothing was read of them.
    let callers: FunctionCallers?
    let givenUpThrough: Day?
    let recent: RecentRequests
    /// The clauses for functions, or those for services.
    let clauses: Clauses
    /// Nil for a function.
    let service: ServiceFacts?
    /// False where rows and lines were not to be read.
    let readsCallers: Bool

    /// The answers to signed-out requests, by day.
    let signedOutDays: [SignedOutDay]

    /// Whom the rule counts.
    struct Counted: Hashable, Sendable {
        var admission: Admission
        /// True with the valid tokens of programs.
        var machines = true
    }

    func days(_ counted: Counted) -> [FunctionDay] { self.counted[counted] ?? [] }

    /// Whom the rule counts of those who are admitted: valid tokens of programs only where next to no other requests of
    /// a window have a row.
    func counted(_ admission: Admission, callersOf window: Window?) -> Counted {
        let people = Counted(admission: admission, machines: false)
        guard counted[people] != nil, let window else { return Counted(admission: admission) }
        var (all, others) = (0, 0)
        for day in window.days {
            guard let day = callerDay(day) else { continue }
            for callers in [day.signedIn] + (admission == .notRefused ? [day.signedOut] : []) {
                for (client, counts) in callers.clients where !policy.numbers.ignoredClients.contains(client.kind) {
                    all += counts.admitted
                    if !client.kind.isMachine { others += counts.admitted }
                }
            }
        }
        return others >= 300 || 100 * others >= all ? people : Counted(admission: admission)
    }

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
        self.callers = callers
        readsCallers = evaluator.evidence != nil
        (clauses, service) = (evaluator.clauses, tally.service)
        enforcementHistory = evaluator.enforcementHistory(of: identity)
        enforcement = enforcementHistory.enforcement(policy: policy.enforced, asOf: evaluator.asOf)
        recent = enforcementHistory.recent
        let (history, enforcement) = (enforcementHistory, enforcement)
        signedOutDays = history.signedOutDays(enforcement)
        let mayBeSignedIn = admission == .notRefused && signedOutDays.contains { $0.answered > 0 }
        let hasMachines = !policy.numbers.countsMachines && callers?.hasMachines ?? false
        var counted: [Counted: [FunctionDay]] = [:]
        for countsMachines in hasMachines ? [true, false] : [true] {
            let judged = evaluator.judgedDays(
                of: identity, policy.numbers, history, enforcement, countsMachines: countsMachines)
            for admission in mayBeSignedIn ? [admission, .signedIn] : [admission] {
                counted[Counted(admission: admission, machines: countsMachines)] = zip(tally.days, judged).map {
                    FunctionDay($0, judged: $1.rest, of: $1.all, admission: admission)
                }
            }
        }
        self.counted = counted
        successor = evaluator.successor(of: identity).map {
            Successor(identity: $0, tally: evaluator.tally.functions[$0] ?? FunctionTally())
        }
        exportOld = evaluator.exportOld(inProject: identity.project)
        isUnattributed = identity.project == FunctionIdentity.unknown
        mixedText = Origin.mixedText(in: tally)
        undatedBlocked = tally.undated.blocked(.notRefused)
        (unread, today) = (evaluator.unread, evaluator.asOf?.day)
        (discarded, twoShapes) = (tally.discarded.mayBeBlocked, tally.discarded.twoShapes)
        givenUpThrough = evaluator.evidence?.givenUpThrough
    }

    /// Returns the callers of a day; without those who are refused already if only some revisions enforce.
    func callerDay(_ day: Day) -> CallerDay? {
        enforcementHistory.restOfCallers(day, enforcement) ?? callers?.days[day]
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
        guard let callers else { return 0 }
        return window.days.reduce(0) { $0 + (callers.days[$1]?.unlogged ?? 0) }
    }

    /// True for a day without a verification of the function on which many of its requests were answered 5xx: it fails
    /// before the SDK logs, as `consumeAppCheckToken` does with an old Admin SDK.
    func isFailingBeforeLog(on day: Day) -> Bool {
        let days = days(Counted(admission: admission))
        let place = days.partitioningIndex { $0.day < day }
        guard place == days.count || days[place].day > day else { return false }
        return (callers?.days[day]?.serverErrors ?? 0) >= CallerDay.manyServerErrors
    }
}
