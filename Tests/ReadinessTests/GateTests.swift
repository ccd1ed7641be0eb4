import Testing
import Verifications

@testable import Readiness

/// What verdicts are to a gate, and what it answers.
@Suite struct GateTests {
    @Test(
        arguments: [
            (Verdict.enforce, GateClass.clear), (.wait, .notSafe), (.investigate, .notSafe), (.insufficient, .unsure),
            (.blind, .unsure), (.exempt, .clear), (.enforced, .clear), (.superseded, .clear),
        ])
    func everyVerdictHasItsClass(verdict: Verdict, gateClass: GateClass) {
        #expect(GateClass(of: verdict, isLockout: false) == gateClass)
    }

    @Test func aLockoutIsOneWhateverElseIsSaid() {
        for verdict in Verdict.allCases {
            #expect(GateClass(of: verdict, isLockout: true) == .lockedOut)
        }
    }

    /// Every non-empty set of standings, against each bar: what it is worth and what is milder.
    @Test(arguments: Gate.FailOn.allCases)
    func answers(failOn: Gate.FailOn) {
        let gate = Gate(failOn: failOn)
        for set in 1..<(1 << GateClass.allCases.count) {
            let standings = GateClass.allCases.enumerated().filter { set & (1 << $0.offset) != 0 }.map(\.element)
            let isOpen = [.enforcedByLog, .expired, .unconfirmed, .signedOutServed].contains { standings.contains($0) }
            let wanted: Gate.Result =
                switch failOn {
                case _ where standings.contains(.lockedOut), .unsure where standings.contains(.notSafe),
                    .notSafe where standings.contains(.notSafe):
                    .failed
                case .unsure where standings.contains(.unsure), _ where standings.contains(.switchUnclear),
                    _ where standings.contains(.contradicted):
                    .unsure
                case .unsure, .notSafe: isOpen ? .unsure : .passed
                case .lockout: .passed
                }
            let answer = gate.answer(to: standings.map { gate.outcome(of: $0) })
            if answer != wanted { Issue.record("\(standings): \(answer), not \(wanted)") }
        }
    }

    @Test(arguments: Gate.FailOn.allCases)
    func nothingSelectedIsNoPass(failOn: Gate.FailOn) {
        let gate = Gate(failOn: failOn)
        #expect(gate.answer(to: [] as [Gate.Outcome]) == .nothingSelected)
        #expect(gate.answer(to: summary(of: "nosuch")) == .nothingSelected)
    }

    /// A name that matches nothing is no pass beside one that is safe.
    @Test func aMistypedNameCannotBeTold() {
        let mixed = summary(of: "f", "nosuch")
        #expect(mixed.functions.map(\.isFunction) == [false, true])
        #expect(Gate(failOn: .unsure).answer(to: mixed) == .unsure)
        #expect(Gate(failOn: .notSafe).answer(to: mixed) == .passed)
        #expect(Gate(failOn: .unsure).answer(to: summary(of: "f")) == .passed)
    }

    /// `export-old` comes from the clock, which a judge of another day does not have.
    @Test func theClockSpeaksThroughTheJudge() {
        var log = log()
        log.clock = instant("2026-10-16T12:00:00Z")
        let summary = Summary(evaluator: log.evaluator, input: InputSummary(), selection: Selection())
        #expect(summary.functions.map { $0.assessment.reasons.first?.name } == ["export-old"])
        #expect(Gate(failOn: .unsure).answer(to: summary) == .unsure)
    }

    private func log() -> Scenario {
        var log = Scenario()
        log.add(days: -6...0, .valid(100))
        return log
    }

    private func summary(of functions: String...) -> Summary {
        Summary(
            evaluator: log().evaluator, input: InputSummary(),
            selection: Selection(functions: functions.map { Glob($0) }))
    }
}
