import TestSupport
import Testing
import Verifications

@testable import LogStream

/// Bytes nobody would write: nothing traps, every record has one class, and cuts change nothing.
@Suite struct HostileInputTests {
    @Test(arguments: 0..<8 as Range<UInt64>)
    func mutatedLogs(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<40 {
            var bytes = SampleLog.bytes
            for _ in 0..<Int.random(in: 1...12, using: &random) { bytes = JSONText.mutated(bytes, using: &random) }
            for _ in 0..<Int.random(in: 0...2, using: &random) {
                // Whole stretches move as well.
                let (start, end) = (place(in: bytes, using: &random), place(in: bytes, using: &random))
                bytes.insert(contentsOf: bytes[min(start, end)..<max(start, end)], at: place(in: bytes, using: &random))
            }
            var options = ScanOptions()
            options.maxRecordBytes = Int.random(in: 100...2000, using: &random)
            options.isStrict = Bool.random(using: &random)
            let isDamaged = Bool.random(using: &random)
            let whole = Scan.pieces([bytes], options: options, isDamaged: isDamaged)
            let size = Int.random(in: 1...700, using: &random)
            let cut = Scan.chunks(bytes, of: size, options: options, isDamaged: isDamaged)
            #expect(cut == whole, "pieces of \(size)")
            let classed = whole.found.count + whole.summary.malformed + whole.summary.oversized
            #expect(classed <= whole.summary.records)
            #expect(whole.summary.problems.entries.filter(\.kind.isRecord).count <= ProblemLog.recordLimit)
        }
    }

    @Test(arguments: 100..<108 as Range<UInt64>)
    func anyBytesInAnyWrapper(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<60 {
            let count = Int.random(in: 0...3000, using: &random)
            var bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
            switch Int.random(in: 0..<6, using: &random) {
            case 0: bytes = Array("{\n".utf8) + bytes
            case 1: bytes = Gzip.header(flags: UInt8.random(in: 0..<32, using: &random)) + bytes
            case 2: bytes = Gzip.member(bytes) + bytes
            case 3: bytes = [0x78, 0x9C] + bytes
            case 4: bytes = Gzip.member(Array("{}\n".utf8) + bytes, level: Int32.random(in: 0...9, using: &random))
            default: break
            }
            var options = ScanOptions()
            options.chunkBytes = Int.random(in: 1...4000, using: &random)
            let inline = try Scan.bytes(bytes, options: options)
            let pipelined = try Scan.bytes(bytes, options: options, isPipelined: true)
            #expect(inline == pipelined)
            #expect(inline.found.isEmpty)
            #expect(inline.summary.bytesRead <= bytes.count)
            options.chunkBytes = 1 << 18
            let whole = try Scan.bytes(bytes, options: options)
            #expect(whole.summary.records == inline.summary.records)
            #expect(whole.summary.problems == inline.summary.problems)
        }
    }

    @Test func theUsualKeyIsNotTheUnkeyedOne() {
        #expect(ScanOptions().fingerprintKey == ScanOptions().fingerprintKey)
        #expect(ScanOptions().fingerprintKey != .fixed)
    }

    private func place(in bytes: [UInt8], using random: inout SeededGenerator) -> Int {
        Int.random(in: 0...bytes.count, using: &random)
    }
}
