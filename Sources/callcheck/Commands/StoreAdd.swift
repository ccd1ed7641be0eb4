import Analysis
import Entries
import ArgumentParser
import History
import LogStream
import Platform
import PolicyFile
import Readiness
import Reports
import Verifications

struct StoreAdd: StatusCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add logs to a store, counting each entry once.",
        usage: "callcheck store add <file> [<log> ...] [<options>]",
        discussion: """
              callcheck store add history.db export-2026-10-14.json.gz
              gcloud storage cat 'gs://BUCKET/**' | callcheck store add history.db -
              callcheck store add history.db logs/ --set retention=365d

            Use this in a nightly job; check, explain and report can then read the store (--store FILE) instead of logs.

            An entry counts only once: the same file again, exports that overlap, two runs at once, or a run that was \
            killed and is run again all leave the same counts. Each input is added as a whole or not at all. If an \
            input is damaged, everything readable is added; an intact copy can be added later.

            Entries are kept for this many days before the newest one: --set retention=365d (default: the store's \
            setting; 90 days in a new store). Entries of earlier days are ignored. With --set dry-run=true, shows what \
            would be added; writes nothing.

            EXIT STATUS
              0   all inputs were added; with --quiet, nothing is printed
              64  the command line or the settings are wrong
              65  damaged data, with --strict anything that was not read, or no record
                  at all; what was readable was added
              66  an input is missing; the others were added
              74  reading or writing failed, or the store cannot be used
            """)

    static let formats = OutputFormat.ofLists

    @Argument(help: .value("The store; created if it does not exist.", "file"), completion: .file())
    var store: String
    @OptionGroup var inputs: ReadingOptions
    @OptionGroup var printing: PrintingOptions
    @OptionGroup var settings: SettingsOptions

    var plan = Resolved<Plan>()

    func resolve() throws -> Plan {
        try StoreOptions.refuseNonFile(store, "The first argument")
        let settings = try Settings(settings, [inputs, printing])
        guard settings.isOn(.dedupe) else { throw ValidationError(Messages.copiesInStore) }
        return try Plan(settings, printing, among: StoreAdd.formats, inputs: inputs.input, store: store)
    }

    func run(_ plan: Plan) throws -> ExitStatus {
        let (path, dryRun) = (store, plan.settings.isOn(.dryRun))
        // Where nothing can be added, no store is made: the work is done on a copy, which is thrown away.
        let makesStore = plan.found.inputs.contains(where: \.isReadable)
        let isKept = !dryRun && (makesStore || MisplacedPath.exists(path))
        let scan = plan.settings.scan
        let store = try StoreFile.use(path, for: isKept ? .adding : .trying, key: scan.fingerprintKey) { $0 }
        var report = IngestReport(store: path, isDryRun: dryRun)
        var failure: Failure?
        let progress = Progress(total: plan.found.size, isWanted: plan.settings.showsProgress)
        do throws(StoreFailure) {
            var analysis = LogAnalysis(inputs: [], horizon: plan.now.adding(seconds: 86_400))
            analysis.scan = scan
            analysis.jobs = plan.settings.threads
            for name in plan.found.stores {
                let added = try store.add(Store(path: name, access: .reading))
                var summary = added.input
                (summary.verifications, summary.duplicates, summary.filtered) = (added.new, added.known, added.tooOld)
                report.inputs.append(IngestedInput(name: name, summary: summary))
            }
            for inputs in plan.found.batches(analysis.jobs) {
                var alone = analysis
                if inputs.count > 1 { alone.jobs = 1 }
                let read = concurrentMap(inputs.count) { [alone, counter = progress.counter, shown = progress.input] in
                    alone.source(inputs[$0], progress: counter) { shown.begin($0) }
                }
                for var source in read {
                    source.record.addedAt = plan.now
                    let added = try store.add(source)
                    var summary = added.input
                    (summary.verifications, summary.duplicates, summary.filtered) = (added.new, added.known, added.tooOld)
                    report.inputs.append(IngestedInput(name: added.name, summary: summary))
                }
            }
            if isKept { _ = try store.finishRun(retentionDays: plan.settings.count(.retention), at: plan.now) }
        } catch {
            // What came before is in the store.
            failure = StoreFile.failure(error, path)
        }
        progress.finish()

        // Cron mails everything that is printed.
        let isQuiet = plan.settings.isOn(.quiet)
        let isSilent = isQuiet && plan.format != .json && plan.output.isStandardOutput
        let written = isSilent ? .success : plan.write(report)
        let isStrict = plan.settings.isOn(.strict)
        var messages = Messages.faults(of: report.total, plan.found, isStrict: isStrict, isWhole: failure == nil)
        if !dryRun, !isKept {
            messages.append("\(DisplayText(name: path).text): no store was created, as no input could be read")
        }
        Messages.print(messages + [failure?.message].compactMap(\.self))
        return failure?.status ?? .of(report.total, isStrict: isStrict, needsRecords: true, written: written)
    }
}

extension FoundInputs {
    /// Larger ones take all cores, and much memory, alone.
    private static let smallInput = 32 << 20

    /// The inputs in their order, those together that are read at once.
    fileprivate func batches(_ jobs: Int) -> [[LogInput]] {
        var batches: [[LogInput]] = []
        var isOpen = false
        for input in inputs {
            let isSmall = input.size.map { $0 <= FoundInputs.smallInput } ?? false
            if isOpen, isSmall, let last = batches.last, last.count < jobs {
                batches[batches.count - 1].append(input)
            } else {
                batches.append([input])
            }
            isOpen = isSmall
        }
        return batches
    }
}
