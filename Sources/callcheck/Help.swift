import ArgumentParser
import Readiness
import Reports

/// The help that a command line asks for: `-h` is what fits on a screen of 24 lines, `--help` is all.
struct Help {
    private let command: any ParsableCommand.Type
    private let name: String
    private let isShort: Bool

    /// Nil where the words do not ask for help.
    init?(_ words: [String]) {
        guard words.first == "help" || words.contains("-h") || words.contains("--help") else { return nil }
        isShort = words.first != "help" && !words.contains("--help")
        var (command, name): (any ParsableCommand.Type, String) = (Callcheck.self, "callcheck")
        for word in words.drop(while: { $0 == "help" }) where !word.hasPrefix("-") {
            let next = command.configuration.subcommands.first { $0.configuration.commandName == word }
            guard let next else { break }
            (command, name) = (next, "\(name) \(word)")
        }
        (self.command, self.name) = (command, name)
    }

    var text: String { isShort ? short : long }

    private var long: String {
        let help = Callcheck.helpMessage(for: command, includeHidden: true)
        let formats = (command as? any Command.Type)?.formats ?? []
        guard !formats.isEmpty else { return help + "\n" }
        return help + "\n\nFORMATS: \(Messages.alternatives(formats.map(\.rawValue)))\n"
    }

    /// The short help: what it does, three examples, and the options or commands that people need.
    private var short: String {
        let configuration = command.configuration
        let examples = configuration.discussion.split(separator: "\n", omittingEmptySubsequences: false)
            .prefix { $0.hasPrefix("  ") }.joined(separator: "\n")
        let usage = configuration.usage ?? "\(name) <command>"
        let help = Callcheck.helpMessage(for: command, columns: 1000)
        let lines = help.split(separator: "\n").filter { $0.hasPrefix("  ") }
        let heads = lines.filter { $0.hasPrefix("  -") && !$0.contains("--version") && !$0.contains("--help") }
        let list = configuration.subcommands.isEmpty ? heads : subcommands
        return """
            \(configuration.abstract)

            \(examples)

            Usage: \(usage)

            \(list.joined(separator: "\n"))

            All of it: \(name) --help

            """
    }

    private var subcommands: [Substring] {
        command.configuration.subcommands.filter { $0.configuration.shouldDisplay }.map { command in
            let name = command.configuration.commandName ?? ""
            let space = String(repeating: " ", count: max(1, 12 - name.count))
            return "  \(name)\(space)\(command.configuration.abstract)"[...]
        }
    }
}
