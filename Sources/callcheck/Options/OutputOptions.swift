import ArgumentParser
import PolicyFile
import Readiness
import Reports

struct PrintingOptions: ParsableArguments, SettingOptions {
    @Option(
        name: [.customShort("o", allowingJoined: true), .long],
        help: .value("Replaced only when complete; - means standard output.", "file"), completion: .file())
    var output: String?

    @Option(help: .rare("When to use colour.", "when")) var color: ColorChoice?

    @Flag(help: .rare("The same as --color never.")) var noColor = false

    @Flag(name: .shortAndLong, help: "Nothing but errors on standard error.") var quiet = false

    @Flag(help: .rare("No progress on standard error.")) var noProgress = false

    var typed: [PolicyKey: SettingValue?] {
        [
            .color: (noColor ? .never : color).map { .text($0.rawValue) }, .quiet: quiet ? .flag(true) : nil,
            .noProgress: noProgress ? .flag(true) : nil,
        ]
    }

    var destination: Destination { Destination(output: output) }

    fileprivate var formatOfEnding: OutputFormat? { output.flatMap(OutputFormat.init(ending:)) }
}

struct FormatOptions<Format: PrintedFormat>: ParsableArguments, SettingOptions {
    @Option(name: [.customShort("f", allowingJoined: true), .long], help: .value(Format.help))
    var format: Format?

    var typed: [PolicyKey: SettingValue?] { [.format: format.map { .text($0.rawValue) }] }

    /// An ending beats the settings file because it was typed; a format in the file that is not among these is ignored.
    func resolved(_ printing: PrintingOptions, _ settings: Settings) -> OutputFormat {
        let words = [format?.rawValue, printing.formatOfEnding?.rawValue, settings.text(.format)]
        let format = words.lazy.compactMap { $0.flatMap(Format.init(rawValue:)) }.first
        return format.flatMap { OutputFormat(rawValue: $0.rawValue) } ?? .table
    }

    /// Rejects a file whose ending leaves the format open, or names one that is not among these.
    func validate(_ printing: PrintingOptions) throws {
        guard format == nil, let path = printing.destination.path else { return }
        guard let ending = printing.formatOfEnding else {
            guard ReplacedFile(path).isReplaced else { return }
            throw ValidationError(Messages.noFormat(path, endings: Format.endings))
        }
        guard Format(rawValue: ending.rawValue) == nil else { return }
        throw ValidationError(
            "This command prints \(Format.list), not \(ending.rawValue): name a file that ends in \(Format.endings).")
    }
}

protocol PrintedFormat: ExpressibleByArgument, CaseIterable, Sendable, RawRepresentable<String> {
    static var help: String { get }
    static var endings: String { get }
    static var list: String { get }
}

extension PrintedFormat {
    static var help: String { "Default: from the ending of --output, else table." }
    static var endings: String { ".txt, .json, .csv, .md, .html or .prom" }
    static var list: String { "a page" }
}

struct SummaryFormat: PrintedFormat {
    let rawValue: String

    init?(rawValue: String) {
        guard SummaryFormat.allCases.contains(where: { $0.rawValue == rawValue }) else { return nil }
        self.rawValue = rawValue
    }

    private init(_ format: OutputFormat) { rawValue = format.rawValue }

    static let allCases = OutputFormat.allCases.filter { !$0.isForGatesOnly }.map { SummaryFormat($0) }
}

extension OutputFormat: PrintedFormat {}

enum PageFormat: String, PrintedFormat {
    case table, json, markdown

    static var help: String { "table, json or markdown (default: from --output's ending, else table)." }
    static var endings: String { ".txt, .json or .md" }
    static var list: String { "a table, JSON or Markdown" }
}

enum ListFormat: String, PrintedFormat {
    case table, json

    static var endings: String { ".txt or .json" }
    static var list: String { "a table or JSON" }
}

extension ColorChoice: ExpressibleByArgument {}

extension ArgumentHelp {
    /// Of an option: what it is for, and what its value is called.
    static func value(_ text: String, _ name: String? = nil) -> ArgumentHelp { ArgumentHelp(text, valueName: name) }

    /// The same of an option that only `--help-hidden` shows.
    static func rare(_ text: String, _ name: String? = nil) -> ArgumentHelp {
        ArgumentHelp(text, valueName: name, visibility: .hidden)
    }
}

/// Which functions a table lists, in which order, and what it says about them.
struct ViewOptions: ParsableArguments {
    @Flag(help: "One line: the answer alone.") var brief = false

    @Flag(help: "VALID, MISSING and INVALID of each function.") var counts = false

    @Option(
        name: .customLong("verdict"),
        help: .rare("List only functions with this verdict; repeatable, or with commas.", "verdict"))
    var verdicts: [VerdictList] = []

    @Option(help: .rare("Order of the functions (default: requests).", "by")) var sort: TableView.Order?

    @Option(help: .rare("List so many functions of each group, or all.", "n"))
    var top = RowLimit(count: TableView().top)

    /// What a table in the format shows; refused for a format that always has everything.
    func view(_ format: OutputFormat) throws -> TableView {
        var view = TableView()
        view.isBrief = brief
        view.isVerbose = counts
        view.verdicts = Set(verdicts.flatMap(\.verdicts))
        view.order = sort
        view.top = top.count
        guard view == TableView() || format == .table || format == .markdown else {
            throw ValidationError(
                """
                --brief, --counts, --verdict, --sort and --top shape tables; \(format.rawValue) always has everything. \
                Leave them out, or use -f table or -f markdown.
                """)
        }
        return view
    }
}

struct RowLimit: ExpressibleByArgument {
    let count: Int?

    init(count: Int?) { self.count = count }

    init?(argument: String) {
        if argument == "all" {
            count = nil
        } else if let number = Int(argument), number > 0 {
            count = number
        } else {
            return nil
        }
    }

    var defaultValueDescription: String { count.map { String($0) } ?? "all" }
}

struct VerdictList: ExpressibleByArgument {
    let verdicts: [Verdict]

    init?(argument: String) {
        let words = argument.split(separator: ",", omittingEmptySubsequences: false)
        verdicts = words.compactMap { Verdict(rawValue: String($0)) }
        guard verdicts.count == words.count else { return nil }
    }

    static var allValueStrings: [String] { Verdict.allCases.map(\.rawValue) }
}

extension TableView.Order: ExpressibleByArgument {}
