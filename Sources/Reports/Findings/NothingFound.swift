package import Readiness

extension NothingFound {
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
