import Readiness
import Verifications

/// The columns of a check: the verdict, the function and where it runs, the clause that decided, what was measured.
///
/// All on one line where the terminal is wide enough; on a narrow one, what was measured moves to a line below.
struct CheckColumns {
    let columns: [TableColumn]
    let hasDetails: Bool

    private static let narrowestName = 20
    /// Longer names are cut, whatever the terminal: they would push the rest out of sight.
    private static let widestName = 60
    /// Likewise the reasons that policy files give.
    private static let widestMeasured = 80
    private let style: TerminalStyle

    init(_ summary: Summary, style: TerminalStyle) {
        self.style = style
        let total = TableRow(totalOf: summary.functions)
        let measures = TableMeasures(summary, place: summary.tellingPlace, total: total, style: style)
        let make = TableColumns(measures: measures, total: total, maxBlocked: summary.policy.maxBlocked, style: style)
        let outcomes = summary.functions.map { $0.outcome(unicode: style.unicode) }
        let rule = TableColumn("rule", .leading, width: outcomes.map { displayWidth(of: $0.rule) }.max() ?? 0) { row in
            StyledText(row.function?.outcome(unicode: style.unicode).rule ?? "", .faint)
        }
        let widths = outcomes.map { displayWidth(of: $0.measured.text(ascii: !style.unicode)) }
        let width = min(widths.max() ?? 0, CheckColumns.widestMeasured)
        let measured = TableColumn("measured", .leading, width: width) { row in
            CheckColumns.measured(row, width: width, style: style)
        }
        let natural = min(measures.functionName, CheckColumns.widestName)
        let front = [make.verdict(isMarkOnly: false)]
        let whole = front + [make.name(width: natural)] + make.places + [rule, measured]
        // What is missing is taken from the name, as far as it stays readable.
        let name = natural - max(0, whole.width - style.columns)
        hasDetails = name < min(natural, CheckColumns.narrowestName)
        if hasDetails {
            let narrow = front + [make.name(width: natural)] + make.places
            let room = max(CheckColumns.narrowestName, natural - max(0, narrow.width - style.columns))
            columns = front + [make.name(width: min(natural, room))] + make.places
        } else {
            columns = front + [make.name(width: name)] + make.places + [rule, measured]
        }
    }

    /// The line below a function.
    func details(of row: TableRow) -> [StyledText] {
        guard hasDetails, let function = row.function else { return [] }
        let outcome = function.outcome(unicode: style.unicode)
        let indent = StyledText("  ")
        let rule = StyledText(outcome.rule + ": ", .faint)
        return [indent + rule + CheckColumns.measured(row, width: style.columns - 2 - rule.width, style: style)]
    }

    private static func measured(_ row: TableRow, width: Int, style: TerminalStyle) -> StyledText {
        let text = row.function?.outcome(unicode: style.unicode).measured.text(ascii: !style.unicode) ?? ""
        return StyledText(DisplayText(text).cut(to: width, ellipsis: style.ellipsis))
    }
}
