import ArgumentParser
import LogStream
import Reports
import Verifications

/// Adds exports to a history, each entry once.
struct Ingest: ParsableCommand, StatusCommand {
    static let configuration = CommandConfiguration(
        abstract: "Add exports to a history, each entry once.",
        discussion: """
            For a nightly job: what check, explain and report then read with --store FILE instead of inputs.

              callcheck ingest --store history.db export-2026-10-14.json.gz
              gcloud storage cat 'gs://BUCKET/**' | callcheck ingest --store history.db -
              callcheck ingest --store history.db --dry-run logs/

            An entry counts once, ever: the same file again, exports that overlap, two runs at once, or a run that \
            was killed and is run again all leave the same counts. Each input is added as a whole or not at all. A \
            line per input tells how many verifications were added, how many the store knew, and how many were too \
            old for it to know (see --retention).

            Of a damaged input all that was readable is added, and the damage is recorded. An intact copy of it can \
            be added at any later time.

            EXIT STATUS
              0   all inputs were added
              64  the command line is wrong
              65  damaged data, with --strict any malformed record, or no
                  record at all; what was readable was added
              66  an input is missing; the others were added, and where there
                  are none no store is made
              74  reading or writing failed, or the store cannot be used;
                  inputs that were told of are added
            """
    )

    @OptionGroup(title: "Store") var store: StoreOptions
    @OptionGroup(title: "Store") var retention: RetentionOptions
    @Flag(help: "Tell what would be added, and write nothing.")
    var dryRun = false
    @OptionGroup(title: "Inputs") var inputs: ReadingOptions
    @Flag(name: .customLong("no-dedupe"), help: .hidden)
    var keepsDuplicates = false
    @OptionGroup(title: "Output") var output: ListOptions

    func validate() throws {
        if keepsDuplicates { throw ValidationError(Messages.copiesInStore) }
        _ = try findInputs()
    }

    func execute() throws -> ExitStatus {
        let found = try findInputs()
        try output.destination.prepare()
        var run = try IngestRun(
            store.store, inputs, now: Clock.now(), isDryRun: dryRun, makesStore: found.canBeOpened)
        let progress = Progress(total: found.size, isWanted: output.printing.showsProgress)
        run.add(found.inputs, retentionDays: retention.retention, progress: progress.counter)
        progress.finish()
        let report = run.report
        let written = output.destination.write(table: report.writeTable, json: report.writeJSON, output.resolvedFormat)
        Messages.tellFaults(of: report.total, found, isStrict: inputs.strict)
        Messages.explain(run, isQuiet: output.printing.quiet)
        let status = ExitStatus.of(report.total, isStrict: inputs.strict, needsRecords: true)
        guard let failure = run.failure else { return .mostSerious([written, status]) }
        throw StoreFile.failure(failure, store.store)
    }

    private func findInputs() throws -> FoundInputs {
        var found = try FoundInputs(inputs.input)
        // A store may lie in the folder of the logs, but reading it as a log would drop SQLite's locks on it.
        found.leaveOut(StoreFile.files(of: store.store))
        try RunFiles(inputs: found.inputs, store: store.store, output: output.destination).refuseOverlaps()
        return found
    }
}
