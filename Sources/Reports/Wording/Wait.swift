import Readiness
import Verifications

/// When a function will be ready, or what has to happen first: every report says it from here, in a few words or in a
/// sentence.
enum Wait {
    case now
    /// It fails at this hour, or today; more than before, where a finding says so.
    case failing(Finding?)
    /// This version of the SDK has no enforcement.
    case upgrade
    case date(Day, Outlook.Kind, quota: Wording? = nil)
    /// The nights that are required need more days of log than there are, and than Cloud Logging keeps.
    case log(days: Int, ready: Day?)
    /// The pull stopped before the end of the log.
    case readOn
    case noRequests
    /// Failures may be missing from the log: they could only add to what is against a function that is not safe.
    case stderr(isNotSafe: Bool)
    /// Whole platforms are refused.
    case fix(Wording)
    /// The same, as App Attest is probably being rolled out.
    case rollout
    /// The log does not show who would be refused.
    case requestLog
    /// A part of the log is missing, or cannot be read.
    case wholeLog
    /// The refused requests a week that would have to be acceptable.
    case acceptance(perWeek: Int)
    /// The days that it takes to get enough requests, and the longest window; a longer one that the log has.
    case volume(days: Int, longest: Int, window: Int?)
    case falling(Outlook.Fall)
    /// What failed is over.
    case over(Segments.Segment, leaves: Day)
    case unknown(isShare: Bool)

    /// The day from which on it is ready, where time alone brings that.
    var day: Day? { if case .date(let day, _, _) = self { day } else { nil } }

    /// `enforce`, `26 Oct`, `no date`.
    var brief: Wording {
        switch self {
        case .now: "enforce"
        case .failing: "failing now"
        case .upgrade: "upgrade SDK"
        case .date(let day, _, _): "\(CalendarText.short(day))"
        case .log(let days, _): "needs \(Figures.counted(days, "day"))"
        case .readOn: "export more"
        case .noRequests: "no requests"
        case .stderr(let isNotSafe): isNotSafe ? "no date" : "export stderr"
        case .fix: "fix first"
        case .rollout: "rollout, or fix"
        case .requestLog: "export requests"
        case .wholeLog: "export again"
        case .acceptance(let perWeek): "\(String(perWeek)) a week ok?"
        case .volume(_, _, .some): "longer window"
        case .volume(let days, _, nil):
            days > SampleSize.longestWait ? "too quiet" : "needs \(Figures.counted(days, "day"))"
        case .falling: "no date"
        case .over(_, let leaves): "after \(CalendarText.short(leaves))"
        case .unknown: "no date"
        }
    }

    var sentence: Wording {
        switch self {
        case .now: "Now."
        case .failing(let finding):
            finding.map { "No date: \($0.failingShare). Fix it first." } ?? "No date: fix first what fails now."
        case .upgrade: "No date before the upgrade: this version of the SDK cannot enforce."
        case .date(let day, .steady, let quota):
            "If traffic stays as in the last three days, it will be ready on \(CalendarText.day(day))."
                + (quota.map { " " + $0 } ?? "")
        case .date(let day, .trend, let quota):
            """
            The share that would be refused is falling. If it keeps falling as in the last two weeks, it will be ready \
            on \(CalendarText.day(day)).
            """ + (quota.map { " " + $0 } ?? "")
        case .log(let days, let day?):
            "It will be ready on \(CalendarText.day(day)) if the log then covers \(Figures.counted(days, "day"))."
        case .log(let days, nil): "No date: the log must cover \(Figures.counted(days, "day"))."
        case .readOn: "No date: the pull stopped before the end of the log. Waiting does not help."
        case .noRequests: "No date: there were no requests in the last 7 days."
        case .stderr:
            """
            No date until it is clear that the export includes stderr. If it does, \
            \(set: \.assumeComplete, .failures) shows one.
            """
        case .rollout: "No date: if App Attest is being rolled out, raise its percentage to 100% first."
        case .fix(let platforms): "No date: enforcement would refuse \(platforms)."
        case .requestLog: "No date until the log shows who would be refused."
        case .wholeLog: "No date until the log is complete."
        case .acceptance(let perWeek):
            """
            Too quiet for a percentage. If you can accept \(Figures.counted(perWeek, "refused request")) a week, it is \
            ready now: \(set: \.maxPerWeek, Double(perWeek)).
            """
        case .volume(let days, let longest, let window):
            """
            No date in the next 60 days: at this volume it takes \(Figures.counted(days, "day")) to get enough \
            requests, and a window has at most \(Figures.counted(longest, "day")).
            """ + (window.map { " Try \(set: \.maxWindow, $0)." } ?? "")
        case .falling(let fall):
            """
            The share that would be refused is falling, from \(Figures.rate(fall.from)) to \(Figures.rate(fall.to)) in \
            two weeks, but not fast enough for a date in the next 60 days.
            """
        case .over(let segment, let leaves):
            """
            No date yet. What failed is over (\(segment.span)); it leaves the window on \(CalendarText.day(leaves)).
            """
        case .unknown(let isShare): "No date in the next 60 days\(isShare ? ": the share is not clearly falling" : "")."
        }
    }
}

extension Assessment {
    /// Nil where nothing is left to decide, and where only a newer log can tell more.
    var wait: Wait? {
        if isLockout || isSettled { return nil }
        if listed.has(.sdk3) { return .upgrade }
        if failing != nil || listed.has(.failingBeforeLog) { return .failing(failing) }
        if verdict == .enforce { return .now }
        if let lackingLog {
            return .log(days: lackingLog, ready: readyDay)
        }
        switch outlook {
        case .date(let day, let kind):
            let quota = segments.lastRaised.flatMap { raised in
                raised.monthlyReturn.flatMap { back in
                    // Quotas run out late in a month.
                    Day(year: back.civil.year, month: back.civil.month, day: 20).map { $0 < day } ?? false
                        ? raised.quota : nil
                }
            }
            return .date(day, kind, quota: quota)
        case .readOn: return .readOn
        case .noRequests: return .noRequests
        case .noDate(let fall): return withoutDate(fall)
        case .notAsked: return nil
        }
    }

    private func withoutDate(_ fall: Outlook.Fall?) -> Wait {
        if let platformsRefused { return looksLikeRollout ? .rollout : .fix(platformsRefused) }
        if reasons.contains(where: { $0.kind == .incomplete(.failures) }) {
            return .stderr(isNotSafe: standing == .notSafe)
        }
        if needsCallers { return .requestLog }
        let isShare = standing == .notSafe
        if !isShare, reasons.contains(where: \.kind.isIncomplete) { return .wholeLog }
        if neededWindow == nil, case .maxPerWeek(let most)? = acceptance?.setting { return .acceptance(perWeek: most) }
        let volume = neededDays.map { days in
            Wait.volume(
                days: days, longest: max(policy.numbers.maxWindow, policy.numbers.window), window: neededWindow)
        }
        if period.blocked == 0, let volume { return volume }
        if let fall { return .falling(fall) }
        if let over = overInWindow { return .over(over.segment, leaves: over.leaves) }
        return volume ?? .unknown(isShare: isShare)
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
}
