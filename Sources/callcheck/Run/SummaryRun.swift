import Readiness
import Verifications

/// Reads the inputs of a plan and draws up the summary.
struct SummaryRun {
    /// Answers what else is asked about the same input.
    let judge: Judge
    let summary: Summary

    /// - Throws: ``Failure`` when a store cannot be used.
    init(_ plan: RunPlan) throws(Failure) {
        let read = try plan.read()
        judge = Judge(
            tally: read.tally, rules: plan.rules, asOf: plan.asOf, clock: plan.clock, inventory: plan.inventory,
            uncounted: read.uncounted)
        var summary = Summary(
            judge: judge, input: read.input, selection: plan.selection, inventory: plan.inventory)
        summary.widenedDays = plan.widenedDays
        summary.lastDayOfUnknownProvenance = read.lastDayOfUnknownProvenance
        self.summary = summary
    }

    /// The summary to show when no function is the one that a selection names: the row of the name alone.
    ///
    /// Functions of the other generation may have the name; they count as left out.
    func summary(ofUnmatched selection: Selection) -> Summary {
        guard summary.functions.contains(where: \.isFunction) else { return summary }
        let rules = PolicyRules(numbers: judge.rules.numbers, since: judge.rules.since)
        let nothing = Judge(tally: Tally(), rules: rules, asOf: judge.asOf, inventory: [])
        var summary = summary
        let rows = Summary(judge: nothing, input: summary.input, selection: selection).functions
        summary.functions += rows
        return rows.first.map { Explanation($0, in: summary, judge: judge).summary } ?? summary
    }
}
