import Verifications

/// The requests since the switch, of the same people as before it.
///
/// Neither `since` nor `count-machines` changes whom enforcement refuses.
struct AfterSwitch {
    let judgement: Judgement
    let counted: CountingRule
    /// The last W days.
    let recent: Window
    /// The last 28.
    let month: Window
    /// True if signed-in requests alone are asked; most people are not signed in at a sign-up, for example.
    let isSignedIn: Bool
    /// Whose platforms are asked: those who are signed in, and all, where guests are served, too.
    let callers: [Admission]

    /// Days before the switch that show whether a kind of client was served.
    private static let daysBefore: Int64 = 28

    /// Nil where enforcement is off.
    init?(_ evaluation: Evaluation) {
        let before = evaluation.history.judgement
        let (history, enforcement, numbers) = (before.history, before.enforcement, evaluation.numbers)
        guard let asOf = evaluation.asOf, let start = enforcement.start, start <= asOf, let first = history.firstDay,
            let recent = Window(length: numbers.window, asOf: asOf, since: first)
        else { return nil }
        let admission = evaluation.history.admission
        let shown = start.adding(seconds: -AfterSwitch.daysBefore * Instant.secondsPerDay)
        let earlier = before.table.cells(in: shown.day...start.day).filter {
            shown <= $0.start && $0.start < start && $0.isVerification && admission.admits(auth: $0.auth)
        }
        let answers = Callers(earlier, of: before.table)
        // One that was served, and is refused now, is not left out.
        let ignored = before.ignored.filter { kind in
            let sum = answers.sum { $0.kind == kind }
            return 2 * sum.blocked >= sum.admitted
        }
        judgement = Judgement(
            table: before.table, history: history, enforcement: enforcement, ignored: ignored, leavesPrograms: true)
        counted = judgement.counted(
            admission, in: Window(length: numbers.maxWindow, asOf: asOf, since: first), isSeen: { $0.isVerification })
        self.recent = recent
        month = Window(from: max(first, asOf.day.advanced(by: -27)), to: asOf.day) ?? recent
        let valid = judgement.valid(counted, in: recent)
        isSignedIn = 20 * valid.signedIn >= valid.all
        callers = [.signedIn] + (20 * (valid.all - valid.signedIn) >= valid.all ? [.notRefused] : [])
    }

    /// The requests of some days that count, by cells.
    func cells(in window: Window) -> [Cell] {
        judgement.table.cells(in: window.days).filter { judgement.isEnforced($0, counted) }
    }

    /// Of a service, what was denied of unknown origin in the last W days; anybody can send it.
    var unknownOrigin: [Cell] {
        guard let start = judgement.enforcement.start?.hourStart else { return [] }
        return judgement.table.cells(in: recent.days).filter { cell in
            start <= cell.start && cell.line == .refused && judgement.table.security(of: cell) == .unknownOrigin
        }
    }

    /// Those who are asked about a lock-out.
    var asked: Admission { isSignedIn ? .signedIn : counted.admission }

    /// The requests of some days, and those of them that were refused.
    func days(in window: Window, _ admission: Admission? = nil) -> [DaySum] {
        let counted = counted.admitting(admission ?? counted.admission)
        return judgement.history.days(of: judgement.enforcement, in: window) { judgement.isEnforced($0, counted) }
    }

    /// The requests of the last hour before T.
    func lastHour(_ admission: Admission, until end: Instant) -> Lockout.Count {
        let counted = counted.admitting(admission)
        return judgement.history.lastHour(of: judgement.enforcement, until: end) { judgement.isEnforced($0, counted) }
    }
}

extension Judgement {
    /// The requests with a valid token since the switch, and those of them that are signed in.
    fileprivate func valid(_ counted: CountingRule, in window: Window) -> (all: Int, signedIn: Int) {
        var valid = table.cells(in: window.days).filter { $0.app == .valid && isEnforced($0, counted) }
        // Where nobody with a valid token has come since, earlier ones show who uses the function.
        if valid.isEmpty { valid = table.cells.filter { $0.app == .valid && counts($0, counted) } }
        return (valid.requests, valid.filter { $0.auth == .valid }.requests)
    }
}
