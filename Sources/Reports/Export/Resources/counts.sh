# Queries that count verifications in place, for one project or many. Nothing was run: copy the one
# that fits. Each scans the log once and writes one small file, which callcheck reads like a log:
#   callcheck check counts.csv
# Or paste the query into the console and save all rows as CSV or JSON. bq stops after 100 rows
# without --max_rows. Counts have no clients and causes. If results overlap, the larger count of each
# status is used.

# 1. Log Analytics, by a linked dataset, which callcheck export analytics makes.
bq query --project_id='{{project}}' --use_legacy_sql=false --format=csv --max_rows=10000000 \
    > counts.csv <<'SQL'
WITH logged AS (
    SELECT log_name AS log, insert_id, timestamp AS stamped, receive_timestamp AS received, severity,
        resource.type AS kind, resource.labels AS place, labels, json_payload AS payload,
        text_payload AS text, trace, span_id AS span
    FROM callable_logs._AllLogs
    WHERE timestamp >= CAST(CURRENT_DATE - {{days}} AS TIMESTAMP)
        AND (JSON_VALUE(labels, '$."firebase-log-type"') = 'callable-request-verification'
            OR text_payload LIKE '%Callable request verification%'
            OR JSON_VALUE(json_payload, '$.message') LIKE '%Callable request verification%'
            OR log_id = 'run.googleapis.com/stderr')
{{steps}}
SQL

# 2. The tables of a BigQuery sink (callcheck export bigquery makes one). A table exists only after its
# log got an entry: leave out a table that bq does not find, with its UNION ALL.
bq query --project_id='{{project}}' --use_legacy_sql=false --format=csv --max_rows=10000000 \
    > counts.csv <<'SQL'
WITH logged AS (
    SELECT JSON_VALUE(entry, '$.logName') AS log, JSON_VALUE(entry, '$.insertId') AS insert_id,
        stamped, received, JSON_VALUE(entry, '$.severity') AS severity,
        JSON_VALUE(entry, '$.resource.type') AS kind, JSON_QUERY(entry, '$.resource.labels') AS place,
        JSON_QUERY(entry, '$.labels') AS labels, JSON_QUERY(entry, '$.jsonPayload') AS payload,
        JSON_VALUE(entry, '$.textPayload') AS text, JSON_VALUE(entry, '$.trace') AS trace,
        JSON_VALUE(entry, '$.spanId') AS span
    FROM (
        SELECT timestamp AS stamped, receiveTimestamp AS received, TO_JSON(t) AS entry
        FROM callable_verifications.run_googleapis_com_stdout AS t WHERE timestamp >= CAST(CURRENT_DATE - {{days}} AS TIMESTAMP)
        UNION ALL
        SELECT timestamp AS stamped, receiveTimestamp AS received, TO_JSON(t) AS entry
        FROM callable_verifications.run_googleapis_com_stderr AS t WHERE timestamp >= CAST(CURRENT_DATE - {{days}} AS TIMESTAMP)
        UNION ALL
        SELECT timestamp AS stamped, receiveTimestamp AS received, TO_JSON(t) AS entry
        FROM callable_verifications.cloudfunctions_googleapis_com_cloud_functions AS t WHERE timestamp >= CAST(CURRENT_DATE - {{days}} AS TIMESTAMP)
    )
{{stepsOfTables}}
SQL
