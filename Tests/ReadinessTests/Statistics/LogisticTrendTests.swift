import Platform
import TestSupport
import Testing

@testable import Readiness

@Suite struct LogisticTrendTests {
    @Test func agreesWithStatsmodels() throws {
        let rows = try ReferenceTable("logistic-trend.csv").rows
        #expect(rows.count >= 100)
        for row in rows {
            let series = days(row[0])
            let expected = row.dropFirst().compactMap { Double($0) }
            try #require(expected.count == 6)
            let fit = try #require(LogisticTrend.fit(series), "\(row[0])")
            let active = series.filter { $0.requests > 0 }.map(\.day)
            let (first, last) = (try #require(active.first), try #require(active.last))
            let found = [
                fit.slope, fit.slopeError, fit.dispersion, fit.rate(onDay: first), fit.rate(onDay: last),
                fit.rate(onDay: last + 30),
            ]
            for (value, truth) in zip(found, expected) {
                #expect(relativeError(value, truth) < 1e-10, "\(row[0])")
            }
        }
    }

    /// At the maximum of the likelihood the residuals sum to 0, and so do the residuals times the day.
    @Test(arguments: 0..<40)
    func residualsVanishAtTheFit(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let series = (0..<14).map { day in
            let requests = Int.random(in: 1...5000, using: &random)
            let blocked = Int.random(in: 0...requests, using: &random)
            return DayCount(day: 20_000 + day, requests: Double(requests), blocked: Double(blocked))
        }
        let fit = try #require(LogisticTrend.fit(series))
        var (sum, moment, scale) = (0.0, 0.0, 0.0)
        for day in series {
            let residual = day.blocked - day.requests * fit.rate(onDay: day.day)
            sum += residual
            moment += residual * Double(day.day - 20_007)
            scale += day.requests
        }
        #expect(sum.magnitude < 1e-11 * scale)
        #expect(moment.magnitude < 1e-10 * scale)
    }

    @Test func theInterceptIsTheLogOddsOfDayZero() throws {
        let fit = try #require(LogisticTrend.fit(days("-3:50:20 -1:60:18 0:55:14 2:70:12 4:64:6")))
        let odds = fit.rate(onDay: 0) / (1 - fit.rate(onDay: 0))
        #expect(relativeError(odds, exp(fit.intercept)) < 1e-13)
        #expect(fit.slope < 0)
    }

    @Test func movingTheCalendarMovesOnlyTheIntercept() throws {
        let series = days("0:500:90 1:510:70 2:480:66 3:495:41 4:505:30 5:100:2 6:130:4")
        let moved = series.map { DayCount(day: $0.day + 20_740, requests: $0.requests, blocked: $0.blocked) }
        let (near, far) = (try #require(LogisticTrend.fit(series)), try #require(LogisticTrend.fit(moved)))
        #expect(relativeError(far.slope, near.slope) < 1e-12)
        #expect(relativeError(far.slopeError, near.slopeError) < 1e-12)
        #expect(relativeError(far.rate(onDay: 20_750), near.rate(onDay: 10)) < 1e-12)
    }

    @Test func fewerThanFiveDaysWithRequestsHaveNoTrend() {
        #expect(LogisticTrend.fit(days("0:50:9 1:50:8 2:50:7 3:50:6 4:50:5")) != nil)
        #expect(LogisticTrend.fit(days("0:50:9 1:50:8 2:50:7 3:50:6 4:0:0")) == nil)
        #expect(LogisticTrend.fit([]) == nil)
    }

    @Test func nothingOrEverythingBlockedHasNoTrend() {
        #expect(LogisticTrend.fit(days("0:50:0 1:50:0 2:50:0 3:50:0 4:50:0")) == nil)
        #expect(LogisticTrend.fit(days("0:50:50 1:50:50 2:50:50 3:50:50 4:50:50")) == nil)
    }

    /// One day separates blocked from passed requests: the likelihood rises for ever as the slope falls.
    @Test(arguments: [
        "0:50:50 1:50:50 2:50:50 3:50:0 4:50:0 5:50:0",
        "0:50:50 1:50:50 2:50:20 3:50:0 4:50:0 5:50:0",
        "0:50:50 1:50:50 5:50:50 40:50:0 41:50:0 42:50:0",
        "0:50:7 1:50:0 2:50:0 3:50:0 4:50:0 5:50:0",
    ])
    func separatedDaysHaveNoTrend(text: String) {
        #expect(LogisticTrend.fit(days(text)) == nil)
    }

    /// The slope through two crowded days is ln(odds₂/odds₁): 18.4 for one in 10⁴ beside all but one, 23.0 for 10⁵.
    @Test func slopesBeyondTwentyAreNoTrend() throws {
        let quiet = "0:1:0 1:1:0 2:1:0 "
        let steep = try #require(LogisticTrend.fit(days(quiet + "3:10000:1 4:10000:9999")))
        #expect(steep.slope > 18 && steep.slope < 20)
        #expect(LogisticTrend.fit(days(quiet + "3:100000:1 4:100000:99999")) == nil)
    }

    @Test func theErrorGrowsWithTheRootOfTheDispersion() throws {
        let series = days("0:100:30 1:100:10 2:100:28 3:100:8 4:100:22 5:100:3 6:100:15")
        let fit = try #require(LogisticTrend.fit(series))
        #expect(fit.dispersion > 2)
        var information = 0.0
        let weights = series.map { Double($0.requests) * fit.rate(onDay: $0.day) * (1 - fit.rate(onDay: $0.day)) }
        let mean = zip(series, weights).reduce(0) { $0 + Double($1.0.day) * $1.1 } / weights.reduce(0, +)
        for (day, weight) in zip(series, weights) {
            information += weight * (Double(day.day) - mean) * (Double(day.day) - mean)
        }
        #expect(relativeError(fit.slopeError * fit.slopeError * information, fit.dispersion) < 1e-10)
    }
}
