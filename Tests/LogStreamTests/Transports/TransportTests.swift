import Foundation
import TestSupport
import Testing
import Verifications

@testable import LogStream

/// What is read from each transport: `Fixtures/transports`.
@Suite struct TransportTests {
    private static let all = TransportFixture.all

    @Test(arguments: all)
    func everythingIsRead(_ fixture: TransportFixture) throws {
        let scan = try Scan.bytes(fixture.bytes)
        #expect(scan.found.map(TransportFixture.line) == fixture.verifications)
        #expect(scan.summary.records == fixture.records)
        #expect(scan.summary.ignored == fixture.ignored)
        #expect(scan.summary.malformed == 0)
        #expect(scan.found.count { $0.fingerprint == nil } == fixture.unidentified)
        #expect(scan.errorStreams.count == fixture.errorStreamEntries)
        #expect(scan.kinds == fixture.problems)
        #expect(scan.summary.faults == [])
        let labels = scan.labels.map { ($0.key.name, $0.value.text) }
        #expect(Dictionary(labels) { $1 } == fixture.labels)
    }

    /// Strictness parses every record, and finds nothing else.
    @Test(arguments: all)
    func strictnessChangesNothing(_ fixture: TransportFixture) throws {
        var options = ScanOptions()
        options.isStrict = true
        let (usual, strict) = try (Scan.bytes(fixture.bytes), Scan.bytes(fixture.bytes, options: options))
        #expect(strict.found == usual.found)
        #expect(strict.summary.records == usual.summary.records)
        #expect(strict.kinds == usual.kinds)
    }

    @Test(arguments: all)
    func compressionChangesNothing(_ fixture: TransportFixture) throws {
        let plain = try Scan.bytes(fixture.bytes)
        for isPipelined in [false, true] {
            let packed = try Scan.bytes(Gzip.member(fixture.bytes), isPipelined: isPipelined)
            #expect(packed.content == plain.content)
        }
    }

    /// Carriage returns, as Windows adds them, and a byte order mark in front.
    @Test(arguments: all)
    func lineEndingsChangeNothing(_ fixture: TransportFixture) throws {
        let text = String(decoding: try fixture.bytes, as: UTF8.self)
        let windows = try Scan.text("\u{FEFF}" + text.replacing("\n", with: "\r\n"))
        #expect(windows.found.map(TransportFixture.line) == fixture.verifications)
        #expect(windows.summary.records == fixture.records)
    }

    /// However an entry travelled, a second copy of it is a copy.
    @Test(arguments: [TransportFixture.passed, TransportFixture.failed, TransportFixture.older])
    func copiesAreToldAcrossTransports(line: String) throws {
        var fingerprints: [String: Set<UInt64>] = [:]
        for fixture in TransportTests.all where fixture.verifications.contains(line) {
            let scan = try Scan.bytes(fixture.bytes)
            let prints = scan.found.filter { TransportFixture.line($0) == line }.compactMap(\.fingerprint)
            fingerprints[fixture.file] = Set(prints)
        }
        let common = fingerprints.values.reduce(fingerprints.values.first ?? []) { $0.intersection($1) }
        #expect(fingerprints.count > 2)
        #expect(common.count == 1, "\(fingerprints.keys.sorted())")
    }

    /// The bytes are those of the folder, all of them.
    @Test func noFixtureIsForgotten() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: TransportFixture.folder.path)
        #expect(files.filter { !$0.hasPrefix(".") }.sorted() == TransportTests.all.map(\.file).sorted())
    }
}
