import Readiness
import Verifications

/// Words on stretches of constant share: since when, from when to when.
extension [Segments.Segment] {
    /// `clean since 12 Oct`, `failed 9 Oct`, `3.1% since 9 Oct`; nil where nothing stands out.
    var brief: Wording? {
        if let cleanSince { return "clean since \(CalendarText.short(cleanSince.day))" }
        return lastRaised?.brief
    }
}

extension Segments.Segment {
    /// The last day of one that is over.
    var lastDay: Day? { end?.adding(nanoseconds: -1).day }

    /// `failed 9 Oct`, `failed 9 Oct to 11 Oct`, `3.1% since 9 Oct`.
    var brief: Wording {
        let first = CalendarText.short(start.day)
        guard let lastDay else { return "\(Figures.rate(share)) since \(first)" }
        return lastDay == start.day ? "failed \(first)" : "failed \(first) to \(CalendarText.short(lastDay))"
    }

    /// `It ended with the month, as a monthly quota does: it may come back on 24 Oct 2026.`; nil where it did not.
    var quota: Wording? {
        monthlyReturn.map {
            "It ended with the month, as a monthly quota does: it may come back on \(CalendarText.day($0))."
        }
    }

    /// `43% (25 of 58) from 23 Nov 2026 10:00 to 24 Nov 2026 09:00 UTC`.
    var span: Wording {
        let rate = "\(Figures.rate(share)) (\(Figures.grouped(blocked)) of \(Figures.grouped(requests)))"
        let from = CalendarText.minute(start)
        return end.map { "\(rate) from \(from) to \(CalendarText.minute($0)) UTC" } ?? "\(rate) since \(from) UTC"
    }
}

extension Finding {
    /// `43% of requests had no valid App Check token since 14 Oct 2026 14:00 UTC`.
    var failingShare: Wording {
        """
        \(Figures.rate(value ?? 0)) of requests\(failingClients) had no valid App Check token since \
        \(instant.map(CalendarText.minute) ?? "") UTC
        """
    }

    /// ` from Android apps`, if one platform fails.
    var failingClients: Wording { names.first.flatMap { PlatformName($0) }.map { " from \($0.clients)" } ?? "" }

    func segmentStatement(_ assessment: Assessment) -> Statement? {
        switch code {
        case .failingNow:
            return says(
                "Failing now: \(failingShare).",
                short: "failing since \(instant.map { CalendarText.short($0.day) } ?? "")",
                steps: { _ in
                    [
                        .item(
                            """
                            Look for an outage, a quota or a release shortly before \(instant.map(CalendarText.minute) ?? "") \
                            UTC.
                            """)
                    ]
                })
        case .raisedShare:
            guard let raised = assessment.segments.lastRaised else { return nil }
            let isOver = raised.end != nil
            let quota = raised.quota.map { " " + $0 } ?? ""
            return says(
                """
                \(isOver ? "For a time, too many requests had no valid token" : "More requests have no valid token"): \
                \(raised.span).\(quota) Find out \(assessment.verdict == .enforce ? "why before you enforce" : "what happened").
                """,
                shared: (
                    isOver ? "Too many for a time" : "More than before", raised.brief,
                    "\(quota) Find out who sent them."
                ))
        default: return nil
        }
    }
}
