import Readiness
import Verifications

extension Summary {
    /// What verdicts rest on: how much of what was read.
    var foundation: Wording {
        let plain =
            input.bytesRead == input.bytesDecompressed
            ? "" : " compressed, \(Figures.bytes(input.bytesDecompressed)) plain"
        let span = span.map { " of \(CalendarText.span(from: $0.first.day, to: $0.last.day, dash: "-"))" } ?? ""
        let asOf = asOf.map { ", judged as of \(CalendarText.minute($0)) UTC" } ?? ""
        return """
            Rests on \(Figures.counted(input.verifications, "verification"))\(span) in \
            \(Figures.counted(input.records, "record")) of \(Figures.counted(input.sources, "input")) \
            (\(Figures.bytes(input.bytesRead))\(plain))\(asOf).
            """
    }
}

extension VerdictPolicy {
    /// What verdicts are held against, but for exceptions.
    var foundation: Wording {
        let windows =
            window < maxWindow
            ? "windows of \(window) to \(Figures.counted(maxWindow, "day"))"
            : "a window of \(Figures.counted(window, "day"))"
        let guarded = requiresAuth ? "; only signed-in requests count" : ""
        return """
            Rule: enforcement may newly refuse (block) at most \(Figures.exactRate(maxBlocked)) of requests, with \
            \(Figures.exactRate(confidence)) confidence, in \(windows) of a log at least \
            \(Figures.counted(minDays, "day")) long\(guarded)
            """
    }
}
