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

            A store keeps the answers of a report, and the next one shows what changed since. With a store, the report is \
            about today: without --as-of, a log older than 36 hours is rejected. With --fail-on act, the status is 1 if a \
            change needs action.
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

    func execute() throws -> ExitStatus {
        let asOf = selection.asOf?.last
        let night = nights.changesSince?.instant(from: asOf ?? Clock.now()).day
        if !nights.before.isEmpty, night != nil {
            throw ValidationError("Either --before or --changes-since: the earlier logs end on another day.")
        }
        if let night, let asOf = asOf?.day, night >= asOf {
            throw ValidationError(Messages.comparison(night, notBefore: asOf))
        }
        let run = try Run(
            self, functions: functions, table: table, earlier: nights.before, isAboutToday: { !$0.stores.isEmpty })
        let log = try LoadedLog(reading: run)
        var summary = try log.report(comparedTo: night)
        summary.listsActions = nights.failOn != nil
        // An earlier time, or a part of the functions or of the days, is another question: its answers are not kept.
        return log.finish(
            summary, Report.summary(summary, run.view), isKept: run.asksAll,
            status: nights.failOn != nil && summary.needsAction ? .notSafe : .success)
    }
}
