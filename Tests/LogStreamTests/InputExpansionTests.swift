import Foundation
import Platform
import TestSupport
import Testing
import Verifications

@testable import LogStream

/// The sources that the arguments of a run name.
@Suite struct InputExpansionTests {
    private let directory: TemporaryDirectory
    private static let log = Array((EntryText.first().text + "\n").utf8)

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// Paths below the directory.
    private func expanded(_ arguments: [String]) -> [String] {
        LogInput.expand(arguments).map { $0.name.replacing(directory.url.path + "/", with: "") }
    }

    @Test func directoriesAreWalkedToTheirLastFile() throws {
        for name in [
            "b.json", "a/deep/er/c.json", "a/d.json.gz", "z/e", "a/08:00:00_08:59:59_A0:1616681700.json", "a b/ü.json",
        ] {
            try directory.write(InputExpansionTests.log, to: name)
        }
        try FileManager.default.createDirectory(
            at: directory.url.appending(path: "empty"), withIntermediateDirectories: false)
        let expected = [
            "a b/ü.json", "a/08:00:00_08:59:59_A0:1616681700.json", "a/d.json.gz", "a/deep/er/c.json", "b.json", "z/e",
        ]
        #expect(expanded([directory.url.path]) == expected)
        #expect(expanded([directory.url.path + "/"]) == expected)
        #expect(expanded([directory.path("z"), directory.path("a")]) == ["z/e"] + expected[1...3])
        let inputs = LogInput.expand([directory.url.path])
        #expect(inputs.allSatisfy { !$0.isNamed && $0.size == InputExpansionTests.log.count })
        for input in inputs { #expect(Scan.file(input).found.count == 1, "\(input.name)") }
        #expect(expanded([directory.path("empty")]) == [])
    }

    @Test func argumentsStayInTheirOrder() throws {
        try directory.write(InputExpansionTests.log, to: "b")
        try directory.write(InputExpansionTests.log, to: "a")
        #expect(
            expanded([directory.path("b"), "-", directory.path("missing"), directory.path("a")]) == [
                "b", "-", "missing", "a",
            ])
        #expect(LogInput.expand([directory.path("a"), directory.path("missing")]).allSatisfy { $0.isNamed })
        #expect(expanded([]) == [])
    }

    @Test func hiddenFilesCountWhenTheyAreNamed() throws {
        for name in [".hidden", ".git/config", "a/.hidden.json", "a/.b/c.json", "a/seen"] {
            try directory.write(InputExpansionTests.log, to: name)
        }
        #expect(expanded([directory.url.path]) == ["a/seen"])
        #expect(expanded([directory.path(".hidden"), directory.path(".git")]) == [".hidden", ".git/config"])
    }

    @Test func symbolicLinks() throws {
        try directory.write(InputExpansionTests.log, to: "real/log")
        for (link, target) in [
            ("real/loop", "."), ("real/up", ".."), ("real/self", "self"), ("real/dangling", "nowhere"),
            ("real/file", "log"),
            ("to-directory", "real"), ("to-file", "real/log"),
        ] { try FileManager.default.createSymbolicLink(atPath: directory.path(link), withDestinationPath: target) }
        // Links to files and to other directories are followed, but not in circles.
        let found = ["dangling", "file", "log", "self"]
        #expect(expanded([directory.path("real")]) == found.map { "real/" + $0 })
        #expect(expanded([directory.url.path]) == found.map { "real/" + $0 } + ["to-file"])
        // A link that is named is followed.
        #expect(expanded([directory.path("to-directory")]) == found.map { "to-directory/" + $0 })
        #expect(expanded([directory.path("to-file")]) == ["to-file"])
        // Found or named, one that leads nowhere is a problem.
        let scans = LogInput.expand([directory.path("real")]).map { Scan.file($0) }
        #expect(scans.map(\.summary.faults) == [.unopened, [], [], .unopened])
        #expect(scans.map(\.kinds) == [[.unreadable], [], [], [.unreadable]])
        for broken in ["real/self", "real/dangling"] {
            let inputs = LogInput.expand([directory.path(broken)])
            #expect(inputs.map { Scan.file($0).summary.faults } == [.unopened])
        }
    }

    /// What was found and has gone since then is not passed over either.
    @Test func filesThatVanish() throws {
        try directory.write(InputExpansionTests.log, to: "log")
        let inputs = LogInput.expand([directory.url.path])
        try FileManager.default.removeItem(atPath: directory.path("log"))
        #expect(inputs.map { Scan.file($0).summary.faults } == [.unopened])
    }

    /// Opening a FIFO waits for somebody to write: in a directory nobody asked for that.
    @Test func whatIsNoFileIsPassedOver() throws {
        try directory.write(InputExpansionTests.log, to: "log")
        #expect(unsafe mkfifo(directory.path("fifo"), 0o600) == 0)
        #expect(expanded([directory.url.path]) == ["log"])
        #expect(expanded([directory.path("fifo")]) == ["fifo"])
        #expect(Scan.file(.file("/dev/null")).summary.sources == 1)
    }

    @Test func aNamedFIFOIsRead() throws {
        let path = directory.path("fifo")
        #expect(unsafe mkfifo(path, 0o600) == 0)
        let writer = Thread {
            let descriptor = unsafe open(path, O_WRONLY)
            for byte in InputExpansionTests.log { _ = unsafe write(descriptor, [byte], 1) }
            close(descriptor)
        }
        writer.start()
        let scan = Scan.file(LogInput.expand([path])[0])
        #expect(scan.found.count == 1)
        #expect(scan.summary.bytesRead == InputExpansionTests.log.count)
    }

    @Test func missingFiles() {
        let scan = Scan.file(.file(directory.path("missing")))
        #expect(scan.summary.faults == .unopened)
        #expect(scan.summary.sources == 0)
        #expect(scan.kinds == [.unreadable])
        #expect(scan.summary.problems.entries.first?.byteOffset == nil)
        #expect(scan.summary.problems.entries.first?.detail.contains("No such file") == true)
    }

    @Test(.enabled(if: geteuid() != 0, "root may read everything"))
    func unreadableFilesAndDirectoriesAreReported() throws {
        try directory.write(InputExpansionTests.log, to: "closed/log")
        try directory.write(InputExpansionTests.log, to: "file")
        try directory.write(InputExpansionTests.log, to: "log")
        #expect(unsafe chmod(directory.path("closed"), 0) == 0 && chmod(directory.path("file"), 0) == 0)
        defer { _ = unsafe chmod(directory.path("closed"), 0o700) }
        #expect(expanded([directory.url.path]) == ["closed", "file", "log"])
        let faults = LogInput.expand([directory.url.path]).map { Scan.file($0).summary.faults }
        #expect(faults == [.unopened, .unopened, []])
    }

    /// Read all the same, found or named; shown with U+FFFD.
    @Test func namesThatAreNotUTF8() throws {
        let name = Array((directory.url.path + "/x").utf8) + [0xE9, 0x2E, 0xC3, 0xA9]
        let path = name.map { CChar(bitPattern: $0) } + [0]
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT, 0o600)
        try #require(descriptor >= 0)
        let log = InputExpansionTests.log
        #expect(unsafe write(descriptor, log, log.count) == log.count)
        close(descriptor)
        for argument in [directory.url.path, SystemPath.argument(name)] {
            let inputs = LogInput.expand([argument])
            #expect(inputs.map(\.name) == [directory.path("x\u{FFFD}.\u{E9}")])
            #expect(inputs.map(\.size) == [log.count])
            #expect(inputs.map { Scan.file($0).found.count } == [1])
            #expect(inputs.allSatisfy { $0.isReadable })
        }
        #expect(unsafe unlink(path) == 0)
    }

    @Test(arguments: ["a", "", "ü/日本", "\u{FFFD}", "\u{10FF7F}", "\u{1F600}"])
    func textsStayPaths(text: String) {
        #expect(SystemPath.argument(Array(text.utf8)) == text)
        #expect(SystemPath(text).text == text)
        #expect(SystemPath(text).characters == Array(text.utf8CString))
    }

    // MARK: Files that are not logs

    /// A file that was named is reported; one that was found in a directory is passed over in silence.
    @Test(
        arguments: [
            Array("<!DOCTYPE html>".utf8), Array("hello\nworld\n".utf8), [0, 1, 2, 3],
            Gzip.member(Array("\u{FEFF}\n <html>".utf8)), Array(repeating: 0x61, count: 100_000),
            Gzip.zlib(Array("text".utf8)),
        ] as [[UInt8]])
    func unsupported(bytes: [UInt8]) throws {
        let path = try directory.write(bytes, to: "thing")
        let named = Scan.file(LogInput.expand([path])[0])
        #expect(named.summary.faults.contains(.unsupported))
        let problem = named.summary.problems.entries.last
        #expect(problem?.kind == .unsupportedFormat)
        #expect(problem?.detail == ProblemWording.notRead)
        #expect(problem?.byteOffset == nil)
        #expect(named.summary.records == 0)
        let found = Scan.file(LogInput.expand([directory.url.path])[0])
        #expect(found == Scan(InputSummary(), sink: RecordingSink(), functions: [], projects: []))
    }

    @Test(arguments: [
        "\n\n", "{}", "text\n{\"insertId\":\"1\"}", "\u{FEFF}{}", "\n\n  {}", "# comment\n\t{\"insertId\":\"1\"}\n",
    ])
    func supported(text: String) throws {
        let scan = Scan.file(.file(try directory.write(Array(text.utf8), to: "log")))
        #expect(scan.summary.faults == [])
        #expect(scan.kinds == [])
        #expect(scan.summary.sources == 1)
    }

    /// The decision is made from the first 64 KiB, and what is longer than they are is still read whole.
    @Test func theFirstLogLineMustLieInTheSample() throws {
        let entry = EntryText.first().text
        for (length, isLog) in [(Container.sampleBytes - 400, true), (Container.sampleBytes + 1, false)] {
            let text = String(repeating: "x", count: length) + "\n" + entry
            let scan = Scan.file(.file(try directory.write(Array(text.utf8), to: "log")))
            #expect(scan.found.count == (isLog ? 1 : 0))
            #expect(scan.summary.faults == (isLog ? [] : .unsupported))
        }
        let long = EntryText.first().adding("pad", "\"\(String(repeating: "x", count: 3 * Container.sampleBytes))\"")
            .text
        #expect(Scan.file(.file(try directory.write(Array(long.utf8), to: "log"))).found.count == 1)
    }
}
