import Readiness
import Verifications

extension Scenario {
    /// The nightly report on everything in the log.
    func report(confirm: Int = 1, comparedTo offset: Int? = nil, selection: Selection = Selection()) -> NightlyReport {
        var log = self
        log.rules.numbers.confirm = confirm
        return NightlyReport(
            judge: log.judge, input: InputSummary(), selection: selection, comparedTo: offset.map(day))
    }
}

extension NightlyReport {
    /// Each change in short: its code, and the function or the project it is about.
    var told: [String] {
        changes.map { "\($0.code) \($0.function?.name ?? $0.project)" }
    }
}
