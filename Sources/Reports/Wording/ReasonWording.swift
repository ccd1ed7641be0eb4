import Readiness
import Verifications

extension Reason {
    /// The reason in one or two sentences, for someone who has never heard of a confidence bound.
    var wording: Wording {
        switch self {
        case .exempt(let because): "Exempt by policy: \(sentence: because)"
        case .enforced(let since):
            "Enforcement is on since \(CalendarText.day(since)), says the policy: only lock-outs are looked for."
        case .lockout(let lower, let limit, let blocked, let admitted):
            """
            Signed-in people are locked out: \(Reason.share(blocked, admitted, "signed-in requests")) had no valid App \
            Check token, \(Reason.atLeast(lower, limit)).
            """
        case .superseded(let successor):
            "The generation 2 function \(name: successor.name) has taken over its traffic."
        case .passesNotSeen(let day, let verifications): Reason.passesNotSeen(day, verifications)
        case .noTraffic(let last):
            "No verification in the window\(last.map { "; the last one was on \(CalendarText.day($0))" } ?? "")."
        case .stale(let last, let silentDays, let longestDistance):
            """
            Silent since \(CalendarText.day(last)), for \(Figures.counted(silentDays, "day")), though its requests were \
            never more than \(Figures.counted(max(1, longestDistance), "day")) apart: removed, renamed, or not exported.
            """
        case .exportOld(let newest, let hours, let limit):
            """
            The project's newest request is \(Figures.duration(hours: hours)) old (\(CalendarText.minute(newest)) \
            UTC); more than \(Figures.duration(hours: Double(limit))) is too old. Export the log again.
            """
        case .tooManyBlocked(let lower, let limit, let blocked, let admitted, let window):
            """
            From \(CalendarText.span(from: window.from, to: window.to, dash: "-")) enforcement would have refused \
            \(Reason.share(blocked, admitted, "requests")), \(Reason.atLeast(lower, limit)).
            """
        case .unstableDay(let days, let limit):
            """
            Too many requests would have been refused on \(Reason.list(days)), taken by \
            \(days.count == 1 ? "itself" : "themselves") (allowed: \(Figures.exactRate(limit))).
            """
        case .mostlyInvalid(let invalid, let blocked):
            """
            \(Reason.share(invalid, blocked, "blocked requests")) carried a token that was refused (INVALID), not just \
            none: an app that fails attestation, a wrong setup, or forged requests.
            """
        case .tooFewRequests(let missing, let upper, let limit, let admitted):
            """
            \(Figures.counted(admitted, "request")) \(admitted == 1 ? "is" : "are") too few to be sure: up to \
            \(Figures.rate(upper, .up, against: limit)) could be refused (allowed: \(Figures.exactRate(limit))). \
            \(Figures.counted(missing, "more request", plural: "more requests")) would do, if \
            \(missing == 1 ? "it has" : "all have") a valid token.
            """
        case .tooFewDays(let age, let limit):
            "The log of this function is \(Figures.counted(age, "day")) old; \(Figures.grouped(limit)) are wanted."
        case .tooFewActiveDays(let days, let limit):
            "Requests on \(Figures.counted(days, "day")) only; \(Figures.grouped(limit)) are wanted."
        case .coverageGap(let days):
            """
            The project has no verification at all on \(Reason.list(days)): the export may have a hole there. \
            Export again, or vouch for it with \(code: "--assume-complete").
            """
        case .failuresNotSeen:
            """
            In these days no generation 2 function of the project shows a failure, and no record of its stderr log was \
            read: failures may be missing. Export \(code: "run.googleapis.com%2Fstderr") too.
            """
        case .failuresStopped(let days, let perDay):
            """
            No failed verification for \(Figures.days(days)), after \(Figures.amount(perDay)) a day before: the \
            log that carries failures may not have arrived since.
            """
        case .safe(let upper, let limit):
            """
            At most \(Figures.rate(upper, .up, against: limit)) of requests would be refused (allowed: \
            \(Figures.exactRate(limit))).
            """
        case .notConfirmed(let nights, let required):
            """
            Almost ready: safe on \(Figures.grouped(nights)) of \(Figures.counted(required, "day")) in a row. One \
            lucky week is not enough.
            """
        case .uncounted(let records, let upper, let limit):
            """
            \(Figures.counted(records, "record")) could not be counted. If all were requests without a valid App Check \
            token, up to \(Figures.rate(upper, .up, against: limit)) could be refused (allowed: \
            \(Figures.exactRate(limit))). Fix or re-export the log.
            """
        case .unattributed:
            """
            This log does not name the project, so copies cannot be told apart and failures may be missing: a preview. \
            Export the log with \(code: "gcloud logging read"); \(code: "callcheck export") prints the command.
            """
        case .mixedProvenance(.text(let unlabelled, let labelled)):
            """
            \(Figures.counted(unlabelled, "entry", plural: "entries")) without the SDK's label next to \
            \(Figures.grouped(labelled)) with it: one of the two is forged. Check what this function logs.
            """
        case .mixedProvenance(.severities(let days)):
            """
            On \(Figures.counted(days, "day")) passed requests are logged at DEBUG and at another severity, though \
            the SDK uses one: some are forged. Check what this function logs.
            """
        case .anonymousOnly(let blocked, let signedInBlocked, _, _): Reason.anonymousOnly(blocked, signedInBlocked)
        case .cleanSince(let day, let activeDays):
            """
            Nothing was blocked on the last \(Figures.counted(activeDays, "day")) with requests: if a fix went out \
            then, judge from there with \(code: "--since \(day)").
            """
        case .allRefused(let requests):
            """
            None of \(Figures.counted(requests, "request")) passed: every client sends a token that is refused. Is the \
            app registered and the App Check API enabled?
            """
        case .failuresUnproven(let admitted):
            """
            Not one failure among \(Figures.counted(admitted, "request")) or in the rest of the log. All is well, or \
            an export filter dropped WARNING: check the filter before you enforce.
            """
        case .textOnly:
            """
            Judged on log text without the SDK's label. A function that logs what clients send, at the start of a \
            line, could be fooled.
            """
        case .safeTogether(let functions, let blocked, let admitted, let upper, let limit):
            """
            Ready together with \(Figures.counted(functions - 1, "other quiet function")) of the project: \
            \(Figures.grouped(blocked)) of \(Figures.counted(admitted, "request")) had no valid App Check token, at \
            most \(Figures.rate(upper, .up, against: limit)). Enforce them in one step; \
            \(code: "check --accept-together") lets them pass.
            """
        case .recentTrouble(let days, _):
            "Safe now, but not long ago it was not: \(Reason.list(days)). Know why before you enforce."
        case .shiftedToInvalid(let older, let newer):
            """
            The share of refused tokens among blocked requests went from \(Figures.rate(older)) to \
            \(Figures.rate(newer)) while as many were blocked as before: the same clients after an SDK update, not an \
            attack.
            """
        case .sdk3:
            """
            Passed requests are logged at INFO: firebase-functions 3.x. There an INVALID token is refused already and \
            \(code: "enforceAppCheck") does not exist: move to version 4 or newer first.
            """
        }
    }

    private static func passesNotSeen(_ day: Day?, _ verifications: Int) -> Wording {
        let place = day.map { "On \(CalendarText.day($0)) none" } ?? "None"
        return """
            \(place) of \(Figures.counted(verifications, "verification")) passed. Either everything failed, or the \
            export left out what passed: it is logged at DEBUG, in generation 2 to stdout, by Python not at all unless \
            its log level is lowered. Export both streams without a severity filter.
            """
    }

    private static func anonymousOnly(_ blocked: Int, _ signedInBlocked: Int) -> Wording {
        let signedIn =
            signedInBlocked == 0
            ? "none is" : "\(Figures.grouped(signedInBlocked)) \(signedInBlocked == 1 ? "is" : "are")"
        return """
            Of \(Figures.grouped(blocked)) that would be blocked \(signedIn) signed in. If this function refuses \
            signed-out callers, set \(code: "requires-auth: true"); if signed-out people use it (sign-up, public \
            content), they would be locked out.
            """
    }

    /// `84 of 4,200 requests (2%)`.
    static func share(_ part: Int, _ whole: Int, _ noun: String) -> String {
        let rate = whole > 0 ? " (\(Figures.rate(Double(part) / Double(whole))))" : ""
        return "\(Figures.grouped(part)) of \(Figures.grouped(whole)) \(noun)\(rate)"
    }

    /// What a lower bound says of a limit that it exceeds.
    static func atLeast(_ lower: Double, _ limit: Double) -> String {
        """
        surely at least \(Figures.rate(lower, .down, against: limit)), and more than the \
        \(Figures.exactRate(limit)) allowed
        """
    }

    /// The worst of some days with its counts: `5 Oct 2026 (84 of 900 blocked, in 6 hours) and 2 more days`.
    static func list(_ days: [UnstableDay]) -> String {
        guard let worst = days.max(by: { $0.lower < $1.lower }) else { return "" }
        let rest = days.count > 1 ? " and \(Figures.counted(days.count - 1, "more day", plural: "more days"))" : ""
        return """
            \(CalendarText.day(worst.day)) (\(Figures.grouped(worst.blocked)) of \(Figures.grouped(worst.admitted)), in \(Figures.counted(worst.hours, "hour")))\(rest)
            """
    }

    static func list(_ days: [Day]) -> String {
        let shown = days.prefix(3).map(CalendarText.day).joined(separator: ", ")
        return days.count > 3
            ? "\(shown) and \(Figures.counted(days.count - 3, "more day", plural: "more days"))" : shown
    }
}
