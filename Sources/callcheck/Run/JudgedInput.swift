import Analysis
import History
import LogStream
import PolicyFile
import Readiness
import Rollout
import Verifications

/// What was read, from inputs or from a store, and the judge of it.
struct JudgedInput {
    let judge: Judge
    let input: InputSummary
    /// See ``Summary/lastDayOfUnknownProvenance``.
    private let lastDayOfUnknownProvenance: Day?
    /// Days of App Attest rollouts that a store holds.
    let rollouts: [RolloutHistory]
    /// See ``Summary/widenedDays``.
    private let widenedDays: WholeDays?
    /// See ``Summary/sourcesWithoutFingerprints``.
    private let sourcesWithoutFingerprints: Int
    /// See ``Summary/countedSources``.
    private let countedSources: Int
    private let plan: RunPlan

    /// The last day of earlier logs that the inputs are compared with; nil without such logs.
    private var lastEarlierDay: Day?

    /// Reads what a plan names, and shows its progress.
    ///
    /// - Throws: ``Failure`` when the store cannot be used, and when logs to compare with are not earlier.
    init(reading plan: RunPlan) throws(Failure) {
        var read = try JudgedInput.read(store: plan.store, plan.found, plan)
        var rules = plan.rules
        var lastEarlierDay: Day?
        if !plan.earlier.inputs.isEmpty {
            let isStore = plan.earlier.inputs.count == 1 && StoreFile.isStore(plan.earlier.inputs[0].name)
            let earlier = try JudgedInput.read(store: isStore ? plan.earlier.inputs[0].name : nil, plan.earlier, plan)
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
            read.tally.merge(earlier.tally)
            read.sourcesWithoutFingerprints += earlier.sourcesWithoutFingerprints
            read.countedSources += earlier.countedSources
            read.widenedDays = read.widenedDays ?? earlier.widenedDays
            read.input.merge(earlier.input)
            read.input = read.input.restricted(to: read.tally)
        }
        self.init(read, rules, plan)
        self.lastEarlierDay = lastEarlierDay
    }

    /// What a store holds, and what was read of a log until now.
    init(_ live: LogAnalysis.Result, after stored: Contents?, _ plan: RunPlan) {
        var contents = stored ?? Contents(tally: Tally(), input: InputSummary())
        contents.tally.merge(live.tally)
        contents.input.merge(live.input)
        contents.uncounted.add(live.input.unjudged, newest: nil)
        contents.widenedDays = contents.widenedDays ?? live.widenedDays
        contents.sourcesWithoutFingerprints += live.sourcesWithoutFingerprints
        contents.countedSources += live.countedSources
        self.init(contents, plan.rules, plan)
    }

    private init(_ contents: Contents, _ rules: PolicyRules, _ plan: RunPlan) {
        input = contents.input
        lastDayOfUnknownProvenance = contents.lastDayOfUnknownProvenance
        rollouts = contents.rollouts
        widenedDays = contents.widenedDays
        sourcesWithoutFingerprints = contents.sourcesWithoutFingerprints
        countedSources = contents.countedSources
        judge = Judge(
            tally: contents.tally, rules: rules, asOf: plan.asOf, clock: plan.clock, inventory: plan.inventory,
            uncounted: contents.uncounted, evidence: contents.evidence)
        self.plan = plan
    }

    /// What a store holds.
    static func contents(of store: String, _ plan: RunPlan) throws(Failure) -> Contents {
        try read(store: store, .none, plan)
    }

    struct Contents {
        var tally: Tally
        var input: InputSummary
        var uncounted = UncountedRecords()
        var evidence: CallEvidence?
        var lastDayOfUnknownProvenance: Day?
        var rollouts: [RolloutHistory] = []
        var widenedDays: WholeDays?
        var sourcesWithoutFingerprints = 0
        var countedSources = 0
    }

    /// Reads a store, or inputs.
    private static func read(store: String?, _ found: FoundInputs, _ plan: RunPlan) throws(Failure) -> Contents {
        if let path = store {
            let (stored, key) = try StoreFile.use(path, for: .reading) { store throws(HistoryFailure) in
                try (store.load(horizon: plan.analysis.horizon, limit: plan.analysis.scan.maxFunctions), store.key)
            }
            let days = plan.analysis.range.days
            let tally = stored.tally.days(from: days.first, through: days.last)
            let readsEvidence = plan.analysis.openLimit > 0
            return Contents(
                tally: tally, input: stored.input.restricted(to: tally), uncounted: stored.uncounted,
                evidence: readsEvidence ? stored.callers(of: tally, in: days, key: key) : nil,
                lastDayOfUnknownProvenance: stored.lastDayOfVersion1, rollouts: stored.rollouts,
                widenedDays: plan.store == nil ? nil : plan.analysis.range.widenedDays)
        }
        let progress = Progress(total: found.size, isWanted: plan.printing.showsProgress)
        defer { progress.finish() }
        var analysis = plan.analysis
        analysis.inputs = found.inputs
        let result = analysis.run(progress: progress.counter) { [input = progress.input] in input.begin($0) }
        var contents = Contents(
            tally: result.tally, input: result.input, evidence: result.evidence, widenedDays: result.widenedDays,
            sourcesWithoutFingerprints: result.sourcesWithoutFingerprints, countedSources: result.countedSources)
        contents.uncounted.add(result.input.unjudged, newest: nil)
        return contents
    }

    /// Every function with its verdict; judges anew each time, so ask once.
    var summary: Summary {
        noted(Summary(judge: judge, input: input, selection: plan.selection, inventory: plan.inventory))
    }

    /// The summary to show when the selection's one name matches no function: the row of the name alone.
    ///
    /// Functions of the other generation may have that name; they count as filtered out.
    func summary(withoutMatchIn summary: Summary) -> Summary {
        guard summary.functions.contains(where: \.isFunction) else { return summary }
        let rules = PolicyRules(numbers: judge.rules.numbers, since: judge.rules.since)
        let nothing = Judge(tally: Tally(), rules: rules, asOf: judge.asOf, inventory: [])
        var summary = summary
        let rows = Summary(judge: nothing, input: summary.input, selection: plan.selection).functions
        summary.functions += rows
        return rows.first.map { Explanation($0, in: summary, judge: judge).summary } ?? summary
    }

    /// What to say about the policy and the selection: entries that have expired, and what matches no function.
    var remarks: [String] {
        plan.expiries(on: judge.asOf?.day) + plan.idleEntries(judge, input) + unmatchedPlaces
    }

    /// Projects and regions that were selected and have no function, seen or deployed.
    private var unmatchedPlaces: [String] {
        let seen = judge.tally.functions.keys
        return unmatched(plan.selection.projects, .project, seen.map(\.project) + plan.inventory.map(\.project))
            + unmatched(plan.selection.regions, .region, seen.map(\.region) + plan.inventory.map(\.region))
    }

    private func unmatched(_ patterns: [Glob], _ key: PolicyKey, _ names: [String]) -> [String] {
        let names = Set(names.map { ExactName($0) }).sorted().map(\.text)
        guard !names.isEmpty, input.faults.isEmpty else { return [] }
        return patterns.filter { pattern in !names.contains { pattern.matches($0) } }
            .map { Messages.unmatched(plan.settings.name(of: key), $0.pattern, among: names) }
    }

    /// The names of all functions that were seen.
    var functionNames: [String] {
        judge.tally.functions.keys.flatMap { [judge.shownName(of: $0), $0.name] }
    }

    /// - Throws: ``Failure`` with the status of a wrong command line when there is nothing to compare with on a day.
    func nightlyReport(comparedTo day: Day?) throws(Failure) -> NightlyReport {
        let day = day ?? lastEarlierDay
        if let day, let asOf = judge.asOf?.day, day >= asOf {
            throw Failure(status: .usage, message: Messages.comparison(day, notBefore: asOf))
        }
        var report = NightlyReport(
            judge: judge, input: input, selection: plan.selection, inventory: plan.inventory, comparedTo: day,
            earlierRules: plan.rules)
        report.summary = noted(report.summary)
        if let day, report.comparedTo == nil, let first = report.firstDay {
            throw Failure(status: .usage, message: Messages.comparison(day, before: first))
        }
        return report
    }

    private func noted(_ summary: Summary) -> Summary {
        var summary = summary
        summary.widenedDays = widenedDays
        summary.sourcesWithoutFingerprints = sourcesWithoutFingerprints
        summary.countedSources = countedSources
        summary.lastDayOfUnknownProvenance = lastDayOfUnknownProvenance
        return summary
    }
}

extension Tally {
    fileprivate var newestDay: Day? { functions.values.compactMap { $0.days.last?.day }.max() }
    fileprivate var oldestDay: Day? { functions.values.compactMap { $0.days.first?.day }.min() }
}

extension InputSummary {
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

extension StoredHistory {
    /// What a log of these days would show about the functions' callers.
    ///
    /// - Parameters:
    ///   - tally: The functions.
    ///   - days: The days that count.
    ///   - key: The store's.
    /// - Returns: Nil where nothing was kept.
    func callers(of tally: Tally, in days: WholeDays, key: HashKey) -> CallEvidence? {
        evidence.evidence(of: tally, in: days) { ScannedFunction($0, label: nil, key: key).hash }
    }
}
