import Rollout
import Verifications

/// The chart of a rollout: its percentage as steps above, and the share of each day's users who only fail below.
struct RolloutPlot {
    private let history: RolloutHistory
    private let entries: ArraySlice<RolloutHistory.Entry>
    private let days: ClosedRange<Day>
    private let scale: RateScale
    private let policy = RolloutPolicy()

    // In units of the drawing, which is 340 wide.
    private static let (left, right) = (42.0, 276.0)
    private static let (stepTop, stepBottom) = (17.0, 72.0)
    private static let (rateTop, rateBottom, rateZero) = (106.0, 186.0, 202.0)
    /// How many days fit next to each other.
    private static let most = 92

    /// Nil without a day.
    init?(_ history: RolloutHistory) {
        guard let last = history.entries.last?.day.day else { return nil }
        entries = history.entries.drop { $0.day.day <= last.advanced(by: -RolloutPlot.most) }
        guard let first = entries.first?.day.day else { return nil }
        self.history = history
        days = first...last
        scale = RateScale(
            limit: RolloutPolicy().maxFailed, top: RolloutPlot.rateTop, bottom: RolloutPlot.rateBottom,
            zero: RolloutPlot.rateZero)
    }

    /// The drawing, with its title and a description for those who cannot see it.
    ///
    /// - Parameter id: What identifiers in the page begin with.
    /// - Returns: An `svg` element.
    func svg(id: String) -> String {
        func path(_ name: String, _ data: String) -> String {
            data.isEmpty ? "" : "<path class=\"\(name)\" d=\"\(data)\"/>"
        }
        func label(_ text: String, x: Double, y: Double, _ name: String = "") -> String {
            let name = name.isEmpty ? "" : " class=\"\(name)\""
            return
                "<text\(name) x=\"\(PathData.number(x))\" y=\"\(PathData.number(y))\">\(HTMLText.escaped(text))</text>"
        }
        let left = RolloutPlot.left - 4
        let limit = policy.maxFailed
        let steps =
            label("users with App Attest", x: RolloutPlot.left, y: 10) + label("100%", x: left, y: 21, "end")
            + label("0", x: left, y: 75, "end") + path("bound", stepLine)
        var rates = label("share of a day's users who only fail", x: RolloutPlot.left, y: 94)
        for (rate, text) in grid { rates += label(text, x: left, y: scale.place(of: rate) + 3.5, "end") }
        rates +=
            path("limit", line(at: limit)) + path("band", bands)
            + label(
                "limit \(Figures.exactRate(limit))", x: RolloutPlot.right + 4, y: scale.place(of: limit) + 3.5,
                "limit-label")
        let span = CalendarText.span(from: days.lowerBound, to: days.upperBound)
        return """
            <svg class="chart" viewBox="0 0 340 230" role="img" aria-labelledby="\(id)-title \(id)-text">\
            <title id="\(id)-title">The percentage, and the share of users who only fail, \(HTMLText.escaped(span))</title>\
            <desc id="\(id)-text">Bars reach from the lower to the upper bound of each day at \
            \(Figures.exactRate(policy.confidence)) confidence. The table below has the numbers.</desc>
            \(path("grid", gridLines))
            \(steps)
            \(rates)\(path("dots", dots))
            \(label(CalendarText.short(days.lowerBound), x: RolloutPlot.left, y: 227))\
            \(label(CalendarText.short(days.upperBound), x: RolloutPlot.right, y: 227, "end"))</svg>

            """
    }

    // MARK: Places

    private var step: Double {
        (RolloutPlot.right - RolloutPlot.left) / Double(days.lowerBound.distance(to: days.upperBound) + 1)
    }

    private func start(of day: Day) -> Double {
        RolloutPlot.left + Double(days.lowerBound.distance(to: day)) * step
    }

    private func height(of percent: Double) -> Double {
        RolloutPlot.stepBottom - (RolloutPlot.stepBottom - RolloutPlot.stepTop) * percent / 100
    }

    private func line(at rate: Double) -> String {
        "M\(PathData.number(RolloutPlot.left)) \(PathData.number(scale.place(of: rate)))H\(PathData.number(RolloutPlot.right))"
    }

    // MARK: Marks

    /// Each run of days with a known percentage is one line.
    private var stepLine: String {
        var data = ""
        var last: RolloutHistory.Entry?
        for entry in entries {
            defer { last = entry }
            guard let percent = entry.percent else { continue }
            let (x, y) = (PathData.number(start(of: entry.day.day)), PathData.number(height(of: percent)))
            data += last?.percent == nil ? "M\(x) \(y)" : last?.percent == percent ? "" : "H\(x)V\(y)"
            data += "H\(PathData.number(start(of: entry.day.day) + step))"
        }
        return data
    }

    private var bands: String {
        entries.reduce(into: PathData()) { path, entry in
            let bounds = entry.day.bounds(confidence: policy.confidence)
            let (top, bottom) = (scale.place(of: bounds.upperBound), scale.place(of: bounds.lowerBound))
            path.rectangle(
                x: start(of: entry.day.day) + step * 0.2, y: top, width: step * 0.6, height: max(1, bottom - top))
        }.text
    }

    private var dots: String {
        entries.reduce(into: PathData()) { path, entry in
            let count = entry.day.count
            guard count.users > 0 else { return }
            path.dot(
                x: start(of: entry.day.day) + step / 2,
                y: scale.place(of: Double(count.failedOnly) / Double(count.users)))
        }.text
    }

    /// A line for each decade, and for none.
    private var grid: [(rate: Double, text: String)] {
        scale.decades.map { exponent in
            let rate = (exponent..<0).reduce(1) { rate, _ in rate / 10 } as Double
            return (rate, Figures.exactRate(rate))
        } + [(0, "0")]
    }

    private var gridLines: String {
        let ends = [0, 100].map { percent in
            "M\(PathData.number(RolloutPlot.left)) \(PathData.number(height(of: percent)))H\(PathData.number(RolloutPlot.right))"
        }
        return grid.map { line(at: $0.rate) }.joined() + ends.joined()
    }
}
