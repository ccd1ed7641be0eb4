import Analysis
import ArgumentParser
import LogStream
import Readiness
import Reports
import Verifications

/// What a command line means, once everything in it has been looked at: inputs found, times made absolute.
struct RunPlan {
    var analysis: LogAnalysis
    var found: FoundInputs
    /// The store that is read instead of inputs; nil without one.
    var store: String?
    var selection: Selection
    var rules: PolicyRules
    /// The policy file's name, printable; nil without one.
    var policyFile: String?
    /// What is deployed, as `--inventory` says; empty without one.
    var inventory: [InventoryEntry] = []
    /// `--as-of`; nil for the newest verification.
    var asOf: Instant?
    /// The present, where old exports are held against it; nil where they are not.
    var clock: Instant?
    var format: OutputFormat
    var style: TerminalStyle
    var showsProgress: Bool

    /// The days that a store takes for `--since` and `--until`; nil where these count as they are.
    var widenedDays: WholeDays? { store == nil ? nil : analysis.range.widenedDays }

    /// A plan for a command line.
    ///
    /// - Parameters:
    ///   - options: What to read, what of it counts, and how to print.
    ///   - history: The store to read instead of inputs, where a command takes one.
    ///   - functions: Patterns of the functions to look at; none for all.
    ///   - now: The present, from which ages count back.
    /// - Throws: What is wrong with them.
    init(
        _ options: JudgingOptions, from history: HistoryOptions? = nil, functions: [String], now: Instant
    ) throws {
        let (input, selected) = (options.inputs, options.selection)
        asOf = selected.asOf?.last
        let range = TimeRange(
            since: selected.since?.instant(from: asOf ?? now), until: selected.until?.exclusiveEnd)
        if let since = range.since, let until = range.until, since >= until {
            throw ValidationError("--since is not before --until, so nothing would count; swap them, or leave one out.")
        }
        analysis = LogAnalysis(inputs: [], horizon: now.adding(seconds: 86_400))
        analysis.range = range
        analysis.removesDuplicates = !input.keepsDuplicates
        analysis.jobs = input.reading.threads
        analysis.scan = input.reading.scan
        selection = Selection(
            projects: selected.projects.map(Glob.init), regions: selected.regions.map(Glob.init),
            functions: functions.map(Glob.init))
        rules = PolicyRules(since: range.since?.day)
        format = options.output.resolvedFormat
        style = options.output.style
        showsProgress = options.output.printing.showsProgress
        store = history?.store
        found = try store == nil ? FoundInputs(input.reading.input) : .none(beside: input)
        analysis.inputs = found.inputs
        let texts = [("--policy", options.verdict.policy), ("--inventory", options.verdict.inventory)]
        try RunFiles(inputs: found.inputs, texts: texts, store: store, output: options.output.destination)
            .refuseOverlaps()
    }
}
