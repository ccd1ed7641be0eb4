import Readiness
import Rollout
import Verifications

/// Metrics for node_exporter's textfile collector, in the text format of Prometheus.
///
/// All are gauges: a report covers what was read, which may be less tomorrow. Rates are ratios from 0 to 1, times are
/// seconds since 1970, and nothing is written for unknown values.
struct PrometheusReport {
    func write(_ summary: Summary, to sink: inout some TextOutputStream) {
        var metrics = PrometheusWriter()
        let labels = FunctionLabels(summary.functions)
        metrics.addInput(summary)
        metrics.gauge("callcheck_verdict", help: "1 for the function's verdict, 0 for the others.")
        metrics.drain(into: &sink)
        for function in summary.functions {
            metrics.addVerdict(function, labels[function])
            metrics.drain(into: &sink)
        }
        for family in PrometheusFamily.all {
            metrics.gauge(family.name, help: family.help)
            for function in summary.functions {
                metrics.sample(family.name, labels[function], family.value(function))
                metrics.drain(into: &sink)
            }
        }
        metrics.gauge("callcheck_verifications", help: "Verifications in the input, by App Check status.")
        for function in summary.functions {
            let totals = function.totals
            for app in TokenStatus.allCases {
                let count = totals.total(app: app)
                metrics.sample("callcheck_verifications", labels[function] + [("app", app.name)], count)
            }
            metrics.drain(into: &sink)
        }
    }
}

extension PrometheusWriter {
    fileprivate mutating func addInput(_ summary: Summary) {
        let input = summary.input
        if let asOf = summary.asOf {
            let name = "callcheck_as_of_timestamp_seconds"
            gauge(name, help: "The instant that the report is as of.")
            sample(name, [], asOf.secondsSince1970)
        }
        let classes = [
            ("verification", input.verifications), ("duplicate", input.duplicates), ("filtered", input.filtered),
            ("ignored", input.ignored), ("malformed", input.malformed), ("oversized", input.oversized),
        ]
        let others = input.records - classes.reduce(0) { $0 + $1.1 }
        gauge("callcheck_input_records", help: "Records of the input, by what became of them.")
        for (name, count) in classes + [("not-a-verification", others)] {
            sample("callcheck_input_records", [("class", name)], count)
        }
        let faults: [(String, InputFaults)] = [
            ("unopened", .unopened), ("read-error", .readError), ("damaged", .damaged), ("unsupported", .unsupported),
        ]
        gauge("callcheck_input_fault", help: "Whether an input could not be read in full, by what was wrong.")
        for (name, fault) in faults {
            sample("callcheck_input_fault", [("fault", name)], input.faults.contains(fault) ? 1 : 0)
        }
        let problems = Dictionary(grouping: input.problems.entries, by: \.kind)
        gauge("callcheck_input_problems", help: "Problems that the report lists, by kind.")
        for kind in Problem.Kind.allCases where kind != .more {
            sample("callcheck_input_problems", [("kind", kind.rawValue)], problems[kind]?.count ?? 0)
        }
    }

    fileprivate mutating func addVerdict(_ function: FunctionSummary, _ labels: Labels) {
        for verdict in Verdict.allCases {
            let isIt = function.assessment.verdict == verdict
            sample("callcheck_verdict", labels + [("verdict", verdict.rawValue)], isIt ? 1 : 0)
        }
    }
}

/// The metrics of a summary, and those that only a look at several nights gives.
extension PrometheusReport {
    func write(_ report: NightlyReport, to sink: inout some TextOutputStream) {
        write(report.summary, to: &sink)
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
        metrics.gauge(ready, help: "Start of the first day with the verdict enforce, or of the day forecast for it.")
        for function in report.summary.functions {
            metrics.sample(ready, labels[function], function.assessment.readyDay?.secondsSince1970)
            metrics.drain(into: &sink)
        }
        metrics.drain(into: &sink)
    }
}

/// How far rollouts are, and what their newest complete day shows.
extension PrometheusReport {
    func write(_ rollouts: [RolloutHistory], to sink: inout some TextOutputStream) {
        guard !rollouts.isEmpty else { return }
        var metrics = PrometheusWriter()
        let confidence = RolloutPolicy().confidence
        let families: [(name: String, help: String, value: (RolloutHistory) -> Double?)] = [
            ("ratio", "Share of users with App Attest.", { $0.percentage.map { $0.percent / 100 } }),
            (
                "day_timestamp_seconds", "Start of the newest complete day, which the others are of.",
                { $0.complete.last?.day.day.secondsSince1970 }
            ),
            ("users", "Users with an App Attest event.", { $0.complete.last.map { Double($0.day.count.users) } }),
            (
                "failed_users", "Those with a failure and no success.",
                { $0.complete.last.map { Double($0.day.count.failedOnly) } }
            ),
            (
                "failed_upper_bound_ratio", "Upper confidence bound of their share.",
                { $0.complete.last?.day.bounds(confidence: confidence).upperBound }
            ),
            (
                "failed_lower_bound_ratio", "Lower confidence bound of their share.",
                { $0.complete.last?.day.bounds(confidence: confidence).lowerBound }
            ),
        ]
        for family in families {
            let name = "callcheck_rollout_" + family.name
            metrics.gauge(name, help: family.help)
            for rollout in rollouts { metrics.sample(name, [("parameter", rollout.parameter)], family.value(rollout)) }
        }
        metrics.drain(into: &sink)
    }
}

/// The labels by which the series of a function are found.
///
/// No two functions share them: the collector rejects a file that holds a series twice. Where two functions show the
/// same name, the second is followed by its service name.
struct FunctionLabels {
    /// The names of functions that cannot use the name shown.
    private var names: [FunctionIdentity: String] = [:]

    init(_ functions: [FunctionSummary]) {
        var taken: Set<FunctionIdentity> = []
        taken.reserveCapacity(functions.count)
        for function in functions {
            let identity = function.identity
            var name = function.name
            while !taken.insert(identity.named(name)).inserted {
                name += " (\(identity.name))"
                names[identity] = name
            }
        }
    }

    subscript(function: FunctionSummary) -> PrometheusWriter.Labels {
        let identity = function.identity
        return [
            ("project", identity.project), ("region", identity.region),
            ("function", names[identity] ?? function.name),
            ("generation", identity.generation.map { String($0.rawValue) } ?? ""),
        ]
    }
}

extension FunctionIdentity {
    fileprivate func named(_ name: String) -> FunctionIdentity {
        FunctionIdentity(project: project, region: region, name: name, generation: generation)
    }
}
