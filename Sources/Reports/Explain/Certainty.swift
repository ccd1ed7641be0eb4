import Readiness
import Verifications

extension Explanation {
    /// The section that says in plain language what the numbers show; nothing about a log that does not show passes,
    /// nor about days before enforcement was on.
    var certaintySection: Document.Section? {
        let assessment = function.assessment
        let period = assessment.period
        guard assessment.verdict != .blind, assessment.verdict != .enforced, period.admitted > 0,
            let window = period.window
        else { return nil }
        return Document.Section(
            title: "How certain is this?",
            blocks: [
                .paragraph(
                    Explanation.observed(period, window: window, assessment) + Explanation.bounds(period, assessment))
            ])
    }

    private static func observed(_ period: Period, window: Window, _ assessment: Assessment) -> Wording {
        let policy = assessment.policy
        let whose = assessment.admission == .signedIn ? "signed-in requests" : "requests"
        let share = "\(Figures.grouped(period.blocked)) of \(Figures.grouped(period.admitted)) \(whose)"
        let (days, rate) = (
            Figures.counted(Int(assessment.observedDays.rounded(.up)), "day"), Figures.rate(period.blockedRate ?? 0)
        )
        let observed =
            assessment.enforcement.hasRefused
            ? "In \(days), \(share) had no valid token (\(rate))."
            : "In \(days), enforcement would have refused \(share) (\(rate))."
        return "\(observed)\(length(of: window, policy, admitted: period.admitted)) "
    }

    private static func length(of window: Window, _ policy: FunctionPolicy, admitted: Int) -> Wording {
        let numbers = policy.numbers
        if let since = policy.since, since == window.from {
            return " Days before \(CalendarText.day(since)) do not count (--since, or the policy)."
        }
        let wanted = Figures.amount(numbers.enoughRequests, .up)
        guard numbers.window < numbers.maxWindow, Double(admitted) < numbers.enoughRequests else { return "" }
        return window.dayCount >= numbers.maxWindow
            ? " The function is quiet, so callcheck used the longest window (max-window)."
            : " The log goes back no further and has fewer than \(wanted) requests."
    }

    private static func bounds(_ period: Period, _ assessment: Assessment) -> Wording {
        let numbers = assessment.policy.numbers
        let limit = numbers.maxBlocked
        let upper = Figures.rate(period.upper, .up, against: limit)
        let lower = Figures.rate(period.lower, .down, against: limit)
        let confidence = Figures.exactRate(numbers.confidence)
        let allowed = "limit \(Figures.exactRate(limit))"
        let fate = assessment.enforcement.fate
        let range: Wording =
            period.blocked == 0
            ? "At most \(upper) \(fate) (\(allowed); \(confidence) confidence)."
            : "Likely \(lower) to \(upper) \(fate) (\(allowed); each bound at \(confidence) confidence)."
        return range + weekly(assessment)
    }

    private static func weekly(_ assessment: Assessment) -> Wording {
        guard let most = assessment.policy.numbers.maxPerWeek, let upper = assessment.perWeekUpper else { return "" }
        return " That is at most \(Figures.perWeek(upper)) (\(Figures.amount(most)) accepted)."
    }
}

extension Explanation {
    /// The judged days on or after the function's first one: numbers about days start there.
    var judgedLife: Window? {
        let observedDays = function.assessment.observedDays
        guard let judged, judged == function.assessment.period.window, observedDays > 0 else { return judged }
        let start = max(judged.from, judged.to.advanced(by: -Int(observedDays.rounded(.up))))
        return Window(from: function.judgedDays.first { $0.day >= start }?.day ?? start, to: judged.to)
    }

    /// With which tokens the window's requests came, and what that usually means.
    var tokenSection: Document.Section? {
        guard let window = judgedLife else { return nil }
        if function.identity.isService, let window = function.assessment.period.window {
            let span = CalendarText.span(from: window.from, to: window.to)
            return Document.Section(title: "Requests by token, \(span)", blocks: [.figures(serviceTokens)])
        }
        let counts = function.judgedDays.filter { window.days.contains($0.day) }
            .reduce(into: StatusMatrix()) { $0.merge($1.statuses) }
        guard counts.total > 0 else { return nil }
        let span = CalendarText.span(from: window.from, to: window.to)
        return Document.Section(title: "Requests by token, \(span)", blocks: [.figures(figures(counts))])
    }

    /// The requests of a window, each counted once, by the tokens that came with it.
    private func figures(_ counts: StatusMatrix) -> [(figure: Wording, text: Wording)] {
        let enforcement = function.assessment.enforcement
        let fate = enforcement.hasRefused ? "whom enforcement refuses" : "who would be refused"
        let admission = function.assessment.admission
        let admitted = counts.admitted(admission)
        let signedIn = counts[.missing, .valid]
        let anonymous = admission.admits(auth: .missing) ? counts[.missing, .missing] : 0
        let refused = counts.admitted(admission, app: .invalid)
        let refusedSignedIn = counts[.invalid, .valid]
        let who = refusedSignedIn == refused ? "all signed in" : "\(Figures.grouped(refusedSignedIn)) of them signed in"
        let lines: [(count: Int, text: Wording)] = [
            (counts.admitted(admission, app: .valid), "with a valid App Check token: enforcement changes nothing."),
            (
                signedIn,
                """
                signed in, without an App Check token: people, \(fate). Usually an app from before App Check was added; \
                on the web, often a call made before App Check was ready, or a reCAPTCHA that failed. Older mobile SDKs \
                also send nothing when attestation fails (iOS 8.7 to 11.8, Android 20.0.1 to 21.1).
                """
            ),
            (
                anonymous,
                """
                neither signed in nor with an App Check token. Scripts, bots and monitors look like this, and so do \
                people on a screen before sign-in (sign-up, public content), \(fate).
                """
            ),
            (
                refused,
                """
                with an invalid App Check token, \(who). Apps with iOS SDK 11.9, Android SDK 21.2 or \
                later send a placeholder when attestation fails: these are often real apps. Or the token has expired \
                (wrong clock), belongs to another project, is a debug token, or is forged.
                """
            ),
            (
                counts.blocked(admission) - signedIn - anonymous - refused,
                "with a status that the SDK does not write. Look at these entries: they count as refused."
            ),
        ]
        let others: [(count: Int, text: Wording)] = [
            (counts.refusedAuth, "with an invalid Auth token: already rejected today (401), not counted."),
            (
                counts.total - admitted - counts.refusedAuth,
                "not signed in: the function rejects them itself (requires-auth), not counted."
            ),
            (
                function.assessment.leftOut,
                "from clients that the policy leaves out (\(code: "ignore-clients")), not counted."
            ),
            (function.assessment.programs, "from programs (\(code: "count-machines")), not counted."),
        ]
        return lines.filter { $0.count > 0 }.map { count, text in
            (figure: "\(Figures.grouped(count)) (\(Figures.percent(count, of: admitted)))", text: text)
        } + others.filter { $0.count > 0 }.map { (figure: "\(Figures.grouped($0.count))", text: $0.text) }
    }
}
