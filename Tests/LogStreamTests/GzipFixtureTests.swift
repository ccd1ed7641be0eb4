import Foundation
import Testing
import Verifications

@testable import LogStream

/// Files that other tools made, with every way of wrapping the same log: `Fixtures/gzip`, made by `make.py` there.
@Suite struct GzipFixtureTests {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/gzip")

    private static var names: [String] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
        return (names ?? []).filter { $0.hasSuffix("z") && $0 != "entropy.json.gz" }.sorted()
    }

    @Test func noFixtureIsMissing() {
        #expect(GzipFixtureTests.names.count == 38)
        #expect(plain().found.count == 7)
        #expect(plain().kinds == [.noStatuses])
    }

    @Test(arguments: names)
    func readsAsThePlainLog(name: String) throws {
        let input = LogInput.file(GzipFixtureTests.folder.appending(path: name).path)
        for (chunkBytes, isPipelined) in [(256 << 10, false), (256 << 10, true), (64, false), (64, true), (1, false)] {
            var options = ScanOptions()
            options.chunkBytes = chunkBytes
            let scan = Scan.file(input, options: options, isPipelined: isPipelined)
            #expect(scan.content == plain().content)
            let size = try FileManager.default.attributesOfItem(atPath: input.name)[.size] as? Int
            #expect(scan.summary.bytesRead == size)
        }
    }

    private func plain() -> Scan {
        Scan.file(.file(GzipFixtureTests.folder.appending(path: "log.json").path))
    }
}
