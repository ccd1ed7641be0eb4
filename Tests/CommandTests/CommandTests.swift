import Foundation
import TestSupport
import Testing

/// Runs the cases of `Cases/` against the built program.
@Suite struct CommandTests {
    /// Output, messages and exit status are what the case's files say.
    @Test(arguments: CommandCase.all.filter(\.missingTools.isEmpty))
    func run(_ command: CommandCase) throws {
        try #require(BuiltProgram.isBuilt, "there is no callcheck in \(BuiltProgram.folder.path)")
        let outcome = try command.run()
        let status = Data("\(outcome.status)\n".utf8)
        for (name, bytes) in [("status", status), ("stderr", outcome.errors), ("stdout", outcome.output)] {
            guard let complaint = command.expectation(name).complaint(about: bytes) else { continue }
            Issue.record(Comment(rawValue: complaint))
        }
    }

    /// No case is left out for want of a tool; where one is, this test is skipped and says which.
    @Test(.enabled(if: CommandTests.skipped.isEmpty, Comment(rawValue: CommandTests.skipped)))
    func everyCaseIsRun() {
        #expect(CommandCase.all.count > 0)
        #expect(CommandTests.skipped == "")
    }

    private static let skipped = CommandCase.all.filter { !$0.missingTools.isEmpty }
        .map { "\($0.name) needs \($0.missingTools.joined(separator: ", "))" }.joined(separator: "; ")
}
