import ArgumentParser
import Platform
import Readiness

/// The other commands, on a small made-up project that the program carries.
struct Demo: Command {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Try the commands on a small made-up project, without a log.",
        usage: "callcheck demo [<command>] [<options>]",
        discussion: """
              callcheck demo
              callcheck demo explain scanReceipt
              callcheck demo check --function addMessage
              callcheck demo report -o page.html

            Takes report (the default), explain and check, with their options. check judges the demo as of its last \
            day.
            """)

    static let formats: [OutputFormat] = []

    @Argument(parsing: .captureForPassthrough, help: ArgumentHelp("A command and its options.", valueName: "command"))
    var words: [String] = []

    /// True while the process runs a command on the demo.
    static let isRunning = Program.arguments.first == "demo"

    /// The day with which the log ends.
    private static let lastDay = "2026-10-14"

    func execute() throws -> ExitStatus {
        var words = words
        if let first = words.first, ["-h", "--help"].contains(first) {
            throw CleanExit.message(Callcheck.helpMessage(for: Demo.self))
        }
        if words.first?.hasPrefix("-") ?? true { words.insert("report", at: 0) }
        guard ["report", "explain", "check"].contains(words[0]) else {
            throw ValidationError("demo: takes report, explain and check; for all else, name a log.")
        }
        let descriptor = unnamedFile()
        guard descriptor >= 0, writeAll(PackageResources.demo_json_gz, to: descriptor) == 0 else {
            throw Failure(
                "cannot write a temporary file: \(systemMessage(errno)). Set TMPDIR to a directory with room.",
                .inputOutput)
        }
        let isDated = words.contains { $0 == "--as-of" || $0.hasPrefix("--as-of=") }
        if words[0] == "check", !isDated { words.insert(contentsOf: ["--as-of", Demo.lastDay], at: 1) }
        // The function of explain comes before the log.
        return try Program.run(try Callcheck.parseAsRoot(words + [path(ofDescriptor: descriptor)]))
    }
}
