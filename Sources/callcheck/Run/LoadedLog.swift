import Entries
import History
import LogStream
import Platform
import PolicyFile
import Readiness
import Reports
import Verifications

/// The logs and stores that were read, and the judge of them.
struct LoadedLog {
    let evaluator: Evaluator
    /// The evaluators of services, one for each project.
    let services: [Evaluator]
    private let found: LogAnalysis.Result
    private let run: Run

    private var input: InputSummary { found.input }

    /// The last day of earlier logs that the inputs are compared with; nil without such logs.
    private var lastEarlierDay: Day?

    /// Reads what a run names, and shows its progress; logs to compare with must be earlier.
    init(reading run: Run) throws(Failure) {
        var read = try LoadedLog.read(run.found, run)
        var rules = run.rules
        var lastEarlierDay: Day?
        if !run.earlier.isEmpty {
            let earlier = try LoadedLog.read(run.earlier, run)
            if let last = earlier.tally.newestDay {
                // Days in both logs belong to the earlier one.
                let later = read.tally.days(from: last.advanced(by: 1), through: nil, keepsEarlier: false)
                guard let first = later.oldestDay else {
                    throw Failure(Messages.comparison(earlierEndsOn: last, notBefore: read.tally.newestDay))
                }
                rules.since = max(rules.since ?? first, first)
                read.tally = later
                lastEarlierDay = last
            }
            read.merge(earlier)
            read.input = read.input.restricted(to: read.tally)
        }
        try self.init(read, rules, run)
        self.lastEarlierDay = lastEarlierDay
        try refuseLateStarts()
    }

    /// A time from which requests count must not be later than the one that is judged: nothing would count, and a gate
    /// could not tell.
    private func refuseLateStarts() throws(Failure) {
        guard let last = evaluator.asOf?.day else {
            guard services.isEmpty, run.range.since != nil, run.range.until == nil, run.asOf == nil,
                input.verifications == 0,
                input.filtered > 0, input.newestEntry != nil, input.faults.isEmpty
            else { return }
            throw Failure("--since is later than every request in the log; name an earlier time.")
        }
        let late = run.rules.entries.first { entry in
            entry.settings.since.map { $0 > last } ?? false && !entry.isExpired(on: last)
        }
        guard let late, let file = run.policyFile else { return }
        throw Failure(
            "\(file):\(late.line): `since` is later than \(last), the day that is judged; correct it, or delete the line"
        )
    }

    init(_ found: LogAnalysis.Result, _ rules: PolicyRules, _ run: Run) throws(Failure) {
        try found.input.refuseTooManyFunctions()
        (self.found, self.run) = (found, run)
        let overlapping = found.services.overlapping
        guard overlapping.isEmpty else { throw Failure(Messages.overlappingPeriods(of: overlapping), .badData) }
        services = found.services.evaluators(rules, asOf: run.asOf, clock: run.clock, range: run.range)
        evaluator = Evaluator(
            tally: found.tally, rules: rules, asOf: run.asOf, clock: run.clock, inventory: run.inventory,
            unread: found.input.unread)
    }

    /// Reads logs and stores; once more, without a word, as of an earlier instant.
    static func read(
        _ found: FoundInputs, _ run: Run, asOf earlier: Instant? = nil
    ) throws(Failure) -> LogAnalysis.Result {
        var analysis = run.analysis
        analysis.inputs = found.inputs
        if let earlier {
            analysis.asOf = earlier
            return try analysis.run(with: found.stores)
        }
        let progress = run.progress(of: found)
        defer { progress.finish() }
        return try analysis.run(
            with: found.stores, progress: progress.counter, begin: { [input = progress.input] in input.begin($0) },
            note: { if !run.isQuiet { Messages.print([$0]) } })
    }

    /// Every function with its verdict; judges anew each time, so ask once.
    var summary: Summary {
        var summary = Summary(
            evaluator: evaluator, services: services, input: input, selection: run.selection,
            inventory: run.inventory, empty: emptyInputs)
        (summary.widenedDays, summary.countedSources) = (found.widenedDays, found.countedSources)
        summary.hidesCallers = run.settings.rowLimit == 0
        // What is judged as of a time that was named is as old as that.
        if run.asOf == nil, let asOf = summary.asOf { summary.age = run.shownNow - asOf.seconds }
        summary.isAsOfNamed = run.asOf != nil
        if Demo.isRunning { summary.program += " demo" }
        (summary.inputArguments, summary.typedOptions) = (run.inputArguments, Run.typedOptions)
        return summary
    }

    private var emptyInputs: [String] {
        let inputs = run.found.inputs
        let folders = run.found.emptyDirectories
        guard input.records == 0 else { return folders + inputs.filter { $0.size == 0 }.map(\.name) }
        return folders + inputs.map(\.name) + run.found.stores
    }

    func evaluator(of function: FunctionSummary) -> Evaluator {
        services.first { $0.tally.functions[function.identity] != nil } ?? evaluator
    }

    /// The summary to show when the selection's one name matches no function: the row of the name alone.
    ///
    /// Functions of the other generation may have that name; they count as filtered out.
    func summary(withoutMatchIn summary: Summary) -> Summary {
        guard summary.functions.contains(where: \.isFunction) else { return summary }
        let rules = PolicyRules(numbers: evaluator.rules.numbers, since: evaluator.rules.since)
        let nothing = Evaluator(tally: Tally(), rules: rules, asOf: evaluator.asOf, inventory: [])
        var summary = summary
        let rows = Summary(
            evaluator: nothing, input: summary.input, selection: run.selection, empty: emptyInputs
        ).functions
        summary.functions += rows
        return rows.first.map { Explanation($0, in: summary, evaluator: evaluator).summary } ?? summary
    }

    /// Remarks on the policy and the selection: entries that have expired, and patterns that match no function.
    private var remarks: [String] {
        let asOf = evaluator.asOf ?? services.compactMap(\.asOf).max()
        let expired = asOf.map { run.rules.expired(on: $0.day) } ?? []
        // An input that could not be read may have the function.
        let idle = input.faults.isEmpty ? evaluator.idleEntries(besides: services) : []
        let foreign = Messages.foreignModes(of: found.services.foreignModes)
        guard let file = run.policyFile else { return foreign + unmatchedPlaces }
        return expired.compactMap { $0.expiry(file: file) }
            + idle.map { $0.wording(file: file, suggestion: $0.suggestion.map { DisplayText(name: $0).text }) }
            + foreign + unmatchedPlaces
    }

    /// Projects and regions that were selected and have no function, seen or deployed.
    private var unmatchedPlaces: [String] {
        func unmatched(_ patterns: [Glob], _ key: PartialKeyPath<SettingTable>, _ names: [String]) -> [String] {
            let names = Set(names.map { ExactName($0) }).sorted().map(\.text)
            guard !names.isEmpty, input.faults.isEmpty else { return [] }
            return patterns.filter { pattern in !names.contains { pattern.matches($0) } }
                .map { Messages.unmatched(run.settings.name(of: key), $0.pattern, among: names) }
        }
        let seen = ([evaluator] + services).flatMap(\.tally.functions.keys)
        return unmatched(run.selection.projects, \.project, seen.map(\.project) + run.inventory.map(\.project))
            + unmatched(run.selection.regions, \.region, seen.map(\.region) + run.inventory.map(\.region))
    }

    /// The summary, compared with the end of an earlier day, or with what the store's last report said.
    func report(comparedTo day: Day?) throws(Failure) -> Summary {
        var summary = summary
        if let day = day ?? lastEarlierDay {
            if let asOf = evaluator.asOf?.day, day >= asOf {
                throw Failure(Messages.comparison(day, notBefore: asOf))
            }
            let end = Instant(endOf: day)
            let past = services.map { $0.answers(at: end) }
                .reduce(Evaluator(evaluator, rules: run.rules).answers(at: end)) {
                    $0.merging($1) { first, _ in first }
                }
            if past.isEmpty, let first = evaluator.tally.functions.values.compactMap({ $0.first?.day }).min() {
                throw Failure(Messages.comparison(day, before: first))
            }
            summary.comparison = Comparison(summary, past: past)
        } else if let store = run.store, run.asOf == nil {
            let answers = summary.answers
            let past = try NamedStore.use(store, for: .reading) { store throws(StoreFailure) in
                try store.answers(before: answers)
            }
            summary.comparison = Comparison(summary, past: past, answers: self.answers)
        }
        return summary
    }

    /// What the same inputs and settings say as of an earlier instant: they are read once more, as with `--as-of`.
    ///
    /// None where they cannot be read again: pipes are gone by then.
    private func answers(about functions: [FunctionIdentity], asOf: Instant) -> [FunctionIdentity: PastAnswer] {
        guard !run.found.inputs.contains(where: { $0.size == nil }),
            let then = try? LoadedLog.read(run.found, run, asOf: asOf)
        else { return [:] }
        return Evaluator(
            tally: then.tally, rules: run.rules, asOf: asOf, inventory: run.inventory, unread: then.input.unread
        ).answers(about: functions)
    }

    /// Writes a report, keeps its answers for the next one where the store may have them, and prints the messages.
    ///
    /// A `complaint` says why there is no answer.
    func finish(
        _ summary: Summary, _ report: Report?, isKept: Bool = false, complaint: String? = nil, status: ExitStatus
    ) -> ExitStatus {
        let written = report.map(run.write) ?? .success
        if isKept, written == .success, let store = run.store { NamedStore.keep(summary.answers, in: store) }
        Messages.print(messages(summary, isReported: report != nil, complaint))
        return .of(summary.input, isStrict: run.isStrict, needsRecords: true, answer: status, written: written)
    }

    /// Returns the lines to print on standard error after the report, in this order.
    ///
    /// 1. Which days of a store were counted.
    /// 2. What went wrong with the inputs, or why they contain nothing.
    /// 3. Which entries of the policy have expired, and which match no function.
    /// 4. Why there is no answer.
    ///
    /// `--quiet` leaves only what went wrong, and why there is no answer; a settings file cannot silence the policy's.
    func messages(_ summary: Summary, isReported: Bool = false, _ complaint: String? = nil) -> [String] {
        var input = summary.input
        // Damage from earlier nights was reported when it was read; `store list` still shows it.
        if run.found.inputs.isEmpty, input.faults.isEmpty { input.problems = ProblemLog() }
        let showsNotesOnTerminal =
            run.format.hasNotes && run.output.isStandardOutput && Terminal.isTerminal(STDOUT_FILENO)
            && Terminal.isTerminal(STDERR_FILENO)
        let names = ([evaluator] + services).flatMap { evaluator in
            evaluator.tally.functions.keys.flatMap { [evaluator.displayName(of: $0), $0.name] }
        }
        let faults = Messages.faults(
            of: input, run.found, isStrict: run.isStrict, store: run.found.stores.first, functions: names,
            isShown: isReported && showsNotesOnTerminal)
        let end = complaint.map { [$0] } ?? []
        guard !run.isQuiet else { return faults + (run.settings.isQuietByOption ? [] : remarks) + end }
        return [summary.noteOnDays].compactMap(\.self) + faults + noteOnNothing(summary, input) + remarks + end
    }

    /// Suggests what the inputs may be, if no record was, or can have been, a verification of a deployed function.
    private func noteOnNothing(_ summary: Summary, _ input: InputSummary) -> [String] {
        let seen = input.verifications + input.filtered + input.duplicates + input.malformed + input.oversized
        guard input.faults.isEmpty, input.records > 0, seen == 0, let reason = summary.reasonForNothing else {
            return []
        }
        // Events are long: a look at many short records would cost as much as reading them did.
        if input.bytesDecompressed > 64 * input.records, let first = run.found.inputs.first,
            first.size ?? .max < 64 << 20
        {
            if let claim = AppAttest.claim(first) { return [claim] }
        }
        return !run.format.hasNotes ? [reason] : input.unread.isEmpty ? [Messages.noVerification] : []
    }
}

extension LogAnalysis.Result {
    /// Adds what was read elsewhere.
    fileprivate mutating func merge(_ other: LogAnalysis.Result) {
        tally.merge(other.tally)
        input.merge(other.input)
        widenedDays = widenedDays ?? other.widenedDays
        countedSources += other.countedSources
        services.merge(other.services)
    }
}

extension Tally {
    fileprivate var newestDay: Day? { functions.values.compactMap { $0.last?.day }.max() }
    fileprivate var oldestDay: Day? { functions.values.compactMap { $0.first?.day }.min() }
}

extension InputSummary {
    /// Inputs with more functions than the limit have no answer: it is unknown which are missing.
    func refuseTooManyFunctions() throws(Failure) {
        guard faults.contains(.tooManyFunctions) else { return }
        throw Failure(Messages.tooManyFunctions, .badData)
    }

    /// The summary of a store when only some of its days count.
    fileprivate func restricted(to tally: Tally) -> InputSummary {
        var input = self
        let kept = tally.functions.values.reduce(0) { $0 + $1.totals.total }
        input.filtered += verifications - kept
        input.verifications = kept
        input.undated = tally.functions.values.reduce(0) { $0 + $1.undated.total }
        return input
    }
}
