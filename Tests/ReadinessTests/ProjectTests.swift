import Readiness
import Testing
import Verifications

/// Projects as people have them, and what the rule must say of each; seven nights confirm.
@Suite struct ProjectTests {
    /// 2026-10-14 is a Wednesday.
    private func log(asOf: String = "2026-10-14T23:59:59Z") -> Scenario {
        var log = Scenario(asOf: asOf)
        log.rules.numbers.confirm = VerdictPolicy().confirm
        return log
    }

    private func isWeekend(_ offset: Int, of log: Scenario) -> Bool {
        log.day(offset).weekday >= 5
    }

    @Test func restsAtWeekends() {
        var log = log()
        log.add(days: (-41...0).filter { !isWeekend($0, of: log) }, .valid(150), .invalid(1, auth: .invalid))
        #expect(log.assess().verdict == .enforce)
        #expect(log.assess().codes == ["safe"])
    }

    @Test func aRequestADayAtWeekends() {
        var log = log()
        log.add(days: (-41...0).filter { !isWeekend($0, of: log) }, .valid(150), .invalid(1, auth: .invalid))
        log.add(days: (-41...0).filter { isWeekend($0, of: log) }, .valid(1))
        #expect(log.assess().verdict == .enforce)
    }

    @Test func usedOnTwoDaysAWeek() {
        var log = log()
        log.add(days: (-41...0).filter { [1, 3].contains(log.day($0).weekday) }, .valid(200), .invalid(1))
        let assessment = log.assess()
        #expect(assessment.verdict == .insufficient, "a pause of four days is none of a stretch")
        log.rules.numbers.quietDays = QuietDays(weekdays: [0, 2, 4, 5, 6])
        #expect(log.assess().period.activeDays >= 3)
        #expect(log.assess().codes.allSatisfy { $0 != "coverage-gap" })
    }

    @Test func anAttackThreeWeeksAgo() {
        var log = log()
        log.add(days: -41...0, .valid(150))
        log.add("other", days: [-21], .invalid(50_000, hours: 24))
        #expect(log.assess().verdict == .enforce)
    }

    @Test func aCheckOnMondayAtEight() {
        var log = log(asOf: "2026-10-16T17:00:00Z")
        log.add(days: (-41...0).filter { !isWeekend($0, of: log) }, .valid(150), .invalid(1, auth: .invalid))
        log.add(at: "2026-10-16T17:00:00Z", .valid(1))
        log.clock = instant("2026-10-19T08:00:00Z")
        #expect(log.assess().verdict == .enforce, "63 hours, of which 48 are a weekend like any other")
        log.clock = instant("2026-10-20T08:00:00Z")
        #expect(log.assess().codes == ["export-old"])
    }

    @Test func allPython() {
        var log = log()
        for name in ["f", "g"] {
            log.add(name, generation: .second, severity: .info, days: -41...0, .valid(150), .invalid(1, auth: .invalid))
            log.markUnlabelled(name, generation: .second)
        }
        #expect(log.assess(generation: .second).verdict == .enforce)
        #expect(log.assess(generation: .second).codes == ["safe", "text-only"])
        log.add("default", generation: .second, days: -41...0, .invalid(3))
        log.markUnlabelled("default", generation: .second)
        #expect(log.assess("default", generation: .second).verdict == .blind, "its log level hides passes")
    }

    @Test func justDeployed() {
        var log = log()
        log.add("old", days: -41...0, .valid(300), .invalid(1))
        log.add(days: -1...0, .valid(300))
        #expect(log.assess().verdict == .insufficient)
        #expect(log.assess().codes == ["too-few-days", "too-few-active-days"])
        #expect(log.assess().outlook == .date(log.day(7), .steady))
    }

    @Test func twentyRequestsADayInTotal() {
        var log = log()
        for name in ["a", "b", "c", "d"] { log.add(name, days: -41...0, .valid(5)) }
        #expect(log.assess("a").verdict == .insufficient)
        log = self.log()
        log.add("a", days: -41...0, .valid(20))
        #expect(log.assess("a").verdict == .enforce, "560 in four weeks are enough where nothing was blocked")
    }

    @Test func neverAFailure() {
        var first = log()
        first.add(days: -41...0, .valid(150))
        #expect(first.assess().verdict == .enforce)
        #expect(first.assess().codes == ["safe", "failures-unproven"])
        var second = log()
        second.add(generation: .second, days: -41...0, .valid(150))
        #expect(second.assess(generation: .second).codes == ["failures-not-seen"])
        second.rules.numbers.assumeComplete = .failures
        #expect(second.assess(generation: .second).verdict == .enforce)
    }

    /// The same four weekdays lost every week are not a weekly pattern: too few days are left between them.
    @Test func theSameFourWeekdaysLost() {
        var log = log()
        log.add(days: (-41...0).filter { [2, 3, 4].contains(log.day($0).weekday) }, .valid(300), .invalid(1))
        #expect(log.assess().verdict == .insufficient)
        #expect(log.assess().codes.contains("coverage-gap"))
    }

    @Test func mostOfTheDaysLost() {
        var log = log()
        log.add(days: [-29, -20, -9, 0], .valid(1000), .invalid(1))
        #expect(log.assess().verdict == .insufficient)
        #expect(log.assess().codes.contains("coverage-gap"))
    }

    @Test func anOutageOfOneDay() {
        var log = log()
        log.add(days: -41...0, .valid(150), .invalid(1, auth: .invalid))
        #expect(log.assess().verdict == .enforce)
        log = self.log()
        log.add(days: (-41...0).filter { $0 != -10 }, .valid(300), .invalid(1, auth: .invalid))
        #expect(log.assess().verdict == .enforce, "one lost day is passed over")
        log.add(days: [-10], .invalid(300, auth: .missing, hours: 24))
        #expect(log.assess().verdict != .blind)
    }

    @Test func oneUnrelatedRecordOfTheErrorLog() {
        var log = log()
        log.add(generation: .second, days: -41...0, .valid(150))
        log.seeErrorStream(day: -20)
        #expect(log.assess(generation: .second).verdict == .insufficient, "it vouches for its own weeks only")
        log.seeErrorStream(day: -8)
        #expect(log.assess(generation: .second).verdict == .enforce)
    }
}
