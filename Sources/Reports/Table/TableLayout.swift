import Readiness
import Verifications

/// Which columns a table has on a given terminal, and how wide they are.
///
/// The widest arrangement that leaves names readable wins. As the terminal gets narrower the sparkline shrinks, then
/// region and generation move to a second line under each function, then percentages go.
struct TableLayout {
    private(set) var columns: [TableColumn] = []
    /// What stands in a second line under each function; empty when everything has a column.
    private(set) var details: [(TableRow) -> StyledText] = []
    private(set) var sparkline: Sparkline?
    /// What the sparkline's column is called; nil where it has none.
    private(set) var sparklineHead: String?

    /// A name is readable when this much of it shows.
    private static let comfortableName = 20
    private static let narrowestName = 8
    private static let sparklineWidths = [28, 14, 7]

    private let style: TerminalStyle
    private let measures: TableMeasures

    init(_ summary: Summary, total: TableRow, style: TerminalStyle) {
        self.style = style
        self.measures = TableMeasures(summary, total: total, style: style)
        for (arrangement, isLast) in arrangements(of: summary) {
            if arrange(arrangement, isLast: isLast) { return }
        }
    }

    private struct Arrangement {
        var sparkline: Sparkline?
        var hasPercentages = true
        var hasDetails = false
    }

    private func arrangements(of summary: Summary) -> [(Arrangement, isLast: Bool)] {
        let sparklines = summary.sparklineDays.map { days in
            TableLayout.sparklineWidths.map { Sparkline(days: days, width: $0) }
        }
        var all = (sparklines ?? []).map { Arrangement(sparkline: $0) } + [Arrangement()]
        if measures.hasPlaces {
            // A second line has room for a sparkline of middle length wherever a table is readable at all.
            all.removeLast()
            all.append(Arrangement(sparkline: sparklines?[1], hasDetails: true))
            all.append(Arrangement(sparkline: sparklines?[1], hasPercentages: false, hasDetails: true))
        } else {
            all.append(Arrangement(hasPercentages: false))
        }
        return all.enumerated().map { ($1, $0 == all.count - 1) }
    }

    /// Takes an arrangement if it fits, or in any case when it is the last.
    private mutating func arrange(_ arrangement: Arrangement, isLast: Bool) -> Bool {
        let places = measures.places(style, inColumns: !arrangement.hasDetails)
        var rest: [TableColumn] = arrangement.hasDetails ? [] : places
        rest += measures.counts(style, hasPercentages: arrangement.hasPercentages)
        let marks = arrangement.sparkline.map { measures.sparkline($0, style) }
        if let marks, !arrangement.hasDetails { rest.append(marks) }

        let room = style.columns - rest.width - TableColumn.gap
        guard isLast || room >= min(measures.name, TableLayout.comfortableName) else { return false }
        columns = [measures.name(style, width: min(measures.name, max(room, TableLayout.narrowestName)))] + rest
        sparkline = arrangement.sparkline
        sparklineHead = arrangement.hasDetails ? nil : marks?.head
        if arrangement.hasDetails {
            details = ((marks.map { [$0] } ?? []) + places).map { column in
                { column.cell($0).padded(to: column.width, .leading) }
            }
        }
        return true
    }
}

extension Summary {
    /// The days a sparkline shows: the last ones up to what is judged as of, as many as the longest window has.
    fileprivate var sparklineDays: ClosedRange<Day>? {
        guard let span else { return nil }
        let last = min(span.last.day, max(asOf?.day ?? span.last.day, span.first.day))
        return max(span.first.day, last.advanced(by: 1 - max(1, policy.maxWindow)))...last
    }
}
