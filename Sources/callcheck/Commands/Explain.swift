import ArgumentParser
import PolicyFile
import Readiness
import Reports
import Verifications

struct Explain: JudgingCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Show all about one function, and what would change its verdict.",
        usage: "callcheck explain <function> [<log> ...] [<options>]",
        discussion: """
              callcheck explain addMessage logs/
              callcheck explain addMessage --store history.db
              callcheck explain 'admin*' --region europe-west1 export.json.gz

            Shows who would be refused, why, what to do and when, then the last days. With -v also how certain the \
            numbers are, what would change the verdict now (recomputed for each option), and commands to copy.
            --set generation=1 chooses between two functions with one name.
            """)

    @Argument(help: "The function: its name, or a glob that matches one.", completion: StoredNames.completion)
    var function: String

    @Option(name: .customLong("function"), help: .private) var misplaced: [String] = []

    @OptionGroup(title: "Inputs") var history: StoreOptions
    @OptionGroup(title: "Inputs") var reading: ReadingOptions
    @OptionGroup(title: "Selection") var selection: SelectionOptions
    @OptionGroup(title: "Verdict") var verdict: VerdictOptions
    @OptionGroup(title: "Output") var printing: PrintingOptions
    @OptionGroup(title: "Settings") var settings: SettingsOptions

    @Flag(name: .shortAndLong, help: "Everything, not just what fits on a screen.") var verbose = false

    func execute() throws -> ExitStatus {
        if !misplaced.isEmpty {
            throw ValidationError(
                "explain takes the function as its first argument, without --function: callcheck explain FUNCTION LOG")
        }
        if let complaint = MisplacedPath.complaint(function: function, inputs: reading.input) {
            throw ValidationError(complaint)
        }
        let run = try Run(self, argument: function)
        let log = try LoadedLog(reading: run)
        let summary = log.summary
        let generation = run.settings.generation.flatMap(UInt8.init).flatMap(Generation.init)
        switch FunctionChoice(function, generation: generation, in: summary, log.evaluator) {
        case .one(let chosen):
            let explanation = Explanation(chosen, in: summary, evaluator: log.evaluator(of: chosen))
            let report = Report.explanation(explanation, policyFile: run.policyFile, isVerbose: verbose)
            return log.finish(summary, report, status: .success)
        case .several(let message): return log.finish(summary, nil, complaint: message, status: .usage)
        case .none(let message):
            // For programs, a name without a match is a row, as in every summary.
            let report = run.format.hasNotes ? nil : Report.summary(log.summary(withoutMatchIn: summary))
            // If an input could not be read, the function may be in it: then its fault is the answer.
            let readable = ExitStatus.of(summary.input, isStrict: run.isStrict, needsRecords: true)
            return log.finish(
                summary, report, complaint: message, status: readable == .success ? .usage : .success)
        }
    }
}
