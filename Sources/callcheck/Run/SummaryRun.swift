import Analysis
import LogStream
import Readiness
import Verifications

/// Reads the inputs of a plan and draws up the summary.
struct SummaryRun {
    private let plan: RunPlan

    init(_ plan: RunPlan) {
        self.plan = plan
    }

    func run() -> Summary {
        let sizes = plan.analysis.inputs.map(\.size)
        let total = sizes.contains(nil) ? nil : sizes.compactMap { $0 }.reduce(0, +)
        let progress = Progress(total: total, isWanted: plan.showsProgress)
        let result = plan.analysis.run(progress: progress.counter)
        progress.finish()
        return Summary(
            tally: result.tally, input: result.input, selection: plan.selection, asOf: plan.asOf,
            rules: plan.rules, inventory: plan.inventory)
    }
}
