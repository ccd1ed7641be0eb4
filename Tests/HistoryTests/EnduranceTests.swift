import Foundation
import TestSupport
import Testing

/// What happens to stores: runs that are killed, several at once, no space left, damaged bytes, damaged logs, unions,
/// what is no file.
///
/// `endurance.py` next to this file runs as many trials as asked; here are a few of each.
@Suite struct EnduranceTests {
    @Test(.exhaustive, .enabled(if: ExternalTool.python.isExpected && BuiltProgram.isBuilt, "python3 is not installed"))
    func aFewTrialsOfEach() throws {
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "endurance.py").path
        let program = BuiltProgram.folder.appending(path: "callcheck").path
        let output = try ExternalTool.python.run([script, "--callcheck", program])
        let lines = String(decoding: output, as: UTF8.self).split(separator: "\n")
        #expect(lines.count == 7)
        #expect(!lines.contains { $0.contains("FAILED") })
    }
}
