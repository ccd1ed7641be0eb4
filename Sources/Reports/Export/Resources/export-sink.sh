{{about}}

# A bucket, and a sink that writes to it from now on: first files after two or three hours.
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
# There is nothing to read yet. From the first files on, copy what is new, always with all folders:
# stdout, stderr and that of generation 1.
#   mkdir -p logs
#   gcloud storage rsync gs://{{name}}-callable-verifications logs --recursive
#   callcheck logs
