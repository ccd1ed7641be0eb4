package import Readiness
import Verifications

/// How a table of functions is shown.
package struct TableView: Hashable, Sendable {
    package enum Order: String, CaseIterable, Sendable {
        case requests, refused, name
    }

    /// True for the counts of each token status instead of what decided.
    package var showsCounts = false
    /// Only functions with these verdicts; all when empty.
    package var verdicts: Set<Verdict> = []
    /// Nil for the usual order: by requests, and for those that can be enforced, the order in which to do it.
    package var order: Order?
    /// How many functions of each group are listed; nil for all.
    package var top: Int? = 20
    /// True for the answer in one line.
    package var isBrief = false

    package init() {}
}

/// The part of a table that a function is in.
enum TableGroup: CaseIterable {
    case refusing, ready, notSafe, undecided, settled

    init(_ assessment: Assessment, gate: Gate?) {
        switch gate?.standing(of: assessment) ?? assessment.standing {
        case .lockedOut: self = .refusing
        case .notSafe: self = .notSafe
        case .unsure: self = .undecided
        case .clear: self = assessment.verdict == .enforce || assessment.standing == .unsure ? .ready : .settled
        }
    }

    var heading: String {
        switch self {
        case .refusing: "REFUSING USERS"
        case .ready: "READY"
        case .notSafe: "NOT SAFE"
        case .undecided: "CANNOT TELL YET"
        case .settled: "NOTHING TO DECIDE"
        }
    }

    /// The verdicts of its functions, as `--verdict` takes them.
    var verdicts: [Verdict] {
        switch self {
        case .refusing: [.enforced]
        case .ready: [.enforce]
        case .notSafe: [.wait, .investigate]
        case .undecided: [.insufficient, .blind]
        case .settled: [.enforced, .exempt, .superseded]
        }
    }
}

/// A column that a table of functions can have, and what it contains.
///
/// Every table of every format takes its columns from here.
struct FunctionColumn {
    let column: Table.Column
    let cell: @Sendable (FunctionSummary) -> Table.Cell

    init(_ column: Table.Column, cell: @escaping @Sendable (FunctionSummary) -> Table.Cell) {
        self.column = column
        self.cell = cell
    }

    static let verdict = FunctionColumn(Table.Column(head: "verdict", kind: .mark, isHeadedOnTerminals: false)) {
        .verdict($0.assessment)
    }

    static func name(_ places: Places) -> FunctionColumn {
        FunctionColumn(Table.Column(head: "function", kind: .name, widest: 60, isHeadedOnTerminals: false)) {
            .function($0, place: places.telling($0.identity))
        }
    }

    static let requests = FunctionColumn(Table.Column(head: requestsHead, kind: .number)) {
        .number($0.totals.total)
    }

    static let rate = FunctionColumn(Table.Column(head: "would be refused", kind: .number)) { function in
        function.shownRate.map { .words("\(Figures.rate($0))") } ?? .empty
    }

    /// The number that decided.
    static let brief = FunctionColumn(Table.Column(head: "", widest: 60)) { .words($0.tableBrief) }

    static let marks = FunctionColumn(Table.Column(head: "", kind: .marks)) { function in
        let numbers = function.assessment.policy.numbers
        guard
            function.assessment.standing == .notSafe || function.assessment.verdict == .enforce
                || function.assessment.isLockout
        else { return .empty }
        return .days(
            function.tally.days, numbers.requiresAuth ? .signedIn : .notRefused, limit: numbers.maxBlocked)
    }

    /// When the function will be ready, or why no day is known.
    static let outlook = FunctionColumn(Table.Column(head: outlookHead, widest: 40)) { .words($0.outlookBrief) }

    /// The count of each App Check status and its share, OTHER only where it occurs; then the requests that are already
    /// refused because of their Auth token.
    static func statuses(_ summary: Summary) -> [FunctionColumn] {
        let shown: [TokenStatus] =
            [.valid, .missing, .invalid] + (summary.totals.total(app: .other) > 0 ? [.other] : [])
        return shown.map { status in
            FunctionColumn(Table.Column(head: status.name, kind: .number)) {
                .share($0.totals.total(app: status), of: $0.totals.total)
            }
        } + [
            FunctionColumn(Table.Column(head: "bad sign-in", kind: .number)) { .number($0.totals.refusedAuth) }
        ]
    }

    static let requestsHead = "requests"
    static let outlookHead = "outlook"
}

extension Table {
    /// What decided about each function.
    ///
    /// - Parameters:
    ///   - summary: The functions.
    ///   - gate: The gate that the functions must pass; those that fail it come first. Nil without one.
    ///   - view: Which functions are listed, and in which order.
    /// - Returns: A table of one line for each function.
    static func ofVerdicts(_ summary: Summary, gate: Gate? = nil, _ view: TableView = TableView()) -> Table {
        let columns: [FunctionColumn] = [
            .verdict, .name(summary.places), .requests, .rate, .brief, .marks, .outlook,
        ]
        var table = Table(columns, of: summary, gate: gate, view)
        table.days = summary.markedDays
        let narrow: Set = [FunctionColumn.outlookHead]
        table.arrangements = [
            Arrangement(marks: 28), Arrangement(marks: 14), Arrangement(marks: 14, without: narrow),
            Arrangement(marks: 7, without: narrow), Arrangement(without: narrow),
            Arrangement(without: narrow.union([FunctionColumn.requestsHead])),
        ]
        return table
    }

    /// The counts of each token status.
    static func ofCounts(_ summary: Summary, _ view: TableView) -> Table {
        var table = Table(
            [.verdict, .name(summary.places), .requests] + FunctionColumn.statuses(summary), of: summary, view)
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
        table.arrangements = [Arrangement(), Arrangement(hasShares: false)]
        return table
    }

    private init(_ columns: [FunctionColumn], of summary: Summary, gate: Gate? = nil, _ view: TableView) {
        self.columns = columns.map(\.column)
        let order: [TableGroup] =
            gate == nil ? TableGroup.allCases : [.refusing, .notSafe, .undecided, .ready, .settled]
        let grouped = Dictionary(grouping: summary.functions) { TableGroup($0.assessment, gate: gate) }
        groups = order.compactMap { group in
            let all = view.sorted(grouped[group] ?? [], of: group)
            guard !all.isEmpty else { return nil }
            let shown = all.prefix(view.top ?? all.count)
            let verdict = group.verdicts.first { verdict in
                all.dropFirst(shown.count).contains { $0.assessment.verdict == verdict }
            }
            return Group(
                heading: group.heading, rows: AnySequence(shown.lazy.map { row in columns.map { $0.cell(row) } }),
                rest: verdict.map {
                    "and \(Figures.grouped(all.count - shown.count)) more: \(code: "--verdict \($0.rawValue) --top all")"
                })
        }
    }
}

extension TableView {
    /// The functions of a group to show, the most important first.
    fileprivate func sorted(_ functions: [FunctionSummary], of group: TableGroup) -> [FunctionSummary] {
        let shown = functions.filter { verdicts.isEmpty || verdicts.contains($0.assessment.verdict) }
        func by<Key: Comparable>(_ key: (FunctionSummary) -> Key) -> [FunctionSummary] {
            shown.enumerated().map { (index: $0, key: key($1), function: $1) }
                .sorted { ($0.key, $0.index) < ($1.key, $1.index) }.map(\.function)
        }
        return switch order {
        case nil where group == .ready: shown.inOrderOfEnforcement
        case nil, .requests: by { -$0.totals.total }
        case .refused: by { -($0.shownRate ?? -1) }
        case .name: by { ExactName($0.name) }
        }
    }
}

extension FunctionSummary {
    /// The share of requests that would be refused in the days that were judged, or is where enforcement refuses users.
    ///
    /// Nil where it means nothing: for a log that does not show passes, and without a request.
    var shownRate: Double? {
        for case .settled(.lockout(_, _, let blocked, let admitted)) in assessment.reasons {
            return Double(blocked) / Double(max(1, admitted))
        }
        return switch assessment.verdict {
        case .enforce, .wait, .investigate, .insufficient: assessment.evidence.blockedRate
        case .blind, .exempt, .enforced, .superseded: nil
        }
    }

    /// What is shown next to the rate: what decided, in as few words as possible.
    fileprivate var tableBrief: Wording {
        guard listing == .seen else { return brief }
        let word = assessment.word
        return switch assessment.verdict {
        case .investigate: "\(word)"
        case .blind, .exempt: "\(word): \(brief)"
        case .insufficient where word == Assessment.almostReady: "\(word): \(brief)"
        case .superseded: "\(word) \(brief)"
        case .enforced where !assessment.isLockout: "\(word) \(brief)"
        case .enforce, .wait, .insufficient, .enforced: brief
        }
    }

    /// `ready 26 Oct`, `falling: ready 26 Oct`, `not falling`.
    var outlookBrief: Wording {
        if assessment.verdict == .enforce {
            for case .excess(.recentTrouble(let days, _)) in assessment.reasons {
                if let last = days.map(\.day).max() { return "bad day on \(CalendarText.short(last))" }
            }
            return assessment.readyDay.map { "since \(CalendarText.short($0))" } ?? ""
        }
        switch assessment.outlook {
        case .date(let day, let kind):
            return "\(kind == .trend ? "falling: " : "")ready \(CalendarText.short(day))"
        case .noRequests: return "no requests in the last 7 days"
        case .noDate(let trend?): return "falling, \(Figures.rate(trend.from)) → \(Figures.rate(trend.to)), no date yet"
        case .noDate where assessment.standing == .notSafe:
            guard let bad = assessment.badDayInWindow else { return "not falling" }
            return "\(CalendarText.short(bad.day)) leaves the window \(CalendarText.short(bad.leaves))"
        case .noDate:
            guard let window = assessment.neededWindow else { return "" }
            return "try \(code: "--max-window \(window)d")"
        case .notAsked: return ""
        }
    }
}

extension Summary {
    /// The days that marks show: the last ones up to the as-of day, as many as the longest window has.
    fileprivate var markedDays: Table.Days? {
        guard let span else { return nil }
        let last = min(span.last.day, max(asOf?.day ?? span.last.day, span.first.day))
        let first = max(span.first.day, last.advanced(by: 1 - max(1, policy.maxWindow)))
        return Table.Days(range: first...last, isPart: span.first.day < first)
    }
}

extension StatusMatrix {
    /// Requests that are answered with 401 whatever App Check says.
    var refusedAuth: Int {
        TokenStatus.allCases.reduce(0) { $0 + self[$1, .invalid] }
    }
}
