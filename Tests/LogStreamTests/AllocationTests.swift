import TestSupport
import Testing
import Verifications

@testable import LogStream

/// In the steady state nothing is allocated per record: five times the records cost no more allocations, except the few
/// that the library makes now and then.
@Suite struct AllocationTests {
    @Test func countsAreCounts() throws {
        guard let count = allocations({ consume([Int](repeating: 0, count: 1000)) }) else { return }
        #expect(count >= 1)
        #expect(allocations({}) == 0)
    }

    @Test(arguments: ["plain", "gzip"])
    func scanning(form: String) throws {
        func bytes(_ records: Int) -> [UInt8] {
            let lines = (0..<records).map { index in
                let time = "2026-10-\(10 + index % 15)T12:00:\(10 + index % 50).\(index)Z"
                return switch index % 8 {
                case 0: EntryText.application("said \\u00e9 and \\u0063", time: time).text
                case 1: EntryText.first("f\(index % 5)", app: "MISSING", id: "\(index)", time: time).text
                case 2: EntryText.second("s\(index % 3)", app: "INVALID", id: "\(index)", time: time).text
                // Escapes in wanted keys and values, text of many bytes to a character, values glued together.
                case 3 where isOptimised:
                    EntryText.second("s", id: "\(index)", time: time).text.replacing("VALID", with: #"V\u0041LID"#)
                        .replacing("insertId", with: #"\u0069nsertId"#)
                case 4: EntryText.first("日本", id: "\(index)", time: time).text + "{}"
                case 5: "{\"nothing\":\(index)}"
                case 6: "not JSON"
                default: ""
                }
            }
            let plain = Array(lines.joined(separator: "\n").utf8)
            return form == "plain" ? plain : Gzip.member(plain)
        }
        // Both are longer than the sample that the format is recognised from, and longer than a chunk.
        let counts = try [2000, 10_000].map { records -> Int? in
            let file = try MemoryFile(bytes(records))
            var options = ScanOptions()
            options.fingerprintKey = HashKey(low: 1, high: 2)
            var scanner = RecordReader(options: options, sink: CountingSink())
            let input = LogInput.file(file.path)
            // Names, labels and the scratch come with the first source.
            _ = scanner.scan(input, isPipelined: false, progress: ReadProgress())
            let before = scanner.sink.verifications
            // The fewest of three scans are nearest to the scan's own.
            let counts = (0..<3).compactMap { _ in
                allocations { _ = scanner.scan(input, isPipelined: false, progress: ReadProgress()) }
            }
            #expect(scanner.sink.verifications - before == 3 * records / 8 * (isOptimised ? 4 : 3))
            return withExtendedLifetime(file) { counts.min() }
        }
        guard let few = counts[0], let many = counts[1] else { return }
        // One for a thousand of the 8,000 records more.
        #expect(abs(many - few) <= 8)
    }

    @inline(never)
    private func consume(_ array: [Int]) {
        #expect(array.count == 1000)
    }
}

/// Counts, and keeps nothing.
private struct CountingSink: RecordSink {
    var verifications = 0

    mutating func endSource(_ hour: Instant?) -> Instant? { nil }
    mutating func register(_ function: FunctionIdentity, as index: Int32) {}
    mutating func discardForeign(_ provenance: Provenance, function: Int32, blocked: TokenStatus?) {}
    mutating func count(_ verification: Verification) { verifications += 1 }
    mutating func addErrorStream(project: Int32, at instant: Instant?) {}
}
