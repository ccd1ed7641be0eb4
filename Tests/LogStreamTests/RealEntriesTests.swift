import Foundation
import Testing
import Verifications

@testable import LogStream

/// Entries as they were seen in the wild, anonymised and shortened at the ellipses: `Fixtures/entries/real.ndjson`.
@Suite struct RealEntriesTests {
    private static let lines: [String] = {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/entries/real.ndjson")
        let text = try? String(contentsOf: file, encoding: .utf8)
        return (text ?? "").split(separator: "\n").map(String.init)
    }()

    private static let passedByGeneration2 = Scan.Found(
        identity: identity("PROJ/us-central1/getcarouselads", .second), app: .missing, auth: .missing, severity: .debug,
        instant: Instant(timestamp: "2025-08-25T13:32:04.715384Z"))
    private static let passedByGeneration1 = Scan.Found(
        identity: identity("P/europe-west1/orch-test-1", .first), app: .missing, auth: .missing, severity: .info,
        instant: Instant(timestamp: "2023-03-01T10:00:00.384721526Z"))
    private static let writtenBySDK = Scan.Found(
        identity: identity("-/-/-", nil), app: .missing, auth: .missing, severity: .debug, instant: nil)
    private static let documented = Scan.Found(
        identity: identity("-/-/-", nil), app: .invalid, auth: .valid, severity: .info, instant: nil)

    private static let pythonText = Scan.Found(
        identity: identity("PROJ/us-central1/py", .second), app: .missing, auth: .valid, severity: .info,
        provenance: .unlabelled,
        instant: Instant(timestamp: "2025-08-25T13:32:04.715384Z"))

    /// What each line of the file is; the others are no verifications.
    private static let expected: [Int: Scan.Found] = [
        3: passedByGeneration2, 5: passedByGeneration1, 6: writtenBySDK, 7: documented, 9: pythonText,
    ]

    @Test(arguments: lines.indices)
    func entry(line: Int) {
        let extraction = Extraction(RealEntriesTests.lines[line])
        var found = extraction.found
        found?.fingerprint = nil
        #expect(found == RealEntriesTests.expected[line])
        #expect(extraction != .contradictory)
        #expect(extraction != .malformed)
        // Strictness and the order of keys change nothing.
        #expect(Extraction(RealEntriesTests.lines[line], isStrict: true) == extraction)
    }

    @Test func wholeFile() {
        let scan = Scan.pieces([Array(RealEntriesTests.lines.joined(separator: "\n").utf8)])
        #expect(scan.summary.records == 10)
        #expect(scan.found.count == 5)
        // One plain line of the standard-error log, the SDK's line on enforcement, and Python's text.
        #expect(scan.errorStreams.map(\.project) == ["PROJ", "PROJ", "PROJ"])
        #expect(scan.labels.isEmpty)
    }
}
