import ArgumentParser
import History
import Reports
import Verifications

/// Upkeep of a store.
struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Look after a history: what is in it, and what may go.",
        discussion: """
              callcheck history list --store history.db
              callcheck history prune --store history.db --before 2026-07-01
            """,
        subcommands: [HistoryList.self, HistoryPrune.self]
    )
}

/// What a store holds.
struct HistoryList: ParsableCommand, StatusCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the days and the inputs of a history.",
        discussion: """
            Days with their verifications and fingerprints, and inputs with what each added, damage included.

              callcheck history list --store history.db
              callcheck history list --store history.db --format json | jq '.inputs[-1]'
            """
    )

    @OptionGroup(title: "Store") var store: StoreOptions
    @OptionGroup(title: "Output") var output: ListOptions

    func validate() throws {
        try RunFiles(store: store.store, output: output.destination).refuseOverlaps()
    }

    func execute() throws -> ExitStatus {
        try output.destination.prepare()
        let contents: StoreContents
        do throws(HistoryFailure) {
            contents = try HistoryStore(path: store.store, access: .reading).contents()
        } catch {
            throw StoreFile.failure(error, store.store)
        }
        let page = HistoryPage(contents, of: store.store)
        return output.destination.write(table: page.writeTable, json: page.writeJSON, output.resolvedFormat)
    }
}

/// Drops old days.
struct HistoryPrune: ParsableCommand, StatusCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune",
        abstract: "Drop the days before a date from a history.",
        discussion: """
            Their counts and fingerprints go, and what is ingested later of those days is not added: pruned entries \
            never come back. What has no day stays, and so does the list of inputs.

              callcheck history prune --store history.db --before 2026-07-01 --dry-run
              callcheck history prune --store history.db --before 2026-07-01
            """
    )

    @OptionGroup(title: "Store") var store: StoreOptions
    @Option(help: "The first day that stays.", transform: HistoryPrune.day)
    var before: Day
    @Flag(help: "Tell what would go, and change nothing.")
    var dryRun = false
    @OptionGroup(title: "Output") var output: ListOptions

    func validate() throws {
        try RunFiles(store: store.store, output: output.destination).refuseOverlaps()
        guard before <= Clock.now().day else {
            throw ValidationError(
                "--before lies in the future: all days would go, and nothing could be added until then. Name a past day."
            )
        }
    }

    func execute() throws -> ExitStatus {
        try output.destination.prepare()
        let pruned: PrunedDays
        do throws(HistoryFailure) {
            pruned = try HistoryStore(path: store.store, access: .upkeep).prune(before: before, isDryRun: dryRun)
        } catch {
            throw StoreFile.failure(error, store.store)
        }
        let report = PruneReport(
            store: store.store, before: before, days: pruned.days, verifications: pruned.verifications,
            fingerprints: pruned.fingerprints, isDryRun: dryRun)
        return output.destination.write(table: report.writeTable, json: report.writeJSON, output.resolvedFormat)
    }

    private static func day(_ text: String) throws -> Day {
        guard let day = Day(iso8601: text) else {
            throw ValidationError("A date such as 2026-07-01 is wanted: days are dropped as a whole.")
        }
        return day
    }
}

extension HistoryPage {
    fileprivate init(_ contents: StoreContents, of store: String) {
        self.init(store: store)
        bytes = contents.bytes
        functions = contents.functions
        retentionDays = contents.retentionDays
        sealedBefore = contents.sealedBefore
        dayless = contents.dayless
        days = contents.days.map {
            Day(
                day: $0.day, verifications: $0.verifications, functions: $0.functions, fingerprints: $0.fingerprints)
        }
        inputs = contents.inputs.map { input in
            Input(
                IngestedInput(name: input.name, summary: input.summary, number: input.number),
                ingestedAt: input.ingestedAt, size: input.size, replacedBy: input.replacedBy)
        }
    }
}
