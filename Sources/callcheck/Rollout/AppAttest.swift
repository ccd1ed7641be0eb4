import ArgumentParser
import Entries
import LogStream
import PolicyFile
import Readiness
import Reports
import Rollout
import Verifications

struct AppAttest: Command {
    static let configuration = CommandConfiguration(
        commandName: "app-attest",
        abstract: "Show whether to raise the percentage of users with App Attest.",
        usage: "callcheck app-attest <input> ... [<options>]",
        discussion: """
              firebase remoteconfig:get -o template.json
              callcheck app-attest events/ template.json
              callcheck app-attest --since 2026-10-12 --patch next.json rows/ template.json

            For iOS apps that roll App Attest out with Remote Config and log AppAttestSuccess and AppAttestFailure to \
            Google Analytics. Reads rows of the BigQuery export (bq extract, or bq query --format=json) and the \
            Remote Config template, told apart by content. Users count, not events. The settings attest-days, max-failed, \
            steps and daily-users change how it judges.

            Nothing is published: --patch writes the template with the new percentage, to deploy by hand.

            EXIT STATUS
              0   raise the percentage, or the rollout is complete
              1   roll back: too many users fail
              2   hold: not enough data
              64  the command line or the template cannot be used

            callcheck --help lists the other statuses.
            """)

    static let formats: [OutputFormat] = [.table, .json, .markdown]

    @OptionGroup(title: "Rollout") var options: RolloutOptions
    @OptionGroup(title: "Inputs") var history: StoreOptions
    @OptionGroup(title: "Inputs") var inputs: ReadingOptions
    @OptionGroup(title: "Output") var printing: PrintingOptions
    @OptionGroup(title: "Settings") var settings: SettingsOptions

    func execute() throws -> ExitStatus {
        let settings = try Settings(settings, [inputs.typed, history.typed, printing.typed])
        // A store that only the settings name is that of other commands.
        let store = settings.origin(of: \.store).isTyped ? settings.store : nil
        if let store { try StoreOptions.refuseNonFile(store, "--store") }
        let run = try Run(
            settings, printing, among: AppAttest.formats, inputs: inputs.input, store: store, readsStore: true,
            patch: options.patch)
        let patched = options.patch.map { Destination(output: $0) }
        try patched?.prepare()

        let policy = options.policy(settings, now: run.now)
        var read = try read(run)
        guard read.templates.count < 2 else { throw failure(.severalTemplates, read.templates[1]) }
        let document = read.templates.first
        let template = try document.map { document throws(Failure) in
            try checked(document) { document throws(TemplateFault) in try document.rollout(of: options.parameter) }
        }
        let stored = try stored(run, policy, through: read.tally.newestDay)
        read.tally.logEntries += stored?.input.records ?? 0
        let assessment = RolloutAssessment(
            read.tally, template: template, policy: policy, logs: read.requests?.tally ?? stored?.tally,
            services: read.requests?.services ?? ServiceCounts())
        var complaint: Failure?
        var (change, remark): ([UInt8]?, String?) = (nil, nil)
        if patched != nil {
            do throws(Failure) { (change, remark) = try self.change(document, read.input, assessment, run) } catch {
                complaint = error
            }
        }

        let report = RolloutReport(
            assessment, of: read.tally, input: read.input, parameter: options.parameter,
            patch: change == nil ? nil : options.patch)
        var written = run.output.write { stream in
            switch run.format {
            case .json: report.writeJSON(to: &stream)
            case .markdown: report.writeMarkdown(to: &stream)
            default: report.writeTable(run.settings.style(for: run.output), to: &stream)
            }
        }
        if let change, let patched {
            let text = String(decoding: change, as: UTF8.self)
            written = .mostSerious([written, patched.write { $0.write(text) }])
        }
        Messages.print(Messages.faults(of: read.input, run.found, isStrict: run.isStrict))
        Messages.print([remark, complaint?.message].compactMap(\.self))
        let answer = ExitStatus.mostSerious([ExitStatus(assessment.verdict), complaint?.status ?? .success])
        return .of(read.input, isStrict: run.isStrict, answer: answer, written: written)
    }

    private func read(_ run: Run) throws(Failure) -> RolloutAnalysis.Result {
        var analysis = RolloutAnalysis(inputs: run.found.inputs, horizon: run.now.day.advanced(by: 1))
        analysis.jobs = run.settings.threads
        analysis.scan = run.settings.scan
        let progress = run.progress(of: run.found)
        defer { progress.finish() }
        let result = analysis.run(progress: progress.counter)
        guard !result.tally.hasTooManyUsers else { throw Failure(Messages.tooManyUsers, .badData) }
        return result
    }

    /// Returns the result of stores for the judged days and later; nil without a store.
    private func stored(
        _ run: Run, _ policy: RolloutPolicy, through newest: Day?
    ) throws(Failure) -> LogAnalysis.Result? {
        guard !run.found.stores.isEmpty else { return nil }
        var analysis = LogAnalysis(inputs: [], horizon: Instant(day: run.now.day.advanced(by: 2), nanosecondOfDay: 0))
        let first = policy.window(endingBefore: newest)?.lowerBound ?? policy.since?.advanced(by: 1)
        analysis.range.since = first.map { Instant(day: $0, nanosecondOfDay: 0) }
        analysis.jobs = run.settings.threads
        return try analysis.run(with: run.found.stores)
    }

    private func change(
        _ document: TemplateDocument?, _ input: InputSummary, _ assessment: RolloutAssessment, _ run: Run
    ) throws(Failure) -> ([UInt8]?, String?) {
        guard let document else {
            throw Failure(
                "--patch needs the Remote Config template among the inputs: firebase remoteconfig:get -o template.json")
        }
        // What could not be read may be failures.
        guard ExitStatus.of(input, isStrict: run.isStrict) == .success else {
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
        return Failure(
            fault.message(file: file, parameter: DisplayText(name: options.parameter).text) {
                DisplayText(name: $0).text
            })
    }
}

struct RolloutOptions: ParsableArguments {
    @Option(help: .value("Remote Config parameter.", "name"))
    var parameter = "AppAttestEnabled"

    @Option(
        help: .value("The day on which the percentage last changed.", "date"),
        transform: SinceArgument.init(typed:))
    var since: SinceArgument?

    @Option(
        help: .value("Write the template with the new percentage here.", "file"), completion: .file())
    var patch: String?

    @Option(help: .rare("What the percentage was before: to go back to.", "percent"))
    var beforePercent: Double?

    func validate() throws {
        if let beforePercent, !(0..<100).contains(beforePercent) {
            throw ValidationError("--before-percent must be a percentage from 0 to below 100, such as 10.")
        }
        if patch == "-" { throw ValidationError("--patch needs a file: standard output shows the answer.") }
    }

    func policy(_ settings: Settings, now: Instant) -> RolloutPolicy {
        var policy = RolloutPolicy()
        policy.since = since?.instant(from: now).day
        policy.previous = beforePercent
        policy.window = settings.attestDays ?? policy.window
        policy.maxFailed = settings.maxFailed ?? policy.maxFailed
        policy.steps = settings.steps ?? policy.steps
        policy.dailyUsers = settings.dailyUsers
        policy.maxBlocked = settings.maxRefused ?? policy.maxBlocked
        return policy
    }
}

extension AppAttest {
    /// Says that an input in which no other command finds anything is one for this command; nil if it is not.
    static func claim(_ input: LogInput) -> String? {
        let read = RolloutAnalysis(inputs: [input], horizon: Clock.now().day).run()
        guard !read.templates.isEmpty || read.tally.newestDay != nil else { return nil }
        return "these are events of Google Analytics or a Remote Config template, which callcheck app-attest reads"
    }
}

extension ExitStatus {
    fileprivate init(_ verdict: RolloutVerdict) {
        self =
            switch verdict {
            case .raise, .done: .success
            case .rollBack: .notSafe
            case .hold: .unsure
            }
    }
}

extension Messages {
    fileprivate static let tooManyUsers = """
        the rows have more than \(EventTally.userLimit) users, more than can be distinguished. Export fewer days, or a tenth of \
        the users: WHERE MOD(ABS(FARM_FINGERPRINT(user_pseudo_id)), 10) = 0
        """
}
