import ArgumentParser
import Glibc
import LogStream
import Reports

/// Runs the command and maps whatever happens to an exit status, so that 1 is never an accident.
@main
enum Program {
    static func main() {
        StandardStreams.holdPlaces()
        Crashes.install()
        Signals.install()
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
            // Help and version are "errors" of status 0; everything the parser refuses is 64.
            let code = Callcheck.exitCode(for: error)
            let text = Callcheck.fullMessage(for: error)
            if code.isSuccess {
                finish(StandardOutput.write(text.hasSuffix("\n") ? text : text + "\n"))
            }
            StandardError.write(printable(text))
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

    /// The arguments with the one value that a flag may have as a flag of its own.
    private static func parsable(_ arguments: [String]) -> [String] {
        let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
        return arguments[..<end].map { $0 == "--assume-complete=failures" ? "--assume-complete-failures" : $0 }
            + arguments[end...]
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
