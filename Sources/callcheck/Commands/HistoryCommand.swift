import ArgumentParser
import History
import Reports
import Verifications

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
protocol StoreCommand: StatusCommand where Plan == callcheck.Plan {
    var store: StoreOptions { get }
    var output: FormatOptions<ListFormat> { get }
    var printing: PrintingOptions { get }
    var config: ConfigOptions { get }
    var access: Store.Access { get }

    func list(_ store: Store, at path: String) throws(StoreFailure) -> any ListReport
}

extension StoreCommand {
    func resolve() throws -> Plan {
        try output.validate(printing)
        let settings = try Settings(config.config, [store, output, printing])
        return try Plan(
            settings, printing.destination, output.resolved(printing, settings), store: store.path(settings))
    }

    func run(_ plan: Plan) throws -> ExitStatus {
        guard let path = plan.store else { preconditionFailure("the plan names a store") }
        let report = try StoreFile.use(path, for: access) { store throws(StoreFailure) in try list(store, at: path) }
        return plan.write(report)
    }
}

struct HistoryList: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the days and the inputs of a store.",
        usage: "callcheck history list --store <file> [<options>]",
        discussion: """
            Days with their verifications and fingerprints, and inputs with what each added, damage included. A file \
            that was added under several names is one input, listed under the first. Many inputs of one day share a \
            line.

              callcheck history list --store history.db
              callcheck history list --store history.db --format json | jq '.inputs[-1]'
            """)

    @OptionGroup(title: "Store") var store: StoreOptions
    @Flag(help: "List each input.") var all = false
    @OptionGroup(title: "Output") var output: FormatOptions<ListFormat>
    @OptionGroup(title: "Output") var printing: PrintingOptions
    @OptionGroup var config: ConfigOptions
    var plan = Resolved<Plan>()
    var access: Store.Access { .reading }

    func list(_ store: Store, at path: String) throws(StoreFailure) -> any ListReport {
        var page = StoreListing(try store.contents(), of: path)
        page.listsAll = all
        return page
    }
}

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
            """)

    @OptionGroup(title: "Store") var store: StoreOptions
    @Option(help: .value("The first day that stays.", "date"), transform: HistoryPrune.day) var before: Day
    @Flag(help: "Show what would go, and change nothing.") var dryRun = false
    @OptionGroup(title: "Output") var output: FormatOptions<ListFormat>
    @OptionGroup(title: "Output") var printing: PrintingOptions
    @OptionGroup var config: ConfigOptions
    var plan = Resolved<Plan>()
    var access: Store.Access { dryRun ? .rehearsing : .upkeep }

    func list(_ store: Store, at path: String) throws(StoreFailure) -> any ListReport {
        let pruned = try store.prune(before: before, isDryRun: dryRun)
        return UpkeepReport.pruned(
            store: path, before: before, days: pruned.days, verifications: pruned.verifications,
            fingerprints: pruned.entries, inputs: pruned.inputs, isDryRun: dryRun)
    }

    private static func day(_ text: String) throws -> Day {
        guard let day = Day(iso8601: text) else {
            throw ValidationError("Write a date such as 2026-07-01: days are dropped as a whole.")
        }
        guard day <= Clock.now().day else {
            throw ValidationError("This date is in the future: every day would be dropped. Name a past day.")
        }
        return day
    }
}

struct HistoryCompact: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "compact",
        abstract: "Give back the space that a store does not use.",
        usage: "callcheck history compact --store <file> [<options>]",
        discussion: """
            Rewrites the file without the space that old days and replaced inputs have left. Counts do not change.

              callcheck history compact --store history.db
            """)

    @OptionGroup(title: "Store") var store: StoreOptions
    @OptionGroup(title: "Output") var output: FormatOptions<ListFormat>
    @OptionGroup(title: "Output") var printing: PrintingOptions
    @OptionGroup var config: ConfigOptions
    var plan = Resolved<Plan>()
    var access: Store.Access { .upkeep }

    func list(_ store: Store, at path: String) throws(StoreFailure) -> any ListReport {
        let bytes = try store.compact()
        return UpkeepReport.compacted(store: path, bytesBefore: bytes.before, bytesAfter: bytes.after)
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
        days = contents.days.map { ($0.day, $0.verifications, $0.functions, $0.entries) }
        inputs = contents.inputs.map { input in
            let row = IngestedInput(name: input.name, summary: input.summary, number: input.number)
            return (row, input.firstSeen, input.size, input.replacedBy)
        }
    }
}
