import Analysis
import ArgumentParser
import History
import LogStream
import Platform
import Verifications

struct SnapshotCommand: StatusCommand {
    static let configuration = CommandConfiguration(
        commandName: "snapshot",
        abstract: "Count logs into a snapshot that can be merged.",
        usage: "callcheck snapshot [<options>] [<input> ...] --output <file>",
        discussion: """
            Every judging command reads snapshots among its inputs, told by content, and answers as it would on the logs. \
            Snapshots of snapshots merge them; a source in two of them counts once.

              callcheck snapshot monday/ -o monday.snapshot
              callcheck snapshot monday.snapshot tuesday.snapshot -o both.snapshot
              callcheck snapshot --store history.db -o history.snapshot
              callcheck both.snapshot wednesday/

            A snapshot holds names of functions and sources, counts, times and hashes; nothing else of the logs.

            EXIT STATUS
              0   all inputs are in the snapshot
              64  the command line or the settings are wrong
              65  damaged or unreadable data; what was readable is in the
                  snapshot, and commands that read it show the damage
              66  an input is missing; the others are in the snapshot
              74  reading or writing failed, or the store cannot be used
            """)

    @OptionGroup(title: "Inputs") var reading: ReadingOptions
    @OptionGroup(title: "Inputs") var inputs: InputOptions
    @OptionGroup(title: "Inputs") var history: HistoryOptions
    @OptionGroup(title: "Output") var printing: PrintingOptions
    @OptionGroup var config: ConfigOptions

    var plan = Resolved<Plan>()

    func resolve() throws -> Plan {
        if inputs.keepsDuplicates { throw ValidationError(Messages.copiesInSnapshot) }
        let settings = try Settings(config.config, [reading, history, printing])
        if printing.destination.isStandardOutput, Terminal.isTerminal(STDOUT_FILENO) {
            throw ValidationError("A snapshot is not text: name a file with --output, or pipe it on.")
        }
        let store = try history.path(settings, inputs: reading.input)
        let named = store != nil && reading.input.isEmpty ? nil : reading.input
        return try Plan(settings, printing.destination, inputs: named, store: store)
    }

    func run(_ plan: Plan) throws -> ExitStatus {
        var analysis = LogAnalysis(inputs: plan.found.inputs, horizon: Instant(seconds: .max))
        analysis.jobs = plan.settings.threads
        analysis.scan = plan.settings.scan(inputs.fingerprints)
        analysis.openLimit = inputs.openLimit
        let progress = Progress(total: plan.found.size, isWanted: plan.settings.showsProgress)
        let stored = try plan.store.map { path throws(Failure) in
            try StoreFile.use(path, for: .reading, key: analysis.scan.fingerprintKey) { store throws(StoreFailure) in
                let held = try store.packed()
                return PackedSources(held.sources, sealed: held.sealed, records: held.records)
            }
        }
        let result = analysis.snapshot(with: stored ?? PackedSources(), progress: progress.counter) {
            [input = progress.input] in input.begin($0)
        }
        progress.finish()
        try result.input.refuseTooManyFunctions()
        let written = plan.output.write { $0.write(result.bytes) }
        Messages.print(Messages.faults(of: result.input, plan.found, isStrict: analysis.scan.isStrict))
        return .of(result.input, isStrict: analysis.scan.isStrict, written: written)
    }
}
