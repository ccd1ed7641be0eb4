public import Verifications

extension NightlyReport {
    /// The report on a run's findings, or a store's.
    ///
    /// - Parameters:
    ///   - judge: Knows everything that was read, selected or not.
    ///   - input: What was read, and how each record was classed.
    ///   - selection: What is shown.
    ///   - inventory: What is deployed.
    ///   - day: `--compare-to`, before as-of's day; nil for ``usualComparison(asOf:)``.
    public init(
        judge: Judge, input: InputSummary, selection: Selection, inventory: [InventoryEntry] = [],
        comparedTo day: Day? = nil
    ) {
        let summary = Summary(judge: judge, input: input, selection: selection, inventory: inventory)
        let night = (day ?? judge.asOf.map(NightlyReport.usualComparison)).flatMap { night in
            summary.functions.contains { $0.tally.days.first.map { $0.day <= night } ?? false } ? night : nil
        }
        self.init(summary: summary, comparedTo: night, changes: [])
        guard let night else { return }
        let before = Judge(judge, asOfEndOf: night)
        let functions = summary.functions.compactMap {
            FunctionComparison($0, now: judge, before: before)
        }
        let byProject = Dictionary(grouping: functions) { ExactName($0.function.identity.project) }
        let projects = byProject.map { project, functions in
            ProjectComparison(
                project.text, generations: Set(functions.map(\.function.identity.generation)), now: judge,
                before: before)
        }
        let rates = NightlyReport.rates(of: functions, confidence: judge.rules.numbers.confidence)
        ratesCompared = functions.count(where: \.hasRates)
        changes = NightlyReport.changes(functions, rates, projects)
    }

    /// Rates that moved beyond chance, all functions taken together.
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
        _ functions: [FunctionComparison], _ rates: [FunctionIdentity: RateChange], _ projects: [ProjectComparison]
    ) -> [Change] {
        let lastDays = Dictionary(uniqueKeysWithValues: projects.map { (ExactName($0.project), $0.lastDay) })
        var changes: [Change] = []
        var verdicts: [VerdictChange] = []
        for function in functions {
            let project = ExactName(function.function.identity.project)
            let rate = rates[function.function.identity]
            let silence = function.silence(among: functions.count) { last in
                lastDays[project].flatMap { $0 }.map { $0 <= last } ?? false
            }
            if let lockout = function.lockout {
                changes.append(.lockout(lockout))
            } else if let appearance = function.appearance {
                changes.append(.appeared(appearance))
            } else if let silence {
                changes.append(.silent(silence))
            } else if let change = function.verdictChange(rate: rate) {
                verdicts.append(change)
            } else if let rate {
                changes.append(.rate(function.function, rate))
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
            uniqueKeysWithValues: functions.map { ($0.function.identity, $0.assessment.evidence.admitted) })
        return changes.sorted { $0.sortKey(requests) < $1.sortKey(requests) }
    }
}

extension ProjectComparison {
    /// The parts that are missing; passes among them when functions have become blind.
    fileprivate func kinds(explaining verdicts: [VerdictChange]) -> [MissingExport.Kind] {
        missing + (split(verdicts, by: .passes).explained.isEmpty ? [] : [.passes])
    }

    fileprivate func split(
        _ verdicts: [VerdictChange], by kind: MissingExport.Kind
    ) -> (explained: [VerdictChange], rest: [VerdictChange]) {
        func isExplained(_ change: VerdictChange) -> Bool {
            ExactName(change.function.identity.project) == ExactName(project)
                && kind.explains(change) { last in lastDay.map { $0 <= last } ?? false }
        }
        return (verdicts.filter(isExplained), verdicts.filter { !isExplained($0) })
    }
}

extension Change {
    /// What needs action first; of one kind, the functions with most requests.
    fileprivate func sortKey(
        _ requests: [FunctionIdentity: Int]
    ) -> (Int, Int, ExactName, ExactName, ExactName, UInt8) {
        let identity = function?.identity
        let weight = identity.flatMap { requests[$0] } ?? 0
        return (
            urgency.rawValue * Change.kinds + kindOrder, -weight, ExactName(project), ExactName(identity?.region ?? ""),
            ExactName(function?.name ?? code), identity?.generation?.rawValue ?? 0
        )
    }
}
