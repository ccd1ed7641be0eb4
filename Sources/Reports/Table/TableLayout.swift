import Readiness
import Verifications

/// Which columns a table has on a given terminal, and how wide they are.
///
/// The widest arrangement that leaves names readable wins. As the terminal gets narrower the sparkline shrinks, then
/// what tells about a function moves to a second line under it, then percentages go.
struct TableLayout {
    private(set) var columns: [TableColumn] = []
    private(set) var sparkline: Sparkline?
    /// True when a second line stands under each function.
    private(set) var hasDetails = false

    /// A name is readable when this much of it shows.
    private static let comfortableName = 20
    /// As wide as the column's head.
    private static let narrowestName = TableColumns.nameHead.utf8.count
    private static let sparklineWidths = [28, 14, 7]

    private let make: TableColumns
    private let marks: TableColumn?

    init(_ summary: Summary, total: TableRow, style: TerminalStyle) {
        let measures = TableMeasures(summary, place: summary.commonPlace, total: total, style: style)
        let make = TableColumns(
            measures: measures, total: total, maxBlocked: summary.policy.maxBlocked, style: style)
        let sparklines = summary.sparklineDays.map { days in
            TableLayout.sparklineWidths.map { Sparkline(days: days, width: $0) }
        }
        // Under a function there is room for a sparkline wherever a table is readable at all.
        let narrow = style.columns >= 100 ? sparklines?[1] : sparklines?[2]
        let arrangements =
            (sparklines ?? []).map { Arrangement(sparkline: $0, hasDetails: false) } + [
                Arrangement(sparkline: narrow, hasDetails: true),
                Arrangement(sparkline: narrow, hasPercentages: false, hasDetails: true),
            ]

        let natural = max(measures.name, displayWidth(of: TableColumns.nameHead))
        func room(_ arrangement: Arrangement) -> Int {
            let narrowest = arrangement.columns(make, nameWidth: TableLayout.narrowestName)
            return style.columns - narrowest.width + TableLayout.narrowestName
        }
        let fitting = arrangements.first { room($0) >= min(natural, TableLayout.comfortableName) }
        let chosen = fitting ?? arrangements[arrangements.count - 1]
        let nameWidth = min(natural, max(room(chosen), TableLayout.narrowestName))
        self.make = make
        columns = chosen.columns(make, nameWidth: nameWidth, spare: max(0, room(chosen) - nameWidth))
        sparkline = chosen.sparkline
        hasDetails = chosen.hasDetails
        marks = chosen.sparkline.map(make.sparkline)
    }

    /// What the column of the sparkline is called; nil when it has none.
    var sparklineHead: String? {
        hasDetails ? nil : marks?.head
    }

    /// The lines under a row.
    func details(of row: TableRow) -> [StyledText] {
        guard hasDetails else { return [] }
        let indent = StyledText("  ")
        let parts = make.details(of: row)
        guard let marks else {
            return parts.isEmpty ? [] : make.style.lines(of: parts, startingWith: indent, indent: indent)
        }
        let start = indent + marks.cell(row).padded(to: marks.width, .leading) + indent
        return make.style.lines(of: parts, startingWith: start, indent: indent)
    }
}

/// One way to lay a table out.
private struct Arrangement {
    let sparkline: Sparkline?
    var hasPercentages = true
    let hasDetails: Bool

    /// The columns with a given one for names; what is to spare then goes to the last column.
    func columns(_ make: TableColumns, nameWidth: Int, spare: Int = 0) -> [TableColumn] {
        let counts = make.counts(hasPercentages: hasPercentages)
        if hasDetails { return [make.verdict(isMarkOnly: true), make.name(width: nameWidth)] + counts }
        let marks = sparkline.map { [make.sparkline($0)] } ?? []
        return [make.verdict(isMarkOnly: false), make.name(width: nameWidth)] + make.places + counts + marks
            + [make.brief(spare: spare)]
    }
}

extension Summary {
    /// The days a sparkline shows: the last ones up to what is judged as of, as many as the longest window has.
    var sparklineDays: ClosedRange<Day>? {
        guard let span else { return nil }
        let last = min(span.last.day, max(asOf?.day ?? span.last.day, span.first.day))
        return max(span.first.day, last.advanced(by: 1 - max(1, policy.maxWindow)))...last
    }
}
