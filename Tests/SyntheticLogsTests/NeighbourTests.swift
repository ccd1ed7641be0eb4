import Foundation
import SyntheticLogs
import Testing
import Verifications

/// The records beside the verifications.
@Suite struct NeighbourTests {
    private static let log = Result { try Scenario.everyStatus(seed: 31).lines().lines }

    private func entries() throws -> [LoggedEntry] {
        try NeighbourTests.log.get().map { try LoggedEntry(line: $0) }
    }

    @Test func requestsShareTraceAndSpanWithTheirVerification() throws {
        let entries = try entries()
        var spans: [String: UInt64] = [:]
        for entry in entries {
            guard let request = entry.fields["httpRequest"] as? [String: Any],
                request["requestMethod"] as? String == "POST",
                let trace = entry.fields["trace"] as? String, let span = entry.fields["spanId"] as? String
            else { continue }
            spans[trace] = UInt64(span, radix: 16)
        }
        var joined = 0
        for entry in entries where entry.isVerification && entry.function.generation == .second {
            let trace = try #require(entry.fields["trace"] as? String)
            guard let span = spans[trace] else { continue }
            #expect((entry.fields["spanId"] as? String).flatMap { UInt64($0) } == span)
            joined += 1
        }
        #expect(joined == 160)
    }

    @Test func statusesOfRequestsFollowTheTokens() throws {
        let entries = try entries()
        var statuses: [String: Int] = [:]
        for entry in entries {
            guard let request = entry.fields["httpRequest"] as? [String: Any],
                request["requestMethod"] as? String == "POST",
                let trace = entry.fields["trace"] as? String
            else { continue }
            statuses[trace] = request["status"] as? Int
        }
        var refused = 0
        for entry in entries where entry.isVerification {
            guard let trace = entry.fields["trace"] as? String, let status = statuses[trace] else { continue }
            #expect((status == 401) == (entry.status("auth") == "INVALID"))
            refused += status == 401 ? 1 : 0
        }
        #expect(refused > 0)
    }

    @Test func enforcementAnswers401FromItsDayOn() throws {
        var scenario = Preset.fourWeeks.scenario(seed: 1)
        scenario.functions.removeAll { $0.name != "rateDriver" }
        scenario.recordsPerVerification = 3
        let entries = try scenario.lines().lines.map { try LoggedEntry(line: $0) }
        let dates = entries.filter { ($0.fields["httpRequest"] as? [String: Any])?["status"] as? Int == 401 }
            .compactMap(\.date)
        #expect(dates.min() == "2026-10-09")
        #expect(Set(dates).count == 6)
    }

    @Test func preflightsComeFromBrowsersAndLeaveNoVerification() throws {
        let entries = try entries()
        let verified = Set(entries.filter(\.isVerification).compactMap { $0.fields["trace"] as? String })
        let preflights = entries.filter {
            ($0.fields["httpRequest"] as? [String: Any])?["requestMethod"] as? String == "OPTIONS"
        }
        #expect(preflights.count > 10)
        for preflight in preflights {
            let request = try #require(preflight.fields["httpRequest"] as? [String: Any])
            #expect(request["status"] as? Int == 204)
            #expect((request["userAgent"] as? String)?.hasPrefix("Mozilla/5.0") == true)
            #expect(!verified.contains(try #require(preflight.fields["trace"] as? String)))
            #expect(preflight.labels["execution_id"] == nil)
        }
    }

    @Test func refusedTokensAreExplainedBySDKLines() throws {
        let texts = try entries().compactMap { $0.fields["textPayload"] as? String }
        for start in [
            "Failed to validate AppCheck token. FirebaseAppCheckError: Decoding App Check token failed.",
            "Failed to validate auth token.", "Allowing request with invalid AppCheck token",
            "Request has invalid method. GET", "Invalid request, unable to process.", "Function execution started",
        ] {
            #expect(texts.contains { $0.hasPrefix(start) }, "\(start)")
        }
        #expect(
            texts.contains {
                $0.wholeMatch(of: /Function execution took \d+ ms, finished with status code: 200/) != nil
            })
    }

    @Test func applicationLinesAreHardToRead() throws {
        let lines = try NeighbourTests.log.get()
        for piece in [
            "Empf\\u00e4nger", "Empfänger", "\\ud83c\\udf89", "🎉", #"\"hello\\\" and left"#,
            "[[1,2,[3,[4,[5]]]],[],{}]",
            #"}]\"{"#, #"C:\\invoices\\"#, "\\tlocale=fr-FR", "-1.5e-3",
        ] {
            #expect(lines.contains { $0.contains(piece) }, "\(piece)")
        }
    }

    /// The marker as text, or as a label of something else, makes no verification.
    @Test func someLinesOnlySpeakOfVerifications() throws {
        let marker = "callable-request-verification"
        let lines = try NeighbourTests.log.get().filter { $0.contains(marker) }
        let decoys = try lines.filter { try !LoggedEntry(line: $0).isVerification }
        #expect(decoys.contains { $0.contains(#"labels.\"firebase-log-type\"=\"callable-request-verification\""#) })
        #expect(
            decoys.contains { $0.contains(#""query":{"labels":{"firebase-log-type":"callable-request-verification"}"#) }
        )
    }

    @Test func filtersDropWhatTheySay() throws {
        let warnings = try Preset.warningsOnly.scenario(seed: 3).lines().lines.map { try LoggedEntry(line: $0) }
        #expect(!warnings.isEmpty)
        #expect(warnings.allSatisfy { ["WARNING", "ERROR"].contains($0.severity) })
        let output = try Preset.standardOutputOnly.scenario(seed: 3).lines().lines.map { try LoggedEntry(line: $0) }
        #expect(!output.isEmpty)
        #expect(output.allSatisfy { $0.logName.hasSuffix("stdout") })
        let stopped = try Preset.standardErrorStopped.scenario(seed: 3).lines().lines.map { try LoggedEntry(line: $0) }
        #expect(stopped.filter { $0.logName.hasSuffix("stderr") }.compactMap(\.date).max() == "2026-10-11")
    }
}
