import Testing

@testable import Readiness

@Suite struct DispersionTests {
    @Test func agreesWithStatsmodels() throws {
        let rows = try ReferenceTable("dispersion.csv").rows
        #expect(rows.count >= 100)
        for row in rows {
            let expected = try #require(Double(row[1]))
            #expect(relativeError(Dispersion.ofDays(days(row[0])), expected) < 1e-11, "\(row[0])")
        }
    }

    /// Two days of 100: p̂ = 0.3, X² = 2·(10² / (100·0.3·0.7)) = 200/21, D − 1 = 1.
    @Test func isPearsonsStatisticPerDegreeOfFreedom() {
        #expect(relativeError(Dispersion.ofDays(days("1:100:20 2:100:40")), 200.0 / 21) < 1e-14)
    }

    @Test func staysOneWhereNothingCanVary() {
        #expect(Dispersion.ofDays([DayCount]()) == 1)
        #expect(Dispersion.ofDays(days("1:100:20")) == 1)
        #expect(Dispersion.ofDays(days("1:100:20 2:0:0")) == 1)
        #expect(Dispersion.ofDays(days("1:100:0 2:7:0")) == 1)
        #expect(Dispersion.ofDays(days("1:100:100 2:7:7")) == 1)
        #expect(Dispersion.ofDays(days("1:100:20 2:100:20")) == 1)
    }

    /// Without the cap the single request would make X²/(D − 1) = 1389.
    @Test func oneBlockedRequestOnAQuietSundayIsOneClient() {
        let week = days("1:1389:0 2:1389:0 3:1389:0 4:1389:0 5:1389:0 6:1389:0 7:1:1")
        #expect(Dispersion.ofDays(week) == 1)
    }

    @Test func neverExceedsTheBlockedRequests() {
        #expect(Dispersion.ofDays(days("1:100000:0 2:100000:0 3:100000:0 4:10:3")) == 3)
        #expect(Dispersion.ofDays(days("1:100000:0 2:100000:0 3:100000:0 4:10:4")) == 4)
    }

    @Test func daysWithoutRequestsAndTheOrderOfDaysDoNotMatter() {
        let series = days("1:40:3 2:55:1 3:61:9 4:12:0 5:80:22")
        let expected = Dispersion.ofDays(series)
        #expect(expected > 1)
        #expect(Dispersion.ofDays(series + days("6:0:0 9:0:0")) == expected)
        #expect(relativeError(Dispersion.ofDays(series.reversed()), expected) < 1e-14)
    }
}

/// Days written `day:requests:blocked`, separated by spaces, as in the tables.
func days(_ text: String) -> [DayCount] {
    text.split(separator: " ").map { cell in
        let numbers = cell.split(separator: ":").compactMap { Int($0) }
        precondition(numbers.count == 3, "a day is written day:requests:blocked")
        return DayCount(day: numbers[0], requests: Double(numbers[1]), blocked: Double(numbers[2]))
    }
}
