import ArgumentParser
import Entries
import History
import LogStream
import Platform
import PolicyFile
import Readiness
import Reports
import Verifications

struct StoreAdd: Command {
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
            input is damaged, everything readable is added, and the damage is reported as long as the store has it: \
            make a new store from the whole logs. A file whose name, size and times are as they were is not read \
            again, except with --strict.

            Days are kept for this long before the newest one of their project: --set retention=365d (default: the \
            store's setting; 90 days in a new store). Older ones are deleted, and their entries ignored. The \
            retention of a store that is added changes nothing. With --set dry-run=true, shows what would be added; \
            writes nothing.

            EXIT STATUS
              0   all inputs were added; with --quiet, nothing is printed
              64  the command line or the settings are wrong
              65  damaged data, with --strict anything that was not read, or no record
                  at all; what was readable was added
              66  an input is missing; the others were added
              74  reading or writing failed, or the store cannot be used
            """)

    @Argument(help: .value("The store; created if it does not exist.", "file"), completion: .file())
    var store: String
    @OptionGroup var inputs: ReadingOptions
    @OptionGroup var printing: PrintingOptions
    @OptionGroup var settings: SettingsOptions

    func execute() throws -> ExitStatus {
        try StoreOptions.refuseNonFile(store, "The first argument")
        let settings = try Settings(settings, [inputs.typed, printing.typed])
        guard settings.isOn(\.dedupe) else { throw ValidationError(Messages.copiesInStore) }
        let run = try Run(settings, printing, among: StoreAdd.formats, inputs: inputs.input, store: store)
        let dryRun = settings.isOn(\.dryRun)
        // Where nothing can be added, no store is made: the work is done on a copy, which is thrown away.
        let makesStore = run.found.inputs.contains(where: \.isReadable) || !run.found.stores.isEmpty
        let isKept = !dryRun && (makesStore || MisplacedPath.exists(store))
        let opened = try NamedStore.use(store, for: isKept ? .adding : .trying, key: settings.scan.fingerprintKey) {
            $0
        }
        var adding = AddingRun(store: opened, run: run, report: StoreAddReport(store: store, isDryRun: dryRun))
        var failure: Failure?
        let progress = run.progress(of: run.found)
        do throws(StoreFailure) {
            for other in run.found.stores { try adding.add(store: other) }
            try adding.add(run.found.inputs, progress)
            try adding.finish()
        } catch {
            // What came before is in the store.
            failure = Failure(error, store)
        }
        progress.finish()

        // Cron mails everything that is printed.
        let isSilent = run.isQuiet && run.format != .json && run.output.isStandardOutput
        let report = adding.report
        let written = isSilent ? .success : run.write(report)
        // A store that is known has entries, though none of its records was read again.
        let isKnown = report.total.duplicates > 0
        var messages = Messages.faults(
            of: report.total, run.found, isStrict: run.isStrict, isWhole: failure == nil && !isKnown)
        if !dryRun, !isKept {
            messages.append("\(DisplayText(name: store).text): no store was created, as no input could be read")
        }
        if !run.isQuiet, let firstDay = adding.firstDay {
            messages.append(Messages.tooOld(adding.late, firstDay: firstDay))
        }
        Messages.print(messages + [adding.otherKey?.message, failure?.message].compactMap(\.self))
        failure = failure ?? adding.otherKey
        return failure?.status
            ?? .of(report.total, isStrict: run.isStrict, needsRecords: !isKnown, written: written)
    }
}

/// Adds inputs to a store, and keeps what is to be said of them.
private struct AddingRun {
    let store: Store
    let run: Run
    var report: StoreAddReport
    /// New inputs of which everything is too old, and the first day that is kept.
    private(set) var late: [String] = []
    private(set) var firstDay: Day?
    /// About a store that was made with another key.
    private(set) var otherKey: Failure?

    /// Adds a store; one that cannot be used is a separate problem.
    mutating func add(store path: String) throws(StoreFailure) {
        var input = AddedInput(name: path)
        defer { report.inputs.append(input) }
        let other: Store
        do throws(StoreFailure) { other = try Store(path: path, access: .reading, patience: .telling(path)) } catch {
            return input.summary.refuse(path, error)
        }
        guard other.key == store.key else {
            otherKey = NamedStore.otherKey(path)
            return
        }
        do throws(StoreFailure) {
            input = try store.add(other, name: path)
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
        var analysis = run.analysis
        // What a store keeps of callers does not depend on what this run would print of them.
        analysis.rowLimit = LogAnalysis(inputs: [], horizon: analysis.horizon).rowLimit
        let known = analysis.scan.isStrict ? [:] : try store.files()
        var waiting: [(known: SourceRecord?, read: ReadSource?)] = []
        for inputs in inputs.batched(analysis.jobs) {
            var alone = analysis
            if inputs.count > 1 { alone.jobs = 1 }
            waiting += concurrentMap(inputs.count) {
                [alone, now = run.now, counter = progress.counter, shown = progress.input] place in
                let (input, file) = (inputs[place], SourceFile(inputs[place]))
                // A file that is as it was when the store took it.
                if let record = file.flatMap({ known[$0] }), record.maxRecordBytes == alone.scan.maxRecordBytes {
                    return (record, nil)
                }
                var source = alone.source(input, progress: counter) { shown.begin($0) }
                source.record.addedAt = now
                (source.record.file.modified, source.record.file.changed) = (file?.modified, file?.changed)
                // What was found in a folder and is not a log does not count as an input.
                return (nil, source.record.input == InputSummary() ? nil : source)
            }
            let bytes = waiting.reduce(0) { $0 + ($1.read?.record.input.bytesRead ?? 0) }
            if waiting.count >= AddingRun.mostTogether || bytes > [LogInput].smallInput { try add(&waiting) }
        }
        try add(&waiting)
    }

    /// The most inputs of one transaction: each has to be on disk before the next one.
    private static let mostTogether = 64

    private mutating func add(_ waiting: inout [(known: SourceRecord?, read: ReadSource?)]) throws(StoreFailure) {
        let new = waiting.compactMap(\.read)
        var added = try new.isEmpty ? [] : store.add(new)[...]
        for (known, read) in waiting {
            if let known { note(AddedInput(known: known)) }
            if read != nil, let first = added.popFirst() { note(first) }
        }
        waiting = []
    }

    mutating func finish() throws(StoreFailure) {
        guard !report.isDryRun || !report.inputs.isEmpty else { return }
        let pruned = try store.finishRun(retentionDays: run.settings.retention, at: run.now)
        (report.deletedDays, report.deletedVerifications) = (pruned.days, pruned.verifications)
    }

    private mutating func note(_ input: AddedInput) {
        report.inputs.append(input)
        let counts = input.summary
        guard !input.isKnown, counts.filtered > 0, counts.verifications + counts.duplicates == 0 else { return }
        late.append(input.name)
        firstDay = [firstDay, input.firstDay].compactMap(\.self).max()
    }
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
    fileprivate static let smallInput = 32 << 20

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
