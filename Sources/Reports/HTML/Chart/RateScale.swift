import Platform
import Readiness

/// Where a blocked rate is drawn in a chart: on a logarithmic scale, with a separate line for none at all below it.
///
/// Rates that matter lie between one in ten thousand and all; on a linear scale the limit would merge with the axis.
/// The scale is the same for all functions with the same limit, so that charts can be compared.
struct RateScale {
    /// The decades shown, as powers of ten: -4 for 0.01%; the last is 0, for all.
    let decades: ClosedRange<Int>
    let top: Double
    let bottom: Double
    /// Below the lowest decade.
    let zero: Double

    /// At least two decades lie below the limit.
    init(limit: Double, top: Double, bottom: Double, zero: Double) {
        decades = max(-8, min(-4, Int(floor(log10(limit))) - 2))...0
        self.top = top
        self.bottom = bottom
        self.zero = zero
    }

    func place(of rate: Double) -> Double {
        guard rate > 0 else { return zero }
        let lowest = Double(decades.lowerBound)
        let height = (max(log10(rate), lowest) - lowest) / (Double(decades.upperBound) - lowest)
        return bottom - height * (bottom - top)
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
        let evidence = assessment.evidence
        // Many functions together have no reason, and nothing is known.
        guard assessment.verdict != .blind, !assessment.reasons.isEmpty else { return nil }
        for reason in assessment.reasons {
            switch reason {
            case .settled(.lockout(let lower, _, _, _)):
                (self.lower, upper, self.window, isExceeded) = (lower, nil, nil, true)
            case .excess(.tooManyBlocked(let lower, _, _, _, let window)) where assessment.verdict != .enforced:
                let isRecent = window != evidence.window
                self.lower = lower
                upper = isRecent ? nil : evidence.blockedRateUpper
                self.window = isRecent ? window : nil
                isExceeded = true
            default: continue
            }
            return
        }
        guard assessment.verdict != .enforced, evidence.admitted > 0 else { return nil }
        (lower, upper, window, isExceeded) = (evidence.blockedRateLower, evidence.blockedRateUpper, nil, false)
    }

    /// The one that the verdict is based on.
    var deciding: Double {
        isExceeded ? lower : upper ?? 1
    }

    /// `≤ 0.46%`, `≥ 15%`.
    func label(limit: Double) -> String {
        isExceeded
            ? "≥ \(Figures.rate(lower, .down, against: limit))"
            : "≤ \(Figures.rate(deciding, .up, against: limit))"
    }

    /// `at most 0.46%`, `at least 15%`.
    func words(limit: Double) -> String {
        let days = window.map { " in the last \(Figures.counted($0.dayCount, "day"))" } ?? ""
        return isExceeded
            ? "at least \(Figures.rate(lower, .down, against: limit))\(days)"
            : "at most \(Figures.rate(deciding, .up, against: limit))"
    }
}

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
