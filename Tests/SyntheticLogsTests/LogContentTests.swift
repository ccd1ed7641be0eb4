import Foundation
import SyntheticLogs
import Testing
import Verifications

/// The lines look like those of real exports: shapes, streams, severities, sizes, entropy.
@Suite struct LogContentTests {
    private static let mixed = Result { try Preset.mixed.scenario(seed: 21).scaled(toBytes: 2_000_000).lines() }
    private static let dense = Result { try Preset.dense.scenario(seed: 22).scaled(toBytes: 1_000_000).lines() }

    private func entries(_ corpus: Result<(lines: [String], truth: Truth), any Error>) throws -> [LoggedEntry] {
        try corpus.get().lines.map { try LoggedEntry(line: $0) }
    }

    @Test func verificationsTakeTheirUsualSize() throws {
        for corpus in [LogContentTests.mixed, LogContentTests.dense] {
            let sizes = try corpus.get().lines.filter { try LoggedEntry(line: $0).isVerification }.map(\.utf8.count)
            #expect((650...900).contains(sizes.reduce(0, +) / sizes.count))
            #expect(sizes.allSatisfy { (600...1250).contains($0) })
        }
    }

    @Test func shareOfVerificationsIsAsWanted() throws {
        let mixed = try LogContentTests.mixed.get().truth
        #expect(abs(Double(mixed.records) / Double(mixed.verifications) - 5) < 0.01)
        let dense = try LogContentTests.dense.get().truth
        #expect(dense.records == dense.verifications)
    }

    @Test func keysComeInManyOrders() throws {
        let lines = try LogContentTests.dense.get().lines
        let order = /"(insertId|jsonPayload|resource|timestamp|severity|labels|logName|trace|receiveTimestamp|spanId)":/
        let orders = Set(lines.map { line in line.matches(of: order).map { String($0.1) } })
        #expect(orders.count >= 8)
        let firstLabels = Set(lines.compactMap { $0.firstMatch(of: /"labels":{"(firebase|execution|instance)/)?.1 })
        #expect(firstLabels.count == 3)
        let payloads = Set(lines.compactMap { $0.firstMatch(of: /"jsonPayload":{"(message|verifications)"/)?.1 })
        #expect(payloads.count == 2)
    }

    @Test func generationsWriteToTheirStreams() throws {
        let log = try Scenario.everyStatus(seed: 4).lines().lines.map { try LoggedEntry(line: $0) }
        var kinds: Set<String> = []
        for entry in log where entry.isVerification {
            let failed = entry.status("app") == "INVALID" || entry.status("auth") == "INVALID"
            let passes = entry.function.name == "submitScore" ? "INFO" : "DEBUG"
            #expect(entry.severity == (failed ? "WARNING" : passes))
            let stream =
                entry.function.generation == .first
                ? "cloudfunctions.googleapis.com%2Fcloud-functions"
                : "run.googleapis.com%2F\(failed ? "stderr" : "stdout")"
            #expect(entry.logName == "projects/\(entry.function.project)/logs/\(stream)")
            kinds.insert("\(stream) \(entry.severity ?? "")")
        }
        #expect(kinds.count == 5)
    }

    @Test func serviceNamesLoseCaseAndUnderscores() throws {
        let functions = try entries(LogContentTests.mixed).filter { $0.function.generation == .second }
        #expect(functions.allSatisfy { $0.function.name == $0.function.name.lowercased() })
        #expect(functions.allSatisfy { !$0.function.name.contains("_") })
        let labels = functions.map { $0.labels["goog-drz-cloudfunctions-id"] }
        #expect(labels.contains("list_orders"))
        #expect(labels.contains(nil))
        #expect(functions.contains { $0.function.name == "list-orders" })
    }

    @Test func allSixteenCombinationsOccur() throws {
        let scenario = Preset.dense.scenario(seed: 1)
        var sink = NullSink()
        let truth = try Generator(scenario.scaled(by: 60_000 / Double(scenario.requestCount))).run(into: &sink)
        let totals = truth.functions.map(\.totals)
        for app in ["VALID", "INVALID", "MISSING", "OTHER"] {
            for auth in ["VALID", "INVALID", "MISSING", "OTHER"] {
                let count = totals.reduce(0) { $0 + $1.count(app: app, auth: auth) }
                #expect(count > 0, "\(app) \(auth)")
            }
        }
    }

    @Test func identifiersHaveTheEntropyOfRealOnes() throws {
        let entries = try entries(LogContentTests.mixed)
        #expect(Set(entries.map(\.insertID)).count == entries.count)
        #expect(entries.allSatisfy { $0.insertID.wholeMatch(of: /[0-9a-f]{24}/) != nil })
        #expect(
            entries.compactMap { $0.labels["execution_id"] }.allSatisfy { $0.wholeMatch(of: /[0-9a-z]{12}/) != nil })
        let traces = entries.compactMap { $0.fields["trace"] as? String }
        #expect(traces.allSatisfy { $0.wholeMatch(of: /projects\/[a-z-]+\/traces\/[0-9a-f]{32}/) != nil })
        let instances = Set(entries.compactMap { $0.labels["instanceId"] ?? $0.labels["instance_id"] })
        #expect((20...40).contains(instances.count))
        let digits = entries.compactMap { $0.timestamp?.split(separator: ".").last?.count }
        #expect(digits.filter { $0 == 10 }.count > entries.count / 2)
        #expect(digits.contains(7))
    }

    @Test func entriesAreReceivedAfterTheyHappened() throws {
        for entry in try entries(LogContentTests.mixed) {
            let received = try #require(entry.fields["receiveTimestamp"] as? String)
            let happened = try #require(entry.timestamp)
            // Nanoseconds may be written with fewer digits, so the texts are compared up to the last one both have.
            let digits = min(received.count, happened.count) - 1
            #expect(happened.prefix(digits) <= received.prefix(digits))
        }
    }
}

private struct NullSink: EntrySink {
    mutating func write(_ entry: LogEntry) {}
}

extension StatusCounts {
    fileprivate func count(app: String, auth: String) -> Int {
        guard let app = TokenStatus.allCases.first(where: { $0.name == app }),
            let auth = TokenStatus.allCases.first(where: { $0.name == auth })
        else { return 0 }
        return self[app, auth]
    }
}
