import Rollout
import Testing
import Verifications

/// How far to go, and which days are judged.
@Suite struct PolicyTests {
    @Test func windowLeavesOutLateDaysAndStartsAfterTheChange() throws {
        var policy = RolloutPolicy()
        let newest = try #require(Day(year: 2026, month: 10, day: 31))
        #expect(policy.window(endingBefore: newest)?.lowerBound.description == "2026-10-15")
        #expect(policy.window(endingBefore: newest)?.upperBound.description == "2026-10-28")
        policy.since = Day(year: 2026, month: 10, day: 20)
        #expect(policy.window(endingBefore: newest)?.lowerBound.description == "2026-10-21")
        policy.since = Day(year: 2026, month: 10, day: 28)
        #expect(policy.window(endingBefore: newest) == nil)
        #expect(policy.window(endingBefore: nil) == nil)
    }

    @Test func nextStep() {
        var policy = RolloutPolicy()
        #expect(policy.next(after: 0) == 1)
        #expect(policy.next(after: 10) == 25)
        #expect(policy.next(after: 12.5) == 25)
        #expect(policy.next(after: 100) == nil)
        // 40 users at 1% make 400 at 10%.
        #expect(policy.next(after: 1, users: 40) == 10)
        #expect(policy.next(after: 1, users: 2) == 100)
        policy.steps = [20, 40]
        #expect(policy.next(after: 20, users: 10) == 40)
        #expect(policy.next(after: 40) == nil)
    }

    /// 2.88 million new users a day at most.
    @Test func appleBoundsTheStep() {
        var policy = RolloutPolicy()
        policy.dailyUsers = 5_000_000
        #expect(policy.next(after: 25) == 50)
        #expect(policy.next(after: 40) == 50)
        #expect(policy.next(after: 0, users: 0) == 1)
        policy.steps = [100]
        #expect(policy.next(after: 10) == 67)
        policy.dailyUsers = 2_880_000
        #expect(policy.next(after: 0) == 100)
        policy.dailyUsers = 1_000_000_000
        #expect(policy.next(after: 10) == 10.28)
    }
}
