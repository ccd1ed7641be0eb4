import ArgumentParser
import Entries
import History
import Readiness
import Reports
import Verifications

struct StoreCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Keep a nightly history: a file in which each entry counts once.",
        discussion: """
              callcheck store add history.db export-2026-10-14.json.gz
              callcheck --store history.db
              callcheck store list history.db
            """,
        subcommands: [StoreAdd.self, StoreList.self, StorePrune.self, StoreCompact.self]
    )
}

/// Does one thing with a store, and prints a list.
private func use(
    _ store: String, _ options: SettingsOptions, _ printing: PrintingOptions, for access: (Settings) -> Store.Access,
    _ list: (Store, Settings) throws(StoreFailure) -> any ListReport
) throws -> ExitStatus {
    try StoreOptions.refuseNonFile(store, "The first argument")
    let run = try Run(
        Settings(options, [printing.typed]), printing, among: OutputFormat.ofLists, store: store)
    let report = try NamedStore.use(store, for: access(run.settings)) { opened throws(StoreFailure) in
        try list(opened, run.settings)
    }
    return run.write(report)
}

struct StoreList: Command {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the days and the inputs of a store.",
        usage: "callcheck store list <file> [<options>]",
        discussion: """
              callcheck store list history.db
              callcheck store list history.db --limit all
              callcheck store list history.db --format json | jq '.inputs[-1]'

            Lists the days with their requests, and what each input holds, with its damage. A file that was added under \
            several names is one input. Many inputs of one day share a line.
            """)

    @Argument(help: .value("The store.", "file"), completion: .file()) var store: String
    @Option(
        name: [.customShort("L", allowingJoined: true), .long], help: .value("all: a line for each input.", "all"),
        transform: StoreList.all)
    var limit = false
    @OptionGroup var printing: PrintingOptions
    @OptionGroup var settings: SettingsOptions

    func execute() throws -> ExitStatus {
        try use(store, settings, printing, for: { _ in .reading }) { opened, _ throws(StoreFailure) in
            StoreListing(try opened.contents(), of: store, listsAll: limit)
        }
    }

    private static func all(_ word: String) throws -> Bool {
        guard word == "all" else { throw ValidationError("write all.") }
        return true
    }
}

struct StorePrune: Command {
    static let configuration = CommandConfiguration(
        commandName: "prune",
        abstract: "Delete the days before a date from a store.",
        usage: "callcheck store prune <file> --before <date> [<options>]",
        discussion: """
              callcheck store prune history.db --before 2026-07-01 --set dry-run=true
              callcheck store prune history.db --before 2026-07-01
              callcheck store compact history.db

            Entries from these days are ignored from then on. Entries without a time go with the last day of their \
            input.
            With --set dry-run=true, shows what would be deleted; changes nothing.
            """)

    @Argument(help: .value("The store.", "file"), completion: .file()) var store: String
    @Option(help: .value("The first day to keep.", "date"), transform: StorePrune.day) var before: Day
    @OptionGroup var printing: PrintingOptions
    @OptionGroup var settings: SettingsOptions

    func execute() throws -> ExitStatus {
        try use(store, settings, printing, for: { $0.isOn(\.dryRun) ? .rehearsing : .upkeep }) {
            opened, settings throws(StoreFailure) in
            let isDryRun = settings.isOn(\.dryRun)
            let pruned = try opened.prune(before: before, isDryRun: isDryRun)
            return UpkeepReport.pruned(
                store: store, before: before, days: pruned.days, verifications: pruned.verifications,
                inputs: pruned.sources, isDryRun: isDryRun)
        }
    }

    private static func day(_ text: String) throws -> Day {
        guard let day = Day(iso8601: text) else {
            throw ValidationError("Write a date such as 2026-07-01: whole days are deleted.")
        }
        guard day <= Clock.now().day else {
            throw ValidationError("This date is in the future: every day would be deleted. Name a past day.")
        }
        return day
    }
}

struct StoreCompact: Command {
    static let configuration = CommandConfiguration(
        commandName: "compact",
        abstract: "Free the space that a store does not use.",
        usage: "callcheck store compact <file> [<options>]",
        discussion: """
              callcheck store prune history.db --before 2026-07-01
              callcheck store compact history.db
              callcheck store compact history.db --format json

            Rewrites the file without unused space, and packs what came in small pieces. Counts do not change.
            """)

    @Argument(help: .value("The store.", "file"), completion: .file()) var store: String
    @OptionGroup var printing: PrintingOptions
    @OptionGroup var settings: SettingsOptions

    func execute() throws -> ExitStatus {
        try use(store, settings, printing, for: { _ in .upkeep }) { opened, _ throws(StoreFailure) in
            let bytes = try opened.compact()
            return UpkeepReport.compacted(store: store, bytesBefore: bytes.before, bytesAfter: bytes.after)
        }
    }
}
