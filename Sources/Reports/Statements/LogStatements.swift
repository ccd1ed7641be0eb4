import Readiness
import Verifications

/// Texts on gaps in the log, and on the origin of its entries.
extension Finding {
    func logStatement(_ assessment: Assessment) -> Statement? {
        switch code {
        case .passesNotSeen:
            let place = days.first.map { " on \(CalendarText.day($0))" } ?? ""
            return says(
                """
                None of \(Figures.counted(number, "request")) passed\(place). Either all of them failed, or the \
                export left out requests that passed.
                """ + Finding.lost,
                short: "0 of \(Figures.grouped(number)) passed\(place)", steps: Finding.search,
                shared: ("The log lacks passed requests", "0 of \(Figures.grouped(number))\(place)", Finding.lost))
        case .passesSampled:
            return says(
                """
                \(Figures.counted(number, "request")) were answered and have no entry: passed requests were sampled or \
                excluded.
                """ + Finding.lost,
                short: "\(Figures.grouped(number)) requests without an entry", steps: Finding.search,
                shared: ("The log lacks passed requests", "\(Figures.grouped(number)) without an entry", Finding.lost))
        case .allRefused:
            return says(
                """
                None of \(Figures.counted(number, "request")) passed: every client sends a bad token. Is \
                the app registered, and is the App Check API enabled? Or did a severity filter drop what passed?
                """)
        case .failuresNotSeen:
            return says(
                """
                The window has no invalid token and no stderr entry of any generation 2 function, so refused tokens may \
                be missing. Export \(code: "run.googleapis.com%2Fstderr") too.
                """,
                short: "no stderr log", steps: Finding.exportBoth)
        case .failuresStopped:
            let (perDay, days) = (rate ?? 0, Figures.days((value ?? 0) / (rate ?? 1)))
            return says(
                """
                No request failed for \(days), after \(Figures.amount(perDay)) a day before. The log with the failures \
                may not have arrived since.
                """,
                short: "stderr silent for \(days)", steps: Finding.exportBoth)
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
            return says(
                """
                The first \(days) of the window have no failed request, the days after them \(Figures.amount(perDay)) a \
                day. \(cause)
                """,
                short: "stderr begins \(days) late", steps: Finding.exportBoth)
        case .failingBeforeLog:
            return says(
                """
                \(Figures.counted(number, "request")) failed with a 5xx status on \(days.spans), before the SDK logged \
                \(number == 1 ? "it" : "them"). \(code: "consumeAppCheckToken") with an old \(code: "firebase-admin") \
                does that. Look at the function's error log.
                """,
                short: "every request fails")
        case .failuresUnproven:
            return says(
                """
                No refused token among \(Figures.counted(number, "request")), nor in the rest of the log. Either all is \
                well, or an export filter dropped WARNING. Check the filter before you enforce.
                """)
        case .uncounted:
            guard value != nil else {
                return says(
                    """
                    A part of the log cannot be read and may contain any number of requests. Fix the log or export it \
                    again.
                    """,
                    short: "a part of the log cannot be read")
            }
            let limit = assessment.policy.numbers.maxBlocked
            return says(
                """
                \(Figures.counted(number, "request")) could not be counted. If none of them had a valid App Check \
                token, up to \(Figures.rate(rate ?? 1, .up, against: limit)) could be refused \
                (limit \(Figures.exactRate(limit))). Fix the log or export it again.
                """,
                short: "\(Figures.counted(number, "request")) could not be counted")
        case .coverageGap: return gapStatement(isYoung: assessment.reasons.has(.tooFewDays))
        case .projectGap: return statementOfProject
        case .noTraffic, .stale, .exportOld, .notCalled, .perhapsNotCallable: return silenceStatement
        default: return originStatement
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

    var statementOfProject: Statement {
        let end: Wording = " If functions were called then, export again."
        return says("No data for \(missingDays)." + end, shared: ("No data", "\(missingDays)", end))
    }

    /// `2 days: 19–20 Sep 2026`.
    private var missingDays: String { (days.count == 1 ? "" : "\(Figures.grouped(days.count)) days: ") + days.spans }

    /// Returns the text on missing days; confirming that nobody called before does not help a log of too few days.
    private func gapStatement(isYoung: Bool) -> Statement {
        let list = Finding.list(days)
        let fill: Statement.Steps = { explanation in
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
            return says(
                """
                The log starts on \(CalendarText.day(begins)); the verdict needs earlier days. Export a longer log
                """ + confirming + ".",
                short: "log starts on \(CalendarText.day(begins))", steps: fill)
        }
        return says(
            """
            The project has no requests at all on \(list), so the export may have a gap. Export the log again, or \
            confirm that it is complete with \(set: \.assumeComplete, .everything).
            """,
            short: "\(Figures.counted(days.count, "day")) without data", steps: fill)
    }

    private var silenceStatement: Statement? {
        let last = days.first.map { CalendarText.day($0) }
        switch code {
        case .noTraffic:
            return says(
                "No requests in the window\(last.map { "; the last one was on \($0)" } ?? "").",
                short: last.map { "no request since \($0)" } ?? "no request at all", steps: Finding.checkDeployment)
        case .stale:
            return says(
                """
                No requests for \(Figures.counted(number, "day")), since \(last ?? ""). Before that they were never \
                more than \(Figures.counted(max(1, count), "day")) apart. Was the function removed, renamed, or left \
                out of the export?
                """,
                short: "silent since \(last ?? "")", steps: Finding.checkDeployment)
        case .exportOld:
            let age = Figures.duration(hours: value ?? 0)
            return says(
                """
                The project's newest request is \(age) old (\(instant.map(CalendarText.minute) ?? "") UTC). callcheck \
                rejects logs older than \(Figures.duration(hours: limit ?? 0)). Export the log again.
                """,
                short: "log is \(age) old", steps: { [.item("A newer export:"), $0.newExport] },
                shared: ("Their logs are too old", "\(age)", " Export them again."))
        default:
            let perhaps =
                code == .notCalled ? "" : " The inventory does not say whether it is a callable function."
            return says(
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

    private var originStatement: Statement? {
        switch code {
        case .unattributed:
            says(
                """
                This log does not name the project, so duplicates cannot be removed and failures may be missing. Take \
                the result as a preview. For a verdict, export the log with \(code: "gcloud logging read"); \
                \(code: "callcheck export") prints the command.
                """,
                short: "project unknown")
        case .mixedText:
            says(
                """
                \(Figures.counted(count, "entry", plural: "entries")) without the SDK's label next to \
                \(Figures.grouped(total)) with it: some are forged. Check what this function logs.
                """,
                short: "some entries are forged")
        case .mixedSeverities:
            says(
                """
                On \(Figures.counted(number, "day")) passed requests are logged at DEBUG and at another severity. The \
                SDK uses only one, so some are forged. Check what this function logs.
                """,
                short: "some entries are forged")
        case .twoShapes:
            says(
                """
                On \(Figures.counted(number, "day")) several inputs without \(code: "insertId") overlap. They may be one \
                log in two shapes, and count twice. Keep one of them, or export \(code: "insertId") too.
                """,
                short: "perhaps one log in two shapes")
        case .textOnly:
            says(
                """
                Judged on log text without the SDK's label. If the function logs client text at the start of a \
                line, clients can forge such entries.
                """)
        case .sdk3:
            says(
                lead: "Passed requests are logged at INFO, as firebase-functions 3.x does",
                end: """
                     That version already refuses INVALID tokens and has no \(code: "enforceAppCheck"). Upgrade to \
                    version 4 or newer first.
                    """)
        case .passesAtInfo:
            says(
                lead: "Passed requests are logged at INFO, as firebase-functions 3.x and Python do",
                end: """
                     Version 3.x refuses INVALID tokens already and has no \(code: "enforceAppCheck"): upgrade to 4 or \
                    newer before you enforce.
                    """)
        case .otherStatus:
            says(
                lead: "Some requests have the status OTHER, which the SDK never writes",
                item: "\(Figures.grouped(number))",
                end: " An App Check token with it is not valid. Look at these entries before you decide.")
        case .discarded: discardedStatement
        default: nil
        }
    }

    private var discardedStatement: Statement {
        let lead: Wording = "Entries that the function itself may have written are ignored"
        let end: Wording = """
             Log what clients send under its own key: \(code: "logger.info(\"got\", { data: req.data })").
            """
        return says(lead + ": \(discardedKinds)." + end, shared: (lead, "\(Figures.grouped(number))", end))
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
