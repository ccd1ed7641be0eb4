import TestSupport
import Testing

@testable import LogStream

/// Text in which nothing can spell a marker is cut out and left alone: only records with a hint are parsed.
@Suite struct UnparsedTextTests {
    /// What an application writes in French, Japanese and emoji, its letters as escapes.
    private static let text = EntryText.application(
        #"\u00e9t\u00E9 \u6c34\u6e29\u8a08 \ud83d\ude00 na\u00efve \u2026\n\t\"v\u00e9rification\""#
    ).text
    /// Its marker has one letter as an escape.
    private static let spelled = EntryText.first()
        .with("jsonPayload", #"{"verifications":{"app":"VALID","auth":"VALID"}}"#)
        .with("labels", #"{"firebase-log-type":"\u0063allable-request-verification"}"#).text

    private static let records = Array(repeating: text, count: 400) + [spelled] + Array(repeating: text, count: 400)

    @Test(arguments: [64, 1000, 1 << 20])
    func lines(size: Int) {
        let bytes = Array((UnparsedTextTests.records.joined(separator: "\n") + "\n").utf8)
        var hints = HintCount()
        cut(bytes, by: size, LineFramer(limit: 1 << 20), &hints)
        #expect(hints.records == 801)
        #expect(hints.hinted == 1)
        #expect(Scan.chunks(bytes, of: size).found.count == 1)
    }

    @Test(arguments: [64, 1000, 1 << 20])
    func values(size: Int) {
        let bytes = Array(("[" + UnparsedTextTests.records.joined(separator: ",\n") + "]").utf8)
        var hints = HintCount()
        cut(bytes, by: size, ValueFramer(limit: 1 << 20), &hints)
        #expect(hints.records == 801)
        #expect(hints.hinted == 1)
        #expect(Scan.recognised(bytes, inPiecesOf: size).found.count == 1)
    }

    private func cut(
        _ bytes: [UInt8], by size: Int, _ framer: consuming some Framer & ~Copyable, _ hints: inout HintCount
    ) {
        for start in stride(from: 0, to: bytes.count, by: size) {
            let piece = Array(bytes[start..<min(start + size, bytes.count)])
            unsafe withSlack(piece) { unsafe framer.consume($0, &hints) }
        }
        framer.finish(isDamaged: false, &hints)
    }
}

/// Counts records, and those that show a hint.
private struct HintCount: RecordHandler {
    var records = 0
    var hinted = 0

    mutating func handleLine(_ line: UnsafeBufferPointer<UInt8>, hints: MarkerHints, offset: Int) { count(hints) }
    mutating func handleElement(_ element: UnsafeBufferPointer<UInt8>, hints: MarkerHints, offset: Int) { count(hints) }
    mutating func handleTail(_ line: UnsafeBufferPointer<UInt8>, offset: Int) {}
    mutating func handleDamaged(
        _ cause: Malformation, markers: MarkerCount, isObject: Bool, isCutOff: Bool, _ range: Range<Int>
    ) {}
    mutating func handleOversized(_ range: Range<Int>) {}
    mutating func handleText(markers: MarkerCount, _ range: Range<Int>) {}
    mutating func handleUnterminated(offset: Int) {}

    private mutating func count(_ hints: MarkerHints) {
        records += 1
        if !hints.isEmpty { hinted += 1 }
    }
}
