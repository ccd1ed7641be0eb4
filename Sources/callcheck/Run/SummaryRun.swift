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
            tally: read.tally, rules: plan.rules, asOf: plan.asOf, clock: plan.clock, inventory: plan.inventory)
        var summary = Summary(
            judge: judge, input: read.input, selection: plan.selection, inventory: plan.inventory)
        summary.widenedDays = plan.widenedDays
        self.summary = summary
    }
}
