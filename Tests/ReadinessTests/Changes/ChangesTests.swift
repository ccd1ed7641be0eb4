import Readiness
import Testing
import Verifications

/// What a report says has changed: each thing once, and never nothing where an answer differs.
@Suite struct ChangesTests {
    /// Three weeks in which nothing happens to `quiet`, so that every day is covered.
    private var log: Scenario {
        var log = Scenario()
        log.add("quiet", days: -20...0, .valid(300))
        return log
    }

    @Test func nothing() {
        #expect(log.changes() == [])
        #expect(log.comparison()?.since == log.day(-1).lastInstant)
    }

    @Test func aFunctionBecomesReady() throws {
        var log = log
        log.add("f", days: -6...0, .valid(300))
        let change = try #require(log.comparison()?.changes.first)
        #expect(log.changes() == ["verdict f"])
        #expect(change.before?.verdict == .insufficient && change.functions[0].assessment.verdict == .enforce)
        #expect(change.urgency == .better)
    }

    @Test func aFunctionIsReadyNoMore() throws {
        var log = log
        log.add("f", days: -20 ... -1, .valid(300))
        log.add("f", days: 0...0, .valid(100), .missing(200, hours: 9))
        #expect(log.changes() == ["verdict f"])
        // It is failing now.
        #expect(try #require(log.comparison()).changes[0].urgency == .act)
    }

    @Test func lockouts() throws {
        var log = log
        var entry = PolicyEntry(match: Glob("f"), line: 1)
        entry.settings.enforced = .date(log.day(-10))
        log.rules.entries = [entry]
        log.add("f", days: -20 ... -3, .valid(300))
        log.add("f", days: -2...0, .valid(100), .missing(200, hours: 9))
        #expect(log.changes(since: -3) == ["lockout f"])
        #expect(log.lockout(since: -3) == .began)
        #expect(log.lockout(since: -1) == .continues)
        #expect(log.comparison()?.changes.first?.urgency == .act)

        for name in ["f", "quiet"] { log.add(name, days: 1...8, .valid(300)) }
        log.asOf = instant("2026-10-22T23:59:59Z")
        #expect(log.lockout(since: -6) == .ended)
        #expect(log.comparison(since: -6)?.changes.first?.urgency == .better)
    }

    /// What needs action comes first, regardless of its name; within a kind, the busiest function.
    @Test func order() {
        var log = Scenario()
        var entry = PolicyEntry(match: Glob("z"), line: 1)
        entry.settings.enforced = .date(log.day(-20))
        log.rules.entries = [entry]
        log.add("z", days: -20...0, .valid(100), .missing(20, hours: 9))
        log.add("y", days: -20 ... -1, .valid(300))
        log.add("y", days: 0...0, .valid(100), .missing(200, hours: 9))
        log.add("x", days: -6...0, .valid(300))
        log.add("a", days: 0...0, .valid(3))
        log.add("b", days: 0...0, .valid(30))
        #expect(log.changes() == ["lockout z", "verdict y", "verdict x", "appeared b", "appeared a"])
    }

    /// A missing part of the log is reported once for all functions that it holds back.
    @Test func aPartOfTheLogIsMissing() {
        var hole = Scenario()
        for name in ["f", "g"] { hole.add(name, days: (-20...0).filter { ![-2, -1].contains($0) }, .valid(300)) }
        #expect(hole.changes(since: -3) == ["coverage-gap f g"])
        #expect(hole.comparison(since: -3)?.changes.first?.urgency == .act)

        var old = Scenario()
        old.add("f", days: -20...0, .valid(300))
        old.clock = instant("2026-10-16T15:00:00Z")
        #expect(old.changes() == ["export-old f"])

        var failures = Scenario()
        failures.add("f", generation: .second, days: -20 ... -3, .valid(1000), .invalid(4))
        failures.add("f", generation: .second, days: -2...0, .valid(1000))
        #expect(failures.changes(since: -2) == ["failures-stopped f"])

        var passes = Scenario()
        passes.add("f", days: -20 ... -1, .valid(300), .invalid(2))
        passes.add("f", days: 0...0, .invalid(20))
        #expect(passes.changes() == ["passes-not-seen f"])
    }

    @Test func theDayMoves() {
        var log = log
        log.add("f", days: -30 ... -5, .valid(90), .missing(10, hours: 9))
        log.add("f", days: -4...0, .valid(100))
        var later = log
        #expect(later.changes(confirm: 7) == [])
        later.asOf = instant("2026-10-15T23:59:59Z")
        for name in ["quiet", "f"] { later.add(name, days: 0...0, .valid(60), .missing(4, hours: 4)) }
        #expect(later.changes(confirm: 7).contains("ready f"))
    }

    /// An answer that was given differs from what today's log says of that instant: a late or repaired log did it.
    @Test func aLateLog() throws {
        var log = log
        log.add("f", days: -20...0, .valid(300))
        var given = log.evaluator.answers(at: log.day(-1).lastInstant)
        #expect(log.comparison(with: given)?.changes.isEmpty == true)
        let identity = try #require(given.keys.first { $0.name == "f" })
        given[identity]?.verdict = .wait
        let change = try #require(log.comparison(with: given)?.changes.first)
        #expect(change.code == "verdict" && change.origin == .laterLogs(isAll: true))
        // Other settings may have done it as well.
        given[identity]?.settings = 7
        #expect(log.comparison(with: given)?.changes.first?.origin == .otherSettings(isAll: true))
        // New requests have a part in it if the answer of that instant is a third one.
        given[identity]?.settings = log.assess().policy.fingerprint
        var then = log
        then.add("f", days: -1 ... -1, .missing(15))
        #expect(log.comparison(with: given, then: then)?.changes.first?.origin == .laterLogs(isAll: false))
        // A date alone differs too.
        given[identity]?.verdict = .enforce
        given[identity]?.ready = log.day(-3)
        let date = try #require(log.comparison(with: given)?.changes.first)
        #expect(date.code == "ready" && date.origin == .laterLogs(isAll: true))
    }

    /// A log that was too old was judged by the clock of that night: the requests that came after it are new.
    @Test func anOldLogIsRenewed() throws {
        var log = log
        log.add("f", days: -20...0, .valid(300))
        var old = log
        old.clock = instant("2026-10-17T15:00:00Z")
        let given = old.given
        #expect(given.values.allSatisfy { $0.verdict == .insufficient })
        let change = try #require(log.comparison(with: given)?.changes.first)
        #expect(change.code == "verdict" && change.origin == .newRequests)
        // As long as nothing comes, each report says so.
        #expect(old.comparison(with: given)?.changes.map(\.code) == ["export-old"])
        #expect(old.comparison(with: given)?.changes.map(\.functions.count) == [2])
    }

    /// One cause is one change: what one release does to many functions, and what other settings do.
    @Test func oneCause() throws {
        let app = Client(ClientCode(.ios), version: ClientVersion(app: "com.example.app", version: "2.0", os: "17"))
        let old = Client(ClientCode(.ios), version: ClientVersion(app: "com.example.app", version: "1.0", os: "17"))
        var log = log
        for name in ["f", "g", "h"] {
            log.add(name, days: -20...0, .valid(300).by(old))
            for address in 1...12 {
                log.add(name, days: 0...0, .missing(40).by(app, address: UInt16(address), hour: 19 + address % 4))
            }
        }
        let changes = try #require(log.comparison()?.changes)
        #expect(log.changes() == ["verdict f g h"])
        #expect(changes[0].suspect?.name == "com.example.app@2.0" && changes[0].urgency == .act)
        // Whoever reads the next report hears of it again: somebody has to act.
        #expect(log.comparison(with: log.given)?.changes.map(\.code) == ["failing-now"])
        #expect(log.comparison(with: log.given)?.changes.map(\.functions.count) == [3])

        var before = log.given
        for identity in before.keys { before[identity]?.settings = 7 }
        var calm = self.log
        for name in ["f", "g", "h"] { calm.add(name, days: -20...0, .valid(300).by(old)) }
        let settings = try #require(calm.comparison(with: before)?.changes)
        #expect(settings.map(\.functions.count) == [3] && settings[0].origin == .otherSettings(isAll: true))
    }
}

extension Scenario {
    fileprivate func comparison(since offset: Int = -1, confirm: Int = 1) -> Comparison? {
        var log = self
        log.rules.numbers.confirm = confirm
        let evaluator = log.evaluator
        let summary = Summary(evaluator: evaluator, input: InputSummary(), selection: Selection())
        return Comparison(summary, past: evaluator.answers(at: day(offset).lastInstant))
    }

    /// A comparison with answers that were given, next to what `then` says of their instant.
    fileprivate func comparison(
        with answers: [FunctionIdentity: PastAnswer], then: Scenario? = nil
    ) -> Comparison? {
        let summary = Summary(evaluator: evaluator, input: InputSummary(), selection: Selection())
        return Comparison(summary, past: answers) { functions, asOf in
            guard var log = then else { return self.evaluator.at(asOf).answers(about: functions) }
            log.asOf = asOf
            return log.evaluator.answers(about: functions)
        }
    }

    /// What a report says now.
    fileprivate var given: [FunctionIdentity: PastAnswer] {
        Summary(evaluator: evaluator, input: InputSummary(), selection: Selection()).answers
    }

    /// Each change in short: its code, and the functions it is about.
    fileprivate func changes(since offset: Int = -1, confirm: Int = 1) -> [String] {
        comparison(since: offset, confirm: confirm)?.changes.map { change in
            ([change.code] + change.functions.map(\.name)).joined(separator: " ")
        } ?? ["nothing to compare with"]
    }

    fileprivate func lockout(since offset: Int) -> Change.LockoutState? {
        for change in comparison(since: offset)?.changes ?? [] {
            if case .lockout(let state) = change.kind { return state }
        }
        return nil
    }
}

extension Day {
    fileprivate var lastInstant: Instant { Instant(day: self, nanosecondOfDay: 86_399_000_000_000) }
}
