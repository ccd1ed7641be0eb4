import ArgumentParser
import Readiness
import Reports
import Verifications

/// What every command that judges functions takes: what to read, which part counts, how to judge it, and how to print
/// the answer.
///
/// Each command has these groups itself, not in a group of groups: a debug build of ArgumentParser evaluates a group
/// four times for each group that contains it, and the tests start the program often.
protocol JudgingOptions: StatusCommand {
    var reading: ReadingOptions { get set }
    var inputs: InputOptions { get }
    var selection: SelectionOptions { get set }
    var verdict: VerdictOptions { get set }
    var output: FormatOptions<OutputFormat> { get set }
    var printing: PrintingOptions { get set }
    var config: ConfigOptions { get }
}

extension JudgingOptions {
    mutating func fill(from settings: inout Settings) {
        reading.fill(from: &settings)
        selection.fill(from: &settings)
        verdict.fill(from: &settings)
        printing.fill(from: &settings)
        output.fill(from: &settings, printing)
    }
}

/// A command that judges functions: summarize, check, explain or report.
///
/// All of them run alike:
///
/// 1. Parsing the command line makes the ``RunPlan``. A wrong command line ends here; nothing is read or written.
/// 2. The output must be writable.
/// 3. The inputs or the store are read, once.
/// 4. The command makes its ``Answer`` from them.
/// 5. Its report is written.
/// 6. The ``Answer/messages(for:)`` are printed, always in the same order.
/// 7. ``ExitStatus`` decides how the command ends.
protocol JudgingCommand: JudgingOptions {
    var plan: Resolved<RunPlan> { get }

    /// The command's answer to what was read.
    func answer(_ read: JudgedInput, _ plan: RunPlan) throws(Failure) -> Answer
}

extension JudgingCommand {
    func execute() throws -> ExitStatus {
        let plan = try plan.get()
        plan.settings.announce(isQuiet: plan.printing.quiet, reading: plan.store)
        let output = plan.printing.destination
        try output.prepare()
        let read = try JudgedInput(reading: plan)
        let answer = try answer(read, plan)
        let format = plan.format.reportFormat(plan.style)
        let written = answer.report.map { report in output.write { report.write(as: format, to: &$0) } } ?? .success
        Messages.print(answer.messages(for: plan, functions: read.functionNames))
        return .of(
            answer.summary.input, isStrict: plan.isStrict, needsRecords: answer.needsRecords, answer: answer.status,
            written: written)
    }
}

/// A command's answer to what was read.
struct Answer {
    let summary: Summary
    /// What to say about the policy.
    let remarks: [String]
    /// What to write; nil when there is nothing.
    var report: (any Report)?
    /// The status that the answer itself stands for.
    var status = ExitStatus.success
    /// True when an input without a single record is bad data.
    var needsRecords = false
    /// Why there is no answer.
    var complaint: String?

    /// What is printed on standard error after the report, in this order; `functions` are those of the log.
    ///
    /// 1. Which days of a store were counted.
    /// 2. What went wrong with the inputs, or why they show nothing.
    /// 3. Which entries of the policy have expired, and which match no function.
    /// 4. Why there is no answer.
    ///
    /// `--quiet` leaves only what went wrong, and why there is no answer.
    func messages(for plan: RunPlan, functions: [String]) -> [String] {
        var input = summary.input
        // Damage from earlier nights was reported when it was read; `history list` still shows it.
        if plan.store != nil { input.problems = ProblemLog() }
        let faults = Messages.faults(
            of: input, plan.found, isStrict: plan.isStrict, store: plan.store, functions: functions,
            isShown: report != nil && plan.showsNotesOnTerminal)
        var notes: [String] = []
        if input.faults.isEmpty, input.records > 0, input.sawNoVerification, let reason = summary.reasonForNothing {
            notes = [plan.format.hasNotes ? Messages.noVerification : reason]
        }
        let end = complaint.map { [$0] } ?? []
        guard !plan.printing.quiet else { return faults + end }
        return [summary.noteOnDays].compactMap { $0 } + faults + notes + remarks + end
    }
}

extension InputSummary {
    /// True when no record was, or can have been, a verification of a deployed function.
    fileprivate var sawNoVerification: Bool {
        verifications + filtered + duplicates + malformed + oversized == 0
    }
}
