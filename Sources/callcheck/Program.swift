import ArgumentParser
import LogStream
import Platform
import PolicyFile
import Readiness
import Reports

/// Runs the command and maps every outcome to an exit status, so that 1 is never an accident.
@main
enum Program {
    static func main() {
        StandardStreams.holdPlaces()
        guard StandardStreams.haveRoom else {
            StandardError.write(
                "callcheck: cannot start: \(systemMessage(EMFILE)); raise the limit on open files (ulimit -n)")
            finish(.inputOutput)
        }
        Crashes.install()
        Signals.install()
        // Swift reads them from /proc. Without any, a gate would be a summary of standard input, which passes.
        guard CommandLine.argc > 0 else {
            StandardError.write("callcheck: cannot see its arguments: /proc is not mounted")
            finish(.inputOutput)
        }
        let words = arguments.prefix { $0 != "--" }.map { $0 == "-V" ? "--version" : $0 }
        // The parser would look up its types for longer than everything else takes together.
        if words == ["--version"] { finish(StandardOutput.write(Version.this.text + "\n")) }
        do {
            let command = try Callcheck.parseAsRoot(words + arguments.dropFirst(words.count))
            do { finish(try run(command)) } catch { finish(report(error, of: type(of: command), words)) }
        } catch {
            finish(report(error, of: nil, words))
        }
    }

    static func run(_ command: any ParsableCommand) throws -> ExitStatus {
        if let command = command as? any Command { return try command.execute() }
        // It only shows help, as an error.
        var help = command
        try help.run()
        return .success
    }

    /// Prints what an error says, and decides how the program ends: the one place for both.
    private static func report(_ error: any Error, of command: (any ParsableCommand.Type)?, _ words: [String])
        -> ExitStatus
    {
        if let failure = error as? Failure {
            Messages.print([failure.message])
            return failure.status
        }
        // Help and completions are "errors" of status 0; what the parser rejects is 64. Only the parser knows what
        // asks for help: where the value of an option is missing, the same word must not let a gate pass.
        let code = Callcheck.exitCode(for: error)
        if code.isSuccess {
            let shown = Help(words)?.text ?? Callcheck.fullMessage(for: error)
            return StandardOutput.write(shown.hasSuffix("\n") ? shown : shown + "\n")
        }
        if let command, let error = error as? ValidationError {
            // What the parser prints for those that it finds itself.
            let usage = command.configuration.usage ?? ""
            let words = usage.split(separator: " ").prefix { !$0.contains("<") }.joined(separator: " ")
            let call = words.filter { !"[]".contains($0) }
            StandardError.write(
                printable("Error: \(error.message)\nUsage: \(usage)\n  See '\(call) --help' for more information."))
        } else {
            StandardError.write(printable(explained(Callcheck.fullMessage(for: error))))
        }
        // The options of a mistyped command are those of another command.
        if let word = arguments.first, MistypedName.isWord(word), let command = MistypedName.command(near: word),
            command != word
        {
            Messages.print(["\(DisplayText(name: word).text) is not a command; did you mean callcheck \(command)?"])
        }
        return code == .validationFailure ? .usage : .internalError
    }

    static var arguments: [String] { processArguments.map(SystemPath.argument) }

    /// The parser knows neither the settings nor the formats.
    private static func explained(_ text: String) -> String {
        let start = "Error: Unknown option '--"
        guard text.hasPrefix(start) else { return text }
        let name = String(text.dropFirst(start.count).prefix { $0 != "'" && $0 != "=" })
        let rest = text.drop { $0 != "\n" }
        func meant(_ option: String) -> String { "\(start)\(name)'. Did you mean \(option)?\(rest)" }
        let options = [
            "compare-to": "--changes-since", "compare": "--before", "top": "--limit", "verdict": "--only",
            "function-list": "--function @FILE", "no-color": "--color never", "help-hidden": "--help",
            "max-blocked": "--set max-refused=1%", "confirm": "--set safe-nights=7d", "counts": "--verbose",
            "evidence": "--set callers=none", "no-dedupe": "--set dedupe=false",
        ]
        if let option = options[name] { return meant(option) }
        if OutputFormat(rawValue: name) != nil { return meant("--format \(name)") }
        guard let key = SettingKey.named(name), key.isSettable else { return text }
        return meant("--set \(key.name)=\(key.example)")
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
        abstract: "Show whether App Check enforcement can be switched on for callables.",
        usage: "callcheck [<command>] [<log> ...] [<options>]",
        discussion: """
              callcheck demo
              callcheck export --project my-app | sh
              callcheck export.json.gz
              callcheck check --function addMessage logs/ && firebase deploy

            Reads Cloud Logging exports (gcloud, log sinks, BigQuery, console output), plain or gzipped. For each \
            callable function it shows how many requests had a valid App Check token and whether enforcement can be \
            switched on. Without a command, callcheck LOG... shows all functions.

            EXIT STATUS
              0   done; check: every selected function can be enforced
              1   check: at least one is not safe
              2   check: at least one has not enough data, or none was selected
              64  the command line, the settings or the policy is wrong
              65  damaged or unreadable data, or no record at all; everything
                  readable is counted
              66  an input or the store is missing or cannot be opened; other
                  inputs are read
              70  internal error (a bug in callcheck)
              74  reading or writing failed

            If several apply, the first of 64, 74, 66, 65, 1, 2 is used.
            """,
        version: Version.this.text,
        subcommands: [
            ReportCommand.self, Explain.self, Check.self, Watch.self, Export.self, StoreCommands.self,
            AppAttest.self, Demo.self, Config.self,
        ],
        defaultSubcommand: ReportCommand.self
    )
}
