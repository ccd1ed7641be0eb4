import Foundation
import Testing

/// A way in which the program shows what a log holds: a command and a format.
///
/// What must hold of every output is tested for each of ``all``: a new command or format joins by one line.
struct Rendering: CustomTestStringConvertible, Sendable {
    /// What is typed behind `callcheck`, in front of options and inputs.
    let command: String
    /// `--format`; what ``Readers`` knows how to read.
    let format: String
    /// True if the command uses a store.
    var isStored = false

    var testDescription: String { "\(command) --format \(format)\(isStored ? " --store" : "")" }

    static let formats = ["table", "json", "csv", "markdown", "html", "prometheus"]
    static let commands = ["report", "check", "check --fail-on lockout", "explain '*'"]
    /// `check` shows the same page with a history as without.
    private static let ofHistory = ["explain '*'", "report"]
    private static let ofUpkeep = ["store add", "store list"]

    static let all =
        commands.flatMap { command in formats.map { Rendering(command: command, format: $0) } }
        + ofHistory.flatMap { command in formats.map { Rendering(command: command, format: $0, isStored: true) } }
        + ofUpkeep.flatMap { command in
            ["table", "json"].map { Rendering(command: command, format: $0, isStored: true) }
        }

    /// The lines that show an input; statuses of verdicts and of damaged inputs are fine, and nothing else is.
    func line(_ arguments: String) -> String {
        guard isStored else { return accepted("callcheck \(command) --format \(format) \(arguments)") }
        let add = "rm -f history.db; callcheck store add history.db"
        if command == "store add" { return accepted("\(add) --format \(format) \(arguments)") }
        let store = command == "store list" ? "history.db" : "--store history.db"
        return """
            \(accepted("\(add) --quiet \(arguments) > added.txt"))
            \(accepted("callcheck \(command) \(store) --format \(format)"))
            """
    }

    private func accepted(_ command: String) -> String {
        "\(command) || test $? -lt 3 -o $? -ge 64 -a $? -le 74"
    }

    /// True for a command that shows functions, not inputs.
    var isOfFunctions: Bool { !Rendering.ofUpkeep.contains(command) }

    /// False for a message that names functions only when something has changed.
    var isComplete: Bool { command != "report" || format != "markdown" }

    /// True for a command that shows one function, which is its argument.
    var isOfOneFunction: Bool { command.hasPrefix("explain") }
}
