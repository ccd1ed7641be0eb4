import Readiness
import Verifications

extension Verdict {
    var word: String { words.word }

    var meaning: String { words.meaning }

    /// A sign that tells verdicts apart at a glance, without colour.
    func mark(unicode: Bool) -> String { unicode ? words.mark : words.ascii }

    var ink: Ink { words.ink }

    private var words: (word: String, mark: String, ascii: String, ink: Ink, meaning: String) {
        switch self {
        case .enforce: ("ready", "✓", "+", .good, "Can be enforced")
        case .wait: ("not safe", "✗", "x", .bad, "Not safe: enforcement would refuse too many requests")
        case .investigate: ("bad tokens", "✗", "x", .bad, "Not safe: clients send tokens that are refused")
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
        if reasons.first?.code == .notConfirmed { return Assessment.almostReady }
        return verdict.word
    }

    /// The verdict's sign; enforcement that refuses signed-in people gets no tick.
    func mark(unicode: Bool) -> String {
        isLockout ? Verdict.wait.mark(unicode: unicode) : verdict.mark(unicode: unicode)
    }

    var ink: Ink { isLockout ? .bad : verdict.ink }
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
        case .withoutEntries: "requests, but no App Check entry"
        case .notCallable: "not callable: an event, a schedule or plain HTTPS starts it"
        }
    }
}

extension InputWithoutRecords {
    var wording: Wording {
        (source == "-" ? "standard input" : "\(name: source)") + (isEmpty ? " has no record" : " cannot be read")
    }
}

extension Assessment {
    /// The reason that the verdict comes from; a lock-out, an unknown time of the switch, and that every request fails,
    /// come first.
    var decidingReason: Finding? {
        let failing = verdict == .insufficient ? listed[.failingBeforeLog] : nil
        return listed[.lockout] ?? listed[.switchUnclear] ?? listed[.policyUnconfirmed] ?? failing ?? reasons.first
    }

    /// A lock-out is what matters most, regardless of the verdict.
    var brief: Wording { lockout?.brief(of: self) ?? decidingReason?.statement(of: self).short ?? "" }

    /// True where the share of the window is what is against it: not of those that began to fail.
    var isByShare: Bool { gateClass == .notSafe && reasons.has(.tooManyBlocked) }
}

/// The answer for a function in the forms that reports have room for.
extension FunctionSummary {
    /// The share of requests that would be refused in the judged days, or is refused if enforcement refuses users.
    ///
    /// Nil if it means nothing: for a log without passed requests, and without any request.
    var shownRate: Double? {
        if let shown = assessment.lockout?.shown { return Double(shown.refused) / Double(max(1, shown.requests)) }
        return switch assessment.verdict {
        case .enforce, .wait, .investigate, .insufficient: assessment.period.blockedRate
        case .blind, .exempt, .enforced, .superseded: nil
        }
    }

    /// Whom it would refuse, else the reason for the answer: for a cell of a table.
    var who: Wording {
        guard listing == .seen else { return brief }
        let reasons = assessment.reasons
        if let lockout = assessment.lockout { return "\(lockout.share)" }
        switch assessment.verdict {
        case .enforce:
            if reasons.has(.raisedShare), let raised = assessment.segments.lastRaised { return raised.brief }
            return reasons.has(.callersUnknown, .callersRequired) ? "clients unknown" : cause ?? ""
        case .wait, .investigate:
            if assessment.listed.has(.allRefused) { return "every client" }
            if let found = cause ?? assessment.mostPlatformsRefused { return found }
            if let failing = reasons[.failingNow] { return failing.statement(of: assessment).short }
            return assessment.segments.brief ?? tokens
        case .insufficient:
            guard let reason = assessment.decidingReason else { return brief }
            switch reason.code {
            case .notConfirmed: return "safe \(String(reason.number)) of \(String(reason.bar)) days"
            case .tooFewRequests:
                if let over = assessment.overInWindow { return over.segment.brief }
                return assessment.shortage(reason) == nil
                    ? "\(assessment.missing(reason))"
                    : "too few: \(Figures.grouped(reason.total))/\(Figures.grouped(reason.total + reason.number))"
            case .tooFewDays: return "log \(String(reason.number)) of \(String(reason.bar)) days"
            case .tooFewActiveDays: return "needs \(Figures.counted(reason.bar - reason.number, "more day"))"
            case .stale, .noTraffic: return reason.days.first.map { "last \(CalendarText.short($0))" } ?? brief
            default: return brief
            }
        case .blind: return "\(assessment.word)"
        case .enforced:
            let start = assessment.enforcement.start?.day
            return reasons.has(.switchUnclear, .policyUnconfirmed)
                ? brief : start.map { "since \(CalendarText.short($0))" } ?? brief
        case .exempt: return "exempt"
        case .superseded: return "replaced"
        }
    }

    /// The tokens that most of those that would be refused have in common, if their clients are unknown.
    private var tokens: Wording {
        if let serviceTokens { return serviceTokens }
        let period = assessment.period
        if 2 * period.tokenRefused >= period.blocked { return "bad tokens" }
        if 2 * period.signedInNoToken >= period.blocked { return "no token" }
        return period.signedInNoToken > 0 ? "mostly signed out" : "signed out"
    }

    /// What follows the word in the first line of an explanation: the number that decided, and whose requests
    /// these are.
    var reason: Wording {
        let (enforcement, period, numbers) = (assessment.enforcement, assessment.period, assessment.policy.numbers)
        let fate: Wording = enforcement.hasRefused ? " without a valid token" : " would be refused"
        // `enforced since 8 Oct`, `replaced by addmessage`.
        if assessment.gateClass == .clear, [.enforced, .superseded].contains(assessment.verdict) { return " " + brief }
        let fact: Wording
        if assessment.gateClass != .notSafe {
            fact = assessment.verdict == .enforce ? brief + fate : brief
        } else if let platforms = assessment.decidingPlatforms {
            fact = platforms + fate
        } else if assessment.isByShare, let rate = period.blockedRate {
            fact = """
                \(Figures.rate(rate))\(fate) (\(Figures.grouped(period.blocked)) of \
                \(Figures.counted(period.admitted, "request")) in \(Figures.counted(period.window?.dayCount ?? 0, "day")); \
                limit \(Figures.exactRate(numbers.maxBlocked)))
                """
        } else {
            fact = assessment.failing?.failingShare ?? brief
        }
        return ": " + fact + (cause.map { ", mostly " + $0 } ?? "")
    }

    /// What is against it, after the name: `refuses signed-in users now: 22 of 41 since 22 Jun 09:23 UTC`, `would
    /// refuse Firefox`, `2.1% would be refused (limit 1%): app 4.2.0 and older`.
    var fact: Wording {
        if assessment.isLockout { return refusal(isNow: true) }
        if let platforms = assessment.decidingPlatforms { return "would refuse " + platforms }
        guard assessment.isByShare, let rate = assessment.period.blockedRate else {
            let cause = assessment.gateClass == .notSafe ? cause : nil
            return "\(assessment.word): \(brief)" + (cause.map { " (" + $0 + ")" } ?? "")
        }
        return "\(Figures.rate(rate)) would be refused" + limitAndWho
    }

    /// The same as a sentence that begins with the name, without its full stop.
    func fact(_ name: Wording) -> Wording {
        if assessment.isLockout { return name + " " + fact }
        if let platforms = assessment.decidingPlatforms { return "enforcing " + name + " would refuse " + platforms }
        guard assessment.isByShare, let rate = assessment.period.blockedRate else { return name + " is " + fact }
        return "\(Figures.rate(rate)) of " + name + "'s requests would be refused" + limitAndWho
    }

    private var limitAndWho: Wording {
        " (limit \(Figures.exactRate(assessment.policy.numbers.maxBlocked))): " + who
    }

    /// The answer in a test result or an annotation, which stand alone.
    func answer(_ name: Wording) -> Wording {
        assessment.isLockout || assessment.gateClass == .notSafe
            ? "App Check: " + fact(name) : "App Check on " + name + ": \(assessment.word) (" + brief + ")"
    }

    /// The next step, or when to look again, in a few words.
    var next: Wording { assessment.nextStep?.short ?? "" }
}

/// What has to happen before a function is ready, or when it will be.
struct NextStep {
    /// For a cell of a table: `enforce`, `26 Oct`, `no date`.
    var short: Wording
    /// Nil where the answer says it.
    var sentence: Wording?
    /// The day from which on it is ready, where time alone brings that.
    var day: Day?
    /// The refused requests a week that would have to be acceptable.
    var perWeek: Int?
    /// True where failures may be missing from the log.
    var needsStderr = false
}

extension Assessment {
    /// Nil where nothing is left to decide, and where only a newer log can tell more.
    var nextStep: NextStep? {
        if isLockout { return NextStep(short: "roll back") }
        var step = openStep
        // The first thing to do is to get another log.
        if verdict == .blind || listed.has(.exportOld) {
            step = step ?? NextStep(short: "")
            step?.short = "export again"
        }
        return step ?? (isSilent && verdict == .insufficient ? NextStep(short: "no requests") : nil)
    }

    private var openStep: NextStep? {
        if isSettled { return nil }
        if listed.has(.sdk3) {
            return NextStep(
                short: "upgrade SDK", sentence: "No date before the upgrade: this version of the SDK cannot enforce.")
        }
        if let failing {
            return NextStep(short: "failing now", sentence: "No date: \(failing.failingShare). Fix it first.")
        }
        if listed.has(.failingBeforeLog) {
            return NextStep(short: "failing now", sentence: "No date: fix first what fails now.")
        }
        if verdict == .enforce { return NextStep(short: "enforce", sentence: "Now.") }
        if let lackingLog {
            let days = Figures.counted(lackingLog, "day")
            let sentence: Wording =
                readyDay.map { "It will be ready on \(CalendarText.day($0)) if the log then covers \(days)." }
                ?? "No date: the log must cover \(days)."
            return NextStep(short: "needs \(days)", sentence: sentence)
        }
        switch outlook {
        case .date(let day, let kind): return dated(day, kind)
        case .readOn:
            return NextStep(
                short: "export more",
                sentence: "No date: the pull stopped before the end of the log. Waiting does not help.")
        case .noRequests:
            return NextStep(short: "no requests", sentence: "No date: there were no requests in the last 7 days.")
        case .noDate(let fall): return undated(fall)
        case .notAsked: return nil
        }
    }

    private func dated(_ day: Day, _ kind: Outlook.Kind) -> NextStep {
        let trend: Wording =
            switch kind {
            case .steady: "If traffic stays as in the last three days, it will be ready on \(CalendarText.day(day))."
            case .trend:
                """
                The share that would be refused is falling. If it keeps falling as in the last two weeks, it will be \
                ready on \(CalendarText.day(day)).
                """
            }
        // Quotas run out late in a month.
        let back = segments.lastRaised?.monthlyReturn.flatMap { back in
            Day(year: back.civil.year, month: back.civil.month, day: 20).flatMap { $0 < day ? back : nil }
        }
        let quota = back == nil ? nil : segments.lastRaised?.quota
        return NextStep(
            short: "\(CalendarText.short(day))", sentence: trend + (quota.map { " " + $0 } ?? ""), day: day)
    }

    private func undated(_ fall: Outlook.Fall?) -> NextStep {
        if let platformsRefused {
            return looksLikeRollout
                ? NextStep(
                    short: "rollout, or fix",
                    sentence: "No date: if App Attest is being rolled out, raise its percentage to 100% first.")
                : NextStep(short: "fix first", sentence: "No date: enforcement would refuse \(platformsRefused).")
        }
        let isNotSafe = gateClass == .notSafe
        if reasons.contains(where: { $0.kind == .incomplete(.failures) }) {
            // Failures that are missing could only add to what is against a function that is not safe.
            return NextStep(
                short: isNotSafe ? "no date" : "export stderr",
                sentence: """
                    No date until it is clear that the export includes stderr. If it does, add \
                    \(set: \.assumeComplete, .failures).
                    """, needsStderr: true)
        }
        if needsCallers {
            return NextStep(
                short: "export requests", sentence: "No date until the log shows who would be refused.")
        }
        if !isNotSafe, reasons.contains(where: \.kind.isIncomplete) {
            return NextStep(short: "export again", sentence: "No date until the log is complete.")
        }
        if neededWindow == nil, case .maxPerWeek(let most)? = acceptance?.setting {
            return NextStep(
                short: "\(String(most)) a week ok?",
                sentence: """
                    Too quiet for a percentage. If you can accept \(Figures.counted(most, "refused request")) a week, it \
                    is ready now: \(set: \.maxPerWeek, Double(most)).
                    """, perWeek: most)
        }
        if period.blocked == 0, let neededDays { return volume(neededDays) }
        if let fall {
            return NextStep(
                short: "no date",
                sentence: """
                    The share that would be refused is falling, from \(Figures.rate(fall.from)) to \
                    \(Figures.rate(fall.to)) in two weeks, but not fast enough for a date in the next 60 days.
                    """)
        }
        if let over = overInWindow {
            let leaves = CalendarText.day(over.leaves)
            return NextStep(
                short: "after \(CalendarText.short(over.leaves))",
                sentence: "No date yet. What failed is over (\(over.segment.span)); it leaves the window on \(leaves).")
        }
        if let neededDays { return volume(neededDays) }
        return NextStep(
            short: "no date",
            sentence: "No date in the next 60 days\(isNotSafe ? ": the share is not clearly falling" : "").")
    }

    /// What to say of a function that takes `days` to get enough requests, which is longer than a window.
    private func volume(_ days: Int) -> NextStep {
        let (needed, longest) = (Figures.counted(days, "day"), max(policy.numbers.maxWindow, policy.numbers.window))
        let short: Wording =
            neededWindow != nil
            ? "longer window" : days > SampleSize.longestWait ? "too quiet" : "needs \(needed)"
        return NextStep(
            short: short,
            sentence: """
                No date in the next 60 days: at this volume it takes \(needed) to get enough requests, and a window has \
                at most \(Figures.counted(longest, "day")).
                """ + (neededWindow.map { " Try \(set: \.maxWindow, $0)." } ?? ""))
    }

    /// The number of days of log that contain the required nights; nil if it has them, or waiting brings them.
    var lackingLog: Int? {
        guard let reason = reasons.first, reason.code == .notConfirmed, reason.count > 0 else { return nil }
        let needed = policy.numbers.window + reason.bar - 1
        return needed > max(reason.count, ExportScript.usualRetention) ? needed : nil
    }

    /// The number of days of log that would contain the missing requests, at the present volume.
    ///
    /// Nil if requests are not what is missing, or if the longest window has enough.
    var neededDays: Int? {
        guard let reason = reasons[.tooFewRequests], reason.total > 0, observedDays > 0 else { return nil }
        let days = Double(reason.total + reason.number) * observedDays / Double(reason.total)
        return days > Double(max(policy.numbers.maxWindow, policy.numbers.window)) ? Int(days.rounded(.up)) : nil
    }

    /// The window to allow; nil if no log is long enough for it, neither this one nor what Cloud Logging keeps.
    var neededWindow: Int? {
        guard let neededDays, neededDays <= max(ageDays, ExportScript.usualRetention) else { return nil }
        return wholeWindows(neededDays)
    }

    /// The least `max-window` that covers a number of days.
    func wholeWindows(_ days: Int) -> Int {
        let step = policy.numbers.window
        return (days + step - 1) / step * step
    }

    /// The newest raised segments, if they are over; the first whole day after them, and the first morning on which no
    /// window includes them, if they matter.
    var overInWindow: (segment: Segments.Segment, next: Day, leaves: Day)? {
        let first = reasons.first
        guard let window = first?.code == .tooFewRequests ? period.window : first?.window,
            let raised = segments.lastRaised, raised.share > policy.numbers.maxBlocked, let last = raised.lastDay,
            window.days.contains(last), last < window.to
        else { return nil }
        return (raised, last.advanced(by: 1), last.advanced(by: window.dayCount + 1))
    }

    /// How much is missing of ``Finding/Code/tooFewRequests``: in days at the present volume, and until the day that is
    /// expected, or in requests of a function that has none.
    func missing(_ finding: Finding) -> String {
        let expected = period.window.flatMap { window in nextStep?.day.map { window.to.distance(to: $0) } }
        let days = expected ?? (shortage(finding) == nil ? finding.counts.first : nil)
        return days.map { "about \(Figures.counted(max(1, $0), "more day"))" }
            ?? Figures.counted(finding.number, "more request")
    }

    /// `28 days have 77, 473 are needed`; nil where waiting for some days brings the missing requests.
    func shortage(_ finding: Finding) -> String? {
        guard nextStep?.day == nil, neededDays != nil, let days = period.window?.dayCount else { return nil }
        return """
            \(Figures.counted(days, "day")) have \(Figures.grouped(finding.total)), \
            \(Figures.grouped(finding.total + finding.number)) are needed
            """
    }
}
