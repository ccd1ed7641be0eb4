import Readiness
import Verifications

/// A table laid out for a terminal: a line for each row, with as many columns as there is room for.
struct TerminalTable {
    private let style: TerminalStyle
    private let sparkline: Sparkline?
    private var columns: [Column]

    private struct Column {
        let column: Table.Column
        let index: Int
        let head: String
        var width: Int
        var gap: Int { column.kind == .mark ? 1 : 2 }
        var alignment: StyledText.Alignment { column.kind == .number ? .trailing : .leading }
    }

    init(_ table: Table, style: TerminalStyle) {
        self.style = style
        let isWide = style.columns >= TerminalTable.wide
        let days = table.days.map { max($0.lowerBound, $0.upperBound.advanced(by: isWide ? -27 : -13))...$0.upperBound }
        sparkline = days.map { Sparkline(days: $0) }
        let minutes = isWide ? 60 : 20
        columns = []
        for (index, column) in table.columns.enumerated() where column.place != .pages {
            switch column.kind {
            case .marks where table.countsMinutes:
                columns.append(Column(column: column, index: index, head: "by minute", width: minutes))
            case .marks:
                guard let sparkline else { continue }
                let width = max(sparkline.dayCount, displayWidth(of: sparkline.head))
                columns.append(Column(column: column, index: index, head: sparkline.head, width: width))
            default:
                let head = column.isHeadedOnTerminals ? column.head : ""
                columns.append(Column(column: column, index: index, head: head, width: displayWidth(of: head)))
            }
        }
        let heading = table.groups.compactMap { $0.heading.map(displayWidth) }.max() ?? 0
        for place in columns.indices where columns[place].column.kind == .name {
            columns[place].width = max(0, heading - TerminalTable.width(columns[..<place]))
        }
        for row in (table.groups.map(\.rows) + (table.total.map { [AnyRandomAccessCollection([$0])] } ?? [])).joined() {
            for place in columns.indices where columns[place].column.kind != .marks {
                let width = text(row[columns[place].index]).width
                columns[place].width = max(columns[place].width, min(width, columns[place].column.widest))
            }
        }
        // What is empty in every row needs no place.
        columns.removeAll { $0.width == 0 && $0.column.kind == .words }
        fit()
    }

    /// From here on there is room for four weeks of marks.
    private static let wide = 100

    // MARK: Layout

    /// Narrows names and words, and leaves out what matters least, until a line fits.
    private mutating func fit() {
        let steps: [(kind: Table.Column.Kind, narrowest: Int?)] = [
            (.words, 20), (.name, 24), (.words, 14), (.name, 18), (.marks, nil), (.name, 12), (.words, nil),
            (.number, nil), (.name, 8), (.words, 8),
        ]
        for (kind, narrowest) in steps {
            for place in columns.indices.reversed() where columns[place].column.kind == kind {
                let excess = width - style.columns
                if excess <= 0 { return }
                if let narrowest {
                    let head = displayWidth(of: columns[place].head)
                    let most = max(0, columns[place].width - max(narrowest, head))
                    columns[place].width -= min(excess, most)
                } else if place < columns.count - 1 || kind == .marks {
                    columns.remove(at: place)
                }
            }
        }
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
            let head = StyledText(group.heads[column.head] ?? column.head, .faint)
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
        case .minutes(let minutes): return StyledText(Sparkline.marks(minutes, width: width, glyphs: glyphs))
        case .verdict(let assessment): return StyledText(assessment.mark(unicode: style.unicode), assessment.ink)
        case .words(let wording, let ink): return StyledText(cut(style.line(wording), to: width), ink)
        case .function(let function, let place):
            let name = style.line("\(name: function.name)")
            let place = place.map { " " + style.line($0) }.joined()
            let room = width - displayWidth(of: place)
            // A place tells functions of one name apart: it is cut, but never left out.
            guard room < min(displayWidth(of: name), TerminalTable.narrowestName) else {
                return StyledText(cut(name, to: room)) + StyledText(place, .faint)
            }
            let half = max(1, width / 2)
            return StyledText(cut(name, to: half)) + StyledText(cut(place, to: width - half), .faint)
        case .number(let number, let ink): return StyledText(Figures.grouped(number), ink)
        case .share(let part, let whole):
            let share = part == 0 || whole == 0 ? "" : " " + Figures.percent(part, of: whole)
            return StyledText(Figures.grouped(part), part == 0 ? .faint : .plain) + StyledText(share, .faint)
        }
    }

    private static let narrowestName = 8

    var legend: Wording? { sparkline?.legend(unicode: style.unicode) }
}
