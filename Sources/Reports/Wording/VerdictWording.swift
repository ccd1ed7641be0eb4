package import Readiness
import Verifications

extension Verdict {
    var word: String { words.word }

    /// The word as an option takes it: `not-safe`.
    package var option: String { word.replacing(" ", with: "-") }

    var meaning: String { words.meaning }

    /// A sign that tells verdicts apart at a glance, without colour.
    func mark(unicode: Bool) -> String { unicode ? words.mark : words.ascii }

    var ink: Ink { words.ink }

    private var words: (word: String, mark: String, ascii: String, ink: Ink, meaning: String) {
        switch self {
        case .enforce: ("ready", "✓", "+", .good, "Can be enforced")
        case .wait: ("not safe", "✗", "x", .bad, "Not safe: enforcement would refuse too many requests")
        case .investigate: ("bad tokens", "!", "!", .warning, "Not safe: clients send tokens that are refused")
        case .insufficient: ("not enough data", "?", "?", .warning, "Not enough data yet")
        case .blind: ("incomplete log", "?", "?", .warning, "Incomplete: the log lacks passed requests")
        case .exempt: ("exempt", "–", "-", .faint, "Exempt by policy")
        case .enforced: ("enforced", "✓", "+", .good, "Enforced already")
        case .superseded: ("replaced", "–", "-", .faint, "Replaced by another function")
        }
    }
}

extension Assessment {
    static let lockoutWord = "refusing users"
    static let almostReady = "almost ready"

    var word: String {
        if isLockout { return Assessment.lockoutWord }
        if case .safety(.notConfirmed) = reasons.first { return Assessment.almostReady }
        return verdict.word
    }

    /// The verdict's sign; enforcement that refuses signed-in people gets no tick.
    func mark(unicode: Bool) -> String {
        isLockout ? Verdict.wait.mark(unicode: unicode) : verdict.mark(unicode: unicode)
    }

    var ink: Ink { isLockout ? .bad : verdict.ink }

    var outlookWording: Wording? {
        switch outlook {
        case _ where isLockout: nil
        case _ where quickCure != nil: quickCure?.judgedOutlook
        case .notAsked: nil
        case .readOn:
            "No date: the pull stopped before the end of the log. Waiting does not help."
        case .date(let day, _) where lackingLog != nil:
            """
            It will be ready on \(CalendarText.day(day)) if the log then covers \
            \(Figures.counted(lackingLog ?? 0, "day")).
            """
        case .date(let day, .steady):
            "If traffic stays as in the last three days, it will be ready on \(CalendarText.day(day))."
        case .date(let day, .trend):
            """
            The share that would be refused is falling. If it keeps falling as in the last two weeks, it will be ready \
            on \(CalendarText.day(day)).
            """
        case .noRequests: "No date: there were no requests in the last 7 days."
        case .noDate(let fall): never(fall)
        }
    }

    /// The cured platform, where judging the days since is the faster way.
    var quickCure: Cure? {
        guard let cure, case .date(let day, _) = outlook else { return cure }
        return cure.verdict == .enforce || cure.readyDay.map { $0 < day } ?? false ? cure : nil
    }

    private func never(_ fall: Outlook.Fall?) -> Wording {
        if reasons.contains(where: { $0.kind == .incomplete(.failures) }) {
            return "No date until it is clear that the export includes stderr."
        }
        if let held = platformsRefused {
            return "No date: enforcement would refuse \(held)."
        }
        if needsCallers { return "No date until the log shows who would be refused." }
        if neededWindow == nil, let perWeek = acceptablePerWeek {
            return """
                Too quiet for a percentage. If you can accept \(Figures.counted(perWeek, "refused request")) a week, it is \
                ready now: \(set: .maxPerWeek, .count(perWeek)).
                """
        }
        if counts.blocked == 0 {
            guard let neededDays else { return "No date in the next 60 days." }
            let longest = Figures.counted(max(policy.numbers.maxWindow, policy.numbers.window), "day")
            let advice: Wording = neededWindow.map { " Try \(set: .maxWindow, .count($0))." } ?? ""
            return """
                No date in the next 60 days: at this volume it takes \(Figures.counted(neededDays, "day")) to get enough \
                requests, and a window has at most \(longest).
                """ + advice
        }
        if let fall {
            return """
                The share that would be refused is falling, from \(Figures.rate(fall.from)) to \(Figures.rate(fall.to)) in \
                two weeks, but not fast enough for a date in the next 60 days.
                """
        }
        if let bad = badDayInWindow {
            return """
                No date yet. The bad day, \(CalendarText.day(bad.day)), leaves the window on \
                \(CalendarText.day(bad.leaves)).
                """
        }
        return "No date in the next 60 days: the share is not clearly falling."
    }

    /// How many days of log contain the required nights; nil if it has them, or waiting brings them.
    var lackingLog: Int? {
        guard case .safety(.notConfirmed(_, let required, let logDays?))? = reasons.first else { return nil }
        let needed = policy.numbers.window + required - 1
        return needed > max(logDays, ExportScript.usualRetention) ? needed : nil
    }

    /// How many days of log would contain the missing requests, at the present volume.
    ///
    /// Nil if requests are not what is missing, or if the longest window has enough.
    var neededDays: Int? {
        for case .sample(.tooFewRequests(let missing, _, _, let admitted)) in reasons
        where admitted > 0 && counts.observedDays > 0 {
            let days = Double(admitted + missing) * Double(counts.observedDays) / Double(admitted)
            return days > Double(max(policy.numbers.maxWindow, policy.numbers.window)) ? Int(days.rounded(.up)) : nil
        }
        return nil
    }

    /// The window to allow; nil if no log is long enough for it, neither this one nor what Cloud Logging keeps.
    var neededWindow: Int? {
        guard let neededDays, neededDays <= max(ageDays, ExportScript.usualRetention) else { return nil }
        let step = policy.numbers.window
        return (neededDays + step - 1) / step * step
    }

    /// The newest bad day, and the first morning on which no window includes it, if bad days matter.
    var badDayInWindow: (day: Day, leaves: Day)? {
        let decided: Window? =
            switch reasons.first {
            case .excess(.tooManyBlocked(_, _, _, _, let window)): window
            case .sample(.tooFewRequests): counts.window
            default: nil
            }
        for case .excess(.badDay(let days, _)) in reasons {
            guard let window = decided, let day = days.first?.day, window.days.contains(day) else { return nil }
            return (day, day.advanced(by: window.dayCount + 1))
        }
        return nil
    }
}

extension FunctionSummary {
    /// The one number that decided, in requests and days rather than rates: `about 4, at most 31 of 4,200 a day`.
    var brief: Wording {
        switch listing {
        case .seen: assessment.brief
        case .deployed(.callable): "deployed, no requests"
        case .deployed: "deployed, no requests, perhaps not callable"
        case .unmatched(_, let inputs) where !inputs.isEmpty: "\(list: inputs.map(\.wording))"
        case .unmatched(let suggestion?, _): "no such function; did you mean \(name: suggestion)?"
        case .unmatched: "no such function"
        case .notCallable: "not callable: an event, a schedule or plain HTTPS starts it"
        }
    }
}

extension InputWithoutRecords {
    var wording: Wording {
        (source == "-" ? "standard input" : "\(name: source)") + (isEmpty ? " has no record" : " cannot be read")
    }
}
