import Foundation
import Testing

/// Files that hold what a report is expected to write, beside the tests.
///
/// A missing or differing file fails the test and shows what differs. With `RECORD_GOLDEN=1` in the environment the
/// file is written instead, and the test fails once, so that a new baseline is never taken unseen.
struct GoldenFiles {
    var directory = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden")
    var isRecording = ProcessInfo.processInfo.environment["RECORD_GOLDEN"] == "1"

    func expect(_ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation) {
        let file = directory.appending(path: name)
        let recorded = (try? Data(contentsOf: file)).map { String(decoding: $0, as: UTF8.self) }
        // Compared by bytes: to String, texts that differ only in how an accent is composed are the same.
        if let recorded, recorded.utf8.elementsEqual(text.utf8) { return }

        let difference = differences(from: recorded ?? "", to: text)
        guard isRecording else {
            let reason = recorded == nil ? "is missing" : "differs"
            Issue.record(
                "\(name) \(reason); RECORD_GOLDEN=1 records what was written now\n\(difference)",
                sourceLocation: sourceLocation)
            return
        }
        do {
            try Data(text.utf8).write(to: file)
            Issue.record("recorded new baseline \(name)\n\(difference)", sourceLocation: sourceLocation)
        } catch {
            Issue.record("cannot record \(name): \(error)", sourceLocation: sourceLocation)
        }
    }
}

/// The text with every long fraction cut to six digits: the last bits of a bound differ from one C library to another.
func withShortFractions(_ text: String) throws -> String {
    try text.replacing(Regex(#"(\.[0-9]{6})[0-9]+"#, as: (Substring, Substring).self)) { $0.output.1 }
}

/// Lines that are only in one of two texts, with their numbers, as a diff shows them; control characters escaped.
func differences(from old: String, to new: String) -> String {
    // By scalars: to Character, CR and LF are one.
    func lines(_ text: String) -> [String] {
        text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
    }
    let changes = lines(new).difference(from: lines(old)) { $0.utf8.elementsEqual($1.utf8) }
    let shown = changes.map { change -> (offset: Int, mark: String, line: String) in
        switch change {
        case .insert(let offset, let line, _): (offset, "+", line)
        case .remove(let offset, let line, _): (offset, "-", line)
        }
    }
    let sorted = shown.sorted { ($0.offset, $1.mark) < ($1.offset, $0.mark) }
    let more = sorted.count > 40 ? ["(\(sorted.count - 40) more lines)"] : []
    let texts = sorted.prefix(40).map { offset, mark, line in
        "\(mark)\(offset + 1): \(line.debugDescription.dropFirst().dropLast())"
    }
    return (texts + more).joined(separator: "\n")
}

@Suite struct GoldenFilesTests {
    private static func directory() throws -> URL {
        let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        return directory
    }

    @Test func missingFilesFailAndRecordingFailsOnce() throws {
        let directory = try GoldenFilesTests.directory()
        defer { try? FileManager.default.removeItem(at: directory) }
        let checking = GoldenFiles(directory: directory, isRecording: false)
        withKnownIssue {
            checking.expect("a\n", "x.txt")
        } matching: {
            "\($0)".contains("x.txt is missing")
        }
        withKnownIssue {
            GoldenFiles(directory: directory, isRecording: true).expect("a\n", "x.txt")
        } matching: {
            "\($0)".contains("recorded new baseline x.txt")
        }
        GoldenFiles(directory: directory, isRecording: true).expect("a\n", "x.txt")
        checking.expect("a\n", "x.txt")
        withKnownIssue {
            checking.expect("b\n", "x.txt")
        } matching: {
            "\($0)".contains("-1: a\n+1: b")
        }
        #expect(try String(contentsOf: directory.appending(path: "x.txt"), encoding: .utf8) == "a\n")
    }

    @Test func textsThatLookTheSameDiffer() {
        #expect(differences(from: "\u{e9}", to: "e\u{301}") == "-1: \u{e9}\n+1: e\u{301}")
        #expect(differences(from: "a\r\nb", to: "a\nb") == "-1: a\\r\n+1: a")
        #expect(differences(from: "same\n", to: "same\n") == "")
    }
}
