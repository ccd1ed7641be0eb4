import Readiness
import Testing
import Verifications

/// `failures-not-seen` and `failures-stopped`: the stream of failed verifications may be missing from the export.
@Suite struct FailureStreamTests {
    private func second(_ asOf: String = "2026-10-14T23:59:59Z") -> Scenario {
        var log = Scenario(asOf: asOf)
        log.add(generation: .second, days: -13...0, .valid(300))
        return log
    }

    @Test func generationTwoWithoutAFailedVerification() {
        var log = second()
        #expect(log.assess(generation: .second).verdict == .insufficient)
        #expect(log.assess(generation: .second).codes == ["failures-not-seen"])
        log.add("g", generation: .second, days: [-7], .valid(1, auth: .invalid))
        #expect(log.assess(generation: .second).codes == ["failures-not-seen"], "before the window")
        log.add("g", generation: .second, days: [-6], .valid(1, auth: .invalid))
        #expect(log.assess(generation: .second).verdict == .enforce, "any function of the project and generation")
    }

    @Test func aFailedVerificationOfGenerationOneOrOfAnotherProjectShowsNothing() {
        var log = second()
        log.add("g", generation: .first, days: -13...0, .invalid(1))
        log.add("g", generation: nil, days: -13...0, .invalid(1))
        log.add("g", generation: .second, project: "other", days: -13...0, .invalid(1))
        #expect(log.assess(generation: .second).codes == ["failures-not-seen"])
    }

    /// Each function's own window counts: a quiet one looks further back.
    @Test func theWindowIsTheFunctions() {
        var log = Scenario()
        log.add(generation: .second, days: -27...0, .valid(300))
        log.add("quiet", generation: .second, days: -27...0, .valid(20))
        log.add("g", generation: .second, days: [-20], .invalid(1))
        #expect(log.assess(generation: .second).codes == ["failures-not-seen"])
        #expect(log.assess("quiet", generation: .second).verdict == .enforce)
    }

    /// What has no day shows nothing of the window.
    @Test func undatedFailuresAndRecordsShowNothing() {
        var log = second()
        log.add("g", generation: .second, at: nil, .invalid(1))
        log.seeErrorStream(day: nil)
        #expect(log.assess(generation: .second).codes == ["failures-not-seen"])
    }

    /// One record of the error log, of any kind, on one day.
    @Test(arguments: [(-7, false), (-6, true), (0, true)])
    func aRecordOfTheErrorLogShowsThatItArrived(day: Int, isSeen: Bool) {
        var log = second()
        log.seeErrorStream(day: day)
        #expect(log.assess(generation: .second).verdict == (isSeen ? .enforce : .insufficient))
        #expect(log.assess(generation: .second).codes.contains("failures-unproven") == isSeen)
    }

    /// The stream begins in the window, and what came before it looks too good.
    @Test(arguments: [(-3, 2, false), (-3, 3, true), (-2, 2, true), (-6, 9, false)])
    func failuresThatBeginLate(first: Int, failures: Int, isLate: Bool) {
        var log = second()
        log.add("g", generation: .second, days: first...0, .invalid(failures))
        let assessment = log.assess(generation: .second)
        #expect(assessment.codes.contains("failures-late") == isLate)
        #expect((assessment.verdict == .enforce) != isLate)
        log.rules.numbers.assumeComplete = .failures
        #expect(log.assess(generation: .second).verdict == .enforce)
    }

    /// Python writes passes where it writes failures: they show that these would be seen.
    @Test func passesOfTextShowTheStream() {
        var log = second()
        log.markUnlabelled("f", generation: .second)
        #expect(log.assess(generation: .second).verdict == .enforce)
        #expect(!log.assess(generation: .second).codes.contains("failures-not-seen"))
    }

    @Test func whatComesAfterTheAsOfDayShowsNothing() {
        var log = second()
        log.seeErrorStream(day: 1)
        log.add("g", generation: .second, days: [1], .invalid(1))
        #expect(log.assess(generation: .second).codes == ["failures-not-seen"])
    }

    @Test func onlyGenerationTwoMustShowFailures() {
        var log = Scenario()
        log.add(generation: .first, days: -13...0, .valid(300))
        log.add("g", generation: nil, days: -13...0, .valid(300))
        #expect(log.assess(generation: .first).verdict == .enforce)
        #expect(log.assess("g", generation: nil).verdict == .enforce)
    }

    @Test func assumeCompleteLiftsBoth() {
        var log = second()
        log.rules.numbers.assumeComplete = .everything
        #expect(log.assess(generation: .second).verdict == .enforce)
        log.add("g", generation: .second, days: -13 ... -8, .invalid(50))
        #expect(log.assess(generation: .second).verdict == .enforce)
        log.rules.numbers.assumeComplete = .failures
        #expect(log.assess(generation: .second).verdict == .enforce)
        log.rules.numbers.assumeComplete = .nothing
        #expect(log.assess(generation: .second).codes == ["failures-not-seen", "failures-stopped"])
    }

    /// k·f̄ > 7: three whole days and half of T's day, two failures a day before.
    @Test(arguments: [("2026-10-14T12:00:00Z", false), ("2026-10-14T12:00:00.000000001Z", true)])
    func moreThanSevenMustBeMissing(asOf: String, stopped: Bool) throws {
        var log = second(asOf)
        log.add("g", generation: .second, days: -13 ... -4, .invalid(2))
        let assessment = log.assess(generation: .second)
        #expect(assessment.codes == (stopped ? ["failures-stopped"] : ["safe"]))
        if stopped {
            let reason = try assessment.reason("failures-stopped")
            #expect(try abs(#require(reason.value) - 7) < 1e-9)
            #expect(reason.limit == 7)
        }
    }

    /// The mean is over calendar days from the first of the stretch, which any generation may begin.
    @Test func theMeanCountsCalendarDays() throws {
        var log = second()
        log.add("g", generation: .second, days: Array(-29 ... -16) + [-10], .invalid(4))
        log.add("h", generation: .first, days: -29 ... -14, .valid(1))
        let assessment = log.assess(generation: .second)
        let reason = try assessment.reason("failures-stopped")
        let perDay = try #require(reason.rate)
        #expect(abs((reason.value ?? 0) / perDay - (7 - 1 / 86400)) < 1e-9)
        #expect(perDay == 60.0 / 23)
    }

    /// A bot's attack of three weeks ago sets no expectation: days count up to their upper quartile.
    @Test func oneDayOfAttacksSetsNoExpectation() {
        var log = Scenario()
        log.add(days: -27...0, .valid(300))
        log.add("g", days: [-20], .invalid(100_000))
        #expect(log.assess().verdict == .enforce)
        log.add("g", days: -20 ... -13, .invalid(3))
        #expect(log.assess().codes == ["failures-stopped"], "8 of 21 days have some: the quartile is 3")
    }

    /// Q is the ⌈0.75·m⌉-th of m days in ascending order.
    @Test(arguments: [(5, false), (6, true)])
    func theUpperQuartile(daysWithFailures: Int, isStopped: Bool) {
        var log = Scenario()
        log.add(days: -26...0, .valid(300))
        log.add("g", days: -26 ..< -26 + daysWithFailures, .invalid(9))
        log.add("h", days: [-7], .valid(1))
        #expect(log.assess().codes.contains("failures-stopped") == isStopped, "the 15th of 20 days")
    }

    /// The run is looked for in window(W) only, and a record of the error log ends it.
    @Test func theRunStaysWithinTheLastDays() throws {
        var log = second()
        log.add("g", generation: .second, days: [-13, -12, -11], .invalid(4))
        log.cover(-13...0)
        let assessment = log.assess(generation: .second)
        let reason = try assessment.reason("failures-stopped")
        let perDay = try #require(reason.rate)
        #expect(abs((reason.value ?? 0) / perDay - (7 - 1 / 86400)) < 1e-9)
        #expect(perDay == 12.0 / 7)
        log.seeErrorStream(day: -3)
        #expect(log.assess(generation: .second).verdict == .enforce)
    }

    @Test func aFailureTodayMeansTheStreamIsThere() {
        var log = second("2026-10-14T12:00:00Z")
        log.add("g", generation: .second, days: -13 ... -5, .invalid(50))
        #expect(log.assess(generation: .second).codes == ["failures-stopped"])
        log.add("g", generation: .second, days: [0], .invalid(1))
        #expect(log.assess(generation: .second).verdict == .enforce)
    }

    /// Every generation for itself: generation 1 can lose its failures too, and the others do not vouch for it.
    @Test func eachGenerationForItself() {
        var log = Scenario()
        log.add(generation: .first, days: -13...0, .valid(300))
        log.add("g", generation: .second, days: -13...0, .valid(300), .invalid(2, auth: .invalid))
        log.add("h", generation: .first, days: -13 ... -6, .invalid(9))
        #expect(log.assess().codes == ["failures-stopped"])
        #expect(log.assess("g", generation: .second).verdict == .enforce)
    }

    /// Without a day before the run there is nothing to compare with.
    @Test func noDayBeforeTheRun() {
        var log = Scenario()
        log.rules.numbers.minDays = 1
        log.add(generation: .first, days: -6...0, .valid(300))
        log.add("h", generation: .first, at: nil, .invalid(500))
        #expect(log.assess().verdict == .enforce)
    }

    /// 3⅛ days at 56/25 failures a day are 7, not more, though the product of the rounded quotients is.
    @Test func theBoundaryIsExact() {
        #expect(3.125 * (56.0 / 25) > 7)
        var log = second("2026-10-14T03:00:00Z")
        log.cover(-28...0)
        log.add("g", generation: .second, days: -28 ... -4, .invalid(2))
        log.add("g", generation: .second, days: -28 ... -24, .invalid(1))
        log.add("h", generation: .second, days: [-4], .invalid(1))
        #expect(log.assess(generation: .second).verdict == .enforce)
        log.add("g", generation: .second, days: -23 ... -22, .invalid(1))
        #expect(log.assess(generation: .second).codes == ["failures-stopped"])
    }

    /// `since` cuts every window, so the run is looked for in what is left of window(W).
    @Test func sinceCutsTheRun() {
        var log = Scenario()
        log.add(generation: .first, days: -13...0, .valid(300))
        log.add("h", generation: .first, days: -13 ... -5, .invalid(2))
        #expect(log.assess().codes == ["failures-stopped"])
        var entry = PolicyEntry(match: Glob("f"), line: 1)
        entry.settings.since = log.day(-2)
        log.rules.entries = [entry]
        #expect(!log.assess().codes.contains("failures-stopped"))
    }
}
