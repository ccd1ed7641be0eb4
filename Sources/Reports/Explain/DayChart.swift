import Readiness
import Verifications

/// The days of a function, one below the other, with bars of what was fine and what would be refused.
struct DayChart {
    enum Row {
        case day(Day, admitted: Int, blocked: Int, remark: String)
        /// Days without a request, several in a row as one.
        case quiet(ClosedRange<Day>, remark: String)
        /// Where the days that are judged begin, and why there.
        case windowStart(enforced: Bool)
    }

    let rows: [Row]
    private let most: Int
    private let countWidth: Int

    /// So many days without a request are still listed one by one.
    private static let listedQuietDays = 2

    init(_ explanation: Explanation) {
        let function = explanation.function
        let assessment = function.assessment
        let admission: Admission = assessment.policy.numbers.requiresAuth ? .signedIn : .notRefused
        guard let shown = DayChart.days(of: explanation) else {
            (rows, most, countWidth) = ([], 0, 0)
            return
        }
        let cells = Dictionary(function.tally.days.map { ($0.day, $0.counts) }, uniquingKeysWith: { first, _ in first })
        let covered = explanation.summary.projects[function.identity.project]?.coveredDays ?? []
        let bad = Set(explanation.badDays.map(\.day))
        var rows: [Row] = []
        var quiet: [(day: Day, remark: String)] = []
        func flush() {
            if quiet.count > DayChart.listedQuietDays, let first = quiet.first, let last = quiet.last {
                let silent = quiet.filter { !$0.remark.isEmpty }.count
                let remark =
                    silent == 0 ? "" : silent == quiet.count ? quiet[0].remark : "\(quiet[0].remark) on \(silent) of them"
                rows.append(.quiet(first.day...last.day, remark: remark))
            } else {
                rows += quiet.map { .quiet($0.day...$0.day, remark: $0.remark) }
            }
            quiet = []
        }
        for day in shown {
            if day == explanation.judged?.from, day > shown.lowerBound {
                flush()
                rows.append(.windowStart(enforced: assessment.verdict == .enforced))
            }
            let counts = cells[day] ?? StatusMatrix()
            let admitted = counts.admitted(admission)
            if admitted == 0 {
                quiet.append((day, covered.contains(day) ? "" : "no data at all"))
                continue
            }
            flush()
            var remarks = bad.contains(day) ? ["too many"] : []
            if let asOf = explanation.summary.asOf, asOf.day == day, asOf.hour < 23 {
                remarks.append("until \(CalendarText.clock(asOf))")
            }
            rows.append(
                .day(
                    day, admitted: admitted, blocked: counts.blocked(admission),
                    remark: remarks.joined(separator: ", ")))
        }
        flush()
        self.rows = rows
        most = rows.reduce(0) { if case .day(_, let admitted, _, _) = $1 { max($0, admitted) } else { $0 } }
        countWidth = Figures.grouped(most).utf8.count
    }

    /// From the function's first day, four weeks back at most unless the window is longer, up to the day judged.
    private static func days(of explanation: Explanation) -> ClosedRange<Day>? {
        let function = explanation.function
        guard let asOf = explanation.summary.asOf?.day, let first = function.tally.days.first?.day, first <= asOf else {
            return nil
        }
        let length = max(1, function.assessment.policy.numbers.maxWindow)
        let earliest = min(asOf.advanced(by: 1 - length), function.assessment.evidence.window?.from ?? asOf)
        return max(first, earliest)...asOf
    }

    /// The chart as lines of text.
    ///
    /// - Parameters:
    ///   - width: Of the longest bar.
    ///   - style: What may be printed.
    func lines(width: Int, style: TerminalStyle) -> [StyledText] {
        rows.map { row in
            switch row {
            case .day(let day, let admitted, let blocked, let remark):
                line(day, admitted, blocked, remark, width: width, style: style)
            case .quiet(let days, let remark):
                DayChart.label(days, style: style)
                    + StyledText(DayChart.quiet(days) + (remark.isEmpty ? "" : ": \(remark)"), .faint)
            case .windowStart(let enforced):
                StyledText(
                    String(repeating: style.rule, count: 3)
                        + (enforced ? " enforced, and judged, from here on" : " judged from here on"), .faint)
            }
        }
    }

    private func line(
        _ day: Day, _ admitted: Int, _ blocked: Int, _ remark: String, width: Int, style: TerminalStyle
    ) -> StyledText {
        // A bar shows at least one mark of either kind that occurs.
        let whole = max((admitted * width + most - 1) / max(1, most), blocked > 0 && blocked < admitted ? 2 : 1)
        let refused = blocked == 0 ? 0 : min(max(1, (whole * blocked + admitted / 2) / admitted), whole)
        let fine = max(blocked < admitted ? 1 : 0, whole - refused)
        let marks = DayChart.marks(unicode: style.unicode)
        let bar =
            StyledText(String(repeating: marks.fine, count: fine), .accent)
            + StyledText(String(repeating: marks.refused, count: whole - fine), .bad)
        var line = DayChart.label(day...day, style: style)
        line = line + StyledText(Figures.grouped(admitted)).padded(to: countWidth, .trailing) + "  "
        guard blocked > 0 || !remark.isEmpty else { return line + bar }
        line = line + bar.padded(to: width, .leading) + "  "
        if blocked > 0 {
            line.append("\(Figures.grouped(blocked)) refused, \(Figures.percent(blocked, of: admitted))")
        }
        if !remark.isEmpty { line.append((blocked > 0 ? ": " : "") + remark, .warning) }
        return line
    }

    /// The marks of a bar: a request that is fine, one that would be refused.
    static func marks(unicode: Bool) -> (fine: String, refused: String) {
        unicode ? ("█", "▒") : ("=", "x")
    }

    private static func label(_ days: ClosedRange<Day>, style: TerminalStyle) -> StyledText {
        let text =
            days.lowerBound == days.upperBound
            ? CalendarText.weekday(days.lowerBound)
            : CalendarText.shortSpan(from: days.lowerBound, to: days.upperBound, dash: style.dash)
        return StyledText(text).padded(to: 13, .leading) + "  "
    }

    private static func quiet(_ days: ClosedRange<Day>) -> String {
        days.lowerBound == days.upperBound ? "no request" : "no request on \(days.count) days"
    }
}
