import Readiness
import Verifications

extension GateCheck {
    /// What it means for a pipeline, and why.
    func conclusion(_ summary: Summary, isPage: Bool = false) -> Wording {
        let answer = gate.answer(to: summary)
        let label: Wording =
            switch answer {
            case .passed where isIncomplete(summary):
                "Not passed, as the input could not be read in full (see below). On the readable data"
            case .passed: isPage ? "Gate passed" : "Passed"
            case .failed: isPage ? "Gate failed" : "Failed"
            case .unsure: "Cannot tell yet"
            case .nothingSelected: "Nothing was checked"
            }
        return label + ": " + reason(of: answer, summary) + (answer == .passed ? caveats(summary) : "")
    }

    /// What makes a pass less sure than it looks.
    private func caveats(_ summary: Summary) -> Wording {
        let input = summary.input
        var caveats: [Wording] = []
        if let flag = summary.policy.assumeComplete.flag { caveats.append("\(code: flag)") }
        if input.malformed > 0 {
            caveats.append("leaving out \(Figures.counted(input.malformed, "malformed record"))")
        }
        if input.oversized > 0 {
            caveats.append("leaving out \(Figures.counted(input.oversized, "oversized record"))")
        }
        guard let first = caveats.first else { return "" }
        return caveats.dropFirst().reduce(" This is based on " + first) { $0 + " and on " + $1 } + "."
    }

    func tone(_ summary: Summary) -> Verdict {
        switch gate.answer(to: summary) {
        case .passed: isIncomplete(summary) ? .insufficient : .enforce
        case .failed: .wait
        case .unsure, .nothingSelected: .insufficient
        }
    }

    private func reason(of answer: Gate.Answer, _ summary: Summary) -> Wording {
        func standing(_ standing: Standing) -> [FunctionSummary] {
            summary.functions.filter { gate.standing(of: $0.assessment) == standing }
        }
        let total = summary.functions.count
        let unsure = standing(.unsure)
        switch answer {
        case .nothingSelected: return GateCheck.nothingSelected(summary)
        case .unsure:
            return """
                no function is known to be unsafe to enforce, but too little is known about \
                \(GateCheck.count(unsure.count, of: total)): \(names: summary.names(of: unsure)).
                """
        case .failed where gate.failOn == .lockout:
            let lockedOut = standing(.lockedOut)
            return """
                \(GateCheck.count(lockedOut.count, of: total)) \(lockedOut.count == 1 ? "refuses" : "refuse") signed-in \
                users: \(names: summary.names(of: lockedOut)).
                """
        case .failed:
            let notSafe = standing(.notSafe)
            return """
                \(GateCheck.count(notSafe.count, of: total)) \(notSafe.count == 1 ? "is" : "are") not safe to \
                enforce: \(names: summary.names(of: notSafe)).
                """ + rest(unsure, summary, beside: true)
        case .passed: return passed(summary, notSafe: standing(.notSafe), unsure: unsure)
        }
    }

    private func passed(_ summary: Summary, notSafe: [FunctionSummary], unsure: [FunctionSummary]) -> Wording {
        switch gate.failOn {
        case .lockout:
            let enforced = summary.functions.count { $0.assessment.verdict == .enforced }
            guard enforced > 0 else {
                return """
                    by policy, no function is enforced, so there was nothing to check. Set \
                    \(code: "enforced: DATE") for those that are.
                    """
            }
            let place = enforced == 1 ? "the enforced function" : "the \(Figures.grouped(enforced)) enforced functions"
            return "no signed-in users are refused by \(place)."
        case .notSafe where !unsure.isEmpty:
            return "no function is known to be unsafe to enforce." + rest(unsure, summary, beside: false)
        case .notSafe, .unsure:
            return "\(GateCheck.clear(summary))." + lockouts(summary)
        }
    }

    /// What to do about it.
    func next(_ summary: Summary) -> Wording? {
        let listed = [Standing.lockedOut, .notSafe, .unsure].lazy.flatMap { standing in
            summary.functions.filter { gate.standing(of: $0.assessment) == standing }
        }
        let first = listed.first {
            $0.isFunction && $0.identity != .pooled && $0.name != FunctionIdentity.unknown
        }
        guard let first else { return nil }
        return "\(code: "callcheck explain") \(name: first.name) shows why, and what would change it."
    }

    /// What else there is that did not decide.
    private func rest(_ unsure: [FunctionSummary], _ summary: Summary, beside: Bool) -> Wording {
        guard !unsure.isEmpty else { return lockouts(summary) }
        return """
             Too little is known about \(Figures.grouped(unsure.count))\(beside ? " more" : ""): \
            \(names: summary.names(of: unsure)).
            """ + lockouts(summary)
    }

    private func lockouts(_ summary: Summary) -> Wording {
        let lockedOut = summary.functions.filter { $0.assessment.isLockout }
        guard !lockedOut.isEmpty else { return "" }
        return """
             But \(names: summary.names(of: lockedOut)), already enforced, \
            \(lockedOut.count == 1 ? "refuses" : "refuse") signed-in users: \(code: "--fail-on lockout") fails on that.
            """
    }

    /// `all 4 functions can be enforced`, or what else they are.
    private static func clear(_ summary: Summary) -> String {
        var counts = [
            (Verdict.enforce, "can be enforced", "can be enforced"), (.exempt, "is exempt", "are exempt"),
            (.enforced, "is enforced already", "are enforced already"),
            (.superseded, "is replaced", "are replaced"),
        ].map { verdict, one, several in
            let count = summary.functions.count { $0.assessment.verdict == verdict }
            return (count: count, words: count == 1 ? one : several)
        }
        let together = summary.functions.count - counts.reduce(0) { $0 + $1.count }
        counts.append((count: together, words: "can be enforced together with other quiet functions"))
        counts.removeAll { $0.count == 0 }
        if counts.count == 1, let only = counts.first { return "\(all(only.count)) \(only.words)" }
        let total = Figures.counted(summary.functions.count, "function")
        let parts = counts.map { "\(Figures.grouped($0.count)) \($0.words)" }
        return "of \(total), \(parts.dropLast().joined(separator: ", ")) and \(parts.last ?? "")"
    }

    private static func nothingSelected(_ summary: Summary) -> Wording {
        let suggestions = summary.functions.compactMap { function -> String? in
            if case .unmatched(let suggestion?) = function.listing { suggestion } else { nil }
        }
        let meant: Wording = suggestions.isEmpty ? "" : " Did you mean \(names: suggestions)?"
        return "no function matches the selection." + meant
    }

    /// `the function`, `all 4 functions`.
    private static func all(_ count: Int) -> String {
        count == 1 ? "the function" : "all \(Figures.grouped(count)) functions"
    }

    /// `8 of 17 functions`, `the function` when there is only one.
    private static func count(_ count: Int, of total: Int) -> String {
        total == 1 ? "the function" : "\(Figures.grouped(count)) of \(Figures.grouped(total)) functions"
    }
}
