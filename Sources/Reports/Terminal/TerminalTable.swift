import Readiness
import Verifications

/// A table laid out for a terminal: which columns stand on the line of a row, how wide they are, and what stands below.
///
/// The widest arrangement that leaves names readable wins.
struct TerminalTable {
    private let table: Table
    private let style: TerminalStyle
    private let arrangement: Table.Arrangement
    private let columns: [Column]
    private let sparkline: Sparkline?

    /// One column on the line.
    private struct Column {
        let head: String
        /// Its place in the table.
        let index: Int
        var width: Int
        /// Of a share next to a count.
        let shareWidth: Int
        let isNumber: Bool
    }

    /// How wide the cells of a column are.
    private struct Measure {
        var width = 0
        var share = 0
    }

    /// Spaces between two columns.
    private static let gap = 2
    /// A name is readable when this much of it shows.
    private static let comfortableName = 20
    private static let indent = StyledText("  ")

    init(_ table: Table, style: TerminalStyle) {
        self.table = table
        self.style = style
        let measures = TerminalTable.measures(table, style)
        let name = table.columns.firstIndex { $0.kind == .name }
        let narrowest = name.map { displayWidth(of: table.columns[$0].head) } ?? 0
        let natural = name.map { min(max(measures[$0].width, narrowest), table.columns[$0].widest) } ?? 0
        func layout(_ arrangement: Table.Arrangement) -> (columns: [Column], room: Int) {
            let sparkline = TerminalTable.sparkline(table, arrangement, style)
            var columns = TerminalTable.columns(table, arrangement, sparkline, measures)
            for index in columns.indices where columns[index].index == name { columns[index].width = narrowest }
            return (columns, style.columns - TerminalTable.width(columns) + narrowest)
        }
        let layouts = table.arrangements.map { (arrangement: $0, layout: layout($0)) }
        let chosen =
            layouts.first { $0.layout.room >= min(natural, TerminalTable.comfortableName) }
            ?? layouts[layouts.count - 1]
        arrangement = chosen.arrangement
        sparkline = TerminalTable.sparkline(table, arrangement, style)
        var columns = chosen.layout.columns
        var spare = chosen.layout.room
        for index in columns.indices where columns[index].index == name {
            columns[index].width = min(natural, max(spare, narrowest))
            spare -= columns[index].width
        }
        for index in columns.indices where columns[index].index != name {
            let column = table.columns[columns[index].index]
            guard column.usual < column.widest, spare > 0 else { continue }
            columns[index].width = max(
                columns[index].width, min(measures[columns[index].index].width, column.widest, column.usual + spare))
        }
        self.columns = columns
    }

    // MARK: Layout

    private static func measures(_ table: Table, _ style: TerminalStyle) -> [Measure] {
        var measures = table.columns.map { _ in Measure() }
        func add(_ row: [Table.Cell]) {
            for (index, cell) in row.enumerated() {
                if case .share(let part, let whole, _) = cell {
                    measures[index].width = max(measures[index].width, Figures.grouped(part).utf8.count)
                    measures[index].share = max(measures[index].share, share(part, of: whole).utf8.count)
                } else {
                    measures[index].width = max(measures[index].width, text(cell, style).width)
                }
            }
        }
        for row in table.rows { add(row) }
        if let total = table.total { add(total) }
        return measures
    }

    private static func sparkline(
        _ table: Table, _ arrangement: Table.Arrangement, _ style: TerminalStyle
    ) -> Sparkline? {
        guard let days = table.days else { return nil }
        return switch arrangement.marks {
        case .none: nil
        case .inLine(let width): Sparkline(days: days.range, width: width)
        // Below a line there is room for marks wherever a table is readable at all.
        case .below: Sparkline(days: days.range, width: style.columns >= 100 ? 14 : 7)
        }
    }

    private static func columns(
        _ table: Table, _ arrangement: Table.Arrangement, _ sparkline: Sparkline?, _ measures: [Measure]
    ) -> [Column] {
        let below = Set(arrangement.below.joined())
        return table.columns.enumerated().compactMap { index, column in
            let measure = measures[index]
            var head = column.head
            var width = min(measure.width, column.widest, column.usual)
            var share = 0
            if column.kind == .marks {
                guard case .inLine = arrangement.marks, let sparkline else { return nil }
                head = sparkline.head
                width = sparkline.markCount
            } else if below.contains(head) {
                // Of a verdict below, its mark stays on the line.
                guard head == FunctionColumn.verdict.column.head else { return nil }
                (head, width) = ("", 1)
            } else if arrangement.hasShares, measure.share > 0 {
                share = measure.share
                width += share + 1
            }
            return Column(
                head: head, index: index, width: max(width, displayWidth(of: head)), shareWidth: share,
                isNumber: column.kind == .number)
        }
    }

    private static func width(_ columns: [Column]) -> Int {
        columns.reduce(0) { $0 + $1.width } + gap * max(0, columns.count - 1)
    }

    // MARK: Lines

    /// Columns of the whole line.
    var width: Int {
        TerminalTable.width(columns)
    }

    var head: StyledText {
        line { StyledText($0.head, .strong) }
    }

    /// A row, and what stands below it.
    func lines(_ row: [Table.Cell]) -> [StyledText] {
        [line { cell(row[$0.index], $0) }] + below(row)
    }

    private func line(_ cell: (Column) -> StyledText) -> StyledText {
        var line = StyledText("")
        for (index, column) in columns.enumerated() {
            if index > 0 { line = line + TerminalTable.indent }
            line = line + cell(column).padded(to: column.width, column.isNumber ? .trailing : .leading)
        }
        return line
    }

    private func cell(_ cell: Table.Cell, _ column: Column) -> StyledText {
        switch cell {
        case .verdict(let assessment) where column.head.isEmpty: return mark(assessment)
        case .days(let days): return marks(days)
        case .share(let part, let whole, let isHigh):
            let count = TerminalTable.text(cell, style)
            guard column.shareWidth > 0 else { return count }
            return count + " "
                + StyledText(TerminalTable.share(part, of: whole), isHigh ? .warning : .faint)
                .padded(to: column.shareWidth, .trailing)
        default: return TerminalTable.text(cell, style, width: column.width)
        }
    }

    private func mark(_ assessment: Assessment) -> StyledText {
        StyledText(assessment.mark(unicode: style.unicode), assessment.ink)
    }

    private func marks(_ days: [DayTally]) -> StyledText {
        let glyphs = Sparkline.glyphs(unicode: style.unicode)
        return StyledText(sparkline?.marks(days, glyphs: glyphs) ?? "", .accent)
    }

    /// A cell without its share and without marks, cut in the middle where it is too wide.
    private static func text(_ cell: Table.Cell, _ style: TerminalStyle, width: Int = .max) -> StyledText {
        func cut(_ wording: Wording, _ ink: Ink) -> StyledText {
            StyledText(DisplayText(style.line(wording)).cut(to: width, ellipsis: style.ellipsis), ink)
        }
        return switch cell {
        case .empty, .days: ""
        case .verdict(let assessment):
            StyledText("\(assessment.mark(unicode: style.unicode)) \(assessment.word)", assessment.ink)
        case .words(let wording, let ink): cut(wording, ink)
        case .place(let place): cut("\(name: place)", .faint)
        case .generation(let generation): StyledText(generation.text, .faint)
        case .number(let number, let ink): StyledText(Figures.grouped(number), ink)
        case .share(let part, _, _): StyledText(Figures.grouped(part), part == 0 ? .faint : .plain)
        }
    }

    /// The share next to a count; nothing next to a zero, which speaks for itself.
    private static func share(_ part: Int, of whole: Int) -> String {
        part == 0 ? "" : Figures.percent(part, of: whole)
    }

    // MARK: Below

    private func below(_ row: [Table.Cell]) -> [StyledText] {
        guard !arrangement.below.isEmpty else { return [] }
        var start = TerminalTable.indent
        if case .below = arrangement.marks, let sparkline {
            for case .days(let days) in row {
                start = start + marks(days).padded(to: sparkline.markCount, .leading) + TerminalTable.indent
            }
        }
        var parts: [StyledText] = []
        for heads in arrangement.below {
            let indent = parts.isEmpty ? start : TerminalTable.indent
            if let part = part(heads, row, room: style.columns - indent.width) { parts.append(part) }
        }
        guard !parts.isEmpty || start.width > TerminalTable.indent.width else { return [] }
        return style.lines(of: parts, startingWith: start, indent: TerminalTable.indent)
    }

    /// Cells that belong together; nil where all are empty or unknown.
    private func part(_ heads: [String], _ row: [Table.Cell], room: Int) -> StyledText? {
        var part = StyledText("")
        for head in heads {
            guard let index = table.columns.firstIndex(where: { $0.head == head }) else { continue }
            var text =
                switch row[index] {
                case .verdict(let assessment): StyledText(assessment.word, assessment.ink)
                case .place(FunctionIdentity.unknown), .generation(nil): StyledText("")
                case .generation(let generation): StyledText("gen \(generation.text)", .faint)
                case let cell:
                    TerminalTable.text(cell, style, width: min(room - part.width, table.columns[index].widest))
                }
            if text.isEmpty { continue }
            if heads.count == 1 { text = text.inked(.faint) }
            part = part + text
            if head != heads.last { part = part + ": " }
        }
        return part.isEmpty ? nil : part
    }

    // MARK: Legend

    /// What the marks mean; nil where there are none.
    var legend: Wording? {
        guard let sparkline, let days = table.days else { return nil }
        var head = sparkline.head
        if case .below = arrangement.marks { head = "marks" }
        return sparkline.legend(head: head, isPart: days.isPart, unicode: style.unicode)
    }
}

extension Generation? {
    /// `1`, `2`, or `-` when the log does not say.
    var text: String {
        map { String($0.rawValue) } ?? FunctionIdentity.unknown
    }
}
