import ArgumentParser
import PolicyFile
import Readiness
import Reports

/// Where to print, and what else.
struct PrintingOptions: ParsableArguments {
    @Option(
        name: [.customShort("o", allowingJoined: true), .long],
        help: ArgumentHelp("Write to a file, complete or not at all; - is standard output.", valueName: "file"),
        completion: .file())
    var output: String?

    @Option(help: ArgumentHelp("When to use colour.", valueName: "when", visibility: .hidden))
    var color: ColorChoice?

    @Flag(name: .shortAndLong, help: "Nothing but errors on standard error.")
    var quiet = false

    @Flag(help: ArgumentHelp("No progress on standard error.", visibility: .hidden))
    var noProgress = false

    mutating func fill(from settings: inout Settings) {
        settings.fill(&color, .color) { $0.words[.color].flatMap(ColorChoice.init) }
        settings.fill(&quiet, .quiet)
        settings.fill(&noProgress, .noProgress)
    }

    var showsProgress: Bool { !quiet && !noProgress }
    var destination: Destination { Destination(output: output) }

    /// How a terminal shows it.
    var style: TerminalStyle {
        if case .standardOutput = destination { return Terminal.style(color: color ?? .auto, isRedirected: false) }
        return Terminal.style(color: color ?? .auto, isRedirected: true)
    }

    /// The format that the output's ending names.
    fileprivate var formatOfEnding: OutputFormat? { output.flatMap(OutputFormat.init(ending:)) }
}

/// Which format to print: the one named, the one of the output's ending, or that of the settings file.
struct FormatOptions<Format: PrintedFormat>: ParsableArguments {
    @Option(name: [.customShort("f", allowingJoined: true), .long], help: ArgumentHelp(Format.help))
    var format: Format?

    /// An ending beats the settings file because it was typed; a format in the file that is not among these is ignored.
    mutating func fill(from settings: inout Settings, _ printing: PrintingOptions) {
        format = format ?? printing.formatOfEnding.flatMap { Format(rawValue: $0.rawValue) }
        settings.fill(&format, .format) { $0.words[.format].flatMap(Format.init(rawValue:)) }
    }

    /// Rejects a file whose ending leaves the format open, or names one that is not among these.
    func validate(_ printing: PrintingOptions) throws {
        guard format == nil, case .file(let path) = printing.destination else { return }
        guard let ending = printing.formatOfEnding else {
            guard ReplacedFile(path).isReplaced else { return }
            throw ValidationError(Messages.noFormat(path, endings: Format.endings))
        }
        guard Format(rawValue: ending.rawValue) == nil else { return }
        throw ValidationError(
            "This command prints \(Format.list), not \(ending.rawValue): name a file that ends in \(Format.endings).")
    }
}

/// How and where a list is printed.
struct ListOutput {
    let format: ListFormat?
    let printing: PrintingOptions

    init(_ format: FormatOptions<ListFormat>, _ printing: PrintingOptions, _ settings: inout Settings) {
        var (format, printing) = (format, printing)
        printing.fill(from: &settings)
        format.fill(from: &settings, printing)
        (self.format, self.printing) = (format.format, printing)
    }

    /// Writes a list in the format selected.
    func write(table: (inout DescriptorStream) -> Void, json: (inout DescriptorStream) -> Void) -> ExitStatus {
        printing.destination.write { format == .json ? json(&$0) : table(&$0) }
    }
}

/// The formats that a command can print.
protocol PrintedFormat: ExpressibleByArgument, CaseIterable, Sendable, RawRepresentable<String> {
    /// The help of `--format`.
    static var help: String { get }
    /// The endings that name them, as a list.
    static var endings: String { get }
    /// What the command prints, as a list.
    static var list: String { get }
}

/// The formats of a page of functions.
enum OutputFormat: String, PrintedFormat {
    case table
    case json
    case csv
    case markdown
    case html
    case prometheus
    /// Has no ending of its own: it is JSON.
    case slack
    /// For gates only.
    case junit
    case github

    static var help: String { ListFormat.help }
    static var endings: String { ".txt, .json, .csv, .md, .html or .prom" }
    static var list: String { "a page" }

    init?(ending path: String) {
        switch path.split(separator: ".").last?.lowercased() {
        case "json": self = .json
        case "csv": self = .csv
        case "md", "markdown": self = .markdown
        case "html", "htm": self = .html
        case "prom": self = .prometheus
        case "txt": self = .table
        case "xml": self = .junit
        default: return nil
        }
    }

    /// True for the formats with notes on what could mislead their reader.
    var hasNotes: Bool {
        [.table, .markdown, .slack].contains(self)
    }

    /// The same for a renderer.
    func reportFormat(_ style: TerminalStyle) -> Format {
        switch self {
        case .table: .terminal(style)
        case .json: .json
        case .csv: .csv
        case .markdown: .markdown(isFolding: Terminal.isGitHub)
        case .html: .html
        case .prometheus: .prometheus
        case .slack: .slack
        case .junit: .junit
        case .github: .github
        }
    }
}

/// The formats of a page about a rollout.
enum PageFormat: String, PrintedFormat {
    case table
    case json
    case markdown

    static var help: String { "table, json or markdown (default: from --output's ending, else table)." }
    static var endings: String { ".txt, .json or .md" }
    static var list: String { "a table, JSON or Markdown" }
}

/// The formats of a list: of what a store holds, of what was added to it.
enum ListFormat: String, PrintedFormat {
    case table
    case json

    static var help: String { "Default: from the ending of --output, else table." }
    static var endings: String { ".txt or .json" }
    static var list: String { "a table or JSON" }
}

/// When colour is used.
enum ColorChoice: String, ExpressibleByArgument, CaseIterable {
    case auto
    case always
    case never
}
