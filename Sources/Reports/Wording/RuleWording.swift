import Readiness
import Verifications

/// A clause of the rule as one would write it down, and what was measured.
struct RuleOutcome {
    /// `blocked ≤ 1%`.
    let rule: String
    /// `at most 0.38% of 4,200 in 7 days`.
    let measured: Wording
}

extension FunctionSummary {
    /// The clause that decided about the function.
    func outcome(unicode: Bool) -> RuleOutcome {
        switch listing {
        case .unmatched(let suggestion):
            return RuleOutcome(rule: "known function", measured: FunctionSummary.unmatched(suggestion))
        case .deployed(let trigger):
            return RuleOutcome(rule: Reason.anyRequest, measured: FunctionSummary.deployed(trigger))
        case .seen:
            return assessment.decidingReason?.outcome(assessment.evidence, unicode: unicode)
                ?? RuleOutcome(rule: "one function", measured: Assessment.pooled)
        }
    }
}

extension Reason {
    /// The clause that the reason comes from, and what was measured.
    func outcome(_ evidence: Evidence, unicode: Bool) -> RuleOutcome {
        RuleOutcome(rule: rule(unicode: unicode), measured: measured(evidence))
    }

    fileprivate static let anyRequest = "requests > 0"

    /// The clause that the reason comes from.
    private func rule(unicode: Bool) -> String {
        let (atMost, atLeast) = unicode ? ("≤", "≥") : ("<=", ">=")
        switch self {
        case .exempt: return "exempt by policy"
        case .enforced: return "enforced by policy"
        case .lockout(_, let limit, _, _): return "signed-in blocked \(atMost) \(Figures.exactRate(limit))"
        case .superseded: return "superseded"
        case .passesNotSeen: return "passed > 0"
        case .noTraffic: return Reason.anyRequest
        case .stale: return "silent \(atMost) \(Figures.counted(Int(limit ?? 0), "day"))"
        case .exportOld: return "export \(atMost) \(Figures.amount(limit ?? 0)) h old"
        case .tooManyBlocked(_, let limit, _, _, _), .tooFewRequests(_, _, let limit, _), .safe(_, let limit):
            return "blocked \(atMost) \(Figures.exactRate(limit))"
        case .unstableDay(_, let limit):
            return "blocked \(atMost) \(Figures.exactRate(limit)) each day"
        case .tooFewDays(_, let limit): return "log \(atLeast) \(Figures.counted(limit, "day"))"
        case .tooFewActiveDays(_, let limit): return "active \(atLeast) \(Figures.counted(limit, "day"))"
        case .coverageGap: return "no day without data"
        case .failuresNotSeen: return "failures exported"
        case .failuresStopped: return "failures missing \(atMost) \(Figures.amount(limit ?? 0))"
        case .uncounted(_, _, let limit): return "with unreadable records \(atMost) \(Figures.exactRate(limit))"
        case .unattributed: return "known project"
        case .mixedProvenance: return "one kind of entries"
        case .notConfirmed(_, let required): return "safe \(atLeast) \(Figures.counted(required, "day"))"
        // These never decide.
        case .mostlyInvalid, .anonymousOnly, .cleanSince, .allRefused, .failuresUnproven, .textOnly, .safeTogether,
            .recentTrouble, .shiftedToInvalid, .sdk3:
            return code
        }
    }

    /// What was measured, with the size of the sample.
    private func measured(_ evidence: Evidence) -> Wording {
        switch self {
        case .safe(let upper, let limit):
            "at most \(Figures.rate(upper, .up, against: limit)) of \(evidence.sample)"
        case .tooFewRequests(let missing, let upper, let limit, _):
            """
            at most \(Figures.rate(upper, .up, against: limit)) of \(evidence.sample); \
            \(Figures.grouped(missing)) more needed
            """
        case .tooManyBlocked(let lower, let limit, _, let admitted, let window):
            """
            at least \(Figures.rate(lower, .down, against: limit)) of \(Figures.grouped(admitted)) in \
            \(Figures.counted(window.dayCount, "day"))
            """
        case .unstableDay(let days, let limit):
            days.max { $0.lower < $1.lower }.map { day in
                """
                at least \(Figures.rate(day.lower, .down, against: limit)) of \
                \(Figures.grouped(day.admitted)) on \(CalendarText.day(day.day))
                """
            } ?? ""
        case .lockout(let lower, let limit, _, let admitted):
            """
            at least \(Figures.rate(lower, .down, against: limit)) of \
            \(Figures.grouped(admitted)): locked out
            """
        case .enforced(let since): "since \(CalendarText.day(since)), no lock-out seen"
        case .exportOld(let newest, let hours, _):
            "\(Figures.duration(hours: hours)), newest of \(CalendarText.minute(newest)) UTC"
        case .stale(let last, let silentDays, _):
            "\(Figures.counted(silentDays, "day")), since \(CalendarText.day(last))"
        case .tooFewDays(let age, _): "\(Figures.counted(age, "day"))"
        case .tooFewActiveDays(let days, _):
            "\(Figures.counted(days, "day")) with \(Figures.counted(evidence.admitted, "request"))"
        case .coverageGap(let days): "\(Reason.list(days))"
        case .failuresStopped(let days, let perDay):
            "\(Figures.amount(days * perDay)) within \(Figures.days(days))"
        case .notConfirmed(let nights, _): "\(Figures.counted(nights, "day"))"
        default: brief(evidence)
        }
    }
}

extension Evidence {
    /// `4,200 in 7 days`.
    fileprivate var sample: String {
        Figures.grouped(admitted) + (window.map { " in \(Figures.counted($0.dayCount, "day"))" } ?? "")
    }
}
