import ArgumentParser
import Entries
import LogStream
import Platform
import PolicyFile
import Readiness
import Reports
import Verifications

/// The meaning of a command line: settings, inputs, what counts of them, how it is judged, where the answer goes.
///
/// When there is one, the command line is right, the output can be written, and nothing has been written. Only small
/// files have been read, each once, because they may be pipes: lists of functions, the settings, the policy and the
/// inventory.
struct Run {
    let settings: Settings
    let output: Destination
    let format: OutputFormat
    /// The store that the command works on, or that it reads and keeps answers in.
    let store: String?
    private(set) var found: FoundInputs
    /// Earlier logs, or stores, to compare with; usually empty.
    private(set) var earlier = FoundInputs()
    private(set) var range = TimeRange()
    /// `--as-of`; nil for the newest verification.
    private(set) var asOf: Instant?
    /// The current time, where exports older than 36 hours are rejected.
    private(set) var clock: Instant?
    private(set) var selection = Selection()
    private(set) var rules = PolicyRules()
    /// The lines that name a function in the lists of `--function`.
    private(set) var lines: [GateCheck.Line] = []
    /// The functions that are deployed according to `--inventory`; empty without one.
    private(set) var inventory: [InventoryEntry] = []
    private(set) var view = TableView()
    /// The arguments, after a space, with which a command reads the same; nil if that is a pipe.
    private(set) var inputArguments: String?
    let now = Clock.now()
    /// The time that reports call now, in seconds: `SOURCE_DATE_EPOCH`, if they have to be the same on every day.
    var shownNow: Int64 {
        Terminal.environment("SOURCE_DATE_EPOCH").flatMap { Int64($0) } ?? now.seconds
    }

    /// The run of a command that judges nothing.
    ///
    /// The output must not be one of the files that are read.
    init(
        _ settings: Settings, _ printing: PrintingOptions? = nil, among formats: [OutputFormat] = [],
        inputs: [String]? = nil, store: String? = nil, readsStore: Bool = false, patch: String? = nil,
        isAnnounced: Bool = true
    ) throws {
        (self.settings, self.store) = (settings, store)
        output = printing?.destination ?? .standardOutput
        format = try printing?.format(settings, among: formats) ?? .table
        found = try inputs.map { try FoundInputs($0) } ?? FoundInputs()
        if readsStore, let store { found.add(store: store) }
        // Only a store that is written to must not be among the inputs.
        try settings.refuseOverlaps(
            inputs: readsStore ? found.inputs : found.files, store: store, stores: found.stores, output: output,
            patch: patch)
        if isAnnounced { announce(storeRead: nil) }
        try output.prepare()
    }

    /// The run of a command that judges functions.
    ///
    /// `argument` is the function of a command that takes one instead of options. One that is about today rejects
    /// exports older than 36 hours, unless `--as-of` names the time.
    init(
        _ command: some JudgingCommand, functions: FunctionOptions? = nil, argument: String? = nil,
        gate: GateOptions? = nil, table: ViewOptions? = nil, earlier: [String] = [], readsStandardInput: Bool = false,
        isAboutToday: (FoundInputs) -> Bool = { _ in false }
    ) throws {
        let (inputs, selected) = (command.reading.input, command.selection)
        let lists = functions?.lists ?? []
        if lists.contains("-"), inputs.contains("-") || inputs.isEmpty && command.history.store.isEmpty {
            throw ValidationError(
                "The log and --function @- would both be read from standard input; name a file for one of them.")
        }
        let named = try functions?.named() ?? NamedFunctions()
        lines = named.lines
        let settings = try Settings(
            command.settings,
            [
                command.reading.typed, selected.typed, command.verdict.typed, command.printing.typed,
                command.history.typed, named.typed, gate?.typed ?? [:],
            ], readsPolicy: true)
        if gate != nil { try settings.refuseBlindGate() }
        store = try StoreOptions.path(settings, inputs: inputs)
        let words = ((store.map { ["--store", $0] } ?? []) + inputs)
            .map { " " + ShellWord.plain($0, placeholder: "INPUT") }.joined()
        let isPiped = inputs.contains("-") || store == nil && inputs.isEmpty
        let typed = words.utf8.count > Run.longestArguments ? " INPUT..." : words
        inputArguments = Demo.isRunning ? "" : isPiped ? nil : typed

        asOf = selected.asOf?.last
        range = TimeRange(since: selected.since?.instant(from: asOf ?? now), until: selected.until?.exclusiveEnd)
        if let since = range.since, let until = range.until, since >= until {
            throw ValidationError("--since is not before --until, so nothing would count; swap them, or leave one out.")
        }
        for (option, time) in [("--since", range.since), ("--as-of", asOf)] {
            guard let time, time > now.adding(seconds: 365 * Instant.secondsPerDay) else { continue }
            throw ValidationError("\(option) is more than a year in the future; correct the date, or this clock.")
        }
        if let since = range.since, since > asOf ?? now.adding(seconds: Instant.secondsPerDay) {
            let end = asOf == nil ? "in the future" : "later than --as-of"
            throw ValidationError("--since is \(end), so nothing would count; name an earlier time.")
        }
        selection = Selection(
            projects: settings.project ?? [], regions: settings.region ?? [],
            functions: (functions == nil ? argument.map { [Glob($0)] } : settings.function) ?? [])
        output = command.printing.destination
        format = try command.printing.format(settings, among: type(of: command).formats)
        view = try table?.view(format) ?? TableView()
        found = try inputs.isEmpty && store != nil && !readsStandardInput ? FoundInputs() : FoundInputs(inputs)
        if readsStandardInput, found.inputs.isEmpty { found.addStandardInput() }
        if let store { found.add(store: store) }
        clock = asOf == nil && isAboutToday(found) ? now : nil
        if !found.stores.isEmpty, !settings.isOn(\.dedupe) { throw ValidationError(Messages.copiesInStore) }
        if !earlier.isEmpty { self.earlier = try FoundInputs(earlier) }
        if let pipe = found.pipe(alsoIn: self.earlier) { throw ValidationError(Messages.readTwice(pipe)) }
        try settings.refuseOverlaps(
            inputs: found.inputs + self.earlier.inputs, lists: lists, store: store,
            stores: found.stores + self.earlier.stores, output: output)

        self.settings = settings
        rules = settings.rules(since: range.since?.day)
        let role = settings.name(of: \.inventory)
        if let path = settings.inventory {
            let text = try TextFile(path, of: role, limit: Run.inventoryLimit)
            inventory = try text.parsed(DeployedList.init, InventoryError.message).entries
        }
        announce(storeRead: store)
        try output.prepare()
    }

    /// A thousand functions with all their settings take about 2 MiB.
    private static let inventoryLimit = 64 << 20
    /// More names are left to the reader.
    private static let longestArguments = 200

    /// Names what nobody typed: the settings file, and the store that it names; and what is not read.
    private func announce(storeRead: String?) {
        if !settings.isQuietByOption {
            if let file = settings.file { Messages.print([Messages.settings(from: file.name)]) }
            let origin = settings.origin(of: \.store)
            if let storeRead, !origin.isTyped, let place = origin.place {
                Messages.print([Messages.store(storeRead, from: place)])
            }
        }
        guard !isQuiet else { return }
        Messages.print(Messages.repeated(found.repeated + earlier.repeated))
        Messages.print(
            Messages.storesInFolders(found.storesInFolders(besides: store))
                + Messages.reportsInFolders(found.reportsInFolders))
    }

    var isQuiet: Bool { settings.isOn(\.quiet) }
    var isStrict: Bool { settings.isOn(\.strict) }
    var policyFile: String? { settings.policy?.file }

    /// True for a report about all functions and all of the time until now.
    var asksAll: Bool { asOf == nil && !range.isBounded && selection.isEmpty && earlier.isEmpty }

    /// How all of the inputs are read; the caller names them.
    var analysis: LogAnalysis {
        var analysis = LogAnalysis(inputs: [], horizon: now.adding(seconds: 86_400))
        (analysis.range, analysis.asOf) = (range, asOf)
        analysis.switches = rules.entries.compactMap {
            if case .instant(let time)? = $0.settings.enforced { time } else { nil }
        }
        analysis.daysWithNames = rules.daysWithNames
        analysis.removesDuplicates = settings.isOn(\.dedupe)
        (analysis.scan, analysis.jobs, analysis.rowLimit) = (settings.scan, settings.threads, settings.rowLimit)
        return analysis
    }

    func progress(of found: FoundInputs) -> Progress { Progress(total: found.size, isWanted: settings.showsProgress) }

    func write(_ report: Report) -> ExitStatus {
        let format = Format(format, settings.style(for: output))
        return output.write { report.write(as: format, to: &$0) }
    }

    func write(_ list: any ListReport) -> ExitStatus {
        output.write { format == .json ? list.writeJSON(to: &$0) : list.writeTable(to: &$0) }
    }

    /// The options that were typed and that an answer depends on, each after a space.
    static let typedOptions: String = {
        var words: [String] = []
        var rest = Program.arguments.prefix { $0 != "--" }
        while let argument = rest.popFirst() {
            let name = String(argument.prefix { $0 != "=" })
            guard decidingOptions.contains(name) else {
                if argument == "--requires-auth" { words.append(argument) }
                continue
            }
            let joined = name == argument ? nil : String(argument.dropFirst(name.count + 1))
            guard let value = joined ?? rest.popFirst() else { break }
            let key = name == "--set" ? SettingKey.named(String(value.prefix { $0 != "=" })) : nil
            if key?.decides ?? true { words += joined == nil ? [argument, value] : [argument] }
        }
        return words.map { " " + ShellWord.plain($0, placeholder: "VALUE") }.joined()
    }()

    private static let decidingOptions: Set<String> = [
        "--policy", "--inventory", "--set", "--since", "--until", "--as-of", "--config",
    ]
}
