import Analysis
import History
import LogStream
import PolicyFile
import Readiness
import Verifications

/// What was read, from inputs or from a store, and the judge of it.
struct JudgedInput {
    let judge: Judge
    let input: InputSummary
    /// See ``Summary/lastDayOfUnknownProvenance``.
    private let lastDayOfUnknownProvenance: Day?
    private let plan: RunPlan

    /// Reads what a plan names, and shows how far it is.
    ///
    /// - Throws: ``Failure`` when the store cannot be used.
    init(reading plan: RunPlan) throws(Failure) {
        let tally: Tally
        var evidence: CallEvidence?
        var uncounted = UncountedRecords()
        if let path = plan.store {
            let stored = try StoreFile.use(path, for: .reading) { store throws(HistoryFailure) in
                try store.load(horizon: plan.analysis.horizon, limit: plan.analysis.scan.maxFunctions)
            }
            tally = stored.tally.days(from: plan.analysis.range.days.first, through: plan.analysis.range.days.last)
            input = stored.input.restricted(to: tally)
            uncounted = stored.uncounted
            lastDayOfUnknownProvenance = stored.lastDayOfVersion1
        } else {
            let progress = Progress(total: plan.found.size, isWanted: plan.printing.showsProgress)
            defer { progress.finish() }
            let result = plan.analysis.run(progress: progress.counter) { [input = progress.input] in input.begin($0) }
            (tally, input, evidence) = (result.tally, result.input, result.evidence)
            uncounted.add(input.unjudged, newest: nil)
            lastDayOfUnknownProvenance = nil
        }
        judge = Judge(
            tally: tally, rules: plan.rules, asOf: plan.asOf, clock: plan.clock, inventory: plan.inventory,
            uncounted: uncounted, evidence: evidence)
        self.plan = plan
    }

    /// Every function with its verdict; judges anew each time, so ask once.
    var summary: Summary {
        noted(Summary(judge: judge, input: input, selection: plan.selection, inventory: plan.inventory))
    }

    /// The summary to show when the selection's one name matches no function: the row of the name alone.
    ///
    /// Functions of the other generation may have the name; they count as left out.
    func summary(withoutMatchIn summary: Summary) -> Summary {
        guard summary.functions.contains(where: \.isFunction) else { return summary }
        let rules = PolicyRules(numbers: judge.rules.numbers, since: judge.rules.since)
        let nothing = Judge(tally: Tally(), rules: rules, asOf: judge.asOf, inventory: [])
        var summary = summary
        let rows = Summary(judge: nothing, input: summary.input, selection: plan.selection).functions
        summary.functions += rows
        return rows.first.map { Explanation($0, in: summary, judge: judge).summary } ?? summary
    }

    /// What to say of the policy and of the selection: entries that have expired, and what matches no function.
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
        if let day, let asOf = judge.asOf?.day, day >= asOf {
            throw Failure(status: .usage, message: Messages.comparison(day, notBefore: asOf))
        }
        var report = NightlyReport(
            judge: judge, input: input, selection: plan.selection, inventory: plan.inventory, comparedTo: day)
        report.summary = noted(report.summary)
        if let day, report.comparedTo == nil, let first = report.firstDay {
            throw Failure(status: .usage, message: Messages.comparison(day, before: first))
        }
        return report
    }

    private func noted(_ summary: Summary) -> Summary {
        var summary = summary
        summary.widenedDays = plan.widenedDays
        summary.lastDayOfUnknownProvenance = lastDayOfUnknownProvenance
        return summary
    }
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

/// Bounds in time as a store takes them, which knows whole days only.
extension TimeRange {
    /// The days that have a part in the range.
    ///
    /// A range may begin with the last nanosecond of a day (`--as-of 2026-10-14 --since 7d`): that day is not meant.
    var days: WholeDays {
        WholeDays(first: since?.adding(nanoseconds: 1).day, last: until?.adding(nanoseconds: -1).day)
    }

    /// The same, where more counts than the bounds say.
    var widenedDays: WholeDays? {
        let startsWithin = since.map { (1..<Instant.nanosecondsPerDay - 1).contains($0.nanosecondOfDay) } ?? false
        let endsWithin = until.map { $0.nanosecondOfDay != 0 } ?? false
        return startsWithin || endsWithin ? days : nil
    }
}
