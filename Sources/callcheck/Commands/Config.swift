import ArgumentParser
import PolicyFile

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
            """)

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

    var plan = Resolved<Plan>()

    func resolve() throws -> Plan {
        guard reading.input.isEmpty else { throw ValidationError("config reads no inputs; leave them out.") }
        try output.validate(printing)
        let groups: [any SettingOptions] = [
            history, selection, functions, verdict, gate, reading, retention, output, printing,
        ]
        let settings = try Settings(config.config, groups)
        return try Plan(
            settings, printing.destination, output.resolved(printing, settings), store: settings.text(.store),
            isAnnounced: false)
    }

    func run(_ plan: Plan) throws -> ExitStatus { plan.write(try plan.settings.readingPolicy().listing) }
}

struct ConfigOptions: ParsableArguments {
    @Option(
        help: .value(
            "A settings file (default: the nearest callcheck.yml, here or above; see callcheck config).", "file"),
        completion: .file())
    var config: String?
}
