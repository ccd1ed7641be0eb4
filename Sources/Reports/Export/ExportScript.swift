/// Commands for a complete export, with comments, for a POSIX shell.
///
/// They are for reading and copying; callcheck never runs them.
/// The parts do not depend on each other, and each command stands by itself. Comments contain nothing that a shell
/// would act on: zsh takes pasted ones as commands. The text is the same for the same values.
package struct ExportScript: Sendable {
    let project: ProjectID
    /// How many days to request in the parts that read the past; at least 1.
    let days: Int
    /// True to include request rows and the SDK's lines about refused tokens.
    let asksForCallers: Bool
    /// The services whose request rows to include; none for those that firebase-tools has labelled.
    let services: [String]

    package static let usualRetention = 30
    /// How many days the script proposes to keep: three times as many as a verdict looks back.
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

    package var text: String {
        [opening, firstLook, sink, tables, analytics, judging].map { part in
            part.map { $0 + "\n" }.joined()
        }.joined(separator: "\n")
    }

    package var filterText: String { filter(indent: "", end: "\n").joined(separator: "\n") }

    /// One command, to paste, that reads what Cloud Logging still has.
    package var readCommand: String {
        let read = reading + ["    \(source) > export.partial.json &&", "    \(compressing)\n"]
        return read.joined(separator: "\n")
    }

    private var opening: [String] {
        [
            "# Commands for an export that is complete. Nothing was run: copy the part you need.",
            "#   1  what Cloud Logging still has: for a first look, changes nothing",
            "#   2  a sink into a bucket: for decisions, every night",
            "#   3  a sink into BigQuery",
            "#   4  Log Analytics",
            "#   5  what to do with the export",
            "#",
            "# The filter finds the verifications of both generations by their label, and those of Python, which",
            "# have none, by their text. Generation 2 writes passes to stdout and failures to stderr: all of its",
            "# stderr is taken, since only its other lines show that it arrived when nothing failed.",
            "# Add no severity: passes are written at DEBUG. Add no resource.type: each generation has its own.",
        ]
            + callers + costs
            + (project == .placeholder
                ? ["# For PROJECT put the id of the project, or let callcheck export --project ID do it."] : [])
    }

    /// Volumes, and list prices as far as Google's pages name figures.
    private var costs: [String] {
        let volume = asksForCallers ? "2 GB" : "1 GB"
        return [
            "#",
            "# What it costs: an entry takes about 1 kB, so a million requests take \(volume). Reading a log and",
            "# routing it to a sink is free. List prices, which may have changed:",
            "#   in Cloud Logging, beyond 30 days    0.01 dollars a GiB and month",
            "#   in a bucket in us-east1             0.02 dollars a GB and month",
            "#   a download from a bucket            0.12 dollars a GB",
            "# BigQuery charges for what a sink writes, for space, and for what queries read: of that, the first TiB",
            "# of a month is free.",
            "# https://cloud.google.com/stackdriver/pricing  https://cloud.google.com/storage/pricing-examples",
            "# https://cloud.google.com/bigquery/pricing",
        ]
    }

    private var callers: [String] {
        guard asksForCallers else {
            return ["# Nothing shows who would be refused, or why: --evidence none left these entries out."]
        }
        let choice =
            services.isEmpty
            ? [
                "# The label deployment-callable is set by firebase-tools alone. If something else deploys your",
                "# functions, give callcheck export --from a log: it then asks by the names of the services in it.",
            ] : ["# They are asked for by the names of the services that were seen."]
        return [
            "#",
            "# So that callcheck can say who would be refused, and why, it also finds the rows of POST requests to",
            "# callable functions and, of generation 1, the lines of the SDK about refused tokens. A row is about",
            "# as large as a verification, so the export doubles. Rows hold addresses and user agents.",
            "# --evidence none leaves all of this out.",
            "# Generation 1 writes no such rows: nothing shows its user agents.",
        ] + choice
    }

    private var firstLook: [String] {
        [
            "# 1. What Cloud Logging still has, newest first. Without --freshness it reads one day.",
            "# When a page quota or a lost connection ends the read early, the oldest days are missing. So only a",
            "# read that came to its end is compressed to export.json.gz.",
        ]
            + retention
            + (days < 7 ? ["# A verdict needs at least 7 days: what this reads is for looking only."] : [])
            + ["if \(reading[0])"] + reading.dropFirst()
            + [
                "    \(source) > export.partial.json; then",
                "    \(compressing)",
                "else",
                "    echo 'The read ended early: export.partial.json lacks the oldest days. Run it again later.' >&2",
                "    false",
                "fi",
            ]
    }

    private var reading: [String] { ["gcloud logging read '"] + filter(indent: "    ", end: "' \\") }
    private var source: String { "\(inProject) --freshness=\(days)d --format=json" }

    private var retention: [String] {
        let kept = "log bucket _Default keeps \(ExportScript.usualRetention) days by default."
        return [
            days > ExportScript.usualRetention
                ? "# Of \(days) days it reads only what is still there: \(kept)"
                : "# It reads what is still there: \(kept)",
            "# To keep more from now on:",
            "# gcloud logging buckets update _Default --project=\(project.text) --location=global --retention-days="
                + "\(max(days, ExportScript.longerRetention))",
        ]
    }

    /// Turns a complete read into the export.
    ///
    /// There is no pipe into gzip: in shells without pipefail it would hide that the read failed.
    private var compressing: String {
        "gzip -c export.partial.json > export.json.gz && rm export.partial.json"
    }

    private var sink: [String] {
        [
            "# 2. A bucket, and a sink that writes to it from now on: first files after two or three hours.",
            "# --location says where the entries are kept. Bucket names are global: choose another if this one is",
            "# taken.",
            "gcloud storage buckets create \(quoted("gs://\(bucket)")) \(inProject) --location=US \\",
            "    --uniform-bucket-level-access --public-access-prevention",
            "gcloud logging sinks create callable-verifications \(inProject) \\",
            "    \(quoted("storage.googleapis.com/\(bucket)")) --log-filter='",
        ] + filter(indent: "    ", end: "'") + [
            "# The sink has its own service account. Grant it access:",
            "gcloud storage buckets add-iam-policy-binding \(quoted("gs://\(bucket)")) \\",
            "    --role=roles/storage.objectCreator \\",
            "    --member=\"$(gcloud logging sinks describe callable-verifications \\",
            "        \(inProject) --format='value(writerIdentity)')\"",
            "# No verdict looks back further than 28 days. This keeps the entries for 90:",
            #"echo '{"rule": [{"action": {"type": "Delete"}, "condition": {"age": 90}}]}' > lifecycle.json"#,
            "gcloud storage buckets update \(quoted("gs://\(bucket)")) --lifecycle-file=lifecycle.json",
            "# To read it, copy what is new, always with all folders: stdout, stderr and that of generation 1,",
            "mkdir -p logs && gcloud storage rsync \(quoted("gs://\(bucket)")) logs --recursive",
            "# or, without a copy of the folders, all in one file:",
            "gcloud storage cat \(quoted("gs://\(bucket)/**")) > export.partial.json &&",
            "    \(compressing)",
        ]
    }

    private var tables: [String] {
        [
            "# 3. A sink into BigQuery, if you have one or want one. It makes a table per log.",
            "bq --location=US mk --dataset \(quoted("\(project.text):\(ExportScript.dataset)"))",
            "gcloud logging sinks create callable-verifications-tables \\",
            "    \(quoted("bigquery.googleapis.com/projects/\(project.text)/datasets/\(ExportScript.dataset)")) \\",
            "    \(inProject) --use-partitioned-tables --log-filter='",
        ] + filter(indent: "    ", end: "'") + [
            "writer=$(gcloud logging sinks describe callable-verifications-tables \\",
            "    \(inProject) --format='value(writerIdentity)')",
            "bq query --project_id=\(quoted(project.text)) --use_legacy_sql=false \\",
            #"    "GRANT \`roles/bigquery.dataEditor\` ON SCHEMA \#(ExportScript.dataset) TO '$writer'""#,
            "# A table exists once its log had an entry: where bq finds none, that log is empty.",
            "gcloud storage buckets create \(quoted("gs://\(rows)")) \(inProject) --location=US \\",
            "    --uniform-bucket-level-access --public-access-prevention",
            "for table in run_googleapis_com_stdout run_googleapis_com_stderr \(requestTable)\\",
            "    cloudfunctions_googleapis_com_cloud_functions; do",
            "    bq extract --project_id=\(quoted(project.text)) \\",
            "        --destination_format=NEWLINE_DELIMITED_JSON --compression=GZIP \\",
            "        \"\(ExportScript.dataset).$table\" \"gs://\(rows)/$table-*.json.gz\"",
            "done",
            "mkdir -p rows && gcloud storage rsync \(quoted("gs://\(rows)")) rows --recursive",
        ]
    }

    private var analytics: [String] {
        [
            "# 4. Log Analytics: the log bucket itself as a view in BigQuery. --enable-analytics cannot be undone.",
            "gcloud logging buckets update _Default \(inProject) --location=global --enable-analytics",
            "gcloud logging links create \(ExportScript.link) \(inProject) --bucket=_Default --location=global",
            "# bq prints times without fractions and stops after 100 rows by default.",
            "bq query --project_id=\(quoted(project.text)) --use_legacy_sql=false --format=json --max_rows=100000000 '",
            "    SELECT log_name, insert_id, severity, resource, labels, json_payload, text_payload,",
        ] + (asksForCallers ? ["        trace, span_id, http_request,"] : []) + [
            #"        FORMAT_TIMESTAMP("%FT%H:%M:%E6SZ", timestamp) AS timestamp,"#,
            #"        FORMAT_TIMESTAMP("%FT%H:%M:%E6SZ", receive_timestamp) AS receive_timestamp"#,
            "    FROM \(ExportScript.link)._AllLogs",
            "    WHERE timestamp >= TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL \(days) DAY)",
            #"        AND (JSON_VALUE(labels["firebase-log-type"]) = "callable-request-verification""#,
            #"            OR text_payload LIKE "%Callable request verification%""#,
            #"            OR JSON_VALUE(json_payload.message) LIKE "%Callable request verification%""#,
        ] + callerConditions + [
            #"            OR log_id = "run.googleapis.com/stderr")' > export.partial.json &&"#,
            "    \(compressing)",
        ]
    }

    private var callerConditions: [String] {
        guard asksForCallers else { return [] }
        let names = services.map { "\"\($0)\"" }
        let callable =
            names.isEmpty
            ? [#"JSON_VALUE(labels["deployment-callable"]) = "true")"#]
            : ["JSON_VALUE(resource.labels.service_name) IN ("]
                + names.enumerated().map { $1 + ($0 + 1 < names.count ? "," : "))") }
        return [
            #"            OR text_payload LIKE "%Failed to validate AppCheck token%""#,
            #"            OR text_payload LIKE "%Allowing request with invalid AppCheck token%""#,
            #"            OR (log_id = "run.googleapis.com/requests" AND http_request.request_method = "POST""#,
        ] + callable.enumerated().map { "                \($0 == 0 ? "AND " : "    ")\($1)" }
    }

    private var judging: [String] {
        [
            "# 5. The export of 1 or 4 is the file export.json.gz, that of 2 the folder logs, of 3 the folder rows.",
            "# 1 and 2 may be read together, as copies count once. Read 3 and 4 alone: BigQuery cuts times, and a",
            "# copy with another time is not recognised.",
            "# Before you pipe an export into callcheck, type set -o pipefail. Without it nobody notices when the",
            "# first command of the pipe fails.",
            "callcheck export.json.gz",
            "# callcheck explain FUNCTION export.json.gz     all the evidence on one function",
            "# callcheck check --function FUNCTION logs      a gate for a pipeline",
        ]
    }

    private var requestTable: String { asksForCallers ? "run_googleapis_com_requests " : "" }

    private static let dataset = "callable_verifications"
    private static let link = "callable_logs"

    private var bucket: String { "\(project.name)-callable-verifications" }
    private var rows: String { "\(project.name)-callable-rows" }
    private var inProject: String { "--project=\(quoted(project.text))" }

    private func filter(indent: String, end: String) -> [String] {
        let conditions = asksForCallers ? LogFilter.withCallers(services: services) : LogFilter.complete
        var lines = conditions.map { indent + $0 }
        lines[lines.count - 1] += end
        return lines
    }

    private func quoted(_ word: String) -> String {
        "'\(word)'"
    }
}
