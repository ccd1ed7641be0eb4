import Analysis
import ArgumentParser
import History
import LogStream
import PolicyFile
import Readiness
import Reports
import Rollout
import Verifications

/// What the command line of `rollout` means.
struct RolloutPlan {
    let settings: Settings
    let analysis: RolloutAnalysis
    let found: FoundInputs
    let policy: RolloutPolicy
    let parameter: String
    /// Where the changed template goes.
    let patch: String?
    /// Where sums of the days are kept.
    let store: String?
    let isStrict: Bool
    let format: PageFormat
    let printing: PrintingOptions

    /// - Throws: `ValidationError` for the command line.
    init(_ command: RolloutCommand) throws {
        let now = Clock.now()
        let options = command.options
        var (reading, output, printing) = (command.inputs, command.output, command.printing)
        try output.validate(printing)
        var settings = try Settings(command.config.config)
        reading.fill(from: &settings)
        printing.fill(from: &settings)
        output.fill(from: &settings, printing)
        self.settings = settings
        var found = try FoundInputs(reading.input)
        if let store = options.store { found.leaveOut(store: store) }
        self.found = found
        var analysis = RolloutAnalysis(inputs: found.inputs, horizon: now.day.advanced(by: 1))
        analysis.isPipelined = reading.threads > 1
        analysis.jobs = reading.threads
        analysis.scan = reading.scan
        analysis.snapshotKey = options.fingerprints.key
        self.analysis = analysis
        var policy = RolloutPolicy()
        policy.since = options.since?.instant(from: now).day
        policy.window = options.window ?? policy.window
        policy.maxFailed = options.maxFailed ?? policy.maxFailed
        policy.steps = options.steps ?? policy.steps
        policy.dailyUsers = options.dailyUsers
        let file = settings.file?.document
        policy.maxBlocked = file?.policy?.settings.maxBlocked ?? file?.numbers.maxBlocked ?? policy.maxBlocked
        self.policy = policy
        parameter = options.parameter
        patch = options.patch
        store = options.store
        isStrict = reading.strict
        format = output.format ?? .table
        self.printing = printing
        try RunFiles(
            inputs: found.inputs, texts: settings.texts, store: store, output: printing.destination, patch: patch
        ).refuseOverlaps()
    }

    /// What reading yields.
    ///
    /// - Throws: ``Failure`` when there are too many users.
    func read() throws(Failure) -> RolloutAnalysis.Result {
        let progress = Progress(total: found.size, isWanted: printing.showsProgress)
        defer { progress.finish() }
        let result = analysis.run(progress: progress.counter)
        guard !result.tally.hasTooManyUsers else { throw Failure(status: .badData, message: Messages.tooManyUsers) }
        return result
    }

    /// What the store shows about callers on the judged days and later.
    ///
    /// - Parameter newest: The newest day of the rows.
    /// - Returns: Nil without a store, or when it is a new one.
    /// - Throws: ``Failure`` when the store cannot be used.
    func storedCallers(through newest: Day?) throws(Failure) -> CallEvidence? {
        guard let store, StoreFile.isStore(store) else { return nil }
        let horizon = Instant(day: analysis.horizon.advanced(by: 1), nanosecondOfDay: 0)
        let (stored, key) = try StoreFile.use(store, for: .reading) { [analysis] store throws(HistoryFailure) in
            try (store.load(horizon: horizon, limit: analysis.scan.maxFunctions), store.key)
        }
        let first = policy.window(endingBefore: newest)?.lowerBound ?? policy.since?.advanced(by: 1)
        return stored.callers(of: stored.tally, in: WholeDays(first: first, last: nil), key: key)
    }

    /// The one template among the inputs.
    ///
    /// - Throws: ``Failure`` when there are two that differ.
    func template(among templates: [TemplateDocument]) throws(Failure) -> TemplateDocument? {
        guard templates.count < 2 else { throw failure(.severalTemplates, templates[1]) }
        return templates.first
    }

    /// Puts what is wrong with a template into words.
    func failure(_ fault: TemplateFault, _ template: TemplateDocument) -> Failure {
        let file = template.source == "-" ? "standard input" : DisplayText(name: template.source).text
        let message = fault.message(file: file, parameter: DisplayText(name: parameter).text) {
            DisplayText(name: $0).text
        }
        return Failure(status: .usage, message: message)
    }
}
