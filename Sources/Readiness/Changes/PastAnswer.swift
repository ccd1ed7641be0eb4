package import Verifications

/// The answer of a report about one function, as far as a later report is compared with it.
package struct PastAnswer: Hashable, Codable, Sendable {
    package var asOf: Instant
    package var verdict: Verdict
    /// The day from which the verdict is `enforce`; nil where none is known.
    package var ready: Day?
    package var isLockout: Bool
    /// The comparison of refusals with the prediction; nil if enforcement is off, or too new to tell.
    package var aftermath: Aftermath.Comparison?
    /// Admitted and blocked requests of the window.
    package var requests: Int
    package var blocked: Int
    /// The names of the findings that needed action.
    package var urgent: Set<String>
    /// ``FunctionPolicy/fingerprint`` of the policy that it is based on.
    package var settings: UInt64

    package init(
        asOf: Instant, verdict: Verdict, ready: Day?, isLockout: Bool, aftermath: Aftermath.Comparison?, requests: Int,
        blocked: Int, urgent: Set<String> = [], settings: UInt64 = 0
    ) {
        self.asOf = asOf
        self.verdict = verdict
        self.ready = ready
        self.isLockout = isLockout
        self.aftermath = aftermath
        self.requests = requests
        self.blocked = blocked
        self.urgent = urgent
        self.settings = settings
    }

    package init(_ assessment: Assessment, asOf: Instant) {
        self.init(
            asOf: asOf, verdict: assessment.verdict, ready: assessment.readyDay, isLockout: assessment.isLockout,
            aftermath: assessment.aftermath?.answer, requests: assessment.period.admitted,
            blocked: assessment.period.blocked, urgent: Set(assessment.urgent.map(\.name)),
            settings: assessment.policy.fingerprint)
    }

    /// True where the log was too old to say anything about the day of the report.
    var isOfOldLog: Bool { urgent.contains(Finding.Code.exportOld.name) }
}

extension Summary {
    /// The answers of this summary about the functions of the log; empty if nothing is dated.
    package var answers: [FunctionIdentity: PastAnswer] {
        guard let asOf else { return [:] }
        let seen = functions.filter { $0.listing == .seen }
        return Dictionary(uniqueKeysWithValues: seen.map { ($0.identity, PastAnswer($0.assessment, asOf: asOf)) })
    }
}

extension Evaluator {
    /// The evaluator of the same log at the end of an earlier day, as if nothing later were known; it has no clock.
    ///
    /// Requests are kept by hour and day, so that an instant within a day would have all requests of that day.
    package func at(_ earlier: Instant) -> Evaluator { Evaluator(self, asOf: earlier) }

    /// Returns the rule's answers at the end of an earlier day about the functions that had a verification then.
    package func answers(at earlier: Instant) -> [FunctionIdentity: PastAnswer] {
        let evaluator = at(earlier)
        return tally.functions.reduce(into: [:]) { answers, function in
            guard function.value.first.map({ $0.day <= earlier.day }) ?? false else { return }
            answers[function.key] = PastAnswer(evaluator.assess(function.key), asOf: earlier)
        }
    }

    /// Returns the answers about some functions; of those without a verification there is none.
    package func answers(about functions: [FunctionIdentity]) -> [FunctionIdentity: PastAnswer] {
        guard let asOf else { return [:] }
        return functions.reduce(into: [:]) { answers, identity in
            guard tally.functions[identity] != nil else { return }
            answers[identity] = PastAnswer(assess(identity), asOf: asOf)
        }
    }
}
