import Readiness
import Verifications

/// Who would be refused, or is: the blocked requests of the judged days by what their callers had to show.
struct Refusals {
    struct Group {
        let label: String
        /// Who that usually is.
        let meaning: String
        let count: Int
    }

    let title: String
    /// In one sentence, with both counts.
    let sentence: Wording
    /// None when nobody would be refused; the largest first.
    let groups: [Group]
    let blocked: Int

    /// Nil where nothing was judged.
    init?(_ assessment: Assessment, days: Window?) {
        guard let days, assessment.verdict != .blind else { return nil }
        if assessment.verdict == .enforced {
            guard let lockout = Refusals.lockout(assessment) else { return nil }
            title = "Who is locked out"
            sentence = """
                \(Figures.grouped(lockout.blocked)) of \(Figures.grouped(lockout.admitted)) signed-in requests in \
                \(Figures.counted(days.dayCount, "day")) had no valid token.
                """
            (groups, blocked) = ([], lockout.blocked)
            return
        }
        let evidence = assessment.evidence
        guard evidence.admitted > 0 else { return nil }
        title = "Who would be locked out"
        blocked = evidence.blocked
        let requests = assessment.policy.numbers.requiresAuth ? "signed-in requests" : "requests"
        guard blocked > 0 else {
            sentence = """
                Nobody: all \(Figures.grouped(evidence.admitted)) \(requests) in \
                \(Figures.counted(days.dayCount, "day")) had a valid token.
                """
            groups = []
            return
        }
        sentence = """
            \(Figures.grouped(blocked)) of \(Figures.grouped(evidence.admitted)) \(requests) in \
            \(Figures.counted(days.dayCount, "day")) (\(Figures.rate(evidence.blockedRate ?? 0))), \
            \(Figures.about(evidence.blockedPerDay)) a day:
            """
        groups = Refusals.groups(evidence)
    }

    private static func groups(_ evidence: Evidence) -> [Group] {
        let known = evidence.signedInNoToken + evidence.anonymousNoToken + evidence.tokenRefused
        let groups = [
            Group(
                label: "Signed in, no token", meaning: "people, with apps from before App Check",
                count: evidence.signedInNoToken),
            Group(
                label: "Signed out, no token", meaning: "scripts and bots, or people before sign-in",
                count: evidence.anonymousNoToken),
            Group(
                label: "Token refused", meaning: "apps that fail attestation, or forged requests",
                count: evidence.tokenRefused),
            Group(
                label: "Unusual status", meaning: "the SDK does not write it: look at the entries",
                count: evidence.blocked - known),
        ].filter { $0.count > 0 }
        return groups.enumerated().sorted { ($1.element.count, $0.offset) < ($0.element.count, $1.offset) }
            .map(\.element)
    }

    private static func lockout(_ assessment: Assessment) -> (blocked: Int, admitted: Int)? {
        for case .settled(.lockout(_, _, let blocked, let admitted)) in assessment.reasons {
            return (blocked, admitted)
        }
        return nil
    }
}
