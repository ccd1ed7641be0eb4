import Readiness
import Verifications

/// A row of the page's table, with what its script filters and sorts by.
enum PageRow {
    static let sortKeys = [
        "verdict": "verdict", "function": "name", FunctionColumn.requestsHead: "requests", "would be refused": "rate",
        FunctionColumn.outlookHead: "ready",
    ]

    static func html(
        _ function: FunctionSummary, id: String?, _ row: [Table.Cell], of table: Table, isHidden: Bool
    ) -> String {
        let data = [
            ("card", id ?? ""), ("verdict", function.assessment.word),
            ("project", DisplayText(name: function.identity.project).text),
            ("region", DisplayText(name: function.identity.region).text),
            ("requests", String(function.totals.total)), ("rate", function.shownRate.map { String($0) } ?? ""),
            ("ready", function.assessment.readyDay?.description ?? ""),
        ].filter { !$0.1.isEmpty || $0.0 != "card" }.map { " data-\($0)=\"\(HTMLText.escaped($1))\"" }
        let cells = zip(table.columns, row).map { column, cell in
            guard case .function(_, let place) = cell else {
                return "<td role=\"cell\"\(column.htmlClass)>\(cell.html(table.days))</td>"
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
