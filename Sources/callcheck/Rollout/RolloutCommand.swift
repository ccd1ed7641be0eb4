import Analysis
import ArgumentParser
import History
import PolicyFile
import Readiness
import Reports
import Rollout
import Verifications

struct RolloutCommand: StatusCommand {
    static let configuration = CommandConfiguration(
        commandName: "rollout",
        abstract: "Show whether it is time to raise the percentage of users with App Attest.",
        discussion: """
            For iOS apps that roll App Attest out with Remote Config and log AppAttestSuccess and AppAttestFailure to \
            Google Analytics. Reads rows of the BigQuery export (bq extract, or bq query --format=json) and the Remote \
            Config template, told apart by content. Users count, not events.

              firebase remoteconfig:get -o template.json
              callcheck rollout events/ template.json
              callcheck rollout --since 2026-10-12 --patch next.json events/ template.json

            Nothing is published: --patch writes the template with the new percentage, to deploy by hand.

            EXIT STATUS
              0   raise the percentage, or the rollout is complete
              1   roll back: too many users fail
              2   hold: not enough data
              64  the command line or the template cannot be used

            callcheck --help lists the other statuses.
            """)

    @OptionGroup(title: "Rollout") var options: RolloutOptions
    @OptionGroup(title: "Inputs") var inputs: ReadingOptions
    @OptionGroup(title: "Output") var output: FormatOptions<PageFormat>
    @OptionGroup(title: "Output") var printing: PrintingOptions
    @OptionGroup var config: ConfigOptions

    var plan = Resolved<Plan>()

    func resolve() throws -> Plan {
        try output.validate(printing)
        let settings = try Settings(config.config, [inputs, printing, output])
        return try Plan(
            settings, printing.destination, output.resolved(printing, settings), inputs: inputs.input,
            store: options.store, patch: options.patch)
    }

    func run(_ plan: Plan) throws -> ExitStatus {
        let patched = options.patch.map { Destination(output: $0) }
        try patched?.prepare()

        let policy = options.policy(plan.settings, now: plan.now)
        let read = try read(plan)
        guard read.templates.count < 2 else { throw failure(.severalTemplates, read.templates[1]) }
        let document = read.templates.first
        let template = try document.map { document throws(Failure) in
            try checked(document) { document throws(TemplateFault) in try document.rollout(of: options.parameter) }
        }
        let callers = try read.evidence ?? storedCallers(plan, policy, through: read.tally.newestDay)
        let assessment = RolloutAssessment(read.tally, template: template, policy: policy, evidence: callers)
        var complaint: Failure?
        var (change, remark): ([UInt8]?, String?) = (nil, nil)
        if patched != nil {
            do throws(Failure) { (change, remark) = try self.change(document, read.input, assessment, plan) } catch {
                complaint = error
            }
        }

        let kept = try keep(assessment, read, plan)
        let report = RolloutReport(
            assessment, of: read.tally, input: read.input, parameter: options.parameter,
            patch: change == nil ? nil : options.patch, store: kept)
        var written = plan.output.write { stream in
            switch plan.format {
            case .json: report.writeJSON(to: &stream)
            case .markdown: report.writeMarkdown(to: &stream)
            default: report.writeTable(plan.settings.style(for: plan.output), to: &stream)
            }
        }
        if let change, let patched {
            let text = String(decoding: change, as: UTF8.self)
            written = .mostSerious([written, patched.write { $0.write(text) }])
        }
        let isStrict = plan.settings.isOn(.strict)
        Messages.print(Messages.faults(of: read.input, plan.found, isStrict: isStrict))
        if let store = plan.store, kept == nil {
            Messages.print([
                "--store \(DisplayText(name: store).text): nothing was kept, as not all of the input could be read"
            ])
        }
        Messages.print([remark, complaint?.message].compactMap(\.self))
        let answer = ExitStatus.mostSerious([ExitStatus(assessment.verdict), complaint?.status ?? .success])
        return .of(read.input, isStrict: isStrict, answer: answer, written: written)
    }

    private func read(_ plan: Plan) throws(Failure) -> RolloutAnalysis.Result {
        var analysis = RolloutAnalysis(inputs: plan.found.inputs, horizon: plan.now.day.advanced(by: 1))
        analysis.jobs = plan.settings.threads
        analysis.scan = plan.settings.scan(options.fingerprints)
        let progress = Progress(total: plan.found.size, isWanted: plan.settings.showsProgress)
        defer { progress.finish() }
        let result = analysis.run(progress: progress.counter)
        guard !result.tally.hasTooManyUsers else { throw Failure(status: .badData, message: Messages.tooManyUsers) }
        return result
    }

    /// What the store shows about callers on the judged days and later; nil without one, or when it is new.
    private func storedCallers(
        _ plan: Plan, _ policy: RolloutPolicy, through newest: Day?
    ) throws(Failure) -> CallEvidence? {
        guard let store = plan.store, StoreFile.isStore(store) else { return nil }
        var analysis = LogAnalysis(inputs: [], horizon: Instant(day: plan.now.day.advanced(by: 2), nanosecondOfDay: 0))
        let first = policy.window(endingBefore: newest)?.lowerBound ?? policy.since?.advanced(by: 1)
        analysis.range.since = first.map { Instant(day: $0, nanosecondOfDay: 0) }
        analysis.jobs = plan.settings.threads
        return try analysis.run(with: store).result.evidence
    }

    /// Stores sums of the days, unless part of the input could not be read; returns the store that has them.
    private func keep(
        _ assessment: RolloutAssessment, _ read: RolloutAnalysis.Result, _ plan: Plan
    ) throws(Failure) -> String? {
        guard let store = plan.store, read.input.faults.isEmpty, read.input.malformed + read.input.oversized == 0 else {
            return nil
        }
        let history = RolloutHistory(assessment, through: read.tally.newestDay, parameter: options.parameter)
        try StoreFile.use(store, for: .adding) { store throws(StoreFailure) in try store.add(history) }
        return store
    }

    private func change(
        _ document: TemplateDocument?, _ input: InputSummary, _ assessment: RolloutAssessment, _ plan: Plan
    ) throws(Failure) -> ([UInt8]?, String?) {
        guard let document else {
            throw Failure(
                status: .usage,
                message:
                    "--patch needs the Remote Config template among the inputs: firebase remoteconfig:get -o template.json"
            )
        }
        // What could not be read may be failures.
        guard ExitStatus.of(input, isStrict: plan.settings.isOn(.strict)) == .success else {
            return (nil, "--patch: nothing was written, as not all of the input could be read")
        }
        guard assessment.verdict == .raise, let next = assessment.next else {
            return (nil, "--patch: nothing was written, as the percentage is not to be raised")
        }
        let change = try checked(document) { document throws(TemplateFault) in
            try document.patched(options.parameter, percent: next)
        }
        return (change, nil)
    }

    private func checked<Value>(
        _ document: TemplateDocument, _ step: (TemplateDocument) throws(TemplateFault) -> Value
    ) throws(Failure) -> Value {
        do throws(TemplateFault) {
            return try step(document)
        } catch {
            throw failure(error, document)
        }
    }

    private func failure(_ fault: TemplateFault, _ template: TemplateDocument) -> Failure {
        let file = template.source == "-" ? "standard input" : DisplayText(name: template.source).text
        let message = fault.message(file: file, parameter: DisplayText(name: options.parameter).text) {
            DisplayText(name: $0).text
        }
        return Failure(status: .usage, message: message)
    }
}

struct RolloutOptions: ParsableArguments {
    @Option(help: .value("The Remote Config parameter that switches App Attest on.", "name"))
    var parameter = "AppAttestEnabled"

    @Option(
        help: .value("The day on which the percentage last changed: days after it are judged (default: all).", "date"),
        transform: SinceArgument.init(typed:))
    var since: SinceArgument?

    @Option(help: .value("Judge this many complete days (default: 14d).", "days"), transform: PolicyKey.window.read)
    var window: SettingValue?

    @Option(
        help: .value("The share of users whose attestation may fail (default: 2%).", "rate"),
        transform: PolicyKey.maxBlocked.read)
    var maxFailed: SettingValue?

    @Option(
        help: .value("The percentages to go through (default: 1,5,10,25,50,100).", "list"),
        transform: RolloutOptions.steps)
    var steps: [Double]?

    @Option(help: .value("How many people use the iOS app on a day: keeps a step within Apple's limits.", "count"))
    var dailyUsers: Int?

    @Option(
        help: .value("When the percentage is to be raised, write the template with the new one to this file.", "file"))
    var patch: String?

    @Option(help: .value("Keep sums of the days here, for callcheck report.", "file")) var store: String?

    @OptionGroup var fingerprints: FingerprintOptions

    func validate() throws {
        if let store { try HistoryOptions.refuseNonFile(store) }
        if let dailyUsers, dailyUsers < 1 { throw ValidationError("--daily-users must be at least 1.") }
        if patch == "-" { throw ValidationError("--patch needs a file: standard output shows the answer.") }
    }

    func policy(_ settings: Settings, now: Instant) -> RolloutPolicy {
        var policy = RolloutPolicy()
        policy.since = since?.instant(from: now).day
        policy.window = window?.count ?? policy.window
        policy.maxFailed = maxFailed?.share ?? policy.maxFailed
        policy.steps = steps ?? policy.steps
        policy.dailyUsers = dailyUsers
        // Of a policy in a file of its own, a rollout reads nothing.
        let most = settings.file?.document.policy?.values[.maxBlocked] ?? settings.file?[.maxBlocked]
        policy.maxBlocked = most?.share ?? policy.maxBlocked
        return policy
    }

    /// Percentages with commas between them, in ascending order, with `%` or without.
    private static func steps(_ text: String) throws -> [Double] {
        let steps = text.split(separator: ",", omittingEmptySubsequences: false).map { part -> Double? in
            let digits = part.hasSuffix("%") ? part.dropLast() : part
            return digits.utf8.allSatisfy { $0 == 0x2E || (0x30...0x39).contains($0) } ? Double(digits) : nil
        }
        let known = steps.compactMap(\.self)
        guard known.count == steps.count, known.allSatisfy({ $0 > 0 && $0 <= 100 }), known == Array(Set(known)).sorted()
        else { throw ValidationError("write percentages in ascending order, such as 1,5,10,25,50,100.") }
        return known
    }
}
