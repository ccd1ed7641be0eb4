import Readiness
import Verifications

/// The columns of the morning page: the verdict, the function and where it runs, its last days, when it will be ready,
/// and why.
///
/// On a narrow terminal the reason moves to a line below, then everything but the name and the day.
struct NightlyColumns {
    let columns: [TableColumn]
    let sparkline: Sparkline?
    /// What stands on a line below each function.
    private let below: Below

    private enum Below {
        case nothing, reason, everything
    }

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
        let short = front(name: natural, marks: marks)
        let whole = short + [make.brief(spare: 0)]
        if room(whole) >= readable {
            let spare = max(0, style.columns - whole.width)
            columns = front(name: room(whole), marks: marks) + [make.brief(spare: spare)]
            (sparkline, below) = (marks, .nothing)
        } else if room(short) >= readable {
            columns = front(name: room(short), marks: marks)
            (sparkline, below) = (marks, .reason)
        } else {
            let mark = make.verdict(isMarkOnly: true)
            let width = style.columns - [mark, ready].width - TableColumn.gap
            columns = [mark, make.name(width: min(natural, max(width, TableColumns.nameHead.utf8.count))), ready]
            (sparkline, below) = (nil, .everything)
        }
        self.make = make
        self.style = style
    }

    /// The lines below a function.
    func details(of row: TableRow) -> [StyledText] {
        let indent = StyledText("  ")
        switch below {
        case .nothing: return []
        case .reason:
            let brief = DisplayText(row.function?.brief.text(ascii: !style.unicode) ?? "")
            return [indent + StyledText(brief.cut(to: style.columns - 2, ellipsis: style.ellipsis), .faint)]
        case .everything:
            return style.lines(of: make.details(of: row), startingWith: indent, indent: indent)
        }
    }

    /// What the column of the last days is called.
    var sparklineHead: String? {
        sparkline.map { make.sparkline($0).head }
    }
}
