import Glibc

/// Where a blocked rate stands in a chart: on a logarithmic scale, and none at all on a line of its own below it.
///
/// Rates that matter lie between one in ten thousand and all; on a linear scale the limit would be one with the axis.
/// The scale is the same for all functions of one limit, so that charts can be compared.
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
