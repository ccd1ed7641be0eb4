import Readiness
import Testing
import Verifications

/// Whether enforcement is on, since when, and whom it refuses: one history that verdict, gate and reports read.
@Suite struct EnforcementTests {
    private static let identity = FunctionIdentity(project: "demo", region: "us", name: "f", generation: .second)

    /// Requests with their rows.
    private struct Log {
        var log = Scenario()
        var shownAs: String?
        private var callers = FunctionCallers()
        private var signs: [Int: [EnforcementSign]] = [:]

        /// Requests at the beginning of days, or later: an answer 401 is a refused sign, one below 400 a served one.
        mutating func add(
            _ days: some Sequence<Int>, _ app: TokenStatus, _ count: Int, _ status: Int?, auth: TokenStatus = .valid,
            at nanosecond: Int64 = 0
        ) {
            for offset in days {
                let requests = Requests(app: app, auth: auth, count: count, hours: 1)
                log.add(generation: .second, days: [offset], requests)
                guard let status else { continue }
                let answer = RequestRow.ResponseClass(status: status)
                let isRefused = answer == .unauthenticated
                callers.update(log.day(offset)) { day in
                    day.rows += count
                    day.withRow += count
                    if answer == .success { day.successes += count }
                    if isRefused, app != .valid, auth != .invalid { day.refusedByRow += count }
                    if (app, auth) == (.valid, .valid) {
                        if isRefused { day.verifiedRefused += count } else { day.verifiedServed += count }
                    }
                    day.update(auth: auth) {
                        $0.add(count, app: app, client: .init(kind: .web), answer: answer, address: 0, hour: 0)
                    }
                }
                if app != .valid, auth != .invalid, isRefused || answer.isServed {
                    add(isRefused ? .refused : .served, count, on: offset, at: nanosecond)
                }
            }
        }

        mutating func add(_ kind: EnforcementSign.Kind, _ count: Int, on offset: Int, at nanosecond: Int64) {
            signs[offset, default: []].append(
                EnforcementSign(kind, nanosecond: nanosecond, slot: 0, count: count))
        }

        var evaluator: Evaluator {
            var (evidence, callers) = (CallEvidence(), callers)
            for (offset, signs) in signs { callers.update(log.day(offset)) { $0.signs = DaySigns(signs) } }
            evidence.add(callers, for: EnforcementTests.identity)
            return Evaluator(
                tally: log.tally, rules: log.rules, asOf: log.asOf, clock: log.clock,
                names: shownAs.map { [EnforcementTests.identity: $0] } ?? [:], evidence: evidence)
        }

        var assessment: Assessment { evaluator.assess(EnforcementTests.identity) }

        var summary: Summary { Summary(evaluator: evaluator, input: InputSummary(), selection: Selection()) }
    }

    /// Two weeks without enforcement, then one with it, in which `refused` signed-in requests a day have no token.
    private func switchedOn(refused: Int = 2, rowsFrom: Int = -20) -> Log {
        var log = Log()
        for offset in -20...0 { log.add([offset], .valid, 298, offset < rowsFrom ? nil : 200) }
        for offset in -20 ... -7 { log.add([offset], .missing, 1, offset < rowsFrom ? nil : 200) }
        log.add(-6...0, .missing, refused, 401)
        return log
    }

    private func midnight(_ log: Log, _ offset: Int) -> Instant {
        Instant(day: log.log.day(offset), nanosecondOfDay: 0)
    }

    @Test func sinceTheFirstThatWasRefused() {
        let log = switchedOn()
        let found = log.assessment
        #expect(found.verdict == .enforced)
        #expect(found.codes.first == "enforced-by-log" && !found.isLockout)
        #expect(found.enforcement.state == .on && found.enforcement.source == .log)
        #expect(found.enforcement.since == midnight(log, -6))
        #expect(found.signedIn.verdict == .enforced)
        #expect(found.outlook == .notAsked)
    }

    /// Also where the rows begin when it was on already.
    @Test(arguments: [-20, -6]) func whoIsLockedOut(rowsFrom: Int) {
        let log = switchedOn(refused: 30, rowsFrom: rowsFrom)
        let found = log.assessment
        #expect(found.verdict == .enforced && found.isLockout)
        #expect(found.codes.prefix(2) == ["enforced-by-log", "lockout"])
        #expect(found.enforcement.start == midnight(log, -6))
        #expect(found.lockout.map { [$0.refused, $0.requests] } == [7 * 30, 7 * 328])
    }

    /// A handler that itself answers 401 to some requests makes runs by chance: if it refuses one in ten, three in a
    /// row are not rare enough; if it refuses one in fifty, they are.
    @Test(arguments: [(9, 3, false), (9, 4, true), (49, 2, false), (49, 3, true), (0, 9, false), (0, 10, true)])
    func aRunMustBeTooLongForChance(servedForEachRefused: Int, refused: Int, isKnown: Bool) {
        var log = Log()
        log.add(-20...0, .valid, 298, 200)
        if servedForEachRefused > 0 {
            for offset in -14 ... -1 {
                log.add([offset], .missing, servedForEachRefused * 10, 200, at: 2)
                log.add([offset], .missing, 10, 401, at: 1)
            }
        }
        log.add([0], .missing, refused, 401)
        #expect((log.assessment.enforcement.state == .on) == isKnown)
        #expect(log.assessment.enforcement.recent == nil || !isKnown)
    }

    /// A handler that answers 401 to everybody is not enforcement.
    @Test(arguments: [(149, true), (150, true), (151, false)])
    func mostWithBothTokensGetThrough(refused: Int, isKnown: Bool) {
        var log = Log()
        log.add(-20 ... -1, .valid, 298, 200)
        log.add(-20 ... -1, .missing, 5, 200)
        log.add([0], .valid, 300 - refused, 200)
        log.add([0], .valid, refused, 401)
        log.add([0], .missing, 5, 401)
        #expect((log.assessment.enforcement.state == .on) == isKnown)
    }

    /// Each condition from both sides: requests of the last days but one and of the last, next to others that pass.
    @Test(
        arguments: [
            // Five requests without a token, signed in or not.
            (true, [Answered(5)]), (false, [Answered(4)]), (true, [Answered(5, auth: .missing)]),
            // 95% are answered 401, and none 2xx or 3xx.
            (true, [Answered(95), Answered(5, .invalid, 499, auth: .missing)]),
            (false, [Answered(94), Answered(6, .invalid, 499, auth: .missing)]),
            (false, [Answered(95), Answered(1, .other, 200, auth: .missing)]),
            (false, [Answered(95), Answered(1, .invalid, 302)]),
            (true, [Answered(95), Answered(1, .invalid, 200, auth: .invalid)]),
            // All but one, or 95%, have a row.
            (true, [Answered(5), Answered(1, .missing, nil)]), (false, [Answered(5), Answered(2, .missing, nil)]),
            (true, [Answered(95), Answered(5, .missing, nil)]), (false, [Answered(95), Answered(6, .missing, nil)]),
        ])
    func everyConditionCounts(isOn: Bool, requests: [Answered]) {
        var log = Log()
        log.add(-20...0, .valid, 298, 200)
        log.add(-20 ... -2, .missing, 1, 200)
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

    /// A served request ends a spell, wherever it is.
    @Test(arguments: [(-2, true), (0, false)])
    func aLineThatSaysOff(offset: Int, isOn: Bool) {
        var log = Log()
        log.add(-20...0, .valid, 298, 200)
        log.add(-20 ... -3, .missing, 1, 200)
        log.add([-1], .missing, 5, 401)
        log.add(.allowed, 1, on: offset, at: 5)
        #expect((log.assessment.verdict == .enforced) == isOn)
    }

    /// A function that answers everybody 401 is broken, or requires its own sign-in.
    @Test func somebodyMustGetThrough() {
        for (status, isOn) in [(401, false), (200, true), (500, true)] {
            var log = Log()
            log.add(-20...0, .valid, 298, status)
            log.add(-20 ... -2, .missing, 1, 200)
            log.add([-1], .missing, 9, 401)
            #expect((log.assessment.verdict == .enforced) == isOn, "\(status)")
        }
    }

    /// What misses a condition changes no verdict, and a lock-out shows all the same.
    @Test func aKnownSpellIsLookedAt() {
        var log = Log()
        log.add(-20...0, .valid, 298, 200)
        log.add(-20 ... -1, .missing, 5, 200)
        log.add([0], .missing, 40, 401)
        log.add([0], .missing, 10, nil)
        #expect(log.assessment.verdict == .wait && log.assessment.enforcement.state == .on)
        #expect(log.assessment.lockout.map { [$0.refused, $0.requests] } == [50, 348])
        #expect(!log.assessment.codes.contains("lockout"))
        for failOn in Gate.FailOn.allCases { #expect(Gate(failOn: failOn).answer(to: log.summary) == .failed) }
        #expect(log.summary.functions.first?.missingEntry?.enforced == midnight(log, 0))
    }

    /// The policy's date: the spell that begins on it or later, else the end of that day.
    @Test(arguments: [(-6, -6), (-7, -6), (-3, -3), (-9, -6)])
    func whenADateBegins(date: Int, since: Int) {
        var log = switchedOn(refused: 30)
        var entry = PolicyEntry(match: Glob("f"), line: 1)
        entry.enforced = .date(log.log.day(date))
        log.log.rules.entries = [entry]
        let found = log.assessment
        #expect(found.enforcement.start == midnight(log, since) && found.enforcement.unclearDay == nil)
    }

    /// Requests that no sign places are of unknown fate.
    @Test(arguments: [(-1, true), (-7, false)]) func aDateThatNothingPlaces(date: Int, isUnclear: Bool) {
        var log = Log()
        log.add(-20...0, .valid, 298, nil)
        log.add(-20...0, .missing, 30, nil)
        var entry = PolicyEntry(match: Glob("f"), line: 1)
        entry.enforced = .date(log.log.day(date))
        log.log.rules.entries = [entry]
        #expect(log.assessment.codes.contains("switch-unclear") == isUnclear)
        #expect(log.assessment.enforcement.start == midnight(log, date + 1))
    }

    /// Only what proves something contradicts the policy.
    @Test(arguments: [false, true]) func thePolicyIsContradicted(byLine: Bool) {
        var log = Log()
        log.add(-20...0, .valid, 298, 200)
        log.add(-20...0, .missing, 5, 200)
        if byLine { log.add(.allowed, 1, on: 0, at: 7) }
        var entry = PolicyEntry(match: Glob("f"), line: 1)
        entry.enforced = .instant(midnight(log, -3))
        log.log.rules.entries = [entry]
        #expect((log.assessment.enforcement.doubt == .off) == byLine)
    }

    /// The log of a function that was refused, then served again, tells more than the policy.
    @Test func thePolicyOutlivesARollback() {
        var log = switchedOn(refused: 30)
        log.add([0], .missing, 4, 200, at: 5)
        log.log.rules.entries = [enforced(.instant(midnight(log, -6)))]
        let found = log.assessment
        #expect(found.enforcement.doubt == .served(4, since: Instant(day: log.log.day(0), nanosecondOfDay: 5)))
        #expect(found.enforcement.state == .off && found.isLockout)
    }

    /// A policy that names a later time would hide whom enforcement refused before.
    @Test(arguments: [(-6, false), (-3, true), (-9, true)]) func thePolicyNamesAnotherTime(offset: Int, isOther: Bool) {
        let log = { () -> Log in
            var log = switchedOn(refused: 30)
            log.log.rules.entries = [enforced(.instant(midnight(log, offset)))]
            return log
        }()
        #expect(log.assessment.enforcement.doubt == (isOther ? .switched(midnight(log, -6)) : nil))
    }

    /// On the evening of the switch, too few are refused to tell when it was: no gate passes that.
    @Test func aDateIsTooCoarseOnItsFirstEvening() {
        var log = Log()
        log.add(-20...0, .valid, 298, 200)
        log.add(-20...0, .missing, 5, 200)
        log.add([0], .missing, 2, 401, at: 9)
        log.log.rules.entries = [enforced(.date(log.log.day(0)))]
        #expect(log.assessment.enforcement.untimedDay == log.log.day(0))
        #expect(Gate(failOn: .lockout).answer(to: log.summary) == .unsure)
    }

    /// What a line shows counts only where the SDK writes such lines; else the answer does.
    @Test(arguments: [([PassSeverity.debug], 10, 0), ([.info], 0, 10), ([.debug, .info], 0, 10)])
    func aLineAgainstAnAnswer(severities: [PassSeverity], refused: Int, served: Int) {
        var log = Log()
        for severity in severities { log.log.add(generation: .second, severity: severity, days: -20...0, .valid(10)) }
        log.log.add(generation: .second, days: [0], Requests(app: .invalid, auth: .valid, count: 10, hours: 1))
        log.add(.refusedByLineOrServed, 10, on: 0, at: 5)
        let found = log.assessment.enforcement
        #expect((found.state, found.refused, found.served) == (refused > 0 ? .on : .off, refused, served))
    }

    private func enforced(_ time: EnforcementTime) -> PolicyEntry {
        var entry = PolicyEntry(match: Glob("f"), line: 1)
        entry.enforced = time
        return entry
    }

    @Test func whatThePolicySaysIsNotGuessed() {
        var log = switchedOn(refused: 30)
        var entry = PolicyEntry(match: Glob("f"), line: 1)
        entry.enforced = .date(log.log.day(-3))
        log.log.rules.entries = [entry]
        #expect(log.assessment.codes.prefix(2) == ["enforced", "lockout"])
        #expect(log.assessment.enforcement.source == .policy)
        #expect(log.assessment.enforcement.since == midnight(log, -3))
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
        #expect(log.assessment.enforcement.start == nil && log.assessment.enforcement.state == .off)
        #expect(log.assessment.safeNights == 1)
    }

    @Test func aGuessOpensNoGate() {
        for refused in [2, 30] {
            let log = switchedOn(refused: refused)
            for failOn in Gate.FailOn.allCases {
                let milder = failOn == .unsure ? Gate.Result.unsure : .passed
                #expect(Gate(failOn: failOn).answer(to: log.summary) == (refused == 30 ? .failed : milder))
            }
        }
    }

    /// The entry names the place only where the name is not enough.
    @Test func theEntryThatIsMissing() throws {
        var log = switchedOn()
        func entry() throws -> MissingEntry {
            try #require(log.summary.functions.first { $0.name == "f" }?.missingEntry)
        }
        #expect(try entry().match == "f" && entry().enforced == midnight(log, -6))
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
            #expect(function.name == name && function.assessment.enforcement.source == .log)
            #expect(function.missingEntry == nil)
        }
    }
}
