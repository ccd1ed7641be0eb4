import Analysis
import ArgumentParser
import LogStream
import Readiness
import Reports
import Verifications

/// A gate: the exit status is the answer.
struct Check: ParsableCommand, StatusCommand {
    static let configuration = CommandConfiguration(
        abstract: "Stop a pipeline unless every selected function may be enforced.",
        discussion: """
            Prints a line per function: the verdict, the clause of the rule that decided and what was measured; then \
            the conclusion and what it rests on. The exit status is the answer:

              callcheck check --function addMessage logs/ && firebase deploy
              callcheck check --function addMessage --store history.db && firebase deploy

            Without --as-of the export is held against the clock: one whose newest verification is more than 36 hours \
            old does not speak of today. A policy entry past its last day (as of --as-of, else today) ends the check \
            before anything is read.

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

            Of several the first of 64, 74, 66, 65, 1, 2 is taken; a reader who closes the pipe changes nothing. A \
            function that is enforced already and locks people out is told in every case; it fails --fail-on lockout \
            alone, as there is nothing left to decide about it.
            """
    )

    @OptionGroup(title: "Gate") var gate: GateOptions
    @OptionGroup(title: "Inputs") var history: HistoryOptions
    @OptionGroup var options: JudgingOptions
    @OptionGroup(title: "Selection") var functions: FunctionOptions

    func validate() throws {
        _ = try plan(now: Clock.now())
    }

    func execute() throws -> ExitStatus {
        let now = Clock.now()
        var plan = try plan(now: now)
        try plan.take(options.verdict)
        try plan.refuseExpiries(on: (plan.asOf ?? now).day)
        try options.output.destination.prepare()
        let run = try SummaryRun(plan)
        let summary = run.summary
        let isStrict = plan.analysis.scan.isStrict
        let check = GateCheck(
            Gate(failOn: gate.failOn, acceptsTogether: gate.acceptTogether), isStrict: isStrict,
            policyFile: plan.policyFile)
        let written = options.output.destination.write(
            CheckReport(check, on: summary), as: plan.format.reportFormat(plan.style))
        Messages.explain(summary, of: plan, isQuiet: options.output.quiet)
        if !options.output.quiet { Messages.tell(plan.idleEntries(run.judge, summary.input)) }
        return .ofCheck(check.gate.answer(to: summary), summary.input, isStrict: isStrict, written: written)
    }

    private func plan(now: Instant) throws -> RunPlan {
        var plan = try RunPlan(options, from: history, functions: functions.functions, now: now)
        plan.clock = plan.asOf == nil ? now : nil
        return plan
    }
}
