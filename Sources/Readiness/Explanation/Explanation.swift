package import Verifications

/// All that is known about one function: what its verdict is based on, and what would change it.
package struct Explanation: Sendable {
    /// The summary of this one function, or of all among which it is explained.
    package let summary: Summary
    package let function: FunctionSummary
    /// The days that decide: the window; of a function that is enforced, its days since then within the last W.
    package let judged: Window?
    /// The newest day against enforcement.
    ///
    /// One without a pass; else the last one of raised segments; else the last one on which the maximum was exceeded.
    package let lastBadDay: Day?
    /// Changes that would lead to another answer; empty if only other logs can.
    package let whatIfs: [WhatIf]

    /// Explains one function of a summary; the others in it count as left out.
    package init(_ function: FunctionSummary, in summary: Summary, evaluator: Evaluator) {
        self.init(function, summary: summary.narrowed(to: function.identity), evaluator: evaluator)
    }

    /// Explains one function among others: nothing is tried that would change its answer.
    package init(_ function: FunctionSummary, in summary: Summary) {
        self.init(function, summary: summary, evaluator: nil)
    }

    private init(_ function: FunctionSummary, summary: Summary, evaluator: Evaluator?) {
        self.function = function
        self.summary = summary
        judged = function.assessment.judgedDays(asOf: summary.asOf)
        lastBadDay = Explanation.lastBadDay(of: function)
        let isLast = lastBadDay == function.days.last?.day
        whatIfs = evaluator?.whatIfs(for: function, lastBadDay: isLast ? nil : lastBadDay) ?? []
    }

    private static func lastBadDay(of function: FunctionSummary) -> Day? {
        let assessment = function.assessment
        let blind = assessment.reasons[.passesNotSeen]?.days.first
        let raised = assessment.segments.last(where: \.isRaised)
        let raisedDay = raised.map {
            $0.end?.adding(nanoseconds: -1).day ?? assessment.period.window?.to ?? $0.start.day
        }
        let limit = assessment.policy.numbers.maxBlocked
        return blind ?? raisedDay ?? function.judgedDays.last { $0.blocked > limit * $0.requests }?.day
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
