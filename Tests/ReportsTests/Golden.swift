import Foundation
import Testing

/// Compares text with a file beside the tests.
///
/// A missing or differing file fails the test and shows what differs. With `RECORD_GOLDEN=1` in the environment the
/// file is written instead, and the test fails once, so that a new baseline is never taken unseen.
func expectGolden(_ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation) {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden/\(name)")
    let recorded = (try? Data(contentsOf: file)).map { String(decoding: $0, as: UTF8.self) }
    // Compared by bytes: to String, texts that differ only in how an accent is composed are the same.
    if let recorded, recorded.utf8.elementsEqual(text.utf8) { return }

    let difference = differences(from: recorded ?? "", to: text)
    if ProcessInfo.processInfo.environment["RECORD_GOLDEN"] == "1" {
        do {
            try Data(text.utf8).write(to: file)
            Issue.record("recorded new baseline Golden/\(name)\n\(difference)", sourceLocation: sourceLocation)
        } catch {
            Issue.record("cannot record Golden/\(name): \(error)", sourceLocation: sourceLocation)
        }
        return
    }
    let reason = recorded == nil ? "is missing" : "differs"
    Issue.record(
        "Golden/\(name) \(reason); RECORD_GOLDEN=1 records what was written now\n\(difference)",
        sourceLocation: sourceLocation)
}

/// Lines that are only in one of two texts, with their numbers, as a diff shows them; control characters escaped.
func differences(from old: String, to new: String) -> String {
    func lines(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
    }
    let changes = lines(new).difference(from: lines(old))
    let shown = changes.removals.map { ("-", $0) } + changes.insertions.map { ("+", $0) }
    let texts = shown.map { mark, change in
        switch change {
        case .insert(let offset, let line, _), .remove(let offset, let line, _):
            (offset, mark, "\(mark)\(offset + 1): \(line.debugDescription.dropFirst().dropLast())")
        }
    }
    let sorted = texts.sorted { ($0.0, $1.1) < ($1.0, $0.1) }.map(\.2)
    let more = sorted.count > 40 ? ["(\(sorted.count - 40) more lines)"] : []
    return (sorted.prefix(40) + more).joined(separator: "\n")
}
