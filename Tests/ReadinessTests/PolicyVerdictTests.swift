import Testing
import Verifications

@testable import Readiness

/// The first rows: what the policy says of a function, and a successor; and `since`.
@Suite struct PolicyVerdictTests {
    private func rules(_ change: (inout PolicyEntry) -> Void) -> PolicyRules {
        var entry = PolicyEntry(match: Glob("f"), line: 1)
        change(&entry)
        var numbers = VerdictPolicy()
        numbers.confirm = 1
        return PolicyRules(numbers: numbers, entries: [entry])
    }

    @Test func exemptComesFirstAndHidesNothing() throws {
        var log = Scenario()
        log.rules = rules { $0.settings.exempt = "the error channel" }
        log.add(days: -6...0, .valid(90), .missing(10))
        #expect(log.assess().verdict == .exempt)
        #expect(log.assess().codes == ["exempt", "too-many-blocked"])
        #expect(try log.assess().reason("exempt") == Finding(code: .exempt, names: ["the error channel"]))
        #expect(log.assess().outlook == .notAsked)
        #expect(log.assess().signedIn.verdict == .exempt)
    }

    @Test func exemptWithoutTraffic() {
        var log = Scenario()
        log.rules = rules {
            $0.settings.exempt = "the error channel"
            $0.settings.enforced = .date(day("2026-10-01"))
        }
        log.cover(-20...0)
        #expect(log.assess().verdict == .exempt)
        #expect(log.assess().codes == ["exempt", "enforced", "no-traffic"])
    }

    @Test func enforcedWithoutTraffic() {
        var log = Scenario()
        log.rules = rules { $0.settings.enforced = .date(day("2026-10-01")) }
        log.cover(-20...0)
        #expect(log.assess().verdict == .enforced)
        #expect(log.assess().codes == ["enforced", "policy-unconfirmed", "no-traffic"])
    }

    /// Only signed-in requests count, and only those after the day of the deployment.
    @Test func lockoutLooksAtSignedInRequestsAfterTheDay() {
        var log = Scenario()
        log.rules = rules { $0.settings.enforced = .date(day("2026-10-12")) }
        log.add(days: -20...0, .valid(100), .missing(50, auth: .missing))
        log.add(days: [-2], .missing(50))
        #expect(log.assess().verdict == .enforced)
        #expect(!log.assess().codes.contains("lockout"), "the day itself was half before the deployment")
        log.add(days: [-1, 0], .missing(10))
        let assessment = log.assess()
        #expect(assessment.verdict == .enforced)
        #expect(assessment.codes.prefix(3) == ["enforced", "policy-unconfirmed", "lockout"])
        #expect(assessment.lockout.map { [$0.refused, $0.requests] } == [20, 220])
    }

    /// Exactly at the maximum, and the first count of which the lower bound exceeds it.
    @Test(arguments: [(4, false), (5, true)])
    func lockoutNeedsTheLowerBound(blocked: Int, isLockout: Bool) {
        let lower = ClopperPearson.lower(blocked: Double(blocked), requests: 150, confidence: 0.95)
        #expect((lower > 0.01) == isLockout)
        var log = Scenario()
        log.rules = rules { $0.settings.enforced = .date(day("2026-10-13")) }
        log.add(days: -20 ... -1, .valid(100))
        log.add(days: [0], .valid(150 - blocked), .missing(blocked, hours: 2))
        #expect(log.assess().codes.contains("lockout") == isLockout)
    }

    /// Blocked requests older than the last W days are history.
    @Test func lockoutLooksAtTheLastDaysOnly() {
        var log = Scenario()
        log.rules = rules { $0.settings.enforced = .date(day("2026-09-01")) }
        log.add(days: -27 ... -7, .valid(10), .missing(10))
        log.add(days: -6...0, .valid(10))
        #expect(log.assess().codes.contains("lockout") == false)
        log.add(days: [-6], .missing(10, hours: 2))
        #expect(log.assess().codes.contains("lockout"))
    }

    @Test func supersededByGenerationTwo() throws {
        var log = Scenario()
        log.add("scan_Receipt", days: -20 ... -7, .valid(300))
        log.cover(-20...0)
        #expect(log.assess("scan_Receipt").verdict == .insufficient)
        log.add("scan-receipt", generation: .second, days: [-6], .valid(1))
        let assessment = log.assess("scan_Receipt")
        #expect(assessment.verdict == .superseded)
        #expect(assessment.codes == ["superseded", "stale"])
        #expect(
            try assessment.reason("superseded")
                == Finding(code: .superseded, names: ["scan-receipt"]))
        log.add("scan_Receipt", days: [-6], .valid(1))
        #expect(log.assess("scan_Receipt").verdict != .superseded, "it still has traffic in the last W days")
    }

    @Test func notSupersededByAnythingElse() {
        var log = Scenario()
        log.cover(-40...0)
        log.add(days: -20 ... -7, .valid(300))
        log.add(generation: .second, days: [-7], .valid(1))
        log.add(generation: .second, region: "eu", days: -6...0, .valid(1))
        log.add(generation: .second, project: "other", days: -6...0, .valid(1))
        log.add("g", generation: .second, days: -6...0, .valid(1))
        log.add(generation: nil, days: -6...0, .valid(1))
        #expect(log.assess().codes == ["stale"])
        log.add(generation: .second, days: -6...0, .valid(1))
        #expect(log.assess().verdict == .superseded)
        log.add("g", generation: nil, days: -20 ... -7, .valid(300))
        #expect(log.assess("g", generation: nil).codes == ["stale"], "only generation 1 is")
    }

    /// Nothing seen for longer than any window: `no-traffic` follows the reason for the verdict.
    @Test func supersededLongAgo() {
        var log = Scenario()
        log.cover(-60...0)
        log.add(days: -60 ... -40, .valid(300))
        log.add(generation: .second, days: -39...0, .valid(300))
        #expect(log.assess().verdict == .superseded)
        #expect(log.assess().codes == ["superseded", "no-traffic"])
    }

    /// Days before `since` are outside every window, and are no gaps; they count in the age.
    @Test func sinceForgetsEarlierDays() {
        var log = Scenario()
        log.add(days: -20 ... -6, .valid(100), .missing(100))
        log.add(days: -5...0, .valid(300))
        #expect(log.assess().verdict == .insufficient)
        log.rules = rules { $0.settings.since = log.day(-5) }
        let assessment = log.assess()
        #expect(assessment.verdict == .enforce)
        #expect(assessment.period.window == Window(from: log.day(-5), to: log.day(0)))
        #expect(assessment.ageDays == 21)
        #expect(assessment.period.blocked == 0)
    }

    /// The age counts from the first verification, regardless of `since`.
    @Test func sinceAndTheFirstVerification() {
        var log = Scenario()
        log.cover(-40...0)
        log.add(days: [-20], .valid(1))
        log.add(days: -7...0, .valid(100))
        log.rules = rules { $0.settings.since = log.day(-12) }
        #expect(log.assess().ageDays == 21)
        log.rules = rules { $0.settings.since = log.day(1) }
        #expect(log.assess().ageDays == 21)
        #expect(log.assess().period.window == nil)
        #expect(log.assess().codes == ["no-traffic"])
    }

    /// `since` cuts the windows that the project's log allows; it removes none of them.
    @Test func sinceCutsEveryCandidate() {
        var log = Scenario()
        log.add(days: -40...0, .valid(50))
        log.rules = rules { $0.settings.since = log.day(-9) }
        #expect(log.assess().period.window == Window(from: log.day(-9), to: log.day(0)))
        #expect(log.assess().period.admitted == 500)
        let window = log.assess().period.window
        log = Scenario()
        log.rules.since = log.day(-9)
        log.add(days: -10...0, .valid(50))
        #expect(window?.dayCount == 10)
        #expect(log.assess().period.window?.dayCount == 10)
        log = Scenario()
        log.add(days: -40...0, .valid(50))
        log.rules = rules {
            $0.settings.since = log.day(-9)
            $0.settings.maxRefused = 0.05
        }
        #expect(log.assess().period.window == Window(from: log.day(-6), to: log.day(0)), "350 are enough for 5 %")
    }

    @Test func aSilentDayBeforeSinceIsNoGap() {
        var log = Scenario()
        log.add(days: Array(-40 ... -8) + [-6] + Array(-4...0), .valid(300))
        log.rules = rules {
            $0.settings.since = log.day(-4)
            $0.settings.minDays = 5
        }
        #expect(log.assess().verdict == .enforce)
        log.rules = rules {
            $0.settings.since = log.day(-5)
            $0.settings.minDays = 5
        }
        #expect(log.assess().codes == ["coverage-gap"])
    }

    /// What one function does is not held against another of its project.
    @Test func functionsAreJudgedApart() {
        var log = Scenario()
        log.add("a", days: -13...0, .valid(300))
        log.add("b", days: -13...0, .valid(100), .missing(100))
        #expect(log.tally.functions.count == 2)
        #expect(log.assess("a").verdict == .enforce)
        #expect(log.assess("b").verdict == .wait)
    }
}
