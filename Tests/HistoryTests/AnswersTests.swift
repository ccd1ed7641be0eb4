import History
import Readiness
import Testing
import Verifications

/// What a report said is kept for the next one to be compared with.
@Suite struct AnswersTests {
    private func answers(_ verdicts: [String: Verdict], day: Int = 0) -> Store.Answers {
        Dictionary(
            uniqueKeysWithValues: verdicts.map { name, verdict in
                (
                    FunctionIdentity(project: "p\0", region: "r", name: name, generation: nil),
                    PastAnswer(
                        asOf: Instant(day: now.day.advanced(by: day), nanosecondOfDay: 7), verdict: verdict,
                        ready: verdict == .enforce ? now.day : nil, isLockout: verdict == .enforced,
                        aftermath: verdict == .enforced ? .asPredicted : nil, requests: 100, blocked: 3)
                )
            })
    }

    @Test func theNextReportIsComparedWithTheLast() throws {
        let test = try TestStore()
        let (first, second) = (answers(["f": .wait, "é": .enforced]), answers(["f": .enforce], day: 1))
        #expect(try test.open().answers(before: first) == [:])
        try test.open().keep(first)
        #expect(try test.open(.reading).answers(before: second) == first)
        try test.open(.upkeep).keep(second)
        #expect(try test.open(.reading).answers(before: answers(["f": .wait], day: 2)) == second)
    }

    /// A night's report is printed as a page, as a message and as metrics: all of them say what changed since the day
    /// before.
    @Test func oneReportInSeveralFormats() throws {
        let test = try TestStore()
        defer { withExtendedLifetime(test) {} }
        let store = try test.open()
        let (first, second) = (answers(["f": .wait]), answers(["f": .enforce], day: 1))
        try store.keep(first)
        for _ in 0..<3 {
            #expect(try store.answers(before: second) == first)
            try store.keep(second)
        }
    }

    /// A repaired file gives another answer of the same day: whoever has read the first one hears of it.
    @Test func anotherAnswerOfOneDay() throws {
        let test = try TestStore()
        defer { withExtendedLifetime(test) {} }
        let store = try test.open()
        let (broken, repaired) = (answers(["f": .insufficient]), answers(["f": .enforce]))
        try store.keep(answers(["f": .enforce], day: -1))
        try store.keep(broken)
        #expect(try store.answers(before: repaired) == broken)
    }
}
