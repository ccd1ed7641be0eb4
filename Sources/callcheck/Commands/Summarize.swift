import Analysis
import ArgumentParser
import LogStream
import Readiness
import Reports
import Verifications

/// Functions, counts and verdicts of the inputs.
struct Summarize: ParsableCommand, StatusCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show functions, their counts and verdicts (the default command)."
    )

    @OptionGroup var options: JudgingOptions
    @Option(help: .hidden) var store: String?
    @OptionGroup(title: "Selection") var functions: FunctionOptions

    func validate() throws {
        if store != nil { throw ValidationError(Messages.summaryOfStore) }
        _ = try plan(now: Clock.now())
    }

    func execute() throws -> ExitStatus {
        var plan = try plan(now: Clock.now())
        try plan.take(options.verdict)
        try options.output.destination.prepare()
        let run = try SummaryRun(plan)
        let written = options.output.destination.write(
            SummaryReport(run.summary), as: plan.format.reportFormat(plan.style))
        Messages.explain(run.summary, of: plan, isQuiet: options.output.quiet)
        if !options.output.quiet { Messages.tell(plan.remarks(run.judge, run.summary.input)) }
        return .mostSerious([written, .of(run.summary.input, isStrict: plan.analysis.scan.isStrict)])
    }

    private func plan(now: Instant) throws -> RunPlan {
        try RunPlan(options, functions: functions.functions, now: now)
    }
}
