import Platform
import Testing
import Verifications

@testable import Readiness

/// When the rule will say `enforce`, checked by letting the days come.
@Suite struct ForecastTests {
    /// The log with days to come as the forecast fills them, judged at the end of each.
    private func firstSafeDay(_ log: Scenario, requests: Requests...) -> Day? {
        var log = log
        let asOf = log.asOf
        for offset in 1...60 {
            log.asOf = asOf
            for request in requests { log.add(days: [offset], request) }
            log.asOf = Instant(day: asOf.day.advanced(by: offset), nanosecondOfDay: 86_399_000_000_000)
            if log.assess().verdict == .enforce { return log.asOf.day }
        }
        return nil
    }

    @Test func steadyUntilTheWindowIsClean() throws {
        var log = Scenario()
        log.add(days: -13 ... -3, .valid(250), .missing(50))
        log.add(days: -2...0, .valid(300))
        #expect(log.assess().verdict == .wait)
        let date = try #require(firstSafeDay(log, requests: .valid(300)))
        #expect(log.assess().outlook == .date(date, .steady))
        #expect(date == log.day(4))
    }

    /// A young function: only its age is missing.
    @Test func steadyUntilOldEnough() {
        var log = Scenario()
        log.cover(-30...0)
        log.add(days: -3...0, .valid(700))
        #expect(log.assess().codes == ["too-few-days"])
        #expect(log.assess().outlook == .date(log.day(3), .steady))
        #expect(firstSafeDay(log, requests: .valid(400)) == log.day(3))
    }

    /// Three days of a new function, and of one that was fixed three days ago, are divided by three.
    @Test func daysBeforeTheFirstAreNotCounted() throws {
        var new = Scenario()
        new.cover(-30...0)
        new.add(days: -2...0, .valid(50))
        let date = try #require(firstSafeDay(new, requests: .valid(50)))
        #expect(date == new.day(4), "299 requests, and seven days of age")
        #expect(new.assess().outlook == .date(date, .steady))

        var fixed = Scenario()
        fixed.add(days: -30 ... -3, .missing(50))
        fixed.add(days: -2...0, .valid(50))
        fixed.rules.since = fixed.day(-2)
        let later = try #require(firstSafeDay(fixed, requests: .valid(50)))
        #expect(fixed.assess().outlook == .date(later, .steady))
        #expect(later == fixed.day(3), "300 requests; its age is that of the function")
    }

    /// Quiet functions: the filled days let the window grow, and enough requests come together.
    @Test func steadyUntilThereAreEnoughRequests() {
        var log = Scenario()
        log.add(days: -6...0, .valid(20))
        let date = firstSafeDay(log, requests: .valid(20))
        #expect(date == log.day(8), "299 requests take 15 days, and a window may begin with the log")
        #expect(log.assess().outlook == date.map { .date($0, .steady) })
    }

    /// Neither number is rounded: 100/7 requests a day.
    @Test func fractionsOfRequestsAreCounted() {
        var log = Scenario()
        log.cover(-40...0)
        log.add(days: -6 ... -1, .valid(14))
        log.add(days: [0], .valid(16))
        #expect(log.assess().period.admitted == 100)
        // 299 are reached when 100 + d·100/7 ≥ 299, so on day 14; 21 days of window hold them.
        #expect(log.assess().outlook == .date(log.day(14), .steady))
    }

    /// A share of blocked requests is filled in as it is, too.
    @Test func steadyBelowTheMaximumGathersEvidence() throws {
        var log = Scenario()
        log.cover(-40 ... -7)
        log.add(days: -6...0, .valid(179), .missing(1))
        #expect(log.assess().codes == ["too-few-requests"])
        let date = try #require(firstSafeDay(log, requests: .valid(179), .missing(1)))
        #expect(date == log.day(2))
        #expect(log.assess().outlook == .date(date, .steady))
    }

    /// The steady rate is too high for ever; the falling one gives the date.
    @Test func trendWhenTheSteadyRateGivesNoDate() throws {
        var log = Scenario()
        for offset in -27...0 {
            let blocked = Int(2000 * fallingRate(max(offset, -13)))
            log.add(days: [offset], .valid(2000 - blocked), .missing(blocked))
        }
        #expect(log.assess().verdict == .wait)
        guard case .date(let date, let kind) = log.assess().outlook else {
            Issue.record("no date")
            return
        }
        #expect(kind == .trend)
        var future = log
        for offset in 1...30 {
            let blocked = Int(2000 * fallingRate(offset))
            future.add(days: [offset], .valid(2000 - blocked), .missing(blocked))
        }
        let dates = (1...30).filter { offset in
            future.asOf = Instant(day: log.day(offset), nanosecondOfDay: 86_399_000_000_000)
            let verdict = future.assess().verdict
            future.asOf = log.asOf
            return verdict == .enforce
        }
        #expect(log.day(try #require(dates.first)) == date)
    }

    /// 20% two weeks ago, 14% less every day.
    private func fallingRate(_ offset: Int) -> Double {
        0.2 * exp(-0.15 * Double(offset + 13))
    }

    /// The rate does not fall: no date.
    @Test func notFalling() {
        var log = Scenario()
        log.add(days: -20...0, .valid(90), .missing(10))
        #expect(log.assess().outlook == .noDate(nil))
    }

    /// A rate that falls too slowly for a date is not called steady.
    @Test func fallingWithoutADate() throws {
        var log = Scenario()
        for offset in -13...0 {
            let blocked = 300 - 10 * (offset + 13)
            log.add(days: [offset], .valid(1000 - blocked), .missing(blocked))
        }
        guard case .noDate(let fall?) = log.assess().outlook else {
            Issue.record("\(log.assess().outlook)")
            return
        }
        #expect((fall.from - 0.27).magnitude < 1e-9, "the mean of 30, 29 … 24 %")
        #expect((fall.to - 0.18).magnitude < 1e-9, "the mean of 19, 18 and 17 %")
    }

    /// A trend needs five active days and both slopes significantly below zero.
    @Test func trendNeedsBothSlopes() {
        var log = Scenario()
        for offset in -13...0 {
            let blocked = offset < -6 ? 40 : 80 + 8 * -offset
            log.add(days: [offset], .valid(1000 - blocked), .missing(blocked))
        }
        #expect(log.assess().outlook == .noDate(nil), "the last 7 days fall, the last 14 rise")
    }

    /// Slopes that chance explains are none, however far they would lead in 60 days.
    @Test func trendMustBeSignificant() throws {
        var log = Scenario()
        let blocked = [5, 4, 4, 3, 4, 3, 3, 4, 3, 3, 2, 3, 2, 2]
        for (index, count) in blocked.enumerated() {
            log.add(days: [index - 13], .valid(60 - count), .missing(count))
        }
        for length in [7, 14] {
            let counts = zip(-13...0, blocked).suffix(length).map { offset, count in
                DayCount(day: offset, requests: 60, blocked: Double(count))
            }
            let trend = try #require(LogisticTrend.fit(counts))
            #expect(trend.slope < 0)
            #expect(trend.rate(onDay: 60) < 0.01)
            #expect(trend.slope / trend.slopeError > -1.6)
        }
        #expect(log.assess().verdict == .wait)
        #expect(log.assess().outlook == .noDate(nil))
    }

    @Test func noRequestInTheLastSevenDays() {
        var log = Scenario()
        log.cover(-40...0)
        log.add(days: [-21, -14, -7], .valid(500))
        log.rules.numbers.minDays = 60
        #expect(log.assess().codes == ["too-few-days"])
        #expect(log.assess().outlook == .noRequests)
    }

    /// Nothing in the last three days: there is no steady rate; what is left is the trend.
    @Test func noRequestInTheLastThreeDays() {
        var log = Scenario()
        log.cover(-40...0)
        log.add(days: -20 ... -3, .valid(500))
        log.rules.numbers.minDays = 30
        #expect(log.assess().codes == ["too-few-days"])
        #expect(log.assess().outlook == .noDate(nil))
        log.add(days: [-2], .valid(1))
        #expect(log.assess().outlook == .date(log.day(9), .steady))
    }

    /// What stays as it is at T keeps the forecast from ever saying `enforce`.
    @Test func failuresStayAsTheyAre() {
        var log = Scenario()
        log.add(generation: .second, days: -13...0, .valid(300))
        #expect(log.assess(generation: .second).codes == ["failures-not-seen"])
        #expect(log.assess(generation: .second).outlook == .noDate(nil))
    }

    /// A gap leaves the window; days to come are covered.
    @Test func gapsLeaveTheWindow() {
        var log = Scenario()
        log.add(days: Array(-20 ... -5) + [-3, -1, 0], .valid(300))
        #expect(log.assess().codes == ["coverage-gap"])
        #expect(log.assess().outlook == .date(log.day(5), .steady))
    }

    @Test(arguments: [59, 60, 61])
    func sixtyDaysAreTried(days: Int) {
        var log = Scenario()
        log.cover(-30...0)
        log.add(days: -6...0, .valid(300))
        log.rules.numbers.minDays = 7 + days
        #expect(log.assess().outlook == (days <= 60 ? .date(log.day(days), .steady) : .noDate(nil)))
    }

    @Test func onlyWhereTimeCanHelp() {
        var log = Scenario()
        log.add(days: -13...0, .valid(300))
        #expect(log.assess().outlook == .notAsked, "enforce")
        log.add("blind", generation: .second, days: -13...0, .invalid(300))
        #expect(log.assess("blind", generation: .second).verdict == .blind)
        #expect(log.assess("blind", generation: .second).outlook == .notAsked)
    }

    /// Real days after T are not looked at.
    @Test func daysAfterTheAsOfDayAreFilledAnew() {
        var log = Scenario()
        log.add(days: -13 ... -3, .valid(250), .missing(50))
        log.add(days: -2...0, .valid(300))
        let before = log.assess().outlook
        log.add(days: 1...20, .missing(300, hours: 9))
        #expect(log.assess().outlook == before)
    }

    /// T in the morning: its half-empty day stays as it is, and counts for the mean of seven days.
    @Test func todayStaysAsItIs() throws {
        var log = Scenario(asOf: "2026-10-14T06:00:00Z")
        log.cover(-40...0)
        log.add(days: -6 ... -1, .valid(49))
        log.add(days: [0], .valid(6))
        #expect(log.assess().period.admitted == 300)
        #expect(log.assess().codes == ["too-few-days"])
        // 300/7 a day: at the end of day 1 the window has 5·49 + 6 + 300/7, which is too few; it grows to 14 days.
        #expect(log.assess().outlook == .date(log.day(1), .steady))
    }
}
