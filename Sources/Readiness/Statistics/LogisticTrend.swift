import Platform

/// A rate that falls or rises over days: a binomial logistic regression of blocked requests on the day.
///
/// The model is b_d ~ Binomial(n_d, p_d) with ln(p_d/(1 − p_d)) = intercept + slope·d, fitted by maximum likelihood
/// (McCullagh and Nelder 1989, chapter 4). It is what `statsmodels.GLM` fits with the binomial family.
struct LogisticTrend: Hashable, Sendable {
    /// Log-odds of a blocked request on day 0 of the calendar the days are counted in.
    let intercept: Double
    /// Change of the log-odds from one day to the next, between −20 and 20.
    let slope: Double
    /// Standard error of the slope, times √``dispersion``.
    let slopeError: Double
    /// φ = max(1, min(Σb, X²/(D − 2))), with Pearson's X² about the fitted rates of the D days with requests.
    let dispersion: Double

    private let line: LogOddsLine

    /// The fitted rate on a day, which may lie outside the days of the fit.
    func rate(onDay day: Int) -> Double {
        LogOddsLine.rate(line.logOdds(onDay: Double(day)))
    }

    /// Fits the days with requests, in any order.
    ///
    /// The fit is Newton's method on the likelihood, which here is iteratively reweighted least squares; it ends when a
    /// step changes neither parameter by more than 1e-12 of its size. No step moves any day's log-odds by more than 1:
    /// the third derivative of ln(1 + eᶻ) never exceeds its second, so that such a step always raises the likelihood
    /// (Bach 2010, section 2), whereas whole steps run away from days that were blocked entirely until a fix went out.
    /// Five hundred steps are then enough for the steepest slope over three weeks.
    ///
    /// - Returns: nil for fewer than 5 days with requests, when nothing or everything was blocked, when the likelihood
    ///   has no maximum because one day separates blocked from passed requests, and when |slope| > 20.
    static func fit(_ days: [DayCount]) -> LogisticTrend? {
        let active = days.filter { $0.requests > 0 }
        let requests = active.reduce(0) { $0 + $1.requests }
        let blocked = active.reduce(0) { $0 + $1.blocked }
        guard active.count >= 5, blocked > 0, blocked < requests else { return nil }

        let centre = active.reduce(0) { $0 + Double($1.day) } / Double(active.count)
        var line = LogOddsLine(centre: centre, level: log(blocked / (requests - blocked)), slope: 0)
        for _ in 0..<500 {
            let equations = LikelihoodEquations(active, at: line)
            guard equations.weight > 0, equations.spread > 0 else { return nil }
            let step = equations.step
            let reach = active.reduce(0) { max($0, step.logOdds(onDay: Double($1.day)).magnitude) }
            line.add(step, scale: 1 / max(1, reach))
            guard step.level.magnitude <= 1e-12 * (1 + line.level.magnitude),
                step.slope.magnitude <= 1e-12 * (1 + line.slope.magnitude)
            else { continue }
            guard line.slope.magnitude <= 20 else { return nil }
            let fitted = LikelihoodEquations(active, at: line)
            let dispersion = max(1, min(blocked, fitted.pearsonStatistic / Double(active.count - 2)))
            return LogisticTrend(
                intercept: line.logOdds(onDay: 0), slope: line.slope,
                slopeError: (dispersion / fitted.spread).squareRoot(), dispersion: dispersion, line: line)
        }
        return nil
    }

    /// The fit, when its rate falls beyond what chance explains; nil otherwise.
    static func falling(_ days: [DayCount], confidence: Double) -> LogisticTrend? {
        guard let trend = fit(days), trend.slope < 0,
            trend.slope / trend.slopeError < -NormalDistribution.quantile(confidence)
        else { return nil }
        return trend
    }
}

/// Log-odds that change by the same amount every day.
///
/// Day numbers are large and their differences small: counted from a day in their middle, level and slope are nearly
/// uncorrelated, and the log-odds of a day lose no digits.
private struct LogOddsLine: Hashable {
    let centre: Double
    var level: Double
    var slope: Double

    func logOdds(onDay day: Double) -> Double {
        level + slope * (day - centre)
    }

    mutating func add(_ step: LogOddsLine, scale: Double) {
        level += step.level * scale
        slope += step.slope * scale
    }

    static func rate(_ logOdds: Double) -> Double {
        1 / (1 + exp(-logOdds))
    }
}

/// The derivatives of the log-likelihood at a line.
private struct LikelihoodEquations {
    /// Σ w, with w = n·p·(1 − p) the variance of a day's blocked requests.
    private(set) var weight = 0.0
    /// Σ w·(d − m)², with m the mean day weighted by w: the information about the slope.
    private(set) var spread = 0.0
    /// X² = Σ (b − n·p)²/w.
    private(set) var pearsonStatistic = 0.0

    private var score = 0.0
    private var slopeScore = 0.0
    private var mean = 0.0
    private let centre: Double

    init(_ days: [DayCount], at line: LogOddsLine) {
        centre = line.centre
        let cells = days.map { Cell($0, at: line) }
        for cell in cells {
            weight += cell.weight
            mean += cell.weight * cell.distance
        }
        mean /= weight
        for cell in cells {
            let distance = cell.distance - mean
            spread += cell.weight * distance * distance
            score += cell.residual
            slopeScore += cell.residual * distance
            pearsonStatistic += cell.pearsonTerm
        }
    }

    /// The Newton step: counted from the weighted mean day, the two equations are independent of each other.
    var step: LogOddsLine {
        let slope = slopeScore / spread
        return LogOddsLine(centre: centre, level: score / weight - slope * mean, slope: slope)
    }

    /// One day at a line.
    private struct Cell {
        let distance: Double
        let weight: Double
        /// b − n·p, as b·(1 − p) − (n − b)·p, which stays exact where p is close to 1.
        let residual: Double
        let pearsonTerm: Double

        init(_ day: DayCount, at line: LogOddsLine) {
            let logOdds = line.logOdds(onDay: Double(day.day))
            let (blockedRate, passedRate) = (LogOddsLine.rate(logOdds), LogOddsLine.rate(-logOdds))
            let (requests, blocked) = (day.requests, day.blocked)
            distance = Double(day.day) - line.centre
            weight = requests * blockedRate * passedRate
            residual = blocked * passedRate - (requests - blocked) * blockedRate
            pearsonTerm = residual * residual / weight
        }
    }
}
