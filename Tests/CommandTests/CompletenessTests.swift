import Foundation
import TestSupport
import Testing

/// No command and no option goes without a case.
@Suite struct CompletenessTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func help(_ arguments: String) throws -> String {
        let shell = Shell(in: directory.url, variables: ["COLUMNS": "80"])
        return try String(decoding: shell.run(line: "callcheck \(arguments)").output, as: UTF8.self)
    }

    private var commands: [String] {
        get throws {
            let overview = try help("--help")
            let list = try #require(overview.firstRange(of: "SUBCOMMANDS:\n")).upperBound
            return overview[list...].matches(of: #/(?m)^  ([a-z]+) /#).map { String($0.1) }
        }
    }

    @Test func everyCommandShowsItsHelp() throws {
        let commands = try commands
        try #require(commands.contains("summarize"))
        let cases = Set(CommandCase.all.map(\.name))
        #expect(commands.filter { !cases.contains("help-\($0)") } == [])
    }

    /// Help fits on a screen that is 80 columns wide: what is rare is shown by `--help-hidden`.
    @Test func helpIsShort() throws {
        for command in try commands + ["history list", "history prune", "history compact"] {
            let lines = try help("\(command) --help").split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines.count <= 61, "\(command): \(lines.count - 1) lines")
            #expect(lines.filter { $0.count > 80 } == [], "\(command)")
        }
    }

    /// Every option of every command stands in the command of some case.
    @Test func everyOptionIsUsed() throws {
        let words = CommandCase.all.compactMap(\.script).flatMap { $0.split { $0.isWhitespace || $0 == "=" } }
        let options = try commands.flatMap { command in
            try help("\(command) --help-hidden").matches(of: #/(?m)^  (?:-[a-z], )?(--[a-z-]+)/#).map { String($0.1) }
        }
        try #require(options.contains("--format"))
        #expect(Set(options).subtracting(words.map { String($0) }).sorted() == [])
    }
}
