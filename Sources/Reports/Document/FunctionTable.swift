import Readiness
import Verifications

/// A column that a table of functions can have, and what stands in it.
///
/// Every table of every format takes its columns from here.
struct FunctionColumn {
    let column: Table.Column
    let cell: @Sendable (FunctionRow) -> Table.Cell

    private init(_ column: Table.Column, cell: @escaping @Sendable (FunctionRow) -> Table.Cell) {
        self.column = column
        self.cell = cell
    }

    /// A column that says nothing of all functions together.
    private static func ofFunctions(
        _ column: Table.Column, cell: @escaping @Sendable (FunctionSummary) -> Table.Cell
    ) -> FunctionColumn {
        FunctionColumn(column) { $0.function.map(cell) ?? .empty }
    }

    static let verdict = ofFunctions(Table.Column(head: "verdict")) { .verdict($0.assessment) }

    static let name = FunctionColumn(Table.Column(head: "function", kind: .name, widest: 60)) { row in
        guard let function = row.function else { return .words("total of \(Figures.grouped(row.count))", .strong) }
        return .words("\(name: function.name)")
    }

    /// The number that decided.
    static let brief = ofFunctions(Table.Column(head: "why", widest: 60, usual: 42)) { .words($0.brief) }

    /// The clause of the rule that decided.
    static let rule = ofFunctions(Table.Column(head: "rule")) { .words("\($0.outcome(unicode: true).rule)", .faint) }

    static let measured = ofFunctions(Table.Column(head: "measured", widest: 80)) {
        .words($0.outcome(unicode: true).measured)
    }

    static let requests = FunctionColumn(Table.Column(head: "requests", kind: .number)) {
        .number($0.counts.total, .strong)
    }

    static let marks = FunctionColumn(Table.Column(head: "", kind: .marks)) { .days($0.days) }

    /// When a function will be ready.
    static func ready(_ report: NightlyReport) -> FunctionColumn {
        ofFunctions(Table.Column(head: "ready")) { .words("\(report.readyDay(of: $0)?.text ?? "")") }
    }

    /// Project, region and generation, as far as they differ.
    static func places(_ place: CommonPlace) -> [FunctionColumn] {
        var columns: [FunctionColumn] = []
        if place.project == nil {
            columns.append(ofFunctions(Table.Column(head: "project", widest: 30)) { .place($0.identity.project) })
        }
        if place.region == nil {
            columns.append(ofFunctions(Table.Column(head: "region", widest: 30)) { .place($0.identity.region) })
        }
        if place.generation == nil {
            columns.append(
                ofFunctions(Table.Column(head: "gen", kind: .generation)) { .generation($0.identity.generation) })
        }
        return columns
    }

    /// The count of each App Check status and its share; OTHER only where it occurs.
    static func statuses(_ summary: Summary) -> [FunctionColumn] {
        let shown: [TokenStatus] =
            [.valid, .missing, .invalid] + (summary.totals.total(app: .other) > 0 ? [.other] : [])
        return shown.map { status in
            FunctionColumn(Table.Column(head: status.name, kind: .number)) { row in
                let (number, total) = (row.counts.total(app: status), row.counts.total)
                let isHigh = status != .valid && Double(number) > summary.policy.maxBlocked * Double(total)
                return .share(number, of: total, isHigh: isHigh)
            }
        }
    }
}

/// What a row of a table is made of: a function, or all of them together.
struct FunctionRow {
    /// Nil in the total.
    let function: FunctionSummary?
    /// How many functions it stands for.
    let count: Int
    let counts: StatusMatrix
    let days: [DayTally]

    init(_ function: FunctionSummary) {
        self.function = function
        count = 1
        counts = function.tally.totals
        days = function.tally.days
    }

    /// The total of several functions.
    init(totalOf functions: [FunctionSummary]) {
        function = nil
        count = functions.count
        counts = functions.reduce(into: StatusMatrix()) { $0.merge($1.tally.totals) }
        var byDay: [Day: DayTally] = [:]
        for day in functions.lazy.flatMap(\.tally.days) { byDay[day.day, default: DayTally(day: day.day)].merge(day) }
        days = byDay.values.sorted { $0.day < $1.day }
    }
}

extension Table {
    init(_ columns: [FunctionColumn], of functions: some Sequence<FunctionSummary>, total: FunctionRow? = nil) {
        func cells(_ row: FunctionRow) -> [Cell] { columns.map { $0.cell(row) } }
        self.columns = columns.map(\.column)
        rows = AnySequence(functions.lazy.map { cells(FunctionRow($0)) })
        self.total = total.map(cells)
    }

    private static let placeHeads = [["project"], ["region"], ["gen"]]

    /// Functions with most requests first, their counts, and what decided.
    ///
    /// As the terminal gets narrower the marks shrink, then what tells about a function moves to a second line under
    /// it, then percentages go.
    static func ofCounts(_ summary: Summary) -> Table {
        let total = summary.functions.count > 1 ? FunctionRow(totalOf: summary.functions) : nil
        let columns =
            [.verdict, .name] + FunctionColumn.places(summary.commonPlace) + [.requests]
            + FunctionColumn.statuses(summary) + [.marks, .brief]
        var table = Table(columns, of: summary.functionsByRequests, total: total)
        table.days = summary.markedDays
        let wide = table.days == nil ? [] : [28, 14, 7].map { Arrangement(marks: .inLine($0)) }
        let below = [["verdict", "why"]] + placeHeads
        table.arrangements =
            wide + [
                Arrangement(marks: .below, below: below), Arrangement(marks: .below, hasShares: false, below: below),
            ]
        return table
    }

    /// What a gate looked at; on a narrow terminal, what was measured moves to a line below.
    static func ofClauses(_ summary: Summary, _ functions: some Sequence<FunctionSummary>) -> Table {
        let columns = [.verdict, .name] + FunctionColumn.places(summary.tellingPlace) + [.rule, .measured]
        var table = Table(columns, of: functions)
        table.arrangements = [Arrangement(), Arrangement(below: [["rule", "measured"]])]
        return table
    }

    /// The functions of a morning: their last days, when they will be ready, and why.
    ///
    /// On a narrow terminal the reason moves to a line below, then everything but the name and the day.
    static func ofMorning(_ report: NightlyReport) -> Table {
        let columns =
            [.verdict, .name] + FunctionColumn.places(report.summary.commonPlace) + [.marks, .ready(report), .brief]
        var table = Table(columns, of: report.summary.functionsInOrder)
        table.days = report.summary.markedDays
        let marks: Arrangement.Marks = table.days == nil ? .none : .inLine(14)
        table.arrangements = [
            Arrangement(marks: marks), Arrangement(marks: marks, below: [["why"]]),
            Arrangement(below: [["verdict", "why"]] + placeHeads),
        ]
        return table
    }
}

extension Summary {
    /// The days that marks show: the last ones up to what is judged as of, as many as the longest window has.
    fileprivate var markedDays: Table.Days? {
        guard let span else { return nil }
        let last = min(span.last.day, max(asOf?.day ?? span.last.day, span.first.day))
        let first = max(span.first.day, last.advanced(by: 1 - max(1, policy.maxWindow)))
        return Table.Days(range: first...last, isPart: span.first.day < first)
    }
}
