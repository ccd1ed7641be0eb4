import Readiness
import Verifications

/// The page for a browser, written part by part: its head, a row and a card for each function, its foot.
struct HTMLPage {
    let summary: Summary
    let days: ChartDays?
    /// Which function will be ready next; nil where that is not known, or of no interest yet.
    var nextLine: Wording?
    /// What is to be expected of a function that is not ready.
    var forecast: @Sendable (FunctionSummary) -> Wording? = { $0.assessment.outlookWording }
    /// What is not as it was; nil for a page that compares nothing.
    var changes: Fields?
    /// When a function may be enforced: in words, and as a text that sorts.
    var ready: @Sendable (FunctionSummary) -> (text: String, day: String)?

    private let place: CommonPlace

    init(_ summary: Summary) {
        self.summary = summary
        days = ChartDays(summary)
        place = summary.commonPlace
        nextLine = summary.ready.isEmpty ? summary.firstExpected : nil
        ready = { function in
            if function.assessment.verdict == .enforce { return ("now", "0") }
            guard case .date(let day, _) = function.assessment.outlook else { return nil }
            return (CalendarText.day(day), day.description)
        }
    }

    func write(to sink: inout some TextOutputStream) {
        let templates = PageTemplates.shared
        let head = PageHead(self).fields
        sink.write(templates.render(templates.opening, head))
        let cards = zip(1..., summary.functionsInOrder).lazy.map { FunctionCard($1, number: $0, page: self) }
        for card in cards { sink.write(templates.render(templates.row, card.row)) }
        sink.write(templates.render(templates.middle, head))
        for card in cards { sink.write(templates.render(templates.card, card.card)) }
        sink.write(templates.render(templates.closing, head))
    }

    /// Where a function runs, as far as that differs among the functions of the page.
    func telling(_ identity: FunctionIdentity) -> String? {
        var parts: [String] = []
        let unknown = FunctionIdentity.unknown
        if place.project == nil, identity.project != unknown { parts.append(DisplayText(name: identity.project).text) }
        if place.region == nil, identity.region != unknown { parts.append(DisplayText(name: identity.region).text) }
        if place.generation == nil, let generation = identity.generation { parts.append("gen \(generation.rawValue)") }
        return parts.isEmpty ? nil : parts.joined(separator: " · ")
    }
}

extension HTMLPage {
    /// The page of a morning: the answer, what changed, and a card for each function.
    init(_ report: NightlyReport) {
        self.init(report.summary)
        nextLine = report.nextLine
        changes = HTMLPage.changes(report)
        ready = { function in
            guard let ready = report.readyDay(of: function) else { return nil }
            return (ready.text, ready.sortKey)
        }
        forecast = { function in
            let outlook = function.assessment.outlookWording
            guard case .expected(let day)? = report.readyDay(of: function) else { return outlook }
            return (outlook.map { $0 + " " } ?? "") + """
                Ready on \(CalendarText.day(day)), when it will have been safe on \
                \(Figures.counted(report.nightsWanted, "night")) in a row.
                """
        }
    }

    /// The changes by what they ask of the reader.
    private static func changes(_ report: NightlyReport) -> Fields {
        let groups = report.changesByUrgency.map { group -> Fields in
            [
                "heading": .text(group.urgency.heading),
                "items": .list(
                    group.blocks.compactMap { block -> Fields? in
                        guard case .item(let text, let mark?) = block else { return nil }
                        return [
                            "tone": .text(mark.rawValue), "mark": .text(mark.mark(unicode: true)),
                            "text": .fields(text.fields),
                        ]
                    }),
            ]
        }
        return [
            "title": .text(report.comparedTo.map { "What changed since \(CalendarText.day($0))" } ?? "What changed"),
            "empty": .text(groups.isEmpty ? report.changesLine.text(ascii: false) : nil),
            "groups": .list(groups), "method": .fields(report.method.fields),
        ]
    }
}

extension ReadyDay {
    /// A text that sorts: those that are ready first, then by day; empty where no day is known.
    fileprivate var sortKey: String {
        switch self {
        case .since(let day): "0 \(day)"
        case .expected(let day): day.description
        case .notFalling, .noRequests: ""
        }
    }
}
