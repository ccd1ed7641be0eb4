import Readiness
import Testing
import Verifications

/// Quiet functions judged together.
@Suite struct GroupTests {
    /// Eleven functions with so many requests a day each, for four weeks.
    private func log(perDay: Int = 2, count: Int = 11) -> Scenario {
        var log = Scenario()
        for index in 0..<count { log.add("quiet\(index)", days: -27...0, .valid(perDay)) }
        log.add("busy", days: -27...0, .valid(300), .invalid(1, auth: .invalid))
        return log
    }

    private func summary(_ log: Scenario, _ selection: Selection = Selection()) -> Summary {
        Summary(judge: log.judge, input: InputSummary(), selection: selection)
    }

    private func codes(_ summary: Summary, _ name: String) -> [String] {
        summary.functions.first { $0.name == name }?.assessment.codes ?? []
    }

    @Test func elevenTogetherAreSafe() throws {
        let summary = summary(log())
        let group = try #require(summary.groups.first)
        #expect(summary.groups.count == 1)
        #expect(group.project == "demo")
        #expect(group.members.map(\.name) == (0..<11).map { "quiet\($0)" }.sorted())
        #expect(group.verdict == .enforce)
        #expect((group.counts.admitted, group.counts.blocked) == (616, 0))
        #expect(codes(summary, "quiet3") == ["too-few-requests", "safe-together"])
        #expect(!codes(summary, "busy").contains("safe-together"))
        #expect(summary.functions.first { $0.name == "quiet3" }?.assessment.verdict == .insufficient)
    }

    @Test func onlyAGateThatIsToldAcceptsThem() {
        let summary = summary(log())
        #expect(Gate(failOn: .unsure).answer(to: summary) == .unsure)
        #expect(Gate(failOn: .unsure, acceptsTogether: true).answer(to: summary) == .passed)
    }

    /// Where callers must be known, the others do not stand in for a member whose refused one nobody knows.
    @Test func unknownCallersAreNotAccepted() {
        var log = log(count: 30)
        log.add("one", days: -27...0, .valid(2))
        log.add("one", days: [-9], .missing(1))
        let gate = Gate(failOn: .unsure, acceptsTogether: true)
        #expect(gate.answer(to: summary(log)) == .passed)
        log.rules.numbers.requiresCallers = true
        #expect(gate.answer(to: summary(log)) == .unsure)
    }

    /// Volume alone makes a member: one that is against stays one, and is not told that it is safe.
    @Test func whatWasBlockedChoosesNobody() throws {
        var log = log(count: 30)
        log.add("bad", days: -27...0, .missing(1))
        let refused = summary(log)
        #expect(refused.groups.first?.members.count == 31)
        #expect(refused.groups.first?.verdict == .wait)
        #expect(codes(refused, "quiet3") == ["too-few-requests"])
        log.add("quiet0", days: -27...0, .valid(48))
        log.rules.numbers.maxBlocked = 0.02
        let accepted = summary(log)
        #expect(accepted.functions.first { $0.name == "bad" }?.assessment.verdict == .wait)
        #expect(!codes(accepted, "bad").contains("safe-together"))
    }

    /// All of its requests of today were refused; as they may come from one client, that alone is not against it.
    @Test func aMemberThatIsRefusedIsNotSafeWithTheOthers() {
        var log = log(perDay: 6, count: 30)
        log.add("refused", days: -27 ... -1, .valid(4))
        log.add("refused", days: [0], .missing(4))
        let summary = summary(log)
        #expect(summary.groups.first?.verdict == .enforce)
        #expect(codes(summary, "quiet3").contains("safe-together"))
        #expect(codes(summary, "refused").first == "too-few-requests")
        #expect(!codes(summary, "refused").contains("safe-together"))
        #expect(Gate(failOn: .unsure, acceptsTogether: true).answer(to: summary) != .passed)
    }

    @Test func whoIsLeftOut() {
        var log = log(count: 2)
        log.add("silent", days: -27 ... -9, .valid(1))
        log.add("gone", days: [-40], .valid(1))
        log.add("blind", generation: .second, days: -27...0, .invalid(1))
        log.add("exempt", days: -27...0, .valid(1))
        log.add("unknown", project: "-", days: -27...0, .valid(1))
        var entry = PolicyEntry(match: Glob("exempt"), line: 1)
        entry.exempt = "must work"
        log.rules.entries = [entry]
        #expect(summary(log).groups.map { $0.members.map(\.name) } == [["quiet0", "quiet1"]])
    }

    @Test func oneIsNoGroup() {
        #expect(summary(log(count: 1)).groups.isEmpty)
    }

    /// Selecting functions changes no group; selecting projects leaves out those of others.
    @Test func selectionChangesNoGroup() {
        let one = summary(log(), Selection(functions: [Glob("quiet3")]))
        #expect(one.groups.first?.members.count == 11)
        #expect(codes(one, "quiet3").contains("safe-together"))
        #expect(summary(log(), Selection(projects: [Glob("other")])).groups.isEmpty)
    }

    /// Each by its own `requires-auth` and `since`, the smallest maximum for all.
    @Test func eachByItsOwnPolicy() throws {
        var log = log(count: 2)
        log.add("quiet0", days: -27...0, .missing(1, auth: .missing))
        var first = PolicyEntry(match: Glob("quiet0"), line: 1)
        first.settings[.requiresAuth] = .flag(true)
        first.settings[.maxRefused] = .number(0.005)
        var second = PolicyEntry(match: Glob("quiet1"), line: 2)
        second.since = log.day(-9)
        log.rules.entries = [first, second]
        let group = try #require(summary(log).groups.first)
        #expect((group.counts.admitted, group.counts.blocked) == (2 * 28 + 2 * 10, 0))
        #expect(group.maxBlocked == 0.005)
    }

    /// Any member whose failures are in doubt makes the sum doubtful; the sum is confirmed like any other.
    @Test func doubtsOfMembersAreDoubtsOfAll() {
        var log = log()
        log.add("second", generation: .second, days: -27...0, .valid(1))
        #expect(summary(log).groups.first?.verdict == .insufficient)
        log.seeErrorStream(day: -3)
        #expect(summary(log).groups.first?.verdict == .enforce)
        log.rules.numbers.confirm = 60
        #expect(summary(log).groups.first?.verdict == .insufficient)
    }
}
