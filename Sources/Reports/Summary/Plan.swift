import Readiness
import Verifications

extension Summary {
    /// How many functions can be enforced, and which is next, in one line.
    var headline: Wording {
        let count = functions.count(where: \.isFunction)
        let answer = "\(Figures.grouped(ready.count)) of \(Figures.grouped(count)) functions can be enforced today."
        guard let next = ready.first else { return "\(answer)" + (firstExpected.map { " " + $0 } ?? "") }
        let evidence = next.assessment.evidence
        let refused = evidence.blocked == 0 ? "none" : Figures.amount(evidence.blockedPerDay)
        return """
            \(answer) Next: \(name: names(of: [next])[0]) (\(refused) of \(Figures.amount(next.requestsPerDay)) requests \
            a day would be refused).
            """
    }

    /// What comes before any enforcement, and what can be enforced in one step; usually empty.
    var advice: [Wording] {
        let refusing = functions.filter(\.assessment.isLockout)
        let rollback: [Wording] =
            refusing.isEmpty
            ? []
            : [
                """
                \(names: names(of: refusing)) \(refusing.count == 1 ? "refuses" : "refuse") signed-in users: \
                redeploy \(refusing.count == 1 ? "it" : "them") without enforcement.
                """
            ]
        return rollback
            + groups.filter { $0.verdict == .enforce }.map { group in
                let bound = Figures.rate(group.evidence.blockedRateUpper, .up, against: group.maxBlocked)
                return """
                    Enforce \(Figures.counted(group.members.count, "quiet function")) in one step: at most \(bound) of \
                    their \(Figures.counted(group.evidence.admitted, "request")) would be refused.
                    """
            }
    }

    /// The functions that can be enforced, in the order in which to do it.
    var ready: [FunctionSummary] {
        functions.filter { $0.assessment.verdict == .enforce }.inOrderOfEnforcement
    }

    /// The limits that verdicts are based on.
    var basis: Wording {
        let guarded = policy.requiresAuth ? "signed-in requests" : "requests"
        return """
            Ready: at most \(Figures.exactRate(policy.maxBlocked)) of \(guarded) would be refused \
            (\(Figures.exactRate(policy.confidence)) confidence)\
            \(policy.confirm > 1 ? ", on \(policy.confirm) days in a row" : "").
            """
    }

    /// What to type next, and how to go about it; empty without functions.
    var hints: [Wording] {
        func busiest(_ standing: Standing) -> FunctionSummary? {
            functions.filter { $0.isFunction && $0.identity != .pooled && $0.assessment.standing == standing }
                .max { $0.totals.total < $1.totals.total }
        }
        let busiest = busiest(.notSafe) ?? busiest(.unsure)
        let explain: [Wording] =
            busiest.map {
                ["\(code: "callcheck explain") \(name: $0.name) shows why, and what would change it."]
            } ?? []
        return explain + waits
            + (ready.isEmpty
                ? [] : ["Enforce one function at a time, a day apart. Undoing it takes another deployment."])
    }

    /// Which app versions must disappear before the busiest functions are ready.
    private var waits: [Wording] {
        functions.compactMap { function in
            function.outdatedWording("\(name: function.name)").map { (function: function, wording: $0) }
        }.sorted {
            ($1.function.requestsPerDay, ExactName($0.function.name))
                < ($0.function.requestsPerDay, ExactName($1.function.name))
        }.prefix(3).map(\.wording)
    }

    /// Which function will be ready first; nil when no day is known for any.
    private var firstExpected: Wording? {
        let dates = functions.compactMap { function -> (day: Day, name: ExactName)? in
            guard case .date(let day, _) = function.assessment.outlook else { return nil }
            return (day, ExactName(function.name))
        }
        guard let next = dates.min(by: <) else { return nil }
        return "At the current rate, \(name: next.name.text) will be first, on \(CalendarText.day(next.day))."
    }
}

extension Sequence<FunctionSummary> {
    /// A mistake does least harm where the fewest requests come in; functions without recent trouble come first.
    var inOrderOfEnforcement: [FunctionSummary] {
        sorted {
            ($0.hadTrouble ? 1 : 0, $0.requestsPerDay, ExactName($0.name))
                < ($1.hadTrouble ? 1 : 0, $1.requestsPerDay, ExactName($1.name))
        }
    }
}

extension FunctionSummary {
    /// Which app version must disappear before the function is ready, and when that will be.
    ///
    /// Nil where most of what would be refused comes from elsewhere, and where nothing counts against the function.
    func outdatedWording(_ subject: @autoclosure () -> Wording) -> Wording? {
        let numbers = assessment.policy.numbers
        guard [.wait, .investigate, .insufficient].contains(assessment.verdict),
            assessment.evidence.blockedRateUpper > numbers.maxBlocked,
            let clients = callers?.clients, let outdated = clients.outdated,
            2 * outdated.blocked > clients.callers.blockedJoined
        else { return nil }
        let wait: Wording = """
            \(subject()) waits for \(name: outdated.app) \(name: outdated.version) and older to disappear.
            """
        switch clients.decline {
        case .isOver: return nil
        case .through(let day):
            return """
                \(wait) If their share of the requests keeps falling as in the last two weeks, it will be below \
                \(Figures.exactRate(numbers.maxBlocked)) on \(CalendarText.day(day)).
                """
        case .isUnknown, nil:
            return "\(wait) Their share of the requests is not falling enough to name a day."
        }
    }

    var hadTrouble: Bool {
        assessment.reasons.contains { if case .excess(.recentTrouble) = $0 { true } else { false } }
    }

    fileprivate var requestsPerDay: Double {
        let evidence = assessment.evidence
        return Double(evidence.admitted) / Double(max(1, evidence.observedDays))
    }
}
