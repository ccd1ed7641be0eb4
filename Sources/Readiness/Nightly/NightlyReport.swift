package import Verifications

/// The morning's report: every function as of last night, and what is not as it was.
///
/// This is what every renderer gets. All of it comes from one tally: a report can be made again for any night, and
/// making it writes nothing.
package struct NightlyReport: Sendable {
    package var summary: Summary
    /// The functions are compared with what the rule said at the end of this day; nil when the log is not that old.
    package var comparedTo: Day?
    /// What has changed since; what needs action comes first.
    package var changes: [Change]
    /// How many functions' rates were compared: each more makes a difference count for less (``HolmCorrection``).
    package var ratesCompared: Int

    package init(summary: Summary, comparedTo: Day?, changes: [Change], ratesCompared: Int = 0) {
        self.summary = summary
        self.comparedTo = comparedTo
        self.changes = changes
        self.ratesCompared = ratesCompared
    }
}

extension NightlyReport {
    /// `safe-nights`, at least 1.
    package var nightsWanted: Int { summary.policy.confirm }

    /// True when somebody has to act now: for a change, or for people who are refused, whenever that began.
    package var needsAction: Bool {
        changes.contains { $0.urgency == .act } || summary.functions.contains(where: \.assessment.isLockout)
    }

    package var firstDay: Day? { summary.functions.compactMap { $0.tally.days.first?.day }.min() }

    /// The day that a report is compared to unless another one is given.
    ///
    /// The day before as-of; the one before that while as-of's day is less than half over. So at least half a day lies
    /// between, reports of every night at 3 o'clock leave no day out, and no night is judged by its first hours.
    package static func usualComparison(asOf: Instant) -> Day {
        let noon: Int64 = 43_200_000_000_000
        return asOf.day.advanced(by: asOf.nanosecondOfDay < noon ? -2 : -1)
    }

    /// The report on a run's findings, or a store's.
    ///
    /// The day is that of `--changes-since`, nil for ``usualComparison(asOf:)``; that night is judged by the earlier
    /// rules, or by the same without any.
    package init(
        judge: Judge, input: InputSummary, selection: Selection, inventory: [InventoryEntry] = [],
        comparedTo day: Day? = nil, earlierRules: PolicyRules? = nil
    ) {
        let summary = Summary(judge: judge, input: input, selection: selection, inventory: inventory)
        let night = (day ?? judge.asOf.map(NightlyReport.usualComparison)).flatMap { night in
            summary.functions.contains { $0.tally.days.first.map { $0.day <= night } ?? false } ? night : nil
        }
        self.init(summary: summary, comparedTo: night, changes: [])
        guard let night else { return }
        let before = Judge(earlierRules.map { Judge(judge, rules: $0) } ?? judge, asOfEndOf: night)
        let functions = summary.functions.compactMap { FunctionComparison($0, now: judge, before: before) }
        let byProject = Dictionary(grouping: functions) { ExactName($0.function.identity.project) }
        let projects = byProject.map { project, functions in
            ProjectComparison(
                project.text, generations: Set(functions.map(\.function.identity.generation)), now: judge,
                before: before)
        }
        let rates = NightlyReport.rates(of: functions, confidence: judge.rules.numbers.confidence)
        ratesCompared = functions.count(where: \.hasRates)
        let clients = NightlyReport.clients(of: functions, confidence: judge.rules.numbers.confidence)
        changes = NightlyReport.changes(functions, rates, clients, projects)
    }

    private static func rates(
        of functions: [FunctionComparison], confidence: Double
    ) -> [FunctionIdentity: RateChange] {
        let comparable = functions.filter(\.hasRates)
        let corrected = HolmCorrection.corrected(comparable.map(\.pValue))
        var moved: [FunctionIdentity: RateChange] = [:]
        for (function, pValue) in zip(comparable, corrected) {
            moved[function.function.identity] = function.rateChange(corrected: pValue, confidence: confidence)
        }
        return moved
    }

    private static func changes(
        _ functions: [FunctionComparison], _ rates: [FunctionIdentity: RateChange],
        _ clients: [FunctionIdentity: (kind: ClientKind, change: RateChange)], _ projects: [ProjectComparison]
    ) -> [Change] {
        let lastDays = Dictionary(uniqueKeysWithValues: projects.map { (ExactName($0.project), $0.lastDay) })
        var changes: [Change] = []
        var verdicts: [VerdictChange] = []
        for function in functions {
            let project = ExactName(function.function.identity.project)
            let client = clients[function.function.identity]
            var rate = rates[function.function.identity]
            if let client, client.change.isRise == rate?.isRise { rate?.client = client.kind }
            var listed: RateChange?
            let silence = function.silence(among: functions.count) { last in
                lastDays[project].flatMap { $0 }.map { $0 <= last } ?? false
            }
            let lockout = function.lockout
            if let lockout {
                changes.append(.lockout(lockout))
            } else if let appearance = function.appearance {
                changes.append(.appeared(appearance))
            } else if let silence {
                changes.append(.silent(silence))
            } else if let change = function.verdictChange(rate: rate) {
                verdicts.append(change)
                listed = rate
            } else if let rate {
                changes.append(.rate(function.function, rate))
                listed = rate
            }
            if lockout == nil, let aftermath = function.aftermath {
                changes.append(.aftermath(function.function, aftermath))
            }
            if let (kind, change) = client, listed?.client == nil {
                changes.append(.clients(function.function, kind, change))
            }
        }
        for project in projects {
            for kind in project.kinds(explaining: verdicts) {
                let (explained, rest) = project.split(verdicts, by: kind)
                changes.append(
                    .missingExport(MissingExport(project: project.project, kind: kind, verdicts: explained)))
                verdicts = rest
            }
        }
        changes += verdicts.map(Change.verdict)
        let requests = Dictionary(
            uniqueKeysWithValues: functions.map { ($0.function.identity, $0.assessment.counts.admitted) })
        return changes.sorted { $0.sortKey(requests) < $1.sortKey(requests) }
    }
}

extension FunctionComparison {
    /// How the share of one kind of client moved, of all requests with a row.
    fileprivate typealias ClientMove = (function: FunctionIdentity, kind: ClientKind, change: RateChange)

    /// The kinds of clients of which anything would be refused, before or since.
    fileprivate var clientComparisons: [ClientMove] {
        guard hasRates, let callers, let window = before.window, let counted else { return [] }
        let admission = assessment.policy.numbers.admission
        let days = callers.days.sorted { $0.key < $1.key }.map { (day: $0.key, $0.value.admitted(admission)) }
        func side(_ kind: ClientKind, _ window: Window) -> (RateChange.Side, dispersion: Double)? {
            let counts = days.filter { window.days.contains($0.day) }.map { day, callers in
                let blocked = callers.clients.reduce(0) { $1.key.kind == kind ? $0 + $1.value.blocked : $0 }
                return DayCount(day: Int(day.number), requests: Double(callers.joined), blocked: Double(blocked))
            }
            let side = RateChange.Side(
                window: window, blocked: Int(counts.reduce(0) { $0 + $1.blocked }),
                admitted: Int(counts.reduce(0) { $0 + $1.requests }))
            return side.admitted > 0 ? (side, Dispersion.ofDays(counts)) : nil
        }
        return ClientKind.allCases.compactMap { kind -> ClientMove? in
            guard let (old, oldDispersion) = side(kind, window), let (new, newDispersion) = side(kind, counted),
                old.blocked + new.blocked > 0
            else { return nil }
            // What comes in bursts of all clients comes in bursts of each.
            let dispersion = max(self.dispersion, oldDispersion, newDispersion)
            let pValue = RateComparison.pValue(old.sample, new.sample, dispersion: dispersion)
            let change = RateChange(before: old, now: new, dispersion: dispersion, pValue: pValue)
            return (function: function.identity, kind: kind, change: change)
        }
    }
}

extension RateChange.Side {
    fileprivate var sample: RateComparison.Sample { .init(blocked: Double(blocked), requests: Double(admitted)) }
}

extension NightlyReport {
    /// Clients whose share moved beyond chance, all of them taken together; of a function the one that is least likely
    /// to have moved by chance.
    static func clients(
        of functions: [FunctionComparison], confidence: Double
    ) -> [FunctionIdentity: (kind: ClientKind, change: RateChange)] {
        let comparisons = functions.flatMap(\.clientComparisons)
        let corrected = HolmCorrection.corrected(comparisons.map(\.change.pValue))
        let known = Dictionary(uniqueKeysWithValues: functions.map { ($0.function.identity, $0) })
        var moved: [FunctionIdentity: (kind: ClientKind, change: RateChange)] = [:]
        for (comparison, pValue) in zip(comparisons, corrected) where pValue <= 1 - confidence {
            let change = RateChange(
                before: comparison.change.before, now: comparison.change.now, dispersion: comparison.change.dispersion,
                pValue: pValue)
            guard change.before.rate != change.now.rate, known[comparison.function]?.isCredible(change) == true,
                moved[comparison.function].map({ pValue < $0.change.pValue }) ?? true
            else { continue }
            moved[comparison.function] = (comparison.kind, change)
        }
        return moved
    }
}
