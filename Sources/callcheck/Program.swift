import ArgumentParser
import LogStream
import Platform
import PolicyFile
import Reports

/// Runs the command and maps whatever happens to an exit status, so that 1 is never an accident.
@main
enum Program {
    static func main() {
        StandardStreams.holdPlaces()
        Crashes.install()
        Signals.install()
        // Swift reads them from /proc. Without any, a gate would be a summary of standard input, which passes.
        guard CommandLine.argc > 0 else {
            StandardError.write("callcheck: cannot see its arguments: /proc is not mounted")
            finish(.inputOutput)
        }
        // The parser would look up its types for longer than everything else takes together.
        if parsable(arguments) == ["--version"] { finish(StandardOutput.write(Version.text + "\n")) }
        do {
            var command = try Callcheck.parseAsRoot(Program.parsable(arguments))
            if let command = command as? any StatusCommand { finish(try command.execute()) }
            try command.run()
            finish(.success)
        } catch let failure as Failure {
            StandardError.write("callcheck: \(failure.message)")
            finish(failure.status)
        } catch {
            // Help and version are "errors" of status 0; everything the parser rejects is 64.
            let code = Callcheck.exitCode(for: error)
            let text = Callcheck.fullMessage(for: error)
            if code.isSuccess { finish(StandardOutput.write(complete(text))) }
            StandardError.write(printable(explained(text)))
            // The options of a mistyped command are those of another command.
            if let word = arguments.first, MistypedName.isWord(word), let command = MistypedName.command(near: word),
                command != word
            {
                Messages.print(["\(DisplayText(name: word).text) is not a command; did you mean callcheck \(command)?"])
            }
            finish(code == .validationFailure ? .usage : .internalError)
        }
    }

    static var arguments: [String] { processArguments.map(SystemPath.argument) }

    /// What the parser does not support: a flag that may have one value, and a short name for its own `--version`.
    private static let spellings = ["--assume-complete=failures": "--assume-complete-failures", "-V": "--version"]

    private static func parsable(_ arguments: [String]) -> [String] {
        let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
        return arguments[..<end].map { spellings[$0] ?? $0 } + arguments[end...]
    }

    /// Help, with a last line on what it leaves out: the rarely used options of commands that print pages or lists.
    private static func complete(_ text: String) -> String {
        let ended = text.hasSuffix("\n") ? text : text + "\n"
        guard text.contains("\nOUTPUT:\n"), !arguments.contains("--help-hidden") else { return ended }
        return ended + "\nThere are more options: --help-hidden shows all.\n"
    }

    /// The parser names neither the values of an option that help leaves out, nor the option that `--json` stands for.
    private static func explained(_ text: String) -> String {
        var text = text
        for format in OutputFormat.allValueStrings where text.hasPrefix("Error: Unknown option '--\(format)'") {
            text = text.drop { $0 != "\n" }.description
            text = "Error: Unknown option '--\(format)'. Did you mean '--format \(format)'?" + text
        }
        let hidden = [
            "--sort": TableView.Order.allValueStrings, "--verdict": VerdictList.allValueStrings,
            "--color": ColorChoice.allValueStrings, "--evidence": EvidenceChoice.allValueStrings,
            "--generation": GenerationArgument.allValueStrings, "--top": ["all", "a number above 0"],
        ]
        for (option, values) in hidden {
            let fault = "is invalid for '\(option)'"
            let list = "\(values.dropLast().joined(separator: ", ")) or \(values.last ?? "")"
            text.replace("\(fault)\n", with: "\(fault): write \(list).\n", maxReplacements: 1)
        }
        return text
    }

    /// The parser repeats what was typed, which may hold anything.
    private static func printable(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { DisplayText(String($0)).text }
            .joined(separator: "\n")
    }

    private static func finish(_ status: ExitStatus) -> Never {
        Callcheck.exit(withError: status == .success ? nil : ExitCode(status.rawValue))
    }
}

struct Callcheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "callcheck",
        abstract: "Show whether Firebase App Check enforcement can be switched on for callable functions.",
        discussion: """
            Reads exports of Cloud Logging, gzipped or plain, as gcloud, a sink, BigQuery or a terminal wrote them. For \
            each callable function it shows how many requests carried a valid App Check token and whether enforcement \
            can be switched on. The default command is report.

              callcheck export --project my-app          how to get an export
              callcheck export.json.gz                   what it says
              callcheck explain addMessage export.json.gz
              callcheck check --function addMessage logs/ && firebase deploy

            EXIT STATUS
              0   done; check: every selected function can be enforced
              1   check: at least one is not safe
              2   check: for at least one there is no answer yet, or nothing
                  was selected
              64  the command line, the settings or the policy is wrong
              65  damaged or unreadable data; all that was readable is counted;
                  ingest and report: no record at all
              66  an input or the store is missing or cannot be opened; other
                  inputs are read
              70  a fault of callcheck itself
              74  reading or writing failed

            Where several apply, the first of 64, 74, 66, 65, 1, 2 is used.
            """,
        version: Version.text,
        subcommands: [
            Export.self, ReportCommand.self, Explain.self, Check.self, Ingest.self, HistoryCommand.self,
            SnapshotCommand.self, Watch.self, RolloutCommand.self, Config.self,
        ],
        defaultSubcommand: ReportCommand.self
    )
}
