import Readiness
import Verifications

extension GateCheck {
    /// The answer with its sign: what comes of it for a pipeline, and why.
    func conclusion(_ summary: Summary) -> Wording {
        let answer = gate.answer(to: summary)
        let words = words(answer, summary)
        guard isIncomplete(summary), answer == .passed else { return words }
        return "Not passed: what was read is not all there is (see below). By what was read: " + words
    }

    func mark(_ summary: Summary) -> Verdict {
        switch gate.answer(to: summary) {
        case .passed: isIncomplete(summary) ? .insufficient : .enforce
        case .failed: .wait
        case .unsure, .nothingSelected: .insufficient
        }
    }

    private func words(_ answer: Gate.Answer, _ summary: Summary) -> Wording {
        func standing(_ standing: Standing) -> [FunctionSummary] {
            summary.functions.filter { $0.assessment.standing == standing }
        }
        let total = summary.functions.count
        let unsure = standing(.unsure)
        switch answer {
        case .nothingSelected: return GateCheck.nothingSelected(summary)
        case .unsure:
            return """
                Cannot tell yet: nothing speaks against \(GateCheck.all(total)), but for \
                \(GateCheck.count(unsure.count, of: total)) there is too little to go by: \
                \(names: summary.names(of: unsure)).
                """
        case .failed where gate.failOn == .lockout:
            let lockedOut = standing(.lockedOut)
            return """
                Failed: signed-in people are locked out of \(GateCheck.count(lockedOut.count, of: total)): \
                \(names: summary.names(of: lockedOut)).
                """
        case .failed:
            let notSafe = standing(.notSafe)
            return """
                Failed: \(GateCheck.count(notSafe.count, of: total)) \(notSafe.count == 1 ? "is" : "are") not safe to \
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
                    Passed, but no function is enforced, says the policy: there was nothing to look for. Enter \
                    \(code: "enforced: DATE") for those that are.
                    """
            }
            let place = enforced == 1 ? "the enforced function" : "the \(Figures.grouped(enforced)) enforced functions"
            return "Passed: no signed-in people are locked out of \(place)."
        case .notSafe where !unsure.isEmpty:
            return "Passed: no function is known to be unsafe to enforce." + rest(unsure, summary, beside: false)
        case .notSafe, .unsure:
            return "Passed: \(GateCheck.clear(summary))." + lockouts(summary)
        }
    }

    /// What to do about it.
    func next(_ summary: Summary) -> Wording? {
        let functions = summary.functionsByStanding
        guard let first = functions.first(where: { $0.isFunction && $0.assessment.standing != .clear }) else {
            return nil
        }
        return "\(code: "callcheck explain") \(name: first.name) shows why, and what would change it."
    }

    /// What else there is that has not decided.
    private func rest(_ unsure: [FunctionSummary], _ summary: Summary, beside: Bool) -> Wording {
        guard !unsure.isEmpty else { return lockouts(summary) }
        return """
             Of \(Figures.grouped(unsure.count)) \(beside ? "more " : "")it cannot be told yet: \
            \(names: summary.names(of: unsure)).
            """ + lockouts(summary)
    }

    private func lockouts(_ summary: Summary) -> Wording {
        let lockedOut = summary.functions.filter { $0.assessment.isLockout }
        guard !lockedOut.isEmpty else { return "" }
        return """
             But signed-in people are locked out of \(names: summary.names(of: lockedOut)), where enforcement is on \
            already: \(code: "--fail-on lockout") fails for that.
            """
    }

    /// `all 4 functions may be enforced`, or what else they are.
    private static func clear(_ summary: Summary) -> String {
        let counts = [
            (Verdict.enforce, "may be enforced", "may be enforced"), (.exempt, "is exempt", "are exempt"),
            (.enforced, "is enforced already", "are enforced already"), (.superseded, "is superseded", "are superseded"),
        ].map { verdict, one, several in
            let count = summary.functions.count { $0.assessment.verdict == verdict }
            return (count: count, words: count == 1 ? one : several)
        }.filter { $0.count > 0 }
        if counts.count == 1, let only = counts.first { return "\(all(only.count)) \(only.words)" }
        let total = Figures.counted(summary.functions.count, "function")
        let parts = counts.map { "\(Figures.grouped($0.count)) \($0.words)" }
        return "of \(total) \(parts.dropLast().joined(separator: ", ")) and \(parts.last ?? "")"
    }

    private static func nothingSelected(_ summary: Summary) -> Wording {
        let suggestions = summary.functions.compactMap { function -> String? in
            if case .unmatched(let suggestion?) = function.listing { suggestion } else { nil }
        }
        let meant: Wording = suggestions.isEmpty ? "" : " Did you mean \(names: suggestions)?"
        return "Nothing was checked: no function is left by what was asked for." + meant
    }

    /// `the function`, `all 4 functions`.
    private static func all(_ count: Int) -> String {
        count == 1 ? "the function" : "all \(Figures.grouped(count)) functions"
    }

    /// `8 of 17 functions`, `the function` when there is one only.
    private static func count(_ count: Int, of total: Int) -> String {
        total == 1 ? "the function" : "\(Figures.grouped(count)) of \(Figures.grouped(total)) functions"
    }
}

extension GateCheck {
    /// What the conclusion rests on: what was read, and what it was held against.
    func foundations(_ summary: Summary) -> [Wording] {
        [read(summary), held(summary)]
    }

    private func read(_ summary: Summary) -> Wording {
        let input = summary.input
        let plain =
            input.bytesRead == input.bytesDecompressed
            ? "" : " compressed, \(Figures.bytes(input.bytesDecompressed)) plain"
        let span =
            summary.span.map { " of \(CalendarText.span(from: $0.first.day, to: $0.last.day, dash: "-"))" } ?? ""
        let asOf = summary.asOf.map { ", judged as of \(CalendarText.minute($0)) UTC" } ?? ""
        return """
            Rests on \(Figures.counted(input.verifications, "verification"))\(span) in \
            \(Figures.counted(input.records, "record")) of \(Figures.counted(input.sources, "input")) \
            (\(Figures.bytes(input.bytesRead))\(plain))\(asOf).
            """
    }

    private func held(_ summary: Summary) -> Wording {
        let policy = summary.policy
        let window =
            policy.window < policy.maxWindow
            ? "windows of \(policy.window) to \(Figures.counted(policy.maxWindow, "day"))"
            : "a window of \(Figures.counted(policy.window, "day"))"
        let guarded = policy.requiresAuth ? "; only signed-in requests count" : ""
        let file: Wording = policyFile.map { "; exceptions by \(name: $0)" } ?? ""
        return """
            Rule: enforcement may newly refuse (block) at most \(Figures.exactRate(policy.maxBlocked)) of requests, \
            with \(Figures.exactRate(policy.confidence)) confidence, in \(window) of a log at least \
            \(Figures.counted(policy.minDays, "day")) long\(guarded)
            """ + file + "."
    }
}
