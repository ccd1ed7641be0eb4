import Readiness
import Verifications

extension InputFinding {
    var words: Words {
        switch self {
        case .nothing(let nothing): Words(aside: nothing.wording)
        case .problem(let problem):
            problem.kind == .more
                ? Words(aside: "\(sentence: problem.detail)")
                : Words(aside: "\(problem.place) (\(problem.kind.rawValue)): \(sentence: problem.detail)")
        case .malformed(let count, let first):
            Words(
                aside: """
                    \(Figures.counted(count, "record")) \(count == 1 ? "shows" : "show") the verification label but \
                    \(count == 1 ? "is" : "are") not valid JSON, and \(count == 1 ? "is" : "are") not \
                    counted\(InputFinding.first(first)). The log was cut or edited: export it again.
                    """)
        case .oversized(let count, let first):
            Words(
                aside: """
                    \(Figures.counted(count, "record")) longer than the limit \
                    \(count == 1
                        ? "was skipped: if it was a verification, it is not counted"
                        : "were skipped: verifications among them are not counted")\
                    \(InputFinding.first(first)). Raise \(code: "max-record-bytes") to read \(count == 1 ? "it" : "them").
                    """)
        case .unread(let requests):
            Words(
                aside: (requests.map { "Up to \(Figures.counted($0, "more request")) could not be read." }
                    ?? "A part of the input could not be read, with any number of requests.")
                        + """
                         If that could change a verdict, it is held back (\(code: "uncounted")). Fix that part of the log, or \
                        export it again.
                        """)
        case .severalProjects(let pattern, let projects):
            Words(
                aside: """
                    \(name: pattern) matches functions of \(Figures.grouped(projects.count)) projects: \
                    \(names: projects). Select one with \(code: "--project").
                    """)
        case .shortSpan(let seconds):
            Words(
                aside: """
                    The input spans only \(Figures.duration(seconds: seconds)): \(code: "gcloud logging read") reads one \
                    day by default. To cover weekdays and weekends, export again with \(code: "--freshness=35d").
                    """)
        case .afterAsOf(let count, let day, let isTyped):
            Words(
                aside: """
                    \(Figures.counted(count, "request")) \(count == 1 ? "is" : "are") from days after \
                    \(CalendarText.day(day)), the as-of day: shown in the counts, not judged.\
                    \(isTyped ? "" : " A clock is wrong, or timestamps are forged.")
                    """)
        case .undated(let count):
            Words(
                aside: """
                    \(Figures.counted(count, "request")) \(count == 1 ? "has" : "have") no timestamp: they are in the \
                    totals but do not affect verdicts. Export whole log entries, with their \(code: "timestamp").
                    """)
        case .daysPooled(let count):
            Words(
                aside: """
                    \(Figures.counted(count, "request")) of functions with more than \
                    \(Figures.grouped(FunctionTally.dayLimit)) days \(count == 1 ? "is" : "are") in the totals but do \
                    not affect verdicts. No log is that long: look for forged timestamps.
                    """)
        case .unnamed(let count):
            Words(
                aside: """
                    \(Figures.counted(count, "request")) \(count == 1 ? "does" : "do") not name the function: see the \
                    row \(name: FunctionIdentity.unknown). Export whole log entries, with their resource, to tell them \
                    apart.
                    """)
        case .unplaced(let count):
            Words(
                aside: """
                    \(Figures.counted(count, "request")) \(count == 1 ? "has" : "have") no project, region or entry ID, \
                    so duplicates cannot be found. \(code: "firebase functions:log") prints none of these, and by \
                    default only the last 35 lines (\(code: "--lines")). Do not pass the same day twice. For a decision \
                    use \(code: "gcloud logging read"); \(code: "callcheck export") prints the command.
                    """)
        case .ignored(let count):
            Words(
                aside: """
                    \(Figures.counted(count, "entry", plural: "entries")) \(count == 1 ? "is" : "are") ignored: from the \
                    emulator, which does not check tokens, or of functions that are not shown.
                    """)
        case .duplicates(let count):
            Words(
                aside: """
                    \(Figures.counted(count, "duplicate entry", plural: "duplicate entries")) \
                    \(count == 1 ? "was" : "were") removed: exports overlap, or a sink wrote twice. No action needed.
                    """)
        case .filtered(let count):
            Words(
                aside: """
                    \(Figures.counted(count, "request")) \(count == 1 ? "is" : "are") outside the time range or the \
                    selection.
                    """)
        case .counts(let count):
            Words(
                aside: """
                    \(Figures.counted(count, "input")) \(count == 1 ? "is a query result" : "are query results"), \
                    without clients, causes and requests that have no verification. If results overlap, the larger count \
                    per day and status is used.
                    """)
        case .wholeDays(let days): Words(aside: days.wording)
        case .assumeComplete(let part): Words(aside: part.note)
        case .callersNotRead:
            Words(
                aside: """
                    Platforms were not checked (\(set: .callers, .text("none"))): a whole platform might be refused.
                    """)
        }
    }

    private static func first(_ problem: Problem?) -> Wording {
        guard let problem, let source = problem.source else { return "" }
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
            Query results and closed days of a store have no times, so \(code: "--since") and \(code: "--until") count \
            whole days here: \(span).
            """
    }
}

extension Summary {
    /// Which whole days replace bounds in time, as a sentence on one line for standard error; nil where none did.
    package var noteOnDays: String? { widenedDays.map { $0.wording.text(ascii: false) } }
}

extension AssumeComplete {
    /// What was set; nil when nothing was.
    var setting: Wording? { self == .nothing ? nil : "\(set: .assumeComplete, .text(rawValue))" }

    fileprivate var note: Wording {
        guard let setting else { return "" }
        return self == .failures
            ? "\(setting): missing stderr logs are ignored."
            : "\(setting): days without data, unreadable records and missing stderr logs are ignored."
    }
}
