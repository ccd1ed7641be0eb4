import Readiness
import Verifications

extension Verdict {
    /// What people read for the verdict; machine-readable output has the raw value.
    var word: String {
        switch self {
        case .enforce: "ready"
        case .wait: "not safe"
        case .investigate: "bad tokens"
        case .insufficient: "not enough data"
        case .blind: "incomplete log"
        case .exempt: "exempt"
        case .enforced: "enforced"
        case .superseded: "replaced"
        }
    }

    /// What the word means, as a heading.
    var meaning: String {
        switch self {
        case .enforce: "Can be enforced"
        case .wait: "Not safe: enforcement would refuse too many requests"
        case .investigate: "Not safe: clients send tokens that are refused"
        case .insufficient: "Cannot tell yet"
        case .blind: "Cannot tell: the log lacks passed requests"
        case .exempt: "Exempt by policy"
        case .enforced: "Enforced already, by policy"
        case .superseded: "Replaced by another function"
        }
    }

    /// A sign that tells verdicts apart at a glance, without colour.
    func mark(unicode: Bool) -> String {
        switch self {
        case .enforce, .enforced: unicode ? "✓" : "+"
        case .wait: unicode ? "✗" : "x"
        case .investigate: "!"
        case .insufficient, .blind: "?"
        case .exempt, .superseded: unicode ? "–" : "-"
        }
    }

    var ink: Ink {
        switch self {
        case .enforce, .enforced: .good
        case .wait: .bad
        case .investigate, .insufficient, .blind: .warning
        case .exempt, .superseded: .faint
        }
    }
}

extension Assessment {
    static let lockoutWord = "refusing users"
    static let almostReady = "almost ready"

    /// What people read for the verdict.
    var word: String {
        if isLockout { return Assessment.lockoutWord }
        if case .safety(.notConfirmed) = reasons.first { return Assessment.almostReady }
        return verdict.word
    }

    /// The verdict's sign; enforcement that refuses signed-in people gets no tick.
    func mark(unicode: Bool) -> String {
        isLockout ? Verdict.wait.mark(unicode: unicode) : verdict.mark(unicode: unicode)
    }

    var ink: Ink {
        isLockout ? .bad : verdict.ink
    }

    /// The forecast in words; nil where none was computed.
    var outlookWording: Wording? {
        switch outlook {
        case .notAsked: nil
        case .date(let day, .steady):
            "If the coming days are like the last three, it can be enforced from \(CalendarText.day(day)) on."
        case .date(let day, .trend):
            """
            The share that would be refused is falling. If it keeps falling as in the last two weeks, it can be enforced \
            from \(CalendarText.day(day)) on.
            """
        case .noRequests: "No date: there were no requests in the last 7 days."
        case .noDate(let fall): never(fall)
        }
    }

    /// Why no day within reach brings the answer.
    private func never(_ fall: Outlook.Fall?) -> Wording {
        if reasons.contains(where: { $0.kind == .incomplete(.failures) }) {
            return "No date as long as the log of failures is in doubt: see below."
        }
        if evidence.blocked == 0 {
            guard let neededWindow else { return "No date within the next 60 days." }
            return """
                No date within the next 60 days: at this volume no window holds enough requests. Try \
                \(code: "--max-window \(neededWindow)d").
                """
        }
        if let fall {
            return """
                The share that would be refused is falling, from \(Figures.rate(fall.from)) to \(Figures.rate(fall.to)) in \
                two weeks, but not fast enough for a date within the next 60 days.
                """
        }
        if let bad = badDayInWindow {
            return """
                No date yet: the last three days were too bad to tell. \(CalendarText.day(bad.day)) leaves the window on \
                \(CalendarText.day(bad.leaves)).
                """
        }
        return """
            No date within the next 60 days. At the rate of the last three days this will not change, and the rate is \
            not clearly falling.
            """
    }

    /// How long a window would have to be, in days, to hold the requests needed at the present volume.
    ///
    /// Nil where requests are not what is missing, or where the longest window holds enough.
    var neededWindow: Int? {
        for case .sample(.tooFewRequests(let missing, _, _, let admitted)) in reasons where evidence.observedDays > 0 {
            let numbers = policy.numbers
            let perDay = Double(admitted) / Double(evidence.observedDays)
            guard perDay > 0 else { return nil }
            let days = Int((Double(admitted + missing) / perDay).rounded(.up))
            guard days > max(numbers.maxWindow, numbers.window) else { return nil }
            return (days + numbers.window - 1) / numbers.window * numbers.window
        }
        return nil
    }

    /// The newest bad day, and the first morning on which no window includes it, where only bad days decided.
    var badDayInWindow: (day: Day, leaves: Day)? {
        guard case .excess(.unstableDay(let days, _))? = reasons.first, let day = days.map(\.day).max(),
            let window = evidence.window
        else { return nil }
        return (day, day.advanced(by: window.dayCount + 1))
    }
}
