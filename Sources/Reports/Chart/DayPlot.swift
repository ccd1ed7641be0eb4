import Readiness
import Verifications

/// The chart of a function: requests of each day by token above, and how many of them would be refused below.
///
/// Only the data, the limit and what the judged days show are drawn; the rest is in the table.
struct DayPlot {
    private let series: DaySeries
    private let frame: ChartFrame
    /// The days with requests.
    let cells: [ChartDay]
    private let bounds: RateBounds?

    private static let leastHeight = 0.7
    private static let lineHeight = 12.0

    init?(_ series: DaySeries) {
        cells = series.entries.filter(\.hasData)
        guard !cells.isEmpty else { return nil }
        self.series = series
        frame = ChartFrame(days: series.days.range, limit: series.function.assessment.policy.numbers.maxBlocked)
        bounds = RateBounds(series.function.assessment)
    }

    func svg(id: String) -> String {
        let most = cells.map { $0.requests + $0.uncounted }.max() ?? 0
        let (limitLabel, boundLabel) = labelPlaces
        let gaps = series.entries.filter(\.isMissing).map { columns($0.day...$0.day) }.joined()
        let bound = bounds.map { frame.line(at: $0.deciding, from: boundedFrom) }
        let boundText = bounds.map {
            SVG.label($0.label(limit: frame.limit), x: ChartFrame.right + 4, y: boundLabel + 3.5, "bound-label")
        }
        return frame.svg(
            id: id, title: title, description: description,
            background: SVG.path("window", series.judged.map { columns($0.days) }) + SVG.path("gaps", gaps)
                + SVG.path("grid", grid),
            counts: (
                "requests a day", Figures.grouped(most),
                bars(most: most) + SVG.path("outline", uncountedBars(most: most))
            ),
            rates: (
                isEnforced ? "share without a valid token" : "share that would be refused",
                SVG.path("band", band) + SVG.path("limit", frame.line(at: frame.limit)) + SVG.path("bound", bound),
                limitLabel,
                (boundText ?? "") + SVG.path("dots", marks(bad: false)) + SVG.path("bad", marks(bad: true))
            ),
            lastLabel: series.days.lastLabel)
    }

    /// Days before enforcement began are in the chart, too: nobody was refused then.
    private var isEnforced: Bool { series.function.assessment.enforcement.hasRefused }

    private var title: String {
        let span = CalendarText.span(from: frame.days.lowerBound, to: frame.days.upperBound)
        let share = isEnforced ? "without a valid token" : "that enforcement would refuse"
        return "Requests by day, and the share of them \(share), \(span)"
    }

    private var description: Wording {
        guard let judged = series.judged else { return "No day was judged." }
        let span = CalendarText.span(from: judged.from, to: judged.to)
        guard let bounds, let rate = series.function.shownRate else { return "Judged: \(span)." }
        return """
            Judged: \(span). \(isEnforced ? "Without a valid token" : "Would be refused"): \
            \(Figures.rate(rate)), \(bounds.words(limit: frame.limit)); the limit is \(Figures.exactRate(frame.limit)). \
            The table below has the numbers.
            """
    }

    /// The place where the days begin that the bounds cover.
    private var boundedFrom: Double {
        let first = (bounds?.window ?? series.judged).map { max($0.from, frame.days.lowerBound) }
        return first.map(frame.start) ?? ChartFrame.left
    }

    /// Some days, through both panels.
    private func columns(_ run: ClosedRange<Day>) -> String {
        var path = PathData()
        let x = frame.start(of: run.lowerBound)
        let width = frame.start(of: run.upperBound) + frame.step - x
        for (top, bottom) in [
            (ChartFrame.countTop, ChartFrame.countBottom), (ChartFrame.rateTop - 4, ChartFrame.axis),
        ] {
            path.rectangle(x: x, y: top, width: width, height: bottom - top)
        }
        return path.text
    }

    private func bars(most: Int) -> String {
        ChartDay.order.enumerated().map { index, status in
            var path = PathData()
            for cell in cells where cell.requests(status) > 0 {
                let heights = heights(cell, most: most)
                addBar(of: cell, from: heights[...index].reduce(0, +), height: heights[index], to: &path)
            }
            return SVG.path("s-\(status.name.lowercased())", path.text)
        }.joined()
    }

    /// Requests that are already refused are on top, as an outline.
    private func uncountedBars(most: Int) -> String {
        var path = PathData()
        for cell in cells where cell.uncounted > 0 {
            let height = max(DayPlot.leastHeight, Double(cell.uncounted) * unit(most))
            addBar(of: cell, from: heights(cell, most: most).reduce(0, +) + height, height: height, to: &path)
        }
        return path.text
    }

    private func addBar(of cell: ChartDay, from top: Double, height: Double, to path: inout PathData) {
        path.rectangle(
            x: frame.start(of: cell.day) + frame.step * 0.12, y: ChartFrame.countBottom - top,
            width: frame.step * 0.76, height: height)
    }

    /// The heights of the parts of a bar: every status that occurs is visible.
    private func heights(_ cell: ChartDay, most: Int) -> [Double] {
        ChartDay.order.map(cell.requests).map { $0 == 0 ? 0 : max(DayPlot.leastHeight, Double($0) * unit(most)) }
    }

    private func unit(_ most: Int) -> Double {
        (ChartFrame.countBottom - ChartFrame.countTop) / Double(max(1, most))
    }

    private func marks(bad: Bool) -> String {
        cells.reduce(into: PathData()) { path, cell in
            guard let rate = cell.blockedRate, cell.isBad == bad else { return }
            let (x, y) = (frame.start(of: cell.day) + frame.step / 2, frame.place(of: rate))
            if bad { path.diamond(x: x, y: y, radius: 4) } else { path.dot(x: x, y: y) }
        }.text
    }

    private var band: String? {
        guard series.judged != nil, let bounds, let upper = bounds.upper else { return nil }
        var path = PathData()
        let (top, bottom) = (frame.place(of: upper), frame.place(of: bounds.lower))
        let x = boundedFrom
        path.rectangle(x: x, y: top, width: ChartFrame.right - x, height: max(1, bottom - top))
        return path.text
    }

    /// The places of the labels of the limit and of the bound, kept apart.
    private var labelPlaces: (limit: Double, bound: Double) {
        let limitPlace = frame.place(of: frame.limit)
        guard let bounds else { return (limitPlace, limitPlace) }
        let boundPlace = frame.place(of: bounds.deciding)
        let lack = DayPlot.lineHeight - (limitPlace - boundPlace).magnitude
        guard lack > 0 else { return (limitPlace, boundPlace) }
        let shift = boundPlace < limitPlace ? lack / 2 : -lack / 2
        return (limitPlace + shift, boundPlace - shift)
    }

    /// The grid of rates, the base of the bars, and a tick for each Monday.
    private var grid: String {
        let mondays = frame.days.filter { $0.weekday == 0 }.map { day in
            "M\(PathData.number(frame.start(of: day))) \(PathData.number(ChartFrame.axis))v4"
        }
        return frame.grid + ChartFrame.line(y: ChartFrame.countBottom) + mondays.joined()
    }
}

/// The shares between which the blocked rate of the judged days lies, as far as they show.
struct RateBounds {
    let lower: Double
    /// Nil where only the lower one is needed.
    let upper: Double?
    /// The days that they cover, if these are not the ones judged first but only the last ones.
    let window: Window?
    /// True when the verdict is based on the lower one: more than is allowed.
    let isExceeded: Bool

    /// Nil where nothing is known, or where what is known means nothing.
    init?(_ assessment: Assessment) {
        let period = assessment.period
        // Many functions together have no reason, and nothing is known.
        guard assessment.verdict != .blind, !assessment.reasons.isEmpty else { return nil }
        for reason in assessment.reasons {
            guard
                reason.code == .lockout || reason.code == .tooManyBlocked && assessment.verdict != .enforced,
                let lower = reason.value
            else { continue }
            let isRecent = reason.code == .lockout || reason.window != period.window
            self.lower = lower
            upper = isRecent ? nil : period.upper
            window = isRecent ? reason.window : nil
            isExceeded = true
            return
        }
        guard assessment.verdict != .enforced, period.admitted > 0 else { return nil }
        (lower, upper, window, isExceeded) = (period.lower, period.upper, nil, false)
    }

    var deciding: Double { isExceeded ? lower : upper ?? 1 }

    func label(limit: Double) -> String {
        isExceeded
            ? "≥ \(Figures.rate(lower, .down, against: limit))" : "≤ \(Figures.rate(deciding, .up, against: limit))"
    }

    /// `at most 0.46%`, `at least 15%`.
    func words(limit: Double) -> String {
        let days = window.map { " in the last \(Figures.counted($0.dayCount, "day"))" } ?? ""
        return isExceeded
            ? "at least \(Figures.rate(lower, .down, against: limit))\(days)"
            : "at most \(Figures.rate(deciding, .up, against: limit))"
    }
}
