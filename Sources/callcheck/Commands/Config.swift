import ArgumentParser
import Reports

/// The settings in effect.
struct Config: StatusCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Show which settings hold, and where each comes from.",
        usage: "callcheck config [<options>]",
        discussion: """
            A flag beats an environment variable, which beats the settings file. The file is callcheck.yml, in the \
            working directory or above it, up to the top of the repository. Its keys are the names of long options, \
            and policy and functions as in a policy file:

              store: history.db
              function: [addMessage, "admin*"]
              policy: {max-blocked: 0.5%}

            The variables are CALLCHECK_CONFIG, CALLCHECK_STORE, CALLCHECK_POLICY and CALLCHECK_PROJECT.

              callcheck config
              callcheck config --max-blocked 2% -f json

            Takes the options of every other command, to show what they would change.
            """
    )

    @OptionGroup(title: "Settings") var config: ConfigOptions
    @OptionGroup(title: "Output") var output: FormatOptions<ListFormat>
    @OptionGroup(title: "Output") var printing: PrintingOptions
    @OptionGroup(visibility: .hidden) var history: HistoryOptions
    @OptionGroup(visibility: .hidden) var selection: SelectionOptions
    @OptionGroup(visibility: .hidden) var functions: FunctionOptions
    @OptionGroup(visibility: .hidden) var verdict: VerdictOptions
    @OptionGroup(visibility: .hidden) var gate: GateOptions
    @OptionGroup(visibility: .hidden) var reading: ReadingOptions
    @OptionGroup(visibility: .hidden) var retention: RetentionOptions

    var plan = Resolved<ConfigPlan>()

    mutating func validate() throws {
        guard reading.input.isEmpty else { throw ValidationError("config reads no inputs; leave them out.") }
        plan = try Resolved { try ConfigPlan(self) }
    }

    func execute() throws -> ExitStatus {
        let plan = try plan.get()
        try plan.output.printing.destination.prepare()
        return plan.output.write(table: plan.listing.writeTable, json: plan.listing.writeJSON)
    }
}
