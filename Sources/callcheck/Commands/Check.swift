import ArgumentParser
import Readiness
import Reports

/// A gate: the exit status is the answer.
struct Check: JudgingCommand {
    static let configuration = CommandConfiguration(
        abstract: "Stop a pipeline unless every selected function may be enforced.",
        discussion: """
            Prints a line per function: the verdict, the clause of the rule that decided, and what was measured; then \
            the conclusion and what it is based on. The exit status is the answer:

              callcheck check --function addMessage logs/ && firebase deploy
              callcheck check --function addMessage --store history.db && firebase deploy

            Without --as-of, an export whose newest verification is more than 36 hours old is rejected: it does not \
            show today. A policy entry past its last day (as of --as-of, else today) ends the check before anything \
            is read.

            EXIT STATUS
              0   every selected function may be enforced, or is exempt, enforced
                  or superseded; with --fail-on, none fails
              1   at least one is wait or investigate
                  (--fail-on lockout: at least one is locked out)
              2   none is, but at least one is insufficient or blind
                  (--fail-on unsure only), or no function was selected
              64  the command line or the policy is wrong, or an entry expired
              65  damaged data, or with --strict any malformed record
              66  an input or the store is missing
              70  a fault of callcheck itself
              74  reading or writing failed

            Where several apply, the first of 64, 74, 66, 65, 1, 2 is used; a reader who closes the pipe changes \
            nothing. A function that is already enforced and refuses users is always reported; it fails only with \
            --fail-on lockout, as there is nothing left to decide.
            """
    )

    @OptionGroup(title: "Gate") var gate: GateOptions
    @OptionGroup(title: "Inputs") var history: HistoryOptions
    @OptionGroup var options: JudgingOptions
    @OptionGroup(title: "Selection") var functions: FunctionOptions
    var plan = Resolved<RunPlan>()

    mutating func validate() throws {
        plan = try Resolved {
            try RunPlan(
                options, history: history, functions: functions, gate: gate, needsRecentInput: true,
                needsCurrentPolicy: true)
        }
    }

    func answer(_ read: JudgedInput, _ plan: RunPlan) -> Answer {
        let summary = read.summary
        let check = GateCheck(plan.gate, isStrict: plan.isStrict, policyFile: plan.policyFile)
        // No entry has expired: the command would have ended before it read anything.
        return Answer(
            summary: summary, remarks: plan.idleEntries(read.judge, summary.input),
            report: CheckReport(check, on: summary), status: ExitStatus(check.gate.answer(to: summary)))
    }
}
