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
    /// The day on which enforcement was switched on; nil where it is not on.
    private let enforced: Day?
    private let most: Int
    private let countWidth: Int

    /// Shown for days on which the whole project has no verification.
    private static let noData = "no data at all"

    /// How many days in a row without a request are still listed one by one.
    private static let listedQuietDays = 2

    init(_ explanation: Explanation) {
        let function = explanation.function
        let assessment = function.assessment
        enforced = assessment.enforcedSince
        let admission: Admission = assessment.policy.numbers.requiresAuth ? .signedIn : .notRefused
        guard let shown = DayChart.days(of: explanation) else {
            (rows, most, countWidth) = ([], 0, 0)
            return
        }
        let cells = Dictionary(function.tally.days.map { ($0.day, $0) }, uniquingKeysWith: { first, _ in first })
        let covered = explanation.summary.projects[ExactName(function.identity.project)]?.coveredDays ?? []
        let bad = Set(explanation.badDays.map(\.day))
        var rows: [Row] = []
        var quiet: [(day: Day, isCovered: Bool)] = []
        func flush() {
            if quiet.count > DayChart.listedQuietDays, let first = quiet.first, let last = quiet.last {
                let uncovered = quiet.count { !$0.isCovered }
                let part = uncovered == quiet.count ? "" : " on \(uncovered) of them"
                rows.append(.quiet(first.day...last.day, remark: uncovered > 0 ? DayChart.noData + part : ""))
            } else {
                rows += quiet.map { .quiet($0.day...$0.day, remark: $0.isCovered ? "" : DayChart.noData) }
            }
            quiet = []
        }
        // A day that looks as bad as one above the limit, but is not, shows what differs.
        let least = explanation.badDays.map { Double($0.blocked) / Double(max(1, $0.admitted)) }.min() ?? .infinity
        for day in shown {
            if day == explanation.judged?.from, day > shown.lowerBound {
                flush()
                rows.append(.windowStart(enforced: assessment.policy.enforced?.advanced(by: 1) == day))
            }
            let counts = cells[day]?.counts ?? StatusMatrix()
            let admitted = counts.admitted(admission)
            if admitted == 0 {
                quiet.append((day, covered.contains(day)))
                continue
            }
            flush()
            let blocked = counts.blocked(admission)
            var remarks = bad.contains(day) ? ["too many"] : []
            if remarks.isEmpty, Double(blocked) >= least * Double(admitted) {
                let times = admission == .signedIn ? cells[day]?.signedInBlocked : cells[day]?.blocked
                let hours = times?.hourCount ?? 0
                remarks.append(
                    hours < UnstableDay.fewestHours
                        ? "in \(Figures.counted(hours, "hour")) only" : "too few to judge")
            }
            if let asOf = explanation.summary.asOf, asOf.day == day, asOf.hour < 23 {
                remarks.append("until \(CalendarText.clock(asOf))")
            }
            rows.append(
                .day(
                    day, admitted: admitted, blocked: blocked,
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
    ///   - columns: How wide a line may get.
    ///   - style: What may be printed.
    /// - Returns: A line for each row.
    func lines(columns: Int, style: TerminalStyle) -> [StyledText] {
        let notes = rows.map { DayChart.note($0).width }.max() ?? 0
        let room = columns - DayChart.labelWidth - DayChart.gap - countWidth - 2 * DayChart.gap - notes
        let width = min(max(room, DayChart.shortestBar), DayChart.longestBar)
        return rows.map { row in
            switch row {
            case .day(let day, let admitted, let blocked, _):
                let front = label(day...day, style: style) + count(admitted)
                let bar = bar(admitted, blocked, width: width, unicode: style.unicode)
                let note = DayChart.note(row)
                return note.isEmpty ? front + bar : front + bar.padded(to: width + DayChart.gap, .leading) + note
            case .quiet(let days, let remark):
                let text = days.count == 1 ? "no request" : "no request on \(days.count) days"
                return label(days, style: style) + StyledText(remark.isEmpty ? text : "\(text): \(remark)", .faint)
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

    private func label(_ days: ClosedRange<Day>, style: TerminalStyle) -> StyledText {
        let text =
            days.count == 1
            ? CalendarText.weekday(days.lowerBound)
            : CalendarText.shortSpan(from: days.lowerBound, to: days.upperBound, dash: style.dash)
        return StyledText(text).padded(to: DayChart.labelWidth + DayChart.gap, .leading)
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

    /// What follows the bar of a day.
    private static func note(_ row: Row) -> StyledText {
        guard case .day(_, let admitted, let blocked, let remark) = row else { return "" }
        var note: StyledText = ""
        if blocked > 0 {
            note.append("\(Figures.grouped(blocked)) (\(Figures.percent(blocked, of: admitted)))")
        }
        if !remark.isEmpty { note.append((blocked > 0 ? ": " : "") + remark) }
        return note
    }

    /// What the marks mean.
    func legend(unicode: Bool) -> Wording {
        let marks = DayChart.marks(unicode: unicode)
        let fate = "would be refused" + (enforced.map { "; refused after \(CalendarText.day($0))" } ?? "")
        return "Each bar: \(code: marks.fine) fine, \(code: marks.refused) \(fate)."
    }

    /// The marks of a bar: a request that is fine, one that enforcement refuses.
    private static func marks(unicode: Bool) -> (fine: String, refused: String) {
        unicode ? ("█", "▒") : ("=", "x")
    }
}
