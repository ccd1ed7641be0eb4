import Readiness
import Verifications

/// The days of a function, one below the other, with bars of what was fine and what would be refused.
struct DayChart {
    enum Row {
        case day(ChartDay)
        /// Days without a request, or without one that counts.
        case quiet(ClosedRange<Day>, missing: Int, hasData: Bool)
        /// The beginning of the days that are judged, and the reason for it.
        case windowStart(enforced: Bool)
    }

    let rows: [Row]
    private let enforcement: Enforcement
    private let most: Int
    private let countWidth: Int

    private static let listedQuietDays = 2

    /// Begins with the function's first day.
    init(_ series: DaySeries) {
        enforcement = series.function.assessment.enforcement
        var rows: [Row] = []
        var quiet: [ChartDay] = []
        func flush() {
            if quiet.count > DayChart.listedQuietDays, let first = quiet.first, let last = quiet.last {
                let missing = quiet.count(where: \.isMissing)
                rows.append(.quiet(first.day...last.day, missing: missing, hasData: first.hasData))
            } else {
                rows += quiet.map { .quiet($0.day...$0.day, missing: $0.isMissing ? 1 : 0, hasData: $0.hasData) }
            }
            quiet = []
        }
        let first = series.function.days.first?.day
        let shown = series.entries.drop { entry in first.map { entry.day < $0 } ?? false }
        for entry in shown {
            if entry.day == series.judged?.from, entry.day != shown.first?.day {
                flush()
                rows.append(.windowStart(enforced: enforcement.start?.day == entry.day))
            }
            if entry.requests == 0 {
                if quiet.last.map({ $0.hasData != entry.hasData }) ?? false { flush() }
                quiet.append(entry)
            } else {
                flush()
                rows.append(.day(entry))
            }
        }
        flush()
        self.rows = rows
        most = shown.map(\.requests).max() ?? 0
        countWidth = Figures.grouped(most).utf8.count
    }

    /// The chart as lines of text, none wider than `columns`.
    func lines(columns: Int, style: TerminalStyle) -> [StyledText] {
        let remarks = rows.map { DayChart.remark($0).width }.max() ?? 0
        let labels = rows.map { DayChart.label($0, style).width }.reduce(DayChart.labelWidth, max) + DayChart.gap
        let room = columns - labels - countWidth - 2 * DayChart.gap - remarks
        let width = min(max(room, DayChart.shortestBar), DayChart.longestBar)
        return rows.map { row in
            let label = DayChart.label(row, style).padded(to: labels, .leading)
            switch row {
            case .day(let day):
                let front = label + count(day.requests)
                let bar = bar(day.requests, day.blocked, width: width, unicode: style.unicode)
                let remark = DayChart.remark(row)
                return remark.isEmpty ? front + bar : front + bar.padded(to: width + DayChart.gap, .leading) + remark
            case .quiet(let days, let missing, let hasData):
                let request = hasData ? "no request that counts" : "no request"
                let text = days.count == 1 ? request : "\(request) on \(days.count) days"
                let part = missing == days.count ? "" : " on \(missing) of them"
                return label + StyledText(missing == 0 ? text : "\(text): no data at all\(part)", .faint)
            case .windowStart(let enforced):
                let rule = String(repeating: style.rule, count: 3)
                return StyledText(rule + (enforced ? " enforced and" : "") + " judged from here on", .faint)
            }
        }
    }

    private static let gap = 2
    private static let labelWidth = 13
    private static let shortestBar = 6
    private static let longestBar = 40

    private static func label(_ row: Row, _ style: TerminalStyle) -> StyledText {
        switch row {
        case .day(let day): StyledText(CalendarText.weekday(day.day))
        case .quiet(let days, _, _) where days.count == 1: StyledText(CalendarText.weekday(days.lowerBound))
        case .quiet(let days, _, _):
            StyledText(CalendarText.shortSpan(from: days.lowerBound, to: days.upperBound, dash: style.dash))
        case .windowStart: ""
        }
    }

    private func count(_ admitted: Int) -> StyledText {
        let space = String(repeating: " ", count: DayChart.gap)
        return StyledText(Figures.grouped(admitted)).padded(to: countWidth, .trailing) + StyledText(space)
    }

    /// A bar shows at least one mark of either kind that occurs.
    private func bar(_ admitted: Int, _ blocked: Int, width: Int, unicode: Bool) -> StyledText {
        let whole = max((admitted * width + most - 1) / max(1, most), blocked > 0 && blocked < admitted ? 2 : 1)
        let refused = blocked == 0 ? 0 : min(max(1, (whole * blocked + admitted / 2) / admitted), whole)
        let fine = max(blocked < admitted ? 1 : 0, whole - refused)
        let marks = DayChart.marks(unicode: unicode)
        return StyledText(String(repeating: marks.fine, count: fine))
            + StyledText(String(repeating: marks.refused, count: whole - fine), .bad)
    }

    private static func remark(_ row: Row) -> StyledText {
        guard case .day(let day) = row else { return "" }
        var remark: StyledText = ""
        if day.blocked > 0 {
            remark.append("\(Figures.grouped(day.blocked)) (\(Figures.percent(day.blocked, of: day.requests)))")
        }
        if !day.remark.isEmpty { remark.append((day.blocked > 0 ? ": " : "") + day.remark) }
        return remark
    }

    func legend(unicode: Bool) -> Wording {
        let marks = DayChart.marks(unicode: unicode)
        let refused =
            enforcement.isOn ? ", refused \(enforcement.span)" : ""
        let fate = enforcement.hasRefused ? "without a valid token\(refused)" : "would be refused"
        return "Each bar: \(code: marks.fine) fine, \(code: marks.refused) \(fate)."
    }

    private static func marks(unicode: Bool) -> (fine: String, refused: String) {
        unicode ? ("█", "▒") : ("=", "x")
    }
}
