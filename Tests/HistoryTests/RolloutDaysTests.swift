import GRDB
import History
import Rollout
import Testing
import Verifications

/// What a store keeps of a rollout: sums of each day, and nothing else.
@Suite struct RolloutDaysTests {
    private static let first = Day(number: 20_700)

    private func history(_ days: [(users: Int, failedOnly: Int, percent: Double?)], from day: Day = first)
        -> RolloutHistory
    {
        let entries = days.enumerated().map { index, count in
            var rollout = RolloutDay(day: day.advanced(by: index))
            rollout.count = UserCount(users: count.users, failedOnly: count.failedOnly)
            rollout.succeeded = count.users - count.failedOnly
            rollout.failed = count.failedOnly
            return RolloutHistory.Entry(day: rollout, percent: count.percent)
        }
        return RolloutHistory(parameter: "AppAttest\0Enabled", entries: entries)
    }

    /// Nights overlap: late events fill a day up, and a part of an export takes nothing away.
    @Test func theFullerCountStays() throws {
        let nights = try Nights()
        let runs = [
            history([(10, 1, nil), (8, 0, 5)]), history([(12, 1, 10), (3, 0, 10), (7, 2, 10)]), history([(2, 2, 1)]),
        ]
        for order in [[0, 1, 2], [2, 1, 0], [0, 1, 2, 1, 0]] {
            let nights = order == [0, 1, 2] ? nights : try Nights()
            for run in order { try nights.store(.adding).add(runs[run]) }
            let kept = try nights.rollouts()
            #expect(kept.map(\.parameter) == ["AppAttest\0Enabled"])
            #expect(kept.first?.entries.map(\.day.count.users) == [12, 8, 7])
            #expect(kept.first?.entries.map(\.day.count.failedOnly) == [1, 0, 2])
        }
        // What was known of a day first is of the day; a later run knows the percentage of later days.
        #expect(try nights.rollouts().first?.entries.map(\.percent) == [10, 5, 10])
        #expect(try nights.rollouts().first?.percentage?.since == RolloutDaysTests.first.advanced(by: 2))
    }

    @Test func prunedDaysStayAway() throws {
        let nights = try Nights()
        let days = history(Array(repeating: (9, 0, 25), count: 5))
        try nights.store(.adding).add(days)
        let third = RolloutDaysTests.first.advanced(by: 2)
        _ = try nights.store(.upkeep).prune(before: third, isDryRun: false)
        try nights.store(.adding).add(days)
        #expect(try nights.rollouts().first?.entries.map(\.day.day).first == third)
        #expect(try nights.rollouts().first?.entries.count == 3)
    }
}
