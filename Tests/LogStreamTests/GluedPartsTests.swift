import TestSupport
import Testing
import Verifications

@testable import LogStream

/// Parts of records in every order: records cut off, glued to others, nested in them, with loose brackets and words.
///
/// Single damaged bytes rarely lead to such a text; a log that was cut and appended to does.
@Suite struct GluedPartsTests {
    private static let record = EntryText.first().text

    /// What a text is put together from.
    private static let parts = [
        #"{"insertId":"1"}"#, #"{"insertId":"2","x":"cut"#, #"{"insertId":"3","x":["#, #"{"entries":["#, "[", "]", "}",
        ",", "\"", "7", ":", "\\", "\n", "tru", record,
    ]

    /// In any order nothing traps, and the way in which the bytes arrive changes nothing.
    @Test(arguments: Tier.some(of: parts.indices, every: 3))
    func everyOrder(first: Int) {
        for second in GluedPartsTests.parts.indices {
            for third in GluedPartsTests.parts.indices {
                expectOneReading(of: [first, second, third])
            }
        }
    }

    /// The same with longer texts, drawn at random.
    @Test(arguments: Tier.some(of: 0..<8 as Range<UInt64>, every: 8))
    func longTexts(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<800 {
            let count = Int.random(in: 4...12, using: &random)
            let parts = (0..<count).map { _ in Int.random(in: GluedPartsTests.parts.indices, using: &random) }
            var options = ScanOptions()
            if count % 2 == 0 { options.maxRecordBytes = Int.random(in: 1...600, using: &random) }
            expectOneReading(of: parts, options: options)
        }
    }

    /// A record behind one that was cut off is counted, and so is a word at the very end.
    @Test func wordBehindARecordBehindACutOne() {
        let text = #"[{"insertId":"1"},{"insertId":"2","x":"cut here["# + GluedPartsTests.record + ",7"
        for size in [1, 10, text.utf8.count] {
            let scan = Scan.recognised(Array(text.utf8), inPiecesOf: size)
            #expect(scan.found.count == 1)
            #expect(scan.summary.records == 4)
        }
    }

    private func expectOneReading(of parts: [Int], options: ScanOptions = ScanOptions()) {
        let text = Array(("[" + parts.map { GluedPartsTests.parts[$0] }.joined()).utf8)
        for container in [Container.values, .valuesAmongText] {
            let whole = Scan.pieces([text], container: container, options: options)
            for size in [1, 13, 200] {
                let pieces = stride(from: 0, to: text.count, by: size).map {
                    Array(text[$0..<min($0 + size, text.count)])
                }
                let cut = Scan.pieces(pieces, container: container, options: options)
                #expect(cut == whole, "\(parts) in pieces of \(size), limit \(options.maxRecordBytes)")
            }
        }
    }
}
