import Readiness
import Rollout
import Verifications

/// The exit statuses, in one place; the numbers above 2 are those of `sysexits.h`.
enum ExitStatus: Int32 {
    /// Done; of `check`: every selected function can be enforced; of `rollout`: raise, or complete.
    case success = 0
    /// `check`: at least one function fails; `rollout`: roll back.
    case notSafe = 1
    /// `check`: none fails, at least one cannot be judged yet; `rollout`: hold.
    case unsure = 2
    /// The command line, the settings file or the policy file is wrong.
    case usage = 64
    /// Damaged compression, a named input in no readable format, with `--strict` any malformed record; `ingest` and
    /// `report`: not one record.
    case badData = 65
    /// An input is missing or cannot be opened; the others were read.
    case noInput = 66
    /// A fault of the program itself.
    case internalError = 70
    /// Reading or writing failed.
    case inputOutput = 74

    /// Where several statuses apply, the most serious one: 64 > 74 > 66 > 65 > 1 > 2 > 0.
    static func mostSerious(_ statuses: [ExitStatus]) -> ExitStatus {
        let order: [ExitStatus] = [.internalError, .usage, .inputOutput, .noInput, .badData, .notSafe, .unsure]
        return order.first { statuses.contains($0) } ?? .success
    }

    /// How a command that has read something ends.
    ///
    /// - Parameters:
    ///   - input: What was read.
    ///   - isStrict: True when a malformed record is bad data (`--strict`).
    ///   - needsRecords: True when no record at all is bad data: a nightly job must notice that its export is empty.
    ///   - answer: What the command answers, such as a gate.
    ///   - written: The result of writing the output; a pipe closed by its reader is a success.
    /// - Returns: The most serious one that applies.
    static func of(
        _ input: InputSummary, isStrict: Bool, needsRecords: Bool = false, answer: ExitStatus = .success,
        written: ExitStatus = .success
    ) -> ExitStatus {
        var statuses = [written, answer]
        if input.faults.contains(.readError) { statuses.append(.inputOutput) }
        if input.faults.contains(.unopened) { statuses.append(.noInput) }
        if !input.faults.isDisjoint(with: [.damaged, .unsupported]) { statuses.append(.badData) }
        if isStrict && input.malformed > 0 { statuses.append(.badData) }
        if needsRecords && input.records == 0 { statuses.append(.badData) }
        return mostSerious(statuses)
    }

    /// The status that the verdict on a rollout stands for.
    init(_ verdict: RolloutVerdict) {
        self =
            switch verdict {
            case .raise, .done: .success
            case .rollBack: .notSafe
            case .hold: .unsure
            }
    }

    /// The status that a gate's answer stands for.
    init(_ answer: Gate.Answer) {
        self =
            switch answer {
            case .passed: .success
            case .failed: .notSafe
            case .unsure, .nothingSelected: .unsure
            }
    }
}

/// Ends a command with a message and a status.
struct Failure: Error {
    let status: ExitStatus
    /// What went wrong, where, why, and what to do next.
    let message: String
}
