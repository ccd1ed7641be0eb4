import Entries
import Readiness
import TestSupport
import Testing
import Verifications

/// The part of the input that counts, and the instant a run is judged as of.
@Suite struct RangeTests {
    private static let noon = Instant(seconds: 1_791_979_200)

    private func at(_ instant: Instant?, _ id: String) -> String {
        EntryText.first(id: id, time: instant?.description ?? "").text
    }

    private func run(_ instants: [Instant?], since: Instant? = nil, until: Instant? = nil) throws -> LogAnalysis.Result
    {
        let lines = instants.enumerated().map { at($0.element, "\($0.offset)") }
        return try Files([lines.joined(separator: "\n")]).run {
            $0.range.since = since
            $0.range.until = until
        }
    }

    private func around(_ instant: Instant) -> [Instant?] {
        [
            Instant(seconds: instant.seconds - 1, nanoseconds: 999_999_999), instant,
            Instant(seconds: instant.seconds, nanoseconds: 1), nil,
        ]
    }

    @Test func sinceIsInclusive() throws {
        let result = try run(around(RangeTests.noon), since: RangeTests.noon)
        #expect(result.input.verifications == 2)
        #expect(result.input.filtered == 2)
        #expect(result.input.undated == 0)
        #expect(result.tally.functions.values.first?.first == RangeTests.noon)
    }

    @Test func untilIsExclusive() throws {
        let result = try run(around(RangeTests.noon), until: RangeTests.noon)
        #expect(result.input.verifications == 1)
        #expect(result.input.filtered == 3)
        #expect(result.tally.functions.values.first?.last == Instant(timestamp: "2026-10-14T11:59:59.999999999Z"))
    }

    @Test func bothBounds() throws {
        let end = RangeTests.noon.adding(seconds: 10)
        let result = try run(around(RangeTests.noon) + around(end), since: RangeTests.noon, until: end)
        #expect(result.input.verifications == 3)
        #expect(result.input.filtered == 5)
        #expect(result.input.records == 8)
        #expect(try run(around(RangeTests.noon), since: end, until: RangeTests.noon).input.verifications == 0)
    }

    @Test func withoutBoundsTheUndatedCount() throws {
        let result = try run(around(RangeTests.noon))
        #expect(result.input.verifications == 4)
        #expect(result.input.undated == 1)
        let function = try #require(result.tally.functions.values.first)
        #expect(function.undated.total == 1)
        #expect(function.days().reduce(0) { $0 + $1.statuses.total } == 3)
    }

    /// What lies outside the range says nothing of its project either.
    @Test func projectsSeeTheRangeAlone() throws {
        let stderr = EntryText.application("x", time: "2026-10-13T12:00:00Z")
            .with("logName", #""projects/demo/logs/run.googleapis.com%2Fstderr""#)
        let text = [
            stderr.text, stderr.with("timestamp", nil).text, at(RangeTests.noon.adding(seconds: -86_400), "a"),
            at(RangeTests.noon, "b"),
        ].joined(separator: "\n")
        let whole = try Files([text]).run().tally.projects["demo"]
        #expect(whole?.errorStreamDays == [Day(number: RangeTests.noon.day.number - 1)])
        #expect(whole?.undatedErrorStream == true)
        let part = try Files([text]).run { $0.range.since = RangeTests.noon }.tally.projects["demo"]
        #expect(part == nil)
    }

    /// A record of the same day says as little where it is earlier than what counts, or later than what is seen.
    @Test(arguments: [("11:59:59", 12, 13, false), ("12:00:00", 12, 13, true), ("13:00:01", 12, 13, false)])
    func projectsSeePartOfADay(time: String, since: Int64, asOf: Int64, isSeen: Bool) throws {
        let stderr = EntryText.application("x", time: "2026-10-14T\(time)Z")
            .with("logName", #""projects/demo/logs/run.googleapis.com%2Fstderr""#)
        let files = try Files([stderr.text + "\n" + at(RangeTests.noon, "a")])
        func hour(_ hour: Int64) -> Instant {
            Instant(day: RangeTests.noon.day, nanosecondOfDay: hour * 3_600_000_000_000)
        }
        var analysis = LogAnalysis(inputs: files.inputs, horizon: laterThanAll)
        (analysis.range.since, analysis.asOf) = (hour(since), hour(asOf))
        #expect((analysis.run().tally.projects["demo"] != nil) == isSeen)
        analysis.inputs = []
        let stored = try analysis.run(with: [MadeStore(files.inputs).entries]) { _, _, _ in }
        #expect((stored.tally.projects["demo"] != nil) == isSeen)
    }

    /// The newest verification counts as the present, unless it lies beyond the horizon: a clock that runs wild.
    @Test func newestWithinTheHorizon() throws {
        let files = try Files([
            around(RangeTests.noon).enumerated().map { at($0.element, "\($0.offset)") }.joined(separator: "\n")
        ])
        func newest(_ horizon: Instant) -> Instant? {
            LogAnalysis(inputs: files.inputs, horizon: horizon).run().tally.newest
        }
        #expect(newest(laterThanAll) == Instant(seconds: RangeTests.noon.seconds, nanoseconds: 1))
        #expect(newest(RangeTests.noon) == RangeTests.noon)
        #expect(newest(Instant(seconds: 0)) == nil)
        let input = LogAnalysis(inputs: files.inputs, horizon: RangeTests.noon).run().input
        #expect(input.verifications == 3 && input.later == 1)
    }
}
