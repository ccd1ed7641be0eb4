import Foundation
import TestSupport
import Testing
import Verifications

@testable import LogStream

/// The cause of a malformed verification is reported in fixed words, and never in words of the record.
@Suite struct MalformationTests {
    /// A record with its cause; every text shows the canary word.
    struct Example: CustomTestStringConvertible {
        let name: String
        let record: String
        let cause: Malformation
        var testDescription: String { name }
    }

    private static let entry = EntryText.first().with("note", #""canary""#)

    private static let examples: [Example] = {
        let deep = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
        let gzip = Gzip.member(Array(entry.text.utf8))
        var generator = SeededGenerator(seed: 1)
        let random = (0..<2000).map { _ in "canary\(UInt64.random(in: 0 ... .max, using: &generator))" }.joined()
        return [
            Example(name: "cut", record: String(entry.text.dropLast()), cause: .notJSON),
            Example(name: "depth 513", record: entry.with("deep", deep).text, cause: .tooDeep),
            Example(
                name: "long name", record: EntryText.first(String(repeating: "canary", count: 43)).text,
                cause: .nameTooLong),
            Example(
                name: "base64", record: message("!!canary" + Data(entry.text.utf8).base64EncodedString()),
                cause: .dataNotBase64),
            Example(
                name: "gzip", record: message(Data(gzip.dropLast(12) + gzip.suffix(8)).base64EncodedString()),
                cause: .dataNotGzip),
            Example(
                name: "long data",
                record: message(
                    Data(Gzip.member(Array(entry.with("x", "\"\(random)\"").text.utf8))).base64EncodedString()),
                cause: .dataTooLong),
            Example(
                name: "text in data", record: message(Data("\(entry.text)x".utf8).base64EncodedString()),
                cause: .dataNotEntry),
        ]
    }()

    private static func message(_ data: String) -> String {
        #"{"message":{"data":"\#(data)","messageId":"115"},"subscription":"canary"}"#
    }

    @Test(arguments: examples)
    func causes(example: Example) throws {
        var options = ScanOptions()
        options.maxRecordBytes = 40_000
        let wording = ProblemWording.malformed(example.cause, limit: 40_000)
        let isMessage = example.record.contains("messageId")
        let empty = Data("{}".utf8).base64EncodedString()
        let first = isMessage ? MalformationTests.message(empty) : EntryText.first().text
        for text in ["\(first)\n\(example.record)\n\(first)\n", "[\n\(first),\n\(example.record),\n\(first)\n]\n"] {
            let scan = try Scan.text(text, options: options)
            #expect(scan.summary.malformed == 1)
            #expect(scan.summary.records == 3)
            #expect(scan.summary.problems.entries.map(\.detail) == [wording])
            for size in [1, 100, 4096] {
                let pieces = Scan.recognised(Array(text.utf8), inPiecesOf: size, options: options)
                #expect(pieces.summary.problems.entries.map(\.detail) == [wording])
            }
        }
        #expect(!wording.contains("canary"))
    }

    /// Arrays in arrays are wrappers; beyond the limit their contents are lost, and a problem says why.
    @Test func wrappersTooDeep() throws {
        let (open, close) = (String(repeating: "[", count: 600), String(repeating: "]", count: 600))
        let scan = try Scan.text(open + EntryText.first().text + close)
        #expect(scan.found.count + scan.summary.malformed == 1)
    }

    @Test func causesHaveWordsOfTheirOwn() {
        let causes: [Malformation] = [
            .notJSON, .tooDeep, .nameTooLong, .dataNotBase64, .dataNotGzip, .dataTooLong, .dataTooDense,
            .dataNotEntry,
        ]
        #expect(Set(causes.map { ProblemWording.malformed($0, limit: 9) }).count == causes.count)
    }
}
