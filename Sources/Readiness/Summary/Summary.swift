internal import Platform
package import Verifications

/// The result of a run over its inputs: what every renderer gets.
package struct Summary: Sendable {
    /// The instant that the verdicts are judged as of; nil if nothing is dated.
    package var asOf: Instant?
    /// The newest request that was read, selected or not; nil when nothing is dated.
    package var newest: Instant?
    package var policy: VerdictPolicy
    package var input: InputSummary
    /// The selected functions, sorted by project, region, shown name and generation, names by their bytes.
    package var functions: [FunctionSummary]
    /// The projects of these functions, from all their verifications, selected or not.
    package var projects: [ExactName: ProjectCoverage]
    /// The whole days that replace the bounds in time; nil where these count as they are.
    package var widenedDays: WholeDays?
    /// Results of queries that have counted: nothing is known of single requests.
    package var countedSources = 0
    /// True if callers were not read.
    package var hidesCallers = false
    /// The beginning of commands to type, such as `callcheck demo`.
    package var program = "callcheck"
    /// True where somebody named the time that is judged as of.
    package var isAsOfNamed = false
    /// Seconds from what is judged as of to now; nil where the time was named.
    package var age: Int64?
    /// The changes since an earlier report; nil if there is none to compare with.
    package var comparison: Comparison?
    /// True where the exit status is that something needs action, so that it is listed without a comparison, too.
    package var listsActions = false
    /// The arguments, after a space, with which a command reads the same; nil if that is a pipe.
    package var inputArguments: String? = ""
    /// The options, after a space, that the answer depends on.
    package var typedOptions = ""
    package var selection = Selection()
    /// The names of selected functions that have rows of the request log, and no entry of the SDK.
    package var withoutEntries: [String] = []
    /// True where requests of any function passed at DEBUG: a filter by severity would have dropped them.
    var hasDebugPasses = false

    package init(
        asOf: Instant?, policy: VerdictPolicy, input: InputSummary, functions: [FunctionSummary],
        projects: [ExactName: ProjectCoverage] = [:]
    ) {
        self.asOf = asOf
        self.policy = policy
        self.input = input
        self.projects = projects
        self.functions = functions
        self.functions.sort { $0.sortKey < $1.sortKey }
    }
}

/// One function of a run; a class, since it is large, and reports sort and filter very many of them.
package final class FunctionSummary: Sendable {
    package let identity: FunctionIdentity
    /// The name people know: of a generation 2 function the inventory's or the label's, else its service name.
    package let name: String
    package let table: CellTable
    /// The instant that it is judged as of, where that is not the summary's.
    package let asOf: Instant?
    /// All of its verifications by day.
    package let days: [DaySum]
    /// The same without those of clients that do not count; blocked are those that the rule counts.
    package let judgedDays: [DaySum]
    /// The same as charts show it: blocked are those of signed-in callers where they are refused, which is what the
    /// verdict says.
    package let chartDays: [DaySum]
    package let chartAdmission: Admission
    /// Counts of the whole input.
    package let totals: StatusMatrix
    package let assessment: Assessment
    package let listing: Listing
    /// The name in the source, with its capitals; nil where nothing shows them.
    package let sourceName: String?

    init(
        identity: FunctionIdentity, name: String, table: CellTable, judgement: Judgement? = nil, asOf: Instant? = nil,
        assessment: Assessment, listing: Listing = .seen, sourceName: String? = nil
    ) {
        self.identity = identity
        self.name = name
        (self.table, self.asOf) = (table, asOf)
        days = table.days()
        func judged(_ admission: Admission) -> [DaySum] {
            table.days(
                of: { judgement?.concerns($0, assessment.counted) ?? $0.isCounted },
                blocked: { $0.isBlocked && admission.admits(auth: $0.auth) })
        }
        judgedDays = judged(assessment.admission)
        chartAdmission = assessment.lockout?.isSignedIn == false ? .notRefused : assessment.judgedCallers
        chartDays = chartAdmission == assessment.admission ? judgedDays : judged(chartAdmission)
        totals = table.totals
        self.assessment = assessment
        self.listing = listing
        self.sourceName = sourceName
    }

    /// The same function, with other changes that were tried.
    init(_ function: FunctionSummary, whatIfs: [WhatIf]) {
        (identity, name, table, asOf) = (function.identity, function.name, function.table, function.asOf)
        (days, judgedDays, chartDays) = (function.days, function.judgedDays, function.chartDays)
        (chartAdmission, totals, listing) = (function.chartAdmission, function.totals, function.listing)
        sourceName = function.sourceName
        var assessment = function.assessment
        assessment.whatIfs = whatIfs
        self.assessment = assessment
    }

    package var revisions: [RevisionSummary] { assessment.enforcement.revisions }
    package var missingEntry: MissingEntry? { assessment.missingEntry }

    fileprivate var sortKey: (ExactName, ExactName, ExactName, UInt8, ExactName) {
        (
            ExactName(identity.project), ExactName(identity.region), ExactName(name),
            identity.generation?.rawValue ?? 0, ExactName(identity.name)
        )
    }
}

/// Why a function is listed in a summary.
package enum Listing: Hashable, Sendable {
    case seen
    /// It is deployed, and the input has no verification of it.
    ///
    /// Before an app is launched that is normal, and enforcement can be switched on at once; otherwise it is unknown.
    case deployed(InventoryEntry.Trigger)
    /// A selected pattern matches no function: the name that was probably meant, and the inputs that may have it.
    case unmatched(suggestion: String?, among: [InputWithoutRecords] = [])
    /// A selected pattern matches only functions that have rows of the request log, and no entry of the SDK.
    case withoutEntries
    /// A selected pattern matches only functions that something else starts than a call of the client SDKs.
    case notCallable
}

/// An input that shows nothing of any function.
package struct InputWithoutRecords: Hashable, Sendable {
    package let source: String
    /// False for one that cannot be read.
    package let isEmpty: Bool

    /// Lists the inputs that have a problem, then those that are empty.
    fileprivate static func list(_ problems: ProblemLog, empty: [String]) -> [InputWithoutRecords] {
        func sources(_ kind: Problem.Kind) -> Set<ExactName> {
            Set(problems.entries.filter { $0.kind == kind }.compactMap { $0.source.map { ExactName($0) } })
        }
        let empty = Set(empty.map { ExactName($0) })
        let unread = sources(.unreadable).union(sources(.unsupportedFormat).subtracting(empty))
        return unread.sorted().map { InputWithoutRecords(source: $0.text, isEmpty: false) }
            + empty.subtracting(unread).sorted().map { InputWithoutRecords(source: $0.text, isEmpty: true) }
    }
}

/// The days that were taken, as a whole, for bounds that lie within days: counts of queries have no times.
package struct WholeDays: Hashable, Sendable {
    package var first: Day?
    package var last: Day?

    package init(first: Day?, last: Day?) {
        self.first = first
        self.last = last
    }

    /// True for a day that counts; what has no day counts only where there is no bound.
    package func contains(_ day: Day?) -> Bool {
        guard let day else { return first == nil && last == nil }
        return (first.map { $0 <= day } ?? true) && (last.map { day <= $0 } ?? true)
    }
}

/// The functions that are shown and judged; a selection never changes a verdict.
package struct Selection: Hashable, Sendable {
    /// Each list selects all when it is empty, else what any of its patterns matches.
    package let projects: [Glob]
    package let regions: [Glob]
    package let functions: [Glob]
    private let names: GlobSet

    /// True when everything is selected.
    package var isEmpty: Bool { projects.isEmpty && regions.isEmpty && functions.isEmpty }

    package init(projects: [Glob] = [], regions: [Glob] = [], functions: [Glob] = []) {
        self.projects = projects
        self.regions = regions
        self.functions = functions
        names = GlobSet(functions)
    }

    /// True when the function is shown; patterns match the shown name or the service name.
    package func includes(_ identity: FunctionIdentity, shownAs name: String) -> Bool {
        (projects.isEmpty || projects.contains { $0.matches(identity.project) })
            && (regions.isEmpty || regions.contains { $0.matches(identity.region) })
            && (functions.isEmpty
                || (identity.isService
                    ? functions.contains { $0.matches(identity, shownAs: name) }
                    : names.matches(name) || names.matches(identity.name)))
    }

    /// True where functions of the same name may be left out.
    package var hidesPlaces: Bool { !projects.isEmpty || !regions.isEmpty }
}

extension Glob {
    package func matches(_ function: FunctionSummary) -> Bool {
        matches(function.identity, shownAs: function.name)
    }
}

extension [FunctionSummary] {
    /// The functions of each name, shown or of the service, normalised.
    var namesWithRows: [ExactName: [FunctionSummary]] {
        reduce(into: [:]) { found, function in
            for name in Set(
                function.identity.names(shownAs: function.name).map { ExactName(FunctionIdentity.normalized($0)) })
            {
                found[name, default: []].append(function)
            }
        }
    }
}

extension Summary {
    /// Creates the summary of a run as it is shown: every function is judged, then the selected ones are kept.
    ///
    /// Verifications of functions that are not selected become `filtered`. Next to the functions that were seen are
    /// those that are deployed, may be callable, and have no verification; and every function pattern of the selection
    /// that matches none of these, so that a mistyped name never counts as a safe function. `empty` names the inputs
    /// without a record.
    package init(
        evaluator: Evaluator, services: [Evaluator] = [], input: InputSummary, selection: Selection,
        inventory: [InventoryEntry] = [], empty: [String] = []
    ) {
        var input = input
        var selected: [(identity: FunctionIdentity, name: String, table: CellTable)] = []
        selected.reserveCapacity(evaluator.tally.functions.count)
        for (identity, function) in evaluator.tally.functions {
            let name = evaluator.displayName(of: identity)
            guard selection.includes(identity, shownAs: name) else {
                input.leaveOut(function)
                continue
            }
            selected.append((identity, name, function))
        }
        let typed = Dictionary(
            selection.functions.map(\.pattern).filter { $0 != $0.lowercased() }
                .map { (ExactName(FunctionIdentity.normalized($0)), $0) }, uniquingKeysWith: { first, _ in first })
        var shown = concurrentMap(selected) { identity, name, function in
            let (assessment, judgement) = evaluator.assessed(identity)
            return FunctionSummary(
                identity: identity, name: name, table: function, judgement: judgement, assessment: assessment,
                sourceName: evaluator.sourceName(of: identity, typed: typed))
        }
        let silent = DeployedFunctions(inventory).silent(in: evaluator.tally)
        for (identity, entry) in silent where selection.includes(identity, shownAs: entry.id) {
            shown.append(
                FunctionSummary(
                    identity: identity, name: entry.id, table: CellTable(), assessment: evaluator.assess(identity),
                    listing: .deployed(entry.trigger), sourceName: entry.id))
        }
        for services in services {
            for (identity, table) in services.tally.functions {
                let name = services.displayName(of: identity)
                guard selection.includes(identity, shownAs: name) else { continue }
                let (assessment, judgement) = services.assessed(identity)
                shown.append(
                    FunctionSummary(
                        identity: identity, name: name, table: table,
                        judgement: judgement, asOf: services.asOf, assessment: assessment,
                        sourceName: identity.name))
            }
        }
        let others = inventory.filter { $0.trigger == .other }.map(\.id)
        shown += Summary.unmatched(
            selection, among: shown, evaluator: evaluator, services: services, notCallable: others,
            without: InputWithoutRecords.list(input.problems, empty: empty))
        self.init(
            asOf: evaluator.asOf ?? services.compactMap(\.asOf).max(), policy: evaluator.rules.numbers, input: input,
            functions: consume shown, projects: evaluator.projects)
        self.selection = selection
        withoutEntries = (evaluator.tally.evidence?.withoutEntries ?? []).sorted().map(\.text).filter { name in
            selection.functions.isEmpty || selection.functions.contains { $0.matches(name) }
        }
        hasDebugPasses =
            !withoutEntries.isEmpty
            && evaluator.tally.functions.values.contains { $0.passSeverities.contains(.debug) }
        newest = evaluator.tally.newest ?? services.compactMap(\.asOf).max()
    }

    /// A row for each function pattern that none of the rows matches.
    ///
    /// No entry of a policy covers such a row: one for all functions could call what does not exist exempt.
    static func unmatched(
        _ selection: Selection, among rows: [FunctionSummary], evaluator: Evaluator, services: [Evaluator] = [],
        notCallable: [String],
        without inputs: @autoclosure () -> [InputWithoutRecords] = []
    ) -> [FunctionSummary] {
        var known: Set<Glob> = []
        let named = rows.namesWithRows
        let patterns = selection.functions.filter { pattern in
            known.insert(pattern).inserted
                && !(pattern.only.map { named[$0] != nil } ?? rows.contains { pattern.matches($0) })
        }
        guard !patterns.isEmpty else { return [] }
        let plain = Evaluator(
            tally: Tally(), rules: PolicyRules(numbers: evaluator.rules.numbers, since: evaluator.rules.since),
            asOf: evaluator.asOf)
        let inputs = inputs()
        let withoutEntries = evaluator.tally.evidence?.withoutEntries ?? []
        let identities = services.flatMap(\.tally.functions.keys)
        let names =
            evaluator.names(in: Selection(projects: selection.projects, regions: selection.regions))
            + identities.flatMap { $0.names(shownAs: $0.serviceName) }
        return patterns.enumerated().map { index, pattern in
            let identity = FunctionIdentity(
                project: FunctionIdentity.unknown, region: FunctionIdentity.unknown, name: pattern.pattern,
                generation: nil)
            return FunctionSummary(
                identity: identity, name: pattern.pattern, table: CellTable(), assessment: plain.assess(identity),
                listing: notCallable.contains(where: pattern.matches)
                    ? .notCallable
                    : withoutEntries.contains(where: { pattern.matches($0.text) })
                        ? .withoutEntries
                        : .unmatched(
                            suggestion: index < NearestName.mostSought
                                ? NearestName.of(pattern.pattern, among: names) : nil,
                            among: inputs))
        }
    }
}

extension FunctionSummary {
    /// The findings apart from the verdict.
    package var notices: [Finding] {
        guard isFunction else { return [] }
        if identity.isService { return EnforcementNotice.find(self) + CountedRequests.findReusedTokens(self) }
        return EnforcementNotice.find(self) + Reservation.find(self) + Origin.findInLog(of: self)
            + Silence.findUncalled(self) + SameHours.find(self)
    }

    /// All that is found about the function, each once.
    package var findings: [Finding] {
        (assessment.listed + assessment.reasons + notices).reduce(into: []) { found, finding in
            if !found.contains(where: { $0.name == finding.name }) { found.append(finding) }
        }
    }
}

extension Summary {
    package var inputFindings: [Finding] { InputFindings.find(self) }

    package var projectFindings: [(project: String, finding: Finding)] {
        let groups = Dictionary(grouping: functions) { ExactName($0.identity.project) }
        return groups.sorted { $0.key < $1.key }.compactMap { project, functions in
            let days = gaps(inProject: project, of: functions)
            return days.isEmpty
                ? nil : (project.text, Finding(code: .projectGap, value: Double(days.count), days: days))
        }
    }

    /// The first and the last dated verification of all functions shown.
    package var span: (first: Instant, last: Instant)? {
        guard
            let first = functions.compactMap(\.table.first).min(),
            let last = functions.compactMap(\.table.last).max()
        else { return nil }
        return (first, last)
    }

    /// The days of a project's log, from the first of its last run on, without a verification and without an excuse.
    ///
    /// Not those of which rows show that requests fail before the SDK logs them.
    private func gaps(inProject project: ExactName, of functions: [FunctionSummary]) -> [Day] {
        guard let asOf, let coverage = projects[project], policy.assumeComplete != .everything else { return [] }
        let view = ProjectView(coverage, today: asOf.day)
        let failing =
            functions
            .flatMap { $0.assessment.reasons[.failingBeforeLog]?.days ?? [] }
        return (view.firstDay.flatMap { Window(from: $0, to: asOf.day) }.map(view.gaps) ?? [])
            .filter { !failing.contains($0) }
    }
}

extension Evaluator {
    /// A function's name as its source has it: as somebody typed it or wrote it down, else as the URLs of rows have it.
    ///
    /// Generation 2's log has names in lower case, and firebase-tools compares them exactly.
    /// `typed` has names with capitals, by what they are without.
    func sourceName(of identity: FunctionIdentity, typed: [ExactName: String]) -> String? {
        guard identity.generation == .second else { return identity.name }
        let normalized = FunctionIdentity.normalized(identity.name)
        if let name = typed[ExactName(normalized)] { return name }
        let written =
            rules.entries(for: ExactName(normalized)).map(\.match.pattern) + [names[identity]].compactMap(\.self)
        let known = written.first { $0 != $0.lowercased() && FunctionIdentity.normalized($0) == normalized }
        return known ?? tally.functions[identity]?.urlName?.text
    }

    fileprivate func names(in selection: Selection) -> [String] {
        knownFunctions.filter { selection.includes($0.identity, shownAs: $0.name) }.map(\.name)
    }
}
