import Foundation
import TestSupport
import Testing
import Verifications

@testable import LogStream

/// Every input that ever broke a claim of a fuzzer that reads logs, held against that claim again.
@Suite struct FailCasesTests {
    private static let verification = EntryText.first(id: "a").text

    @Test(arguments: try FailCase.all(of: "FuzzLog", beside: Array("\(verification)\n".utf8)))
    func log(_ one: FailCase) throws {
        try expectOneReading(of: one.bytes)
    }

    /// The bytes after the header of a member, alone and after an intact member.
    @Test(arguments: try FailCase.all(of: "FuzzGzip", beside: Array(Gzip.member(Array("{}\n".utf8)).dropFirst(10))))
    func gzip(_ one: FailCase) throws {
        let member = Gzip.header() + one.bytes
        try expectOneReading(of: member)
        let intact = Gzip.member(Array("\(FailCasesTests.verification)\n".utf8))
        #expect(try Scan.bytes(intact + member).found.count >= 1)
    }

    /// One record, as a line and as an element of an array; what is no JSON need not be the same in both.
    @Test(arguments: try FailCase.all(of: "FuzzRecord", beside: Array(verification.utf8)))
    func record(_ one: FailCase) throws {
        let first = Array(#"{"insertId":"0","textPayload":"the first record tells the container"}"#.utf8)
        let line = first + [0x0A] + one.bytes + [0x0A]
        try expectOneReading(of: line)
        guard (try? JSONSerialization.jsonObject(with: Data(one.bytes))) != nil else { return }
        let array = Array("[".utf8) + first + Array(",\n".utf8) + one.bytes + Array("]".utf8)
        #expect(try Scan.bytes(array).found == Scan.bytes(line).found)
    }

    /// No folder is left out, here or in the tests of policy files and rows of stores.
    @Test func allTargetsAreReplayed() throws {
        let replayed: Set = ["FuzzLog", "FuzzGzip", "FuzzRecord", "FuzzPolicy", "FuzzRows"]
        let targets = try FailCase.targets()
        #expect(replayed.isSuperset(of: targets))
        #expect(targets.contains("FuzzLog"))
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
