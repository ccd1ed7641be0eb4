/// Commands for a complete export, with comments, for a POSIX shell.
///
/// They are for reading and copying; callcheck never runs them. The parts and commands do not depend on each other.
/// Comments contain nothing that a shell would act on: zsh takes pasted ones as commands. The text is the same for the
/// same values. The scripts are in `Resources`, with places for values.
package struct ExportScript: Sendable {
    let project: ProjectID
    /// The number of days to request in the parts that read the past; at least 1.
    let days: Int
    /// True to include request rows and the SDK's lines about refused tokens.
    let asksForCallers: Bool
    /// The services whose request rows to include; none for those that firebase-tools has labelled.
    let services: [String]

    static let usualRetention = 30
    /// The number of days that an export reads by default: seven nights of 28 days need 34.
    package static let usualDays = 35
    /// The number of days that the script proposes to keep: three times as many as a verdict looks back.
    private static let longerRetention = 90
    package static let longestRetention = 3650

    package init(project: ProjectID, days: Int, asksForCallers: Bool = true, services: [String] = []) {
        self.project = project
        self.days = days
        self.asksForCallers = asksForCallers
        self.services = services
    }

    /// True for a name that Cloud Run gives a service, which a filter can hold as it is.
    package static func isService(_ name: String) -> Bool {
        name.wholeMatch(of: #/[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?/#) != nil
    }

    /// The parts that can be printed, the usual one first.
    package enum Part: String, CaseIterable, Sendable {
        case read, sink, bigquery, analytics, counts, services, alert, filter, schema

        /// True where the filter is part of what is printed, which may name services.
        package var hasFilter: Bool { ![.counts, .services, .alert, .schema].contains(self) }
    }

    package func text(of part: Part) -> String {
        switch part {
        case .read: script(PackageResources.export_read_sh)
        case .sink: script(PackageResources.export_sink_sh)
        case .bigquery: script(PackageResources.export_bigquery_sh)
        case .analytics: script(PackageResources.export_analytics_sh)
        case .counts: counts
        case .services: serviceCounts
        case .alert: alert
        case .filter: filter + "\n"
        case .schema: ReportSchema().text
        }
    }

    private func script(_ resource: [UInt8]) -> String {
        let isLonger = days > ExportScript.usualRetention
        let values: [String: String?] = [
            "project": project.text, "name": String(project.name), "days": "\(days)", "filter": filter,
            "callers": callers, "volume": asksForCallers ? "2 GB" : "1 GB",
            "placeholder": project == .placeholder
                ? "# Replace PROJECT by the project ID, or add --project ID." : nil,
            "reads": isLonger ? "It reads what is still there of \(days) days" : "It reads what is still there",
            "usual": "\(ExportScript.usualRetention)", "longer": "\(max(days, ExportScript.longerRetention))",
            "short": days < 7 ? "# A verdict needs at least 7 days: this export is too short for one." : nil,
            "requestTable": asksForCallers ? "run_googleapis_com_requests " : "",
            "callerFields": asksForCallers ? "trace, span_id, http_request," : nil,
            "callerConditions": callerConditions,
        ]
        let about = ScriptTemplate(PackageResources.about_sh).text(values)
        return ScriptTemplate(ScriptTemplate(resource).text(["about": about])).text(values)
    }

    /// Queries that count verifications where the log is, in Log Analytics or in a BigQuery sink's tables: the result
    /// of either can be read instead of the log.
    ///
    /// A query does what callcheck does while it reads a log: it believes times only as far as callcheck does, and
    /// leaves out what is not the SDK's message, duplicates, and later entries of one execution up to the next day.
    /// Names are those of GoogleSQL for BigQuery; the texts hold no backslash except in regular expressions, where
    /// quotes are spelled in hexadecimal.
    private var counts: String {
        let steps = ScriptTemplate(PackageResources.counts_sql)
        return ScriptTemplate(PackageResources.counts_sh).text([
            "project": project.text, "days": "\(days)",
            "steps": steps.text([
                "type": #""firebase-log-type""#, "id": #""goog-drz-cloudfunctions-id""#, "instance": "instanceId",
                "execution": "execution_id",
            ]),
            "stepsOfTables": steps.text([
                "type": "firebase_log_type", "id": "goog_drz_cloudfunctions_id", "instance": "instanceid",
                "execution": "execution_id",
            ]),
        ])
    }

    /// The script that reads App Check's own metric for Firestore and other services.
    private var serviceCounts: String {
        ScriptTemplate(PackageResources.services_sh).text([
            "project": project.text, "days": "\(days)",
            "placeholder": project == .placeholder
                ? "# Replace PROJECT by the project ID, or add --project ID." : nil,
        ])
    }

    /// A log-based metric of verifications, and an alert on people who are refused.
    ///
    /// Firebase documents such a metric; its filter finds only generation 1, and its label names a key that no entry
    /// has.
    ///
    /// Source: <https://firebase.google.com/docs/app-check/monitor-functions-metrics>.
    private var alert: String {
        let condition = ScriptTemplate(PackageResources.alert_condition_yaml)
        return ScriptTemplate(PackageResources.alert_sh).text([
            "project": project.text, "label": LogFilter.label,
            "services": condition.text(["generation": "2", "type": "cloud_run_revision", "name": "service_name"]),
            "functions": condition.text(["generation": "1", "type": "cloud_function", "name": "function_name"]),
            "placeholder": project == .placeholder
                ? "# Replace PROJECT by the project ID, or add --project ID." : nil,
        ])
    }

    private var filter: String {
        let lines = asksForCallers ? LogFilter.withCallers(services: services) : LogFilter.complete
        return lines.joined(separator: "\n")
    }

    private var callers: String {
        guard asksForCallers else {
            return "# Nothing shows who would be refused, or why: callers=none leaves these entries out."
        }
        let choice =
            services.isEmpty
            ? """
            # Only firebase-tools sets the label deployment-callable. If something else deploys your functions,
            # add --set from=LOG: the filter then names the services in that log.
            """ : "# The filter names the services that were seen."
        return """
            #
            # To show who would be refused, and why, it also finds the request log of POST requests to callable
            # functions, and the SDK lines of generation 1 about invalid tokens. A request is about as large as
            # a verification, so the export doubles. It contains addresses and user agents.
            # --set callers=none leaves all of this out.
            # Generation 1 has no request log: nothing shows its user agents.
            \(choice)
            """
    }

    private var callerConditions: String? {
        guard asksForCallers else { return nil }
        let names = services.map { "        \"\($0)\"" }.joined(separator: ",\n")
        let callable =
            services.isEmpty
            ? #"JSON_VALUE(labels["deployment-callable"]) = "true")"#
            : "JSON_VALUE(resource.labels.service_name) IN (\n\(names)))"
        return """
            OR text_payload LIKE "%Failed to validate AppCheck token%"
            OR text_payload LIKE "%Allowing request with invalid AppCheck token%"
            OR (log_id = "run.googleapis.com/requests" AND http_request.request_method = "POST"
                AND \(callable)
            """
    }
}

/// A script with places for values, each a name in double braces.
private struct ScriptTemplate {
    private let template: String

    init(_ template: String) { self.template = template }

    init(_ resource: [UInt8]) { self.init(String(decoding: resource, as: UTF8.self)) }

    /// The script with the values in their places.
    ///
    /// Several lines are written below each other, each after the text before the place; without a value, no line is.
    func text(_ values: [String: String?]) -> String {
        values.reduce(template) { text, value in
            let place = "{{\(value.key)}}"
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line -> [Substring] in
                guard let range = line.firstRange(of: place) else { return [line] }
                guard let parts = value.value?.split(separator: "\n", omittingEmptySubsequences: false) else {
                    return []
                }
                guard parts.count > 1 else { return [line.replacing(place, with: parts[0])] }
                // A script of ours ends its last line.
                let shown = parts.last == "" ? parts.dropLast() : parts[...]
                return shown.map { line[..<range.lowerBound] + $0 }.dropLast()
                    + [line[..<range.lowerBound] + (shown.last ?? "") + line[range.upperBound...]]
            }
            return lines.joined(separator: "\n")
        }
    }
}
