package import Verifications

/// All that is known about one function: what its verdict is based on, and what would change it.
package struct Explanation: Sendable {
    /// The summary of this one function, or of all among which it is explained.
    package let summary: Summary
    package let function: FunctionSummary
    /// The days that decide: the window; of a function that is enforced, its days since then within the last W.
    package let judged: Window?
    /// Changes that lead to another answer.
    package let whatIfs: [WhatIf]
    /// The acceptance of all platforms that are refused as a whole, where that makes the function ready.
    package let acceptance: WhatIf?

    /// Explains one function of a summary; the others in it count as left out.
    package init(_ function: FunctionSummary, in summary: Summary, evaluator: Evaluator) {
        let assessment = function.assessment
        whatIfs =
            evaluator.whatIfUnset(function.identity, assessment)
            + evaluator.whatIfs(for: function.identity, assessment, isReport: false)
        acceptance = evaluator.acceptance(for: function.identity, assessment)
        self.function = FunctionSummary(function, whatIfs: whatIfs)
        var summary = summary.narrowed(to: function.identity)
        summary.functions = [self.function]
        self.summary = summary
        judged = assessment.judgedDays(asOf: summary.asOf)
    }

    /// Explains one function among others: only what its report has tried would change its answer.
    package init(_ function: FunctionSummary, in summary: Summary) {
        (self.function, self.summary) = (function, summary)
        (whatIfs, acceptance) = (function.assessment.whatIfs, nil)
        judged = function.assessment.judgedDays(asOf: summary.asOf)
    }
}

extension Assessment {
    /// Whose requests charts show: those of signed-in callers where they are refused, which is what the verdict says.
    package var judgedCallers: Admission { isLockout ? .signedIn : admission }

    /// The days that decide: the window; of a function that is enforced, its days since then within the last W.
    ///
    /// Nil without such a day.
    package func judgedDays(asOf: Instant?) -> Window? {
        guard verdict == .enforced, let start = enforcement.start, let asOf else { return period.window }
        let recent = Window(length: policy.numbers.window, asOf: asOf, since: policy.since)
        return recent.flatMap { Window(from: max($0.from, start.day), to: $0.to) }
    }
}

extension Summary {
    func narrowed(to identity: FunctionIdentity) -> Summary {
        var summary = self
        summary.functions = functions.filter { $0.identity == identity }
        summary.asOf = summary.functions.first?.asOf ?? asOf
        for function in functions where function.identity != identity && !function.identity.isService {
            summary.input.leaveOut(function.table)
        }
        return summary
    }
}

extension InputSummary {
    /// Counts the verifications of a function that is not selected as filtered.
    mutating func leaveOut(_ function: CellTable) {
        let total = function.totals.total
        verifications -= total
        filtered += total
        undated -= function.undated.total
    }
}
