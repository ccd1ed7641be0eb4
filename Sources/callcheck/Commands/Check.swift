import ArgumentParser
import PolicyFile
import Readiness
import Reports

struct Check: JudgingCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Stop a pipeline unless every selected function can be enforced.",
        usage: "callcheck check [<log> ...] [<options>]",
        discussion: """
              callcheck check --function addMessage logs/ && firebase deploy
              callcheck check --store history.db --policy policy.yaml
              callcheck check --fail-on lockout --store history.db

            Prints the answer and one line per function. Exit status:

              0   every selected function is ready, enforced, exempt or replaced
              1   at least one is not safe, or refuses users
              2   at least one has not enough data, or none was selected

            callcheck --help lists the other statuses. Without --as-of, a log older than 36 hours is rejected.
            """)

    static let formats = OutputFormat.allCases

    @OptionGroup(title: "Gate") var gate: GateOptions
    @OptionGroup(title: "Inputs") var history: StoreOptions
    @OptionGroup(title: "Inputs") var reading: ReadingOptions
    @OptionGroup(title: "Selection") var selection: SelectionOptions
    @OptionGroup(title: "Verdict") var verdict: VerdictOptions
    @OptionGroup(title: "Output") var printing: PrintingOptions
    @OptionGroup(title: "Settings") var settings: SettingsOptions
    @OptionGroup(title: "Selection") var functions: FunctionOptions
    @OptionGroup(title: "Output") var table: ViewOptions

    func execute() throws -> ExitStatus {
        let run = try Run(self, functions: functions, gate: gate, table: table, isAboutToday: { _ in true })
        let log = try LoadedLog(reading: run)
        let summary = log.summary
        var check = GateCheck(run.settings.gate, isStrict: run.isStrict, policyFile: run.policyFile)
        check.lines = run.lines
        let status = ExitStatus(check.gate.answer(to: summary))
        return log.finish(summary, Report.check(check, on: summary, run.view), status: status)
    }
}
