import Foundation
import TestSupport
import Testing

/// Holds what a report writes against a file of `Golden`, beside the tests.
func expectGolden(_ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation) {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden/\(name)")
    guard let complaint = GoldenFile(file).complaint(about: Data(text.utf8)) else { return }
    Issue.record(Comment(rawValue: complaint), sourceLocation: sourceLocation)
}

/// The text with every long fraction cut to six digits: the last bits of a bound differ from one C library to another.
func withShortFractions(_ text: String) throws -> String {
    try text.replacing(Regex(#"(\.[0-9]{6})[0-9]+"#, as: (Substring, Substring).self)) { $0.output.1 }
}
