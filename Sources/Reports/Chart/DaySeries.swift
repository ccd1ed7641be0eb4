import Readiness
import Verifications

/// A day of a function, as every chart counts it.
struct ChartDay {
    let day: Day
    private let statuses: StatusMatrix
    private let admission: Admission
    /// True for a day of raised segments with a blocked request.
    fileprivate(set) var isBad = false
    /// True when nothing arrived from the whole project.
    fileprivate(set) var isMissing = false
    /// The remark on a special day, such as `more than usual` or `until 09:05`.
    fileprivate(set) var remark = ""

    static let order: [TokenStatus] = [.valid, .missing, .invalid, .other]

    init(_ sum: DaySum, _ admission: Admission) {
        (day, statuses, self.admission) = (sum.day, sum.statuses, admission)
    }

    /// Requests that count for the verdict, of one App Check status.
    func requests(_ app: TokenStatus) -> Int { statuses.admitted(admission, app: app) }

    var requests: Int { statuses.admitted(admission) }
    var blocked: Int { statuses.blocked(admission) }

    /// Requests that are refused already, by their Auth token or by the function itself.
    var uncounted: Int { statuses.total - requests }

    /// True for a day with any request, whether it counts or not.
    var hasData: Bool { statuses.total > 0 }

    var blockedRate: Double? { requests > 0 ? Double(blocked) / Double(requests) : nil }
}

/// The days of a function as its charts show them: what a day is, is decided here, and renderers only draw it.
struct DaySeries {
    let function: FunctionSummary
    let days: ChartDays
    private(set) var entries: [ChartDay]
    /// The days that are judged, as far as they are shown.
    let judged: Window?

    /// Nil when nothing is dated, and when the function has no day up to the last one.
    init?(_ explanation: Explanation) {
        function = explanation.function
        guard let days = ChartDays(explanation.summary), let first = function.days.first?.day,
            first <= days.range.upperBound
        else { return nil }
        self.days = days
        judged = explanation.judgedLife.flatMap { Window(from: max($0.from, days.range.lowerBound), to: $0.to) }
        let admission = function.chartAdmission
        let sums = Dictionary(function.chartDays.map { ($0.day, $0) }, uniquingKeysWith: { first, _ in first })
        let covered = Set(explanation.summary.projects[ExactName(function.identity.project)]?.coveredDays ?? [])
        let firstCovered = covered.min()
        let raised = function.assessment.segments.filter(\.isRaised)
        entries = days.range.map { day in
            var entry = ChartDay(sums[day] ?? DaySum(day: day), admission)
            entry.isBad =
                entry.blocked > 0
                && raised.contains { $0.start.day <= day && day <= $0.lastDay ?? days.range.upperBound }
            entry.isMissing = firstCovered.map { $0 < day } ?? false && !covered.contains(day)
            var remarks: [String] = []
            if entry.isBad { remarks.append("more than usual") }
            if day == days.range.upperBound, let end = days.end { remarks.append("until \(end)") }
            entry.remark = remarks.joined(separator: ", ")
            return entry
        }
    }

    /// The same with the newest days alone.
    func last(_ count: Int) -> DaySeries {
        var series = self
        series.entries = Array(entries.suffix(count))
        return series
    }

    /// The numbers behind a chart, for those who cannot see it or want exact figures.
    ///
    /// Columns for unusual statuses and for requests that do not count only where there are any.
    var table: Table {
        let cells = entries.filter(\.hasData)
        let statuses = ChartDay.order.filter { $0 != .other || cells.contains { $0.requests(.other) > 0 } }
        let hasUncounted = cells.contains { $0.uncounted > 0 }
        return Table(
            lead: Table.Column(head: "day"), numbers: statuses.map(\.name) + (hasUncounted ? ["refused today"] : []),
            words: [function.assessment.enforcement.hasRefused ? "without a valid token" : "would be refused"],
            rows: cells.map { cell in
                [.words("\(CalendarText.weekday(cell.day))")] + statuses.map { .number(cell.requests($0)) }
                    + (hasUncounted ? [.number(cell.uncounted)] : [])
                    + [.words("\(cell.requests > 0 ? Figures.percent(cell.blocked, of: cell.requests) : "–")")]
            })
    }
}

/// The days that every chart shows, whichever functions are selected, so that charts can be compared.
struct ChartDays {
    let range: ClosedRange<Day>
    /// When the last day ends, if it is not over.
    let end: String?

    /// Four weeks, or more where a window is longer; never more than fit next to each other.
    private static let shortest = 28
    private static let most = 92
    /// A log of one day gets a chart of a week, with a single bar.
    private static let fewest = 7

    /// Nil when nothing is dated.
    init?(_ summary: Summary) {
        guard let asOf = summary.asOf, let start = summary.span?.first.day else { return nil }
        let last = asOf.day
        let logStart = summary.projects.values.flatMap(\.coveredDays).reduce(start, min)
        let longest = Window(length: max(ChartDays.shortest, summary.policy.maxWindow), asOf: asOf, since: nil)?.from
        let judged = summary.functions.compactMap { $0.assessment.judgedDays(asOf: asOf)?.from }
        let first = max(judged.reduce(longest ?? last, min), last.advanced(by: 1 - ChartDays.most), min(logStart, last))
        range = min(first, last.advanced(by: 1 - ChartDays.fewest))...last
        end = asOf.hour < 23 ? CalendarText.clock(asOf) : nil
    }

    /// `14 Oct`, `14 Oct until 09:05`.
    var lastLabel: String { CalendarText.short(range.upperBound) + (end.map { " until \($0)" } ?? "") }
}

/// The share of requests without a valid App Check token over the last days, one mark per day or per few days.
///
/// The steps are the same in every row and finest where decisions are made: between none and a few per cent.
struct Sparkline {
    /// The ends of the steps, in per cent; the first is none at all, and there is one more step after the last.
    static let stepEnds = [0, 1, 2, 5, 10, 25, 50]

    /// A mark for each.
    let days: ClosedRange<Day>
    /// False where the last one has only begun: its mark is paler.
    var isLastOver = true

    var dayCount: Int { days.lowerBound.distance(to: days.upperBound) + 1 }

    /// The marks of one row, a space where nothing was admitted; those above the limit are highlighted.
    func marks(_ sums: [DaySum], _ admission: Admission, limit: Double, glyphs: [Character]) -> StyledText {
        var admitted = Array(repeating: 0, count: dayCount)
        var blocked = admitted
        for day in sums where days.contains(day.day) {
            let mark = days.lowerBound.distance(to: day.day)
            let day = ChartDay(day, admission)
            admitted[mark] += day.requests
            blocked[mark] += day.blocked
        }
        return zip(blocked, admitted).enumerated().reduce(into: StyledText("")) { text, day in
            let (blocked, admitted) = day.element
            let glyph = admitted == 0 ? " " : glyphs[Sparkline.step(blocked, of: admitted)]
            let ink: Ink = Double(blocked) > limit * Double(admitted) ? .bad : .plain
            text.append(String(glyph), !isLastOver && day.offset == dayCount - 1 ? .faint : ink)
        }
    }

    static func glyphs(unicode: Bool) -> [Character] {
        unicode ? ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"] : ["_", ".", "-", "=", "+", "*", "#", "@"]
    }

    private static func step(_ blocked: Int, of admitted: Int) -> Int {
        stepEnds.firstIndex { Double(blocked) * 100 <= Double($0) * Double(admitted) } ?? stepEnds.count
    }

    /// The head of a column of marks: `14 days`.
    var head: String { Figures.counted(dayCount, "day") }

    func briefLegend(unicode: Bool) -> Wording {
        let glyphs = Sparkline.glyphs(unicode: unicode).map { String($0) }
        return """
            bars: share refused a day, \(glyphs[0]) none, \(glyphs[3]) \(String(Sparkline.stepEnds[3]))%, \(glyphs[7]) over \
            \(String(Sparkline.stepEnds[6]))%\(isLastOver ? "" : "; the last day is not over")
            """
    }

    func legend(unicode: Bool) -> Wording {
        let glyphs = Sparkline.glyphs(unicode: unicode)
        var legend: Wording = "\(head): would be refused per day: \(code: "\(glyphs[0]) none")"
        for (glyph, end) in zip(glyphs, Sparkline.stepEnds).dropFirst() {
            legend = legend + " \(code: "\(glyph) \(unicode ? "≤" : "<=")\(end)%")"
        }
        return legend + " \(code: "\(glyphs[glyphs.count - 1]) more")"
    }
}
