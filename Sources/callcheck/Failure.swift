import Readiness
import Verifications

/// The exit statuses, in one place; the numbers above 2 are those of `sysexits.h`.
enum ExitStatus: Int32 {
    /// Done; of `check`: every selected function can be enforced; of `app-attest`: raise, or complete.
    case success = 0
    /// `check`: at least one function fails; `app-attest`: roll back.
    case notSafe = 1
    /// `check`: none fails, at least one cannot be judged yet; `app-attest`: hold.
    case unsure = 2
    /// The command line, the settings file or the policy file is wrong.
    case usage = 64
    /// Damaged compression, a named input in no readable format, too many functions, with `--strict` anything that was
    /// not read; not one record in all of the inputs.
    case badData = 65
    case noInput = 66
    case internalError = 70
    case inputOutput = 74

    /// Returns the most serious of several statuses: 64 > 74 > 66 > 65 > 1 > 2 > 0.
    static func mostSerious(_ statuses: [ExitStatus]) -> ExitStatus {
        let order: [ExitStatus] = [.internalError, .usage, .inputOutput, .noInput, .badData, .notSafe, .unsure]
        return order.first { statuses.contains($0) } ?? .success
    }

    /// How a command that has read something ends: with `--strict` anything that was not read is bad data, and so are
    /// inputs without a single record where a command `needsRecords`.
    static func of(
        _ input: InputSummary, isStrict: Bool, needsRecords: Bool = false, answer: ExitStatus = .success,
        written: ExitStatus = .success
    ) -> ExitStatus {
        var statuses = [written, answer]
        if input.faults.contains(.readError) { statuses.append(.inputOutput) }
        if input.faults.contains(.unopened) { statuses.append(.noInput) }
        if !input.faults.isDisjoint(with: [.damaged, .unsupported, .tooManyFunctions]) { statuses.append(.badData) }
        if isStrict && !input.isWhole { statuses.append(.badData) }
        if needsRecords && input.records == 0 { statuses.append(.badData) }
        return mostSerious(statuses)
    }

    init(_ answer: Gate.Result) {
        self =
            switch answer {
            case .passed: .success
            case .failed: .notSafe
            case .unsure, .nothingSelected: .unsure
            }
    }
}

/// Why a command ends without an answer, and how: by itself a mistake of the command line or of a file that it names.
struct Failure: Error {
    let status: ExitStatus
    let message: String

    init(_ message: String, _ status: ExitStatus = .usage) { (self.status, self.message) = (status, message) }
}
