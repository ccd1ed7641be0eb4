import Readiness
import Verifications

/// How wide the cells of a table are, found in one pass over its functions, and the columns made from that.
struct TableMeasures {
    /// The widest name, the total's among them.
    private(set) var name = displayWidth(of: TableMeasures.nameHead)
    private let total: TableRow
    private let maxBlocked: Double
    private var percent: [TokenStatus: Int] = [:]
    private var project: Int?
    private var region: Int?
    private var hasGenerations = false

    private static let nameHead = "function"
    /// Longer names of projects and regions are cut.
    private static let widestPlace = 30

    init(_ summary: Summary, total: TableRow, style: TerminalStyle) {
        self.total = total
        maxBlocked = summary.policy.maxBlocked
        let functions = summary.functions
        let place = summary.commonPlace
        if functions.count > 1 { name = max(name, displayWidth(of: total.name)) }
        func widest(_ text: (FunctionSummary) -> String) -> Int {
            min(
                TableMeasures.widestPlace,
                functions.reduce(0) { max($0, displayWidth(of: style.display(text($1)).text)) })
        }
        name = functions.reduce(name) { max($0, displayWidth(of: style.display($1.name).text)) }
        if place.project == nil { project = widest(\.identity.project) }
        if place.region == nil { region = widest(\.identity.region) }
        hasGenerations = place.generation == nil
        for function in functions {
            let counts = function.tally.totals
            for status in TokenStatus.allCases {
                percent[status] = max(percent[status] ?? 0, TableMeasures.percent(status, counts).utf8.count)
            }
        }
        for status in TokenStatus.allCases {
            percent[status] = max(percent[status] ?? 0, TableMeasures.percent(status, total.counts).utf8.count)
        }
    }

    /// True when functions differ in project, region or generation.
    var hasPlaces: Bool {
        project != nil || region != nil || hasGenerations
    }

    func name(_ style: TerminalStyle, width: Int) -> TableColumn {
        TableColumn(TableMeasures.nameHead, .leading, width: width) { row in
            let name = style.display(row.name).cut(to: width, ellipsis: style.ellipsis)
            return StyledText(name, row.identity == nil ? .strong : .plain)
        }
    }

    /// Project, region and generation, as far as they differ; without heads above them they speak for themselves.
    func places(_ style: TerminalStyle, inColumns: Bool) -> [TableColumn] {
        func column(_ head: String, _ width: Int, _ text: @escaping (FunctionIdentity) -> String) -> TableColumn {
            TableColumn(head, .leading, width: width) { row in
                let text = row.identity.map { style.display(text($0)).cut(to: width, ellipsis: style.ellipsis) }
                return StyledText(text ?? "", .faint)
            }
        }
        var columns: [TableColumn] = []
        if let project { columns.append(column("project", project, \.project)) }
        if let region { columns.append(column("region", region, \.region)) }
        if hasGenerations { columns.append(generation(prefix: inColumns ? "" : "gen ")) }
        return columns
    }

    private func generation(prefix: String) -> TableColumn {
        TableColumn("gen", .leading, width: 3) { row in
            let number = row.identity.map { $0.generation.map { String($0.rawValue) } ?? FunctionIdentity.unknown }
            return StyledText(number.map { prefix + $0 } ?? "", .faint)
        }
    }

    /// All requests, and of each App Check status the count and its share; OTHER only where it occurs.
    func counts(_ style: TerminalStyle, hasPercentages: Bool) -> [TableColumn] {
        let width = Figures.grouped(total.counts.total).utf8.count
        let all = TableColumn("requests", .trailing, width: width) { row in
            StyledText(Figures.grouped(row.counts.total), .strong)
        }
        return [all] + total.shownStatuses.map { status($0, hasPercentages: hasPercentages) }
    }

    /// The marks of each row's days.
    func sparkline(_ sparkline: Sparkline, _ style: TerminalStyle) -> TableColumn {
        let glyphs = Sparkline.glyphs(unicode: style.unicode)
        let head = sparkline.markCount >= 10 ? "unverified" : "trend"
        return TableColumn(head, .leading, width: sparkline.markCount) { row in
            StyledText(sparkline.marks(row.days, glyphs: glyphs), .accent)
        }
    }

    private func status(_ status: TokenStatus, hasPercentages: Bool) -> TableColumn {
        let count = Figures.grouped(total.counts.total(app: status)).utf8.count
        let share = hasPercentages ? percent[status] ?? 0 : 0
        let width = count + (share > 0 ? share + 1 : 0)
        let maxBlocked = maxBlocked
        return TableColumn(status.name, .trailing, width: width) { row in
            let number = row.counts.total(app: status)
            let text = StyledText(Figures.grouped(number), number == 0 ? .faint : .plain)
            guard share > 0 else { return text }
            let isHigh = status != .valid && Double(number) > maxBlocked * Double(row.counts.total)
            let percent = StyledText(TableMeasures.percent(status, row.counts), isHigh ? .warning : .faint)
            return text + " " + percent.padded(to: share, .trailing)
        }
    }

    /// The share beside a count; nothing beside a zero, which speaks for itself.
    private static func percent(_ status: TokenStatus, _ counts: StatusMatrix) -> String {
        let number = counts.total(app: status)
        return number == 0 ? "" : Figures.percent(number, of: counts.total)
    }
}
