import Readiness
import Verifications

/// A table laid out for a terminal: a line for each row, with as many columns as there is room for.
struct TerminalTable {
    private let style: TerminalStyle
    private var sparkline: Sparkline?
    private var columns: [Column] = []
    /// Width at which names with places can be distinguished.
    private var readableName = 0

    private struct Column {
        let column: Table.Column
        let index: Int
        let head: String
        var width: Int
        /// The width if there is room.
        var fullWidth = 0
        var gap: Int { column.kind == .mark ? 1 : 2 }
        var alignment: StyledText.Alignment { column.kind == .number ? .trailing : .leading }
    }

    init(_ table: Table, style: TerminalStyle) {
        self.style = style
        let hasMarks = table.groups.lazy.flatMap(\.rows).joined().contains { cell in
            if case .days = cell { true } else { false }
        }
        for (index, column) in table.columns.enumerated() where column.isOnTerminals {
            if column.kind == .marks, !hasMarks { continue }
            let head = column.isHeadedOnTerminals ? table.groups.first?.heads[column.head] ?? column.head : ""
            columns.append(Column(column: column, index: index, head: head, width: displayWidth(of: head)))
        }
        let heading = table.groups.compactMap { $0.heading.map(displayWidth) }.max() ?? 0
        for place in columns.indices where columns[place].column.kind == .name {
            columns[place].width = max(0, heading - TerminalTable.width(columns[..<place]))
        }
        for row in (table.groups.map(\.rows) + (table.total.map { [AnyRandomAccessCollection([$0])] } ?? [])).joined() {
            for place in columns.indices where columns[place].column.kind != .marks {
                let width = text(row[columns[place].index]).width
                columns[place].width = max(columns[place].width, min(width, columns[place].column.widest))
                if case .function(_, let parts, true) = row[columns[place].index] {
                    readableName = max(readableName, TerminalTable.narrowestName + placeWidth(parts))
                }
            }
        }
        // What is empty in every row needs no place.
        columns.removeAll { $0.width == 0 && $0.column.kind == .words }
        for place in columns.indices { columns[place].fullWidth = columns[place].width }
        fit(table)
    }

    /// From here on there is room for four weeks of marks.
    private static let wide = 100

    // MARK: Layout

    /// Shows the last days of the table, this many at most.
    private mutating func showDays(_ count: Int, of table: Table) {
        guard let place = columns.firstIndex(where: { $0.column.kind == .marks }), let days = table.days else { return }
        let first = max(days.lowerBound, days.upperBound.advanced(by: 1 - count))
        let marks = Sparkline(days: first...days.upperBound, isLastOver: table.isLastDayOver)
        let width = max(marks.dayCount, displayWidth(of: marks.head))
        let column = columns[place]
        columns[place] = Column(
            column: column.column, index: column.index, head: marks.head, width: width, fullWidth: width)
        sparkline = marks
    }

    /// Narrows names and words until a line fits; where that is not enough, the columns that matter least are left
    /// out, first the marks, and what is left has their room.
    private mutating func fit(_ table: Table) {
        let readable: [(kind: Table.Column.Kind, narrowest: Int)] = [
            (.words, 24), (.name, 24), (.words, 19), (.name, 16),
        ]
        for count in style.columns >= TerminalTable.wide ? [28, 14] : [14] {
            showDays(count, of: table)
            if narrow(readable) { return }
        }
        let count = columns.count
        columns.removeAll(where: \.column.isSpare)
        if columns.count < count, narrow(readable) { return }
        columns.removeAll { $0.column.kind == .marks }
        for kind in [Table.Column.Kind.words, .number] {
            let steps = readable + (kind == .words ? [(.name, 12), (.words, 15)] : [(.name, 8), (.words, 8)])
            if narrow(steps) { return }
            while let place = columns.dropLast().lastIndex(where: { $0.column.kind == kind }) {
                columns.remove(at: place)
                if narrow(steps) { return }
            }
        }
    }

    /// Takes each step from the columns' full widths on; true once a line fits.
    private mutating func narrow(_ steps: [(kind: Table.Column.Kind, narrowest: Int)]) -> Bool {
        for place in columns.indices { columns[place].width = columns[place].fullWidth }
        for (kind, narrowest) in steps {
            for place in columns.indices.reversed() where columns[place].column.kind == kind {
                let excess = width - style.columns
                if excess <= 0 { return true }
                let readable =
                    kind == .name && narrowest > TerminalTable.narrowestName
                    ? readableName : displayWidth(of: columns[place].head)
                columns[place].width -= min(excess, max(0, columns[place].width - max(narrowest, readable)))
            }
        }
        return width <= style.columns
    }

    var width: Int { TerminalTable.width(columns[...]) }

    private static func width(_ columns: ArraySlice<Column>) -> Int {
        columns.reduce(0) { $0 + $1.width + $1.gap } - (columns.last?.gap ?? 0)
    }

    // MARK: Lines

    /// The heads of the columns; the first group's heading is where marks and names are.
    func head(_ group: Table.Group) -> StyledText {
        var line = StyledText(group.heading ?? "", .strong)
        for (place, column) in columns.enumerated() where !column.head.isEmpty {
            let head = StyledText(column.head, .faint)
            line = line.padded(to: start(of: place), .leading) + head.padded(to: column.width, column.alignment)
        }
        return line
    }

    func line(_ row: [Table.Cell]) -> StyledText {
        var line = StyledText("")
        for (place, column) in columns.enumerated() where !row[column.index].isEmpty {
            let cell = text(row[column.index], width: column.width)
            line = line.padded(to: start(of: place), .leading) + cell.padded(to: column.width, column.alignment)
        }
        return line
    }

    private func start(of place: Int) -> Int {
        TerminalTable.width(columns[..<place]) + (place > 0 ? columns[place - 1].gap : 0)
    }

    /// A cell, cut in the middle where it is too wide.
    private func text(_ cell: Table.Cell, width: Int = .max) -> StyledText {
        func cut(_ text: String, to width: Int) -> String {
            DisplayText(text).cut(to: width, ellipsis: style.ellipsis)
        }
        let glyphs = Sparkline.glyphs(unicode: style.unicode)
        switch cell {
        case .empty: return ""
        case .days(let days, let admission, let limit):
            return sparkline?.marks(days, admission, limit: limit, glyphs: glyphs) ?? ""
        case .verdict(let assessment): return StyledText(assessment.mark(unicode: style.unicode), assessment.ink)
        case .words(let wording, let ink): return StyledText(cut(style.line(wording), to: width), ink)
        case .function(let function, let place, let isNeeded):
            let name = style.line("\(name: function.name)")
            let narrowest = min(displayWidth(of: name), TerminalTable.narrowestName)
            let room = width - placeWidth(place)
            if room < displayWidth(of: name), !isNeeded { return StyledText(cut(name, to: width)) }
            // A place tells functions of one name apart: each part of it is cut, and none left out.
            let each = room < narrowest ? (width - narrowest) / max(1, place.count) - 1 : .max
            let shown = place.map { " " + cut(style.line($0), to: max(1, each)) }.joined()
            return StyledText(cut(name, to: max(room, narrowest))) + StyledText(shown, .faint)
        case .number(let number, let ink): return StyledText(Figures.grouped(number), ink)
        case .share(let part, let whole):
            let share = StyledText(part == 0 || whole == 0 ? "" : Figures.percent(part, of: whole), .faint)
            return StyledText(Figures.grouped(part), part == 0 ? .faint : .plain)
                + share.padded(to: TerminalTable.shareWidth, .trailing)
        }
    }

    private func placeWidth(_ place: [Wording]) -> Int {
        place.reduce(0) { $0 + 1 + displayWidth(of: style.line($1)) }
    }

    private static let narrowestName = 8
    /// Width of ` 99.95%`, so that the numbers before it end below each other.
    private static let shareWidth = 7

    var legend: Wording? { sparkline?.legend(unicode: style.unicode) }

    /// Nil where there was no room for marks.
    var briefLegend: Wording? {
        columns.contains { $0.column.kind == .marks } ? sparkline?.briefLegend(unicode: style.unicode) : nil
    }
}
