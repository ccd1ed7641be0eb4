import Readiness
import Testing
import Verifications

/// `coverage-gap`: window days on which the whole project is silent.
@Suite struct CoverageTests {
    @Test func aDayWithoutAnyVerificationOfTheProject() throws {
        var log = Scenario()
        log.cover(-20 ... -7)
        log.add(days: -6 ... -3, .valid(300))
        log.add(days: [-1, 0], .valid(300))
        let assessment = log.assess()
        #expect(assessment.verdict == .insufficient)
        #expect(assessment.codes == ["coverage-gap"])
        #expect(try assessment.reason("coverage-gap") == .coverageGap([log.day(-2)]))
        #expect(try assessment.reason("coverage-gap").value == 1)
        log.cover([-2])
        #expect(log.assess().verdict == .enforce, "any function of the project covers the day")
    }

    @Test func anotherProjectDoesNotCover() {
        var log = Scenario()
        log.cover(-20 ... -7)
        log.add(days: [-6, -5, -4, -3, -1, 0], .valid(300))
        log.add("f", project: "other", days: -20...0, .valid(300))
        #expect(log.assess().codes == ["coverage-gap"])
        #expect(log.assess(project: "other").verdict == .enforce)
    }

    /// A project that is always silent on that weekday has no gap there.
    @Test func theDayAWeekEarlierExcuses() {
        var log = Scenario()
        log.cover(-20 ... -10)
        log.cover([-8, -7])
        log.add(days: [-6, -5, -4, -3, -1, 0], .valid(300))
        #expect(log.assess().verdict == .enforce)
        log.cover([-9])
        #expect(log.assess().codes == ["coverage-gap"])
    }

    /// A day before the project's first is never excused, and excuses nothing.
    @Test func daysBeforeTheProjectsFirstDayCount() throws {
        var log = Scenario()
        log.rules.numbers.minDays = 1
        log.add(days: -3...0, .valid(300))
        #expect(try log.assess().reason("coverage-gap") == .coverageGap([-6, -5, -4].map(log.day)))

        log = Scenario()
        log.add(days: [-8], .valid(1))
        log.add(days: [-6, -5, -4, -3, -1, 0], .valid(300))
        #expect(log.assess().codes == ["coverage-gap"], "the day a week earlier is before the first day")
        log.add(days: [-10], .valid(1))
        #expect(log.assess().verdict == .enforce, "now it is after it, and silent")
    }

    /// Before noon the window has one more day, which must be covered too.
    @Test func theDayInFrontMustBeCovered() {
        var log = Scenario(asOf: "2026-10-14T11:00:00Z")
        log.rules.numbers.minDays = 1
        log.cover([-20, -14])
        log.add(days: -6...0, .valid(300))
        #expect(log.assess().codes == ["coverage-gap"])
        log.asOf = instant("2026-10-14T12:00:00Z")
        #expect(log.assess().verdict == .enforce)
    }

    @Test func undatedVerificationsCoverNothing() {
        var log = Scenario()
        log.cover(-20 ... -7)
        log.add(days: [-6, -5, -4, -3, -1, 0], .valid(300))
        log.add(at: nil, .valid(10))
        #expect(log.assess().codes == ["coverage-gap"])
    }

    @Test func assumeCompleteLiftsIt() {
        var log = Scenario()
        log.cover(-20 ... -7)
        log.add(days: [-6, -5, -4, -3, -1, 0], .valid(300))
        log.rules.numbers.assumeComplete = true
        #expect(log.assess().verdict == .enforce)
    }
}
