import TestSupport
import Testing
import Verifications

@testable import LogStream

/// How a source is read is decided from its first 64 KiB: what ends, starts or is damaged around there.
@Suite struct SampleBorderTests {
    private static let records = ["a", "b", "c"].map { EntryText.first($0, id: $0).text }
    private static let long = EntryText.application(String(repeating: "x", count: Container.sampleBytes)).text

    private func expectAll(_ text: String, records: Int? = 3, sourceLocation: SourceLocation = #_sourceLocation) throws
    {
        let scan = try Scan.text(text)
        #expect(scan.found.map(\.identity.name) == ["a", "b", "c"], sourceLocation: sourceLocation)
        #expect(scan.summary.malformed == 0, sourceLocation: sourceLocation)
        if let records { #expect(scan.summary.records == records, sourceLocation: sourceLocation) }
    }

    @Test(arguments: Layout.allCases)
    func firstValueIsLongerThanTheSample(layout: Layout) throws {
        let bytes = layout.log([SampleBorderTests.long] + SampleBorderTests.records).bytes
        try expectAll(String(decoding: bytes, as: UTF8.self), records: 4)
    }

    /// A first entry of many short lines.
    @Test func firstEntryOfManyLines() throws {
        let list = "[" + (0..<20_000).map(String.init).joined(separator: ",") + "]"
        let entry = EntryText.application("many").adding("list", list).text
        for layout in [Layout.prettyTwo, .gcloudArray, .prettyPages] {
            let bytes = layout.log([entry] + SampleBorderTests.records).bytes
            try expectAll(String(decoding: bytes, as: UTF8.self), records: 4)
        }
    }

    @Test(arguments: [Layout.lines, .prettyTwo, .gcloudArray, .array, .pages, .glued])
    func whiteSpaceFirst(layout: Layout) throws {
        let log = String(decoding: layout.log(SampleBorderTests.records).bytes, as: UTF8.self)
        for count in [Container.sampleBytes - 1, Container.sampleBytes, 200_000] {
            try expectAll(String(repeating: "\n", count: count) + log)
            try expectAll(String(repeating: " ", count: count) + log)
        }
    }

    /// Text that people have in front of the JSON in a file: it is not a verification, and hides none.
    @Test(
        arguments: [
            "WARNING: Python 3.5-3.7 will be deprecated on August 8th, 2023.",
            "$ gcloud logging read 'labels.firebase-log-type=x' --format=json",
            "Your active configuration is: [default]", "[1] 12345", "user@host:~/logs$ cat log.json", "Listed 3 items.",
            "Suppressed 4 entries due to Logging API backend rate limit.",
        ], [Layout.lines, .windowsLines, .prettyTwo, .gcloudArray, .arrayOfLines, .prettyPages])
    func foreignFirstLine(line: String, layout: Layout) throws {
        let log = String(decoding: layout.log(SampleBorderTests.records).bytes, as: UTF8.self)
        try expectAll("\(line)\n\(log)", records: nil)
        try expectAll("\n\(line)\n\(line)\n\n\(log)", records: nil)
    }

    /// The first line decides nothing when it is damaged, nor does a first entry without the marker.
    @Test func damagedFirstLine() throws {
        let lines = SampleBorderTests.records.joined(separator: "\n")
        let entry = EntryText.application("first").text
        for first in [entry, String(entry.dropLast()), String(entry.dropFirst()), entry + "x", entry + "}", "{", "{}"] {
            try expectAll("\(first)\n\(lines)\n", records: nil)
        }
        #expect(try Scan.text(entry.dropLast() + "\n" + lines).summary.records == 4)
    }
}
