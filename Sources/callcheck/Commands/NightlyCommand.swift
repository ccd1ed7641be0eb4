import ArgumentParser
import Readiness
import Reports
import Verifications

struct NightlyCommand: JudgingCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Print the daily report: verdicts, and what changed.",
        usage: "callcheck report [<log> ...] [<options>]",
        discussion: """
              callcheck report logs/
              callcheck report --store history.db
              callcheck report --before before.json.gz after.json.gz

            The answer first. What changed since the day before follows, then every function.

            All days are judged from the same input, and nothing is stored. Without --as-of, a log older than 36 hours \
            is rejected: it does not show today. With --fail-on act, the status is 1 if a change needs action.
            """)

    @OptionGroup(title: "Nights") var nights: NightOptions
    @OptionGroup(title: "Inputs") var history: StoreOptions
    @OptionGroup(title: "Inputs") var reading: ReadingOptions
    @OptionGroup(title: "Selection") var selection: SelectionOptions
    @OptionGroup(title: "Verdict") var verdict: VerdictOptions
    @OptionGroup(title: "Output") var printing: PrintingOptions
    @OptionGroup(title: "Settings") var settings: SettingsOptions
    @OptionGroup(title: "Selection") var functions: FunctionOptions
    @OptionGroup(title: "Output") var table: ViewOptions

    var plan = Resolved<RunPlan>()

    func resolve() throws -> RunPlan {
        try RunPlan(
            self, history: history, functions: functions, table: table, earlier: nights.before, needsRecentInput: true
        ) { asOf in
            if !nights.before.isEmpty, nights.changesSince != nil {
                throw ValidationError("Either --before or --changes-since: the earlier logs end on a day of their own.")
            }
            if let day = night(asOf), let asOf = asOf?.day, day >= asOf {
                throw ValidationError(Messages.comparison(day, notBefore: asOf))
            }
        }
    }

    private func night(_ asOf: Instant?) -> Day? { nights.changesSince?.instant(from: asOf ?? Clock.now()).day }

    func answer(_ read: JudgedInput, _ plan: RunPlan) throws(Failure) -> Answer {
        let report = try read.nightlyReport(comparedTo: night(plan.asOf))
        return Answer(
            summary: report.summary, remarks: read.remarks,
            report: Report.morning(report, plan.view, rollouts: read.rollouts),
            status: nights.failOn != nil && report.needsAction ? .notSafe : .success, needsRecords: true)
    }
}
