import Readiness
import Testing
import Verifications

/// `enforce` only after several nights in a row.
@Suite struct ConfirmationTests {
    private let identity = FunctionIdentity(project: "demo", region: "us", name: "f", generation: .first)

    /// Safe from the seventh day of the function's log on.
    private func log(daysSafe: Int) -> Scenario {
        var log = Scenario()
        log.cover(-40...0)
        log.add(days: -5 - daysSafe...0, .valid(300))
        return log
    }

    @Test(arguments: [1, 2, 3, 10])
    func nightsInARow(days: Int) {
        let confirmation = log(daysSafe: days).judge.confirmation(of: identity)
        #expect(confirmation.nights == days)
        #expect(confirmation.safeSince == day("2026-10-14").advanced(by: 1 - days))
    }

    @Test func notSafeNow() {
        let confirmation = log(daysSafe: 0).judge.confirmation(of: identity)
        #expect(confirmation == log(daysSafe: -3).judge.confirmation(of: identity))
        #expect(confirmation.nights == 0)
        #expect(confirmation.safeSince == nil)
    }

    @Test func twoOfThreeNightsAreNotEnough() throws {
        let assessment = log(daysSafe: 2).judge.assess(identity, confirmedBy: 3)
        #expect(assessment.verdict == .insufficient)
        #expect(assessment.codes == ["not-confirmed"])
        #expect(try assessment.reason("not-confirmed").value == 2)
        #expect(try assessment.reason("not-confirmed").limit == 3)
        #expect(assessment.safeSince == day("2026-10-13"))
    }

    @Test func threeOfThreeNights() {
        let log = log(daysSafe: 3)
        let assessment = log.judge.assess(identity, confirmedBy: 3)
        #expect(assessment.verdict == .enforce)
        #expect(assessment.codes == ["safe"])
        #expect(assessment.safeSince == day("2026-10-12"))
        #expect(log.judge.assess(identity).safeSince == nil)
    }

    /// A night that said otherwise breaks the run, however many came before it.
    @Test func aNightInBetweenBreaksTheRun() {
        var log = log(daysSafe: 20)
        log.add(days: [-10], .missing(60, hours: 9))
        #expect(log.judge.confirmation(of: identity).nights == 4)
        #expect(log.judge.assess(identity, confirmedBy: 5).verdict == .insufficient)
    }

    @Test func otherVerdictsStayAsTheyAre() {
        var log = log(daysSafe: 20)
        log.add(days: [-1], .missing(60, hours: 9))
        #expect(log.judge.assess(identity, confirmedBy: 3) == log.judge.assess(identity))
        #expect(log.assess().verdict == .wait)
    }

    /// Earlier nights are not held against the clock.
    @Test func theClockConcernsNowOnly() {
        var log = log(daysSafe: 20)
        log.clock = instant("2026-10-15T12:00:00Z")
        #expect(log.judge.confirmation(of: identity).nights == 20)
        log.clock = instant("2026-10-19T12:00:00Z")
        #expect(log.judge.assess(identity, confirmedBy: 3).codes == ["export-old"])
        #expect(log.judge.confirmation(of: identity).nights == 0)
    }
}
