import Analysis
import ArgumentParser
import LogStream
import Readiness
import Verifications

/// Functions, counts and verdicts of the inputs.
struct Summarize: ParsableCommand, StatusCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show functions, their counts and verdicts (the default command)."
    )

    @OptionGroup(title: "Inputs") var inputs: InputOptions
    @Option(help: .hidden) var store: String?
    @OptionGroup(title: "Selection") var selection: SelectionOptions
    @OptionGroup(title: "Selection") var functions: FunctionOptions
    @OptionGroup(title: "Verdict") var verdict: VerdictOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws {
        if store != nil { throw ValidationError(Messages.summaryOfStore) }
        _ = try plan(now: Clock.now())
    }

    func execute() throws -> ExitStatus {
        var plan = try plan(now: Clock.now())
        try plan.take(verdict)
        try output.destination.prepare()
        let summary = try SummaryRun(plan).summary
        let written = output.destination.write(plan.format.summaryReport(style: plan.style), on: summary)
        Messages.explain(summary, of: plan, isQuiet: output.quiet)
        if !output.quiet { Messages.tell(plan.expiries(on: summary.asOf?.day)) }
        return .mostSerious([written, .of(summary.input, isStrict: plan.analysis.scan.isStrict)])
    }

    private func plan(now: Instant) throws -> RunPlan {
        try RunPlan(inputs, selection, functions: functions.functions, output, now: now)
    }
}
