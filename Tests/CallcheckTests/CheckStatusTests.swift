import Readiness
import Testing
import Verifications

@testable import callcheck

// Testing has an ExitStatus as well.
private typealias Status = callcheck.ExitStatus

/// The exit status of `check`: every verdict against every `--fail-on` and every fault of the input.
@Suite struct CheckStatusTests {
    /// By `--fail-on`: unsure, not-safe, lockout.
    private static let table: [(verdict: Verdict, isLockout: Bool, statuses: [Status])] = [
        (.enforce, false, [.success, .success, .success]),
        (.exempt, false, [.success, .success, .success]),
        (.superseded, false, [.success, .success, .success]),
        (.enforced, false, [.success, .success, .success]),
        (.enforced, true, [.notSafe, .notSafe, .notSafe]),
        (.insufficient, true, [.notSafe, .notSafe, .notSafe]),
        (.wait, false, [.notSafe, .notSafe, .success]),
        (.investigate, false, [.notSafe, .notSafe, .success]),
        (.insufficient, false, [.unsure, .success, .success]),
        (.blind, false, [.unsure, .success, .success]),
    ]

    /// Each fault with its status, the most serious first.
    private static let faults: [(fault: InputFaults, status: Status)] = [
        (.readError, .inputOutput), (.unopened, .noInput), (.damaged, .badData), (.unsupported, .badData),
    ]

    private func status(
        _ classes: [GateClass], _ failOn: Gate.FailOn, _ faults: InputFaults = [], malformed: Int = 0,
        unread: Int? = 0, isStrict: Bool = false, written: Status = .success
    ) -> Status {
        var input = InputSummary()
        input.faults = faults
        input.malformed = malformed
        input.unread.add(unread)
        let gate = Gate(failOn: failOn)
        let answer = Status(gate.answer(to: classes.map { gate.outcome(of: $0) }))
        return .of(input, isStrict: isStrict, answer: answer, written: written)
    }

    @Test(arguments: 0..<table.count)
    func everyVerdict(row: Int) {
        let (verdict, isLockout, expected) = CheckStatusTests.table[row]
        let gateClass = GateClass(of: verdict, isLockout: isLockout)
        for (failOn, status) in zip(Gate.FailOn.allCases, expected) {
            #expect(self.status([gateClass], failOn) == status, "\(verdict) \(failOn)")
            // A function that can be enforced beside it changes nothing.
            #expect(self.status([.clear, gateClass, .clear], failOn) == status, "\(verdict) \(failOn)")
            for (fault, graver) in CheckStatusTests.faults {
                #expect(self.status([gateClass], failOn, fault) == graver, "\(verdict) \(failOn) \(graver)")
            }
            #expect(self.status([gateClass], failOn, malformed: 1) == status)
            #expect(self.status([gateClass], failOn, malformed: 1, isStrict: true) == .badData)
            #expect(self.status([gateClass], failOn, unread: 1) == status)
            #expect(self.status([gateClass], failOn, unread: 1, isStrict: true) == .badData)
            #expect(self.status([gateClass], failOn, unread: nil, isStrict: true) == .badData)
            #expect(self.status([gateClass], failOn, written: .inputOutput) == .inputOutput)
        }
    }

    /// What is against weighs more than what cannot be told.
    @Test func severalVerdicts() {
        #expect(status([.unsure, .notSafe], .unsure) == .notSafe)
        #expect(status([.unsure, .notSafe], .notSafe) == .notSafe)
        #expect(status([.unsure, .notSafe, .lockedOut], .lockout) == .notSafe)
        for failOn in Gate.FailOn.allCases {
            #expect(status([.unsure, .lockedOut], failOn) == .notSafe)
            #expect(status([.clear, .switchUnclear], failOn) == .unsure)
        }
    }

    @Test(arguments: Gate.FailOn.allCases)
    func nothingSelected(failOn: Gate.FailOn) {
        #expect(status([], failOn) == .unsure)
        for (fault, status) in CheckStatusTests.faults { #expect(self.status([], failOn, fault) == status) }
    }

    /// 64 > 74 > 66 > 65 > 1 > 2 > 0 in any combination; a fault of the program takes precedence over all of them.
    @Test func precedence() {
        let order: [Status] = [
            .internalError, .usage, .inputOutput, .noInput, .badData, .notSafe, .unsure, .success,
        ]
        for (index, status) in order.enumerated() {
            for milder in order[index...] {
                #expect(Status.mostSerious([milder, status]) == status)
                #expect(Status.mostSerious([status, milder, .success]) == status)
            }
        }
        #expect(Status.mostSerious([]) == .success)
        #expect(order.map(\.rawValue) == [70, 64, 74, 66, 65, 1, 2, 0])
        #expect(status([.notSafe], .unsure, [.readError, .unopened, .damaged]) == .inputOutput)
        #expect(status([.notSafe], .unsure, [.unopened, .damaged]) == .noInput)
    }
}
