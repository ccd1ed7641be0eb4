import Analysis
import History
import LogStream
import PolicyFile
import Readiness
import Verifications

/// What was read, from inputs or from a store, and the judge of it.
struct JudgedInput {
    let evaluator: Evaluator
    private let found: LogAnalysis.Result
    private let plan: RunPlan

    private var input: InputSummary { found.input }

    /// The last day of earlier logs that the inputs are compared with; nil without such logs.
    private var lastEarlierDay: Day?

    /// Reads what a plan names, and shows its progress; logs to compare with must be earlier.
    init(reading plan: RunPlan) throws(Failure) {
        var read = try JudgedInput.read(plan.found, plan)
        var rules = plan.rules
        var lastEarlierDay: Day?
        if !plan.earlier.isEmpty {
            let earlier = try JudgedInput.read(plan.earlier, plan)
            if let last = earlier.tally.newestDay {
                // Days in both logs belong to the earlier one.
                let later = read.tally.days(from: last.advanced(by: 1), through: nil)
                guard let first = later.oldestDay else {
                    throw Failure(
                        status: .usage,
                        message: Messages.comparison(earlierEndsOn: last, notBefore: read.tally.newestDay))
                }
                rules.since = max(rules.since ?? first, first)
                read.tally = later
                lastEarlierDay = last
            }
            read.merge(earlier)
            read.input = read.input.restricted(to: read.tally)
        }
        try self.init(read, rules, plan)
        self.lastEarlierDay = lastEarlierDay
    }

    /// What was read of a growing log until now, with what a store holds.
    init(_ live: LogAnalysis.Result, after stored: LogAnalysis.Result?, _ plan: RunPlan) throws(Failure) {
        var found = stored ?? live
        if stored != nil {
            found.merge(live)
            if let evidence = live.evidence { found.evidence = found.evidence?.merged(evidence) ?? evidence }
        }
        try self.init(found, plan.rules, plan)
    }

    init(_ found: LogAnalysis.Result, _ rules: PolicyRules, _ plan: RunPlan) throws(Failure) {
        try found.input.refuseTooManyFunctions()
        self.found = found
        evaluator = Evaluator(
            tally: found.tally, rules: rules, asOf: plan.asOf, clock: plan.clock, inventory: plan.inventory,
            unread: found.input.unread, evidence: found.evidence)
        self.plan = plan
    }

    /// Reads logs and stores.
    static func read(_ found: FoundInputs, _ plan: RunPlan) throws(Failure) -> LogAnalysis.Result {
        let progress = Progress(total: found.size, isWanted: plan.settings.showsProgress)
        defer { progress.finish() }
        var analysis = plan.analysis
        analysis.inputs = found.inputs
        return try analysis.run(with: found.stores, progress: progress.counter) { [input = progress.input] in
            input.begin($0)
        }
    }

    /// Every function with its verdict; judges anew each time, so ask once.
    var summary: Summary {
        completed(
            Summary(
                evaluator: evaluator, input: input, selection: plan.selection, inventory: plan.inventory,
                empty: emptyInputs))
    }

    private var emptyInputs: [String] {
        let inputs = plan.found.inputs
        guard input.records == 0 else { return inputs.filter { $0.size == 0 }.map(\.name) }
        return inputs.map(\.name) + plan.found.stores
    }

    /// The summary to show when the selection's one name matches no function: the row of the name alone.
    ///
    /// Functions of the other generation may have that name; they count as filtered out.
    func summary(withoutMatchIn summary: Summary) -> Summary {
        guard summary.functions.contains(where: \.isFunction) else { return summary }
        let rules = PolicyRules(numbers: evaluator.rules.numbers, since: evaluator.rules.since)
        let nothing = Evaluator(tally: Tally(), rules: rules, asOf: evaluator.asOf, inventory: [])
        var summary = summary
        let rows = Summary(
            evaluator: nothing, input: summary.input, selection: plan.selection, empty: emptyInputs
        ).functions
        summary.functions += rows
        return rows.first.map { Explanation($0, in: summary, evaluator: evaluator).summary } ?? summary
    }

    /// What to say about the policy and the selection: entries that have expired, and what matches no function.
    var remarks: [String] {
        plan.expiries(on: evaluator.asOf?.day) + plan.idleEntries(evaluator, input) + unmatchedPlaces
    }

    /// Projects and regions that were selected and have no function, seen or deployed.
    private var unmatchedPlaces: [String] {
        func unmatched(_ patterns: [Glob], _ key: SettingKey, _ names: [String]) -> [String] {
            let names = Set(names.map { ExactName($0) }).sorted().map(\.text)
            guard !names.isEmpty, input.faults.isEmpty else { return [] }
            return patterns.filter { pattern in !names.contains { pattern.matches($0) } }
                .map { Messages.unmatched(plan.settings.name(of: key), $0.pattern, among: names) }
        }
        let seen = evaluator.tally.functions.keys
        return unmatched(plan.selection.projects, .project, seen.map(\.project) + plan.inventory.map(\.project))
            + unmatched(plan.selection.regions, .region, seen.map(\.region) + plan.inventory.map(\.region))
    }

    var functionNames: [String] {
        evaluator.tally.functions.keys.flatMap { [evaluator.shownName(of: $0), $0.name] }
    }

    /// The summary, compared with the end of an earlier day, or with what the store's last report said.
    func report(comparedTo day: Day?) throws(Failure) -> Summary {
        var summary = summary
        if let day = day ?? lastEarlierDay {
            if let asOf = evaluator.asOf?.day, day >= asOf {
                throw Failure(status: .usage, message: Messages.comparison(day, notBefore: asOf))
            }
            let past = Evaluator(evaluator, rules: plan.rules).answers(at: Instant(endOf: day))
            if past.isEmpty, let first = evaluator.tally.functions.values.compactMap({ $0.days.first?.day }).min() {
                throw Failure(status: .usage, message: Messages.comparison(day, before: first))
            }
            summary.comparison = Comparison(summary, evaluator: evaluator, past: past, isKept: false)
        } else if let store = plan.store, plan.asOf == nil {
            let answers = summary.answers
            let past = try StoreFile.use(store, for: .reading) { store throws(StoreFailure) in
                try store.answers(before: answers)
            }
            summary.comparison = Comparison(summary, evaluator: evaluator, past: past, isKept: true)
        }
        return summary
    }

    private func completed(_ summary: Summary) -> Summary {
        var summary = summary
        summary.widenedDays = found.widenedDays
        summary.countedSources = found.countedSources
        summary.hidesCallers = plan.analysis.openLimit == 0
        summary.inputArguments = plan.inputArguments
        summary.typedOptions = plan.typedOptions
        return summary
    }
}

extension LogAnalysis.Result {
    /// Adds what was read elsewhere, without its callers.
    fileprivate mutating func merge(_ other: LogAnalysis.Result) {
        tally.merge(other.tally)
        input.merge(other.input)
        widenedDays = widenedDays ?? other.widenedDays
        countedSources += other.countedSources
    }
}

extension Tally {
    fileprivate var newestDay: Day? { functions.values.compactMap { $0.days.last?.day }.max() }
    fileprivate var oldestDay: Day? { functions.values.compactMap { $0.days.first?.day }.min() }
}

extension InputSummary {
    /// Inputs with more functions than the limit have no answer: it is unknown which are missing.
    func refuseTooManyFunctions() throws(Failure) {
        guard faults.contains(.tooManyFunctions) else { return }
        throw Failure(status: .badData, message: Messages.tooManyFunctions)
    }

    /// The summary of a store when only some of its days count.
    fileprivate func restricted(to tally: Tally) -> InputSummary {
        var input = self
        let kept = tally.functions.values.reduce(0) { $0 + $1.totals.total }
        input.filtered += verifications - kept
        input.verifications = kept
        input.undated = tally.functions.values.reduce(0) { $0 + $1.undated.total }
        return input
    }
}
