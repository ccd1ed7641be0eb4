import Readiness
import Verifications

/// The answer in the largest letters, and what to do about it in the sentences below.
struct Headline {
    let title: Wording
    let lead: [Wording]
    /// The verdict that has the sign and the colour of the answer.
    let mark: Verdict

    init(_ summary: Summary) {
        let ready = summary.ready
        let lockedOut = summary.names(of: summary.functions.filter(\.assessment.isLockout))
        let standing = Headline.standing(summary)
        let next: Wording = ready.isEmpty ? "" : "Enforce \(name: ready[0].name) next."
        if !lockedOut.isEmpty {
            mark = .wait
            title = "Signed-in people are locked out of \(names: lockedOut)."
            lead = [
                """
                Deploy \(lockedOut.count == 1 ? "it" : "them") without enforcement again before anything else.
                """,
                standing + (ready.isEmpty ? "" : " ") + next,
            ]
        } else {
            mark = ready.isEmpty ? .insufficient : .enforce
            title = standing
            lead = [Headline.plan(summary)].compactMap { $0 }
        }
    }

    /// How many of all functions are ready.
    private static func standing(_ summary: Summary) -> Wording {
        let total = summary.functions.count(where: \.isFunction)
        let ready = summary.ready.count
        guard total > 0 else { return "No callable function was found." }
        if total == 1 {
            return ready == 1 ? "The function is ready to enforce." : "The function is not ready to enforce."
        }
        let all = Figures.grouped(total)
        if ready == 0 { return "None of \(all) functions is ready to enforce." }
        if ready == total { return "All \(all) functions are ready to enforce." }
        return "\(Figures.grouped(ready)) of \(all) functions \(ready == 1 ? "is" : "are") ready to enforce."
    }

    private static func plan(_ summary: Summary) -> Wording? {
        let names = summary.names(of: summary.ready)
        guard !names.isEmpty else { return nil }
        let troubled = summary.names(of: summary.ready.filter(\.hadTrouble))
        let trouble: Wording =
            troubled.isEmpty
            ? "" : " Of late there was trouble with \(names: troubled): know why before you enforce there."
        guard names.count > 1 else {
            return "Enforce \(name: names[0]) next. Then watch it for a day; rolling back needs a redeploy." + trouble
        }
        return """
            Enforce \(name: names[0]) next, where fewest requests are at stake, then \
            \(names: Array(names.dropFirst().prefix(3))). One at a time, a day apart; rolling back needs a redeploy.
            """ + trouble
    }
}
