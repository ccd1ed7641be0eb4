import Analysis
import LogStream
import Readiness
import Verifications

/// Reads the inputs of a plan and draws up the summary.
struct SummaryRun {
    /// Answers what else is asked about the same input.
    let judge: Judge
    let summary: Summary

    init(_ plan: RunPlan) {
        let result = plan.read()
        judge = Judge(
            tally: result.tally, rules: plan.rules, asOf: plan.asOf, clock: plan.clock, inventory: plan.inventory)
        summary = Summary(
            judge: judge, input: result.input, selection: plan.selection, inventory: plan.inventory)
    }
}

extension RunPlan {
    /// Reads the inputs, and shows how far it is.
    func read() -> LogAnalysis.Result {
        let sizes = analysis.inputs.map(\.size)
        let total = sizes.contains(nil) ? nil : sizes.compactMap { $0 }.reduce(0, +)
        let progress = Progress(total: total, isWanted: showsProgress)
        defer { progress.finish() }
        return analysis.run(progress: progress.counter)
    }
}
