import Readiness
import Rollout
import Verifications

extension RolloutVerdict {
    /// The verdict on functions whose mark it has.
    var tone: Verdict {
        switch self {
        case .raise, .done: .enforce
        case .hold: .insufficient
        case .rollBack: .wait
        }
    }
}

extension RolloutReason {
    /// Why, in a sentence or two, and what to do.
    func sentence(_ assessment: RolloutAssessment) -> Wording {
        let most = assessment.policy.maxFailed
        let limit = Figures.exactRate(most)
        switch self {
        case .tooManyFailures(let lower):
            return "At least \(Figures.rate(lower, .down, against: most)) of users fail to attest; \(limit) is allowed."
        case .badDay(let day, let lower):
            let rate = Figures.rate(lower, .down, against: most)
            return "On \(CalendarText.day(day)) alone, at least \(rate) of users failed to attest; \(limit) is allowed."
        case .complete: return "Every user has App Attest. " + RolloutReason.remainder(assessment)
        case .notStarted:
            let first = assessment.policy.steps.first.map { ", \(Figures.exactRate($0 / 100))," } ?? ""
            return "The percentage is 0: nobody has App Attest yet. Publish the first step\(first) to begin."
        case .underReported(let share):
            return """
                Of the users who should have an App Attest event, only \(Figures.rate(share, .down)) have one; at least \
                \(Figures.exactRate(RolloutPolicy.leastReporting)) is required. Check that the released app logs the \
                events, and that few users have switched analytics off.
                """
        case .tooFewDays(let days):
            return """
                \(days == 0 ? "No complete day" : "Only \(Figures.counted(days, "complete day"))") with App Attest \
                events; at least \(String(RolloutPolicy.leastDays)) are required. Google Analytics completes a day \
                within \(String(RolloutPolicy.lateDays)) days.
                """
        case .fewFailures(let upper):
            return "At most \(Figures.rate(upper, .up, against: most)) of users fail to attest; \(limit) is allowed."
        case .fewUsers(let users):
            return """
                Only \(Figures.counted(users, "user")) so far: too few to know how many fail, and no sign of trouble. \
                Nothing is refused before enforcement, so raise the percentage to see more.
                """
        case .tooFewUsers(let upper):
            let lower = Figures.rate(assessment.lower, .down, against: most)
            return """
                Between \(lower) and \(Figures.rate(upper, .up, against: most)) of users fail to attest; \(limit) is \
                allowed. More users will decide.
                """
        }
    }

    /// What enforcement would refuse once everybody has App Attest, by the rule on functions.
    private static func remainder(_ assessment: RolloutAssessment) -> Wording {
        guard let rate = assessment.rate else { return "" }
        let (most, upper, lower) = (assessment.policy.maxBlocked, assessment.upper, assessment.lower)
        let limit = "the \(Figures.exactRate(most)) that a function is allowed"
        let comparison: Wording =
            if upper <= most {
                "which is within \(limit). \(code: "callcheck check") decides for each function."
            } else if lower > most {
                "which is more than \(limit). Let these users fall back to DeviceCheck first."
            } else {
                "and more users will show whether that is within \(limit)."
            }
        return """
            \(Figures.rate(rate)) of iOS users cannot attest (at most \(Figures.rate(upper, .up, against: most))); \
            enforcement would refuse about that share, 
            """ + comparison
    }
}
