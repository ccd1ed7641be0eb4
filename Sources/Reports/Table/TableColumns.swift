import Readiness
import Verifications

/// Makes the columns that a table may have.
struct TableColumns {
    let measures: TableMeasures
    let total: TableRow
    let maxBlocked: Double
    let style: TerminalStyle

    static let nameHead = "function"
    /// Room for nearly every number that decides.
    private static let usualBrief = 42

    func name(width: Int) -> TableColumn {
        TableColumn(TableColumns.nameHead, .leading, width: width) { row in
            let name = style.display(row.name).cut(to: width, ellipsis: style.ellipsis)
            return StyledText(name, row.identity == nil ? .strong : .plain)
        }
    }

    /// The verdict in one word, or its mark alone.
    func verdict(isMarkOnly: Bool) -> TableColumn {
        TableColumn(isMarkOnly ? "" : "verdict", .leading, width: isMarkOnly ? 1 : measures.verdict) { row in
            guard let assessment = row.assessment else { return "" }
            let word = isMarkOnly ? "" : " \(assessment.verdict.rawValue)"
            return StyledText(assessment.mark(unicode: style.unicode) + word, assessment.ink)
        }
    }

    /// The number that decided, cut when it is long and there is no room to spare.
    func brief(spare: Int) -> TableColumn {
        let width = min(measures.brief, TableColumns.usualBrief + spare)
        return TableColumn("why", .leading, width: width) { row in
            StyledText(row.function.map { brief(of: $0, width: width) } ?? "")
        }
    }

    /// Project, region and generation, as far as they differ.
    var places: [TableColumn] {
        func column(_ head: String, _ width: Int, _ text: @escaping (FunctionIdentity) -> String) -> TableColumn {
            TableColumn(head, .leading, width: width) { row in
                let text = row.identity.map { style.display(text($0)).cut(to: width, ellipsis: style.ellipsis) }
                return StyledText(text ?? "", .faint)
            }
        }
        var columns: [TableColumn] = []
        if let project = measures.project { columns.append(column("project", project, \.project)) }
        if let region = measures.region { columns.append(column("region", region, \.region)) }
        if measures.hasGenerations { columns.append(column("gen", 3, \.generationText)) }
        return columns
    }

    /// All requests, and of each App Check status the count and its share; OTHER only where it occurs.
    func counts(hasPercentages: Bool) -> [TableColumn] {
        let width = Figures.grouped(total.counts.total).utf8.count
        let all = TableColumn("requests", .trailing, width: width) { row in
            StyledText(Figures.grouped(row.counts.total), .strong)
        }
        return [all] + total.shownStatuses.map { status($0, hasPercentages: hasPercentages) }
    }

    /// The marks of each row's days.
    func sparkline(_ sparkline: Sparkline) -> TableColumn {
        let glyphs = Sparkline.glyphs(unicode: style.unicode)
        let head = sparkline.markCount >= 10 ? "unverified" : "trend"
        return TableColumn(head, .leading, width: sparkline.markCount) { row in
            StyledText(sparkline.marks(row.days, glyphs: glyphs), .accent)
        }
    }

    /// What a second line under a function says: the verdict with its number, and where the function runs.
    func details(of row: TableRow) -> [StyledText] {
        var parts: [StyledText] = []
        guard let function = row.function else { return parts }
        let (identity, assessment) = (function.identity, function.assessment)
        parts.append(
            StyledText(assessment.verdict.rawValue, assessment.ink) + ": "
                + StyledText(brief(of: function, width: measures.brief)))
        var places: [String] = []
        if measures.project != nil { places.append(identity.project) }
        if measures.region != nil { places.append(identity.region) }
        parts += places.filter { $0 != FunctionIdentity.unknown }.map { StyledText(style.display($0).text, .faint) }
        if measures.hasGenerations, identity.generation != nil {
            parts.append(StyledText("gen \(identity.generationText)", .faint))
        }
        return parts
    }

    private func brief(of function: FunctionSummary, width: Int) -> String {
        DisplayText(function.brief.text(ascii: !style.unicode)).cut(to: width, ellipsis: style.ellipsis)
    }

    private func status(_ status: TokenStatus, hasPercentages: Bool) -> TableColumn {
        let count = Figures.grouped(total.counts.total(app: status)).utf8.count
        let share = hasPercentages ? measures.percent[status] ?? 0 : 0
        return TableColumn(status.name, .trailing, width: count + (share > 0 ? share + 1 : 0)) { row in
            let number = row.counts.total(app: status)
            let text = StyledText(Figures.grouped(number), number == 0 ? .faint : .plain)
            guard share > 0 else { return text }
            let isHigh = status != .valid && Double(number) > maxBlocked * Double(row.counts.total)
            return text + " "
                + StyledText(row.share(of: status), isHigh ? .warning : .faint).padded(to: share, .trailing)
        }
    }
}
