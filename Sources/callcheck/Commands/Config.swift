import ArgumentParser
import PolicyFile
import Readiness
import Reports

struct Config: Command {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "List all settings: their values, where each comes from, and the defaults.",
        usage: "callcheck config [<options>]",
        discussion: """
              callcheck config
              callcheck config --set max-refused=2%
              callcheck config -f json

            Precedence: the command line (an option, or --set), an environment variable, the numbers of the policy, the \
            settings file. The file is callcheck.yml, in the working directory or above it, up to the top of the repository. Its keys are \
            those of this list, and policy and functions as in a policy file:

              store: history.db
              function: [addMessage, "admin*"]
              policy: {max-refused: 0.5%}

            The variables are CALLCHECK_CONFIG, CALLCHECK_STORE, CALLCHECK_POLICY, CALLCHECK_PROJECT, and for others \
            CALLCHECK_SET_ and the key: CALLCHECK_SET_MAX_REFUSED=2%.

            The options of other commands that are settings are accepted, to show what they would change.
            """,
        shouldDisplay: false)

    @OptionGroup var settings: SettingsOptions
    @OptionGroup var printing: PrintingOptions
    @OptionGroup(visibility: .hidden) var store: StoreOptions
    @OptionGroup(visibility: .hidden) var selection: SelectionOptions
    @OptionGroup(visibility: .hidden) var functions: FunctionOptions
    @OptionGroup(visibility: .hidden) var verdict: VerdictOptions
    @OptionGroup(visibility: .hidden) var gate: GateOptions
    @OptionGroup(visibility: .hidden) var reading: ReadingOptions

    func execute() throws -> ExitStatus {
        guard reading.input.isEmpty else { throw ValidationError("config reads no logs; leave them out.") }
        let settings = try Settings(
            settings,
            [
                store.typed, selection.typed, functions.named().typed, verdict.typed, gate.typed, reading.typed,
                printing.typed,
            ], readsPolicy: true)
        let run = try Run(
            settings, printing, among: Config.formats, store: settings.store, isAnnounced: false)
        return run.write(settings.listing)
    }
}
