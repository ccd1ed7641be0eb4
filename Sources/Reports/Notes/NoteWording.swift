package import Readiness
import Verifications

extension Note {
    var wording: Wording {
        switch self {
        case .nothingFound(let reason): reason.wording
        case .unreadable(let problem), .unexpectedContainer(let problem), .unterminatedArray(let problem):
            Note.located(problem)
        case .moreProblems(let problem): "\(sentence: problem.detail)"
        case .malformed(let count, let first):
            """
            \(Figures.counted(count, "record")) \(count == 1 ? "shows" : "show") the verification label but \
            \(count == 1 ? "is" : "are") not valid JSON, and \(count == 1 ? "is" : "are") not \
            counted\(Note.place(of: first)). The export was cut or edited: export again.
            """
        case .oversized(let count, let first): Note.oversized(count, first)
        case .unread(let requests):
            """
            \(Note.unread(requests)) If that could change a verdict, it is held back (\(code: "uncounted")). Fix that \
            part of the input, or export it again.
            """
        case .unnamed(let count):
            """
            \(Figures.counted(count, "verification")) \(count == 1 ? "does" : "do") not say which function was called: \
            see the row \(name: FunctionIdentity.unknown). Export whole log entries, with their resource, to tell them \
            apart.
            """
        case .unplaced(let count):
            """
            \(Figures.counted(count, "verification")) \(count == 1 ? "names" : "name") a function but not its project \
            or region (shown as \(name: FunctionIdentity.unknown)), and no id by which duplicates are found. \
            \(code: "firebase functions:log") prints no more than that, and by default only the last 35 lines \
            (\(code: "--lines")). Do not pass the same day twice. For a decision use \(code: "gcloud logging read"), as \
            \(code: "callcheck export") prints it.
            """
        case .passesNotSeen(let functions):
            """
            \(list: functions): the log has no passed requests, only refused tokens. The SDK logs passes at DEBUG, \
            generation 2 writes them to stdout, and Python drops them unless its log level is lowered. Export stdout and \
            stderr without a severity filter.
            """
        case .failuresNotSeen(let project):
            """
            \(name: project): no failed verification of any generation 2 function, and nothing of their stderr log. \
            Passes go to stdout and failures to stderr, so an export of stdout alone looks perfect. Export \
            \(code: "run.googleapis.com%2Fstderr") too.
            """
        case .notCalled(let functions):
            """
            \(list: functions) \(functions.count == 1 ? "is" : "are") deployed, but nobody calls \
            \(functions.count == 1 ? "it" : "them"). If the app has not launched yet, enforce now: nobody can be \
            refused. If it has, callcheck cannot tell.
            """
        case .shortSpan(let first, let last):
            """
            The input spans only \(Figures.duration(seconds: last.seconds - first.seconds)): \
            \(code: "gcloud logging read") reads one day by default. To cover weekdays and weekends, \
            export again with \(code: "--freshness=28d").
            """
        case .gaps(let project, let gaps): Note.gaps(project, gaps)
        case .passesAtInfo(let functions):
            """
            \(list: functions) \(functions.count == 1 ? "logs" : "log") passes at INFO, as firebase-functions 3.x and \
            Python do. Version 3.x refuses INVALID tokens already and has no \(code: "enforceAppCheck"): move to 4 or \
            newer before you enforce.
            """
        case .policyDoubted(let function, .off):
            """
            \(function): enforced by policy, but the log shows that enforcement is off, so requests without a valid token \
            are let through. Deploy with \(code: "enforceAppCheck: true"), or correct the policy.
            """
        case .policyDoubted(let function, .served(let count, let since)):
            """
            \(function): enforced by policy, but \(Figures.counted(count, "request")) without a valid token \
            \(count == 1 ? "was" : "were") answered 200 since \(CalendarText.moment(since)). A streaming function answers \
            so whatever it does; any other has been rolled back: take \(code: "enforced:") out of the policy.
            """
        case .policyDoubted(let function, .switched(let start)):
            """
            \(function): the policy names another time for the switch than the log shows. Write \
            \(code: "enforced: \(start)") into it.
            """
        case .enforcedByLog(let function, let enforcement, let entry): Note.enforcedByLog(function, enforcement, entry)
        case .staged(let function, let revisions): Note.staged(function, revisions)
        case .refusedRecently(let function, let recent): "\(function): " + recent.wording
        case .otherStatuses(let count, let functions):
            """
            \(Figures.counted(count, "request")) of \(list: functions) \(count == 1 ? "carries" : "carry") a \
            status that the SDK does not write (OTHER). As an App Check status it counts as no valid token: look at \
            these entries before you decide.
            """
        case .afterAsOf(let count, let asOf):
            """
            \(Figures.counted(count, "request")) \(count == 1 ? "lies" : "lie") on days after \
            \(CalendarText.day(asOf)), the as-of day: counted and shown, never judged. Unless you set \
            \(code: "--as-of"), a clock is wrong.
            """
        case .undated(let count):
            """
            \(Figures.counted(count, "request")) \(count == 1 ? "has" : "have") no time: in the counts, in no day \
            and in no verdict. Export whole log entries, with their \(code: "timestamp").
            """
        case .daysPooled(let count):
            """
            \(Figures.counted(count, "request")) of functions with more than \
            \(Figures.grouped(FunctionTally.dayLimit)) days \(count == 1 ? "is" : "are") in the counts and in no day. \
            No log lives that long: look for forged timestamps.
            """
        case .ignored(let count):
            """
            \(Figures.counted(count, "entry", plural: "entries")) \(count == 1 ? "is" : "are") ignored: from the \
            emulator, which does not check tokens, or of functions that are not shown.
            """
        case .discarded(let found, let functions):
            """
            \(Figures.counted(found.total, "entry", plural: "entries")) of \(list: functions) \
            \(found.total == 1 ? "is" : "are") ignored, as the function's own code may have written \
            \(found.total == 1 ? "it" : "them"): \(found.kinds). Log what clients send under its own key: \
            \(code: "logger.info(\"got\", { data: req.data })").
            """
        case .duplicates(let count):
            """
            \(Figures.counted(count, "duplicate entry", plural: "duplicate entries")) \
            \(count == 1 ? "was" : "were") removed: exports overlap, or a sink wrote twice. No action needed.
            """
        case .filtered(let count):
            """
            \(Figures.counted(count, "request")) \(count == 1 ? "is" : "are") outside the time range or the selection.
            """
        case .counts(let sources):
            """
            \(Figures.counted(sources, "input")) \(sources == 1 ? "holds" : "hold") counts of a query, not entries. Nothing is \
            known of callers, of causes, and of requests that wrote no verification. Of a day that several results have, the \
            larger count of each status stays.
            """
        case .wholeDays(let days): Note.wholeDays(days)
        case .assumeComplete(let assumed): assumed.note
        case .leftOut(let count, let kinds):
            """
            \(Figures.counted(count, "request")) \(count == 1 ? "was" : "were") left out because of \
            \(count == 1 ? "its user agent" : "their user agents"), which anyone can set \
            (\(set: .ignoreClients, .texts(kinds.map(\.name)))).
            """
        case .accepted(let functions): "Accepted, though enforcement would refuse it: \(list: functions)."
        case .few(let functions): "Ready by count (\(code: "max-per-week")), not by share: \(list: functions)."
        case .recentTrouble(let functions):
            "Trouble in the last four weeks: \(list: functions). Find out who sends these requests."
        case .callersUnknown(let functions):
            """
            callcheck cannot tell who would be refused by \(list: functions): too few of these requests have a row in the \
            request log.
            """
        case .callersNotRead:
            """
            Platforms were not looked at (\(set: .callers, .text("none"))), so a whole one may be refused.
            """
        }
    }

    private static func enforcedByLog(
        _ function: Wording, _ enforcement: Enforcement, _ entry: MissingEntry
    ) -> Wording {
        // On one line, without what a line of its own begins with.
        let entry = entry.lines.map { $0.dropFirst(2) }.joined(separator: ", ")
        return """
            \(function): the log shows that enforcement is on, \(enforcement.span). Add this entry to the policy: \
            \(code: "- {\(entry)}")
            """
    }

    private static func staged(_ function: Wording, _ revisions: [RevisionSummary]) -> Wording {
        let parts = revisions.filter { $0.state != .unknown }.map { revision -> Wording in
            let share = "\(Figures.grouped(revision.refused)) of \(Figures.counted(revision.requests, "request"))"
            return revision.state == .on
                ? "\(name: revision.name) refused \(share)" : "\(name: revision.name) refuses none"
        }
        let list: Wording = parts.isEmpty ? "" : ": \(list: parts)"
        return "\(function) is staged: only some of its revisions enforce App Check\(list)."
    }

    static func unread(_ requests: Int?) -> Wording {
        requests.map { "Up to \(Figures.counted($0, "more request")) could not be read." }
            ?? "A part of the input could not be read. It may hold any number of requests."
    }

    private static func located(_ problem: Problem) -> Wording {
        let place = problem.byteOffset.map { ", byte \(Figures.grouped($0))" } ?? ""
        return """
            \(name(of: problem.source))\(place) (\(problem.kind.rawValue)): \
            \(sentence: problem.detail)
            """
    }

    private static func oversized(_ count: Int, _ first: Problem?) -> Wording {
        let lost =
            count == 1
            ? "was skipped: if it was a verification, it is not counted"
            : "were skipped: verifications among them are not counted"
        return """
            \(Figures.counted(count, "record")) longer than the limit \(lost)\(place(of: first)). Raise \
            \(code: "max-record-bytes") to read \(count == 1 ? "it" : "them").
            """
    }

    private static func name(of source: String?) -> Wording {
        guard let source, source != "-" else { return "standard input" }
        return "\(name: source)"
    }

    private static func place(of problem: Problem?) -> Wording {
        guard let problem, let source = problem.source else { return "" }
        let record = problem.record.map { ", record \(Figures.grouped($0))" } ?? ""
        return " (first: \(name(of: source))\(record))"
    }

    private static func gaps(_ project: String, _ gaps: [ClosedRange<Day>]) -> Wording {
        let count = gaps.reduce(0) { $0 + $1.lowerBound.distance(to: $1.upperBound) + 1 }
        let shown = gaps.prefix(3).map { CalendarText.span(from: $0.lowerBound, to: $0.upperBound) }
        let rest = gaps.count > shown.count ? " and more" : ""
        return """
            \(name: project): no verification on \(Figures.counted(count, "day")) in between \
            (\(shown.joined(separator: ", "))\(rest)). Either nobody called, or the export misses \
            \(count == 1 ? "it" : "them"): export \(count == 1 ? "that day" : "those days") again to be sure.
            """
    }

    static func wholeDays(_ days: WholeDays) -> Wording {
        let span =
            switch (days.first, days.last) {
            case (let first?, let last?): CalendarText.during(first, last)
            case (let first?, nil): "from \(CalendarText.day(first)) on"
            case (nil, let last?): "up to \(CalendarText.day(last))"
            case (nil, nil): "all of them"
            }
        return """
            Counts of a query, and sealed days of a store, have no times, so \(code: "--since") and \(code: "--until") \
            count whole days here: \(span).
            """
    }
}

extension Summary {
    /// Which whole days replace bounds in time, as a sentence on one line for standard error; nil where none did.
    package var noteOnDays: String? { widenedDays.map { Note.wholeDays($0).text(ascii: false) } }
}

extension Discarded {
    /// How many of each kind, and what tells them from the SDK's.
    fileprivate var kinds: String {
        let kinds = [
            (unlabelled, "without the SDK's label"), (otherMessage, "without the SDK's message"),
            (repeated, "not the first of \(repeated == 1 ? "its request" : "their requests")"),
        ]
        return kinds.filter { $0.0 > 0 }.map { "\(Figures.grouped($0)) \($1)" }.joined(separator: ", ")
    }
}
