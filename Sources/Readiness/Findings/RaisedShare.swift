package import Verifications

extension Finding.Code {
    /// Advice: more requests were refused than before, and more than the maximum, from ``Finding/instant`` to
    /// ``Finding/end``; ``Finding/count`` of ``Finding/total``.
    ///
    /// Without an end it goes on, but nothing shows that several people are refused.
    package static let raisedShare = Finding.Code(
        "raised-share", .advice, .caution, [.shared, .inAnswers, .ofReadiness, .countedOnly])
}

enum RaisedShare {
    /// The days that matter: older ones have left every window.
    private static let days = 28

    static func find(_ result: ConfirmedEvaluation, signedIn: ConfirmedEvaluation) -> Finding? {
        let (evaluation, limit) = (result.evaluation, result.evaluation.numbers.maxBlocked)
        guard !result.findings.has(.failingNow), let today = evaluation.asOf?.day,
            let raised = evaluation.segments?.all.lastRaised, raised.share > limit,
            today.advanced(by: 1 - days) <= raised.end?.adding(nanoseconds: -1).day ?? today
        else { return nil }
        return Finding(
            code: .raisedShare, value: raised.share, limit: limit, count: raised.blocked, total: raised.requests,
            instant: raised.start, end: raised.end)
    }
}

extension [Segments.Segment] {
    /// The newest raised segments in a row, as one.
    package var lastRaised: Segments.Segment? {
        guard let last = lastIndex(where: \.isRaised) else { return nil }
        let run = self[...last].suffix(while: \.isRaised)
        return run.dropFirst().reduce(self[run.startIndex]) { $0.joined(to: $1) }
    }

    /// The beginning of the last one, if nothing was refused since, though something was before.
    package var cleanSince: Instant? { count > 1 && last?.blocked == 0 ? last?.start : nil }
}

extension Segments.Segment {
    /// The day of the next month on which it may come back, where it ended with its month, as a monthly quota does; nil
    /// elsewhere.
    package var monthlyReturn: Day? {
        let (year, month, day) = start.day.civil
        guard day > Segments.Segment.lateInMonth, let end,
            let next = Day(year: month < 12 ? year : year + 1, month: month % 12 + 1, day: 1),
            case let distance = end.seconds - Instant(day: next, nanosecondOfDay: 0).seconds,
            abs(distance) <= Instant.secondsPerDay
        else { return nil }
        let later = month % 12 + 1
        return Day(year: later == 1 ? year + 1 : year, month: later, day: day)
            ?? next.advanced(by: 31)
    }

    private static let lateInMonth = 20

    fileprivate func joined(to next: Self) -> Self {
        Self(
            start: start, end: next.end, requests: requests + next.requests, blocked: blocked + next.blocked,
            addresses: Swift.max(addresses, next.addresses), isRaised: isRaised)
    }
}

extension BidirectionalCollection {
    fileprivate func suffix(while isMember: (Element) -> Bool) -> SubSequence {
        self[(lastIndex { !isMember($0) }.map { index(after: $0) } ?? startIndex)...]
    }
}
