import Analysis
import ArgumentParser
import LogStream
import Readiness
import Reports

/// A table that refreshes while a log grows.
struct Watch: JudgingOptions {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Show a table that refreshes while the log goes on.",
        usage: "callcheck watch [<options>] [<input>]",
        discussion: """
            The table of summarize, anew each second, from entries in JSON as they arrive; what was shown last stays. \
            Without a terminal there is one table, at the end. callcheck export prints the filter.

              gcloud logging tail FILTER --format=json | callcheck watch --store history.db

            Memory does not grow: copies are found within 26 hours, days are forgotten after 90, and request rows are not \
            read.
            """
    )

    @Option(
        help: ArgumentHelp(
            "Begin with what this store holds; entries up to its newest are left out.", valueName: "file"),
        completion: .file())
    var store: String?
    @Flag(help: "Print one table below the other, whenever something has changed.")
    var noClear = false
    @OptionGroup(title: "Inputs") var reading: ReadingOptions
    @OptionGroup(title: "Inputs") var inputs: InputOptions
    @OptionGroup(title: "Selection") var selection: SelectionOptions
    @OptionGroup(title: "Verdict") var verdict: VerdictOptions
    @OptionGroup(title: "Output") var output: FormatOptions<OutputFormat>
    @OptionGroup(title: "Output") var printing: PrintingOptions
    @OptionGroup var config: ConfigOptions
    @OptionGroup(title: "Selection") var functions: FunctionOptions
    @OptionGroup(title: "Output") var table: ViewOptions
    var plan = Resolved<WatchPlan>()

    mutating func validate() throws {
        if let store { try HistoryOptions.refuseNonFile(store) }
        guard reading.input.count < 2 else {
            throw ValidationError("watch reads one input, standard input as a rule.")
        }
        if inputs.keepsDuplicates {
            throw ValidationError("watch counts each entry once; leave out --no-dedupe.")
        }
        plan = try Resolved { try WatchPlan(self) }
    }

    func execute() throws -> ExitStatus {
        let plan = try plan.get()
        plan.run.settings.announce(isQuiet: plan.run.printing.quiet, reading: plan.store)
        try plan.run.printing.destination.prepare()
        var run = try WatchRun(plan)
        return try run.watch()
    }
}

/// What the command line of `watch` means.
struct WatchPlan {
    let run: RunPlan
    let input: LogInput
    let store: String?
    /// True to print one table below the other.
    let keepsTables: Bool

    init(_ command: Watch) throws {
        run = try RunPlan(command, functions: command.functions, table: command.table)
        guard let input = run.found.inputs.first, run.found.inputs.count == 1 else {
            throw ValidationError("watch reads one input, standard input as a rule.")
        }
        self.input = input
        store = command.store
        keepsTables = command.noClear
        try RunFiles(
            inputs: [input], texts: run.settings.texts, store: store, output: run.printing.destination
        ).refuseOverlaps()
    }
}
