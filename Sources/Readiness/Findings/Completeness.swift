package import Verifications

/// A part of the log may be missing, and with it blocked requests.
package enum Completeness: Hashable, Sendable {
    /// Days of the window on which the project has no verification, ascending, and the first day of its log.
    case coverageGap([Day], logBegins: Day?)
    /// Records that could not be counted might be blocked requests, and with them the upper bound exceeds the maximum.
    ///
    /// If their number is unknown, they always do, and the upper bound is 1.
    case uncounted(records: Int?, upper: Double, limit: Double)
    /// Days without a verification of a project, ascending, whichever windows they are in.
    case projectGap([Day])

    package var facts: Finding {
        switch self {
        case .coverageGap(let days, _):
            .init("coverage-gap", .incomplete(.everything), value: Double(days.count))
        case .uncounted(let records, _, _):
            .init("uncounted", .incomplete(.everything), value: records.map(Double.init))
        case .projectGap(let days): .init("coverage-gap", .advice, value: Double(days.count), .caution)
        }
    }
}

extension Completeness {
    /// True if this many more blocked requests would be too many, by their share and by their number.
    private static func mayTip(_ evaluation: Evaluation, _ records: Int, upper: Double) -> Bool {
        guard upper > evaluation.numbers.maxBlocked else { return false }
        guard evaluation.few != nil, let most = evaluation.numbers.maxPerWeek else { return true }
        let perWeek = WeeklyBound.upper(
            evaluation.period, observedDays: evaluation.observedDays, adding: Double(records))
        return perWeek.map { $0 > most } ?? true
    }

    static func findGap(_ evaluation: Evaluation) -> [Reason] {
        guard evaluation.numbers.assumeComplete != .everything, let window = evaluation.window,
            let project = evaluation.project
        else {
            return []
        }
        let gaps = project.gaps(in: window)
        return gaps.isEmpty ? [] : [.completeness(.coverageGap(gaps, logBegins: project.firstDay))]
    }

    static func findUncounted(_ evaluation: Evaluation) -> [Reason] {
        let (records, limit) = (evaluation.uncounted, evaluation.numbers.maxBlocked)
        guard records != 0, evaluation.numbers.assumeComplete != .everything else { return [] }
        let upper = records.map { evaluation.period.upper(adding: Double($0)) } ?? 1
        guard records.map({ mayTip(evaluation, $0, upper: upper) }) ?? true else { return [] }
        return [.completeness(.uncounted(records: records, upper: upper, limit: limit))]
    }
}
