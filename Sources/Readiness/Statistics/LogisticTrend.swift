import Glibc

/// A binomial logistic regression of blocked requests on the day.
public struct LogisticTrend: Hashable, Sendable {
    /// Log-odds on day 0.
    public let intercept: Double
    /// Change of the log-odds per day.
    public let slope: Double
    /// Standard error of the slope, times the square root of the dispersion.
    public let slopeError: Double
    /// φ = max(1, min(b, X²/(D − 2))).
    public let dispersion: Double

    private let centre: Double
    private let centreLogOdds: Double

    /// The fitted rate of a day.
    public func rate(onDay day: Int) -> Double {
        logistic(centreLogOdds + slope * (Double(day) - centre))
    }

    /// Fits by iteratively reweighted least squares.
    public static func fit(_ days: [DayCount]) -> LogisticTrend? {
        let active = days.filter { $0.requests > 0 }
        let requests = active.reduce(0) { $0 + Double($1.requests) }
        let blocked = active.reduce(0) { $0 + Double($1.blocked) }
        guard active.count >= 5, blocked > 0, blocked < requests else { return nil }
        let centre = active.reduce(0) { $0 + Double($1.day) } / Double(active.count)
        let cells = active.map { (x: Double($0.day) - centre, n: Double($0.requests), b: Double($0.blocked)) }

        var level = log(blocked / (requests - blocked))
        var slope = 0.0
        for _ in 0..<100 {
            var weight = 0.0, weightedDay = 0.0
            for cell in cells {
                let eta = level + slope * cell.x
                let w = cell.n * logistic(eta) * logistic(-eta)
                weight += w
                weightedDay += w * cell.x
            }
            guard weight > 0 else { return nil }
            let mean = weightedDay / weight
            var spread = 0.0, score = 0.0, slopeScore = 0.0
            for cell in cells {
                let eta = level + slope * cell.x
                spread += cell.n * logistic(eta) * logistic(-eta) * (cell.x - mean) * (cell.x - mean)
                let residual = cell.b * logistic(-eta) - (cell.n - cell.b) * logistic(eta)
                score += residual
                slopeScore += residual * (cell.x - mean)
            }
            guard spread > 0 else { return nil }
            let slopeStep = slopeScore / spread
            let levelStep = score / weight - slopeStep * mean
            slope += slopeStep
            level += levelStep
            guard slope.magnitude <= 20 else { return nil }
            guard slopeStep.magnitude <= 1e-12 * (1 + slope.magnitude),
                levelStep.magnitude <= 1e-12 * (1 + level.magnitude)
            else { continue }
            let statistic = cells.reduce(0) { sum, cell in
                let eta = level + slope * cell.x
                let (p, q) = (logistic(eta), logistic(-eta))
                let residual = cell.b * q - (cell.n - cell.b) * p
                return sum + residual * residual / (cell.n * p * q)
            }
            let dispersion = max(1, min(blocked, statistic / Double(active.count - 2)))
            return LogisticTrend(
                intercept: level - slope * centre, slope: slope, slopeError: (dispersion / spread).squareRoot(),
                dispersion: dispersion, centre: centre, centreLogOdds: level)
        }
        return nil
    }
}

private func logistic(_ logOdds: Double) -> Double {
    1 / (1 + exp(-logOdds))
}
