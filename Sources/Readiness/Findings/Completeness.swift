package import Verifications

/// A part of the log may be missing, and with it blocked requests.
package enum Completeness: Hashable, Sendable {
    /// Days of the window on which the project has no verification, ascending, and the first day of its log.
    case coverageGap([Day], logBegins: Day?)
    /// Records that could not be counted might be blocked requests, and with them the upper bound exceeds the maximum.
    ///
    /// Where nobody can tell how many there are, they always do, and the upper bound is 1.
    case uncounted(records: Int?, upper: Double, limit: Double)

    var facts: Reason.Facts {
        switch self {
        case .coverageGap(let days, _):
            .init("coverage-gap", .incomplete(.everything), value: Double(days.count))
        case .uncounted(let records, _, _):
            .init("uncounted", .incomplete(.everything), value: records.map(Double.init))
        }
    }
}

extension Completeness {
    /// True where so many more blocked requests would be too many, by their share and by their number.
    private static func mayTip(_ rule: Rule, _ records: Int, upper: Double) -> Bool {
        guard upper > rule.numbers.maxBlocked else { return false }
        guard rule.few != nil, let most = rule.numbers.maxPerWeek else { return true }
        let perWeek = WeeklyBound.upper(rule.period, observedDays: rule.observedDays, adding: Double(records))
        return perWeek.map { $0 > most } ?? true
    }

    static func findGap(_ rule: Rule) -> [Reason] {
        guard rule.numbers.assumeComplete != .everything, let window = rule.window, let project = rule.project else {
            return []
        }
        let gaps = project.gaps(in: window)
        return gaps.isEmpty ? [] : [.completeness(.coverageGap(gaps, logBegins: project.firstDay))]
    }

    static func findUncounted(_ rule: Rule) -> [Reason] {
        let (records, limit) = (rule.uncounted, rule.numbers.maxBlocked)
        guard records != 0, rule.numbers.assumeComplete != .everything else { return [] }
        let upper = records.map { rule.period.upper(adding: Double($0)) } ?? 1
        guard records.map({ mayTip(rule, $0, upper: upper) }) ?? true else { return [] }
        return [.completeness(.uncounted(records: records, upper: upper, limit: limit))]
    }
}
