import Readiness
import Verifications

extension Verdict {
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
    /// The verdict's sign; enforcement that locks people out is none to be ticked off.
    func mark(unicode: Bool) -> String {
        isLockout ? Verdict.wait.mark(unicode: unicode) : verdict.mark(unicode: unicode)
    }

    var ink: Ink {
        isLockout ? .bad : verdict.ink
    }

    /// The reason that the verdict comes from; a lock-out is more to say than that enforcement is on.
    ///
    /// Nil for many functions together.
    var decidingReason: Reason? {
        reasons.first { if case .lockout = $0 { true } else { false } } ?? reasons.first
    }

    static let pooled: Wording = "many functions together"
}

extension FunctionSummary {
    /// The one number that decided, in requests and days rather than rates: `about 4, at most 31 of 4,200 a day`.
    var brief: Wording {
        switch listing {
        case .seen: assessment.decidingReason?.brief(assessment.evidence) ?? Assessment.pooled
        case .deployed(let trigger): FunctionSummary.deployed(trigger)
        case .unmatched(let suggestion): FunctionSummary.unmatched(suggestion)
        }
    }

    /// What is known of a function that an inventory names and no log entry does.
    static func deployed(_ trigger: InventoryEntry.Trigger) -> Wording {
        trigger == .callable ? "deployed, no request" : "deployed, no request, perhaps not callable"
    }

    static func unmatched(_ suggestion: String?) -> Wording {
        suggestion.map { "no such function; did you mean \(name: $0)?" } ?? "no such function"
    }
}

extension Reason {
    func brief(_ evidence: Evidence) -> Wording {
        switch self {
        case .safe:
            Reason.perDay(
                evidence.blocked == 0 ? "none" : Figures.about(evidence.blockedPerDay),
                "at most \(Figures.amount(evidence.blockedPerDayUpper, .up))", of: evidence.admitted,
                evidence.observedDays)
        case .tooManyBlocked(let lower, _, let blocked, let admitted, let window):
            Reason.perDay(
                Figures.about(Double(blocked) / evidence.observedDays(in: window)),
                "at least \(Figures.amount(lower * Double(admitted) / evidence.observedDays(in: window), .down))",
                of: admitted, Int(evidence.observedDays(in: window)))
        case .unstableDay(let days, _):
            days.max { $0.lower < $1.lower }.map { day in
                "\(Figures.grouped(day.blocked)) of \(Figures.grouped(day.admitted)) on \(CalendarText.day(day.day))"
            } ?? ""
        case .exempt(let because): "\(because)"
        case .enforced(let since): "since \(CalendarText.day(since))"
        case .lockout(_, _, let blocked, let admitted):
            "locks out \(Figures.grouped(blocked)) of \(Figures.grouped(admitted)) signed-in"
        case .superseded(let successor): "by \(name: successor.name), generation 2"
        case .passesNotSeen(let day, let verifications):
            "0 of \(Figures.grouped(verifications)) passed\(day.map { " on \(CalendarText.day($0))" } ?? "")"
        case .noTraffic(let last): last.map { "no request since \(CalendarText.day($0))" } ?? "no request at all"
        case .stale(let last, _, _): "silent since \(CalendarText.day(last))"
        case .exportOld(_, let hours, _): "log is \(Figures.duration(hours: hours)) old"
        case .mostlyInvalid(let invalid, let blocked):
            "\(Figures.grouped(invalid)) of \(Figures.grouped(blocked)) blocked are INVALID"
        case .tooFewRequests(let missing, _, _, let admitted):
            "\(Figures.counted(admitted, "request")), \(Figures.grouped(missing)) more needed"
        case .tooFewDays(let age, let limit): "log of \(Figures.grouped(age)) of \(Figures.counted(limit, "day"))"
        case .tooFewActiveDays(let days, let limit):
            "requests on \(Figures.grouped(days)) of \(Figures.counted(limit, "day"))"
        case .coverageGap(let days): "\(Figures.counted(days.count, "day")) without data"
        case .failuresNotSeen: "stderr log not exported"
        case .failuresStopped(let days, _): "no failures for \(Figures.days(days)), stderr log missing?"
        case .notConfirmed(let nights, let required):
            "almost ready: safe on \(Figures.grouped(nights)) of \(Figures.counted(required, "day"))"
        case .uncounted(let records, _, _): "\(Figures.counted(records, "record")) could not be read"
        case .unattributed: "project unknown"
        case .mixedProvenance: "some entries are forged"
        case .anonymousOnly, .cleanSince, .allRefused, .failuresUnproven, .textOnly, .safeTogether, .recentTrouble,
            .shiftedToInvalid, .sdk3:
            wording
        }
    }

    /// `about 4, at most 31 of 4,200 a day`.
    private static func perDay(_ expected: String, _ bound: String, of admitted: Int, _ days: Int) -> Wording {
        "\(expected), \(bound) of \(Figures.amount(Double(admitted) / Double(max(1, days)))) a day"
    }
}

extension Evidence {
    /// Observed days of a window that ends like the one judged, at least 1.
    fileprivate func observedDays(in window: Window) -> Double {
        Double(max(1, min(window.dayCount, observedDays)))
    }
}
