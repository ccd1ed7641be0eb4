import Readiness
import Verifications

/// The days that every chart of a page shows, so that days stand above each other from card to card.
struct ChartDays {
    let range: ClosedRange<Day>
    /// The last day, and when it ends, if it is not over.
    let lastLabel: String

    /// Four weeks, or more where a window is longer; never more than fit beside each other.
    private static let usual = 28
    private static let most = 92
    /// A log of one day has a chart of a week, in which it is one bar.
    private static let fewest = 7

    /// Nil when nothing is dated.
    init?(_ summary: Summary) {
        guard let asOf = summary.asOf, let start = summary.span?.first.day else { return nil }
        let last = asOf.day
        let judged = summary.functions.compactMap { $0.assessment.judgedDays(asOf: summary.asOf)?.from }.min() ?? last
        let wanted = min(judged, last.advanced(by: 1 - ChartDays.usual))
        let first = max(wanted, last.advanced(by: 1 - ChartDays.most), min(start, last))
        range = min(first, last.advanced(by: 1 - ChartDays.fewest))...last
        lastLabel = CalendarText.short(last) + (asOf.hour < 23 ? " until \(CalendarText.clock(asOf))" : "")
    }

    var count: Int {
        range.lowerBound.distance(to: range.upperBound) + 1
    }

    /// The place of a day, from 0 on.
    func index(of day: Day) -> Int {
        range.lowerBound.distance(to: day)
    }
}
