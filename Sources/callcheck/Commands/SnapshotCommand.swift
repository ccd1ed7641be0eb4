import Analysis
import ArgumentParser
import History
import LogStream
import Platform
import Readiness
import Reports
import Verifications

struct SnapshotCommand: StatusCommand, SettingOptions {
    static let configuration = CommandConfiguration(
        commandName: "snapshot",
        abstract: "Count logs into a snapshot that can be merged.",
        usage: "callcheck snapshot [<log> ...] --output <file> [<options>]",
        discussion: """
              callcheck snapshot monday/ -o monday.snapshot
              callcheck snapshot monday.snapshot tuesday.snapshot -o both.snapshot
              callcheck both.snapshot wednesday/

            Pass snapshots wherever you pass logs; the result is the same. A snapshot of snapshots merges them; an input \
            in two of them counts once. With --store, the snapshot contains what the store does.

            A snapshot contains the names of functions and inputs, counts, times and hashes; nothing else of the logs.

            EXIT STATUS
              0   all inputs are in the snapshot
              64  the command line or the settings are wrong
              65  damaged or unreadable data; what was readable is in the
                  snapshot, and commands that read it show the damage
              66  an input is missing; the others are in the snapshot
              74  reading or writing failed, or the store cannot be used
            """)

    static let formats: [OutputFormat] = []

    @OptionGroup var reading: ReadingOptions
    @OptionGroup var history: StoreOptions
    @Option(
        name: [.customShort("o", allowingJoined: true), .long],
        help: .value("Write the snapshot to this file, atomically.", "file"), completion: .file())
    var output: String?
    @Flag(name: .shortAndLong, help: .rare("Nothing but errors on standard error.")) var quiet = false
    @OptionGroup var settings: SettingsOptions

    var plan = Resolved<Plan>()

    func typed() -> [SettingKey: [String]] { [.quiet: quiet ? ["true"] : []] }

    func resolve() throws -> Plan {
        let settings = try Settings(settings, [reading, history, self])
        guard settings.isOn(.dedupe) else { throw ValidationError(Messages.copiesInSnapshot) }
        let destination = Destination(output: output)
        if destination.isStandardOutput, Terminal.isTerminal(STDOUT_FILENO) {
            throw ValidationError("A snapshot is not text: name a file with --output, or pipe it on.")
        }
        let store = try StoreOptions.path(settings, inputs: reading.input)
        let named = store != nil && reading.input.isEmpty ? nil : reading.input
        return try Plan(settings, destination, inputs: named, store: store)
    }

    func run(_ plan: Plan) throws -> ExitStatus {
        var analysis = LogAnalysis(inputs: plan.found.inputs, horizon: Instant(seconds: .max))
        analysis.jobs = plan.settings.threads
        analysis.scan = plan.settings.scan
        analysis.openLimit = plan.settings.openLimit
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
