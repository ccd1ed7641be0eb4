/// The `d` attribute of an SVG path (<https://www.w3.org/TR/SVG2/paths.html>): many marks as one element.
struct PathData {
    private(set) var text = ""

    /// A rectangle.
    mutating func rectangle(x: Double, y: Double, width: Double, height: Double) {
        let wide = PathData.number(width)
        text += "M\(PathData.number(x)) \(PathData.number(y))h\(wide)v\(PathData.number(height))h-\(wide)z"
    }

    /// A dot: a line of no length, which a round cap makes visible.
    mutating func dot(x: Double, y: Double) {
        text += "M\(PathData.number(x)) \(PathData.number(y))h0"
    }

    /// A square on its point.
    mutating func diamond(x: Double, y: Double, radius: Double) {
        let r = PathData.number(radius)
        text += "M\(PathData.number(x)) \(PathData.number(y - radius))l\(r) \(r)-\(r) \(r)-\(r)-\(r)z"
    }

    var isEmpty: Bool {
        text.isEmpty
    }

    /// A number with at most one decimal: more cannot be seen.
    static func number(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        let whole = "\(tenths < 0 ? "-" : "")\(tenths.magnitude / 10)"
        return tenths % 10 == 0 ? whole : "\(whole).\(tenths.magnitude % 10)"
    }
}
