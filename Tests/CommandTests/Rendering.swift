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

    var testDescription: String { "\(command) --format \(format)" }

    static let formats = ["table", "json", "csv", "markdown"]
    static let commands = ["summarize", "check", "check --fail-on lockout", "explain '*'"]

    static let all = commands.flatMap { command in formats.map { Rendering(command: command, format: $0) } }

    /// The line that shows an input; statuses of verdicts and of damaged inputs are fine, and nothing else is.
    func line(_ arguments: String) -> String {
        "callcheck \(command) --format \(format) \(arguments) || test $? -lt 3 -o $? -ge 64 -a $? -le 74"
    }

    /// True for a command that shows one function and is told which.
    var isOfOneFunction: Bool { command.hasPrefix("explain") }
}
