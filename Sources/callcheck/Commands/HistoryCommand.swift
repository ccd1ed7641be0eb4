import ArgumentParser
import History
import Reports
import Verifications

/// Upkeep of a store.
struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Maintain a store: list what it holds, drop old days, give back space.",
        discussion: """
              callcheck history list --store history.db
              callcheck history prune --store history.db --before 2026-07-01
              callcheck history compact --store history.db
            """,
        subcommands: [HistoryList.self, HistoryPrune.self, HistoryCompact.self]
    )
}

/// A command that does one thing with a store and prints a list.
protocol StoreCommand: StatusCommand {
    var store: StoreOptions { get }
    var output: FormatOptions<ListFormat> { get }
    var printing: PrintingOptions { get }
    var config: ConfigOptions { get }
    var plan: Resolved<StorePlan> { get set }
    var access: HistoryStore.Access { get }

    /// Takes the step; `path` is the store's.
    func list(_ store: HistoryStore, at path: String) throws(HistoryFailure) -> ListWriters
}

/// What the command line of a step with a store means.
struct StorePlan {
    let settings: Settings
    let store: String
    let output: ListOutput

    init(_ command: some StoreCommand) throws {
        try command.output.validate(command.printing)
        var settings = try Settings(command.config.config)
        output = ListOutput(command.output, command.printing, &settings)
        store = try command.store.filled(from: &settings)
        try RunFiles(texts: settings.texts, store: store, output: output.printing.destination).refuseOverlaps()
        self.settings = settings
    }
}

/// Writes a list, as a table and as JSON.
typealias ListWriters = (table: (inout DescriptorStream) -> Void, json: (inout DescriptorStream) -> Void)

extension StoreCommand {
    mutating func validate() throws {
        plan = try Resolved { try StorePlan(self) }
    }

    func execute() throws -> ExitStatus {
        let plan = try plan.get()
        plan.settings.announce(isQuiet: plan.output.printing.quiet)
        try plan.output.printing.destination.prepare()
        let (table, json) = try StoreFile.use(plan.store, for: access) { store throws(HistoryFailure) in
            try list(store, at: plan.store)
        }
        return plan.output.write(table: table, json: json)
    }
}

/// What a store holds.
struct HistoryList: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the days and the inputs of a store.",
        usage: "callcheck history list --store <file> [<options>]",
        discussion: """
            Days with their verifications and fingerprints, and inputs with what each added, damage included. A file \
            that was added under several names is one input, listed under the first.

              callcheck history list --store history.db
              callcheck history list --store history.db --format json | jq '.inputs[-1]'
            """
    )

    @OptionGroup(title: "Store") var store: StoreOptions
    @OptionGroup(title: "Output") var output: FormatOptions<ListFormat>
    @OptionGroup(title: "Output") var printing: PrintingOptions
    @OptionGroup var config: ConfigOptions
    var plan = Resolved<StorePlan>()
    var access: HistoryStore.Access { .reading }

    func list(_ store: HistoryStore, at path: String) throws(HistoryFailure) -> ListWriters {
        let page = StoreListing(try store.contents(), of: path)
        return (page.writeTable, page.writeJSON)
    }
}

/// Drops old days.
struct HistoryPrune: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune",
        abstract: "Drop the days before a date from a store.",
        usage: "callcheck history prune --store <file> --before <date> [<options>]",
        discussion: """
            Drops their counts and fingerprints. Entries of these days are not added again: what is pruned never comes \
            back. Inputs whose newest verification is older than the date leave the list. Entries without a time stay.

              callcheck history prune --store history.db --before 2026-07-01 --dry-run
              callcheck history prune --store history.db --before 2026-07-01
            """
    )

    @OptionGroup(title: "Store") var store: StoreOptions
    @Option(help: ArgumentHelp("The first day that stays.", valueName: "date"), transform: HistoryPrune.day)
    var before: Day
    @Flag(help: "Show what would go, and change nothing.")
    var dryRun = false
    @OptionGroup(title: "Output") var output: FormatOptions<ListFormat>
    @OptionGroup(title: "Output") var printing: PrintingOptions
    @OptionGroup var config: ConfigOptions
    var plan = Resolved<StorePlan>()
    var access: HistoryStore.Access { dryRun ? .rehearsing : .upkeep }

    func list(_ store: HistoryStore, at path: String) throws(HistoryFailure) -> ListWriters {
        let pruned = try store.prune(before: before, isDryRun: dryRun)
        let report = UpkeepReport.pruned(
            store: path, before: before, days: pruned.days, verifications: pruned.verifications,
            fingerprints: pruned.fingerprints, inputs: pruned.inputs, isDryRun: dryRun)
        return (report.writeTable, report.writeJSON)
    }

    private static func day(_ text: String) throws -> Day {
        guard let day = Day(iso8601: text) else {
            throw ValidationError("Write a date such as 2026-07-01: days are dropped as a whole.")
        }
        guard day <= Clock.now().day else {
            throw ValidationError(
                "It is in the future: all days would go, and nothing could be added until then. Name a past day.")
        }
        return day
    }
}

/// Frees the space that a store does not need.
struct HistoryCompact: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "compact",
        abstract: "List each input of a store once, and give back unused space.",
        usage: "callcheck history compact --store <file> [<options>]",
        discussion: """
            Stores of older versions list a file once for every name that it was added under: repeated inputs leave \
            the list. Then the file is rewritten without the space that pruning has left. Counts do not change.

              callcheck history compact --store history.db
            """
    )

    @OptionGroup(title: "Store") var store: StoreOptions
    @OptionGroup(title: "Output") var output: FormatOptions<ListFormat>
    @OptionGroup(title: "Output") var printing: PrintingOptions
    @OptionGroup var config: ConfigOptions
    var plan = Resolved<StorePlan>()
    var access: HistoryStore.Access { .upkeep }

    func list(_ store: HistoryStore, at path: String) throws(HistoryFailure) -> ListWriters {
        let compacted = try store.compact()
        let report = UpkeepReport.compacted(
            store: path, inputs: compacted.inputs, bytesBefore: compacted.bytesBefore,
            bytesAfter: compacted.bytesAfter)
        return (report.writeTable, report.writeJSON)
    }
}

extension StoreListing {
    fileprivate init(_ contents: StoreContents, of store: String) {
        self.init(store: store)
        bytes = contents.bytes
        functions = contents.functions
        retentionDays = contents.retentionDays
        sealedBefore = contents.sealedBefore
        dayless = contents.dayless
        days = contents.days.map {
            DayRow(
                day: $0.day, verifications: $0.verifications, functions: $0.functions, fingerprints: $0.fingerprints)
        }
        inputs = contents.inputs.map { input in
            InputRow(
                IngestedInput(name: input.name, summary: input.summary, number: input.number),
                firstSeen: input.firstSeen, size: input.size, replacedBy: input.replacedBy)
        }
    }
}
