import Analysis
import ArgumentParser
import Entries
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
        abstract: "Add logs and other stores to a store, each entry once.",
        usage: "callcheck store add <file> [<log> ...] [<options>]",
        discussion: """
              callcheck store add history.db export-2026-10-14.json.gz
              gcloud storage cat 'gs://BUCKET/**' | callcheck store add history.db -
              callcheck store add history.db logs/ --set retention=365d
              callcheck store add all.db part-1.db part-2.db

            Use this in a nightly job; every command reads stores as it reads logs.

            An entry counts only once: the same file again, exports that overlap, two runs at once, or a run that was \
            killed and is run again all leave the same counts. Each input is added as a whole or not at all. If an \
            input is damaged, everything readable is added; an intact copy can be added later. A file whose name, size \
            and times are as they were is not read again, except with --strict.

            Days are kept for this long before the newest one of their project: --set retention=365d (default: the \
            store's setting; 90 days in a new store). Older ones are deleted, and their entries ignored. Days that \
            another store no longer keeps are deleted, too. With --set dry-run=true, shows what would be added; writes \
            nothing.

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
        let makesStore = plan.found.inputs.contains(where: \.isReadable) || !plan.found.stores.isEmpty
        let isKept = !dryRun && (makesStore || MisplacedPath.exists(path))
        let store = try StoreFile.use(path, for: isKept ? .adding : .trying, key: plan.settings.scan.fingerprintKey) {
            $0
        }
        var run = AddingRun(store: store, plan: plan, report: StoreAddReport(store: path, isDryRun: dryRun))
        var failure: Failure?
        let progress = Progress(total: plan.found.size, isWanted: plan.settings.showsProgress)
        do throws(StoreFailure) {
            for other in plan.found.stores { try run.add(store: other) }
            try run.add(plan.found.inputs, progress)
            try run.finish()
        } catch {
            // What came before is in the store.
            failure = StoreFile.failure(error, path)
        }
        progress.finish()

        // Cron mails everything that is printed.
        let isQuiet = plan.settings.isOn(.quiet)
        let isSilent = isQuiet && plan.format != .json && plan.output.isStandardOutput
        let report = run.report
        let written = isSilent ? .success : plan.write(report)
        let isStrict = plan.settings.isOn(.strict)
        // A store that is known has entries, though none of its records was read again.
        let isKnown = report.total.duplicates > 0
        var messages = Messages.faults(
            of: report.total, plan.found, isStrict: isStrict, isWhole: failure == nil && !isKnown)
        if !dryRun, !isKept {
            messages.append("\(DisplayText(name: path).text): no store was created, as no input could be read")
        }
        if !isQuiet, let firstDay = run.firstDay { messages.append(Messages.tooOld(run.late, firstDay: firstDay)) }
        Messages.print(messages + [run.otherKey?.message, failure?.message].compactMap(\.self))
        failure = failure ?? run.otherKey
        return failure?.status ?? .of(report.total, isStrict: isStrict, needsRecords: !isKnown, written: written)
    }
}

/// Adds inputs to a store, and keeps what is to be said of them.
private struct AddingRun {
    let store: Store
    let plan: Plan
    var report: StoreAddReport
    /// New inputs of which everything is too old, and the first day that is kept.
    private(set) var late: [String] = []
    private(set) var firstDay: Day?
    /// About a store that was made with another key.
    private(set) var otherKey: Failure?

    init(store: Store, plan: Plan, report: StoreAddReport) {
        (self.store, self.plan, self.report) = (store, plan, report)
    }

    private var analysis: LogAnalysis {
        var analysis = LogAnalysis(inputs: [], horizon: plan.now.adding(seconds: 86_400))
        (analysis.scan, analysis.jobs) = (plan.settings.scan, plan.settings.threads)
        return analysis
    }

    /// Adds a store; one that cannot be used is a separate problem.
    mutating func add(store path: String) throws(StoreFailure) {
        var input = AddedInput(name: path, summary: InputSummary())
        defer { report.inputs.append(input) }
        let other: Store
        do throws(StoreFailure) { other = try Store(path: path, access: .reading) } catch {
            return input.summary.refuse(path, error)
        }
        guard other.key == store.key else {
            otherKey = StoreFile.otherKey(path)
            return
        }
        do throws(StoreFailure) {
            let added = try store.add(other)
            input.summary = added.input
            (input.summary.verifications, input.summary.duplicates) = (added.new, added.known)
            (input.summary.filtered, input.days) = (added.tooOld, added.days.count)
            if added.input == InputSummary() { input.place = .known }
            note(added.pruned)
        } catch {
            // Which of the two it is shows where the other one is read alone.
            do throws(StoreFailure) { _ = try other.contents() } catch {
                return input.summary.refuse(path, error)
            }
            throw error
        }
    }

    /// Adds logs, and reads those that are new.
    mutating func add(_ inputs: [LogInput], _ progress: Progress) throws(StoreFailure) {
        let analysis = analysis
        let known = analysis.scan.isStrict ? [:] : try store.files()
        for inputs in inputs.batched(analysis.jobs) {
            var alone = analysis
            if inputs.count > 1 { alone.jobs = 1 }
            let read = concurrentMap(inputs.count) {
                [alone, now = plan.now, counter = progress.counter, shown = progress.input] in
                let (input, file) = (inputs[$0], SourceFile(inputs[$0]))
                if let record = file.flatMap({ known[$0] }), record.maxRecordBytes == alone.scan.maxRecordBytes {
                    return Result<ReadSource, KnownSource>.failure(KnownSource(record: record))
                }
                var source = alone.source(input, progress: counter) { shown.begin($0) }
                source.record.addedAt = now
                (source.record.modified, source.record.changed) = (file?.modified, file?.changed)
                return .success(source)
            }
            for source in read {
                switch source {
                case .failure(let known): note(AddedSource(known: known.record))
                // What was found in a folder and is not a log does not count as an input.
                case .success(let source) where source.record.input == InputSummary(): break
                case .success(let source): note(try store.add(source))
                }
            }
        }
    }

    mutating func finish() throws(StoreFailure) {
        guard !report.isDryRun || !report.inputs.isEmpty else { return }
        note(try store.finishRun(retentionDays: plan.settings.count(.retention), at: plan.now))
    }

    private mutating func note(_ pruned: PrunedDays) {
        report.deletedDays += pruned.days
        report.deletedVerifications += pruned.verifications
    }

    private mutating func note(_ added: AddedSource) {
        var input = AddedInput(name: added.name, summary: added.input, days: added.days)
        (input.summary.verifications, input.summary.duplicates) = (added.new, added.known)
        input.summary.filtered = added.tooOld
        switch added.place {
        case .new, .refused: break
        case .known: input.place = .known
        case .copy(let original): input.place = .copy(of: original)
        case .repairs(let copy): input.place = .repairs(copy)
        }
        report.inputs.append(input)
        guard case .new = added.place, added.tooOld > 0, added.new + added.known == 0 else { return }
        late.append(added.name)
        firstDay = [firstDay, added.firstDay].compactMap(\.self).max()
    }
}

/// A file that is as it was when the store took it.
private struct KnownSource: Error {
    let record: SourceRecord
}

extension SourceFile {
    /// A file as it is now; nil for what can be read only once.
    fileprivate init?(_ input: LogInput) {
        guard let path = input.path, let size = input.size, let status = FileSystem.status(of: path.characters)
        else { return nil }
        func instant(_ time: timespec) -> Instant {
            Instant(seconds: Int64(time.tv_sec), nanoseconds: UInt32(time.tv_nsec))
        }
        self.init(
            name: input.name, size: size, modified: instant(status.st_mtim), changed: instant(status.st_ctim))
    }
}

extension [LogInput] {
    /// Larger ones take all cores, and much memory, alone.
    private static let smallInput = 32 << 20

    /// The inputs in their order, those together that are read at once.
    fileprivate func batched(_ jobs: Int) -> [[LogInput]] {
        var batches: [[LogInput]] = []
        var isOpen = false
        for input in self {
            let isSmall = input.size.map { $0 <= [LogInput].smallInput } ?? false
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
