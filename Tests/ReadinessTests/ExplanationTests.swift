import Readiness
import Testing
import Verifications

/// What would change an answer, and what an explanation is drawn from.
@Suite struct ExplanationTests {
    @Test func signedInCallersAlone() throws {
        var log = Scenario()
        log.add(days: -6...0, .valid(300), .missing(10, auth: .missing))
        let tried = try #require(log.whatIf(.set(\.requiresAuth, true)))
        #expect(log.assess().verdict == .wait)
        #expect(tried.verdict == .enforce)
        log.rules.numbers.requiresAuth = true
        #expect(tried.period == log.assess().period)
        #expect(log.changes == [], "it is so already")
    }

    /// The answer is that of a run with `--since`, which reads nothing of the days before.
    @Test func withoutTheDaysUpToTheLastBadOne() throws {
        var log = Scenario()
        log.add(days: -20 ... -8, .valid(30), .missing(10, hours: 5))
        log.add(days: -7...0, .valid(40))
        var later = Scenario()
        later.add(days: -7...0, .valid(40))
        later.rules.since = log.day(-7)
        let tried = try #require(log.whatIf(.since(log.day(-7))))
        #expect(tried.verdict == .enforce)
        #expect(tried.period == later.assess().period)
        #expect(later.assess().verdict == .enforce)
    }

    /// A project's other functions and streams are cut as well: else its coverage and failures would differ.
    @Test func sinceCutsTheWholeProject() throws {
        var log = Scenario()
        log.add(generation: .second, days: -20 ... -8, .valid(30), .invalid(10, hours: 4))
        log.add(generation: .second, days: -7...0, .valid(40))
        log.add("other", generation: .second, days: -20 ... -15, .invalid(50))
        #expect(log.whatIf(.since(log.day(-7)), generation: .second) == nil, "failures are not seen")
    }

    @Test func nothingIsOfferedThatChangesNothing() {
        var log = Scenario()
        log.add(days: -6...0, .valid(80), .missing(20, hours: 5))
        #expect(log.assess().verdict == .wait)
        #expect(log.changes == [])
    }

    @Test func quietFunctionsMayAcceptAFew() {
        var log = Scenario()
        log.add(days: -27...0, .valid(5))
        #expect(log.assess().codes == ["too-few-requests"])
        #expect(log.changes == [.set(\.maxPerWeek, 1)])
    }

    @Test func doubtsThatAUserCanLift() throws {
        var log = Scenario()
        log.add(days: [-6, -5, -4, -1, 0], .valid(100))
        #expect(log.assess().codes == ["coverage-gap"])
        #expect(log.whatIf(.set(\.assumeComplete, .everything))?.verdict == .enforce)
        log.rules.numbers.assumeComplete = .everything
        #expect(log.assess().verdict == .enforce)
        let tried = log.whatIf(.set(\.assumeComplete, .nothing))
        #expect(tried?.reasons.map(\.name) == ["coverage-gap"])
        #expect(!log.changes.contains(.set(\.assumeComplete, .everything)))
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

    @Test func policiesDecideWhatIsVaried() throws {
        var log = Scenario()
        log.add(days: -6...0, .valid(80), .missing(20, hours: 5))
        var entry = PolicyEntry(match: Glob("f"), line: 1)
        entry.settings.exempt = "error channel"
        log.rules.entries = [entry]
        #expect(log.changes == [.withoutExemption])
        #expect(log.whatIf(.withoutExemption)?.verdict == .wait)
        entry.settings.exempt = nil
        entry.settings.enforced = .date(log.day(-3))
        log.rules.entries = [entry]
        #expect(log.changes == [])
        #expect(log.explanation.judged == Window(from: log.day(-3), to: log.day(0)))
    }

    /// An entry of the policy that names the setting does not keep a change from having the last word.
    @Test func changesOverruleThePolicy() throws {
        var log = Scenario()
        log.add(days: -13...0, .valid(300), .missing(10, auth: .missing))
        var entry = PolicyEntry(match: Glob("f"), line: 1)
        entry.settings.requiresAuth = false
        log.rules.entries = [entry]
        #expect(log.whatIf(.set(\.requiresAuth, true))?.verdict == .enforce)
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

    fileprivate func whatIf(_ change: WhatIf.Change, generation: Generation = .first) -> WhatIf? {
        explanation(generation: generation).whatIfs.first { $0.change == change }
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
