import Readiness
import Verifications

/// Metrics for node_exporter's textfile collector, in the text format of Prometheus.
///
/// All are gauges: a report covers what was read, which may be less tomorrow. Rates are ratios from 0 to 1, times are
/// seconds since 1970, and nothing is written for unknown values.
struct PrometheusReport {
    func write(_ summary: Summary, to sink: inout some TextOutputStream) {
        var metrics = PrometheusWriter()
        metrics.addInput(summary)
        // Without functions, the verdict represents all families.
        let families = PrometheusReport.ofFunctions.prefix(summary.functions.isEmpty ? 1 : .max)
        metrics.add(families, of: summary.functions, to: &sink)
        metrics.addCauses(of: summary.functions, to: &sink)
        guard let comparison = summary.comparison else { return }
        var changes = PrometheusWriter()
        changes.add("compared_to_timestamp_seconds", "The as-of time of the earlier report.", comparison.since)
        changes.add(
            "changes", "Changes since then, by urgency.", by: "urgency",
            Change.Urgency.allCases.map { urgency in
                (urgency.rawValue, comparison.changes.count { $0.urgency == urgency })
            })
        changes.gauge("missing_log", "Functions whose verdicts lack a part of the log that no longer arrives.")
        for change in comparison.changes {
            guard case .missingLog = change.kind, let project = change.functions.first?.identity.project else {
                continue
            }
            changes.sample("missing_log", [("project", project), ("code", change.code)], change.functions.count)
        }
        changes.drain(into: &sink)
    }

    /// Fields of functions, and what only an alert needs.
    private static let ofFunctions: [Metric] = [
        Metric(
            "verdict", "1 for the function's verdict, 0 for the others.", by: "verdict",
            Verdict.allCases.map { verdict in
                (verdict.rawValue, { $0.function.assessment.verdict == verdict ? 1 : 0 })
            }),
        Metric("lockout", "1 if enforcement refuses signed-in users, else 0.") {
            $0.function.assessment.isLockout ? 1 : 0
        },
        Metric("enforced_but_off", "1 when enforcement is on by policy but off in the log, else 0.") {
            $0.function.assessment.enforcement.isContradicted ? 1 : 0
        },
        Metric(
            "blocked_ratio", "Share of admitted requests that enforcement refuses if on, in the window.",
            field: "readiness.blockedRate"),
        Metric(
            "blocked_upper_bound_ratio", "Upper confidence bound of callcheck_blocked_ratio.",
            field: "readiness.blockedRateUpper"),
        Metric(
            "blocked_lower_bound_ratio", "Lower confidence bound of callcheck_blocked_ratio.",
            field: "readiness.blockedRateLower"),
        Metric("blocked_limit_ratio", "Share of admitted requests that enforcement may refuse.") {
            $0.function.assessment.policy.numbers.maxBlocked
        },
        Metric(
            "window_admitted_requests", "Requests in the window that reach the function's code.",
            field: "readiness.admitted"),
        Metric(
            "window_blocked_requests", "Requests in the window that enforcement refuses if on.",
            field: "readiness.blocked"),
        Metric(
            "window_left_out_requests", "Requests in the window of clients that the policy leaves out.",
            field: "readiness.leftOut"),
        Metric(
            "refused_per_day", "Requests refused a day since enforcement was switched on.",
            field: "aftermath.refusedPerDay"),
        Metric("refused_last_day", "Requests refused a day, on the last day alone.") {
            $0.function.assessment.aftermath?.refusedLastDay
        },
        Metric(
            "predicted_per_day", "Requests a day that the verdict before the switch expected to be refused.",
            field: "aftermath.predictedPerDay"),
        Metric("window_seconds", "Length of the window that the verdict is based on.") {
            $0.function.assessment.period.window.map { Int(Instant.secondsPerDay) * $0.dayCount }
        },
        Metric("last_verification_timestamp_seconds", "The function's newest request.", field: "last"),
        Metric(
            "forecast_timestamp_seconds", "Start of the day on which the rule would say enforce.",
            field: "readiness.forecast.date"),
        Metric(
            "verifications", "Requests in the input, by App Check status.", by: "app",
            TokenStatus.allCases.map { app in (app.name, { $0.totals.total(app: app) }) }),
        Metric(
            "safe_since_timestamp_seconds",
            "Start of the first of the latest consecutive days with the verdict enforce.",
            field: "readiness.safeSince"),
        Metric(
            "ready_timestamp_seconds",
            "Start of the first day with the verdict enforce, or of the day forecast for it."
        ) { $0.function.assessment.readyDay },
    ]
}

/// A family in Prometheus's sense: numbers of one meaning, one for each function and each value of a label.
private struct Metric: Sendable {
    let name: String
    let help: String
    let samples: [(labels: PrometheusWriter.Labels, value: @Sendable (FunctionRow) -> Leaf)]

    /// A measure, which need not be whole.
    init(_ name: String, _ help: String, value: @escaping @Sendable (FunctionRow) -> some LeafValue) {
        (self.name, self.help) = (name, help)
        samples = [
            ([], { if case .number(let number) = value($0).leaf { .decimal(Double(number)) } else { value($0).leaf } })
        ]
    }

    init(_ name: String, _ help: String, by label: String, _ counts: [(String, @Sendable (FunctionRow) -> Int)]) {
        (self.name, self.help) = (name, help)
        samples = counts.map { value, count in ([(label, value)], { count($0).leaf }) }
    }

    init(_ name: String, _ help: String, field path: String) {
        guard let column = FunctionRow.columns.first(where: { $0.path == path }) else {
            preconditionFailure("\(path) is no field of a function")
        }
        self.init(name, help) { column.leaf($0) }
    }
}

extension PrometheusWriter {
    fileprivate mutating func add(
        _ metrics: ArraySlice<Metric>, of functions: [FunctionSummary], to sink: inout some TextOutputStream
    ) {
        let labels = FunctionLabels(functions)
        for metric in metrics {
            gauge(metric.name, metric.help)
            drain(into: &sink)
            for function in functions {
                let (row, labels) = (FunctionRow(function), labels[function])
                for sample in metric.samples { self.sample(metric.name, labels + sample.labels, sample.value(row)) }
                drain(into: &sink)
            }
        }
    }

    /// What alerts are grouped by, so that what one release does to many functions is one alert.
    fileprivate mutating func addCauses(of functions: [FunctionSummary], to sink: inout some TextOutputStream) {
        let labels = FunctionLabels(functions)
        gauge("urgent", "1 for each finding of a function that needs action now.")
        for function in functions {
            for code in Set(function.assessment.urgent.map(\.name)).sorted() {
                sample("urgent", labels[function] + [("code", code)], 1)
            }
            drain(into: &sink)
        }
        gauge("cause", "1 for the clients to whom most of what a function refuses or would refuse is traced.")
        for function in functions where function.assessment.isTraced {
            sample("cause", labels[function] + [("cause", function.assessment.cause?.name ?? "unknown")], 1)
            drain(into: &sink)
        }
    }

    fileprivate mutating func addInput(_ summary: Summary) {
        let input = summary.input
        if let asOf = summary.asOf { add("as_of_timestamp_seconds", "The as-of time of the report.", asOf) }
        if let newest = summary.newest {
            add("newest_input_timestamp_seconds", "The newest request that was read.", newest)
        }
        if let settings = summary.policy.settings {
            gauge("settings", "A settings file that sets limits or selects, and what it loosened.")
            let loosened = settings.loosened.map(\.name).joined(separator: " ")
            sample("settings", [("file", settings.file), ("loosened", loosened)], 1)
        }
        let classes = [
            ("verification", input.verifications), ("duplicate", input.duplicates), ("filtered", input.filtered),
            ("ignored", input.ignored), ("malformed", input.malformed), ("oversized", input.oversized),
        ]
        let others = input.records - classes.reduce(0) { $0 + $1.1 }
        add(
            "input_records", "Records of the input, by class.", by: "class",
            classes + [("not-a-verification", others)])
        add(
            "input_unread", "Verifications that unreadable data may contain; +Inf if unknown.",
            input.unread.total?.leaf ?? .text("+Inf"))
        let faults: [(String, InputFaults)] = [
            ("unopened", .unopened), ("read-error", .readError), ("damaged", .damaged), ("unsupported", .unsupported),
        ]
        add(
            "input_fault", "1 if an input could not be read in full, by fault.", by: "fault",
            faults.map { ($0, input.faults.contains($1) ? 1 : 0) })
        let problems = Dictionary(grouping: input.problems.entries, by: \.kind)
        add(
            "input_problems", "Problems that the report lists, by kind.", by: "kind",
            Problem.Kind.allCases.filter { $0 != .more }.compactMap { kind in
                problems[kind].map { (kind.rawValue, $0.count) }
            })
    }
}

extension Assessment {
    /// True where requests are refused, or would be, or where something else needs action.
    fileprivate var isTraced: Bool {
        [.wait, .investigate, .enforced].contains(verdict) || enforcement.isOn || !urgent.isEmpty
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
            var name = function.key
            func shown(_ name: String) -> FunctionIdentity {
                FunctionIdentity(
                    project: identity.project, region: identity.region, name: name, generation: identity.generation)
            }
            while !taken.insert(shown(name)).inserted {
                name += " (\(identity.name))"
                names[identity] = name
            }
        }
    }

    subscript(function: FunctionSummary) -> PrometheusWriter.Labels {
        let identity = function.identity
        return [
            ("project", identity.project), ("region", identity.region),
            ("function", names[identity] ?? function.key),
            ("generation", identity.generation.map { String($0.rawValue) } ?? ""),
        ]
    }
}
