public import Verifications

/// Why a verdict is what it is, with all that is needed to say it in words.
///
/// The wording is not here. ``code`` is the spelling in machine-readable output, ``value`` and ``limit`` are the number
/// that was measured and the one it was held against, where a code has such numbers.
public enum Reason: Hashable, Sendable {
    /// The policy exempts the function, for the reason given.
    case exempt(because: String)
    /// The policy says that enforcement is on since a day.
    case enforced(since: Day)
    /// Enforcement refuses signed-in requests: the lower bound of their blocked rate exceeds the maximum.
    case lockout(lower: Double, limit: Double, blocked: Int, admitted: Int)
    /// A generation 2 function of the same name has taken over.
    case superseded(by: FunctionIdentity)
    /// No verification passed in the window, or on the given day of it.
    case passesNotSeen(day: Day?, verifications: Int)
    /// No verification in the window; the last day with one, if there is any.
    case noTraffic(last: Day?)
    /// Silent for longer than the function's own pauses explain.
    case stale(last: Day, silentDays: Int, longestDistance: Int)
    /// The newest verification of the project is too old to speak of today.
    case exportOld(newest: Instant, hours: Double, limit: Int)
    /// The lower bound of the blocked rate exceeds the maximum.
    case tooManyBlocked(lower: Double, limit: Double, blocked: Int, admitted: Int, window: Window)
    /// Days on which blocked requests were too many, ascending; at least one.
    case unstableDay([UnstableDay], limit: Double)
    /// At least half of the blocked requests had their App Check token refused.
    case mostlyInvalid(invalid: Int, blocked: Int)
    /// The upper bound exceeds the maximum and the lower one does not: that many more clean requests would do.
    case tooFewRequests(missing: Int, upper: Double, limit: Double, admitted: Int)
    /// The function's log is younger than the policy wants.
    case tooFewDays(age: Int, limit: Int)
    /// Requests were admitted on too few days of the window.
    case tooFewActiveDays(days: Int, limit: Int)
    /// Days of the window on which the project has no verification, ascending.
    case coverageGap([Day])
    /// Generation 2 has no failed verification, and its standard-error log was never read.
    case failuresNotSeen
    /// Failed verifications ended `days` before the as-of instant, though `perDay` came before.
    case failuresStopped(days: Double, perDay: Double)
    /// Records that could not be counted might be blocked requests, and with them the upper bound exceeds the maximum.
    case uncounted(records: Int, upper: Double, limit: Double)
    /// The log does not say which project the function belongs to.
    case unattributed
    /// Entries that claim to be the SDK's are of two kinds, so that some must be forged.
    case mixedProvenance(ProvenanceMix)
    /// The upper bound is within the maximum, and nothing else speaks against enforcement.
    case safe(upper: Double, limit: Double)
    /// Nothing else speaks against enforcement, but not yet on enough days in a row.
    case notConfirmed(nights: Int, required: Int)
    /// Advice: signed-in callers alone would be safe to enforce.
    case anonymousOnly(blocked: Int, signedInBlocked: Int, signedInUpper: Double, limit: Double)
    /// Advice: no blocked request in the last active days, from the given one on.
    case cleanSince(Day, activeDays: Int)
    /// Advice: no verification of the window passed, though the log would show it.
    case allRefused(verifications: Int)
    /// Advice: safe, but not one failed verification of the generation shows that failures are in the log.
    case failuresUnproven(admitted: Int)
    /// Advice: judged on text that the function itself could have written.
    case textOnly
    /// Advice: with other quiet functions of its project together it is safe.
    case safeTogether(functions: Int, blocked: Int, admitted: Int, upper: Double, limit: Double)
    /// Advice: safe, but there were unstable days lately.
    case recentTrouble([UnstableDay], limit: Double)
    /// Advice: refused tokens took the place of missing ones, or the other way round.
    case shiftedToInvalid(olderShare: Double, newerShare: Double)
    /// Advice: passes were written at INFO only, by an SDK that cannot enforce and refuses INVALID already.
    case sdk3
}

/// Why entries that claim to be the SDK's cannot all be: it writes one kind.
public enum ProvenanceMix: Hashable, Sendable {
    /// Text without labels beside the labelled ones.
    case text(unlabelled: Int, labelled: Int)
    /// Passes at DEBUG and at another severity, on that many days.
    case severities(days: Int)
}

extension Reason {
    /// The spelling in machine-readable output.
    public var code: String {
        switch self {
        case .exempt: "exempt"
        case .enforced: "enforced"
        case .lockout: "lockout"
        case .superseded: "superseded"
        case .passesNotSeen: "passes-not-seen"
        case .noTraffic: "no-traffic"
        case .stale: "stale"
        case .exportOld: "export-old"
        case .tooManyBlocked: "too-many-blocked"
        case .unstableDay: "unstable-day"
        case .mostlyInvalid: "mostly-invalid"
        case .tooFewRequests: "too-few-requests"
        case .tooFewDays: "too-few-days"
        case .tooFewActiveDays: "too-few-active-days"
        case .coverageGap: "coverage-gap"
        case .failuresNotSeen: "failures-not-seen"
        case .failuresStopped: "failures-stopped"
        case .uncounted: "uncounted"
        case .unattributed: "unattributed"
        case .mixedProvenance: "mixed-provenance"
        case .safe: "safe"
        case .notConfirmed: "not-confirmed"
        case .anonymousOnly: "anonymous-only"
        case .cleanSince: "clean-since"
        case .allRefused: "all-refused"
        case .failuresUnproven: "failures-unproven"
        case .textOnly: "text-only"
        case .safeTogether: "safe-together"
        case .recentTrouble: "recent-trouble"
        case .shiftedToInvalid: "shifted-to-invalid"
        case .sdk3: "sdk-3"
        }
    }

    /// True for what never changes a verdict.
    public var isAdvice: Bool {
        switch self {
        case .anonymousOnly, .cleanSince, .allRefused, .failuresUnproven, .textOnly, .safeTogether, .recentTrouble,
            .shiftedToInvalid, .sdk3:
            true
        default: false
        }
    }

    /// What was measured: a rate, a share, or a number of requests, days, hours or nights.
    public var value: Double? {
        switch self {
        case .exempt, .enforced, .superseded, .noTraffic, .failuresNotSeen, .unattributed, .textOnly, .sdk3: nil
        case .lockout(let lower, _, _, _), .tooManyBlocked(let lower, _, _, _, _): lower
        case .passesNotSeen(_, let verifications): Double(verifications)
        case .stale(_, let silentDays, _): Double(silentDays)
        case .exportOld(_, let hours, _): hours
        case .unstableDay(let days, _), .recentTrouble(let days, _): days.map(\.lower).max()
        case .mostlyInvalid(let invalid, let blocked): Double(invalid) / Double(blocked)
        case .tooFewRequests(let missing, _, _, _): Double(missing)
        case .tooFewDays(let days, _), .tooFewActiveDays(let days, _), .cleanSince(_, let days): Double(days)
        case .coverageGap(let days): Double(days.count)
        case .failuresStopped(let days, let perDay): days * perDay
        case .uncounted(let records, _, _): Double(records)
        case .mixedProvenance(.text(let unlabelled, let labelled)): Double(unlabelled) / Double(labelled)
        case .mixedProvenance(.severities(let days)): Double(days)
        case .safe(let upper, _), .anonymousOnly(_, _, let upper, _), .safeTogether(_, _, _, let upper, _): upper
        case .allRefused(let requests), .failuresUnproven(let requests): Double(requests)
        case .notConfirmed(let nights, _): Double(nights)
        case .shiftedToInvalid(_, let newerShare): newerShare
        }
    }

    /// What ``value`` was held against.
    public var limit: Double? {
        switch self {
        case .lockout(_, let limit, _, _), .tooManyBlocked(_, let limit, _, _, _), .unstableDay(_, let limit),
            .safe(_, let limit), .anonymousOnly(_, _, _, let limit), .safeTogether(_, _, _, _, let limit),
            .recentTrouble(_, let limit):
            limit
        case .stale(_, _, let longestDistance): Double(Staleness.limit(longestDistance: longestDistance))
        case .exportOld(_, _, let limit): Double(limit)
        case .mostlyInvalid: 0.5
        case .tooFewDays(_, let limit), .tooFewActiveDays(_, let limit): Double(limit)
        case .failuresStopped: FailureStream.expectedFailures
        case .notConfirmed(_, let required): Double(required)
        case .mixedProvenance(.text): 0.1
        case .mixedProvenance(.severities): Double(Rule.mixedDays)
        case .exempt, .enforced, .superseded, .passesNotSeen, .noTraffic, .tooFewRequests, .coverageGap,
            .failuresNotSeen, .uncounted, .unattributed, .cleanSince, .allRefused, .failuresUnproven, .textOnly,
            .shiftedToInvalid, .sdk3:
            nil
        }
    }
}
