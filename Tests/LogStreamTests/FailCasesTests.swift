import Foundation
import TestSupport
import Testing
import Verifications

@testable import LogStream

/// Every input that ever broke a fuzzer's claim, held against that claim again.
@Suite struct FailCasesTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../Fuzzing/FailCases").standardizedFileURL

    private static func cases(_ target: String) -> [String] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder.appending(path: target).path)
        return (names ?? []).sorted()
    }

    private func bytes(_ target: String, _ name: String) throws -> [UInt8] {
        try Array(Data(contentsOf: FailCasesTests.folder.appending(path: "\(target)/\(name)")))
    }

    @Test(arguments: cases("FuzzLog"))
    func log(name: String) throws {
        try expectOneReading(of: bytes("FuzzLog", name))
    }

    /// Chunks, threads and strictness change nothing about what is found.
    private func expectOneReading(of bytes: [UInt8]) throws {
        var options = ScanOptions()
        options.chunkBytes = 4096
        options.maxRecordBytes = 64 << 10
        options.maxFunctions = 50
        let whole = try Scan.bytes(bytes, options: options)
        let summary = whole.summary
        #expect(whole.found.count + summary.ignored + summary.malformed + summary.oversized <= summary.records)
        #expect(try Scan.bytes(bytes, options: options, isPipelined: true) == whole)
        for chunkBytes in 1...62 {
            options.chunkBytes = chunkBytes
            let scan = try Scan.bytes(bytes, options: options)
            #expect(scan.found == whole.found, "chunks of \(chunkBytes)")
            #expect(scan.summary == whole.summary, "chunks of \(chunkBytes)")
        }
        options.isStrict = true
        #expect(try Scan.bytes(bytes, options: options).found == whole.found)
    }
}
