import Readiness
import Verifications

/// The chart of a function: requests of each day by token above, and how many of them would be refused below.
///
/// Two panels, because the two questions need two scales: a share of a few per cent cannot be seen in a bar of all
/// requests. Only the data, the limit and what the judged days show are drawn; the rest is in the table.
struct DayPlot {
    private let function: FunctionSummary
    private let days: ChartDays
    let cells: [DayCell]
    private let judged: Window?
    private let bounds: RateBounds?
    private let limit: Double
    /// Days on which the whole project has no verification.
    private let missing: [Day]
    private let scale: RateScale

    // In units of the drawing, which is 340 wide.
    private static let (left, right) = (42.0, 276.0)
    private static let (countTop, countBottom) = (17.0, 72.0)
    private static let (rateTop, rateBottom, rateZero) = (106.0, 186.0, 202.0)
    private static let axis = 212.0
    private static let leastHeight = 0.7
    /// The least distance between two labels at the right edge.
    private static let lineHeight = 12.0

    /// Nil where no day has a verification.
    init?(_ explanation: Explanation, days: ChartDays) {
        let (function, assessment) = (explanation.function, explanation.function.assessment)
        let bad = assessment.badDays
        cells = function.tally.days.filter { days.range.contains($0.day) }.map {
            DayCell($0, admission: assessment.judgedCallers, isBad: bad.contains($0.day))
        }
        guard !cells.isEmpty else { return nil }
        self.function = function
        self.days = days
        judged = explanation.judged.flatMap { Window(from: max($0.from, days.range.lowerBound), to: $0.to) }
        bounds = RateBounds(assessment)
        limit = assessment.policy.numbers.maxBlocked
        let coveredDays = explanation.summary.projects[ExactName(function.identity.project)].map {
            Set($0.coveredDays)
        }
        let firstCovered = coveredDays?.min() ?? days.range.lowerBound
        missing = days.range.filter { day in
            firstCovered < day && coveredDays.map { !$0.contains(day) } ?? false
        }
        scale = RateScale(
            limit: limit, top: DayPlot.rateTop, bottom: DayPlot.rateBottom, zero: DayPlot.rateZero)
    }

    /// The drawing, with its title and a description for those who cannot see it.
    ///
    /// - Parameter id: What identifiers in the page begin with.
    /// - Returns: An `svg` element.
    func svg(id: String) -> String {
        let most = cells.map { $0.requests + $0.uncounted }.max() ?? 0
        let (limitLabel, boundLabel) = labelPlaces
        func path(_ name: String, _ data: String?) -> String {
            data.map { "<path class=\"\(name)\" d=\"\($0)\"/>" } ?? ""
        }
        func label(_ text: String, x: Double, y: Double, _ name: String = "") -> String {
            let name = name.isEmpty ? "" : " class=\"\(name)\""
            return
                "<text\(name) x=\"\(PathData.number(x))\" y=\"\(PathData.number(y))\">\(HTMLText.escaped(text))</text>"
        }
        let left = DayPlot.left - 4
        let requests =
            label("requests a day", x: DayPlot.left, y: 10) + label(Figures.grouped(most), x: left, y: 21, "end")
            + label("0", x: left, y: 75, "end") + bars(most: most)
            + path("outline", text(of: uncountedBars(most: most)))
        let share = isEnforced ? "share without a valid token" : "share that would be refused"
        var rates = label(share, x: DayPlot.left, y: 94)
        for rate in scale.decades.map({ power(of: $0) }) + [0] {
            rates += label(
                rate == 0 ? "0" : Figures.exactRate(rate), x: left, y: scale.place(of: rate) + 3.5, "end")
        }
        rates += path("band", band) + path("limit", line(at: limit, from: DayPlot.left, to: DayPlot.right))
        rates += path("bound", bounds.map { line(at: $0.deciding, from: columnStart(boundedFrom), to: DayPlot.right) })
        let right = DayPlot.right + 4
        rates += label("limit \(Figures.exactRate(limit))", x: right, y: limitLabel + 3.5, "limit-label")
        if let boundLabel, let bounds {
            rates += label(bounds.label(limit: limit), x: right, y: boundLabel + 3.5, "bound-label")
        }
        rates += path("dots", text(of: dots)) + path("bad", text(of: badDots))
        let feet =
            label(CalendarText.short(days.range.lowerBound), x: DayPlot.left, y: 227)
            + label(days.lastLabel, x: DayPlot.right, y: 227, "end")
        return """
            <svg class="chart" viewBox="0 0 340 230" role="img" aria-labelledby="\(id)-title \(id)-text">\
            <title id="\(id)-title">\(HTMLText.escaped(title))</title><desc id="\(id)-text">\(description.html)</desc>
            \(path("window", judged.map { columns($0.from...$0.to).text }))\
            \(path("gaps", text(of: missingColumns)))\(path("grid", grid))
            \(requests)
            \(rates)
            \(feet)</svg>

            """
    }

    private func text(of path: PathData) -> String? {
        path.isEmpty ? nil : path.text
    }

    // MARK: In words

    /// Days before enforcement began are in the chart, too: nobody was refused then.
    private var isEnforced: Bool { function.assessment.enforcedSince != nil }

    private var title: String {
        let span = CalendarText.span(from: days.range.lowerBound, to: days.range.upperBound)
        let share = isEnforced ? "without a valid token" : "that enforcement would refuse"
        return "Requests by day, and the share of them \(share), \(span)"
    }

    private var description: Wording {
        guard let judged else { return "No day was judged." }
        let span = CalendarText.span(from: judged.from, to: judged.to)
        guard let bounds, let rate = function.shownRate else { return "Judged: \(span)." }
        return """
            Judged: \(span). \(function.assessment.isLockout ? "Refused" : "Would be refused"): \(Figures.rate(rate)), \
            \(bounds.words(limit: limit)); the limit is \(Figures.exactRate(limit)). The table below has the numbers.
            """
    }

    // MARK: Places

    private var step: Double {
        (DayPlot.right - DayPlot.left) / Double(days.count)
    }

    private func columnStart(_ day: Day?) -> Double {
        day.map { DayPlot.left + Double(days.index(of: $0)) * step } ?? DayPlot.left
    }

    /// The first day that the bounds cover.
    private var boundedFrom: Day? {
        (bounds?.window ?? judged).map { max($0.from, days.range.lowerBound) }
    }

    private func center(_ day: Day) -> Double {
        columnStart(day) + step / 2
    }

    /// Both panels of a run of days.
    private func columns(_ run: ClosedRange<Day>) -> PathData {
        var path = PathData()
        let x = columnStart(run.lowerBound)
        let width = columnStart(run.upperBound) + step - x
        path.rectangle(
            x: x, y: DayPlot.countTop, width: width, height: DayPlot.countBottom - DayPlot.countTop)
        path.rectangle(
            x: x, y: DayPlot.rateTop - 4, width: width, height: DayPlot.axis - DayPlot.rateTop + 4)
        return path
    }

    private func line(at rate: Double, from start: Double, to end: Double) -> String {
        "M\(PathData.number(start)) \(PathData.number(scale.place(of: rate)))H\(PathData.number(end))"
    }

    // MARK: Requests

    private func bars(most: Int) -> String {
        DayCell.statuses.indices.map { index in
            var path = PathData()
            for cell in cells where cell.admitted[index] > 0 {
                let heights = heights(cell, most: most)
                let y = DayPlot.countBottom - heights[...index].reduce(0, +)
                path.rectangle(x: columnStart(cell.day) + step * 0.12, y: y, width: step * 0.76, height: heights[index])
            }
            let status = DayCell.statuses[index].name.lowercased()
            return path.isEmpty ? "" : "<path class=\"s-\(status)\" d=\"\(path.text)\"/>"
        }.joined()
    }

    /// Requests that are already refused are on top, as an outline.
    private func uncountedBars(most: Int) -> PathData {
        cells.reduce(into: PathData()) { path, cell in
            guard cell.uncounted > 0 else { return }
            let below = heights(cell, most: most).reduce(0, +)
            let height = max(DayPlot.leastHeight, Double(cell.uncounted) * unit(most))
            path.rectangle(
                x: columnStart(cell.day) + step * 0.12, y: DayPlot.countBottom - below - height, width: step * 0.76,
                height: height)
        }
    }

    /// The heights of the parts of a bar: every status that occurs is visible.
    private func heights(_ cell: DayCell, most: Int) -> [Double] {
        cell.admitted.map { $0 == 0 ? 0 : max(DayPlot.leastHeight, Double($0) * unit(most)) }
    }

    private func unit(_ most: Int) -> Double {
        (DayPlot.countBottom - DayPlot.countTop) / Double(max(1, most))
    }

    // MARK: Rates

    private var dots: PathData {
        cells.reduce(into: PathData()) { path, cell in
            guard let rate = cell.blockedRate, !cell.isBad else { return }
            path.dot(x: center(cell.day), y: scale.place(of: rate))
        }
    }

    private var badDots: PathData {
        cells.reduce(into: PathData()) { path, cell in
            guard let rate = cell.blockedRate, cell.isBad else { return }
            path.diamond(x: center(cell.day), y: scale.place(of: rate), radius: 4)
        }
    }

    private var band: String? {
        guard judged != nil, let bounds, let upper = bounds.upper else { return nil }
        var path = PathData()
        let (top, bottom) = (scale.place(of: upper), scale.place(of: bounds.lower))
        let x = columnStart(boundedFrom)
        path.rectangle(x: x, y: top, width: DayPlot.right - x, height: max(1, bottom - top))
        return path.text
    }

    /// Where the labels of the limit and of the bound are drawn, kept apart.
    private var labelPlaces: (limit: Double, bound: Double?) {
        let limitPlace = scale.place(of: limit)
        guard let bounds else { return (limitPlace, nil) }
        let boundPlace = scale.place(of: bounds.deciding)
        let lack = DayPlot.lineHeight - (limitPlace - boundPlace).magnitude
        guard lack > 0 else { return (limitPlace, boundPlace) }
        let shift = boundPlace < limitPlace ? lack / 2 : -lack / 2
        return (limitPlace + shift, boundPlace - shift)
    }

    // MARK: Axes

    private var missingColumns: PathData {
        missing.reduce(into: PathData()) { path, day in
            path.rectangle(
                x: columnStart(day), y: DayPlot.countTop, width: step, height: DayPlot.countBottom - DayPlot.countTop)
            path.rectangle(
                x: columnStart(day), y: DayPlot.rateTop - 4, width: step, height: DayPlot.axis - DayPlot.rateTop + 4)
        }
    }

    /// A line for each decade and for none, the base of the bars, and a tick for each Monday.
    private var grid: String {
        let lines = scale.decades.map { power(of: $0) } + [0]
        let across = lines.map { line(at: $0, from: DayPlot.left, to: DayPlot.right) }.joined()
        let base =
            "M\(PathData.number(DayPlot.left)) \(PathData.number(DayPlot.countBottom))H\(PathData.number(DayPlot.right))"
        let mondays = days.range.filter { $0.weekday == 0 }.map { day in
            "M\(PathData.number(columnStart(day))) \(PathData.number(DayPlot.axis))v4"
        }
        return across + base + mondays.joined()
    }

    private func power(of exponent: Int) -> Double {
        (exponent..<0).reduce(1) { rate, _ in rate / 10 }
    }
}
