import ArgumentParser
import PolicyFile
import Readiness
import Reports
import Verifications

/// What every command that judges functions takes: what to read, which part counts, how to judge it, and how to print
/// the answer.
///
/// Each command has these groups itself, not in a group of groups: a debug build of ArgumentParser evaluates a group
/// four times for each group that contains it, and the tests start the program often.
protocol JudgingOptions: StatusCommand where Plan == RunPlan {
    var reading: ReadingOptions { get }
    var selection: SelectionOptions { get }
    var verdict: VerdictOptions { get }
    var printing: PrintingOptions { get }
    var settings: SettingsOptions { get }
}

extension JudgingOptions {
    static var formats: [OutputFormat] { OutputFormat.ofReports }
}

/// A command that judges functions: report, explain or check.
///
/// The inputs or the store are read, once; the command makes its ``Answer`` from them; its report is written; the
/// ``Answer/messages(for:functions:)`` are printed, always in the same order.
protocol JudgingCommand: JudgingOptions {
    func answer(_ read: JudgedInput, _ plan: RunPlan) throws(Failure) -> Answer
}

extension JudgingCommand {
    func run(_ plan: RunPlan) throws -> ExitStatus {
        let read = try JudgedInput(reading: plan)
        let answer = try answer(read, plan)
        let written = answer.report.map(plan.write) ?? .success
        if answer.isKept, written == .success, let store = plan.store {
            StoreFile.keep(answer.summary.answers, in: store)
        }
        Messages.print(answer.messages(for: plan, functions: read.functionNames))
        return .of(
            answer.summary.input, isStrict: plan.isStrict, needsRecords: answer.needsRecords, answer: answer.status,
            written: written)
    }
}

struct Answer {
    let summary: Summary
    let remarks: [String]
    var report: Report?
    var status = ExitStatus.success
    /// True when the store that was read keeps it, for the next one to be compared with.
    var isKept = false
    /// True when an input without a single record is bad data.
    var needsRecords = false
    var complaint: String?

    /// What is printed on standard error after the report, in this order; `functions` are those of the log.
    ///
    /// 1. Which days of a store were counted.
    /// 2. What went wrong with the inputs, or why they contain nothing.
    /// 3. Which entries of the policy have expired, and which match no function.
    /// 4. Why there is no answer.
    ///
    /// `--quiet` leaves only what went wrong, and why there is no answer; a settings file cannot silence the policy's.
    func messages(for plan: RunPlan, functions: [String]) -> [String] {
        var input = summary.input
        // Damage from earlier nights was reported when it was read; `store list` still shows it.
        if plan.found.inputs.isEmpty, input.faults.isEmpty { input.problems = ProblemLog() }
        let faults = Messages.faults(
            of: input, plan.found, isStrict: plan.isStrict, store: plan.found.stores.first, functions: functions,
            isShown: report != nil && plan.showsNotesOnTerminal)
        var notes: [String] = []
        if input.faults.isEmpty, input.records > 0, input.sawNoVerification, let reason = summary.reasonForNothing {
            // Events are long: a look at many short records would cost as much as reading them did.
            let mayBeRollout = input.bytesDecompressed > 64 * input.records
            notes =
                mayBeRollout && plan.readsRollout
                ? ["these are events of Google Analytics or a Remote Config template, which callcheck app-attest reads"]
                : !plan.format.hasNotes ? [reason] : input.unread.isEmpty ? [noVerification] : []
        }
        let end = complaint.map { [$0] } ?? []
        guard !plan.settings.isOn(.quiet) else { return faults + (plan.settings.isQuietByOption ? [] : remarks) + end }
        return [summary.noteOnDays].compactMap { $0 } + faults + notes + remarks + end
    }
}

private let noVerification =
    "no record is a verification from a deployed function; callcheck export prints commands for a complete export"

extension InputSummary {
    /// True when no record was, or can have been, a verification of a deployed function.
    fileprivate var sawNoVerification: Bool {
        verifications + filtered + duplicates + malformed + oversized == 0
    }
}
