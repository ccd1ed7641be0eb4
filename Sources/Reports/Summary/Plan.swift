import Readiness
import Verifications

extension Summary {
    /// What to do with the verdicts: whom to let in again, how many functions are ready, and where to begin.
    ///
    /// Nil without functions.
    var plan: Wording? {
        guard functions.contains(where: \.isFunction) else { return nil }
        return lockouts + (ready.isEmpty ? noneReady : next) + together
    }

    /// Quiet functions that are ready in one step.
    private var together: Wording {
        groups.filter { $0.verdict == .enforce }.reduce("") { text, group in
            let bound = Figures.rate(group.evidence.blockedRateUpper, .up, against: group.maxBlocked)
            return text
                + """
                 In one step: \(Figures.counted(group.members.count, "quiet function")) together, at most \(bound) of \
                \(Figures.counted(group.evidence.admitted, "request")).
                """
        }
    }

    /// The functions that may be enforced, in the order in which to do it.
    ///
    /// A mistake hurts least where the fewest requests come in; functions without recent trouble come first.
    var ready: [FunctionSummary] {
        functions.filter { $0.assessment.verdict == .enforce }.sorted {
            ($0.hadTrouble ? 1 : 0, $0.requestsPerDay, ExactName($0.name))
                < ($1.hadTrouble ? 1 : 0, $1.requestsPerDay, ExactName($1.name))
        }
    }

    private var next: Wording {
        let names = names(of: ready)
        let troubled = self.names(of: ready.filter(\.hadTrouble))
        let trouble: Wording =
            troubled.isEmpty
            ? "" : " Of late there was trouble with \(names: troubled): know why before you enforce there."
        guard ready.count > 1 else {
            return """
                Ready: 1. Enforce next: \(name: names[0]). Then watch it for a day; rolling back needs a redeploy.
                """ + trouble
        }
        return """
            Ready: \(Figures.grouped(ready.count)). Enforce next: \(names: Array(names.prefix(3))) (fewest requests at \
            stake). One at a time, a day apart; rolling back needs a redeploy.
            """ + trouble
    }

    private var lockouts: Wording {
        let lockedOut = functions.filter(\.assessment.isLockout)
        guard !lockedOut.isEmpty else { return "" }
        return """
            Signed-in people are locked out of \(names: names(of: lockedOut)): deploy \
            \(lockedOut.count == 1 ? "it" : "them") without enforcement again. 
            """
    }

    /// What verdicts are held against, and what the numbers beside them are.
    var basis: Wording {
        let isOn = functions.contains(where: \.assessment.isLockout) ? ", or does where it is on" : ""
        let guarded = policy.requiresAuth ? " Only signed-in requests count." : ""
        return """
            Enforcement may refuse at most \(Figures.exactRate(policy.maxBlocked)) of requests, with \
            \(Figures.exactRate(policy.confidence)) confidence; the numbers beside a verdict are requests that it \
            would refuse\(isOn).\(guarded)
            """
    }

    private var noneReady: Wording {
        firstExpected.map { "Ready: none yet. " + $0 } ?? "Ready: none yet."
    }

    /// Which function will be ready first; nil when no day is known for any.
    var firstExpected: Wording? {
        let dates = functions.compactMap { function -> (day: Day, name: ExactName)? in
            guard case .date(let day, _) = function.assessment.outlook else { return nil }
            return (day, ExactName(function.name))
        }
        guard let next = dates.min(by: <) else { return nil }
        return "First, if things go on as they do: \(name: next.name.text), on \(CalendarText.day(next.day))."
    }
}

extension FunctionSummary {
    var hadTrouble: Bool {
        assessment.reasons.contains { if case .excess(.recentTrouble) = $0 { true } else { false } }
    }

    fileprivate var requestsPerDay: Double {
        let evidence = assessment.evidence
        return Double(evidence.admitted) / Double(max(1, evidence.observedDays))
    }
}
