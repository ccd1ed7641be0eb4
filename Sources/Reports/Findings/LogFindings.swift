import Readiness
import Verifications

extension Passes {
    /// How passed requests get lost.
    static let lost: Wording = """
        The SDK logs passed requests at DEBUG, generation 2 writes them to stdout, and Python drops them unless its log \
        level is lowered. Export both streams without a severity filter.
        """

    var words: Words {
        switch self {
        case .notSeen(let day, let verifications):
            let place = day.map { " on \(CalendarText.day($0))" } ?? ""
            return Words(
                """
                None of \(Figures.counted(verifications, "request")) passed\(place). Either all of them failed, or the \
                export left out requests that passed.
                """ + " " + Passes.lost,
                brief: "0 of \(Figures.grouped(verifications)) passed\(place)", remedy: Passes.search,
                shared: {
                    Words.Shared(
                        "The log lacks passed requests", "0 of \(Figures.grouped(verifications))\(place)",
                        end: " " + Passes.lost)
                })
        case .allRefused(let verifications):
            return Words(
                aside: """
                    None of \(Figures.counted(verifications, "request")) passed: every client sends a bad token. Is \
                    the app registered, and is the App Check API enabled?
                    """)
        }
    }

    private static func search(_ explanation: Explanation) -> [Words.Block] {
        [
            .item("Does the log have any request that passed?"),
            .code(explanation.commands.passes, language: "sh"),
            .item("If so, your export drops them. Export everything, without a severity filter:"),
            explanation.newExport,
            .item(
                """
                If not, one of these is true: (1) an exclusion filter of the log bucket drops DEBUG; (2) this is a \
                Python function without \(code: "logging.getLogger().setLevel(logging.INFO)"); (3) every request really \
                fails.
                """),
        ]
    }
}

extension Failures {
    var words: Words {
        switch self {
        case .notSeen:
            Words(
                """
                The window has no invalid token and no stderr entry of any generation 2 function, so refused tokens may \
                be missing. Export \(code: "run.googleapis.com%2Fstderr") too.
                """,
                brief: "stderr log not exported", remedy: Failures.exportBoth)
        case .stopped(let days, let perDay):
            Words(
                """
                No request failed for \(Figures.days(days)), after \(Figures.amount(perDay)) a day before. The log \
                with the failures may not have arrived since.
                """,
                brief: "stderr silent for \(Figures.days(days))",
                remedy: Failures.exportBoth)
        case .unproven(let admitted):
            Words(
                aside: """
                    No failure among \(Figures.counted(admitted, "request")), nor in the rest of the log. Either all is \
                    well, or an export filter dropped WARNING. Check the filter before you enforce.
                    """)
        }
    }

    private static func exportBoth(_ explanation: Explanation) -> [Words.Block] {
        [
            .item("Export stderr as well; generation 2 writes failures there:"),
            explanation.newExport,
        ]
    }
}

extension Completeness {
    var words: Words {
        switch self {
        case .coverageGap(let days, let begins?) where days.allSatisfy { $0 < begins }:
            Words(
                """
                The log starts on \(CalendarText.day(begins)); the verdict needs earlier days. Export a longer log, or \
                confirm that nobody called before with \(set: .assumeComplete, .text("true")).
                """,
                brief: "log starts on \(CalendarText.day(begins))", remedy: { Completeness.fill(days, $0) })
        case .coverageGap(let days, _):
            Words(
                """
                The project has no requests at all on \(Reason.list(days)), so the export may have a gap. Export the \
                log again, or confirm that it is complete with \(set: .assumeComplete, .text("true")).
                """,
                brief: "\(Figures.counted(days.count, "day")) without data", remedy: { Completeness.fill(days, $0) })
        case .uncounted(let requests?, let upper, let limit):
            Words(
                """
                \(Figures.counted(requests, "request")) could not be counted. If none of them had a valid App Check \
                token, up to \(Figures.rate(upper, .up, against: limit)) could be refused \
                (limit \(Figures.exactRate(limit))). Fix the log or export it again.
                """,
                brief: "\(Figures.counted(requests, "request")) could not be counted")
        case .projectGap(let days):
            Words(
                aside: """
                    No data for \(days.count == 1 ? "" : "\(Figures.grouped(days.count)) days: ")\(days.spans). If \
                    functions were called then, export \(days.count == 1 ? "that day" : "those days") again.
                    """)
        case .uncounted(nil, _, _):
            Words(
                """
                A part of the log cannot be read and may contain any number of requests. Fix the log or export it again.
                """,
                brief: "a part of the log cannot be read")
        }
    }

    private static func fill(_ days: [Day], _ explanation: Explanation) -> [Words.Block] {
        guard let first = days.first, let last = days.last else { return [] }
        return [
            .item(
                """
                \(Reason.list(days)) \(days.count == 1 ? "is" : "are") missing. If nobody called then, confirm that with \
                \(set: .assumeComplete, .text("true")). Otherwise add this export:
                """),
            .code(explanation.commands.export(of: first...last), language: "sh"),
        ]
    }
}

extension Silence {
    var words: Words {
        switch self {
        case .noTraffic(let last):
            Words(
                "No requests in the window\(last.map { "; the last one was on \(CalendarText.day($0))" } ?? "").",
                brief: last.map { "no request since \(CalendarText.day($0))" } ?? "no request at all",
                remedy: Silence.checkDeployment)
        case .stale(let last, let silentDays, let longestDistance):
            Words(
                """
                No requests for \(Figures.counted(silentDays, "day")), since \(CalendarText.day(last)). Before that \
                they were never more than \(Figures.counted(max(1, longestDistance), "day")) apart. Was the function \
                removed, renamed, or left out of the export?
                """,
                brief: "silent since \(CalendarText.day(last))",
                remedy: Silence.checkDeployment)
        case .exportOld(let newest, let hours, let limit):
            Words(
                """
                The project's newest request is \(Figures.duration(hours: hours)) old (\(CalendarText.minute(newest)) \
                UTC). callcheck rejects logs older than \(Figures.duration(hours: Double(limit))). Export the log again.
                """,
                brief: "log is \(Figures.duration(hours: hours)) old",
                remedy: { [.item("A newer export:"), $0.newExport] },
                shared: {
                    Words.Shared(
                        "Their logs are too old", "\(Figures.duration(hours: hours))", end: " Export them again.")
                })
        case .notCalled(let trigger):
            Words(
                lead: "Deployed, and nobody calls it",
                end: """
                     If the app has not launched yet, enforce now: nobody can be refused. If it has, there is not enough \
                    data.\(trigger == .callable ? "" : " The inventory does not say whether it is a callable function.")
                    """)
        }
    }

    private static func checkDeployment(_ explanation: Explanation) -> [Words.Block] {
        [
            .item(
                """
                No recent requests. Is the function still deployed and called? \(code: "firebase functions:list") shows what is \
                deployed. If the app is not launched yet, you can enforce at once.
                """)
        ]
    }
}

extension Origin {
    var words: Words {
        switch self {
        case .unattributed:
            Words(
                """
                This log does not name the project, so duplicates cannot be removed and failures may be missing. Take \
                the result as a preview. For a verdict, export the log with \(code: "gcloud logging read"); \
                \(code: "callcheck export") prints the command.
                """,
                brief: "project unknown")
        case .mixedText(let unlabelled, let labelled):
            mixed(
                """
                \(Figures.counted(unlabelled, "entry", plural: "entries")) without the SDK's label next to \
                \(Figures.grouped(labelled)) with it: some are forged. Check what this function logs.
                """)
        case .mixedSeverities(let days):
            mixed(
                """
                On \(Figures.counted(days, "day")) passed requests are logged at DEBUG and at another severity. The \
                SDK uses only one, so some are forged. Check what this function logs.
                """)
        case .textOnly:
            Words(
                aside: """
                    Judged on log text without the SDK's label. If the function logs client text at the start of a \
                    line, clients can forge such entries.
                    """)
        case .sdk3:
            Words(
                lead: "Passed requests are logged at INFO, as firebase-functions 3.x does",
                end: """
                     That version already refuses INVALID tokens and has no \(code: "enforceAppCheck"). Upgrade to \
                    version 4 or newer first.
                    """)
        case .passesAtInfo:
            Words(
                lead: "Passed requests are logged at INFO, as firebase-functions 3.x and Python do",
                end: """
                     Version 3.x refuses INVALID tokens already and has no \(code: "enforceAppCheck"): upgrade to 4 or \
                    newer before you enforce.
                    """)
        case .otherStatus(let requests):
            Words(
                lead: "Requests have a status that the SDK does not write (OTHER)",
                item: "\(Figures.grouped(requests))",
                end: " An App Check token with it is not valid. Look at these entries before you decide.")
        case .discarded(let discarded):
            Words(
                lead: "Entries are ignored, as the function's own code may have written them",
                item: "\(discarded.kinds)",
                end: """
                     Log what clients send under its own key: \(code: "logger.info(\"got\", { data: req.data })").
                    """)
        }
    }

    private func mixed(_ sentence: Wording) -> Words { Words(sentence, brief: "some entries are forged") }
}

extension Discarded {
    /// How many of each kind, and how they differ from the SDK's.
    fileprivate var kinds: String {
        let kinds = [
            (unlabelled, "without the SDK's label"), (otherMessage, "without the SDK's message"),
            (repeated, "not the first of \(repeated == 1 ? "its request" : "their requests")"),
        ]
        return kinds.filter { $0.0 > 0 }.map { "\(Figures.grouped($0)) \($1)" }.joined(separator: ", ")
    }
}

extension [Day] {
    /// Neighbouring days together: `3 – 5 Oct 2026, 9 Oct 2026`, at most three of them.
    fileprivate var spans: String {
        let runs = reduce(into: [ClosedRange<Day>]()) { runs, day in
            if let last = runs.last, last.upperBound.distance(to: day) == 1 {
                runs[runs.count - 1] = last.lowerBound...day
            } else {
                runs.append(day...day)
            }
        }
        return runs.prefix(3).map { CalendarText.span(from: $0.lowerBound, to: $0.upperBound) }
            .joined(separator: ", ") + (runs.count > 3 ? " and more" : "")
    }
}
