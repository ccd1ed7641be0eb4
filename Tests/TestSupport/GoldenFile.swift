package import Foundation

/// A file that holds what a test expects, to the byte.
///
/// ```swift
/// if let complaint = GoldenFile(url).complaint(about: output) { Issue.record(Comment(rawValue: complaint)) }
/// ```
package struct GoldenFile: Sendable {
    private let url: URL
    private let isRecording: Bool

    /// - Parameters:
    ///   - url: Where the file lies, in the source tree.
    ///   - isRecording: True to record the text as the new expectation; by default when `RECORD_GOLDEN` is `1`.
    package init(_ url: URL, isRecording: Bool = ProcessInfo.processInfo.environment["RECORD_GOLDEN"] == "1") {
        self.url = url
        self.isRecording = isRecording
    }

    /// Says how `actual` is not what the file holds; a missing file is not what was expected either.
    ///
    /// While recording the file is written, and the complaint says so: a new baseline never passes unseen.
    ///
    /// - Returns: nil when the file holds exactly these bytes.
    package func complaint(about actual: Data) -> String? {
        let recorded = try? Data(contentsOf: url)
        guard recorded != actual else { return nil }
        let name = url.pathComponents.suffix(2).joined(separator: "/")
        let changes = TextDifference(
            from: String(decoding: recorded ?? Data(), as: UTF8.self), to: String(decoding: actual, as: UTF8.self))
        guard isRecording else {
            let reason = recorded == nil ? "is missing" : "differs"
            return "\(name) \(reason); RECORD_GOLDEN=1 records what came now\n\(changes)"
        }
        do {
            try actual.write(to: url)
            return "recorded new baseline \(name)\n\(changes)"
        } catch {
            return "cannot record \(name): \(error)"
        }
    }
}
