import ArgumentParser
import LogStream
import Platform
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
        do {
            var command = try Callcheck.parseAsRoot(Program.parsable(arguments))
            if let command = command as? any StatusCommand {
                finish(try command.execute())
            }
            try command.run()
            finish(.success)
        } catch let failure as Failure {
            StandardError.write("callcheck: \(failure.message)")
            finish(failure.status)
        } catch {
            // Help and version are "errors" of status 0; everything the parser rejects is 64.
            let code = Callcheck.exitCode(for: error)
            let text = Callcheck.fullMessage(for: error)
            if code.isSuccess {
                finish(StandardOutput.write(complete(text)))
            }
            StandardError.write(printable(text))
            // The options of a mistyped command are those of another command.
            if let word = arguments.first, MistypedName.isWord(word), let command = MistypedName.command(near: word),
                command != word
            {
                Messages.print([Messages.mistypedCommand(word, command)])
            }
            finish(code == .validationFailure ? .usage : .internalError)
        }
    }

    /// What was typed after the program's name; file names need not be UTF-8.
    private static var arguments: [String] {
        (1..<Int(max(1, CommandLine.argc))).compactMap { index in
            // Safe: the system gives as many arguments as it says, each of which ends in NUL.
            unsafe CommandLine.unsafeArgv[index].map { argument in
                unsafe SystemPath.argument(
                    UnsafeBufferPointer(start: argument, count: strlen(argument)).map { UInt8(bitPattern: $0) })
            }
        }
    }

    /// What the parser does not support: a flag that may have one value, and a short name for its own `--version`.
    private static let spellings = [
        "--assume-complete=failures": "--assume-complete-failures", "-V": "--version",
    ]

    /// The arguments as the parser knows them.
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

    /// The parser repeats what was typed, which may hold anything.
    private static func printable(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { DisplayText(String($0)).text }
            .joined(separator: "\n")
    }

    private static func finish(_ status: ExitStatus) -> Never {
        Callcheck.exit(withError: status == .success ? nil : ExitCode(status.rawValue))
    }
}

/// A command whose answer is an exit status.
protocol StatusCommand: ParsableCommand {
    func execute() throws -> ExitStatus
}
