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

            callcheck --help lists the other statuses. Without --as-of, a log older than 36 hours is rejected. An \
            expired policy entry exits with 64.
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
    var plan = Resolved<RunPlan>()

    func resolve() throws -> RunPlan {
        try RunPlan(
            self, history: history, functions: functions, gate: gate, table: table, needsRecentInput: true,
            needsCurrentPolicy: true)
    }

    func answer(_ read: JudgedInput, _ plan: RunPlan) -> Answer {
        let summary = read.summary
        var check = GateCheck(plan.settings.gate, isStrict: plan.isStrict, policyFile: plan.policyFile)
        check.lines = plan.lines
        return Answer(
            summary: summary, remarks: read.remarks, report: Report.check(check, on: summary, plan.view),
            status: ExitStatus(check.gate.answer(to: summary)))
    }
}
