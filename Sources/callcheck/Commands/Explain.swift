import Analysis
import ArgumentParser
import LogStream
import Readiness
import Reports
import Verifications

/// All the evidence on one function.
struct Explain: ParsableCommand, StatusCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show all the evidence on one function, and what would change its verdict.",
        discussion: """
            One page: the requests of each day, who called with which tokens, how sure the numbers are, when the \
            verdict may change, what would change it now (each line is the rule's own answer), and what to do next.

              callcheck explain addMessage logs/
              callcheck explain 'admin*' --region europe-west1 export.json.gz
            """
    )

    @Argument(help: "The function: its name, or a glob that matches one.")
    var function: String

    @Option(help: "1 or 2: which of two functions with one name.")
    var generation: GenerationArgument?

    @OptionGroup(title: "Inputs") var history: HistoryOptions
    @OptionGroup var options: JudgingOptions

    func validate() throws {
        if let complaint = MisplacedPath.complaint(function: function, inputs: options.inputs.reading.input) {
            throw ValidationError(complaint)
        }
        _ = try plan(now: Clock.now())
    }

    func execute() throws -> ExitStatus {
        var plan = try plan(now: Clock.now())
        try plan.take(options.verdict)
        try options.output.destination.prepare()
        let run = try SummaryRun(plan)
        Messages.explain(run.summary, of: plan, isQuiet: options.output.quiet)
        if !options.output.quiet { Messages.tell(plan.remarks(run.judge, run.summary.input)) }
        let status = ExitStatus.of(run.summary.input, isStrict: plan.analysis.scan.isStrict)
        switch FunctionChoice(function, generation: generation?.generation, in: run) {
        case .one(let chosen):
            let explanation = Explanation(chosen, in: run.summary, judge: run.judge)
            let report = ExplainReport(explanation, policyFile: plan.policyFile)
            return .mostSerious([
                options.output.destination.write(report, as: plan.format.reportFormat(plan.style)), status,
            ])
        case .several(let message):
            throw Failure(status: .usage, message: message)
        case .none(let message):
            // To a program a name without a match is a row, as in every summary.
            let written =
                plan.format.hasNotes
                ? .success
                : options.output.destination.write(
                    SummaryReport(run.summary(ofUnmatched: plan.selection)), as: plan.format.reportFormat(plan.style))
            // Who could not read an input cannot say that the function is not in it.
            let found = status == .success ? .usage : status
            throw Failure(status: .mostSerious([written, found]), message: message)
        }
    }

    private func plan(now: Instant) throws -> RunPlan {
        try RunPlan(options, from: history, functions: [function], now: now)
    }
}

/// A generation as typed.
struct GenerationArgument: ExpressibleByArgument {
    let generation: Generation

    init?(argument: String) {
        guard let number = UInt8(argument), let generation = Generation(rawValue: number) else { return nil }
        self.generation = generation
    }

    static var allValueStrings: [String] { ["1", "2"] }
}
