import ArgumentParser
import Readiness
import Reports

/// A command: in which formats it prints its answer, and what it does.
///
/// It is executed after the whole command line was parsed: `--help` and what the parser rejects come first, and nothing
/// has been opened by then. Its options make a ``Run``.
protocol Command: ParsableCommand {
    static var formats: [OutputFormat] { get }
    func execute() throws -> ExitStatus
}

/// A command that judges functions: what to read, which part counts, how to judge it, and how to print the answer.
///
/// Each command has these groups itself, not in a group of groups: a debug build of ArgumentParser evaluates a group
/// four times for each group that contains it, and the tests start the program often.
protocol JudgingCommand: Command {
    var history: StoreOptions { get }
    var reading: ReadingOptions { get }
    var selection: SelectionOptions { get }
    var verdict: VerdictOptions { get }
    var printing: PrintingOptions { get }
    var settings: SettingsOptions { get }
}

extension Command {
    static var formats: [OutputFormat] { OutputFormat.ofLists }
}

extension JudgingCommand {
    static var formats: [OutputFormat] { OutputFormat.ofReports }
}
