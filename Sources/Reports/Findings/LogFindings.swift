import Readiness
import Verifications

/// Texts on gaps in the log, and on the origin of its entries.
extension Finding {
    func logText(_ assessment: Assessment) -> FindingText? {
        switch code {
        case .passesNotSeen:
            let place = days.first.map { " on \(CalendarText.day($0))" } ?? ""
            return FindingText(
                """
                None of \(Figures.counted(number, "request")) passed\(place). Either all of them failed, or the \
                export left out requests that passed.
                """ + Finding.lost,
                brief: "0 of \(Figures.grouped(number)) passed\(place)", remedy: Finding.search,
                shared: { ("The log lacks passed requests", "0 of \(Figures.grouped(number))\(place)", Finding.lost) })
        case .passesSampled:
            return FindingText(
                """
                \(Figures.counted(number, "request")) were answered and have no entry: passed requests were sampled or \
                excluded.
                """ + Finding.lost,
                brief: "\(Figures.grouped(number)) requests without an entry", remedy: Finding.search,
                shared: {
                    ("The log lacks passed requests", "\(Figures.grouped(number)) without an entry", Finding.lost)
                })
        case .allRefused:
            return FindingText(
                aside: """
                    None of \(Figures.counted(number, "request")) passed: every client sends a bad token. Is \
                    the app registered, and is the App Check API enabled? Or did a severity filter drop what passed?
                    """)
        case .failuresNotSeen:
            return FindingText(
                """
                The window has no invalid token and no stderr entry of any generation 2 function, so refused tokens may \
                be missing. Export \(code: "run.googleapis.com%2Fstderr") too.
                """,
                brief: "no stderr log", remedy: Finding.exportBoth)
        case .failuresStopped:
            let (perDay, days) = (rate ?? 0, Figures.days((value ?? 0) / (rate ?? 1)))
            return FindingText(
                """
                No request failed for \(days), after \(Figures.amount(perDay)) a day before. The log with the failures \
                may not have arrived since.
                """,
                brief: "stderr silent for \(days)", remedy: Finding.exportBoth)
        case .failuresLate:
            let (perDay, days) = (rate ?? 0, Figures.counted(count, "day"))
            let firstFailure = assessment.period.window?.from.advanced(by: count)
            let release = assessment.reasons[.releaseRefused]?.platforms.first
            let cause =
                if let firstFailure, let release, release.since.day >= firstFailure {
                    "That fits the refused release."
                } else {
                    "The log with the failures may begin later than the other one."
                }
            return FindingText(
                """
                The first \(days) of the window have no failed request, the days after them \(Figures.amount(perDay)) a \
                day. \(cause)
                """,
                brief: "stderr begins \(days) late", remedy: Finding.exportBoth)
        case .failingBeforeLog:
            return FindingText(
                """
                \(Figures.counted(number, "request")) failed with a 5xx status on \(days.spans), before the SDK logged \
                \(number == 1 ? "it" : "them"). \(code: "consumeAppCheckToken") with an old \(code: "firebase-admin") \
                does that. Look at the function's error log.
                """,
                brief: "every request fails")
        case .failuresUnproven:
            return FindingText(
                aside: """
                    No refused token among \(Figures.counted(number, "request")), nor in the rest of the log. Either all is \
                    well, or an export filter dropped WARNING. Check the filter before you enforce.
                    """)
        case .uncounted:
            guard value != nil else {
                return FindingText(
                    """
                    A part of the log cannot be read and may contain any number of requests. Fix the log or export it \
                    again.
                    """,
                    brief: "a part of the log cannot be read")
            }
            let limit = assessment.policy.numbers.maxBlocked
            return FindingText(
                """
                \(Figures.counted(number, "request")) could not be counted. If none of them had a valid App Check \
                token, up to \(Figures.rate(rate ?? 1, .up, against: limit)) could be refused \
                (limit \(Figures.exactRate(limit))). Fix the log or export it again.
                """,
                brief: "\(Figures.counted(number, "request")) could not be counted")
        case .coverageGap: return gapText(isYoung: assessment.reasons.has(.tooFewDays))
        case .projectGap: return FindingText(aside: projectWording)
        case .noTraffic, .stale, .exportOld, .notCalled, .perhapsNotCallable: return silenceText
        default: return originText
        }
    }

    /// How passed requests get lost.
    private static let lost: Wording = """
         The SDK logs passed requests at DEBUG, generation 2 writes them to stdout, and Python drops them unless its \
        log level is lowered. Export both streams without a severity filter.
        """

    private static func search(_ explanation: Explanation) -> [Document.Block] {
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

    private static func exportBoth(_ explanation: Explanation) -> [Document.Block] {
        [.item("Export stderr as well; generation 2 writes failures there:"), explanation.newExport]
    }

    /// The words of a project's finding.
    var projectWording: Wording { "No data for \(missingDays).\(Finding.exportAgain)" }

    /// `2 days: 19–20 Sep 2026`.
    var missingDays: String { (days.count == 1 ? "" : "\(Figures.grouped(days.count)) days: ") + days.spans }

    static let exportAgain = " If functions were called then, export again."

    /// Returns the text on missing days; confirming that nobody called before does not help a log of too few days.
    private func gapText(isYoung: Bool) -> FindingText {
        let list = Finding.list(days)
        let fill: FindingText.Remedy = { explanation in
            guard let first = days.first, let last = days.last else { return [] }
            return [
                .item(
                    """
                    \(list) \(days.count == 1 ? "is" : "are") missing. If nobody called then, confirm that with \
                    \(set: \.assumeComplete, .everything). Otherwise add this export:
                    """),
                .code(explanation.commands.export(of: first...last), language: "sh"),
            ]
        }
        if let begins = instant?.day, days.allSatisfy({ $0 < begins }) {
            let confirming: Wording =
                isYoung ? "" : ", or confirm that nobody called before with \(set: \.assumeComplete, .everything)"
            return FindingText(
                """
                The log starts on \(CalendarText.day(begins)); the verdict needs earlier days. Export a longer log
                """ + confirming + ".",
                brief: "log starts on \(CalendarText.day(begins))", remedy: fill)
        }
        return FindingText(
            """
            The project has no requests at all on \(list), so the export may have a gap. Export the log again, or \
            confirm that it is complete with \(set: \.assumeComplete, .everything).
            """,
            brief: "\(Figures.counted(days.count, "day")) without data", remedy: fill)
    }

    private var silenceText: FindingText? {
        let last = days.first.map { CalendarText.day($0) }
        switch code {
        case .noTraffic:
            return FindingText(
                "No requests in the window\(last.map { "; the last one was on \($0)" } ?? "").",
                brief: last.map { "no request since \($0)" } ?? "no request at all", remedy: Finding.checkDeployment)
        case .stale:
            return FindingText(
                """
                No requests for \(Figures.counted(number, "day")), since \(last ?? ""). Before that they were never \
                more than \(Figures.counted(max(1, count), "day")) apart. Was the function removed, renamed, or left \
                out of the export?
                """,
                brief: "silent since \(last ?? "")", remedy: Finding.checkDeployment)
        case .exportOld:
            let age = Figures.duration(hours: value ?? 0)
            return FindingText(
                """
                The project's newest request is \(age) old (\(instant.map(CalendarText.minute) ?? "") UTC). callcheck \
                rejects logs older than \(Figures.duration(hours: limit ?? 0)). Export the log again.
                """,
                brief: "log is \(age) old", remedy: { [.item("A newer export:"), $0.newExport] },
                shared: { ("Their logs are too old", "\(age)", " Export them again.") })
        default:
            let perhaps =
                code == .notCalled ? "" : " The inventory does not say whether it is a callable function."
            return FindingText(
                lead: "Deployed, and nobody calls it",
                end: """
                     If the app has not launched yet, enforce now: nobody can be refused. If it has, there is not enough \
                    data.\(perhaps)
                    """)
        }
    }

    private static func checkDeployment(_ explanation: Explanation) -> [Document.Block] {
        let isNew = explanation.function.totals.total == 0
        return [
            .item(
                """
                No recent requests. Is the function still deployed and called? \(code: "firebase functions:list") shows what is \
                deployed.\(isNew ? " If the app is not launched yet, you can enforce at once." : "")
                """)
        ]
    }

    private var originText: FindingText? {
        switch code {
        case .unattributed:
            FindingText(
                """
                This log does not name the project, so duplicates cannot be removed and failures may be missing. Take \
                the result as a preview. For a verdict, export the log with \(code: "gcloud logging read"); \
                \(code: "callcheck export") prints the command.
                """,
                brief: "project unknown")
        case .mixedText:
            FindingText(
                """
                \(Figures.counted(count, "entry", plural: "entries")) without the SDK's label next to \
                \(Figures.grouped(total)) with it: some are forged. Check what this function logs.
                """,
                brief: "some entries are forged")
        case .mixedSeverities:
            FindingText(
                """
                On \(Figures.counted(number, "day")) passed requests are logged at DEBUG and at another severity. The \
                SDK uses only one, so some are forged. Check what this function logs.
                """,
                brief: "some entries are forged")
        case .twoShapes:
            FindingText(
                """
                On \(Figures.counted(number, "day")) several inputs without \(code: "insertId") overlap. They may be one \
                log in two shapes, and count twice. Keep one of them, or export \(code: "insertId") too.
                """,
                brief: "perhaps one log in two shapes")
        case .textOnly:
            FindingText(
                aside: """
                    Judged on log text without the SDK's label. If the function logs client text at the start of a \
                    line, clients can forge such entries.
                    """)
        case .sdk3:
            FindingText(
                lead: "Passed requests are logged at INFO, as firebase-functions 3.x does",
                end: """
                     That version already refuses INVALID tokens and has no \(code: "enforceAppCheck"). Upgrade to \
                    version 4 or newer first.
                    """)
        case .passesAtInfo:
            FindingText(
                lead: "Passed requests are logged at INFO, as firebase-functions 3.x and Python do",
                end: """
                     Version 3.x refuses INVALID tokens already and has no \(code: "enforceAppCheck"): upgrade to 4 or \
                    newer before you enforce.
                    """)
        case .otherStatus:
            FindingText(
                lead: "Some requests have the status OTHER, which the SDK never writes",
                item: "\(Figures.grouped(number))",
                end: " An App Check token with it is not valid. Look at these entries before you decide.")
        case .discarded: discardedText
        default: nil
        }
    }

    private var discardedText: FindingText {
        let lead: Wording = "Entries that the function itself may have written are ignored"
        let end: Wording = """
             Log what clients send under its own key: \(code: "logger.info(\"got\", { data: req.data })").
            """
        return FindingText(
            aside: lead + ": \(discardedKinds)." + end, shared: { (lead, "\(Figures.grouped(number))", end) })
    }

    /// The number of entries of each kind, and how they differ from the SDK's.
    private var discardedKinds: String {
        let kinds = ["without the SDK's label", "without the SDK's message", "repeating a request"]
        return zip(counts, kinds).filter { $0.0 > 0 }.map { "\(Figures.grouped($0)) \($1)" }.joined(separator: ", ")
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
