import ArgumentParser
import LogStream
import Reports

/// Adds exports to a store, counting each entry once.
struct Ingest: StatusCommand {
    static let configuration = CommandConfiguration(
        commandName: "ingest",
        abstract: "Add exports to a store, counting each entry once.",
        usage: "callcheck ingest --store <file> [<options>] [<input> ...]",
        discussion: """
            For a nightly job. check, explain and report then read the store with --store FILE instead of inputs.

              callcheck ingest --store history.db export-2026-10-14.json.gz
              gcloud storage cat 'gs://BUCKET/**' | callcheck ingest --store history.db -

            An entry counts only once: the same file again, exports that overlap, two runs at once, or a run that was \
            killed and is run again all leave the same counts. Each input is added as a whole or not at all. Of a \
            damaged input, everything readable is added; an intact copy of it can be added later.

            EXIT STATUS
              0   all inputs were added; with --quiet, nothing is printed
              64  the command line or the settings are wrong
              65  damaged data, with --strict any malformed record, or no record at
                  all; what was readable was added
              66  an input is missing; the others were added
              74  reading or writing failed, or the store cannot be used
            """
    )

    @OptionGroup(title: "Store") var store: StoreOptions
    @OptionGroup(title: "Store") var retention: RetentionOptions
    @Flag(help: "Show what would be added, and write nothing.")
    var dryRun = false
    @OptionGroup(title: "Inputs") var inputs: ReadingOptions
    @Flag(name: .customLong("no-dedupe"), help: .private)
    var keepsDuplicates = false
    @OptionGroup(title: "Output") var output: FormatOptions<ListFormat>
    @OptionGroup(title: "Output") var printing: PrintingOptions
    @OptionGroup var config: ConfigOptions

    var plan = Resolved<IngestPlan>()

    mutating func validate() throws {
        if keepsDuplicates { throw ValidationError(Messages.copiesInStore) }
        plan = try Resolved { try IngestPlan(self) }
    }

    func execute() throws -> ExitStatus {
        let plan = try plan.get()
        let output = plan.output
        plan.settings.announce(isQuiet: output.printing.quiet)
        try output.printing.destination.prepare()
        var run = try IngestRun(plan)
        let progress = Progress(total: plan.found.size, isWanted: output.printing.showsProgress)
        run.addAll(progress: progress)
        progress.finish()
        let report = run.report
        // Cron mails whatever is printed.
        let isSilent = output.printing.quiet && output.format != .json && output.printing.destination.isStandardOutput
        let written = isSilent ? .success : output.write(table: report.writeTable, json: report.writeJSON)
        Messages.print(run.messages)
        guard let failure = run.failure else {
            return .of(report.total, isStrict: plan.reading.strict, needsRecords: true, written: written)
        }
        return StoreFile.failure(failure, plan.store).status
    }
}
