import ArgumentParser
import Readiness
import Reports
import Verifications

struct ReportCommand: JudgingCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Show every verdict, and what changed (the default command).",
        usage: "callcheck [report] [<log> ...] [<options>]",
        discussion: """
              callcheck logs/
              callcheck -o overview.html logs/
              callcheck report --store history.db
              callcheck report --before before.json.gz after.json.gz

            A store keeps the answers of a report, and the next one shows what changed since. With the word report, it \
            is about today: without --as-of, a log older than 36 hours is rejected. With --fail-on act, the status is 1 \
            if a change needs action.
            """,
        aliases: ["summarize"])

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

    /// Whoever types its name asks about today; without it, a log is judged as of its end.
    private var isAboutToday: Bool { Program.arguments.first == ReportCommand.configuration.commandName }

    func resolve() throws -> RunPlan {
        try RunPlan(
            self, history: history, functions: functions, table: table, earlier: nights.before,
            needsRecentInput: isAboutToday
        ) { asOf in
            if !nights.before.isEmpty, nights.changesSince != nil {
                throw ValidationError("Either --before or --changes-since: the earlier logs end on another day.")
            }
            if let day = night(asOf), let asOf = asOf?.day, day >= asOf {
                throw ValidationError(Messages.comparison(day, notBefore: asOf))
            }
        }
    }

    private func night(_ asOf: Instant?) -> Day? { nights.changesSince?.instant(from: asOf ?? Clock.now()).day }

    func answer(_ read: JudgedInput, _ plan: RunPlan) throws(Failure) -> Answer {
        let summary = try read.report(comparedTo: night(plan.asOf))
        var answer = Answer(
            summary: summary, remarks: read.remarks,
            report: Report.summary(summary, plan.view),
            status: nights.failOn != nil && summary.needsAction ? .notSafe : .success, needsRecords: isAboutToday)
        // An earlier time, or a part of the functions or of the days, is another question.
        answer.isKept = plan.asksAll
        return answer
    }
}
