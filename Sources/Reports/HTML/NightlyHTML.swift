public import Readiness
import Verifications

/// The morning page for a browser: the answer, what changed, and a card for each function.
public struct NightlyHTML: NightlyPage {
    public init() {}

    public func write(_ report: NightlyReport, to sink: inout some TextOutputStream) {
        var page = HTMLPage(report.summary)
        page.nextLine = report.nextLine
        page.changes = NightlyHTML.changes(report)
        page.ready = { function in
            guard let ready = report.readyDay(of: function) else { return nil }
            return (ready.text, ready.sortKey)
        }
        page.forecast = { function in
            let outlook = function.assessment.outlookWording
            guard case .expected(let day)? = report.readyDay(of: function) else { return outlook }
            return (outlook.map { $0 + " " } ?? "") + """
                Ready on \(CalendarText.day(day)), when it will have been safe on \
                \(Figures.counted(report.nightsWanted, "night")) in a row.
                """
        }
        page.write(to: &sink)
    }

    /// The changes by what they ask of the reader.
    private static func changes(_ report: NightlyReport) -> Fields {
        let words = ChangeWording(report)
        let groups = Change.Urgency.allCases.compactMap { urgency -> Fields? in
            let changes = report.changes.filter { $0.urgency == urgency }
            guard !changes.isEmpty else { return nil }
            let mark = urgency.mark
            return [
                "heading": .text(urgency.heading),
                "items": .list(
                    changes.map { change in
                        [
                            "tone": .text(mark.rawValue), "mark": .text(mark.mark(unicode: true)),
                            "text": .fields(words.sentences(change).fields),
                        ]
                    }),
            ]
        }
        return [
            "title": .text(report.comparedTo.map { "What changed since \(CalendarText.day($0))" } ?? "What changed"),
            "empty": .text(groups.isEmpty ? NightlyAnswer(report).lines[2].text(ascii: false) : nil),
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
