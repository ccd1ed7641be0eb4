public import Verifications

/// When a function may be enforced.
public enum ReadyDay: Hashable, Sendable {
    /// Now, and without a break since this day.
    case since(Day)
    /// From this day on, if things go on as they do.
    case expected(Day)
    /// Its rate is not falling any more.
    case notFalling
    /// Nobody has called it for a week.
    case noRequests
}

extension NightlyReport {
    /// When the verdict will be `enforce`; nil where nothing is left to decide, or time alone will not decide it.
    public func readyDay(of function: FunctionSummary) -> ReadyDay? {
        let assessment = function.assessment
        if assessment.verdict == .enforce { return assessment.safeSince.map { .since($0) } }
        switch assessment.outlook {
        case .date(let day, _): return .expected(day)
        case .notFalling: return .notFalling
        case .noRequests: return .noRequests
        case .notAsked: return nil
        }
    }
}
