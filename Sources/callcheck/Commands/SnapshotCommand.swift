import Analysis
import ArgumentParser
import LogStream
import Platform
import Reports
import Verifications

/// Writes what logs hold as counts that merge.
struct SnapshotCommand: StatusCommand {
    static let configuration = CommandConfiguration(
        commandName: "snapshot",
        abstract: "Write what logs hold as counts that merge.",
        usage: "callcheck snapshot [<options>] [<input> ...] --output <file>",
        discussion: """
            Every judging command reads snapshots among its inputs, told by content, and answers as it would on the logs. \
            Snapshots of snapshots merge them; a source in two of them counts once.

              callcheck snapshot monday/ -o monday.snapshot
              callcheck snapshot monday.snapshot tuesday.snapshot -o both.snapshot
              callcheck both.snapshot wednesday/

            A snapshot holds names of functions and sources, counts, times and hashes; nothing else of the logs.

            EXIT STATUS
              0   all inputs are in the snapshot
              64  the command line or the settings are wrong
              65  damaged or unreadable data; what was readable is in the
                  snapshot, and commands that read it show the damage
              66  an input is missing; the others are in the snapshot
              74  reading or writing failed
            """
    )

    @OptionGroup(title: "Inputs") var reading: ReadingOptions
    @OptionGroup(title: "Inputs") var inputs: InputOptions
    @Flag(help: "Keep sums alone, without hashes and callers: smaller, but copies in other sources count twice.")
    var noFingerprints = false
    @OptionGroup(title: "Output") var printing: PrintingOptions
    @OptionGroup var config: ConfigOptions

    var plan = Resolved<SnapshotPlan>()

    mutating func validate() throws {
        if inputs.keepsDuplicates { throw ValidationError(Messages.copiesInSnapshot) }
        plan = try Resolved { try SnapshotPlan(self) }
    }

    func execute() throws -> ExitStatus {
        let plan = try plan.get()
        plan.settings.announce(isQuiet: plan.printing.quiet)
        let output = plan.printing.destination
        try output.prepare()
        let progress = Progress(total: plan.found.size, isWanted: plan.printing.showsProgress)
        let result = plan.analysis.snapshot(
            keepsFingerprints: plan.keepsFingerprints, progress: progress.counter
        ) { [input = progress.input] in input.begin($0) }
        progress.finish()
        let written = output.write { $0.write(result.bytes) }
        Messages.print(Messages.faults(of: result.input, plan.found, isStrict: plan.analysis.scan.isStrict))
        return .of(result.input, isStrict: plan.analysis.scan.isStrict, written: written)
    }
}

/// What the command line of `snapshot` means.
struct SnapshotPlan {
    let settings: Settings
    let analysis: LogAnalysis
    let found: FoundInputs
    let keepsFingerprints: Bool
    let printing: PrintingOptions

    /// - Throws: `ValidationError` for the command line.
    init(_ command: SnapshotCommand) throws {
        var (reading, inputs, printing) = (command.reading, command.inputs, command.printing)
        var settings = try Settings(command.config.config)
        reading.fill(from: &settings)
        printing.fill(from: &settings)
        self.settings = settings
        self.printing = printing
        if printing.destination.isStandardOutput, Terminal.isTerminal(STDOUT_FILENO) {
            throw ValidationError(Messages.snapshotToTerminal)
        }
        found = try FoundInputs(reading.input)
        keepsFingerprints = !command.noFingerprints
        var analysis = LogAnalysis(inputs: found.inputs, horizon: Instant(seconds: .max))
        analysis.jobs = reading.threads
        analysis.scan = reading.scan
        analysis.openLimit = inputs.openLimit
        if let key = inputs.fingerprints.key { analysis.snapshotKey = key }
        self.analysis = analysis
        try RunFiles(inputs: found.inputs, texts: settings.texts, output: printing.destination).refuseOverlaps()
    }
}
