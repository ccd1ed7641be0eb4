# Commands for an export that is complete. Nothing was run: copy the part you need.
#   1  what Cloud Logging still has: for a first look, changes nothing
#   2  a sink into a bucket: for decisions, every night
#   3  a sink into BigQuery
#   4  Log Analytics
#   5  what to do with the export
#
# The filter finds the verifications of both generations by their label, and those of Python, which
# have none, by their text. Generation 2 writes passes to stdout and failures to stderr: all of its
# stderr is taken, since only its other lines show that it arrived when nothing failed.
# Add no severity: passes are written at DEBUG. Add no resource.type: each generation has its own.
{{callers}}
#
# What it costs: an entry takes about 1 kB, so a million requests take {{volume}}. Reading a log and
# routing it to a sink is free. List prices, which may have changed:
#   in Cloud Logging, beyond 30 days    0.01 dollars a GiB and month
#   in a bucket in us-east1             0.02 dollars a GB and month
#   a download from a bucket            0.12 dollars a GB
# BigQuery charges for what a sink writes, for space, and for what queries read: of that, the first TiB
# of a month is free.
# https://cloud.google.com/stackdriver/pricing  https://cloud.google.com/storage/pricing-examples
# https://cloud.google.com/bigquery/pricing
{{placeholder}}

# 1. What Cloud Logging still has, newest first. Without --freshness it reads one day.
# When a page quota or a lost connection ends the read early, the oldest days are missing. So only a
# read that came to its end is compressed to export.json.gz.
# {{reads}}: log bucket _Default keeps {{usual}} days by default.
# To keep more from now on:
# gcloud logging buckets update _Default --project={{project}} --location=global --retention-days={{longer}}
{{short}}
if gcloud logging read '
    {{filter}}' \
    --project='{{project}}' --freshness={{days}}d --format=json > export.partial.json; then
    gzip -c export.partial.json > export.json.gz && rm export.partial.json
else
    echo 'The read ended early: export.partial.json lacks the oldest days. Run it again later.' >&2
    false
fi

# 2. A bucket, and a sink that writes to it from now on: first files after two or three hours.
# --location says where the entries are kept. Bucket names are global: choose another if this one is
# taken.
gcloud storage buckets create 'gs://{{name}}-callable-verifications' --project='{{project}}' --location=US \
    --uniform-bucket-level-access --public-access-prevention
gcloud logging sinks create callable-verifications --project='{{project}}' \
    'storage.googleapis.com/{{name}}-callable-verifications' --log-filter='
    {{filter}}'
# The sink has its own service account. Grant it access:
gcloud storage buckets add-iam-policy-binding 'gs://{{name}}-callable-verifications' \
    --role=roles/storage.objectCreator \
    --member="$(gcloud logging sinks describe callable-verifications \
        --project='{{project}}' --format='value(writerIdentity)')"
# No verdict looks back further than 28 days. This keeps the entries for 90:
echo '{"rule": [{"action": {"type": "Delete"}, "condition": {"age": 90}}]}' > lifecycle.json
gcloud storage buckets update 'gs://{{name}}-callable-verifications' --lifecycle-file=lifecycle.json
# To read it, copy what is new, always with all folders: stdout, stderr and that of generation 1,
mkdir -p logs && gcloud storage rsync 'gs://{{name}}-callable-verifications' logs --recursive
# or, without a copy of the folders, all in one file:
gcloud storage cat 'gs://{{name}}-callable-verifications/**' > export.partial.json &&
    gzip -c export.partial.json > export.json.gz && rm export.partial.json

# 3. A sink into BigQuery, if you have one or want one. It makes a table per log.
bq --location=US mk --dataset '{{project}}:callable_verifications'
gcloud logging sinks create callable-verifications-tables \
    'bigquery.googleapis.com/projects/{{project}}/datasets/callable_verifications' \
    --project='{{project}}' --use-partitioned-tables --log-filter='
    {{filter}}'
writer=$(gcloud logging sinks describe callable-verifications-tables \
    --project='{{project}}' --format='value(writerIdentity)')
bq query --project_id='{{project}}' --use_legacy_sql=false \
    "GRANT \`roles/bigquery.dataEditor\` ON SCHEMA callable_verifications TO '$writer'"
# A table exists once its log had an entry: where bq finds none, that log is empty.
gcloud storage buckets create 'gs://{{name}}-callable-rows' --project='{{project}}' --location=US \
    --uniform-bucket-level-access --public-access-prevention
for table in run_googleapis_com_stdout run_googleapis_com_stderr {{requestTable}}\
    cloudfunctions_googleapis_com_cloud_functions; do
    bq extract --project_id='{{project}}' \
        --destination_format=NEWLINE_DELIMITED_JSON --compression=GZIP \
        "callable_verifications.$table" "gs://{{name}}-callable-rows/$table-*.json.gz"
done
mkdir -p rows && gcloud storage rsync 'gs://{{name}}-callable-rows' rows --recursive

# 4. Log Analytics: the log bucket itself as a view in BigQuery. --enable-analytics cannot be undone.
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

# 5. The export of 1 or 4 is the file export.json.gz, that of 2 the folder logs, of 3 the folder rows.
# 1 and 2 may be read together, as copies count once. Read 3 and 4 alone: BigQuery cuts times, and a
# copy with another time is not recognised.
# Before you pipe an export into callcheck, type set -o pipefail. Without it nobody notices when the
# first command of the pipe fails.
callcheck export.json.gz
# callcheck explain FUNCTION export.json.gz     all the evidence on one function
# callcheck check --function FUNCTION logs      a gate for a pipeline
