import Analysis
import ArgumentParser
import History
import Reports
import Rollout
import Verifications

/// Whether it is time to raise the percentage of users with App Attest.
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
              2   hold: too little is known
              64  the command line or the template cannot be used

            callcheck --help lists the other statuses.
            """
    )

    @OptionGroup(title: "Rollout") var options: RolloutOptions
    @OptionGroup(title: "Inputs") var inputs: ReadingOptions
    @OptionGroup(title: "Output") var output: FormatOptions<PageFormat>
    @OptionGroup(title: "Output") var printing: PrintingOptions
    @OptionGroup var config: ConfigOptions

    var plan = Resolved<RolloutPlan>()

    mutating func validate() throws {
        plan = try Resolved { try RolloutPlan(self) }
    }

    func execute() throws -> ExitStatus {
        let plan = try plan.get()
        plan.settings.announce(isQuiet: plan.printing.quiet)
        let output = plan.printing.destination
        try output.prepare()
        let patched = plan.patch.map { Destination(output: $0) }
        try patched?.prepare()

        let read = try plan.read()
        let document = try plan.template(among: read.templates)
        let template: RolloutTemplate?
        do throws(TemplateFault) {
            template = try document?.rollout(of: plan.parameter)
        } catch {
            throw document.map { plan.failure(error, $0) } ?? Failure(status: .internalError, message: "no template")
        }
        let callers = try read.evidence ?? plan.storedCallers(through: read.tally.newestDay)
        let assessment = RolloutAssessment(read.tally, template: template, policy: plan.policy, evidence: callers)
        var complaint: Failure?
        var change: [UInt8]?
        if plan.patch != nil {
            do throws(Failure) {
                change = try RolloutCommand.change(document, read.input, assessment, plan)
            } catch {
                complaint = error
            }
        }

        let kept = try keep(assessment, read, plan)
        let report = RolloutReport(
            assessment, of: read.tally, input: read.input, parameter: plan.parameter,
            patch: change == nil ? nil : plan.patch, store: kept)
        var written = output.write { stream in
            switch plan.format {
            case .table: report.writeTable(plan.printing.style, to: &stream)
            case .json: report.writeJSON(to: &stream)
            case .markdown: report.writeMarkdown(to: &stream)
            }
        }
        if let change, let patched {
            let text = String(decoding: change, as: UTF8.self)
            written = .mostSerious([written, patched.write { $0.write(text) }])
        }
        Messages.print(Messages.faults(of: read.input, plan.found, isStrict: plan.isStrict))
        if let store = plan.store, kept == nil { Messages.print([Messages.unreadBeforeStore(store)]) }
        if let complaint { Messages.print([complaint.message]) }
        let answer = ExitStatus.mostSerious([ExitStatus(assessment.verdict), complaint?.status ?? .success])
        return .of(read.input, isStrict: plan.isStrict, answer: answer, written: written)
    }

    /// Stores sums of the days, unless part of the input could not be read.
    ///
    /// - Returns: The store that has them.
    private func keep(
        _ assessment: RolloutAssessment, _ read: RolloutAnalysis.Result, _ plan: RolloutPlan
    ) throws(Failure) -> String? {
        guard let store = plan.store, read.input.faults.isEmpty, read.input.malformed + read.input.oversized == 0 else {
            return nil
        }
        let history = RolloutHistory(assessment, through: read.tally.newestDay, parameter: plan.parameter)
        try StoreFile.use(store, for: .adding) { store throws(HistoryFailure) in try store.add(history) }
        return store
    }

    /// The bytes of the changed template.
    ///
    /// - Throws: Why there are none; not a failure of the command where the percentage stays.
    private static func change(
        _ document: TemplateDocument?, _ input: InputSummary, _ assessment: RolloutAssessment, _ plan: RolloutPlan
    ) throws(Failure) -> [UInt8] {
        guard let document else { throw Failure(status: .usage, message: Messages.noTemplate) }
        // What could not be read may be failures.
        guard ExitStatus.of(input, isStrict: plan.isStrict) == .success else {
            throw Failure(status: .success, message: Messages.unreadBeforePatch)
        }
        guard assessment.verdict == .raise, let next = assessment.next else {
            throw Failure(status: .success, message: Messages.nothingPatched)
        }
        do throws(TemplateFault) {
            return try document.patched(plan.parameter, percent: next)
        } catch {
            throw plan.failure(error, document)
        }
    }
}
