import Foundation
import TestSupport
import Testing

/// What happens to stores: runs that are killed, several at once, no space left, damaged bytes, damaged logs, unions,
/// what is no file.
///
/// `endurance.py` next to this file runs as many trials as asked; here are a few of each.
@Suite(.enabled(if: ExternalTool.python.isExpected && BuiltProgram.isBuilt, "python3 is not installed"))
struct EnduranceTests {
    @Test(.exhaustive) func aFewTrialsOfEach() throws { #expect(try lines().count == 8) }

    /// One file by a link, and by a mount where that is allowed: nothing that was confirmed is lost.
    @Test func severalNames() throws { #expect(try lines("--only", "names", "--names", "2").count == 1) }

    /// A run that may write no more leaves the store as it was.
    @Test func noSpace() throws { #expect(try lines("--only", "limits").count == 1) }

    private func lines(_ options: String...) throws -> [Substring] {
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "endurance.py").path
        let program = BuiltProgram.folder.appending(path: "callcheck").path
        let output = try ExternalTool.python.run([script, "--callcheck", program] + options)
        let lines = String(decoding: output, as: UTF8.self).split(separator: "\n")
        #expect(!lines.contains { $0.contains("FAILED") }, "\(lines)")
        return lines
    }
}
