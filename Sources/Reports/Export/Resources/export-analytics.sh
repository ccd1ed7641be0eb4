{{about}}

# Log Analytics: the log bucket itself as a view in BigQuery. --enable-analytics cannot be undone.
gcloud logging buckets update _Default --project='{{project}}' --location=global --enable-analytics
gcloud logging links create callable_logs --project='{{project}}' --bucket=_Default --location=global
# bq prints times without fractions and stops after 100 rows by default.
bq query --project_id='{{project}}' --use_legacy_sql=false --format=json --max_rows=100000000 '
    SELECT log_name, insert_id, severity, resource, labels, json_payload, text_payload,
        {{callerFields}}
        FORMAT_TIMESTAMP("%FT%H:%M:%E6SZ", timestamp) AS timestamp,
        FORMAT_TIMESTAMP("%FT%H:%M:%E6SZ", receive_timestamp) AS receive_timestamp
    FROM callable_logs._AllLogs
    WHERE timestamp >= TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL {{days}} DAY)
        AND (JSON_VALUE(labels["firebase-log-type"]) = "callable-request-verification"
            OR text_payload LIKE "%Callable request verification%"
            OR JSON_VALUE(json_payload.message) LIKE "%Callable request verification%"
            {{callerConditions}}
            OR log_id = "run.googleapis.com/stderr")' > export.partial.json &&
    gzip -c export.partial.json > export.json.gz && rm export.partial.json

# Do not add other exports: BigQuery cuts times, so duplicates are not recognised.
callcheck export.json.gz
