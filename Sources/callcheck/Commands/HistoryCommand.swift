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
              callcheck history compact --store history.db
            """,
        subcommands: [HistoryList.self, HistoryPrune.self, HistoryCompact.self]
    )
}

/// What a store holds.
struct HistoryList: ParsableCommand, StatusCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the days and the inputs of a history.",
        discussion: """
            Days with their verifications and fingerprints, and inputs with what each added, damage included. A file \
            that came under several names is one input, with the first of them.

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
        let listing = StoreListing(contents, of: store.store)
        return output.destination.write(table: listing.writeTable, json: listing.writeJSON, output.resolvedFormat)
    }
}

/// Drops old days.
struct HistoryPrune: ParsableCommand, StatusCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune",
        abstract: "Drop the days before a date from a history.",
        discussion: """
            Their counts and fingerprints go, and what is ingested later of those days is not added: pruned entries \
            never come back. Inputs whose newest verification lies before the date leave the list. What has no day \
            stays.

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
            pruned = try HistoryStore(path: store.store, access: dryRun ? .rehearsing : .upkeep)
                .prune(before: before, isDryRun: dryRun)
        } catch {
            throw StoreFile.failure(error, store.store)
        }
        let report = PruneReport(
            store: store.store, before: before, days: pruned.days, verifications: pruned.verifications,
            fingerprints: pruned.fingerprints, inputs: pruned.inputs, isDryRun: dryRun)
        return output.destination.write(table: report.writeTable, json: report.writeJSON, output.resolvedFormat)
    }

    private static func day(_ text: String) throws -> Day {
        guard let day = Day(iso8601: text) else {
            throw ValidationError("A date such as 2026-07-01 is wanted: days are dropped as a whole.")
        }
        return day
    }
}

/// Gives back what a store does not need.
struct HistoryCompact: ParsableCommand, StatusCommand {
    static let configuration = CommandConfiguration(
        commandName: "compact",
        abstract: "List each input of a history once, and give back unused space.",
        discussion: """
            A history of an older callcheck lists a file once for every name that it came under: what is listed twice \
            goes. Then the file is written anew, without the space that pruning has left. Counts stay as they are.

              callcheck history compact --store history.db
            """
    )

    @OptionGroup(title: "Store") var store: StoreOptions
    @OptionGroup(title: "Output") var output: ListOptions

    func execute() throws -> ExitStatus {
        try output.destination.prepare()
        let compacted: CompactedStore
        do throws(HistoryFailure) {
            compacted = try HistoryStore(path: store.store, access: .upkeep).compact()
        } catch {
            throw StoreFile.failure(error, store.store)
        }
        let report = CompactReport(
            store: store.store, inputs: compacted.inputs, bytesBefore: compacted.bytesBefore,
            bytesAfter: compacted.bytesAfter)
        return output.destination.write(table: report.writeTable, json: report.writeJSON, output.resolvedFormat)
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
