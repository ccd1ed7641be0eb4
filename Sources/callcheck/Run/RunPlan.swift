import Analysis
import ArgumentParser
import History
import Inventory
import LogStream
import Platform
import PolicyFile
import Readiness
import Reports
import Verifications

/// What the command line of a judging command means: inputs found, times made absolute, policy and inventory read.
///
/// It is made once, while the command line is parsed, and never changes.
struct RunPlan {
    let settings: Settings
    let analysis: LogAnalysis
    let found: FoundInputs
    /// The store that is read instead of inputs; nil without one.
    let store: String?
    /// Earlier logs, or one store, to compare with; usually empty.
    let earlier: FoundInputs
    let selection: Selection
    let rules: PolicyRules
    /// The policy file's name, printable; nil without one.
    let policyFile: String?
    /// When `check` fails.
    let gate: Gate
    /// What is deployed according to `--inventory`; empty without one.
    let inventory: [InventoryEntry]
    /// `--as-of`; nil for the newest verification.
    let asOf: Instant?
    /// The current time, where exports older than 36 hours are rejected.
    let clock: Instant?
    let format: OutputFormat
    let style: TerminalStyle
    /// How tables are shown.
    let view: TableView
    let printing: PrintingOptions

    /// A thousand functions with all their settings take about 2 MiB.
    private static let inventoryLimit = 64 << 20

    var isStrict: Bool { analysis.scan.isStrict }

    /// True when standard error goes to the same terminal as the report with its notes.
    var showsNotesOnTerminal: Bool {
        format.hasNotes && printing.destination.isStandardOutput && Terminal.isTerminal(STDOUT_FILENO)
            && Terminal.isTerminal(STDERR_FILENO)
    }

    /// Resolves a command line.
    ///
    /// The policy and the inventory are read last, and only once, because they may be pipes (`--policy <(…)`).
    ///
    /// - Parameters:
    ///   - options: The command: what to read, what of it counts, and how to print.
    ///   - history: The store to read instead of inputs; nil for a command that reads inputs alone.
    ///   - functions: Which functions are shown; nil for a command that takes one as its argument.
    ///   - argument: That argument.
    ///   - gate: When the command fails.
    ///   - table: How tables are shown; nil for a command without one.
    ///   - earlier: Logs, or a store, that the inputs are compared with.
    ///   - needsRecentInput: True to reject exports older than 36 hours, unless `--as-of` names the time.
    ///   - needsCurrentPolicy: True when no entry of the policy may have expired.
    ///   - check: Rejects what only the command itself can reject; gets the as-of instant.
    /// - Throws: `ValidationError` for the command line, ``Failure`` for the policy or the inventory.
    init(
        _ options: some JudgingOptions, history: HistoryOptions? = nil, functions: FunctionOptions? = nil,
        argument: String? = nil, gate: GateOptions? = nil, table: ViewOptions? = nil, earlier: [String] = [],
        needsRecentInput: Bool = false, needsCurrentPolicy: Bool = false,
        check: (_ asOf: Instant?) throws -> Void = { _ in }
    ) throws {
        var (options, functions) = (options, functions)
        try options.output.validate(options.printing)
        var settings = try Settings(options.config.config)
        options.fill(from: &settings)
        functions?.fill(from: &settings)
        let store = try history?.filled(from: &settings, inputs: options.reading.input)
        self.gate = gate?.filled(from: &settings) ?? Gate(failOn: .unsure)

        let now = Clock.now()
        let (reading, selected, verdict) = (options.reading, options.selection, options.verdict)
        asOf = selected.asOf?.last
        clock = needsRecentInput && asOf == nil ? now : nil
        let range = TimeRange(since: selected.since?.instant(from: asOf ?? now), until: selected.until?.exclusiveEnd)
        if let since = range.since, let until = range.until, since >= until {
            throw ValidationError("--since is not before --until, so nothing would count; swap them, or leave one out.")
        }
        selection = Selection(
            projects: selected.projects.map(Glob.init), regions: selected.regions.map(Glob.init),
            functions: (functions?.functions ?? argument.map { [$0] } ?? []).map(Glob.init))
        format = options.output.format ?? .table
        guard gate != nil || ![.junit, .github].contains(format) else {
            throw ValidationError(
                "\(format.rawValue) is the format of a gate: use callcheck check -f \(format.rawValue).")
        }
        style = options.printing.style
        view = try table?.view(format) ?? TableView()
        printing = options.printing
        self.store = store
        found = try store == nil ? FoundInputs(reading.input) : .none(beside: options)
        var analysis = LogAnalysis(inputs: found.inputs, horizon: now.adding(seconds: 86_400))
        analysis.range = range
        analysis.removesDuplicates = !options.inputs.keepsDuplicates
        analysis.jobs = reading.threads
        analysis.scan = reading.scan
        analysis.openLimit = options.inputs.openLimit
        if let key = options.inputs.fingerprints.key { analysis.snapshotKey = key }
        self.analysis = analysis
        let texts =
            settings.texts
            + [("the file of --policy", verdict.policy), ("the file of --inventory", verdict.inventory)]
        self.earlier = earlier.isEmpty ? .none : try FoundInputs(earlier)
        let read = found.inputs + self.earlier.inputs
        try RunFiles(inputs: read, texts: texts, store: store, output: printing.destination).refuseOverlaps()
        try check(asOf)

        let policy = try settings.policy(verdict.policy)
        policyFile = policy?.file
        rules = verdict.rules(policy?.document, over: settings.file?.document, since: range.since?.day)
        let role = settings.name(of: .inventory)
        inventory = try verdict.inventory.map { try RunPlan.inventory($0, named: role) } ?? []
        self.settings = settings
        if needsCurrentPolicy {
            let expiries = expiries(on: (asOf ?? now).day)
            guard expiries.isEmpty else {
                throw Failure(status: .usage, message: expiries.joined(separator: "\ncallcheck: "))
            }
        }
    }

    /// What to say about the policy's entries that have expired by a day, with file and line.
    func expiries(on day: Day?) -> [String] {
        guard let policyFile, let day else { return [] }
        return rules.expired(on: day).compactMap { $0.expiry(file: policyFile) }
    }

    /// What to say about the policy's entries that match no function; nothing where an input that may have the function
    /// could not be read.
    func idleEntries(_ judge: Judge, _ input: InputSummary) -> [String] {
        guard let policyFile, input.faults.isEmpty else { return [] }
        return judge.idleEntries().map { idle in
            idle.wording(file: policyFile, suggestion: idle.suggestion.map { DisplayText(name: $0).text })
        }
    }

    private static func inventory(_ path: String, named role: String) throws(Failure) -> [InventoryEntry] {
        let file = try TextFile(path, of: role, limit: inventoryLimit)
        do throws(InventoryError) {
            return try DeployedList(json: file.text).entries
        } catch {
            throw Failure(status: .usage, message: error.message(file: file.name))
        }
    }
}

/// What a command line was resolved into while it was parsed.
///
/// Validation is the last step of parsing, and the only one whose errors the parser prints with the usage of the
/// command. Failures that are not about the command line's form wait here until the command runs: `--help` goes first.
struct Resolved<Plan>: Decodable {
    private var result: Result<Plan, Failure>?

    init() {}

    /// Never called: the parser keeps the value that the property has.
    init(from decoder: any Decoder) {}

    init(_ make: () throws -> Plan) throws {
        do {
            result = .success(try make())
        } catch let failure as Failure {
            result = .failure(failure)
        }
    }

    func get() throws(Failure) -> Plan {
        guard let result else { preconditionFailure("the parser validates every command") }
        return try result.get()
    }
}
