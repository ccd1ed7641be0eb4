import Readiness
import Testing
import Verifications

/// What request rows change of a verdict: complete ones show that nothing is missing, or that something is; partial
/// ones change nothing.
@Suite struct RequestProofTests {
    private static let identity = FunctionIdentity(project: "demo", region: "us", name: "f", generation: .second)

    /// Four weeks of 300 requests a day without a failure, which is too good to be believed.
    private func log(days: some Sequence<Int> = -27...0, blocked: Int = 0) -> Scenario {
        var log = Scenario()
        log.add(generation: .second, days: days, .valid(300 - blocked), .missing(blocked))
        return log
    }

    private func callers(_ log: Scenario, days: some Sequence<Int>, change: (inout CallerDay) -> Void)
        -> FunctionCallers
    {
        var callers = FunctionCallers()
        for day in days { callers.update(log.day(day), change) }
        return callers
    }

    private func judged(
        _ log: Scenario, _ callers: FunctionCallers, name: String = "f", givenUpThrough: Day? = nil
    ) -> Assessment {
        var evidence = CallEvidence()
        evidence.givenUpThrough = givenUpThrough
        evidence.add(
            callers, for: FunctionIdentity(project: "demo", region: "us", name: name, generation: .second))
        let evaluator = Evaluator(tally: log.tally, rules: log.rules, asOf: log.asOf, evidence: evidence)
        return evaluator.assess(RequestProofTests.identity)
    }

    private func rows(_ log: Scenario, withRow: Int = 300, unlogged: Int = 0, days: some Sequence<Int> = -27...0)
        -> FunctionCallers
    {
        callers(log, days: days) { day in
            day.rows = withRow + unlogged
            day.withRow = withRow
            day.unlogged = unlogged
            day.successes = unlogged + 1
        }
    }

    @Test func completeRowsLiftFailures() {
        let log = log()
        #expect(log.assess(generation: .second).codes.contains("failures-not-seen"))
        let assessment = judged(log, rows(log))
        #expect(assessment.verdict == .enforce)
        #expect(assessment.codes == ["safe"])
    }

    /// What was not logged before the stretch is of another log.
    @Test func rowsBeforeTheStretchAreNotLookedAt() {
        let log = log(days: -3...0)
        let found = judged(log, rows(log, unlogged: 3, days: [-6]))
        #expect(found.counts.uncounted == 0)
        #expect(judged(log, rows(log, unlogged: 3, days: -3...0)).counts.uncounted == 12)
    }

    /// An export without failures has a row for each of them, and nothing else.
    @Test func lostFailuresAreSeen() {
        for unlogged in [1, 2, 30] {
            let log = log()
            let assessment = judged(log, rows(log, unlogged: unlogged))
            #expect(assessment.verdict == .insufficient)
            #expect(assessment.codes.contains("failures-not-seen"))
            #expect(assessment.counts.uncounted == unlogged * 7)
            #expect(assessment.codes.contains("uncounted") == (unlogged > 1))
        }
    }

    /// Rows never make an unsafe log safe, regardless of how much was dropped from it.
    @Test(arguments: [0.0, 0.3, 0.9, 1.0])
    func droppedFailuresNeverGainAnEnforce(share: Double) {
        // 20 of 300 requests would be refused; a filter drops some of their verifications.
        let dropped = Int(share * 20)
        var log = Scenario()
        log.add(generation: .second, days: -27...0, .valid(280), .missing(20 - dropped))
        let assessment = judged(log, rows(log, withRow: 300 - dropped, unlogged: dropped))
        #expect(assessment.verdict != .enforce, "\(assessment.codes)")
        // Those that were answered with an error leave rows that are not 2xx: that is for the other clauses to see.
        let whole = judged(log, rows(log, withRow: 300 - dropped, unlogged: 0))
        #expect((whole.verdict == .enforce) == (dropped == 20), "\(whole.codes)")
    }

    /// A safe log stays what it is when part of the rows is there.
    @Test(arguments: [0, 1, 150, 284])
    func partialRowsChangeNothing(withRow: Int) {
        for blocked in [0, 1, 20] {
            for unlogged in [0, 50] {
                let log = log(blocked: blocked)
                let found = judged(log, rows(log, withRow: withRow, unlogged: unlogged))
                let without = log.assess(generation: .second)
                #expect(found.reasons == without.reasons && found.counts == without.counts)
                #expect(found.outlook == without.outlook && found.safeNights == without.safeNights)
            }
        }
    }

    @Test func borderOfCompleteness() {
        let log = log()
        #expect(judged(log, rows(log, withRow: 285)).verdict == .enforce)
        #expect(judged(log, rows(log, withRow: 284)).verdict == .insufficient)
        // Rows that were given up in the window make it partial.
        #expect(judged(log, rows(log), givenUpThrough: log.day(-6)).verdict == .insufficient)
        #expect(judged(log, rows(log), givenUpThrough: log.day(-7)).verdict == .enforce)
        // Those of another function prove nothing of this one.
        #expect(judged(log, rows(log), name: "g").verdict == .insufficient)
    }

    @Test func completeRowsShowThatNothingPassed() {
        var log = Scenario()
        log.add(generation: .second, days: -27...0, .invalid(300))
        #expect(log.assess(generation: .second).verdict == .blind)
        let assessment = judged(log, rows(log))
        #expect(assessment.verdict == .investigate)
        #expect(assessment.codes.contains("all-refused"))
        #expect(judged(log, rows(log, unlogged: 1)).verdict == .blind)
        // A filter that leaves failures alone leaves their rows alone, too.
        let failures = callers(log, days: -27...0) { day in
            day.rows = 300
            day.withRow = 300
        }
        #expect(judged(log, failures).verdict == .blind)
    }

    /// A row does not replace the verifications of a day; one that succeeded without a verification proves a gap.
    @Test func rowsCoverNoDay() {
        let days = (-27...0).filter { $0 != -3 }
        var log = Scenario()
        log.add(generation: .second, days: days, .valid(299), .invalid(1))
        for (unlogged, isComplete) in [(0, true), (200, true), (0, false), (200, false)] {
            var found = rows(log, withRow: isComplete ? 300 : 100, days: days)
            found.update(log.day(-3)) { day in
                day.rows = 4 + unlogged
                day.unlogged = unlogged
            }
            #expect(judged(log, found).codes.contains("coverage-gap") == (unlogged > 0), "\(unlogged), \(isComplete)")
        }
    }

    /// Nothing excuses a proven gap but `--set assume-complete=true`, whichever function of the project has the row.
    @Test(arguments: ["f", "g"])
    func provenGaps(name: String) {
        // Nobody works on Sundays.
        let sundays = [-3, -10, -17, -24]
        var log = Scenario()
        log.add(generation: .second, days: (-27...0).filter { !sundays.contains($0) }, .valid(299), .invalid(1))
        var quiet = log
        quiet.rules.numbers.quietDays = QuietDays(dates: Set(sundays.map(log.day)))
        for log in [log, quiet] {
            var found = name == "f" ? rows(log) : FunctionCallers()
            found.update(log.day(-3)) { $0.rows = 4 }
            #expect(judged(log, found, name: name).verdict == .enforce)
            found.update(log.day(-3)) { $0.unlogged = 1 }
            let assessment = judged(log, found, name: name)
            #expect(assessment.codes.contains("coverage-gap") && assessment.verdict == .insufficient)
            var assumed = log
            assumed.rules.numbers.assumeComplete = .everything
            #expect(judged(assumed, found, name: name).verdict == .enforce)
            // Those of another window prove nothing of this one.
            var older = name == "f" ? rows(log) : FunctionCallers()
            older.update(log.day(-10)) { $0.unlogged = 1 }
            #expect(judged(log, older, name: name).verdict == .enforce)
        }
    }

    /// What has a row and no verification counts in the nights in whose window it lies, and in no other.
    @Test(arguments: [(0, 0), (-6, 0), (-7, 1), (-9, 3), (-13, 7)])
    func unloggedRequestsHaveADay(day: Int, nights: Int) {
        var log = log(days: -40...0)
        log.rules.numbers.confirm = 7
        var rows = rows(log, days: -40...0)
        rows.update(log.day(day)) { $0.unlogged = 40 }
        let assessment = judged(log, rows)
        #expect(assessment.safeNights == nights)
        #expect((assessment.verdict == .enforce) == (nights >= 7))
        #expect(assessment.counts.uncounted == (day < -6 ? 0 : 40))
    }

    /// Every night is proved by its own window.
    @Test func confirmation() {
        var log = log()
        log.rules.numbers.confirm = 7
        #expect(judged(log, rows(log)).verdict == .enforce)
        let late = rows(log, days: -6...0)
        let assessment = judged(log, late)
        #expect(assessment.verdict == .insufficient)
        #expect(assessment.codes == ["not-confirmed"])
        #expect(assessment.safeNights == 1)
    }
}
