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

extension Summary {
    /// Lock-outs first, then what is ready, in the order in which to enforce it, then the rest.
    var functionsInOrder: [FunctionSummary] {
        let rest = functionsByStanding().filter { $0.assessment.verdict != .enforce }
        return rest.filter(\.assessment.isLockout) + ready + rest.filter { !$0.assessment.isLockout }
    }
}
