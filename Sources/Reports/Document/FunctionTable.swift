import Readiness
import Verifications

package struct TableView: Hashable, Sendable {
    package enum Order: String, CaseIterable, Sendable {
        case requests, refused, name
    }

    /// The words to list, as ``words`` has them; all if empty.
    package var only: Set<String> = []
    /// Nil for the usual order: by requests, and for those that can be enforced, the order in which to do it.
    package var order: Order?
    package var limit: Int? = 10
    /// True for everything that is known: on a terminal also numbers a day, counts, and what changes nothing.
    package var isVerbose = false
    /// True for the counts of each token status as well.
    var hasCounts = false
    package var isBrief = false
    /// True where there is too little room for the project in each row.
    var isByProject = false

    package init() {}

    /// False for the usual screen, which leaves out what is above it and what needs nothing.
    var showsAll: Bool { isVerbose || limit == nil || !only.isEmpty }

    /// The printed words as an option takes them, such as `not-safe`.
    package static let words = (Verdict.allCases.map(\.word) + [Assessment.almostReady, Assessment.lockoutWord])
        .map(option)

    private static func option(_ word: String) -> String { word.replacing(" ", with: "-") }
}

enum TableGroup: CaseIterable {
    case refusing, ready, notSafe, undecided, settled

    init(_ assessment: Assessment, gate: Gate?) {
        switch assessment.gateClass {
        case .lockedOut: self = .refusing
        case .notSafe: self = .notSafe
        case .unsure: self = .undecided
        case .contradicted, .signedOutServed: self = .undecided
        case .switchUnclear, .unconfirmed, .enforcedByLog: self = gate == nil ? .settled : .undecided
        case .expired where gate != nil: self = .undecided
        case .clear, .expired: self = assessment.verdict == .enforce ? .ready : .settled
        }
    }

    var heading: String {
        switch self {
        case .refusing: "REFUSING USERS"
        case .ready: "READY"
        case .notSafe: "NOT SAFE"
        case .undecided: "NOT ENOUGH DATA"
        case .settled: "DONE OR EXEMPT"
        }
    }
}

/// A column that a table of functions can have, and what it contains.
///
/// Every table of every format takes its columns from here.
struct FunctionColumn {
    var column: Table.Column
    let cell: @Sendable (FunctionSummary) -> Table.Cell

    static let verdict = FunctionColumn(
        column: Table.Column(head: "verdict", kind: .mark, isHeadedOnTerminals: false)
    ) { .verdict($0.assessment) }

    static func name(_ names: FunctionNames, isByProject: Bool) -> FunctionColumn {
        FunctionColumn(column: Table.Column(head: "function", kind: .name, widest: 120, isHeadedOnTerminals: false)) {
            .function(
                $0, place: names.place(of: $0, inProject: isByProject),
                isNeeded: names.needsPlace($0, inProject: isByProject))
        }
    }

    static let requests = FunctionColumn(column: Table.Column(head: "requests", kind: .number)) {
        .number($0.totals.total)
    }

    static let rate = FunctionColumn(column: Table.Column(head: rateHead, kind: .number)) { function in
        function.shownRate.map { .words("\(Figures.rate($0))") } ?? .empty
    }

    /// The same, with the days of a row whose window is not that of most.
    static func rateAndDays(_ summary: Summary) -> FunctionColumn {
        let days = summary.functions.compactMap(\.rateDays)
        let counts = days.reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 }
        let usual = counts.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key
        return FunctionColumn(column: rate.column) { function in
            guard let rate = function.shownRate else { return .empty }
            let days = function.rateDays.flatMap { $0 == usual ? nil : " \(String($0))d" as Wording }
            return .words("\(Figures.rate(rate))" + (days ?? ""))
        }
    }

    /// The clients that would be refused, or the reason, in a few words.
    static let why = FunctionColumn(column: Table.Column(head: "who, or why", widest: 32)) { .words($0.who) }

    static let marks = FunctionColumn(column: Table.Column(head: "", kind: .marks)) { function in
        let numbers = function.assessment.policy.numbers
        let isShown = [.enforce, .wait, .investigate, .insufficient].contains(function.assessment.verdict)
        guard isShown || function.assessment.isLockout else { return .empty }
        return .days(function.judgedDays, function.assessment.admission, limit: numbers.maxBlocked)
    }

    static let owner = FunctionColumn(column: Table.Column(head: "owner", widest: 24, isSpare: true)) { function in
        function.owner.map { .words("\(name: $0)") } ?? .empty
    }

    /// The next step: an action, a day, or why none is known.
    static let next = FunctionColumn(column: Table.Column(head: "next", widest: 24)) { .words($0.next) }

    /// The count of each App Check status and its share, OTHER only where it occurs; then the requests that are already
    /// refused because of their Auth token.
    static func statuses(_ summary: Summary) -> [FunctionColumn] {
        let shown: [TokenStatus] =
            [.valid, .missing, .invalid] + (summary.totals.total(app: .other) > 0 ? [.other] : [])
        return shown.map { status in
            FunctionColumn(column: Table.Column(head: status.name, kind: .number)) {
                .share($0.totals.total(app: status), of: $0.totals.total)
            }
        } + [
            FunctionColumn(column: Table.Column(head: "bad auth token", kind: .number)) {
                .number($0.totals.refusedAuth)
            }
        ]
    }

    static let rateHead = "would be refused"
}

extension Table {
    /// Creates the table of what decided about each function, one line each; with a gate, those that fail it first.
    static func ofVerdicts(_ summary: Summary, gate: Gate? = nil, _ view: TableView = TableView()) -> Table {
        var requests = FunctionColumn.requests
        requests.column.isOnTerminals = view.isVerbose
        let owner: [FunctionColumn] = summary.functions.contains { $0.owner != nil } ? [.owner] : []
        let rate = view.isByProject ? FunctionColumn.rateAndDays(summary) : .rate
        let columns =
            [.verdict, .name(summary.names, isByProject: view.isByProject), requests, rate, .marks, .why]
            + owner + [.next]
        var table = Table(columns, of: summary, gate: gate, view)
        table.days = summary.markedDays
        table.isLastDayOver = summary.asOf.map { $0.hour == 23 || $0.day != table.days?.upperBound } ?? true
        return table
    }

    static func ofCounts(_ summary: Summary, _ view: TableView) -> Table {
        var table = Table(
            [.verdict, .name(summary.names, isByProject: view.isByProject), .requests]
                + FunctionColumn.statuses(summary), of: summary, view)
        let totals = summary.totals
        if summary.functions.count > 1 {
            let statuses = table.columns.dropFirst(3).dropLast().map { column -> Cell in
                TokenStatus.allCases.first { $0.name == column.head }
                    .map { .share(totals.total(app: $0), of: totals.total) } ?? .empty
            }
            table.total =
                [.empty, .words("total of \(Figures.grouped(summary.functions.count))"), .number(totals.total)]
                + statuses + [.number(totals.refusedAuth)]
        }
        return table
    }

    private init(_ columns: [FunctionColumn], of summary: Summary, gate: Gate? = nil, _ view: TableView) {
        self.columns = columns.map(\.column)
        let order: [TableGroup] =
            gate == nil ? TableGroup.allCases : [.refusing, .notSafe, .undecided, .ready, .settled]
        let grouped = Dictionary(grouping: summary.functions) { TableGroup($0.assessment, gate: gate) }
        var hidden: Set<TableGroup> = gate == nil && !view.showsAll ? [.refusing, .settled] : []
        // Functions that need nothing are shown where there are no others.
        if grouped.keys.allSatisfy(hidden.contains) { hidden.remove(.settled) }
        let isByProject = view.isByProject && summary.names.hasSeveralProjects
        groups = order.flatMap { group -> [Group] in
            let all = view.sorted(grouped[group] ?? [], of: group)
            guard !all.isEmpty, !hidden.contains(group) else { return [] }
            let shown = Array(all.prefix(view.limit ?? all.count))
            let rest = all.count - shown.count
            var parts = (isByProject ? shown.byProject : [shown]).map { functions in
                Group(
                    project: isByProject ? functions.first.map { "\(name: $0.identity.project)" } : nil,
                    heads: [FunctionColumn.rateHead: "refused"], functions: functions,
                    rows: AnyRandomAccessCollection(functions.lazy.map { row in columns.map { $0.cell(row) } }))
            }
            parts[0].heading = group.heading
            if rest > 0 { parts[parts.count - 1].rest = "\(Figures.grouped(rest)) more: \(code: "--limit all")" }
            return parts
        }
        if let settled = grouped[.settled]?.count, hidden.contains(.settled) {
            let rest: Wording = "\(Figures.grouped(settled)) enforced, exempt or replaced: \(code: "--limit all")"
            groups.append(Group(rows: AnyRandomAccessCollection([]), rest: rest))
        }
    }
}

extension TableView {
    /// False for a function that `--only` leaves out.
    func includes(_ function: FunctionSummary) -> Bool {
        let assessment = function.assessment
        return only.isEmpty
            || [assessment.word, assessment.verdict.word].contains { only.contains(TableView.option($0)) }
    }

    fileprivate func sorted(_ functions: [FunctionSummary], of group: TableGroup) -> [FunctionSummary] {
        let shown = functions.filter(includes)
        func by<Key: Comparable>(_ key: (FunctionSummary) -> Key) -> [FunctionSummary] {
            shown.enumerated().map { (index: $0, key: key($1), function: $1) }
                .sorted { ($0.key, $0.index) < ($1.key, $1.index) }.map(\.function)
        }
        return switch order {
        case nil where group == .ready: shown.inOrderOfEnforcement
        case nil where group == .refusing: by { -($0.assessment.lockout?.shown.refused ?? 0) }
        case nil, .requests: by { -$0.totals.total }
        case .refused: by { -($0.shownRate ?? -1) }
        case .name: by { ExactName($0.name) }
        }
    }
}

extension [FunctionSummary] {
    /// The functions of each project, in the order of the first of each.
    fileprivate var byProject: [[FunctionSummary]] {
        let projects = map { ExactName($0.identity.project) }
        let groups = Dictionary(grouping: zip(projects, self), by: \.0)
        var seen: Set<ExactName> = []
        return projects.filter { seen.insert($0).inserted }.compactMap { groups[$0]?.map(\.1) }
    }
}

extension FunctionSummary {
    /// The days of the share that the rule judges; nil where another share is shown, or none.
    fileprivate var rateDays: Int? {
        shownRate == nil || assessment.isLockout ? nil : assessment.period.window?.dayCount
    }
}

extension Summary {
    /// The days that marks show: the last ones up to the as-of day, as many as the longest window has.
    fileprivate var markedDays: ClosedRange<Day>? {
        guard let span else { return nil }
        let last = min(span.last.day, max(asOf?.day ?? span.last.day, span.first.day))
        return max(span.first.day, last.advanced(by: 1 - max(1, policy.maxWindow)))...last
    }
}

extension StatusMatrix {
    /// Requests that are answered with 401 regardless of App Check.
    var refusedAuth: Int { TokenStatus.allCases.reduce(0) { $0 + self[$1, .invalid] } }
}
