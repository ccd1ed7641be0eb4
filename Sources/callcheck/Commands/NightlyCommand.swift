import ArgumentParser
import Readiness
import Reports
import Verifications

struct NightlyCommand: JudgingCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Print the daily report: verdicts, what changed, and when the rest will be ready.",
        discussion: """
            The answer first. What changed since the day before follows, then every function.

              callcheck report logs/
              callcheck report --store history.db
              callcheck report --compare before.json.gz -- after.json.gz

            All days are judged from the same input, and nothing is stored. Without --as-of, a log older than 36 hours \
            is rejected: it does not show today. With --fail-on act, the status is 1 if a change needs action.
            """)

    @OptionGroup(title: "Nights") var nights: NightOptions
    @OptionGroup(title: "Inputs") var history: HistoryOptions
    @OptionGroup(title: "Inputs") var reading: ReadingOptions
    @OptionGroup(title: "Inputs") var inputs: InputOptions
    @OptionGroup(title: "Selection") var selection: SelectionOptions
    @OptionGroup(title: "Verdict") var verdict: VerdictOptions
    @OptionGroup(title: "Output") var output: FormatOptions<SummaryFormat>
    @OptionGroup(title: "Output") var printing: PrintingOptions
    @OptionGroup var config: ConfigOptions
    @OptionGroup(title: "Selection") var functions: FunctionOptions
    @OptionGroup(title: "Output") var table: ViewOptions

    var plan = Resolved<RunPlan>()

    func resolve() throws -> RunPlan {
        try RunPlan(
            self, history: history, functions: functions, table: table, earlier: nights.compare, needsRecentInput: true
        ) { asOf in
            if !nights.compare.isEmpty, nights.compareTo != nil {
                throw ValidationError("Either --compare or --compare-to: the earlier logs end on a day of their own.")
            }
            if let day = night(asOf), let asOf = asOf?.day, day >= asOf {
                throw ValidationError(Messages.comparison(day, notBefore: asOf))
            }
        }
    }

    private func night(_ asOf: Instant?) -> Day? { nights.compareTo?.instant(from: asOf ?? Clock.now()).day }

    func answer(_ read: JudgedInput, _ plan: RunPlan) throws(Failure) -> Answer {
        let report = try read.nightlyReport(comparedTo: night(plan.asOf))
        return Answer(
            summary: report.summary, remarks: read.remarks,
            report: Report.morning(report, plan.view, rollouts: read.rollouts),
            status: nights.failOn == .act && report.needsAction ? .notSafe : .success, needsRecords: true)
    }
}
