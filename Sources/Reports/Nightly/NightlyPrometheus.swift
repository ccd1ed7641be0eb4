public import Readiness
import Verifications

/// The metrics of ``PrometheusReport``, and those that only a look at several nights gives.
public struct NightlyPrometheus: NightlyPage {
    public init() {}

    public func write(_ report: NightlyReport, to sink: inout some TextOutputStream) {
        PrometheusReport().write(report.summary, to: &sink)
        var metrics = PrometheusWriter()
        if let day = report.comparedTo {
            let name = "callcheck_compared_to_timestamp_seconds"
            metrics.gauge(name, help: "Start of the day that changes are counted from.")
            metrics.sample(name, [], day.secondsSince1970)
            metrics.gauge("callcheck_changes", help: "Changes since then, by what they ask of their reader.")
            for urgency in Change.Urgency.allCases {
                let count = report.changes.count { $0.urgency == urgency }
                metrics.sample("callcheck_changes", [("urgency", urgency.name)], count)
            }
        }
        let labels = FunctionLabels(report.summary.functions)
        let since = "callcheck_safe_since_timestamp_seconds"
        metrics.gauge(since, help: "Start of the first day in a row at whose end the rule said enforce.")
        for function in report.summary.functions {
            metrics.sample(since, labels[function], function.assessment.safeSince?.secondsSince1970)
            metrics.drain(into: &sink)
        }
        let ready = "callcheck_ready_timestamp_seconds"
        metrics.gauge(ready, help: "Start of the day on which a report says enforce, or would if things go on so.")
        for function in report.summary.functions {
            metrics.sample(ready, labels[function], report.readySeconds(function))
            metrics.drain(into: &sink)
        }
        metrics.drain(into: &sink)
    }
}

extension NightlyReport {
    /// Nil where it is not known.
    fileprivate func readySeconds(_ function: FunctionSummary) -> Double? {
        switch readyDay(of: function) {
        case .since(let day), .expected(let day): day.secondsSince1970
        case .notFalling, .noRequests, nil: nil
        }
    }
}
