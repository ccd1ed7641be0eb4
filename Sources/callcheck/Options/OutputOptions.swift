import ArgumentParser
import Readiness
import Reports

/// How and where to print.
struct OutputOptions: ParsableArguments {
    @Option(
        name: [.customShort("f", allowingJoined: true), .long],
        help: "table, json, csv, markdown, html or prometheus (default: from --output's ending, else table).")
    var format: OutputFormat?

    @OptionGroup var printing: PrintingOptions

    /// The format asked for, or the one that the output's ending tells.
    var resolvedFormat: OutputFormat {
        format ?? printing.formatOfEnding ?? .table
    }

    var quiet: Bool {
        printing.quiet
    }

    var destination: Destination {
        printing.destination
    }

    func validate() throws {
        guard format == nil, let output = printing.outputWithoutFormat else { return }
        throw ValidationError(Messages.noFormat(output, endings: ".txt, .json, .csv, .md, .html or .prom"))
    }

    var style: TerminalStyle {
        if case .standardOutput = destination { return Terminal.style(color: printing.color, isRedirected: false) }
        return Terminal.style(color: printing.color, isRedirected: true)
    }
}

/// The formats of a summary.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
    case table
    case json
    case csv
    case markdown
    case html
    case prometheus

    init?(ending path: String) {
        switch path.split(separator: ".").last?.lowercased() {
        case "json": self = .json
        case "csv": self = .csv
        case "md", "markdown": self = .markdown
        case "html", "htm": self = .html
        case "prom": self = .prometheus
        case "txt": self = .table
        default: return nil
        }
    }

    /// True for the formats that people read, which say what could mislead them.
    var hasNotes: Bool {
        self == .table || self == .markdown
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
        }
    }
}

/// When colour is used.
enum ColorChoice: String, ExpressibleByArgument, CaseIterable {
    case auto
    case always
    case never
}
