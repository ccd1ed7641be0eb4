import Platform

/// Whether two rates differ by more than chance explains.
///
/// The test is the conditional one of Przyborowski and Wilenski (Biometrika 31, 1940) for rare events: given how many
/// requests were blocked in both periods together, those of the second are binomial with the second period's share of
/// all requests, if the rates are one. It is exact for small counts. Of rates that are not small the true spread is
/// smaller (hypergeometric), so that the test errs to the safe side; where more than half is blocked, the requests that
/// were not are counted instead.
///
/// Requests come in bursts: all counts are divided by a dispersion φ first (``Dispersion``, ``HourOccupancy``).
package enum RateComparison {
    /// One period's requests; 0 ≤ `blocked` ≤ `requests`.
    package struct Sample: Hashable, Sendable {
        package var blocked: Double
        package var requests: Double

        package init(blocked: Double, requests: Double) {
            self.blocked = blocked
            self.requests = requests
        }
    }

    /// The two-sided p-value: twice the smaller tail, at most 1; also 1 when either period has no request.
    ///
    /// P(X ≥ x) = I_q(x, m − x + 1) and P(X ≤ x) = I_{1−q}(m − x, x + 1) (NIST DLMF 8.17.5), for real counts as well.
    ///
    /// The dispersion φ is at least 1.
    package static func pValue(_ old: Sample, _ new: Sample, dispersion: Double) -> Double {
        precondition(dispersion >= 1, "a dispersion is at least 1")
        guard old.requests > 0, new.requests > 0 else { return 1 }
        let requests = old.requests + new.requests
        let isMostlyBlocked = old.blocked + new.blocked > requests / 2
        func events(_ sample: Sample) -> Double {
            (isMostlyBlocked ? sample.requests - sample.blocked : sample.blocked) / dispersion
        }
        let (first, second) = (events(old), events(new))
        let share = new.requests / requests
        let atLeast = second > 0 ? BetaDistribution.cumulative(share, a: second, b: first + 1) : 1
        let atMost = first > 0 ? BetaDistribution.cumulative(old.requests / requests, a: first, b: second + 1) : 1
        return min(1, 2 * min(atLeast, atMost))
    }
}

/// The two-sided z test of two proportions at 95 %.
///
/// The variance is pooled, without continuity correction (Fleiss, Levin and Paik 2003, chapter 3).
package enum Proportions {
    /// True when a of n is another share than b of m, with standard errors times √φ.
    ///
    /// Without a variance, or without a request on one side, nothing differs.
    package static func differ(
        _ a: Double, of n: Double, from b: Double, of m: Double, dispersion: Double = 1
    ) -> Bool {
        guard n > 0, m > 0 else { return false }
        let pooled = (a + b) / (n + m)
        let variance = pooled * (1 - pooled) * (1 / n + 1 / m) * dispersion
        guard variance > 0 else { return false }
        return (a / n - b / m).magnitude / variance.squareRoot() > NormalDistribution.quantile(0.975)
    }
}

/// Many questions asked at once, so that the more are asked the more it takes to believe an answer.
///
/// Holm's step-down procedure (Scandinavian Journal of Statistics 6, 1979): of m p-values the smallest counts m times,
/// the next m − 1 times and so on. Who believes corrected p-values of at most α errs in even one of them with
/// probability α at most, however the questions depend on each other.
package enum HolmCorrection {
    /// The corrected p-values, in the order of the given ones; each at least the given one and at most 1.
    package static func corrected(_ pValues: [Double]) -> [Double] {
        var corrected = pValues
        var floor = 0.0
        for (rank, index) in pValues.indices.sorted(by: { pValues[$0] < pValues[$1] }).enumerated() {
            floor = max(floor, min(1, Double(pValues.count - rank) * pValues[index]))
            corrected[index] = floor
        }
        return corrected
    }
}

/// How many blocked requests came of one client's attempts, by the hours of the day that they fell in.
///
/// Days alone do not show bursts when there are few of them, and say nothing of a single day. But k independent events
/// are expected to fall in 24·(1 − (1 − 1/24)ᵏ) different hours (the classical occupancy problem; Feller 1968, section
/// IV.2), so that h hours tell of k = ln(1 − h/24)/ln(1 − 1/24) independent ones. Requests are not spread evenly over
/// the day, which makes that too few rather than too many.
package enum HourOccupancy {
    /// One day's blocked requests, and the number of different hours with one, 0 to 24.
    package struct Day: Hashable, Sendable {
        package var blocked: Double
        package var hours: Int

        package init(blocked: Double, hours: Int) {
            self.blocked = blocked
            self.hours = hours
        }
    }

    /// Blocked requests for each independent event, at least 1; a day on which every hour has one shows nothing, and
    /// counts in full.
    package static func burst(of days: some Sequence<Day>) -> Double {
        var blocked = 0.0
        var events = 0.0
        for day in days where day.blocked > 0 && day.hours > 0 {
            blocked += day.blocked
            events += day.hours < 24 ? min(day.blocked, log1p(-Double(day.hours) / 24) / log1p(-1.0 / 24)) : day.blocked
        }
        return events > 0 ? max(1, blocked / events) : 1
    }
}
