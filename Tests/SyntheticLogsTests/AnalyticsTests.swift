import Foundation
import SyntheticLogs
import Testing
import Verifications

/// Rows of Google Analytics say what their truth says.
@Suite struct AnalyticsTests {
    private let scenario = AnalyticsScenario.rollout(seed: 3)

    /// Users who have App Attest at 1% have it at 100%, and their share is about the percentage.
    @Test func thePercentageGrows() throws {
        let rows = scenario.rows()
        let steps = scenario.steps
        #expect(steps.map(\.percent) == [1, 10, 50, 100])
        #expect(scenario.percent(on: scenario.days.lowerBound) == 0)
        var known: Set<String> = []
        for (index, step) in steps.enumerated() {
            let next = index + 1 < steps.count ? steps[index + 1].from : scenario.days.upperBound.advanced(by: 1)
            let days = AnalyticsTruth(rows, window: step.from...next.advanced(by: -1)).days
            let phase = days.filter { step.from <= $0.key && $0.key < next }
            for users in phase.values {
                let expected = Double(scenario.activePerDay * step.percent) / 100 * (1 - scenario.silent)
                #expect((Double(users.all.count) - expected).magnitude < 4 * expected.squareRoot() + expected / 10)
            }
            let users = phase.values.reduce(into: Set<String>()) { $0.formUnion($1.all) }
            if index > 0 { #expect(users.intersection(known).count * 4 > known.count) }
            known.formUnion(users)
        }
        #expect(known.count <= scenario.pool)
    }

    /// Every way out of BigQuery carries the same.
    @Test func transportsAgree() throws {
        let rows = Array(scenario.rows().prefix(300))
        func read(_ transport: AnalyticsTransport) throws -> [[String: String?]] {
            let bytes = transport.bytes(rows)
            let text =
                transport == .query
                ? bytes : Array("[".utf8) + bytes.dropLast().map { $0 == 0x0A ? 0x2C : $0 } + Array("]".utf8)
            let objects = try #require(try JSONSerialization.jsonObject(with: Data(text)) as? [[String: Any]])
            return objects.map { row in
                let device = row["device"] as? [String: Any]
                let app = row["app_info"] as? [String: Any]
                return [
                    "name": row["event_name"] as? String, "date": row["event_date"] as? String,
                    "time": row["event_timestamp"] as? String, "user": row["user_pseudo_id"] as? String,
                    "platform": row["platform"] as? String, "version": app?["version"] as? String,
                    "system": device?["operating_system_version"] as? String,
                ]
            }
        }
        #expect(try read(.extract) == read(.query))
        #expect(try read(.extract).map { $0["user"] } == rows.map(\.user))
    }

    /// Days and percentages of the truth are those of the rows.
    @Test func truthIsJSON() throws {
        let truth = try #require(
            try JSONSerialization.jsonObject(with: Data(scenario.truth())) as? [String: [[String: Any]]])
        let days = try #require(truth["days"])
        #expect(days.count == scenario.days.count)
        #expect(Set(days.compactMap { $0["percent"] as? Int }) == [0, 1, 10, 50, 100])
        let known = AnalyticsTruth(scenario.rows(), window: scenario.days).days
        for day in days {
            let date = try #require((day["date"] as? String).flatMap(Day.init(iso8601:)))
            #expect(day["failedOnly"] as? Int == known[date]?.failedOnly.count ?? 0)
        }
    }
}
