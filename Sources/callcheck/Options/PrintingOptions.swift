import ArgumentParser

/// Where to print, and what besides.
struct PrintingOptions: ParsableArguments {
    @Option(
        name: [.customShort("o", allowingJoined: true), .long],
        help: "Write to a file, complete or not at all; - is standard output.")
    var output: String?

    @Option(help: "When to use colour: auto, always or never.")
    var color = ColorChoice.auto

    @Flag(name: .shortAndLong, help: "No notes and no progress on standard error; errors only.")
    var quiet = false

    @Flag(help: "No progress on standard error.")
    var noProgress = false

    /// The format that the output's ending tells.
    var formatOfEnding: OutputFormat? {
        output.flatMap(OutputFormat.init(ending:))
    }

    /// The output when it is a file whose ending does not name a format.
    var outputWithoutFormat: String? {
        guard case .file(let path) = destination, formatOfEnding == nil, ReplacedFile(path).isReplaced else {
            return nil
        }
        return path
    }

    var showsProgress: Bool {
        !quiet && !noProgress
    }

    var destination: Destination {
        Destination(output: output)
    }
}
