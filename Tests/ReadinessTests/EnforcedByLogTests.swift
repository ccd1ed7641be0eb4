import Readiness
import Testing
import Verifications

/// Enforcement that no policy names and that request rows prove: refused people show, and no gate takes it for safe.
@Suite struct EnforcedByLogTests {
    private static let identity = FunctionIdentity(project: "demo", region: "us", name: "f", generation: .second)

    /// Requests with their rows.
    private struct Log {
        var log = Scenario()
        var shownAs: String?
        private var callers = FunctionCallers()

        mutating func add(
            _ days: some Sequence<Int>, _ app: TokenStatus, _ count: Int, _ status: Int?, auth: TokenStatus = .valid
        ) {
            for offset in days {
                let requests = Requests(app: app, auth: auth, count: count, hours: 1)
                log.add(generation: .second, days: [offset], requests)
                guard let status else { continue }
                let answer = RequestRow.Answer(status: status)
                callers.update(log.day(offset)) { day in
                    day.rows += count
                    day.withRow += count
                    if answer == .success { day.successes += count }
                    day.enforcement.add(count, app: app, auth: auth, answer: answer, at: 5)
                    day.update(auth: auth) {
                        $0.add(count, app: app, client: .init(kind: .web), answer: answer, address: 0)
                    }
                }
            }
        }

        mutating func allow(_ offset: Int) {
            callers.update(log.day(offset)) { $0.enforcement.allowed.add(1, at: 5) }
        }

        var judge: Judge {
            var evidence = CallEvidence()
            evidence.add(callers, for: EnforcedByLogTests.identity)
            return Judge(
                tally: log.tally, rules: log.rules, asOf: log.asOf, clock: log.clock,
                names: shownAs.map { [EnforcedByLogTests.identity: $0] } ?? [:], evidence: evidence)
        }

        var assessment: Assessment { judge.assess(EnforcedByLogTests.identity) }

        var summary: Summary { Summary(judge: judge, input: InputSummary(), selection: Selection()) }
    }

    /// Two weeks without enforcement, then one with it: of 300 signed-in requests a day so many have no token.
    private func switchedOn(refused: Int = 2, rowsFrom: Int = -20) -> Log {
        var log = Log()
        for offset in -20...0 { log.add([offset], .valid, 298, offset < rowsFrom ? nil : 200) }
        for offset in -20 ... -7 { log.add([offset], .missing, 1, offset < rowsFrom ? nil : 200) }
        log.add(-6...0, .missing, refused, 401)
        return log
    }

    @Test func sinceTheDayThatShowsIt() {
        let log = switchedOn()
        let found = log.assessment
        #expect(found.verdict == .enforced)
        #expect(found.codes.first == "enforced-by-log" && !found.isLockout)
        #expect(found.enforced?.source == .log)
        #expect(found.enforced?.since == log.log.day(-6))
        #expect(found.signedIn.verdict == .enforced)
        #expect(found.outlook == .notAsked)
    }

    /// Who is locked out counts after that day.
    ///
    /// Where the rows begin when it was on already, nobody knows since when, and all of the last days count.
    @Test(arguments: [(rowsFrom: -20, since: -6, judged: 6), (rowsFrom: -6, since: nil, judged: 7)])
    func whoIsLockedOut(rowsFrom: Int, since: Int?, judged: Int) {
        let log = switchedOn(refused: 30, rowsFrom: rowsFrom)
        let found = log.assessment
        #expect(found.verdict == .enforced && found.isLockout)
        #expect(found.codes.prefix(2) == ["enforced-by-log", "lockout"])
        #expect(found.enforced?.since == since.map(log.log.day))
        #expect(found.enforced?.entryDay == log.log.day(since ?? -7))
        guard case .settled(.lockout(_, _, let blocked, let admitted)) = found.reasons[1] else {
            Issue.record("no lock-out")
            return
        }
        #expect((blocked, admitted) == (judged * 30, judged * 328))
    }

    /// Each condition from both sides: requests of the last days but one and of the last, next to others that pass.
    @Test(
        arguments: [
            // Five signed-in requests without a token.
            (true, [Answered(5)]), (false, [Answered(4)]), (false, [Answered(5, auth: .missing)]),
            // 95 % are answered 401, and none 2xx or 3xx.
            (true, [Answered(95), Answered(5, .invalid, 499, auth: .missing)]),
            (false, [Answered(94), Answered(6, .invalid, 499, auth: .missing)]),
            (false, [Answered(95), Answered(1, .other, 200, auth: .missing)]),
            (false, [Answered(95), Answered(1, .invalid, 302)]),
            (true, [Answered(95), Answered(1, .invalid, 200, auth: .invalid)]),
            // All but one, or 95 %, have a row.
            (true, [Answered(5), Answered(1, .missing, nil)]), (false, [Answered(5), Answered(2, .missing, nil)]),
            (true, [Answered(95), Answered(5, .missing, nil)]), (false, [Answered(95), Answered(6, .missing, nil)]),
        ])
    func everyConditionCounts(isOn: Bool, requests: [Answered]) {
        var log = Log()
        log.add(-20...0, .valid, 298, 200)
        for (index, some) in requests.enumerated() {
            log.add([index - 1], some.app, some.count, some.status, auth: some.auth)
        }
        #expect((log.assessment.verdict == .enforced) == isOn)
    }

    struct Answered {
        let (count, app, status, auth): (Int, TokenStatus, Int?, TokenStatus)

        init(_ count: Int, _ app: TokenStatus = .missing, _ status: Int? = 401, auth: TokenStatus = .valid) {
            (self.count, self.app, self.status, self.auth) = (count, app, status, auth)
        }
    }

    /// No line says otherwise, from the first of the days on.
    @Test(arguments: [(-2, true), (0, false)])
    func aLineThatSaysOff(offset: Int, isOn: Bool) {
        var log = Log()
        log.add(-20...0, .valid, 298, 200)
        log.add([-1], .missing, 5, 401)
        log.allow(offset)
        #expect((log.assessment.verdict == .enforced) == isOn)
    }

    /// A function that answers everybody 401 is broken, or asks for a sign-in of its own.
    @Test func somebodyMustGetThrough() {
        for (status, isOn) in [(401, false), (200, true), (500, true)] {
            var log = Log()
            log.add(-20...0, .valid, 298, status)
            log.add([-1], .missing, 9, 401)
            #expect((log.assessment.verdict == .enforced) == isOn, "\(status)")
        }
    }

    @Test func whatThePolicySaysIsNotGuessed() {
        var log = switchedOn(refused: 30)
        var entry = PolicyEntry(match: Glob("f"), line: 1)
        entry.enforced = log.log.day(-3)
        log.log.rules.entries = [entry]
        #expect(log.assessment.codes.prefix(2) == ["enforced", "lockout"])
        #expect(log.assessment.enforced?.source == .policy)
        #expect(log.assessment.enforced?.since == log.log.day(-3))
        #expect(log.summary.functions.first?.missingEntry == nil)
    }

    /// Nights on which it was on are none on which it could be enforced.
    @Test func eachNightLooksAtItsOwnDays() {
        var log = Log()
        log.add(-40 ... -1, .valid, 298, 200)
        log.add(-9 ... -2, .missing, 2, 401)
        log.add([0], .valid, 297, 200)
        log.add([0], .missing, 1, 200)
        #expect(log.assessment.verdict == .enforce)
        #expect(log.assessment.enforced == nil)
        #expect(log.assessment.safeNights == 1)
    }

    @Test func aGuessOpensNoGate() {
        for refused in [2, 30] {
            let log = switchedOn(refused: refused)
            #expect(Gate(failOn: .unsure).answer(to: log.summary) == .unsure)
            #expect(Gate(failOn: .unsure, acceptsTogether: true).answer(to: log.summary) == .unsure)
            #expect(Gate(failOn: .notSafe).answer(to: log.summary) == .passed)
            #expect(Gate(failOn: .lockout).answer(to: log.summary) == (refused == 30 ? .failed : .passed))
        }
    }

    /// The entry names the place only where the name is not enough.
    @Test func theEntryThatIsMissing() throws {
        var log = switchedOn()
        func entry() throws -> MissingEntry {
            try #require(log.summary.functions.first { $0.name == "f" }?.missingEntry)
        }
        #expect(try entry().match == "f" && entry().enforced == log.log.day(-6))
        #expect(try entry().region == nil && entry().project == nil)
        log.log.add("f", region: "eu", days: [0], .valid(1))
        let other = try #require(log.summary.functions.first { $0.missingEntry != nil }?.missingEntry)
        #expect(other.region == "us" && other.project == nil)
        log.log.add("F", project: "stage", region: "us", days: [0], .valid(1))
        let third = try #require(log.summary.functions.first { $0.missingEntry != nil }?.missingEntry)
        #expect(third.region == "us" && third.project == "demo")
    }

    /// A policy takes `*` and `?` for patterns: an entry for such a name would be one for other functions.
    @Test func noEntryForANameThatIsAPattern() throws {
        for name in ["*", "f?"] {
            var log = switchedOn()
            log.shownAs = name
            let function = try #require(log.summary.functions.first)
            #expect(function.name == name && function.assessment.enforced?.source == .log)
            #expect(function.missingEntry == nil)
        }
    }
}
