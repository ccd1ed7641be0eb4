import Readiness
import Verifications

extension Explanation {
    /// Who called in the window, with which tokens, and what that usually means.
    var callerSection: Document.Section? {
        guard let window = judged else { return nil }
        let counts = function.tally.days.filter { window.days.contains($0.day) }
            .reduce(into: StatusMatrix()) { $0.merge($1.counts) }
        guard counts.total > 0 else { return nil }
        let callers = Callers(
            counts, policy: function.assessment.policy.numbers, isEnforced: function.assessment.verdict == .enforced)
        let span = CalendarText.span(from: window.from, to: window.to)
        return Document.Section(title: "Who called, \(span)", blocks: [.figures(callers.figures)])
    }
}

/// The requests of a window, each counted once, by the tokens that came with it.
private struct Callers {
    private let counts: StatusMatrix
    private let admission: Admission
    /// What happens to people without a valid token.
    private let fate: String

    init(_ counts: StatusMatrix, policy: VerdictPolicy, isEnforced: Bool) {
        self.counts = counts
        fate = isEnforced ? "are refused" : "would be refused"
        admission = policy.requiresAuth ? .signedIn : .notRefused
    }

    /// The lines, except those that count nobody.
    var figures: [(figure: Wording, text: Wording)] {
        let admitted = counts.admitted(admission)
        let lines: [(count: Int, text: Wording)] = [
            (counts.admitted(admission, app: .valid), "with a valid App Check token: enforcement changes nothing."),
            (signedIn, signedInText), (anonymous, anonymousText), (refused, refusedText),
            (unusual, "with a status that the SDK does not write. Look at these entries: they count as blocked."),
        ]
        let others: [(count: Int, text: Wording)] = [
            (refusedAuth, "with a refused Auth token: answered with 401 today already, so they do not count."),
            (
                counts.total - admitted - refusedAuth,
                "not signed in, which the function refuses itself (requires-auth), so they do not count."
            ),
        ]
        return lines.filter { $0.count > 0 }.map { count, text in
            (figure: "\(Figures.grouped(count)) (\(Figures.percent(count, of: admitted)))", text: text)
        } + others.filter { $0.count > 0 }.map { (figure: "\(Figures.grouped($0.count))", text: $0.text) }
    }

    private var signedIn: Int {
        counts[.missing, .valid]
    }

    private var anonymous: Int {
        admission.admits(auth: .missing) ? counts[.missing, .missing] : 0
    }

    private var refused: Int {
        counts.admitted(admission, app: .invalid)
    }

    /// Blocked requests of no other kind.
    private var unusual: Int {
        counts.blocked(admission) - signedIn - anonymous - refused
    }

    private var refusedAuth: Int {
        TokenStatus.allCases.reduce(0) { $0 + counts[$1, .invalid] }
    }

    private var signedInText: Wording {
        """
        signed in, but without an App Check token: people, who \(fate). Usually an app from before App Check was \
        added. On the web, also a reCAPTCHA that failed or was throttled (the SDK then waits for up to a day), or a \
        call made before App Check was ready. Some mobile SDKs send nothing when attestation fails: iOS 8.7 to 11.8, \
        Android 20.0.1 to 21.1.
        """
    }

    private var anonymousText: Wording {
        """
        neither signed in nor with an App Check token. Scripts, bots and monitors look like this, and so do people on \
        a screen before sign-in (sign-up, public content), who \(fate).
        """
    }

    private var refusedText: Wording {
        let signedIn = counts[.invalid, .valid]
        let who = signedIn == refused ? "all signed in" : "\(Figures.grouped(signedIn)) of them signed in"
        return """
            with an App Check token that was refused (INVALID), \(who). Apps with iOS SDK 11.9, Android SDK 21.2 or \
            later send a placeholder when attestation fails: these are often real apps. Or the token has expired (wrong \
            clock), belongs to another project, is a debug token, or is forged.
            """
    }
}
