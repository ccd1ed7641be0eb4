import Foundation
import TestSupport
import Testing
import Verifications

@testable import LogStream

/// A bucket as a Cloud Storage sink fills it, with what copying and people leave beside it.
@Suite struct SinkDirectoryTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// Scans everything below the directory.
    private func scans() -> [(name: String, scan: Scan)] {
        LogInput.expand([directory.url.path]).map {
            ($0.name.replacing(directory.url.path + "/", with: ""), Scan.file($0))
        }
    }

    private func fixture(_ name: String) throws -> [UInt8] {
        try [UInt8](Data(contentsOf: TransportFixture.folder.appending(path: name)))
    }

    /// Main shards and addenda of all four logs, with names as the bucket has them and as tools change them.
    @Test(arguments: [":", "_", "%3A", "-", "："])
    func everyShardIsRead(colon: String) throws {
        let time = ["00", "00", "00_00", "59", "59"].joined(separator: colon)
        let hour = "2025/08/25/\(time)"
        try directory.write(fixture("sink-stdout.json"), to: "run.googleapis.com/stdout/\(hour)_S0.json")
        try directory.write(fixture("gcloud-read.json"), to: "run.googleapis.com/stdout/\(hour)_S1.json")
        let addendum = "\(hour)_A0\(colon)1616681700.json"
        try directory.write(Gzip.member(fixture("sink-stderr.json")), to: "run.googleapis.com/stderr/\(addendum)")
        try directory.write(fixture("sink-requests.json"), to: "run.googleapis.com/requests/\(hour)_S0.json")
        try directory.write(
            fixture("sink-cloud-functions.json"), to: "cloudfunctions.googleapis.com/cloud-functions/\(hour)_S0.json.gz"
        )
        let scans = scans()
        #expect(scans.count == 5)
        #expect(scans.map(\.scan.found.count).reduce(0, +) == 7)
        #expect(scans.map(\.scan.summary.records).reduce(0, +) == 14)
        for (name, scan) in scans {
            #expect(scan.kinds == [], "\(name)")
            #expect(scan.summary.faults == [], "\(name)")
        }
    }

    /// A file that is not a log counts for nothing and is not mentioned.
    @Test func whatIsNoLogIsPassedOver() throws {
        let real = [
            "chart.png": "picture.png", "report.pdf": "page.pdf", "report.xlsx": "table.xlsx",
            "history.db": "store.sqlite", "index.html": "sign-in.html",
        ]
        for (name, fixture) in real {
            let file = TransportFixture.folder.appending(path: "../unusable/\(fixture)")
            try directory.write([UInt8](Data(contentsOf: file)), to: "bucket/\(name)")
        }
        let example = "Callable request verification passed: {'app': 'VALID', 'auth': 'VALID'}\n"
        let texts = [
            "stdout_$folder$": "", ".DS_Store": "\0\0\0\u{1}", "README": example, "README.txt": example,
            "notes.md": example, "S0.json.md5": "d41d8cd98f00b204e9800998ecf8427e  S0.json\n",
            "SHA256SUMS": "e3b0c44298fc1c149afbf4c8996fb924  S0.json.gz\n",
            "fetch.sh": "gcloud logging read 'callable-request-verification'\n",
        ]
        for (name, text) in texts { try directory.write(Array(text.utf8), to: "bucket/\(name)") }
        #expect(scans().count == real.count + texts.count - 4)
        for (name, scan) in scans() {
            #expect(scan.summary.records == 0, "\(name)")
            #expect(scan.kinds == [], "\(name)")
            #expect(scan.summary.faults == [], "\(name)")
        }
    }

    /// A name alone makes a file that cannot be read worth a word, and none makes the run fail: nobody named it.
    @Test(arguments: [
        ("a.json", true), ("a.ndjson", true), ("a.csv", true), ("a.jsonl", true), ("a.JSON", true), ("app.log", true),
        ("app.log.1", true), ("dump.gz", true), ("downloaded-logs-20250825-133500.txt", true), ("a.json.md5", false),
        ("a.json.crc32c", false), ("a.txt", false), ("json", false), ("a", false), ("log/a", false),
        ("a.log.sha256", false),
    ])
    func namesOfLogs(name: String, isReported: Bool) throws {
        try directory.write(Array("Tue: all quiet\n".utf8), to: name)
        let scan = try #require(scans().first?.scan)
        #expect(scan.kinds == (isReported ? [.unsupportedFormat] : []))
        #expect(scan.summary.faults == [])
    }
}
