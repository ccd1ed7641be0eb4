import Readiness
import Verifications

/// How wide the cells of a table are, found in one pass over its functions.
struct TableMeasures {
    /// The widest name, the total's among them.
    private(set) var name = 0
    /// The widest name of a function.
    private(set) var functionName = 0
    /// The widest project; nil when all functions share one.
    private(set) var project: Int?
    private(set) var region: Int?
    /// True when functions differ in generation.
    let hasGenerations: Bool
    /// The widest share beside the counts of each App Check status.
    private(set) var percent: [TokenStatus: Int] = [:]
    /// The widest verdict with its mark.
    private(set) var verdict = 0
    /// The widest number that decided a verdict.
    private(set) var brief = 0

    /// Longer names of projects and regions are cut.
    private static let widestPlace = 30
    /// Longer sentences are cut; they stem from policy files.
    private static let widestBrief = 60

    /// Measures a table that says where functions run as far as `place` differs.
    init(_ summary: Summary, place: CommonPlace, total: TableRow, style: TerminalStyle) {
        hasGenerations = place.generation == nil
        if place.project == nil { project = 0 }
        if place.region == nil { region = 0 }
        if summary.functions.count > 1 { add(total, style) }
        for function in summary.functions { add(TableRow(function), style) }
        brief = min(brief, TableMeasures.widestBrief)
    }

    private mutating func add(_ row: TableRow, _ style: TerminalStyle) {
        func width(_ name: String) -> Int { displayWidth(of: style.display(name).text) }
        name = max(name, width(row.name))
        for status in TokenStatus.allCases {
            percent[status] = max(percent[status] ?? 0, row.share(of: status).utf8.count)
        }
        if let identity = row.identity {
            project = project.map { min(max($0, width(identity.project)), TableMeasures.widestPlace) }
            region = region.map { min(max($0, width(identity.region)), TableMeasures.widestPlace) }
        }
        if let function = row.function {
            functionName = max(functionName, width(row.name))
            verdict = max(verdict, function.assessment.verdict.rawValue.utf8.count + 2)
            brief = max(brief, displayWidth(of: function.brief.text(ascii: !style.unicode)))
        }
    }
}
