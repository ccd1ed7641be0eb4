package import Readiness

extension Finding {
    var nothingWording: Wording {
        let records = Figures.counted(count, "record")
        return switch code {
        case .noRecord: "The input contains no record. \(Finding.export)"
        case .emptyResult:
            """
            The input is an empty result, such as \(code: "[]"): the filter matched nothing. \
            \(code: "gcloud logging read") looks back one day unless \(code: "--freshness") says more. \
            \(Finding.export)
            """
        case .allAfterAsOf:
            """
            No request is from before the as-of time: \(Figures.grouped(count)) \(count == 1 ? "is" : "are") later and \
            \(count == 1 ? "does" : "do") not count. Give \(code: "--as-of") a time within the log.
            """
        case .allAfterClock:
            """
            No request is from before the time of this machine's clock: \(Figures.grouped(count)) \
            \(count == 1 ? "is" : "are") later and \(count == 1 ? "does" : "do") not count. Correct the clock, or give \
            \(code: "--as-of").
            """
        case .allFiltered: "No request matches. Check \(code: "--since"), \(code: "--until") and the selection."
        case .allIgnored:
            """
            No request of a deployed function: \(count == 1 ? "the only one" : "all \(Figures.grouped(count))") \
            in the input \(count == 1 ? "comes" : "come") from the emulator, which does not check tokens, or from the \
            function's own code. Export the logs of the project itself. \(Finding.export)
            """
        case .unusable:
            """
            No request could be counted: \(records) may be \(count == 1 ? "one" : "some"), but cannot be read; see \
            below.
            """
        case .allUnread:
            """
            No request was counted, and \(counts.first.map { "up to \(Figures.grouped($0))" } ?? "any number of them") \
            could not be read. The problems of the input show where, and what to do.
            """
        case .errorStreamOnly:
            """
            No request that the SDK logged is among \(records), which include generation 2's stderr. Passed requests \
            are written to stdout, which most likely was not exported, or lost its payload. \(Finding.export)
            """
        case .otherRecords:
            """
            No request that the SDK logged is among \(records). Most likely the export's filter named another log (such \
            as the request log) or a severity, which drops passed requests: they are logged at DEBUG. Or no callable \
            function was called, or none logs its requests: Dart never does, firebase-functions only since 3.14, and \
            Python logs no passed requests at its default log level. \(Finding.export)
            """
        default: ""
        }
    }

    /// The same where there is no room for causes.
    var nothingInALine: Wording { nothingWording.firstSentence + " " + Finding.export }

    private static let export: Wording = "\(code: "callcheck export") prints commands for a complete export."
}

extension Summary {
    /// Why there is nothing to show, as sentences on one line for the error stream; nil when there is something.
    package var reasonForNothing: String? { nothingFound?.nothingWording.text(ascii: false) }
}
