import Readiness
import Testing
import Verifications

/// `enforce` only after several days in a row, whichever command asks.
@Suite struct ConfirmationTests {
    /// Safe from the third day of the function's log on.
    private func log(daysSafe: Int, confirm: Int = 3) -> Scenario {
        var log = Scenario()
        (log.rules.numbers.confirm, log.rules.numbers.minDays) = (confirm, 1)
        log.cover(-40...0)
        log.add(days: -1 - daysSafe...0, .valid(300))
        return log
    }

    /// The run is not capped at the number required.
    @Test(arguments: [1, 2, 3, 10])
    func nightsInARow(days: Int) {
        let assessment = log(daysSafe: days).assess()
        #expect(assessment.safeNights == days)
        #expect(assessment.safeSince == day("2026-10-14").advanced(by: 1 - days))
    }

    @Test func notSafeNow() {
        for assessment in [log(daysSafe: 0).assess(), log(daysSafe: -1).assess()] {
            #expect(assessment.safeNights == 0)
            #expect(assessment.safeSince == nil)
        }
    }

    @Test func twoOfThreeNightsAreNotEnough() throws {
        let assessment = log(daysSafe: 2).assess()
        #expect(assessment.verdict == .insufficient)
        #expect(assessment.codes == ["not-confirmed"])
        #expect(try assessment.reason("not-confirmed").value == 2)
        #expect(try assessment.reason("not-confirmed").limit == 3)
        #expect(assessment.safeSince == day("2026-10-13"))
    }

    @Test func threeOfThreeNights() {
        let assessment = log(daysSafe: 3).assess()
        #expect(assessment.verdict == .enforce)
        #expect(assessment.codes == ["safe", "failures-unproven"])
        #expect(assessment.safeSince == day("2026-10-12"))
        #expect(log(daysSafe: 2, confirm: 1).assess().verdict == .enforce)
    }

    @Test func sevenNightsUnlessToldOtherwise() {
        #expect(VerdictPolicy().confirm == 7)
        #expect(log(daysSafe: 6, confirm: VerdictPolicy().confirm).assess().verdict == .insufficient)
        #expect(log(daysSafe: 7, confirm: VerdictPolicy().confirm).assess().verdict == .enforce)
    }

    /// A night that said otherwise breaks the run, however many came before it.
    @Test func aNightInBetweenBreaksTheRun() {
        var log = log(daysSafe: 20, confirm: 5)
        log.add(days: [-10], .missing(60, hours: 9))
        #expect(log.assess().safeNights == 4)
        #expect(log.assess().verdict == .insufficient)
    }

    /// What came after a night is not known to it: a coverage gap of today excuses none of last week.
    @Test func eachNightKnowsWhatWasKnownThen() {
        var log = Scenario()
        log.rules.numbers.confirm = 2
        // A Wednesday without data; a week later another one, which makes it a habit from then on.
        // The Tuesday before the first stays lost.
        log.add(days: Array(-27 ... -9) + Array(-6 ... -1), .valid(300))
        log.asOf = instant("2026-10-14T23:59:59Z")
        let assessment = log.assess()
        #expect(assessment.safeNights == 1)
        #expect(assessment.codes == ["not-confirmed"])
    }

    @Test func nightsBeforeSinceNeverConfirm() {
        var log = log(daysSafe: 20, confirm: 5)
        log.rules.since = log.day(-4)
        #expect(log.assess().safeNights == 3, "three active days are needed")
        #expect(log.assess().verdict == .insufficient)
    }

    /// The twin for signed-in callers is confirmed by its own nights.
    @Test func theTwinIsConfirmedToo() {
        var log = log(daysSafe: 20, confirm: 5)
        log.add(days: -30...0, .missing(50, auth: .missing))
        #expect(log.assess().verdict == .wait)
        #expect(log.assess().signedIn.verdict == .enforce)
        log.add(days: [-10], .missing(60, hours: 9))
        #expect(log.assess().signedIn.verdict == .insufficient)
    }

    @Test func otherVerdictsStayAsTheyAre() {
        var log = log(daysSafe: 20)
        log.add(days: -3...0, .missing(60, hours: 9))
        #expect(log.assess().verdict == .wait)
    }

    /// A function must be old enough today; on the nights before, three active days were enough.
    @Test(arguments: [(6, 5, 1), (6, 5, 5), (7, 5, 5), (8, 6, 7), (9, 7, 7), (9, 7, 8)])
    func ageIsAskedOnce(age: Int, nights: Int, confirm: Int) throws {
        var log = Scenario()
        log.rules.numbers.confirm = confirm
        log.cover(-40...0)
        log.add(days: 1 - age...0, .valid(300))
        let assessment = log.assess()
        #expect(assessment.ageDays == age)
        guard age >= 7 else {
            #expect(assessment.codes == ["too-few-days"] && assessment.safeNights == 0)
            return
        }
        #expect(assessment.safeNights == nights)
        #expect((assessment.verdict == .enforce) == (nights >= confirm))
    }

    /// The nights of a function that is only too young count when it is old enough.
    @Test(arguments: [(4, 7, 5), (6, 7, 3), (6, 5, 1), (8, 7, 1)])
    func datesOfYoungFunctions(age: Int, confirm: Int, days: Int) {
        var log = Scenario()
        log.rules.numbers.confirm = confirm
        log.cover(-40...0)
        log.add(days: 1 - age...0, .valid(300))
        #expect(log.assess().outlook == .date(log.day(days), .steady))
    }

    /// Earlier nights are not held against the clock.
    @Test func theClockConcernsNowOnly() {
        var log = log(daysSafe: 20)
        log.clock = instant("2026-10-15T12:00:00Z")
        #expect(log.assess().safeNights == 20)
        log.clock = instant("2026-10-19T12:00:00Z")
        #expect(log.assess().codes == ["export-old"])
        #expect(log.assess().safeNights == 0)
    }
}
