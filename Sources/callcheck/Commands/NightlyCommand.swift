import Analysis
import ArgumentParser
import LogStream
import Readiness
import Reports
import Verifications

/// The morning page.
struct NightlyCommand: ParsableCommand, StatusCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Print the morning page: verdicts, what changed, and when the rest will be ready.",
        discussion: """
            Three lines answer the question; below them stands what changed since the day before, what needs action \
            first, and then every function.

              callcheck report logs/
              callcheck report --compare-to 2026-10-01 --format markdown logs/
              callcheck report -o /var/lib/node_exporter/callcheck.prom logs/
              callcheck report --store history.db

            A function is ready only when the rule said so on --confirm days in a row: looking every morning until the \
            answer pleases makes a lucky week likely. All days are judged from the same input, and nothing is stored.

            Without --as-of the export is held against the clock: one whose newest verification is more than 36 hours \
            old does not speak of today.
            """
    )

    @OptionGroup(title: "Nights") var nights: NightOptions
    @OptionGroup(title: "Inputs") var history: HistoryOptions
    @OptionGroup var options: JudgingOptions
    @OptionGroup(title: "Selection") var functions: FunctionOptions

    func validate() throws {
        let plan = try plan(now: Clock.now())
        if let day = nights.compareTo, let asOf = plan.asOf?.day, day >= asOf {
            throw ValidationError(Messages.comparison(day, notBefore: asOf))
        }
    }

    func execute() throws -> ExitStatus {
        var plan = try plan(now: Clock.now())
        try plan.take(options.verdict)
        try options.output.destination.prepare()
        let result = try plan.read()
        let run = try NightlyRun(result, plan: plan, nights: nights)
        Messages.explain(run.report.summary, of: plan, isQuiet: options.output.quiet)
        if !options.output.quiet { Messages.tell(plan.remarks(run.judge, result.input)) }
        let written = options.output.destination.write(
            MorningReport(run.report), as: plan.format.reportFormat(plan.style))
        let isStrict = plan.analysis.scan.isStrict
        return .mostSerious([written, .of(run.report.summary.input, isStrict: isStrict, needsRecords: true)])
    }

    private func plan(now: Instant) throws -> RunPlan {
        var plan = try RunPlan(options, from: history, functions: functions.functions, now: now)
        plan.clock = plan.asOf == nil ? now : nil
        return plan
    }
}
