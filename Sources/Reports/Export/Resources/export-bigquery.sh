{{about}}

# A sink into BigQuery, if you have one or want one. It makes a table per log.
bq --location=US mk --dataset '{{project}}:callable_verifications'
gcloud logging sinks create callable-verifications-tables \
    'bigquery.googleapis.com/projects/{{project}}/datasets/callable_verifications' \
    --project='{{project}}' --use-partitioned-tables --log-filter='
    {{filter}}'
writer=$(gcloud logging sinks describe callable-verifications-tables \
    --project='{{project}}' --format='value(writerIdentity)')
bq query --project_id='{{project}}' --use_legacy_sql=false \
    "GRANT \`roles/bigquery.dataEditor\` ON SCHEMA callable_verifications TO '$writer'"
# A table exists only after its log got an entry. If bq does not find a table, that log is empty.
gcloud storage buckets create 'gs://{{name}}-callable-rows' --project='{{project}}' --location=US \
    --uniform-bucket-level-access --public-access-prevention
for table in run_googleapis_com_stdout run_googleapis_com_stderr {{requestTable}}\
    cloudfunctions_googleapis_com_cloud_functions; do
    bq extract --project_id='{{project}}' \
        --destination_format=NEWLINE_DELIMITED_JSON --compression=GZIP \
        "callable_verifications.$table" "gs://{{name}}-callable-rows/$table-*.json.gz"
done
mkdir -p rows && gcloud storage rsync 'gs://{{name}}-callable-rows' rows --recursive

# Do not add other exports: BigQuery cuts times, so duplicates are not recognised.
callcheck rows
