import Platform
import Verifications

/// The frame that all charts share: two panels over the same days, counts above and rates below.
///
/// They are two because a share of a few per cent cannot be seen in a bar of everything. Rates are on a logarithmic
/// scale, with a separate line for none at all below it: those that matter lie between one in ten thousand and all, and
/// on a linear scale the limit would merge with the axis. The scale is the same for all functions with the same limit.
struct ChartFrame {
    let days: ClosedRange<Day>
    let limit: Double
    /// The decades shown, as powers of ten: -4 for 0.01%; the last is 0, for all.
    let decades: ClosedRange<Int>

    // In units of the drawing, which is 340 wide.
    static let (left, right) = (42.0, 276.0)
    static let (countTop, countBottom) = (17.0, 72.0)
    static let (rateTop, rateBottom, rateZero) = (106.0, 186.0, 202.0)
    static let axis = 212.0

    /// At least two decades lie below the limit.
    init(days: ClosedRange<Day>, limit: Double) {
        self.days = days
        self.limit = limit
        decades = max(-8, min(-4, Int(floor(log10(limit))) - 2))...0
    }

    func place(of rate: Double) -> Double {
        guard rate > 0 else { return ChartFrame.rateZero }
        let lowest = Double(decades.lowerBound)
        let height = (max(log10(rate), lowest) - lowest) / (Double(decades.upperBound) - lowest)
        return ChartFrame.rateBottom - height * (ChartFrame.rateBottom - ChartFrame.rateTop)
    }

    var step: Double { (ChartFrame.right - ChartFrame.left) / Double(days.count) }

    func start(of day: Day) -> Double { ChartFrame.left + Double(days.lowerBound.distance(to: day)) * step }

    func line(at rate: Double, from start: Double = ChartFrame.left) -> String {
        ChartFrame.line(y: place(of: rate), from: start)
    }

    static func line(y: Double, from start: Double = left) -> String {
        "M\(PathData.number(start)) \(PathData.number(y))H\(PathData.number(right))"
    }

    var grid: String { rates.map { line(at: $0) }.joined() }

    private var rates: [Double] {
        decades.map { exponent in (exponent..<0).reduce(1) { rate, _ in rate / 10 } } + [0]
    }

    /// An `svg` element, with a title and a description for those who cannot see it; identifiers begin with `id`.
    ///
    /// The background is behind both panels; what is `above` in the lower one is drawn over the label of the limit.
    func svg(
        id: String, title: String, description: Wording, background: String,
        counts: (head: String, most: String, marks: String),
        rates: (head: String, below: String, limitLabel: Double, above: String), lastLabel: String
    ) -> String {
        let (left, right) = (ChartFrame.left, ChartFrame.right)
        let scales = self.rates.map { rate in
            SVG.label(rate == 0 ? "0" : Figures.exactRate(rate), x: left - 4, y: place(of: rate) + 3.5, "end")
        }
        let limitLabel = SVG.label(
            "limit \(Figures.exactRate(limit))", x: right + 4, y: rates.limitLabel + 3.5, "limit-label")
        return """
            <svg class="chart" viewBox="0 0 340 230" role="img" aria-labelledby="\(id)-title \(id)-text">\
            <title id="\(id)-title">\(HTMLText.escaped(title))</title><desc id="\(id)-text">\(description.html)</desc>
            \(background)
            \(SVG.label(counts.head, x: left, y: 10))\(SVG.label(counts.most, x: left - 4, y: 21, "end"))\
            \(SVG.label("0", x: left - 4, y: 75, "end"))\(counts.marks)
            \(SVG.label(rates.head, x: left, y: 94))\(scales.joined())\(rates.below)\(limitLabel)\(rates.above)
            \(SVG.label(CalendarText.short(days.lowerBound), x: left, y: 227))\
            \(SVG.label(lastLabel, x: right, y: 227, "end"))</svg>

            """
    }
}

/// The `d` attribute of an SVG path (<https://www.w3.org/TR/SVG2/paths.html>): many marks as one element.
struct PathData {
    private(set) var text = ""

    mutating func rectangle(x: Double, y: Double, width: Double, height: Double) {
        let wide = PathData.number(width)
        text += "M\(PathData.number(x)) \(PathData.number(y))h\(wide)v\(PathData.number(height))h-\(wide)z"
    }

    /// A dot: a line of no length, which a round cap makes visible.
    mutating func dot(x: Double, y: Double) { text += "M\(PathData.number(x)) \(PathData.number(y))h0" }

    mutating func diamond(x: Double, y: Double, radius: Double) {
        let r = PathData.number(radius)
        text += "M\(PathData.number(x)) \(PathData.number(y - radius))l\(r) \(r)-\(r) \(r)-\(r)-\(r)z"
    }

    /// A number with at most one decimal: more cannot be seen.
    static func number(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        let whole = "\(tenths < 0 ? "-" : "")\(tenths.magnitude / 10)"
        return tenths % 10 == 0 ? whole : "\(whole).\(tenths.magnitude % 10)"
    }
}

enum SVG {
    static func path(_ name: String, _ data: String?) -> String {
        data.map { $0.isEmpty ? "" : "<path class=\"\(name)\" d=\"\($0)\"/>" } ?? ""
    }

    static func label(_ text: String, x: Double, y: Double, _ name: String = "") -> String {
        let name = name.isEmpty ? "" : " class=\"\(name)\""
        return "<text\(name) x=\"\(PathData.number(x))\" y=\"\(PathData.number(y))\">\(HTMLText.escaped(text))</text>"
    }
}
