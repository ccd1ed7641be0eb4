import Readiness
import Testing
import Verifications

/// window(w), and "window of a function".
@Suite struct WindowTests {
    @Test func aDayLessThanHalfOverHasOneMoreInFront() throws {
        let noon = try #require(Window(length: 7, asOf: instant("2026-10-14T12:00:00Z"), since: nil))
        #expect(noon.from == day("2026-10-08"))
        #expect(noon.to == day("2026-10-14"))
        #expect(noon.dayCount == 7)
        let before = try #require(Window(length: 7, asOf: instant("2026-10-14T11:59:59.999999999Z"), since: nil))
        #expect(before.from == day("2026-10-07"))
        #expect(before.to == day("2026-10-14"))
        #expect(before.dayCount == 8)
    }

    @Test func sinceCutsAndCanLeaveNothing() throws {
        let asOf = instant("2026-10-14T12:00:00Z")
        #expect(Window(length: 7, asOf: asOf, since: day("2026-10-07"))?.from == day("2026-10-08"))
        #expect(Window(length: 7, asOf: asOf, since: day("2026-10-12"))?.from == day("2026-10-12"))
        #expect(Window(length: 7, asOf: asOf, since: day("2026-10-14"))?.dayCount == 1)
        #expect(Window(length: 7, asOf: asOf, since: day("2026-10-15")) == nil)
    }

    /// 15/max = 1500 admitted requests end the growth.
    @Test func growsUntilFifteenBlockedWouldBeExpected() {
        var log = Scenario()
        log.cover(-27...0)
        log.add(days: -6 ... -1, .valid(200))
        log.add(days: [0], .valid(299))
        #expect(log.assess().period.admitted == 1499)
        #expect(log.assess().period.window?.dayCount == 28)
        log.add(days: [0], .valid(1))
        #expect(log.assess().period.admitted == 1500)
        #expect(log.assess().period.window?.dayCount == 7)
    }

    @Test func theFirstCandidateThatIsEnoughIsTaken() {
        var log = Scenario()
        log.add(days: -27...0, .valid(107))
        #expect(log.assess().period.admitted == 21 * 107)
        #expect(log.assess().period.window?.dayCount == 21)
        log.add(days: [-13], .valid(2))
        #expect(log.assess().period.admitted == 1500)
        #expect(log.assess().period.window?.dayCount == 14)
    }

    @Test func growsToTheLongestWhenNoneIsEnough() {
        var log = Scenario()
        log.add(days: -60...0, .valid(1))
        #expect(log.assess().period.window?.dayCount == 28)
        log.rules.numbers.maxWindow = 27
        #expect(log.assess().period.window?.dayCount == 21)
        log.rules.numbers.window = 10
        #expect(log.assess().period.window?.dayCount == 20)
        log.rules.numbers.maxWindow = 5
        #expect(log.assess().period.window?.dayCount == 10)
    }

    /// The first window that would begin before the stretch begins with it; the shortest is never cut.
    @Test(arguments: [(3, 7), (6, 7), (7, 8), (12, 13), (13, 14), (19, 20), (20, 21), (26, 27), (27, 28), (40, 28)])
    func beginsWithTheStretch(age: Int, length: Int) {
        var log = Scenario()
        log.cover(-age...0)
        log.add(days: -3...0, .valid(1))
        #expect(log.assess().period.window?.dayCount == length)
    }

    /// The day in front counts too.
    @Test(arguments: [(7, 8), (13, 14), (14, 15), (15, 16)])
    func beforeNoonWindowsReachOneDayFurther(age: Int, length: Int) {
        var log = Scenario(asOf: "2026-10-14T11:59:59Z")
        log.cover(-age...0)
        #expect(log.assess("background").period.window?.dayCount == length)
    }

    /// 1500 requests on two days may be one campaign.
    @Test func threeActiveDaysAreEnoughAtTheEarliest() {
        var log = Scenario()
        log.cover(-27...0)
        log.add(days: [-8, -1, 0], .valid(800))
        #expect(log.assess().period.window?.dayCount == 14)
    }

    /// Volume alone decides: the same requests, all blocked, have the same window.
    @Test func doesNotDependOnWhatWasBlocked() {
        var clean = Scenario()
        var blocked = Scenario()
        clean.add(days: -27...0, .valid(107))
        blocked.add(days: -27...0, .missing(107))
        #expect(clean.assess().period.window == blocked.assess().period.window)
        #expect(blocked.assess().period.window?.dayCount == 21)
    }

    /// Refused Auth is no admitted request: such traffic does not stop the growth.
    @Test func countsAdmittedRequestsOnly() {
        var log = Scenario()
        log.add(days: -27...0, .valid(10), .valid(1000, auth: .invalid))
        #expect(log.assess().period.admitted == 280)
        #expect(log.assess().period.window?.dayCount == 28)
    }

    @Test func daysAfterTheAsOfDayEnterNothing() {
        var log = Scenario()
        log.add(days: -13...0, .valid(300))
        let before = log.assess()
        log.add(days: 1...9, .missing(500, hours: 5))
        log.cover(11...20)
        #expect(log.assess() == before)
        #expect(before.verdict == .enforce)
    }

    @Test func nothingDatedHasNoWindow() {
        var log = Scenario()
        log.add(at: nil, .valid(1))
        let evaluator = Evaluator(tally: log.tally, rules: PolicyRules(), asOf: nil)
        let assessment = evaluator.assess(
            FunctionIdentity(project: "demo", region: "us", name: "f", generation: .first))
        #expect(assessment.period.window == nil)
        #expect(assessment.verdict == .insufficient)
        #expect(assessment.codes == ["no-traffic"])
        #expect(assessment.ageDays == 0)
        #expect(assessment.blockedPerDayUpper == 0)
    }
}
