import Testing
import Verifications

@testable import Readiness

/// `coverage-gap`: window days on which the whole project is silent, and their excuses.
@Suite struct CoverageTests {
    /// A project with 300 requests a day, except on the given days.
    private func log(_ days: ClosedRange<Int> = -20...0, without gaps: Int..., asOf: String = "2026-10-14T23:59:59Z")
        -> Scenario
    {
        var log = Scenario(asOf: asOf)
        log.add(days: days.filter { !gaps.contains($0) }, .valid(300))
        return log
    }

    private func gaps(_ log: Scenario) throws -> [Day] {
        try log.assess().reason("coverage-gap").days
    }

    @Test func aDayWithoutAnyVerificationOfTheProject() throws {
        var log = log(without: -3, -2)
        #expect(log.assess().verdict == .insufficient)
        #expect(log.assess().codes == ["coverage-gap"])
        #expect(
            try log.assess().reason("coverage-gap")
                == Finding(
                    code: .coverageGap, value: 2, days: [-3, -2].map(log.day),
                    instant: Instant(day: log.day(-20), nanosecondOfDay: 0)))
        #expect(try log.assess().reason("coverage-gap").value == 2)
        #expect(log.assess().passedOver.isEmpty)
        log.cover([-3, -2])
        #expect(log.assess().verdict == .enforce, "any function of the project covers the day")
    }

    // MARK: One lost day

    /// It must be the only one of the fourteen days that end with it, and of those that begin with it.
    @Test(arguments: [(1, false), (3, false), (13, false), (14, true), (20, true)])
    func oneLostDayIsPassedOver(distance: Int, isPassedOver: Bool) {
        for (lost, other) in [(-2, -2 - distance), (-6, -6 - distance), (-2 - distance, -2)] {
            var log = log(-60...0, without: lost, other)
            log.rules.numbers.window = 28
            // The habit of a weekday is another excuse.
            log.rules.numbers.maxWindow = 28
            let assessment = log.assess()
            #expect((assessment.verdict == .enforce) == isPassedOver, "\(lost), \(other)")
            let inWindow = [lost, other].filter { $0 >= -27 }.sorted().map(log.day)
            #expect(assessment.passedOver == (isPassedOver ? inWindow : []))
        }
    }

    /// Days that habits, volumes or the policy excuse take nothing from it.
    @Test func aLostDayNextToDaysOff() {
        var log = log(-60...0, without: -2, -5, -12, -19, -26, -33, -40, -47, -54)
        #expect(log.assess().verdict == .enforce)
        #expect(log.assess().passedOver == [log.day(-2)])
        log = self.log(-60...0, without: -2, -4)
        log.rules.numbers.quietDays.dates = [log.day(-4)]
        #expect(log.assess().passedOver == [log.day(-4), log.day(-2)], "quiet days are named as well")
    }

    /// No night waits for a lost day to leave its window; not even the one that was lost.
    @Test(arguments: [0, -1, -3, -8]) func aLostDayCostsNoNight(lost: Int) {
        var log = log(-60...0, without: lost)
        log.rules.numbers.confirm = 7
        #expect(log.assess().verdict == .enforce)
        #expect(log.assess().safeNights > 40)
        log = self.log(-60...0, without: lost, lost - 1)
        log.rules.numbers.confirm = 7
        #expect(log.assess().verdict == .insufficient)
    }

    /// Before the log began nothing is passed over.
    @Test func aShortLogHasMoreThanOneGap() throws {
        let log = log(-5...0, without: -2)
        #expect(try gaps(log) == [log.day(-6)])
    }

    @Test func anotherProjectDoesNotCover() {
        var log = log(without: -3, -2)
        log.add("f", project: "other", days: -20...0, .valid(300))
        #expect(log.assess().codes == ["coverage-gap"])
        #expect(log.assess(project: "other").verdict == .enforce)
    }

    /// The same weekday a week before or after is silent too, and at least 4 of the 6 days in between are not.
    @Test func aHabitExcuses() throws {
        #expect(log(without: -2, -9).assess().verdict == .enforce)
        #expect(log(without: -6, -13).assess().verdict == .enforce)
        var lately = log(without: -7, -14)
        lately.asOf = instant("2026-10-14T11:00:00Z")
        #expect(lately.assess().verdict == .enforce, "the day in front has its habit")
        #expect(log(without: -2, -9, -8, -7).assess().verdict == .enforce)
        #expect(try gaps(log(without: -2, -9, -8, -7, -4)) == [-4, -2].map(Scenario().day))
    }

    @Test func aWeekAfterExcusesToo() {
        var log = log(-20...0, without: -13, -11, -6)
        log.asOf = instant("2026-10-07T23:59:59Z")
        #expect(log.assess().codes == ["coverage-gap"], "the week after is not known yet")
        log.asOf = instant("2026-10-08T23:59:59Z")
        #expect(log.assess().verdict == .enforce)
    }

    /// A run of silent days that by other weeks would have had at most seven requests.
    @Test(arguments: [(7, true), (8, false)])
    func nextToNothingIsHidden(perDay: Int, isExcused: Bool) {
        var log = Scenario()
        log.cover((-27...0).filter { $0 != -2 && $0 != -5 })
        log.add(days: [-26, -23, -19, -16, -12, -9], .valid(perDay - 1))
        #expect(log.assess("background").codes.contains("coverage-gap") != isExcused)
    }

    /// The whole run counts, wherever the window begins, and each of its days needs two others of its weekday.
    @Test func theWholeRunCounts() {
        func log(perDay: Int, weeks: Int) -> Scenario {
            var log = Scenario()
            log.rules.numbers.minDays = 1
            let days = (-7 * weeks...0).filter { !(-8 ... -6).contains($0) }
            log.add(days: days, .valid(perDay))
            return log
        }
        #expect(!log(perDay: 2, weeks: 4).assess().codes.contains("coverage-gap"))
        #expect(log(perDay: 3, weeks: 4).assess().codes.contains("coverage-gap"))
        #expect(log(perDay: 2, weeks: 2).assess().codes.contains("coverage-gap"), "one other day of each weekday")
    }

    @Test func theQuietDaysOfThePolicyExcuse() {
        var log = log(without: -4, -2)
        log.rules.numbers.quietDays.dates = [log.day(-2)]
        #expect(log.assess().verdict == .enforce)
        log.rules.numbers.quietDays = QuietDays(weekdays: [log.day(-2).weekday])
        #expect(log.assess().verdict == .enforce)
        log.rules.numbers.quietDays = QuietDays(weekdays: [log.day(-3).weekday])
        #expect(log.assess().codes == ["coverage-gap"])
    }

    /// Days before the stretch are gaps, but for those that the policy names.
    @Test func daysBeforeTheStretchCount() throws {
        var log = Scenario()
        log.rules.numbers.minDays = 1
        log.add(days: -3...0, .valid(300))
        #expect(try gaps(log) == [-6, -5, -4].map(log.day))
        log.rules.numbers.quietDays.dates = Set([-6, -4].map(log.day))
        #expect(try gaps(log) == [log.day(-5)])
        log.rules.numbers.quietDays.dates = Set([-6, -5, -4].map(log.day))
        #expect(log.assess().verdict == .enforce)
        #expect(log.assess().passedOver == [-6, -5, -4].map(log.day))
        log.add(days: [-20], .valid(300))
        log.add(days: [-14], .valid(300))
        log.rules.numbers.window = 15
        log.rules.numbers.quietDays.dates = Set((-14 ... -4).map(log.day))
        #expect(!log.assess().codes.contains("coverage-gap"), "what lies before the stretch is empty")
        log.rules.numbers.window = 7
        log.add(days: [-6], .valid(300))
        log.rules.numbers.quietDays = QuietDays()
        #expect(try gaps(log) == [-5, -4].map(log.day), "two empty days do not end a stretch")
    }

    /// Before noon the window has one more day, which must be covered too.
    @Test func theDayInFrontMustBeCovered() {
        var log = log(without: -9, -7, asOf: "2026-10-14T11:00:00Z")
        #expect(log.assess().codes == ["coverage-gap"])
        log.asOf = instant("2026-10-14T12:00:00Z")
        #expect(log.assess().verdict == .enforce)
    }

    @Test func undatedVerificationsCoverNothing() {
        var log = log(without: -3, -2)
        log.add(at: nil, .valid(10))
        #expect(log.assess().codes == ["coverage-gap"])
    }

    @Test func assumeCompleteLiftsIt() {
        var log = log(without: -3, -2)
        log.rules.numbers.assumeComplete = .everything
        #expect(log.assess().verdict == .enforce)
        log.rules.numbers.assumeComplete = .failures
        #expect(log.assess().codes == ["coverage-gap"])
    }
}
