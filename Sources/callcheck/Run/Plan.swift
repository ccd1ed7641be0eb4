import Analysis
import ArgumentParser
import Inventory
import LogStream
import Platform
import PolicyFile
import Readiness
import Reports
import Rollout
import Verifications

/// A command that ends with a status.
///
/// All of them run alike. The command line is resolved into a plan while it is parsed: a wrong one ends the command
/// before anything is read or written. Then the output must be writable, and the command runs.
protocol StatusCommand: ParsableCommand {
    associatedtype Plan: CommandPlan
    /// What the answer can be printed in.
    static var formats: [OutputFormat] { get }
    var plan: Resolved<Plan> { get set }

    func resolve() throws -> Plan
    func run(_ plan: Plan) throws -> ExitStatus
}

extension StatusCommand {
    mutating func validate() throws {
        plan = try Resolved { try resolve() }
    }

    func execute() throws -> ExitStatus {
        let plan = try plan.get()
        if plan.isAnnounced, !plan.settings.isQuietByOption {
            if let file = plan.settings.file { Messages.print([Messages.settings(from: file.name)]) }
            let origin = plan.settings.origin(of: .store)
            if let store = plan.storeRead, !origin.isTyped, let place = origin.place {
                Messages.print([Messages.store(store, from: place)])
            }
        }
        if !plan.settings.isOn(.quiet) { Messages.print(Messages.repeated(plan.repeated)) }
        try plan.output.prepare()
        return try run(plan)
    }
}

/// What a command line means: a value that never changes.
protocol CommandPlan {
    var settings: Settings { get }
    var output: Destination { get }
    /// Inputs that are other inputs, too.
    var repeated: [RepeatedInput] { get }
    /// The store to read, which is named when no option names it.
    var storeRead: String? { get }
    /// True when the settings file is named.
    var isAnnounced: Bool { get }
}

extension CommandPlan {
    var storeRead: String? { nil }
    var isAnnounced: Bool { true }
}

/// The plan of a command that judges nothing.
struct Plan: CommandPlan {
    let settings: Settings
    let output: Destination
    let format: OutputFormat
    let found: FoundInputs
    /// The store that the command works on.
    let store: String?
    let isAnnounced: Bool
    let now = Clock.now()

    var repeated: [RepeatedInput] { found.repeated }

    /// The output must not be one of the files that are read.
    init(
        _ settings: Settings, _ output: Destination, _ format: OutputFormat = .table, inputs: [String]? = nil,
        store: String? = nil, readsStore: Bool = false, patch: String? = nil, isAnnounced: Bool = true
    ) throws {
        (self.settings, self.output, self.format) = (settings, output, format)
        (self.store, self.isAnnounced) = (store, isAnnounced)
        var found = try inputs.map(FoundInputs.init) ?? .none
        if readsStore, let store { found.add(store: store) }
        self.found = found
        // Only a store that is written to must not be among the inputs.
        try settings.refuseOverlaps(
            inputs: readsStore ? found.inputs : found.files, store: store, stores: found.stores, output: output,
            patch: patch)
    }

    /// The plan of a command that prints its answer in one of the formats.
    init(
        _ settings: Settings, _ printing: PrintingOptions, among formats: [OutputFormat], inputs: [String]? = nil,
        store: String? = nil, readsStore: Bool = false, patch: String? = nil, isAnnounced: Bool = true
    ) throws {
        try self.init(
            settings, printing.destination, try printing.format(settings, among: formats), inputs: inputs,
            store: store, readsStore: readsStore, patch: patch, isAnnounced: isAnnounced)
    }

    func write(_ list: any ListReport) -> ExitStatus {
        output.write { format == .json ? list.writeJSON(to: &$0) : list.writeTable(to: &$0) }
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

/// The plan of a judging command: inputs found, times made absolute, policy and inventory read.
struct RunPlan: CommandPlan {
    let settings: Settings
    let output: Destination
    let analysis: LogAnalysis
    let found: FoundInputs
    let store: String?
    /// Earlier logs, or one store, to compare with; usually empty.
    let earlier: FoundInputs
    let selection: Selection
    let rules: PolicyRules
    /// Where the lists of `--function` name a function.
    let lines: [GateCheck.Line]
    /// What is deployed according to `--inventory`; empty without one.
    let inventory: [InventoryEntry]
    /// `--as-of`; nil for the newest verification.
    let asOf: Instant?
    let now: Instant
    /// The current time, where exports older than 36 hours are rejected.
    let clock: Instant?
    let format: OutputFormat
    var view: TableView

    /// A thousand functions with all their settings take about 2 MiB.
    private static let inventoryLimit = 64 << 20

    var storeRead: String? { store }
    var repeated: [RepeatedInput] { found.repeated + earlier.repeated }
    var isStrict: Bool { analysis.scan.isStrict }
    var policyFile: String? { settings.policy?.file }
    var reportFormat: Format { Format(format, settings.style(for: output)) }

    /// True when standard error goes to the same terminal as the report with its notes.
    var showsNotesOnTerminal: Bool {
        format.hasNotes && output.isStandardOutput && Terminal.isTerminal(STDOUT_FILENO)
            && Terminal.isTerminal(STDERR_FILENO)
    }

    /// What to type, after a space, for a command to read the same; nil where that is a pipe.
    let inputArguments: String?

    /// The options that were typed and that an answer depends on, each after a space.
    let typedOptions = RunPlan.typedOptions(Program.arguments)

    private static let decidingOptions: Set<String> = [
        "--policy", "--inventory", "--set", "--since", "--until", "--as-of", "--config",
    ]

    private static func typedOptions(_ arguments: [String]) -> String {
        var words: [String] = []
        var rest = arguments.prefix { $0 != "--" }
        while let argument = rest.popFirst() {
            let name = String(argument.prefix { $0 != "=" })
            guard decidingOptions.contains(name) else {
                if argument == "--requires-auth" { words.append(argument) }
                continue
            }
            let joined = name == argument ? nil : String(argument.dropFirst(name.count + 1))
            guard let value = joined ?? rest.popFirst() else { break }
            let key = name == "--set" ? SettingKey(rawValue: String(value.prefix { $0 != "=" })) : nil
            if key?.row.decides ?? true { words += joined == nil ? [argument, value] : [argument] }
        }
        return words.map { " " + ShellWord.plain($0, placeholder: "VALUE") }.joined()
    }

    /// More names are left to the reader.
    private static let longestArguments = 200

    /// Resolves a command line; the policy and the inventory are read last, and only once, because they may be pipes.
    ///
    /// `argument` is the function of a command that takes one instead of options. `needsRecentInput` rejects exports
    /// older than 36 hours, unless `--as-of` names the time, by which `check` rejects what only the command itself can.
    init(
        _ options: some JudgingOptions, history: StoreOptions? = nil, functions: FunctionOptions? = nil,
        argument: String? = nil, gate: GateOptions? = nil, table: ViewOptions? = nil, earlier: [String] = [],
        readsStandardInput: Bool = false, needsRecentInput: Bool = false, needsCurrentPolicy: Bool = false,
        check: (_ asOf: Instant?) throws -> Void = { _ in }
    ) throws {
        let (inputs, selected) = (options.reading.input, options.selection)
        let lists = functions?.lists ?? []
        if lists.contains("-"), inputs.contains("-") || inputs.isEmpty && history?.store == nil {
            throw ValidationError(
                "The log and --function @- would both be read from standard input; name a file for one of them.")
        }
        let named = try functions?.named()
        lines = named?.lines ?? []
        let others: [(any SettingOptions)?] = [history, named, gate]
        let settings = try Settings(
            options.settings,
            [options.reading, selected, options.verdict, options.printing] + others.compactMap(\.self))
        let store = try history.flatMap { _ in try StoreOptions.path(settings, inputs: inputs) }

        let words = ((store.map { ["--store", $0] } ?? []) + inputs)
            .map { " " + ShellWord.plain($0, placeholder: "INPUT") }.joined()
        let hasPipe = inputs.contains("-") || store == nil && inputs.isEmpty
        inputArguments = hasPipe ? nil : words.utf8.count > RunPlan.longestArguments ? " INPUT..." : words

        now = Clock.now()
        asOf = selected.asOf?.last
        clock = needsRecentInput && asOf == nil ? now : nil
        let range = TimeRange(since: selected.since?.instant(from: asOf ?? now), until: selected.until?.exclusiveEnd)
        if let since = range.since, let until = range.until, since >= until {
            throw ValidationError("--since is not before --until, so nothing would count; swap them, or leave one out.")
        }
        selection = Selection(
            projects: settings.texts(.project).map(Glob.init), regions: settings.texts(.region).map(Glob.init),
            functions: (functions == nil ? argument.map { [$0] } ?? [] : settings.texts(.function)).map(Glob.init))
        output = options.printing.destination
        format = try options.printing.format(settings, among: type(of: options).formats)
        view = try table?.view(format) ?? TableView()
        self.store = store
        let isPiped = inputs.isEmpty && (store == nil || readsStandardInput)
        var found: FoundInputs = try inputs.isEmpty && !isPiped ? .none : FoundInputs(inputs)
        if readsStandardInput, found.inputs.isEmpty { found.addStandardInput() }
        if let store { found.add(store: store) }
        if !found.stores.isEmpty, !settings.isOn(.dedupe) { throw ValidationError(Messages.copiesInStore) }
        self.found = found
        var analysis = LogAnalysis(inputs: found.inputs, horizon: now.adding(seconds: 86_400))
        analysis.range = range
        analysis.asOf = asOf
        analysis.removesDuplicates = settings.isOn(.dedupe)
        analysis.jobs = settings.threads
        analysis.scan = settings.scan
        analysis.openLimit = settings.openLimit
        self.earlier = earlier.isEmpty ? .none : try FoundInputs(earlier)
        if let pipe = found.pipe(alsoIn: self.earlier) {
            throw ValidationError(Messages.readTwice(pipe))
        }
        let (read, stores) = (found.inputs + self.earlier.inputs, found.stores + self.earlier.stores)
        try settings.refuseOverlaps(inputs: read, lists: lists, store: store, stores: stores, output: output)
        try check(asOf)

        self.settings = try settings.readingPolicy()
        rules = self.settings.rules(since: range.since?.day)
        analysis.switches = rules.entries.compactMap { if case .instant(let time)? = $0.enforced { time } else { nil } }
        self.analysis = analysis
        let role = settings.name(of: .inventory)
        let list = try settings.text(.inventory).map { path in
            try TextFile(path, of: role, limit: RunPlan.inventoryLimit)
                .parsed(DeployedList.init, InventoryError.message)
        }
        inventory = list?.entries ?? []
        if needsCurrentPolicy {
            let expiries = expiries(on: (asOf ?? now).day)
            guard expiries.isEmpty else {
                throw Failure(status: .usage, message: expiries.joined(separator: "\ncallcheck: "))
            }
        }
    }

    /// True for a report about all functions and all of the time until now.
    var asksAll: Bool { asOf == nil && !analysis.range.isBounded && selection.isEmpty && earlier.isEmpty }

    func write(_ report: Report) -> ExitStatus { output.write { report.write(as: reportFormat, to: &$0) } }

    /// True when the first input holds what `app-attest` reads, as far as a quick look shows.
    var readsRollout: Bool {
        guard let first = found.inputs.first, first.size ?? .max < 64 << 20 else { return false }
        let read = RolloutAnalysis(inputs: [first], horizon: Clock.now().day).run()
        return !read.templates.isEmpty || read.tally.newestDay != nil
    }

    func expiries(on day: Day?) -> [String] {
        guard let policyFile, let day else { return [] }
        return rules.expired(on: day).compactMap { $0.expiry(file: policyFile) }
    }

    /// Nothing where an input that may have the function could not be read.
    func idleEntries(_ evaluator: Evaluator, _ input: InputSummary) -> [String] {
        guard let policyFile, input.faults.isEmpty else { return [] }
        return evaluator.idleEntries().map { idle in
            idle.wording(file: policyFile, suggestion: idle.suggestion.map { DisplayText(name: $0).text })
        }
    }
}
