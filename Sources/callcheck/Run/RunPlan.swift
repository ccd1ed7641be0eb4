import Analysis
import ArgumentParser
import Glibc
import LogStream
import Readiness
import Reports
import Verifications

/// What a command line means, once everything in it has been looked at: inputs found, times made absolute.
struct RunPlan {
    var analysis: Analysis
    var selection: Selection
    var rules: PolicyRules
    /// What is deployed, as `--inventory` says; empty without one.
    var inventory: [InventoryEntry] = []
    /// `--as-of`; nil for the newest verification.
    var asOf: Instant?
    var format: OutputFormat
    var style: TerminalStyle
    var showsProgress: Bool

    init(_ input: InputOptions, _ selected: SelectionOptions, _ output: OutputOptions, now: Instant) throws {
        asOf = selected.asOf?.last
        let range = TimeRange(
            since: selected.since?.instant(from: asOf ?? now), until: selected.until?.exclusiveEnd)
        if let since = range.since, let until = range.until, since >= until {
            throw ValidationError("--since is not before --until, so nothing would count.")
        }
        analysis = Analysis(inputs: try RunPlan.sources(input.input), horizon: now.adding(seconds: 86_400))
        analysis.range = range
        analysis.removesDuplicates = !input.keepsDuplicates
        analysis.jobs = input.jobs ?? max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        analysis.scan.isStrict = input.strict
        analysis.scan.maxRecordBytes = input.maxRecordBytes.value
        analysis.scan.maxFunctions = input.maxFunctions
        selection = Selection(
            projects: selected.projects.map(Glob.init), regions: selected.regions.map(Glob.init),
            functions: selected.functions.map(Glob.init))
        rules = PolicyRules(since: range.since?.day)
        format = output.resolvedFormat
        style = output.style
        showsProgress = !output.quiet && !output.noProgress
    }

    /// The inputs named, or standard input, unless somebody sits there who would wait for ever.
    private static func sources(_ arguments: [String]) throws -> [LogInput] {
        guard arguments.isEmpty else { return LogInput.expand(arguments) }
        guard !Terminal.isTerminal(STDIN_FILENO) else { throw ValidationError(Messages.noInput) }
        return [.standardInput]
    }
}
