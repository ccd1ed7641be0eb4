/// Queries that count verifications where the log is, in Log Analytics or in a BigQuery sink's tables, as commands to
/// copy: the result of either can be read instead of the log.
///
/// A query does what callcheck does while it reads a log: it believes times only as far as callcheck does, and leaves
/// out what is not the SDK's message, duplicates, and later entries of one execution up to the next day. Names are
/// those of GoogleSQL for BigQuery; the texts hold no backslash except in regular expressions, where quotes are spelled
/// in hexadecimal.
package struct CountsScript: Sendable {
    let project: ProjectID
    let days: Int

    package init(project: ProjectID, days: Int) {
        self.project = project
        self.days = days
    }

    package var text: String {
        [opening, analytics, tables].map { part in part.map { $0 + "\n" }.joined() }.joined(separator: "\n")
    }

    private var opening: [String] {
        [
            "# Queries that count verifications in place, for one project or many. Nothing was run: copy the one",
            "# that fits. Each scans the log once and writes one small file, which callcheck reads like a log:",
            "#   callcheck check counts.csv",
            "# The console does as well: paste the query, and save all rows as CSV or JSON. bq stops after 100 rows",
            "# without --max_rows. Counts know nothing of callers and causes, and days that overlap count once: of two",
            "# results, the larger number of each status stays.",
        ]
    }

    private var analytics: [String] {
        ["# 1. Log Analytics, by a linked dataset (part 4 of callcheck export makes one)."]
            + command(
                [
                    "SELECT log_name AS log, insert_id, timestamp AS stamped, receive_timestamp AS received, severity,",
                    "    resource.type AS kind, resource.labels AS place, labels, json_payload AS payload,",
                    "    text_payload AS text, trace, span_id AS span",
                    "FROM callable_logs._AllLogs",
                    "WHERE timestamp >= \(start)",
                    "    AND (\(value("labels", #""firebase-log-type""#)) = '\(CountsScript.label)'",
                    "        OR text_payload LIKE '%\(CountsScript.message)%'",
                    "        OR \(value("json_payload", "message")) LIKE '%\(CountsScript.message)%'",
                    "        OR log_id = 'run.googleapis.com/stderr')",
                ],
                labels: (
                    type: #""firebase-log-type""#, id: #""goog-drz-cloudfunctions-id""#, instance: "instanceId",
                    execution: "execution_id"
                ))
    }

    private var tables: [String] {
        let names = [
            "run_googleapis_com_stdout", "run_googleapis_com_stderr", "cloudfunctions_googleapis_com_cloud_functions",
        ]
        // Typed, and apart from the lines around it: as one expression the compiler takes 20 s to find its types.
        let rows: [String] = names.enumerated().flatMap { index, name -> [String] in
            let rows = [
                "    SELECT timestamp AS stamped, receiveTimestamp AS received, TO_JSON(t) AS entry",
                "    FROM callable_verifications.\(name) AS t WHERE timestamp >= \(start)",
            ]
            return index > 0 ? ["    UNION ALL"] + rows : rows
        }
        return [
            "# 2. The tables of a BigQuery sink (part 3 of callcheck export makes one). A table exists once its log",
            "# had an entry: leave out a table that bq does not find, with its UNION ALL.",
        ]
            + command(
                [
                    "SELECT \(value("entry", "logName")) AS log, \(value("entry", "insertId")) AS insert_id,",
                    "    stamped, received, \(value("entry", "severity")) AS severity,",
                    "    \(value("entry", "resource.type")) AS kind, JSON_QUERY(entry, '$.resource.labels') AS place,",
                    "    JSON_QUERY(entry, '$.labels') AS labels, JSON_QUERY(entry, '$.jsonPayload') AS payload,",
                    "    \(value("entry", "textPayload")) AS text, \(value("entry", "trace")) AS trace,",
                    "    \(value("entry", "spanId")) AS span",
                    "FROM (",
                ] + rows + [")"],
                labels: (
                    type: "firebase_log_type", id: "goog_drz_cloudfunctions_id", instance: "instanceid",
                    execution: "execution_id"
                ))
    }

    private static let label = "callable-request-verification"
    private static let message = "Callable request verification"

    private var start: String { "CAST(CURRENT_DATE - \(days) AS TIMESTAMP)" }

    private func value(_ column: String, _ path: String) -> String { "JSON_VALUE(\(column), '$.\(path)')" }

    /// The query over the rows that another one selects, and the command that runs it.
    private func command(
        _ rows: [String], labels: (type: String, id: String, instance: String, execution: String)
    ) -> [String] {
        [
            "bq query --project_id='\(project.text)' --use_legacy_sql=false --format=csv --max_rows=10000000 \\",
            "    > counts.csv <<'SQL'", "WITH logged AS (",
        ]
            + rows.map { "    " + $0 } + ["), read AS (", "    SELECT insert_id, log, stamped, received,"]
            + fields(labels.type, labels.id, labels.instance, labels.execution).map { "        " + $0 }
            + CountsScript.steps + ["SQL"]
    }

    private func fields(_ type: String, _ id: String, _ instance: String, _ execution: String) -> [String] {
        [
            "CASE WHEN stamped > received + INTERVAL 1 HOUR THEN received",
            "    WHEN stamped < received - INTERVAL 24 HOUR THEN NULL",
            "    ELSE COALESCE(stamped, received) END AS time,",
            "CASE WHEN severity IN ('DEBUG', 'INFO') THEN severity ELSE 'OTHER' END AS severity,",
            "COALESCE(\(value("place", "project_id")), REGEXP_EXTRACT(log, '^projects/([^/]+)/')) AS project,",
            "COALESCE(\(value("place", "location")), \(value("place", "region"))) AS region,",
            "COALESCE(\(value("place", "service_name")), \(value("place", "function_name"))) AS function,",
            "CASE kind WHEN 'cloud_function' THEN 1 WHEN 'cloud_run_revision' THEN 2 END AS generation,",
            "\(value("labels", id)) AS id,",
            "COALESCE(\(value("labels", type)), '') = '\(CountsScript.label)' AS labelled,",
            "COALESCE('call ' || COALESCE(\(value("labels", instance)), '') || ' ' || \(value("labels", execution)),",
            "    'span ' || trace || ' ' || span) AS execution,",
            "COALESCE(\(value("payload", "message")), text) AS message,",
            "COALESCE(\(value("payload", "verifications.app")), \(value("payload", "verifications.appCheck")),",
            "    \(value("payload", "verifications.appcheck"))) AS app,",
            "\(value("payload", "verifications.auth")) AS auth",
        ]
    }

    /// From entries to counts; the same for both.
    private static let steps = """
            FROM logged
        ), spoken AS (
            SELECT * EXCEPT (app, auth),
                app IS NOT NULL OR auth IS NOT NULL AS structured,
                CASE WHEN app IS NULL AND auth IS NULL
                    THEN REGEXP_EXTRACT(message, '[\\x22\\x27]app[\\x22\\x27][ :]*[\\x22\\x27]([A-Z]*)[\\x22\\x27]')
                    ELSE app END AS app,
                CASE WHEN app IS NULL AND auth IS NULL
                    THEN REGEXP_EXTRACT(message, '[\\x22\\x27]auth[\\x22\\x27][ :]*[\\x22\\x27]([A-Z]*)[\\x22\\x27]')
                    ELSE auth END AS auth,
                CASE WHEN message = 'Callable request verification passed' THEN 'passed'
                    WHEN STARTS_WITH(message, 'Callable request verification failed') THEN 'failed'
                    WHEN STARTS_WITH(message, 'Callable header verification') THEN 'documented'
                    WHEN NOT labelled AND app IS NULL AND auth IS NULL THEN REGEXP_EXTRACT(message,
                        '^(?:(?:DEBUG|INFO|WARNING|ERROR|CRITICAL):[^ :]*:)?Callable request verification (passed|failed)')
                    END AS said
            FROM read
        ), verifications AS (
            SELECT * EXCEPT (app, auth), UNIX_DATE(CAST(COALESCE(time, received) AS DATE)) AS day,
                CASE WHEN app IN ('VALID', 'INVALID', 'MISSING') THEN app ELSE 'OTHER' END AS app,
                CASE WHEN auth IN ('VALID', 'INVALID', 'MISSING') THEN auth ELSE 'OTHER' END AS auth
            FROM spoken
            WHERE labelled OR structured OR app IS NOT NULL OR auth IS NOT NULL
        ), genuine AS (
            SELECT * FROM verifications
            WHERE said = 'documented'
                OR (said = 'passed' AND app <> 'INVALID' AND auth <> 'INVALID')
                OR (said = 'failed' AND (app IN ('INVALID', 'OTHER') OR auth IN ('INVALID', 'OTHER')))
        ), entries AS (
            SELECT * FROM genuine WHERE TRUE
            QUALIFY ROW_NUMBER() OVER (
                PARTITION BY project, log, insert_id, COALESCE(time, stamped), region, function, generation, labelled,
                    app, auth
                ORDER BY execution IS NULL, severity) = 1
        ), requests AS (
            SELECT * FROM entries WHERE TRUE
            QUALIFY NOT labelled OR execution IS NULL OR CASE WHEN time IS NOT NULL THEN
                ROW_NUMBER() OVER (
                    PARTITION BY project, region, function, generation, labelled, execution, time, app, auth
                    ORDER BY insert_id) = 1
                AND COALESCE(day - MAX(IF(time IS NULL, NULL, day)) OVER (
                    PARTITION BY project, region, function, generation, labelled, execution
                    ORDER BY UNIX_MICROS(time) RANGE BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 2) > 1
            ELSE
                COUNT(time) OVER (
                    PARTITION BY project, region, function, generation, labelled, execution
                    ORDER BY day RANGE BETWEEN 1 PRECEDING AND 1 FOLLOWING) = 0
                AND COALESCE(day - LAG(day) OVER (
                    PARTITION BY project, region, function, generation, labelled, execution, time IS NULL
                    ORDER BY day, insert_id), 2) > 1
            END
        ), counted AS (
            SELECT project, region, function, MIN(id) AS id, generation, CAST(labelled AS STRING) AS labelled, severity,
                CAST(CAST(time AS DATE) AS STRING) AS day, EXTRACT(HOUR FROM time) AS hour, app, auth,
                COUNT(*) AS count, FORMAT_TIMESTAMP('%Y-%m-%dT%H:%M:%E6SZ', MIN(time)) AS first,
                FORMAT_TIMESTAMP('%Y-%m-%dT%H:%M:%E6SZ', MAX(time)) AS last
            FROM requests
            GROUP BY 1, 2, 3, 5, 6, 7, 8, 9, 10, 11
            UNION ALL
            SELECT project, NULL, NULL, NULL, 2, 'false', NULL, CAST(CAST(time AS DATE) AS STRING), NULL, NULL, NULL,
                COUNT(*), NULL, NULL
            FROM read
            WHERE ENDS_WITH(log, 'run.googleapis.com%2Fstderr')
            GROUP BY 1, 8
        )
        SELECT *, COUNT(*) OVER () AS row_count FROM counted
        """.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
}
