import Readiness
import Testing
import Verifications

/// Functions that appear, and those that nobody calls any more.
@Suite struct AppearanceTests {
    private var log: Scenario {
        var log = Scenario()
        log.cover(-40...0)
        return log
    }

    private func silence(_ report: NightlyReport) -> Change.Silence? {
        for case .silent(let silence) in report.changes { return silence }
        return nil
    }

    private func appearance(_ report: NightlyReport) -> Change.Appearance? {
        for case .appeared(let appearance) in report.changes { return appearance }
        return nil
    }

    /// Told on the first morning, and not on the next.
    @Test func aBusyFunctionStops() throws {
        var log = log
        log.add("f", days: -20 ... -1, .valid(300))
        let silence = try #require(self.silence(log.report()))
        #expect(log.report().told == ["silent f"])
        #expect(silence.last == log.day(-1))
        #expect(silence.perDay == 300)
        #expect(silence.verdict == nil)

        log.asOf = instant("2026-10-15T23:59:59Z")
        log.cover([0])
        #expect(log.report().told == [])
    }

    /// Days that differ much, so that only the rule's own four days are beyond its habit: then the verdict goes too.
    @Test func anUnsteadyFunctionStops() throws {
        var log = log
        log.add("f", days: (-23 ... -4).filter { $0 % 2 == 0 }, .valid(100))
        log.add("f", days: (-23 ... -4).filter { $0 % 2 != 0 }, .valid(2))
        #expect(log.report(comparedTo: -2).told == ["silent f"])
        let silence = try #require(self.silence(log.report(comparedTo: -1)))
        #expect(silence.last == log.day(-4))
        #expect(silence.perDay == 51)
        #expect(silence.verdict.map { $0.now } == .insufficient)
    }

    /// A weekend is no silence, and neither is the pause of a monthly job.
    @Test func habits() {
        var log = Scenario(asOf: "2026-10-18T23:59:59Z")  // a Sunday
        log.cover(-40...0)
        log.add("office", days: (-37...0).filter { (log.day($0)).weekday < 5 }, .valid(300))
        log.add("monthly", days: [-36, -6], .valid(900))
        for offset in -3 ... -1 { #expect(log.report(comparedTo: offset).told == []) }
    }

    /// Too few days to know a habit: the rule's three days count.
    @Test func aYoungFunction() {
        var log = log
        log.add("f", days: -4 ... -1, .valid(300))
        #expect(log.report().told == [])
    }

    /// When a project falls silent, that is told of the project, not of each of its functions.
    @Test func aWholeProject() {
        var log = Scenario()
        log.add("elsewhere", project: "other", days: -20...0, .valid(300))
        for name in ["f", "g"] { log.add(name, days: -20 ... -5, .valid(300)) }
        #expect(log.report().told == ["coverage-gap demo"])
        #expect(log.report(comparedTo: -5).told == ["coverage-gap demo"])
    }

    @Test func aNewFunction() throws {
        var log = log
        log.add("f", days: 0...0, .valid(40))
        let appearance = try #require(self.appearance(log.report()))
        #expect(log.report().told == ["appeared f"])
        #expect((appearance.silentSince, appearance.first) == (nil, log.day(0)))
        #expect((appearance.verifications, appearance.verdict) == (40, .insufficient))
        log.asOf = instant("2026-10-15T23:59:59Z")
        log.cover([0])
        #expect(log.report().told == [])
    }

    @Test func aFunctionComesBack() throws {
        var log = log
        log.add("f", days: -30 ... -10, .valid(40))
        log.add("f", days: 0...0, .valid(7))
        let appearance = try #require(self.appearance(log.report()))
        #expect((appearance.silentSince, appearance.first) == (log.day(-10), log.day(0)))
        #expect(appearance.verifications == 7)
        #expect(log.report().told == ["appeared f"])
    }

    /// A policy that looks at later days only makes no function silent before.
    @Test func aLaterStartIsNoSilence() {
        var log = log
        log.add("f", days: -30...0, .valid(40))
        var entry = PolicyEntry(match: Glob("f"), line: 1)
        entry.since = log.day(-1)
        log.rules.entries = [entry]
        #expect(log.report(comparedTo: -2).told == [])
    }
}
