import Readiness
import Testing
import Verifications

/// What would change an answer, and what an explanation is drawn from.
@Suite struct ExplanationTests {
    @Test func signedInCallersAlone() throws {
        var log = Scenario()
        log.add(days: -6...0, .valid(300), .missing(10, auth: .missing))
        let varied = try #require(log.whatIf(.set(.requiresAuth, .flag(true))))
        #expect(log.assess().verdict == .wait)
        #expect(varied.verdict == .enforce)
        log.rules.numbers.requiresAuth = true
        #expect(varied == log.assess())
        #expect(log.whatIf(.set(.requiresAuth, .flag(true))) == nil, "it is so already")
    }

    /// The answer is that of a run with `--since`, which reads nothing of the days before.
    @Test func withoutTheDaysUpToTheLastBadOne() throws {
        var log = Scenario()
        log.add(days: -20 ... -5, .valid(80), .missing(20, hours: 5))
        log.add(days: -4...0, .valid(100))
        let since = log.day(-4)
        #expect(log.explanation.lastBadDay == log.day(-5))
        var later = Scenario()
        later.add(days: -4...0, .valid(100))
        later.rules.since = since
        #expect(log.whatIf(.since(since)) == later.assess())
        #expect(later.assess().codes == ["too-few-days"])
    }

    /// A project's other functions and streams are cut as well: else its coverage and failures would differ.
    @Test func sinceCutsTheWholeProject() throws {
        var log = Scenario()
        log.add(generation: .second, days: -20 ... -9, .valid(300), .invalid(40, hours: 4))
        log.add(generation: .second, days: -8...0, .valid(300))
        log.add("other", generation: .second, days: -20 ... -15, .invalid(50))
        var later = Scenario()
        later.add(generation: .second, days: -8...0, .valid(300))
        later.rules.since = later.day(-8)
        let varied = try #require(log.whatIf(.since(log.day(-8)), generation: .second))
        #expect(varied == later.assess(generation: .second))
        #expect(varied.codes.contains("failures-not-seen"))
    }

    @Test func aCleanStreakBeginsAfterTheLastBlockedRequest() {
        var log = Scenario()
        log.add(days: -6 ... -3, .valid(80), .missing(20, hours: 5))
        log.add(days: [-2], .valid(99), .missing(1))
        log.add(days: -1...0, .valid(100))
        #expect(log.explanation.lastBadDay == log.day(-2))
        #expect(log.whatIf(.since(log.day(-1))) != nil)
    }

    @Test func noSinceWhereTheNewestDayIsBad() {
        var log = Scenario()
        log.add(days: -6...0, .valid(80), .missing(20, hours: 5))
        #expect(log.explanation.lastBadDay == log.day(0))
        #expect(log.changes == [.set(.requiresAuth, .flag(true))])
    }

    /// Twice as long a window as the log reaches back to, when it has more days than the usual one.
    @Test func longerWindowsAsFarAsTheLogReaches() throws {
        var log = Scenario()
        log.add(days: -14 ... -7, .valid(180), .missing(20, hours: 5))
        log.add(days: -6...0, .valid(300))
        #expect(log.assess().verdict == .enforce)
        let varied = try #require(log.whatIf(.set(.window, .count(14))))
        #expect(varied.verdict == .wait)
        #expect(varied.period.window?.dayCount == 14)
        var shorter = Scenario()
        shorter.add(days: -12...0, .valid(300))
        #expect(!shorter.changes.contains(.set(.window, .count(14))))
        log.rules.since = log.day(-5)
        #expect(!log.changes.contains(.set(.window, .count(14))), "cut at since, it would be no longer")
    }

    @Test func doubtsThatAUserCanLift() throws {
        var log = Scenario()
        log.add(days: [-6, -5, -4, -1, 0], .valid(100))
        #expect(log.assess().codes == ["coverage-gap"])
        #expect(log.whatIf(.set(.assumeComplete, .text("true")))?.verdict == .enforce)
        log.rules.numbers.assumeComplete = .everything
        #expect(log.assess().verdict == .enforce)
        #expect(log.whatIf(.set(.assumeComplete, .text("false")))?.codes == ["coverage-gap"])
        #expect(!log.changes.contains(.set(.assumeComplete, .text("true"))))
    }

    @Test func whatOnlyOtherLogsCanChange() {
        var silent = Scenario()
        silent.add(days: -20 ... -14, .valid(100))
        silent.cover(-20...0)
        #expect(silent.assess().codes.contains("stale"))
        #expect(silent.changes == [])
        var blind = Scenario()
        blind.add(days: -6...0, .invalid(5))
        #expect(blind.assess().verdict == .blind)
        #expect(blind.changes == [])
    }

    @Test func aBlindDayIsTheOneToLeaveOut() {
        var log = Scenario()
        log.add(days: -20 ... -4, .valid(100))
        log.add(days: [-3], .invalid(12))
        log.add(days: -2...0, .valid(100))
        #expect(log.assess().verdict == .blind)
        #expect(log.explanation.lastBadDay == log.day(-3))
        #expect(log.whatIf(.since(log.day(-2)))?.verdict == .insufficient)
    }

    @Test func policiesDecideWhatIsVaried() throws {
        var log = Scenario()
        log.add(days: -6...0, .valid(80), .missing(20, hours: 5))
        var entry = PolicyEntry(match: Glob("f"), line: 1)
        entry.exempt = "error channel"
        log.rules.entries = [entry]
        #expect(log.changes == [.withoutExemption])
        #expect(log.whatIf(.withoutExemption)?.verdict == .wait)
        entry.exempt = nil
        entry.enforced = .date(log.day(-3))
        log.rules.entries = [entry]
        #expect(log.changes == [])
        #expect(log.explanation.judged == Window(from: log.day(-3), to: log.day(0)))
    }

    /// An entry of the policy that names the number does not keep a change from having the last word.
    @Test func variationsOverruleThePolicy() throws {
        var log = Scenario()
        log.add(days: -13...0, .valid(300), .missing(10, auth: .missing))
        var entry = PolicyEntry(match: Glob("f"), line: 1)
        entry.settings[.requiresAuth] = .flag(false)
        entry.settings[.window] = .count(7)
        log.rules.entries = [entry]
        #expect(log.whatIf(.set(.requiresAuth, .flag(true)))?.verdict == .enforce)
        #expect(log.whatIf(.set(.window, .count(14)))?.period.window?.dayCount == 14)
    }

    @Test func otherFunctionsCountAsLeftOut() throws {
        var log = Scenario()
        log.add(days: -6...0, .valid(10))
        log.add("g", days: -6...0, .valid(20))
        log.add("g", at: nil, .valid(1))
        var input = InputSummary()
        input.verifications = 211
        input.undated = 1
        let summary = Summary(evaluator: log.evaluator, input: input, selection: Selection())
        let function = try #require(summary.functions.first)
        let explanation = Explanation(function, in: summary, evaluator: log.evaluator)
        #expect(explanation.summary.functions.map(\.name) == ["f"])
        #expect(explanation.summary.input.verifications == 70)
        #expect(explanation.summary.input.filtered == 141)
        #expect(explanation.summary.input.undated == 0)
    }
}

extension Scenario {
    fileprivate var explanation: Explanation {
        explanation(generation: .first)
    }

    fileprivate var changes: [WhatIf.Change] {
        explanation.whatIfs.map(\.change)
    }

    fileprivate func whatIf(_ change: WhatIf.Change, generation: Generation = .first) -> Assessment? {
        explanation(generation: generation).whatIfs.first { $0.change == change }?.assessment
    }

    private func explanation(generation: Generation) -> Explanation {
        let summary = Summary(evaluator: evaluator, input: InputSummary(), selection: Selection())
        let identity = FunctionIdentity(project: "demo", region: "us", name: "f", generation: generation)
        guard let function = summary.functions.first(where: { $0.identity == identity }) else {
            fatalError("no verification of f")
        }
        return Explanation(function, in: summary, evaluator: evaluator)
    }
}
