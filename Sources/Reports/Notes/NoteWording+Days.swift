public import Readiness
import Verifications

extension Note {
    static func wholeDays(_ days: WholeDays) -> Wording {
        let span =
            switch (days.first, days.last) {
            case (let first?, let last?) where first == last: "\(CalendarText.day(first)), as a whole"
            case (let first?, let last?): "\(CalendarText.span(from: first, to: last, dash: "-")), all of it"
            case (let first?, nil): "all of \(CalendarText.day(first)) and what came later"
            case (nil, let last?): "all of \(CalendarText.day(last)) and what came before"
            case (nil, nil): "everything"
            }
        return """
            A store knows no more than days, and \(code: "--since") or \(code: "--until") lies within one: counted is \
            \(span).
            """
    }
}

extension Summary {
    /// Which days stand for bounds in time, as a sentence on one line for the error stream; nil where none had to.
    public var noteOnDays: String? {
        widenedDays.map { Note.wholeDays($0).text(ascii: false) }
    }
}
