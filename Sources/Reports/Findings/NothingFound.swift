package import Readiness
import Verifications

/// The likeliest reason why a run has no verification to show, from what else it saw.
enum NothingFound: Hashable {
    case noRecord
    case emptyResult
    case filtered
    case ignored(count: Int)
    case unusable(count: Int)
    /// Nil if the number is unknown.
    case unread(requests: Int?)
    case errorStreamOnly(records: Int)
    case otherRecords(count: Int)

    /// Nil when there is a verification to show, or when an input that could not be read is the reason.
    init?(_ summary: Summary) {
        let input = summary.input
        guard summary.functions.allSatisfy({ $0.totals.total == 0 }) else { return nil }
        if input.records == 0 {
            guard input.faults.isEmpty else { return nil }
            self = input.bytesDecompressed > 0 ? .emptyResult : .noRecord
        } else if input.filtered > 0 {
            self = .filtered
        } else if input.ignored > 0 {
            self = .ignored(count: input.ignored)
        } else if input.malformed + input.oversized > 0 {
            self = .unusable(count: input.malformed + input.oversized)
        } else if !input.unread.isEmpty {
            self = .unread(requests: input.unread.total)
        } else if summary.projects.values.contains(where: \.showsFailures) {
            self = .errorStreamOnly(records: input.records)
        } else {
            self = .otherRecords(count: input.records)
        }
    }

    var wording: Wording {
        switch self {
        case .noRecord: "The input contains no record. \(NothingFound.remedy)"
        case .emptyResult:
            """
            The input is an empty result, such as \(code: "[]"): the filter matched nothing. \
            \(code: "gcloud logging read") looks back one day unless \(code: "--freshness") says more. \
            \(NothingFound.remedy)
            """
        case .filtered: "No request matches. Check \(code: "--since"), \(code: "--until") and the selection."
        case .ignored(let count):
            """
            No verification of a deployed function: \(count == 1 ? "the only one" : "all \(Figures.grouped(count))") \
            in the input \(count == 1 ? "comes" : "come") from the emulator, which does not check tokens, or from the \
            function's own code. Export the logs of the project itself. \(NothingFound.remedy)
            """
        case .unusable(let count):
            """
            No verification could be counted: \(Figures.counted(count, "record")) may be \
            \(count == 1 ? "one" : "some"), but cannot be read; see below.
            """
        case .unread(let requests):
            """
            No request was counted, and \(requests.map { "up to \(Figures.grouped($0))" } ?? "any number of them") could not be \
            read. The problems of the input show where, and what to do.
            """
        case .errorStreamOnly(let records):
            """
            No callable verification among \(Figures.counted(records, "record")), and generation 2's stderr is among \
            them: passed verifications are written to stdout, which most likely was not exported. \
            \(NothingFound.remedy)
            """
        case .otherRecords(let count):
            """
            No callable verification among \(Figures.counted(count, "record")). Most likely the export's filter named \
            another log (such as the request log) or a severity, which drops passed requests: they are logged at DEBUG. \
            Or no callable function was called, or none logs verifications: Dart never does, firebase-functions only \
            since 3.14, and Python logs no passes at its default log level. \(NothingFound.remedy)
            """
        }
    }

    private static let remedy: Wording = "\(code: "callcheck export") prints commands for a complete export."
}

extension Summary {
    /// Why there is nothing to show, as sentences on one line for the error stream; nil when there is something.
    package var reasonForNothing: String? { NothingFound(self)?.wording.text(ascii: false) }
}
