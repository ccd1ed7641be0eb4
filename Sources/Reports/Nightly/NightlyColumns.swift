import Readiness
import Verifications

/// The columns of the morning page: the verdict, the function and where it runs, its last days, when it will be ready,
/// and why.
///
/// On a narrow terminal the reason moves to a line below, then the last days go.
struct NightlyColumns {
    let columns: [TableColumn]
    let sparkline: Sparkline?
    let hasDetails: Bool

    private static let narrowestName = 20
    /// Longer names are cut, whatever the terminal: they would push the rest out of sight.
    private static let widestName = 60
    private static let marks = 14
    private let make: TableColumns
    private let style: TerminalStyle

    init(_ report: NightlyReport, style: TerminalStyle) {
        let summary = report.summary
        let total = TableRow(totalOf: summary.functions)
        let measures = TableMeasures(summary, place: summary.commonPlace, total: total, style: style)
        let make = TableColumns(measures: measures, total: total, maxBlocked: summary.policy.maxBlocked, style: style)
        let marks = summary.sparklineDays.map { Sparkline(days: $0, width: NightlyColumns.marks) }
        let days = summary.functions.map { report.readyDay(of: $0)?.text.utf8.count ?? 0 }.max() ?? 0
        let ready = TableColumn("ready", .leading, width: days) { row in
            StyledText(row.function.flatMap(report.readyDay)?.text ?? "")
        }
        let natural = min(measures.functionName, NightlyColumns.widestName)
        func front(name: Int, marks: Sparkline?) -> [TableColumn] {
            [make.verdict(isMarkOnly: false), make.name(width: name)] + make.places
                + (marks.map { [make.sparkline($0)] } ?? []) + [ready]
        }
        func room(_ columns: [TableColumn]) -> Int { max(0, natural - max(0, columns.width - style.columns)) }
        let readable = min(natural, NightlyColumns.narrowestName)
        let whole = front(name: natural, marks: marks) + [make.brief(spare: 0)]
        let below = front(name: natural, marks: marks)
        if room(whole) >= readable {
            let spare = max(0, style.columns - whole.width)
            columns = front(name: room(whole), marks: marks) + [make.brief(spare: spare)]
            (sparkline, hasDetails) = (marks, false)
        } else if room(below) >= readable {
            columns = front(name: room(below), marks: marks)
            (sparkline, hasDetails) = (marks, true)
        } else {
            columns = front(name: max(readable, room(front(name: natural, marks: nil))), marks: nil)
            (sparkline, hasDetails) = (nil, true)
        }
        self.make = make
        self.style = style
    }

    /// The line below a function.
    func details(of row: TableRow) -> [StyledText] {
        guard hasDetails, let function = row.function else { return [] }
        let brief = DisplayText(function.brief.text(ascii: !style.unicode))
        return [StyledText("  ") + StyledText(brief.cut(to: style.columns - 2, ellipsis: style.ellipsis), .faint)]
    }

    /// What the column of the last days is called.
    var sparklineHead: String? {
        sparkline.map { make.sparkline($0).head }
    }
}
