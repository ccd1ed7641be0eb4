import Readiness
import Verifications

/// Writes the blocks of a document as HTML.
///
/// Nothing reaches a page except through ``HTMLText``.
struct HTMLRenderer {
    var id = "page"

    func html(_ section: Document.Section, level: Int) -> String {
        let title = section.title.map { "<h\(level)>\(HTMLText.escaped($0))</h\(level)>\n" } ?? ""
        return title + html(section.blocks)
    }

    func html(_ blocks: [Document.Block]) -> String {
        var html = ""
        var isInList = false
        for block in blocks {
            if block.isItem != isInList {
                html += isInList ? "</ul>\n" : "<ul>\n"
                isInList.toggle()
            }
            html += self.html(block)
        }
        return html + (isInList ? "</ul>\n" : "")
    }

    private func html(_ block: Document.Block) -> String {
        switch block {
        case .answer(let answer):
            return "<p><strong>\(answer.conclusion.html)</strong>\(answer.reason.html)</p>\n"
                + answer.lines.map { "<p>\($0.html)</p>\n" }.joined()
        case .facts(let facts, _, _):
            return "<p class=\"context\">\(facts.map { "<span>\($0.html)</span>" }.joined())</p>\n"
        case .paragraph(let wording, .strong): return "<h3 class=\"urgency\">\(wording.html)</h3>\n"
        case .paragraph(let wording, let ink):
            return "<p\(ink == .faint ? " class=\"fine\"" : "")>\(wording.html)</p>\n"
        case .item(let wording, let verdict?):
            return """
                <li class="t-\(verdict.rawValue)"><span class="mark" aria-hidden="true">\(verdict.mark(unicode: true))\
                </span> <span>\(wording.html)</span></li>

                """
        case .item(let wording, nil): return "<li>\(wording.html)</li>\n"
        case .figures(let figures):
            let lines = figures.map { "<div><dt>\($0.figure.html)</dt><dd>\($0.text.html)</dd></div>\n" }
            return "<dl>\n\(lines.joined())</dl>\n"
        case .provenance(let wording): return "<p class=\"fine\">\(wording.html)</p>\n"
        case .note(let note):
            let label = note.isCaution ? "<strong>Caution:</strong> " : ""
            return "<p class=\"note\(note.isCaution ? " caution" : "")\">\(label)\(note.sentence.html)</p>\n"
        case .code(let lines, _): return "<pre>\(lines.map { HTMLText.escaped($0) }.joined(separator: "\n"))</pre>\n"
        case .chart(let series):
            guard let plot = DayPlot(series) else { return "" }
            return figure(plot.svg(id: id), series.table)
        case .table(let table): return self.table(table)
        case .legend, .footer: return ""
        }
    }

    private func figure(_ svg: String?, _ numbers: Table) -> String {
        (svg.map { "<figure>\n\($0)</figure>\n" } ?? "")
            + "<details><summary>Numbers by day</summary>\n\(html([.table(numbers)]))</details>\n"
    }

    private func table(_ table: Table) -> String {
        let head = table.columns.map { "<th scope=\"col\"\($0.htmlClass)>\(HTMLText.escaped($0.head))</th>" }.joined()
        let rows = table.groups.flatMap(\.rows).map { row in
            "<tr>" + zip(table.columns, row).map { "<td\($0.htmlClass)>\($1.html(table))</td>" }.joined()
                + "</tr>\n"
        }
        return """
            <table class="days">
            <thead><tr>\(head)</tr></thead>
            <tbody>
            \(rows.joined())</tbody>
            </table>

            """
    }
}

extension Table.Column {
    var htmlClass: String {
        switch kind {
        case .number: " class=\"number\""
        case .marks: " class=\"marks\""
        case .name, .words, .mark: ""
        }
    }
}

extension Table.Cell {
    func html(_ table: Table? = nil) -> String {
        switch self {
        case .empty: return ""
        case .verdict(let assessment):
            return """
                <span class="badge t-\(assessment.pageTone)"><span class="mark" aria-hidden="true">\
                \(assessment.mark(unicode: true))</span> \(assessment.word)</span>
                """
        case .function(let function, let place, _):
            let small = place.map(\.html).joined(separator: " · ")
            return HTMLText.name(function.name) + (small.isEmpty ? "" : "<small>\(small)</small>")
        case .words(let wording, _): return wording.html
        case .number(let number, _): return Figures.grouped(number)
        case .share(let part, let whole):
            return Figures.grouped(part)
                + (part == 0 ? "" : " <small>\(HTMLText.escaped(Figures.percent(part, of: whole)))</small>")
        case .days(let tally, let admission, let limit):
            guard let table, let days = table.days else { return "" }
            let sparkline = Sparkline(days: days, isLastOver: table.isLastDayOver)
            return sparkline.marks(tally, admission, limit: limit, glyphs: Sparkline.glyphs(unicode: true)).html
        }
    }
}

extension Document.Block {
    fileprivate var isItem: Bool {
        if case .item = self { true } else { false }
    }
}

/// Text as HTML that shows it and nothing else, as the content of an element and as a quoted attribute.
enum HTMLText {
    /// Makes any text inert.
    ///
    /// Characters that ``DisplayText`` spells out are spelled out here too; combining marks are written as references,
    /// so that none sits on markup.
    ///
    /// ```swift
    /// HTMLText.escaped("<b>\u{301}")  // "&lt;b&gt;&#x301;"
    /// ```
    static func escaped(_ text: String) -> String {
        guard !text.utf8.allSatisfy(isPlain) else { return text }
        return DisplayText(text).text.spelling { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"": "&quot;"
            case "'": "&#39;"
            default: scalar.isCombining ? "&#x\(String(scalar.value, radix: 16));" : nil
            }
        }
    }

    static func name(_ raw: String) -> String { escaped(DisplayText(name: raw).text) }

    /// Printable ASCII except for the five characters that have a meaning in HTML.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"): false
        default: (0x20...0x7e).contains(byte)
        }
    }
}

extension Wording {
    var html: String {
        parts.map { part in
            switch part {
            case .words(let text): HTMLText.escaped(text)
            case .name(let text): "<b class=\"name\">\(HTMLText.name(text))</b>"
            case .code(let text): "<code>\(HTMLText.escaped(text))</code>"
            }
        }.joined()
    }
}

extension Assessment {
    var pageTone: String { isLockout ? "lockout" : verdict.rawValue }
}

/// A row of the page's table, with what its script filters and sorts by.
enum PageRow {
    static let sortKeys = [
        "verdict": "verdict", "function": "name", "requests": "requests", FunctionColumn.rateHead: "rate",
        "next": "ready",
    ]

    static func html(
        _ function: FunctionSummary, id: String?, _ row: [Table.Cell], of table: Table, isHidden: Bool
    ) -> String {
        let data = [
            ("card", id ?? ""), ("verdict", function.assessment.word),
            ("project", DisplayText(name: function.identity.project).text),
            ("region", DisplayText(name: function.identity.region).text),
            ("requests", String(function.totals.total)), ("rate", function.shownRate.map { String($0) } ?? ""),
            ("ready", function.plannedDay?.description ?? ""),
        ].filter { !$0.1.isEmpty || $0.0 != "card" }.map { " data-\($0)=\"\(HTMLText.escaped($1))\"" }
        let cells = zip(table.columns, row).map { column, cell in
            guard case .function(_, let place, _) = cell else {
                return "<td role=\"cell\"\(column.htmlClass)>\(cell.html(table))</td>"
            }
            let name = HTMLText.name(function.name)
            let small = place.isEmpty ? "" : "<small>\(place.map(\.html).joined(separator: " · "))</small>"
            let link = id.map { "<a href=\"#\($0)\">\(name)</a>" } ?? "<span>\(name)</span>"
            return "<th role=\"rowheader\" scope=\"row\">\(link)\(small)</th>"
        }
        return "<tr role=\"row\"\(data.joined())\(isHidden ? " hidden" : "")>\(cells.joined())</tr>\n"
    }
}

/// Identifiers of cards, made of where a function runs and its name: links to them stay valid from night to night.
struct PageIdentifiers {
    private let hasProjects: Bool
    private var used: Set<String> = ["functions", "functions-title", "notes", "table", "cards", "controls", "chips"]

    init(_ names: FunctionNames) { hasProjects = names.projects.count > 1 }

    mutating func next(_ identity: FunctionIdentity) -> String {
        let parts = (hasProjects ? [identity.project] : []) + [identity.region, identity.name]
        let plain = parts.map { part in
            String(
                part.unicodeScalars.map {
                    $0.isASCII && $0.properties.isAlphabetic || ("0"..."9").contains($0) ? Character($0) : "-"
                })
        }.joined(separator: ".")
        var id = "f-" + plain
        var copy = 1
        while !used.insert(id).inserted {
            copy += 1
            id = "f-\(plain).\(copy)"
        }
        return id
    }
}
