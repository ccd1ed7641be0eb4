import ArgumentParser
import Reports

/// Functions, counts and verdicts of the inputs.
struct Summarize: JudgingCommand {
    static let configuration = CommandConfiguration(
        commandName: "summarize",
        abstract: "Show functions, their counts and verdicts (the default command).",
        discussion: """
              callcheck logs/
              callcheck -o overview.html logs/
              gcloud storage cat 'gs://BUCKET/**' | callcheck
            """
    )

    @OptionGroup(title: "Inputs") var reading: ReadingOptions
    @OptionGroup(title: "Inputs") var inputs: InputOptions
    @OptionGroup(title: "Selection") var selection: SelectionOptions
    @OptionGroup(title: "Verdict") var verdict: VerdictOptions
    @OptionGroup(title: "Output") var output: FormatOptions<OutputFormat>
    @OptionGroup(title: "Output") var printing: PrintingOptions
    @OptionGroup var config: ConfigOptions
    @Option(help: .private) var store: String?
    @OptionGroup(title: "Selection") var functions: FunctionOptions
    @OptionGroup(title: "Output") var table: ViewOptions
    var plan = Resolved<RunPlan>()

    mutating func validate() throws {
        if store != nil { throw ValidationError(Messages.summaryOfStore) }
        plan = try Resolved { try RunPlan(self, functions: functions, table: table) }
    }

    func answer(_ read: JudgedInput, _ plan: RunPlan) -> Answer {
        let summary = read.summary
        return Answer(summary: summary, remarks: read.remarks, report: SummaryReport(summary, plan.view))
    }
}
