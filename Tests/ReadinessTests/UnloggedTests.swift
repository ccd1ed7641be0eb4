import Readiness
import Testing
import Verifications

/// What rows without a verification show: that requests are missing, or fail before the SDK logs.
@Suite struct UnloggedTests {
    private func log(days: some Sequence<Int> = -27...0) -> Scenario {
        var log = Scenario()
        log.add(generation: .second, days: days, .valid(299), .invalid(1))
        return log
    }

    private func judged(
        _ log: Scenario, name: String = "f", days: some Sequence<Int>, unlogged: Int = 0, serverErrors: Int = 0
    ) -> Assessment {
        var log = log
        log.add(name, days: days, openRows: unlogged)
        log.add(name, days: days, openRows: serverErrors, answer: .serverError)
        return log.assess(generation: .second)
    }

    /// However few rows are there: each without a verification is a request that nobody counted.
    @Test(arguments: [false, true])
    func unloggedRequestsCount(haveRows: Bool) {
        var log = log()
        if haveRows {
            log = Scenario()
            let client = Client(kind: .web)
            log.add(generation: .second, days: -27...0, .valid(299).by(client), .invalid(1).by(client))
        }
        let assessment = judged(log, days: -27...0, unlogged: 30)
        #expect(assessment.verdict == .insufficient)
        #expect(assessment.uncounted == 30 * 7)
        #expect(assessment.codes.contains("uncounted"))
    }

    /// Rows that show the window whole show that no failure is missing; of each day as many as nearly all.
    @Test(arguments: [(0, false), (15, false), (16, true)])
    func rowsThatAreComplete(withoutRow: Int, isOpen: Bool) {
        var log = Scenario()
        log.add(
            generation: .second, days: -27...0, .valid(300 - withoutRow).by(Client(kind: .web)), .valid(withoutRow))
        #expect(log.assess(generation: .second).codes.contains("failures-not-seen") == isOpen)
        log.add(generation: .second, days: [-2], openRows: 1)
        #expect(log.assess(generation: .second).codes.contains("failures-not-seen"))
    }

    /// What was not logged before the stretch is of another log.
    @Test func rowsBeforeTheStretchAreNotLookedAt() {
        let log = log(days: -3...0)
        #expect(judged(log, days: [-6], unlogged: 3).uncounted == 0)
        #expect(judged(log, days: -3...0, unlogged: 3).uncounted == 12)
    }

    /// They count in the nights in whose window they lie, and in no other.
    @Test(arguments: [(0, 0), (-6, 0), (-7, 1), (-9, 3), (-13, 7)])
    func unloggedRequestsHaveADay(day: Int, nights: Int) {
        var log = log(days: -40...0)
        log.rules.numbers.confirm = 7
        let assessment = judged(log, days: [day], unlogged: 40)
        #expect(assessment.safeNights == nights)
        #expect((assessment.verdict == .enforce) == (nights >= 7))
        #expect(assessment.uncounted == (day < -6 ? 0 : 40))
    }

    /// Nothing excuses a proven gap but `--set assume-complete=true`, whichever function of the project has the row.
    @Test(arguments: ["f", "g"], [(1, 0), (0, 10), (0, 9)])
    func provenGaps(name: String, _ found: (unlogged: Int, serverErrors: Int)) {
        // Nobody works on Sundays.
        let sundays = [-3, -10, -17, -24]
        let log = log(days: (-27...0).filter { !sundays.contains($0) })
        let isProven = found.unlogged > 0 || found.serverErrors > 9
        func assess(_ log: Scenario, day: Int) -> Assessment {
            judged(log, name: name, days: [day], unlogged: found.0, serverErrors: found.1)
        }
        let assessment = assess(log, day: -3)
        #expect(assessment.codes.contains("coverage-gap") == isProven)
        #expect((assessment.verdict == .insufficient) == isProven)
        var assumed = log
        assumed.rules.numbers.assumeComplete = .everything
        #expect(assess(assumed, day: -3).verdict == .enforce)
        // Those of another window prove nothing of this one.
        #expect(assess(log, day: -10).verdict == .enforce)
    }

    /// Each call ends with 500 before the SDK logs.
    @Test(arguments: [(9, false), (10, true)])
    func failingBeforeLog(serverErrors: Int, isFailing: Bool) {
        var log = log(days: -27 ... -2)
        log.cover(-1...0)
        let assessment = judged(log, days: -1...0, serverErrors: serverErrors)
        #expect(assessment.codes.contains("failing-before-log") == isFailing)
        // The days with verifications are none.
        #expect(!judged(log, days: [-2], serverErrors: 50).codes.contains("failing-before-log"))
    }
}
