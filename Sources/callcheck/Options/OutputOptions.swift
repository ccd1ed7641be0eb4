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

    /// Refuses a file whose ending leaves the format open.
    fileprivate func requireFormat(endings: String) throws {
        guard case .file(let path) = destination, formatOfEnding == nil, ReplacedFile(path).isReplaced else { return }
        throw ValidationError(Messages.noFormat(path, endings: endings))
    }
}

/// How to print pages of functions.
struct OutputOptions: ParsableArguments {
    @Option(
        name: [.customShort("f", allowingJoined: true), .long],
        help: "Default: from the ending of --output, else table.")
    var format: OutputFormat?

    /// The format selected, or the one that the output's ending names.
    var resolvedFormat: OutputFormat { format ?? .table }

    /// An ending beats the settings file, as it is typed.
    mutating func fill(from settings: inout Settings, _ printing: PrintingOptions) {
        format = format ?? printing.formatOfEnding
        settings.fill(&format, .format) { $0.words[.format].flatMap(OutputFormat.init(rawValue:)) }
    }

    func validate(_ printing: PrintingOptions) throws {
        if format == nil { try printing.requireFormat(endings: ".txt, .json, .csv, .md, .html or .prom") }
    }
}

/// How and where to print a page about a rollout.
struct PageOptions: ParsableArguments {
    @Option(
        name: [.customShort("f", allowingJoined: true), .long],
        help: "table, json or markdown (default: from --output's ending, else table).")
    var format: PageFormat?

    @OptionGroup var printing: PrintingOptions

    /// An ending beats the settings file, as it is typed; a format of the file that no such page has is passed over.
    mutating func fill(from settings: inout Settings) {
        format = format ?? printing.formatOfEnding.flatMap { PageFormat(rawValue: $0.rawValue) }
        settings.fill(&format, .format) { $0.words[.format].flatMap(PageFormat.init(rawValue:)) }
        printing.fill(from: &settings)
    }

    var style: TerminalStyle { printing.style }

    func validate() throws {
        guard format == nil else { return }
        try printing.requireFormat(endings: ".txt, .json or .md")
        guard let ending = printing.formatOfEnding, PageFormat(rawValue: ending.rawValue) == nil else { return }
        throw ValidationError(
            "This command prints a table, JSON or Markdown, not \(ending.rawValue): name a file that ends in .txt, .json "
                + "or .md.")
    }
}

/// The formats of such a page.
enum PageFormat: String, ExpressibleByArgument, CaseIterable {
    case table
    case json
    case markdown
}

/// How and where to print lists: of what a store holds, of what was added to it.
struct ListOptions: ParsableArguments {
    @Option(
        name: [.customShort("f", allowingJoined: true), .long],
        help: "Default: from the ending of --output, else table.")
    var format: ListFormat?

    @OptionGroup var printing: PrintingOptions

    /// Writes a list in the format selected.
    func write(table: (inout DescriptorStream) -> Void, json: (inout DescriptorStream) -> Void) -> ExitStatus {
        printing.destination.write { format == .json ? json(&$0) : table(&$0) }
    }

    /// An ending beats the settings file, as it is typed; a format of the file that no list has is passed over.
    mutating func fill(from settings: inout Settings) {
        format = format ?? printing.formatOfEnding.flatMap { ListFormat(rawValue: $0.rawValue) }
        settings.fill(&format, .format) { $0.words[.format].flatMap(ListFormat.init(rawValue:)) }
        printing.fill(from: &settings)
    }

    func validate() throws {
        guard format == nil else { return }
        try printing.requireFormat(endings: ".txt or .json")
        guard let ending = printing.formatOfEnding, ending != .table, ending != .json else { return }
        throw ValidationError(
            "This command prints a table or JSON, not \(ending.rawValue): name a file that ends in .txt or .json.")
    }
}

/// The formats of a list.
enum ListFormat: String, ExpressibleByArgument, CaseIterable {
    case table
    case json
}

/// The formats of a page.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
    case table
    case json
    case csv
    case markdown
    case html
    case prometheus
    /// Has no ending of its own: it is JSON.
    case slack
    /// Of a gate alone.
    case junit
    case github

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

    /// True for the formats that carry notes on what could mislead their reader.
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

/// When colour is used.
enum ColorChoice: String, ExpressibleByArgument, CaseIterable {
    case auto
    case always
    case never
}
