import Readiness
import Testing
import Verifications

/// What a report tells of two nights: each thing once.
@Suite struct ChangesTests {
    /// Three weeks in which nothing happens to `quiet`, so that every day is covered.
    private var log: Scenario {
        var log = Scenario()
        log.add("quiet", days: -20...0, .valid(300))
        return log
    }

    @Test func nothing() {
        #expect(log.report().told == [])
        #expect(log.report().comparedTo == day("2026-10-13"))
        #expect(log.report().ratesCompared == 1)
    }

    @Test func aFunctionBecomesReady() throws {
        var log = log
        log.add("f", days: -6...0, .valid(300))
        let report = log.report(comparedTo: -1)
        guard case .verdict(let change)? = report.changes.first else { throw Unexpected(report.told) }
        #expect(report.told == ["verdict f"])
        #expect((change.before, change.now) == (.insufficient, .enforce))
        #expect(report.changes.first?.urgency == .better)
    }

    /// Both sides with the confirmation rule: what was safe for two nights only was not ready.
    @Test func readyAfterThreeNights() {
        var log = log
        log.add("f", days: -4...0, .valid(300))
        log.rules.numbers.minDays = 1
        #expect(log.report(confirm: 3).told == ["verdict f"])
        #expect(log.report(confirm: 3, comparedTo: -2).told == ["verdict f"])
        #expect(log.report(confirm: 2).told == [])
        #expect(log.report(confirm: 4).told == [])
        #expect(log.report(confirm: 3).summary.functions[0].assessment.readyDay == log.day(0))
        #expect(log.report(confirm: 2).summary.functions[0].assessment.readyDay == log.day(-1))
        #expect(log.report(confirm: 5).summary.functions[0].assessment.readyDay == log.day(2))
    }

    @Test func aFunctionIsReadyNoMore() throws {
        var log = log
        log.add("f", days: -20 ... -1, .valid(300))
        log.add("f", days: 0...0, .valid(100), .missing(200, hours: 9))
        let report = log.report()
        guard case .verdict(let change)? = report.changes.first else { throw Unexpected(report.told) }
        #expect(report.told == ["verdict f"])
        #expect((change.before, change.now) == (.enforce, .insufficient))
        #expect(change.reason?.code == "too-few-requests")
        // The rate moved too; that is told with the verdict.
        #expect(change.rate?.before.admitted == 2100)
        #expect(change.rate?.now.blocked == 200)
        #expect(report.changes.first?.urgency == .worse)
    }

    @Test func aRateRisesWithinAVerdict() throws {
        var log = log
        log.add("f", days: -20 ... -1, .valid(270), .missing(30, hours: 24))
        log.add("f", days: 0...0, .valid(150), .missing(150, hours: 24))
        let report = log.report()
        guard case .rate(_, let change)? = report.changes.first else { throw Unexpected(report.told) }
        #expect(report.told == ["rate f"])
        #expect((change.before.rate, change.now.rate) == (0.1, 0.5))
        #expect(change.isRise && change.pValue < 1e-9)
        #expect(report.changes.first?.urgency == .worse)
    }

    @Test func aRateFalls() {
        var log = log
        log.add("f", days: -20 ... -1, .valid(270), .missing(30, hours: 9))
        log.add("f", days: 0...0, .valid(300))
        #expect(log.report().told == ["rate f"])
        #expect(log.report().changes.first?.urgency == .better)
    }

    /// Requests of one hour may all come from one client that tries again and again.
    @Test func oneBurstIsNoRise() {
        var log = log
        log.add("f", days: -20 ... -1, .valid(270), .missing(30, hours: 9))
        log.add("f", days: 0...0, .valid(150), .missing(150, hours: 2))
        #expect(log.report().told == [])
    }

    /// Without the failures' stream every rate falls to nothing.
    @Test func ratesWithoutFailuresAreNotCompared() {
        var log = Scenario()
        log.add("f", generation: .second, days: -20 ... -3, .valid(270), .invalid(30, hours: 9))
        log.add("f", generation: .second, days: -2...0, .valid(300))
        let report = log.report(comparedTo: -3)
        #expect(report.told == ["failures-stopped demo"])
        #expect(report.ratesCompared == 0)
    }

    @Test func lockouts() throws {
        var log = log
        var entry = PolicyEntry(match: Glob("f"), line: 1)
        entry.enforced = .date(log.day(-10))
        log.rules.entries = [entry]
        log.add("f", days: -20 ... -3, .valid(300))
        log.add("f", days: -2...0, .valid(100), .missing(200, hours: 9))
        #expect(lockout(log.report(comparedTo: -3))?.state == .began)
        #expect(lockout(log.report(comparedTo: -3))?.blocked == 600)
        #expect(log.report(comparedTo: -3).told == ["lockout f"])
        #expect(log.report(comparedTo: -3).changes.first?.urgency == .act)
        #expect(lockout(log.report())?.state == .continues)

        for name in ["f", "quiet"] { log.add(name, days: 1...8, .valid(300)) }
        log.asOf = instant("2026-10-22T23:59:59Z")
        #expect(lockout(log.report(comparedTo: -6))?.state == .ended)
        #expect(log.report(comparedTo: -6).changes.first?.urgency == .better)
    }

    /// What needs action stands first, whatever its name; of one kind, the busiest function.
    @Test func order() {
        var log = Scenario()
        var entry = PolicyEntry(match: Glob("z"), line: 1)
        entry.enforced = .date(log.day(-20))
        log.rules.entries = [entry]
        log.add("z", days: -20...0, .valid(100), .missing(20, hours: 9))
        log.add("y", days: -20 ... -1, .valid(300))
        log.add("y", days: 0...0, .valid(100), .missing(200, hours: 9))
        log.add("x", days: -6...0, .valid(300))
        log.add("a", days: 0...0, .valid(3))
        log.add("b", days: 0...0, .valid(30))
        #expect(log.report().told == ["lockout z", "verdict y", "verdict x", "appeared b", "appeared a"])
    }

    private func lockout(_ report: NightlyReport) -> Change.Lockout? {
        for case .lockout(let lockout) in report.changes { return lockout }
        return nil
    }
}

/// A report that tells other things than the test is about.
struct Unexpected: Error {
    let told: [String]

    init(_ told: [String]) {
        self.told = told
    }
}
