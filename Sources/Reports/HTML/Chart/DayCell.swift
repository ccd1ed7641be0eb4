import Readiness
import Verifications

/// One day of a function as its chart and its table show it.
struct DayCell {
    let day: Day
    /// Requests that count for the verdict, by App Check status, in the order of ``statuses``.
    let admitted: [Int]
    /// Requests that are refused already, by their Auth token or by the function itself.
    let uncounted: Int
    /// True when the rule finds too many blocked requests on this day alone.
    let isBad: Bool

    /// From the bottom of a bar to its top.
    static let statuses: [TokenStatus] = [.valid, .missing, .invalid, .other]

    init(_ tally: DayTally, admission: Admission, isBad: Bool) {
        day = tally.day
        admitted = DayCell.statuses.map { tally.counts.admitted(admission, app: $0) }
        uncounted = tally.counts.total - tally.counts.admitted(admission)
        self.isBad = isBad
    }

    var requests: Int {
        admitted.reduce(0, +)
    }

    var blocked: Int {
        requests - admitted[0]
    }

    /// Nil without a request.
    var blockedRate: Double? {
        requests > 0 ? Double(blocked) / Double(requests) : nil
    }
}

extension Assessment {
    /// Whose requests the verdict is based on: for an enforced function, the rule looks at signed-in callers.
    var judgedCallers: Admission {
        policy.numbers.requiresAuth || verdict == .enforced ? .signedIn : .notRefused
    }

    /// The days that the verdict names as bad ones.
    var badDays: Set<Day> {
        Set(
            reasons.flatMap { reason -> [Day] in
                switch reason {
                case .excess(.unstableDay(let days, _)), .excess(.recentTrouble(let days, _)): days.map(\.day)
                default: []
                }
            })
    }
}

/// The days that every chart of a page shows, so that days line up from card to card.
struct ChartDays {
    let range: ClosedRange<Day>
    /// The last day, and when it ends, if it is not over.
    let lastLabel: String

    /// Four weeks, or more where a window is longer; never more than fit next to each other.
    private static let usual = 28
    private static let most = 92
    /// A log of one day gets a chart of a week, with a single bar.
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

extension DayCell {
    /// The numbers behind a chart, for those who cannot see it or want exact figures.
    ///
    /// Columns for unusual statuses and for requests that do not count only where there are any.
    static func table(_ cells: [DayCell]) -> Table {
        var heads = statuses.map(\.name)
        if !cells.contains(where: { $0.admitted[3] > 0 }) { heads.removeLast() }
        let hasUncounted = cells.contains { $0.uncounted > 0 }
        let numbers = heads + (hasUncounted ? ["refused today"] : [])
        var table = Table(
            numbers: numbers, words: ["would be refused"],
            rows: cells.map { cell in
                [.words("\(CalendarText.weekday(cell.day))")]
                    + cell.admitted.prefix(heads.count).map { .number($0) }
                    + (hasUncounted ? [.number(cell.uncounted)] : [])
                    + [.words("\(cell.requests > 0 ? Figures.percent(cell.blocked, of: cell.requests) : "–")")]
            })
        table.columns.insert(Table.Column(head: "day"), at: 0)
        return table
    }
}
