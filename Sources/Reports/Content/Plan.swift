import Readiness
import Verifications

extension Summary {
    /// What to do with the verdicts: how many functions are ready, and where to begin.
    ///
    /// Nil without functions.
    var plan: Wording? {
        guard !functions.isEmpty else { return nil }
        // Where fewest requests come in, a mistake hurts least.
        let ready = functions.filter { $0.assessment.verdict == .enforce }
            .sorted { ($0.requestsPerDay, $0.name) < ($1.requestsPerDay, $1.name) }
        switch ready.count {
        case 0: return noneReady
        case 1:
            return """
                Ready: 1. Enforce next: \(name: ready[0].name). Then watch it for a day; rolling back needs a redeploy.
                """
        default:
            return """
                Ready: \(Figures.grouped(ready.count)). Enforce next: \(names: Array(ready.prefix(3).map(\.name))) \
                (fewest requests at stake). One at a time, a day apart; rolling back needs a redeploy.
                """
        }
    }

    /// What verdicts are held against, and what the numbers beside them are.
    var basis: Wording {
        let guarded = policy.requiresAuth ? " Only signed-in requests count." : ""
        return """
            Enforcement may refuse at most \(Figures.exactRate(policy.maxBlocked)) of requests, with \
            \(Figures.exactRate(policy.confidence)) confidence; the numbers beside a verdict are requests that it \
            would refuse.\(guarded)
            """
    }

    private var noneReady: Wording {
        let dates = functions.compactMap { function -> (day: Day, name: String)? in
            guard case .date(let day, _) = function.assessment.outlook else { return nil }
            return (day, function.name)
        }
        guard let next = dates.min(by: { ($0.day, $0.name) < ($1.day, $1.name) }) else { return "Ready: none yet." }
        return """
            Ready: none yet. First, if things go on as they do: \(name: next.name), on \(CalendarText.day(next.day)).
            """
    }
}

extension FunctionSummary {
    fileprivate var requestsPerDay: Double {
        let evidence = assessment.evidence
        return evidence.window.map { Double(evidence.admitted) / Double($0.dayCount) } ?? 0
    }
}
