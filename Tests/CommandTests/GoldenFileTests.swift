import Foundation
import TestSupport
import Testing

/// The rule that the expectations of every other test rest on.
@Suite struct GoldenFileTests {
    private let file = FileManager.default.temporaryDirectory.appending(path: "golden-\(UUID().uuidString)")

    @Test func equalBytesAreFine() throws {
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("a\n".utf8).write(to: file)
        #expect(GoldenFile(file, isRecording: false).complaint(about: Data("a\n".utf8)) == nil)
        #expect(GoldenFile(file, isRecording: true).complaint(about: Data("a\n".utf8)) == nil)
    }

    @Test func aMissingFileIsAComplaint() throws {
        let complaint = try #require(GoldenFile(file, isRecording: false).complaint(about: Data()))
        #expect(complaint.contains("is missing"))
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test func aDifferenceIsShownLineByLine() throws {
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("a\nb\nc\nd\ne\n".utf8).write(to: file)
        let complaint = try #require(
            GoldenFile(file, isRecording: false).complaint(about: Data("a\nb\nc\nd\n\u{1B}[1me\n".utf8)))
        #expect(complaint.hasSuffix("@@ line 3 @@\n c\n d\n-e\n+\\u{1B}[1me\n "))
        #expect(try Data(contentsOf: file) == Data("a\nb\nc\nd\ne\n".utf8))
    }

    /// An accent composed another way is another text.
    @Test func bytesAreCompared() throws {
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("\u{E9}\n".utf8).write(to: file)
        let complaint = try #require(
            GoldenFile(file, isRecording: false).complaint(about: Data("e\u{301}\n".utf8)))
        #expect(complaint.contains("-\u{E9}\n+e\u{301}\n"))
    }

    @Test func recordingFailsOnceAndHoldsThen() throws {
        defer { try? FileManager.default.removeItem(at: file) }
        let recorder = GoldenFile(file, isRecording: true)
        let complaint = try #require(recorder.complaint(about: Data("new\n".utf8)))
        #expect(complaint.contains("recorded new baseline") && complaint.contains("+new"))
        #expect(recorder.complaint(about: Data("new\n".utf8)) == nil)
        #expect(try Data(contentsOf: file) == Data("new\n".utf8))
    }
}
