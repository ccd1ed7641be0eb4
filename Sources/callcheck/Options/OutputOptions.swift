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

    /// How a summary is written down.
    func summaryReport(style: TerminalStyle) -> any Report {
        switch self {
        case .table: TableReport(style: style)
        case .json: JSONReport()
        case .csv: CSVReport()
        case .markdown: MarkdownReport()
        case .html: HTMLReport()
        case .prometheus: PrometheusReport()
        }
    }

    /// What is said about one function.
    func text(explaining explanation: Explanation, policyFile: String?, style: TerminalStyle) -> String {
        var text = ""
        switch self {
        case .table: ExplainReport(policyFile: policyFile, style: style).write(explanation, to: &text)
        case .markdown: ExplainMarkdownReport(policyFile: policyFile).write(explanation, to: &text)
        case .json, .csv, .html, .prometheus: summaryReport(style: style).write(explanation.summary, to: &text)
        }
        return text
    }

    /// How the answer of a gate is written down; to programs the summary tells all, beside the exit status.
    func checkReport(_ check: GateCheck, style: TerminalStyle) -> any Report {
        switch self {
        case .table: CheckReport(check, style: style)
        case .markdown: CheckMarkdownReport(check)
        case .json: JSONReport(check)
        case .csv, .html, .prometheus: summaryReport(style: style)
        }
    }

    /// How the morning page is written down.
    func nightlyPage(style: TerminalStyle) -> any NightlyPage {
        switch self {
        case .table: NightlyTable(style: style)
        case .json: NightlyJSON()
        case .csv: NightlyCSV()
        case .markdown: NightlyMarkdown(isFolding: Terminal.isGitHub)
        case .html: NightlyHTML()
        case .prometheus: NightlyPrometheus()
        }
    }
}

/// When colour is used.
enum ColorChoice: String, ExpressibleByArgument, CaseIterable {
    case auto
    case always
    case never
}
