import Readiness
import Testing
import Verifications

/// The stretch: the last run of covered days with at most three empty ones between neighbours.
@Suite struct StretchTests {
    @Test(arguments: [(3, 40), (4, 20)])
    func longPausesEndIt(empty: Int, age: Int) {
        var log = Scenario()
        log.add(days: -39 ... -20 - empty, .valid(300))
        log.add(days: -19...0, .valid(300))
        #expect(log.assess().ageDays == age)
    }

    /// One stray entry of three weeks ago, or of 1970, makes no log of three days old.
    @Test(arguments: ["2026-09-23T10:00:00Z", "1970-01-01T00:00:00Z"])
    func aStrayEntryMakesNoLogOld(at: String) {
        var log = Scenario()
        log.add(days: -2...0, .valid(800))
        let before = log.assess()
        log.add(at: at, .valid(1))
        let assessment = log.assess()
        #expect(assessment == before)
        #expect(assessment.ageDays == 3)
        #expect(assessment.observedDays > 2.5 && assessment.observedDays <= 3)
        #expect(assessment.codes.contains("too-few-days") && assessment.codes.contains("coverage-gap"))
    }

    /// Empty days that the policy names do not count.
    @Test func quietDaysBridgeIt() {
        var log = Scenario()
        log.add(days: Array(-39 ... -11) + Array(-5...0), .valid(300))
        #expect(log.assess().ageDays == 6)
        log.rules.numbers.quietDays.dates = Set([-10, -9].map(log.day))
        #expect(log.assess().ageDays == 40)
        log.rules.numbers.quietDays.dates = [log.day(-10)]
        #expect(log.assess().ageDays == 6)
    }

    /// Requests before it are in the window W and count for nothing.
    @Test func daysBeforeItAreEmpty() {
        var log = Scenario()
        log.add(days: [-6], .missing(500, hours: 9))
        log.add(days: -1...0, .valid(300))
        #expect(log.assess().period.admitted == 600)
        #expect(log.assess().period.blocked == 0)
        #expect(log.assess().period.window?.dayCount == 7)
        #expect(log.assess().observedDays.rounded() == 2)
    }

    /// Numbers "a day" are those of the days on which the function could have been seen.
    @Test func observedDaysBeginWithTheFunction() {
        var log = Scenario()
        log.add("old", days: -40...0, .valid(300))
        log.add(days: -3...0, .valid(90), .missing(10))
        let assessment = log.assess()
        #expect(assessment.observedDays.rounded() == 4)
        #expect(abs(assessment.blockedPerDay - 10) < 1e-4)
        #expect(log.assess("old").observedDays.rounded() == 7)
        #expect(log.assess("nowhere").observedDays == 0)
        #expect(log.assess("nowhere").blockedPerDay == 0)
    }

    /// The longest pause is looked for in it.
    @Test func pausesOfAnotherTimeExplainNothing() {
        var log = Scenario()
        log.add(days: [-60, -50], .valid(1))
        log.cover(-40...0)
        log.add(days: -20 ... -10, .valid(300))
        #expect(log.assess().codes.contains("stale"))
        log.cover(-60 ... -40)
        #expect(!log.assess().codes.contains("stale"))
    }
}
