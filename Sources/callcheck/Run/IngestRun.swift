import Analysis
import ArgumentParser
import History
import LogStream
import Platform
import Reports
import Verifications

/// What the command line of `ingest` means.
struct IngestPlan {
    let settings: Settings
    let store: String
    let found: FoundInputs
    let reading: ReadingOptions
    let retentionDays: Int?
    let isDryRun: Bool
    let output: ListOutput
    let now = Clock.now()

    /// Resolves a command line.
    init(_ command: Ingest) throws {
        try command.output.validate(command.printing)
        var (reading, retention) = (command.inputs, command.retention)
        var settings = try Settings(command.config.config)
        reading.fill(from: &settings)
        retention.fill(from: &settings)
        output = ListOutput(command.output, command.printing, &settings)
        let store = try command.store.filled(from: &settings)
        var found = try FoundInputs(reading.input)
        found.leaveOut(store: store)
        for index in found.inputs.indices {
            if found.isSnapshot(at: index) {
                throw ValidationError(Messages.snapshotIntoStore(found.inputs[index].name))
            }
        }
        let destination = output.printing.destination
        try RunFiles(inputs: found.inputs, texts: settings.texts, store: store, output: destination).refuseOverlaps()
        self.settings = settings
        self.store = store
        self.found = found
        self.reading = reading
        retentionDays = retention.retention
        isDryRun = command.dryRun
    }
}

/// Adds inputs to a store, one after the other, each as one transaction.
struct IngestRun {
    private(set) var report: IngestReport
    /// Why the run ended early; what came before it is in the store.
    private(set) var failure: HistoryFailure?
    /// New inputs that only hold entries from closed days, by name.
    private var late: [String] = []
    private var sealedBefore: Day?

    /// False when the work is done on a copy, which is thrown away.
    let isKept: Bool
    private let plan: IngestPlan
    private let store: HistoryStore
    private var analysis: LogAnalysis
    private let evidence: IngestedEvidence

    /// - Throws: ``Failure`` when the store cannot be used.
    init(_ plan: IngestPlan) throws(Failure) {
        self.plan = plan
        // Where nothing can be added, no store is created.
        let makesStore = plan.found.inputs.contains(where: \.isReadable)
        let isKept = !plan.isDryRun && (makesStore || MisplacedPath.exists(plan.store))
        self.isKept = isKept
        store = try StoreFile.use(plan.store, for: isKept ? .adding : .trying) { $0 }
        report = IngestReport(store: plan.store, isDryRun: plan.isDryRun)
        analysis = LogAnalysis(inputs: [], horizon: plan.now.adding(seconds: 86_400))
        analysis.scan = plan.reading.scan
        analysis.scan.fingerprintKey = store.key
        analysis.jobs = plan.reading.threads
        evidence = IngestedEvidence(openLimit: analysis.openLimit)
    }

    /// Adds the inputs of the plan.
    mutating func addAll(progress: Progress) {
        do throws(HistoryFailure) {
            for input in plan.found.inputs {
                progress.input.begin(input)
                let outcome = try add(input, progress: progress.counter)
                // A file that was found in a directory and is not a log does not count.
                guard outcome.summary != InputSummary() else { continue }
                if let sealed = outcome.tooOldFor {
                    late.append(input.name)
                    sealedBefore = sealed
                }
                report.inputs.append(
                    IngestedInput(
                        name: input.name, summary: outcome.summary, number: isKept ? outcome.number : nil,
                        replaced: outcome.replaced?.number, original: outcome.original, isKnown: outcome.isKnown))
            }
            try store.addEvidence { [evidence] in evidence.joined(with: $0) }
            if isKept { try store.settle(retentionDays: plan.retentionDays) }
        } catch {
            failure = error
        }
    }

    private func add(_ input: LogInput, progress: ReadProgress) throws(HistoryFailure) -> IngestOutcome {
        var found: LogAnalysis.RawResult?
        let outcome = try store.ingest(input.name, size: input.size, at: plan.now) { ledger in
            let result = analysis.run(input, new: ledger, progress: progress)
            found = result
            return CountedInput(tally: result.tally, summary: result.input, ranks: result.ranks)
        }
        // Evidence from an altered input could not be taken back.
        if let found, outcome.summary.isTrustworthy { evidence.add(found) }
        return outcome
    }

    /// What is said on standard error once the report is written, in the order of ``Answer/messages(for:)``.
    var messages: [String] {
        var messages = Messages.faults(of: report.total, plan.found, isStrict: plan.reading.strict)
        if !plan.isDryRun, !isKept { messages.append(Messages.noStore(made: plan.store)) }
        if !plan.output.printing.quiet, let sealedBefore {
            messages.append(Messages.tooOld(late, sealedBefore: sealedBefore))
        }
        if let failure { messages.append(StoreFile.failure(failure, plan.store).message) }
        return messages
    }
}

/// Opens stores, and says what is wrong with them.
enum StoreFile {
    /// Opens a store and takes a step with it.
    static func use<Value>(
        _ path: String, for access: HistoryStore.Access, _ step: (HistoryStore) throws(HistoryFailure) -> Value
    ) throws(Failure) -> Value {
        do throws(HistoryFailure) {
            return try step(HistoryStore(path: path, access: access))
        } catch {
            throw failure(error, path)
        }
    }

    /// What files of SQLite begin with (<https://www.sqlite.org/fileformat2.html#magic_header_string>).
    private static let magic = Array("SQLite format 3".utf8)

    /// True for a file that begins as SQLite's do.
    static func isStore(_ path: String) -> Bool { beginning(of: path) == magic }

    /// True for a file that is neither empty nor SQLite's.
    static func holdsOtherData(_ path: String) -> Bool { ![[], magic].contains(beginning(of: path)) }

    /// As many bytes as tell files of SQLite from others; none where there is no file.
    private static func beginning(of path: String) -> [UInt8] {
        let descriptor = unsafe open(SystemPath(path).characters, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var start = magic
        // Safe: read(2) writes at most as many bytes as the array has.
        let count = unsafe Platform.read(descriptor, &start, start.count)
        return Array(start.prefix(max(0, count)))
    }

    /// The store and the files that SQLite keeps next to it, whether or not they exist.
    static func files(of path: String) -> [FileIdentity] {
        let path = ReplacedFile.followed(path) ?? path
        return ["", "-wal", "-shm", "-journal"].compactMap { FileIdentity(path + $0) }
    }

    /// What ends a command that cannot use its store.
    static func failure(_ failure: HistoryFailure, _ path: String) -> Failure {
        let nearest = failure.isMissingStore ? MistypedName.file(near: path) : nil
        let hint = nearest.map { ". Did you mean \(DisplayText(name: $0).text)?" } ?? ""
        return Failure(
            status: failure.isMissingStore ? .noInput : .inputOutput,
            message: "\(DisplayText(name: path).text): \(failure.message)\(hint)")
    }
}
