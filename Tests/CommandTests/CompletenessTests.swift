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

    /// All commands, as they are typed.
    private var commands: [String] {
        get throws {
            let names = try subcommands("")
            return try names.flatMap { $0 == "store" ? try [$0] + subcommands("store ").map { "store \($0)" } : [$0] }
        }
    }

    private func subcommands(_ command: String) throws -> [String] {
        let overview = try help("\(command)--help")
        let list = try #require(overview.firstRange(of: "SUBCOMMANDS:\n")).upperBound
        return overview[list...].matches(of: #/(?m)^  ([a-z-]+) /#).map { String($0.1) }
    }

    @Test func everyCommandShowsItsHelp() throws {
        let commands = try commands
        try #require(commands.contains("check") && commands.contains("store add"))
        let cases = Set(CommandCase.all.map(\.name))
        let shown = commands.map { $0.hasPrefix("store ") && $0 != "store add" ? "store" : $0 }
        #expect(shown.filter { !cases.contains("help-\($0.replacing(" ", with: "-"))") } == [])
    }

    /// What people need fits on a screen of 24 lines and 80 columns: what it does, three examples, options.
    @Test func shortHelpFitsOnAScreen() throws {
        for command in try [""] + commands + ["config"] {
            let lines = try help("\(command) -h").split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines.count <= 24, "\(command): \(lines.count - 1) lines")
            #expect(lines.filter { $0.count > 80 } == [], "\(command)")
            #expect(
                lines.contains { $0.hasPrefix("  callcheck ") }
                    && lines.last { !$0.isEmpty }?.hasSuffix("--help") == true)
            #expect(lines.contains { $0.hasPrefix("  -") } != ["", "store", "demo"].contains(command))
            for line in try help("\(command) --help").split(separator: "\n") { #expect(line.count <= 80, "\(command)") }
        }
    }

    /// Every option of every command is used by some case.
    @Test func everyOptionIsUsed() throws {
        let words = CommandCase.all.compactMap(\.script).flatMap { $0.split { $0.isWhitespace || $0 == "=" } }
        let options = try commands.flatMap { command in
            try help("\(command) --help").matches(of: #/(?m)^  (?:-[a-zA-Z], )?(--[a-z-]+)/#).map { String($0.1) }
        }
        try #require(options.contains("--format"))
        #expect(Set(options).subtracting(words.map { String($0) }).sorted() == [])
    }
}
