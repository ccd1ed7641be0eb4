import Readiness
import Verifications

extension Summary {
    /// What the verdicts are based on, and how much was read.
    var provenance: Wording {
        let plain =
            input.bytesRead == input.bytesDecompressed
            ? "" : " compressed, \(Figures.bytes(input.bytesDecompressed)) plain"
        let span = span.map { " \(CalendarText.during($0.first.day, $0.last.day))" } ?? ""
        let asOf = asOf.map { ", as of \(CalendarText.minute($0)) UTC" } ?? ""
        return """
            Based on \(Figures.counted(input.verifications, "request"))\(span) in \
            \(Figures.counted(input.records, "record")) of \(Figures.counted(input.sources, "input")) \
            (\(Figures.bytes(input.bytesRead))\(plain))\(asOf).
            """
    }
}

extension VerdictPolicy {
    /// The numbers of the rule, without its exceptions.
    var terms: Wording {
        let windows =
            window < maxWindow
            ? "windows of \(window) to \(Figures.counted(maxWindow, "day"))"
            : "a window of \(Figures.counted(window, "day"))"
        let guarded = requiresAuth ? "; only signed-in requests count" : ""
        return """
            Rule: enforcement may refuse at most \(Figures.exactRate(maxBlocked)) of requests \
            (\(Figures.exactRate(confidence)) confidence), over \(windows), from a log of at least \
            \(Figures.counted(minDays, "day"))\(guarded)
            """
    }
}

extension AssumeComplete {
    /// What was typed; nil when nothing was.
    var flag: String? {
        switch self {
        case .nothing: nil
        case .failures: "--assume-complete=failures"
        case .everything: "--assume-complete"
        }
    }

    /// What every output says about it.
    var note: Wording {
        switch self {
        case .nothing: ""
        case .failures: "\(code: "--assume-complete=failures"): a missing log of failures changes no verdict."
        case .everything:
            """
            \(code: "--assume-complete"): days without data, unreadable records and a missing log of failures change \
            no verdict.
            """
        }
    }
}
