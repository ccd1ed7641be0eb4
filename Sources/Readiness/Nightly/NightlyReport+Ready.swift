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
    /// When a report will say `enforce` of a function, with all the nights that it wants; nil where nothing is left to
    /// decide, or time alone will not decide it.
    public func readyDay(of function: FunctionSummary) -> ReadyDay? {
        let assessment = function.assessment
        if let since = assessment.safeSince {
            return assessment.verdict == .enforce ? .since(since) : .expected(since.advanced(by: nightsWanted - 1))
        }
        switch assessment.outlook {
        case .date(let day, _): return .expected(day.advanced(by: nightsWanted - 1))
        case .notFalling: return .notFalling
        case .noRequests: return .noRequests
        case .notAsked: return nil
        }
    }
}
