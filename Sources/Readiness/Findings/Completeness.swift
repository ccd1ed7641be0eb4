import Verifications

extension Finding.Code {
    /// Days of the window on which the project has no verification, ascending; its log begins at ``Finding/instant``.
    package static let coverageGap = Finding.Code("coverage-gap", .incomplete(.everything), nil, .ofLog)
    /// Records that could not be counted might be blocked requests, and with them the upper bound exceeds the maximum.
    ///
    /// If their number is unknown, they always do, and the upper bound is 1.
    package static let uncounted = Finding.Code("uncounted", .incomplete(.everything), nil, .ofLog)
    /// Advice: days of the window without a verification of the function, on which many of its requests were answered
    /// 5xx.
    package static let failingBeforeLog = Finding.Code("failing-before-log", .advice, .act, [.inAnswers, .now])
    /// Days without a verification of a project, ascending, whichever windows they are in.
    package static let projectGap = Finding.Code("coverage-gap", .advice, .caution)
}

/// A part of the log may be missing, and with it blocked requests.
enum Completeness {
    static func findGap(_ evaluation: Evaluation) -> [Finding] {
        guard evaluation.numbers.assumeComplete != .everything, let window = evaluation.window,
            let project = evaluation.project
        else {
            return []
        }
        let gaps = project.gaps(in: window)
        let begins = project.firstDay.map { Instant(day: $0, nanosecondOfDay: 0) }
        return gaps.isEmpty
            ? [] : [Finding(code: .coverageGap, value: Double(gaps.count), days: gaps, instant: begins)]
    }

    static func findFailingBeforeLog(_ result: ConfirmedEvaluation, signedIn: ConfirmedEvaluation) -> Finding? {
        let (evaluation, history) = (result.evaluation, result.evaluation.history)
        let days = evaluation.recentWindow?.days.filter { history.isFailingBeforeLog(on: $0) } ?? []
        guard !days.isEmpty else { return nil }
        let requests = days.reduce(0) { $0 + (history.serverErrors(on: $1)) }
        return Finding(code: .failingBeforeLog, value: Double(requests), days: days)
    }

    static func findUncounted(_ evaluation: Evaluation) -> [Finding] {
        let records = evaluation.uncounted
        guard records != 0, evaluation.numbers.assumeComplete != .everything else { return [] }
        let upper = records.map { evaluation.period.upper(adding: Double($0)) } ?? 1
        guard upper > evaluation.numbers.maxBlocked else { return [] }
        return [Finding(code: .uncounted, value: records.map(Double.init), rate: upper)]
    }
}
