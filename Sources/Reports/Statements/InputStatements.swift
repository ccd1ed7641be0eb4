package import Readiness
import Verifications

extension Finding {
    /// The statement on a finding about the input, or on why there is nothing to show.
    func statement(of summary: Summary) -> Statement {
        let sentence = problems.isEmpty && isOfNothing ? nothingSentence : inputSentence(summary)
        let short = isOfNothing ? sentence.firstSentence + " " + Finding.export : sentence.inBrief(self)
        return Statement(finding: self, sentence: sentence, short: short, isOfInput: true)
    }

    private func inputSentence(_ summary: Summary) -> Wording {
        let (isOne, requests) = (number == 1, Figures.counted(number, "request"))
        let (are, have, doNot) = isOne ? ("is", "has", "does not") : ("are", "have", "do not")
        switch code {
        case .malformed:
            return """
                \(Figures.counted(number, "record")) \(isOne ? "shows" : "show") the SDK's label but \(are) not valid \
                JSON, and \(are) not counted\(first). The log was cut or edited: export it again.
                """
        case .oversized:
            return """
                \(Figures.counted(number, "record")) longer than the limit \
                \(isOne
                    ? "was skipped: if it was a request, it is not counted"
                    : "were skipped: requests among them are not counted")\
                \(first). Raise \(code: "max-record-bytes") to read \(isOne ? "it" : "them").
                """
        case .unread:
            return
                (value == nil
                ? "A part of the input could not be read, with any number of requests."
                : "Up to \(Figures.counted(number, "more request")) could not be read.")
                    + """
                     If that could change a verdict, it is held back (\(code: "uncounted")). Fix that part of the log, or \
                    export it again.
                    """
        case .severalProjects:
            return """
                \(name: names.first ?? "") matches functions of \(Figures.grouped(number)) projects: \
                \(names: Array(names.dropFirst())). Select one with \(code: "--project").
                """
        case .withoutEntries:
            return """
                \(names: names) \(isOne ? "has" : "have") requests in the request log, but no App Check entry. A filter \
                by severity drops passed requests: they are logged at DEBUG. Export again without it. \
                Functions that are not callable never have an entry.
                """
        case .shortSpan:
            let seconds = summary.span.map { $0.last.seconds - $0.first.seconds } ?? 0
            let span = seconds < 60 ? "less than a minute" : "only \(Figures.duration(seconds: seconds))"
            return """
                The input spans \(span): \(code: "gcloud logging read") reads one day by default. To cover weekdays and \
                weekends, export again with \(code: "--freshness=35d").
                """
        case .afterAsOf:
            let asOf = summary.asOf.map { CalendarText.minute($0) } ?? ""
            return "\(requests) \(are) later than \(asOf) UTC, the as-of time, and \(doNot) count."
        case .afterClock:
            return """
                \(requests) \(are) in the future by this machine's clock and \(doNot) count. The clock is wrong, or \
                timestamps are forged.
                """
        case .undated:
            return """
                \(requests) \(have) no timestamp: \(isOne ? "it is" : "they are") in the totals but \(doNot) affect \
                verdicts. Export whole log entries, with their \(code: "timestamp").
                """
        case .daysPooled:
            return """
                \(requests) of functions with more than \(Figures.grouped(CellTable.dayLimit)) days \(are) in the \
                totals but \(doNot) affect verdicts. No log is that long: look for forged timestamps.
                """
        case .unnamed:
            return """
                \(requests) \(doNot) name the function: see the row \(name: FunctionIdentity.unknown). Export whole log \
                entries, with their resource, to tell them apart.
                """
        case .unplaced:
            return """
                \(requests) \(have) no project, region or entry ID, so duplicates cannot be found. \
                \(code: "firebase functions:log") prints none of these, and by default only the last 35 lines \
                (\(code: "--lines")). Do not pass the same day twice. For a decision use \
                \(code: "gcloud logging read"); \(code: "callcheck export") prints the command.
                """
        case .ignored:
            return """
                \(Figures.counted(number, "entry", plural: "entries")) \(are) ignored: from the emulator, which does \
                not check tokens, or of functions that are not shown.
                """
        case .duplicates:
            return """
                \(Figures.counted(number, "duplicate entry", plural: "duplicate entries")) \(isOne ? "was" : "were") \
                removed: exports overlap, or a sink wrote twice. No action needed.
                """
        case .filtered: return "\(requests) \(are) outside the time range or the selection."
        case .counts:
            return """
                \(Figures.counted(number, "input")) \(isOne ? "is a query result" : "are query results"), without \
                clients, causes and requests that the SDK did not log. If results overlap, the larger count per day and \
                status is used.
                """
        case .wholeDays: return summary.widenedDays?.wording ?? ""
        case .assumeComplete: return summary.policy.assumeComplete.note
        case .callersNotRead:
            let isOn = summary.functions.contains { !$0.identity.isService && $0.assessment.enforcement.isOn }
            return isOn
                ? "Platforms and refusals were not checked (\(set: \.callers, "none")): users may be refused."
                : "Platforms were not checked (\(set: \.callers, "none")): a whole platform might be refused."
        default:
            guard let problem = problems.first else { return "" }
            let detail: Wording = "\(sentence: problem.detail)"
            return problem.kind == .more ? detail : "\(problem.place) (\(problem.kind.rawValue)): " + detail
        }
    }

    private var first: Wording {
        guard let problem = problems.first, let source = problem.source else { return "" }
        let record = problem.record.map { ", record \(Figures.grouped($0))" } ?? ""
        return " (first: \(name: source)\(record))"
    }
}

extension Problem {
    fileprivate var place: Wording {
        let source: Wording =
            if let source, source != "-" { "\(name: source)" } else { "standard input" }
        return source + (byteOffset.map { ", byte \(Figures.grouped($0))" } ?? "")
    }
}

extension WholeDays {
    fileprivate var wording: Wording {
        let span =
            switch (first, last) {
            case (let first?, let last?): CalendarText.during(first, last)
            case (let first?, nil): "from \(CalendarText.day(first)) on"
            case (nil, let last?): "up to \(CalendarText.day(last))"
            case (nil, nil): "all of them"
            }
        return """
            Query results have no times, so \(code: "--since") and \(code: "--until") count whole days here: \(span).
            """
    }
}

extension Summary {
    /// The whole days that replace bounds in time, as a sentence on one line for standard error; nil if none did.
    package var noteOnDays: String? { widenedDays.map { $0.wording.text(ascii: false) } }
}

extension AssumeComplete {
    /// The setting in words; nil if nothing was set.
    var setting: Wording? { self == .nothing ? nil : "\(set: \.assumeComplete, self)" }

    fileprivate var note: Wording {
        guard let setting else { return "" }
        return self == .failures
            ? "\(setting): missing stderr logs are ignored."
            : "\(setting): days without data, unreadable records and missing stderr logs are ignored."
    }
}
extension Finding {
    private var nothingSentence: Wording {
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

    private static let export: Wording = "\(code: "callcheck export") prints commands for a complete export."
}

extension Summary {
    /// Why there is nothing to show.
    var nothing: Statement? { nothingFound?.statement(of: self) }

    /// Why there is nothing to show, as sentences on one line for the error stream; nil when there is something.
    package var reasonForNothing: String? { nothing?.sentence.text(ascii: false) }
}
