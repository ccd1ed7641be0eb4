import ArgumentParser
import PolicyFile
import Readiness
import Reports

struct PrintingOptions: ParsableArguments {
    @Option(
        name: [.customShort("f", allowingJoined: true), .long],
        help: .value("Default: by the ending of --output, or table.", "format"),
        completion: .list(OutputFormat.allCases.map(\.rawValue)))
    var format: String?

    @Flag(help: .rare("The same as --format json.")) var json = false

    @Option(
        name: [.customShort("o", allowingJoined: true), .long],
        help: .value("Write to this file, atomically; - is standard output.", "file"), completion: .file())
    var output: String?

    @Option(
        help: .rare("When to use colour: auto, always or never.", "when"),
        completion: .list(ColorChoice.allCases.map(\.rawValue)))
    var color: String?

    @Flag(name: .shortAndLong, help: .rare("Nothing but errors on standard error.")) var quiet = false

    var typed: TypedSettings {
        [
            \.format: [json ? "json" : format].compactMap(\.self), \.color: [color].compactMap(\.self),
            \.quiet: quiet ? ["true"] : [],
        ]
    }

    mutating func validate() throws {
        guard !json || format == nil || format == "json" else {
            throw ValidationError("--json and --format ask for different formats: leave one of them out.")
        }
    }

    var destination: Destination { Destination(output: output) }

    /// The format to print, one of those that a command has.
    ///
    /// The option takes precedence, then the ending of the output. A format in a settings file is a default for every
    /// command: one that does not have it prints a table.
    func format(_ settings: Settings, among formats: [OutputFormat]) throws -> OutputFormat {
        let named = settings.format ?? .table
        let list = Messages.alternatives(formats.map(\.rawValue))
        if settings.origin(of: \.format).isTyped {
            guard formats.contains(named) else {
                throw ValidationError("This command prints \(list), not \(named.rawValue).")
            }
            return named
        }
        if let path = destination.path, ReplacedFile(path).isReplaced || OutputFormat(ending: path) != nil {
            let endings = Messages.alternatives(formats.compactMap(\.endings.first).map { ".\($0)" })
            guard let ending = OutputFormat(ending: path) else {
                throw ValidationError(Messages.noFormat(path, endings: endings))
            }
            guard formats.contains(ending) else {
                throw ValidationError(
                    "This command prints \(list), not \(ending.rawValue): name a file that ends in \(endings).")
            }
            return ending
        }
        return formats.contains(named) ? named : .table
    }
}

extension OutputFormat {
    /// The formats of a command that judges functions; only a gate has the others.
    static let ofReports = allCases.filter { $0 != .junit && $0 != .github }
    static let ofLists: [OutputFormat] = [.table, .json]
}

extension ArgumentHelp {
    /// Help for an option that people need, on one line, with the name of its value.
    static func value(_ text: String, _ name: String? = nil) -> ArgumentHelp { ArgumentHelp(text, valueName: name) }

    /// Help for an option that `--help` shows and `-h` does not.
    static func rare(_ text: String, _ name: String? = nil) -> ArgumentHelp {
        ArgumentHelp(text, valueName: name, visibility: .hidden)
    }
}

/// Options for the functions that a table lists, for their order, and for what it says about them.
struct ViewOptions: ParsableArguments {
    @Flag(help: "One line: the answer, and what may change it.") var brief = false

    @Flag(name: .shortAndLong, help: "Also counts, bounds and minor notes.") var verbose = false

    @Option(
        help: .rare("List only these: ready, not-safe, bad-tokens, not-enough-data and others; repeatable.", "word"),
        completion: .list(TableView.words))
    var only: [String] = []

    @Option(
        help: .rare("Order: requests (the default), refused or name.", "by"),
        completion: .list(TableView.Order.allCases.map(\.rawValue)))
    var sort: String?

    @Option(
        name: [.customShort("L", allowingJoined: true), .long],
        help: .rare("List this many functions of each group, or all (default: 10).", "n"))
    var limit: String?

    /// Returns the view of a table in the format; refused for a format that always has everything.
    func view(_ format: OutputFormat) throws -> TableView {
        var view = TableView()
        view.isBrief = brief
        view.isVerbose = verbose
        view.only = Set(
            try only.flatMap(SettingKey.items(of:)).map { try choice($0, "--only", TableView.words) { $0 } })
        view.order = try sort.map { try choice($0, "--sort", TableView.Order.allCases) { $0.rawValue } }
        if let limit {
            view.limit = Int(limit)
            guard limit == "all" || view.limit ?? 0 > 0 else {
                throw ValidationError("--limit: must be all, or a number above 0.")
            }
        }
        var rest = view
        if format == .csv { rest.only = [] }
        guard rest == TableView() || format == .table || format == .markdown else {
            let options = (format == .csv ? [] : ["--only"]) + ["--sort", "--limit"]
            throw ValidationError(
                """
                \((["--brief", "--verbose"] + options.dropLast()).joined(separator: ", ")) and --limit shape tables; \
                \(format.rawValue) always has everything. Leave them out, or use -f table or -f markdown.
                """)
        }
        if !only.isEmpty, limit == nil { view.limit = nil }
        return view
    }

    private func choice<Value>(_ word: String, _ option: String, _ all: [Value], _ name: (Value) -> String) throws
        -> Value
    {
        guard let value = all.first(where: { name($0) == word }) else {
            throw ValidationError("\(option): must be one of \(all.map(name).joined(separator: ", ")).")
        }
        return value
    }
}
