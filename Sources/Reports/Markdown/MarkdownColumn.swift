import Readiness
import Verifications

/// A column of the Markdown table: its head, and its cell in a row.
struct MarkdownColumn {
    let head: String
    var isNumber = false
    let cell: (TableRow) -> String

    /// The columns of a summary.
    static func counts(_ summary: Summary, total: TableRow) -> [MarkdownColumn] {
        let requests = MarkdownColumn(head: "requests", isNumber: true) { Figures.grouped($0.counts.total) }
        return identity(summary.commonPlace) + [requests] + total.shownStatuses.map(status) + [brief]
    }

    /// Which function it is, where it runs as far as the place differs, and its verdict.
    static func identity(_ place: CommonPlace) -> [MarkdownColumn] {
        var columns = [verdict]
        columns.append(
            MarkdownColumn(head: "function") { row in
                row.identity == nil ? "**\(row.name)**" : MarkdownText.code(row.name)
            })
        if place.project == nil { columns.append(.place("project", \.project)) }
        if place.region == nil { columns.append(.place("region", \.region)) }
        if place.generation == nil {
            columns.append(
                MarkdownColumn(head: "gen", isNumber: true) { $0.identity?.generationText ?? "" })
        }
        return columns
    }

    private static var verdict: MarkdownColumn {
        MarkdownColumn(head: "verdict") { row in
            row.assessment.map { MarkdownText.words("\($0.mark(unicode: true)) \($0.verdict.rawValue)") } ?? ""
        }
    }

    private static var brief: MarkdownColumn {
        MarkdownColumn(head: "why") { $0.function?.brief.markdown ?? "" }
    }

    private static func place(_ head: String, _ text: @escaping (FunctionIdentity) -> String) -> MarkdownColumn {
        MarkdownColumn(head: head) { $0.identity.map { MarkdownText.code(text($0)) } ?? "" }
    }

    private static func status(_ status: TokenStatus) -> MarkdownColumn {
        MarkdownColumn(head: status.name, isNumber: true) { row in
            let number = row.counts.total(app: status)
            let share = number == 0 ? "" : " (\(Figures.percent(number, of: row.counts.total)))"
            return MarkdownText.words(Figures.grouped(number) + share)
        }
    }
}
