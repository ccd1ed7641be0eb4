import Readiness
import Verifications

/// A table laid out for a terminal: a line for each row, with as many columns as there is room for.
///
/// The widest arrangement that leaves names readable wins.
struct TerminalTable {
    private let table: Table
    private let style: TerminalStyle
    private let arrangement: Table.Arrangement
    private let columns: [Column]
    private let sparkline: Sparkline?

    private struct Column {
        let column: Table.Column
        let index: Int
        let head: String
        var width = 0
        /// Of names that can be told apart: a name is cut before its place.
        var readable = 0
        /// Of a share next to a count.
        var shareWidth = 0
        var gap: Int { column.kind == .mark ? 1 : 2 }
    }

    /// A name is readable when this much of it shows.
    private static let comfortableName = 20
    private static let narrowestName = 8
    /// Words are cut down to this to make room for names.
    private static let narrowestWords = 12

    init(_ table: Table, style: TerminalStyle) {
        self.table = table
        self.style = style
        let layouts = table.arrangements.map { (arrangement: $0, layout: TerminalTable.layout(table, $0, style)) }
        let chosen =
            layouts.first { _, layout in
                let name = layout.columns.first { $0.column.kind == .name }
                return layout.width - (name?.width ?? 0) + (name?.readable ?? 0) <= style.columns
            } ?? layouts[layouts.count - 1]
        arrangement = chosen.arrangement
        sparkline = chosen.layout.sparkline
        // The name gets what is left, and what words can spare where it would not be readable.
        var columns = chosen.layout.columns
        for index in columns.indices where columns[index].column.kind == .name {
            var room = style.columns - chosen.layout.width + columns[index].width
            if room < columns[index].readable {
                for place in columns.indices where columns[place].column.kind == .words {
                    columns[place].width = TerminalTable.narrowestWords
                }
                let others = TerminalTable.width(columns[...]) - columns[index].width
                room = min(columns[index].readable, style.columns - others)
            }
            columns[index].width = min(columns[index].width, max(room, TerminalTable.narrowestName))
        }
        self.columns = columns
    }

    // MARK: Layout

    /// The columns of an arrangement, each as wide as its cells, and the width of the widest line.
    private static func layout(
        _ table: Table, _ arrangement: Table.Arrangement, _ style: TerminalStyle
    ) -> (columns: [Column], width: Int, sparkline: Sparkline?) {
        let sparkline =
            arrangement.marks > 0 ? table.days.map { Sparkline(days: $0, width: arrangement.marks) } : nil
        var columns = table.columns.enumerated().compactMap { index, column -> Column? in
            if arrangement.without.contains(column.head) { return nil }
            guard column.kind == .marks else {
                return Column(column: column, index: index, head: column.isHeadedOnTerminals ? column.head : "")
            }
            if let sparkline {
                return Column(column: column, index: index, head: sparkline.head, width: sparkline.markCount)
            }
            guard table.countsMinutes, arrangement.marks > 0 else { return nil }
            return Column(column: column, index: index, head: "by minute", width: arrangement.marks)
        }
        for place in columns.indices where columns[place].column.kind == .marks || place == columns.count - 1 {
            columns[place].width = max(columns[place].width, displayWidth(of: columns[place].head))
        }
        // Heads of counts stand above them; those of words may run on, as their cells may.
        for place in columns.indices where columns[place].column.kind == .number {
            let next = columns.index(after: place)
            let runsOn = next < columns.count && columns[next].head.isEmpty
            if !runsOn { columns[place].width = max(columns[place].width, displayWidth(of: columns[place].head)) }
        }
        // A heading stands where marks and names do, before the heads of the other columns.
        let heading = table.groups.compactMap { $0.heading.map(displayWidth) }.max() ?? 0
        for place in columns.indices where columns[place].column.kind == .name {
            columns[place].width = heading - TerminalTable.width(columns[..<place])
        }
        let rows = (table.groups.map(\.rows) + (table.total.map { [AnyRandomAccessCollection([$0])] } ?? [])).joined()
            .map(arrangement.shown)
        for row in rows {
            for place in columns.indices where run(row, from: place, columns) == nil {
                let column = columns[place]
                if case .share(let part, let whole) = row[column.index], arrangement.hasShares {
                    columns[place].shareWidth = max(column.shareWidth, share(part, of: whole).utf8.count)
                }
                columns[place].width = max(column.width, width(of: row[column.index], column, style))
                if case .function(let function, let home) = row[column.index] {
                    let name = displayWidth(of: style.line("\(name: function.name)"))
                    // Marks and second numbers give way to places.
                    let keepsPlace = table.keepsPlaces || !arrangement.isShort
                    var homeWidth = keepsPlace ? displayWidth(of: placeText(home, style)) : 0
                    if arrangement.cutsPlaces { homeWidth = min(homeWidth, narrowestWords) }
                    let comfortable = arrangement.cutsPlaces ? narrowestWords : comfortableName
                    let readable = min(name, comfortable) + homeWidth
                    columns[place].readable = max(column.readable, min(readable, columns[place].width))
                }
            }
        }
        for place in columns.indices where columns[place].shareWidth > 0 {
            columns[place].width += columns[place].shareWidth + 1
        }
        // Words that run on widen the last column that they run over; only then is it known where the last words begin.
        let runs = rows.flatMap { row in
            columns.indices.compactMap { place in
                run(row, from: place, columns).map { end in
                    let wanted = min(width(of: row[columns[place].index], columns[place], style), longestRun)
                    return (place: place, end: end, wanted: wanted)
                }
            }
        }
        for (place, end, wanted) in runs where end < columns.count {
            columns[end - 1].width += max(0, wanted - TerminalTable.width(columns[place..<end]))
        }
        let longest =
            runs.filter { $0.end == columns.count }.map { place, _, wanted in
                TerminalTable.width(columns[...place]) - columns[place].width + wanted
            }.max() ?? 0
        // A head may run on over a column without one, but not into the next.
        for place in columns.indices where place + 1 < columns.count && columns[place + 1].head.isEmpty {
            let lack = displayWidth(of: columns[place].head) - TerminalTable.width(columns[place...(place + 1)])
            columns[place + 1].width += max(0, lack)
        }
        return (columns, max(TerminalTable.width(columns[...]), longest), sparkline)
    }

    private static func width(of cell: Table.Cell, _ column: Column, _ style: TerminalStyle) -> Int {
        min(text(cell, style).width, column.column.widest)
    }

    /// Longer words that run on are cut where there is no room.
    private static let longestRun = 33

    /// Where words end that run on over empty cells to their right: at the next filled cell, or at the end of the line.
    ///
    /// Nil for a cell that keeps to its column.
    private static func run(_ row: [Table.Cell], from place: Int, _ columns: [Column]) -> Int? {
        guard columns[place].column.kind == .words, !row[columns[place].index].isEmpty else { return nil }
        let end = columns[(place + 1)...].firstIndex { !row[$0.index].isEmpty } ?? columns.count
        return end > place + 1 || end == columns.count ? end : nil
    }

    // MARK: Lines

    var width: Int {
        TerminalTable.width(columns[...])
    }

    private static func width(_ columns: ArraySlice<Column>) -> Int {
        columns.reduce(0) { $0 + $1.width + $1.gap } - (columns.last?.gap ?? 0)
    }

    /// The heads of the columns, each where its column begins; the first group's heading stands before them.
    func head(_ group: Table.Group) -> StyledText {
        var line = StyledText(group.heading ?? "", .strong)
        for (place, column) in columns.enumerated() where !column.head.isEmpty {
            let text = group.heads[column.head] ?? column.head
            let isNarrow = column.column.kind == .number && displayWidth(of: text) <= column.width
            let head = StyledText(text, .faint).padded(to: isNarrow ? column.width : 0, .trailing)
            line = line.padded(to: start(of: place), .leading) + head
        }
        return line
    }

    private func start(of place: Int) -> Int {
        TerminalTable.width(columns[..<place]) + (place > 0 ? columns[place - 1].gap : 0)
    }

    func line(_ row: [Table.Cell]) -> StyledText {
        var line = StyledText("")
        let row = arrangement.shown(row)
        for (place, column) in columns.enumerated() where !row[column.index].isEmpty {
            line = line.padded(to: start(of: place), .leading)
            let room =
                switch TerminalTable.run(row, from: place, columns) {
                case columns.count?: style.columns - line.width
                case let end?: TerminalTable.width(columns[place..<end])
                case nil: column.width
                }
            let text = cell(row[column.index], column, width: min(room, column.column.widest))
            line = line + text.padded(to: column.width, column.column.kind == .number ? .trailing : .leading)
        }
        return line
    }

    private func cell(_ cell: Table.Cell, _ column: Column, width: Int) -> StyledText {
        switch cell {
        case .days(let days, let admission, let limit):
            let glyphs = Sparkline.glyphs(unicode: style.unicode)
            return sparkline?.marks(days, admission, limit: limit, glyphs: glyphs) ?? ""
        case .minutes(let minutes):
            let glyphs = Sparkline.glyphs(unicode: style.unicode)
            return StyledText(Sparkline.marks(minutes, width: arrangement.marks, glyphs: glyphs))
        case .share(let part, let whole) where column.shareWidth > 0:
            let share = StyledText(TerminalTable.share(part, of: whole), .faint)
            return TerminalTable.text(cell, style) + " " + share.padded(to: column.shareWidth, .trailing)
        default: return TerminalTable.text(cell, style, width: width, keepsPlace: table.keepsPlaces)
        }
    }

    /// A cell without its share and without marks, cut in the middle where it is too wide.
    private static func text(
        _ cell: Table.Cell, _ style: TerminalStyle, width: Int = .max, keepsPlace: Bool = true
    ) -> StyledText {
        func cut(_ text: String, to width: Int) -> String {
            DisplayText(text).cut(to: width, ellipsis: style.ellipsis)
        }
        switch cell {
        case .empty, .days, .minutes: return ""
        case .verdict(let assessment): return StyledText(assessment.mark(unicode: style.unicode), assessment.ink)
        case .words(let wording, let ink, _): return StyledText(cut(style.line(wording), to: width), ink)
        case .function(let function, let place):
            let name = style.line("\(name: function.name)")
            let placeWidth = displayWidth(of: placeText(place, style))
            let narrowest = min(narrowestName, displayWidth(of: name))
            let isTooWide = width - placeWidth < narrowest
            // A place that distinguishes functions is cut, but never left out.
            if isTooWide, !keepsPlace { return StyledText(cut(name, to: width)) }
            let shown = StyledText(cut(name, to: isTooWide ? narrowest : width - placeWidth))
            let room = isTooWide ? (width - shown.width) / place.count - 1 : .max
            return shown + StyledText(place.map { " " + cut(style.line($0), to: room) }.joined(), .faint)
        case .number(let number, let ink): return StyledText(Figures.grouped(number), ink)
        case .share(let part, _): return StyledText(Figures.grouped(part), part == 0 ? .faint : .plain)
        }
    }

    private static func placeText(_ place: [Wording], _ style: TerminalStyle) -> String {
        place.map { " " + style.line($0) }.joined()
    }

    /// The share next to a count; nothing next to a zero, which speaks for itself.
    private static func share(_ part: Int, of whole: Int) -> String {
        part == 0 ? "" : Figures.percent(part, of: whole)
    }

    var legend: Wording? {
        sparkline?.legend(unicode: style.unicode)
    }
}
