import Foundation
import TestSupport
import Testing
import Verifications

@testable import LogStream

/// Files that people pass and that are not logs, or not readable ones: `Fixtures/unusable`, all of them real.
///
/// The packed ones hold `{"insertId":"1"}`, made with the tool that the advice names; the tables hold it as a column.
@Suite struct UnusableTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let file: String
        let format: UnusableFormat
        /// What the advice must hold, up to the command.
        let words: [String]

        init(_ file: String, _ format: UnusableFormat, _ words: String...) {
            self.file = file
            self.format = format
            self.words = words
        }

        var testDescription: String { file }
    }

    private static let folder = TransportFixture.folder.appending(path: "../unusable").standardizedFileURL
    private static let export = "callcheck export --project PROJECT"
    private static let all = [
        Case("twice.json.gz", .gzip, "gzip inside gzip", "gzip -dc FILE | callcheck"),
        Case("log.zip", .zip, "zip archive", "unzip -p FILE | callcheck"),
        Case("log.json.xz", .xz, "xz data", "xz -dc FILE | callcheck"),
        Case("log.json.zst", .zstd, "zstd", "zstd -dc FILE | callcheck"),
        Case("log.json.bz2", .bzip2, "bzip2", "bzip2 -dc FILE | callcheck"),
        Case("log.tar.gz", .tar, "tar archive", "tar -xOf FILE | callcheck"),
        Case("rows.parquet", .parquet, "Parquet", "COPY (FROM 'FILE') TO", "bq extract"),
        Case("rows.avro", .avro, "Avro", "bq extract --destination_format=NEWLINE_DELIMITED_JSON"),
        Case("powershell.json", .utf16, "UTF-16", "gzip -dcf FILE | iconv -f UTF-16 -t UTF-8 | callcheck"),
        Case("powershell-without-mark.json", .utf16, "UTF-16", "iconv"),
        Case("utf-32-with-mark.json", .utf32, "UTF-32", "gzip -dcf FILE | iconv -f UTF-32 -t UTF-8 | callcheck"),
        Case("utf-32be.json", .utf32, "UTF-32", "iconv"),
        Case("store.sqlite", .sqlite, "SQLite", "if it is a callcheck store, unpack it and name the file"),
        Case("permission-denied.json", .errorAnswer, "error response", "403", "roles/logging.viewer"),
        Case("permission-denied-stream.json", .errorAnswer, "error response"),
        Case("invalid-grant.json", .errorAnswer, "error response", "gcloud auth login"),
        Case("firebase-error.json", .errorAnswer, "error response"),
        Case("quoted.csv", .unknown, "does not read this format", export, "download as JSON"),
        Case("gcloud-error.txt", .errorAnswer, "error response", "gcloud auth login"),
        Case("log.json.gz.b64", .encoded, "decode or fetch it"), Case("log.json.asc", .encoded, "encrypted"),
        Case("pointer.json", .encoded, "Git LFS"), Case("gcloud.yaml", .unknown), Case("notes.txt", .unknown),
        Case("page.pdf", .unknown), Case("picture.png", .unknown), Case("sign-in.html", .unknown),
        Case("table.xlsx", .unknown),
    ]

    /// Which of those without a name of their own speak of requests.
    private static let logs = ["quoted.csv", "gcloud.yaml"]

    private func bytes(_ file: String) throws -> [UInt8] {
        try [UInt8](Data(contentsOf: UnusableTests.folder.appending(path: file)))
    }

    /// Named, it makes the run fail, and says what to do with this very file.
    @Test(arguments: all)
    func namedFilesGetAdvice(_ one: Case) throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write(bytes(one.file), to: "export")
        let scan = Scan.file(.file(path))
        #expect(scan.summary.faults == .unsupported)
        #expect(scan.kinds == [.unsupportedFormat])
        #expect(scan.summary.records == 0)
        let detail = scan.summary.problems.entries.first?.detail ?? ""
        #expect(detail == ProblemWording.unusable(one.format, name: path, isInGzip: false))
        for word in one.words { #expect(detail.contains(word.replacing("FILE", with: path)), "\(detail)") }
    }

    /// Found in a directory, it is reported when it may be a log, or when its name says that it is one.
    @Test(arguments: all)
    func foundFilesAreReportedWhenTheyMayBeLogs(_ one: Case) throws {
        let directory = try TemporaryDirectory()
        try directory.write(bytes(one.file), to: "thing")
        try directory.write(bytes(one.file), to: "thing.json")
        let scans = LogInput.expand([directory.url.path]).map { Scan.file($0) }
        let mayBeLog = one.format.mayBeLog || UnusableTests.logs.contains(one.file)
        #expect(scans.map(\.kinds) == [mayBeLog ? [.unsupportedFormat] : [], [.unsupportedFormat]])
        #expect(scans.map(\.summary.faults) == [[], []])
        #expect(scans.map(\.summary.records) == [0, 0])
    }

    @Test func nothingIsForgotten() throws {
        #expect(Set(UnusableTests.all.map(\.format)) == Set(UnusableFormat.allCases))
        let files = try FileManager.default.contentsOfDirectory(atPath: UnusableTests.folder.path)
        #expect(files.filter { !$0.hasPrefix(".") }.sorted() == UnusableTests.all.map(\.file).sorted())
    }

    /// A name that a shell would take apart, or that would reach a terminal as it is, is not put into a command.
    @Test(arguments: [
        ("a-b/00:00:00_00:59:59_S0.json.xz", true), ("-", false), ("-rf", false), ("a b.xz", false), ("$(x).xz", false),
        ("a'b.xz", false), ("a\nb.xz", false), ("ü.xz", false),
    ])
    func onlyPlainNamesAreTyped(name: String, isTyped: Bool) {
        let advice = ProblemWording.unusable(.xz, name: name, isInGzip: false)
        #expect(advice == "xz data: unpack it first (xz -dc \(isTyped ? name : "FILE") | callcheck)")
    }

    /// What looks like one of these at first sight, and is a log.
    @Test(arguments: [
        #"{"error":{"code":403},"insertId":"1"}"#, "{\"error\":\"a\"}\n{\"error\":\"b\"}",
        #"{"error":"a","message":"b"}"#, #"{"schema":"a","message":"callcheck."}"#,
        "ERROR: something\n{\"insertId\":\"1\"}", "timestamp,severity\n{\"insertId\":\"1\"}",
        "TIMESTAMP\n[{\"insertId\":\"1\"}]", "<html>\n{\"insertId\":\"1\"}",
        #"{"insertId":"\#(String(repeating: "m", count: 244))ustard"}"# + "\n" + String(repeating: " ", count: 300),
        "ORC {}\nINFO:root:Callable request verification passed: {'app': 'VALID', 'auth': 'VALID'}",
    ])
    func logsAreStillRead(text: String) throws {
        let scan = try Scan.text(text)
        #expect(scan.kinds == [])
        #expect(scan.summary.records > 0)
    }
}
