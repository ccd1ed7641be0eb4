import Verifications

/// Everything that the rule knows about one function, or about quiet ones together, whatever the night.
///
/// A class, so that the many nights and days to come for which the rule is asked share it.
final class RuleInput: Sendable {
    let policy: FunctionPolicy
    let project: ProjectEvidence
    let generation: Generation?
    let provenance: Provenance
    /// Days with a verification, ascending.
    let days: [DayEvidence]
    /// `exempt` and `enforced`.
    let settled: [Reason]
    /// The generation 2 function of the same name.
    let successor: Successor?
    /// The days of a function that is enforced, of signed-in requests.
    let signedInDays: [DayEvidence]
    /// `export-old`, which is only about now.
    let exportOld: Reason?
    /// True when the log does not say which project the function belongs to.
    let isUnattributed: Bool
    /// `mixed-provenance`, where text that claims to be the SDK's is more than a tenth of what the SDK wrote.
    let mixedText: Reason?
    /// Undated requests that may have been blocked.
    let undatedBlocked: Int
    let uncounted: UncountedRecords
    /// Who called, by day; nil where nothing was read of it.
    let callers: FunctionCallers?
    /// The newest day of which callers were given up.
    let givenUpThrough: Day?
    /// Days with a row of a callable function of the project.
    let rowDays: Set<Day>
    /// The functions of a group; their streams of failures are looked at one by one.
    let members: [RuleInput]

    struct Successor: Sendable {
        let identity: FunctionIdentity
        let tally: FunctionTally
    }

    /// One function.
    ///
    /// - Parameters:
    ///   - identity: A function that need not be in the tally.
    ///   - policy: What holds for it.
    ///   - admission: Which of its requests count.
    ///   - judge: Knows everything that was read.
    init(_ identity: FunctionIdentity, policy: FunctionPolicy, admission: Admission, judge: Judge) {
        let tally = judge.tally.functions[identity] ?? FunctionTally()
        self.policy = policy
        project = judge.project(identity.project)
        generation = identity.generation
        provenance = tally.provenance
        days = tally.days.map { DayEvidence($0, admission: admission) }
        settled = Settled.byPolicy(policy)
        signedInDays = policy.enforced == nil ? [] : tally.days.map { DayEvidence($0, admission: .signedIn) }
        successor = judge.successor(of: identity).map {
            Successor(identity: $0, tally: judge.tally.functions[$0] ?? FunctionTally())
        }
        exportOld = judge.exportOld(inProject: identity.project)
        isUnattributed = identity.project == FunctionIdentity.unknown
        mixedText = Origin.mixedText(in: tally)
        undatedBlocked = tally.undated.blocked(.notRefused)
        uncounted = judge.uncounted
        callers = judge.evidence?.functions[identity]
        givenUpThrough = judge.evidence?.givenUpThrough
        rowDays = judge.evidence?.rowDays[ExactName(identity.project)] ?? []
        members = []
    }

    /// Quiet functions together, by the numbers that hold for all.
    init(_ members: [RuleInput], policy: FunctionPolicy, project: ProjectEvidence, uncounted: UncountedRecords) {
        self.policy = policy
        self.project = project
        self.members = members
        self.uncounted = uncounted
        generation = nil
        // Members of both kinds show nothing of each other, so only the sum's own volume can show passes.
        provenance = .unlabelled
        var sums: [Day: DayEvidence] = [:]
        for member in members {
            for day in member.days where member.policy.since.map({ $0 <= day.day }) ?? true {
                if sums[day.day]?.add(day) == nil { sums[day.day] = day }
            }
        }
        days = sums.values.sorted { $0.day < $1.day }
        undatedBlocked = members.reduce(0) { $0 + $1.undatedBlocked }
        isUnattributed = false
        mixedText = members.lazy.compactMap(\.mixedText).first
        settled = []
        signedInDays = []
        successor = nil
        exportOld = nil
        callers = nil
        givenUpThrough = nil
        rowDays = []
    }
}
