{{about}}

# What Cloud Logging still has, newest first. Without --freshness it reads one day.
# If a page quota or a lost connection ends the read early, the oldest days are missing. So
# export.json.gz is written only if the read completes.
# {{reads}}: log bucket _Default keeps {{usual}} days by default.
# To keep more from now on:
# gcloud logging buckets update _Default --project={{project}} --location=global --retention-days={{longer}}
{{short}}
if gcloud logging read '
    {{filter}}' \
    --project='{{project}}' --freshness={{days}}d --format=json > export.partial.json; then
    # This export can be read together with that of a sink: duplicates count once.
    gzip -c export.partial.json > export.json.gz && rm export.partial.json && callcheck export.json.gz
else
    echo 'The read ended early: export.partial.json lacks the oldest days. Run it again later.' >&2
    false
fi

# callcheck explain FUNCTION export.json.gz     all about one function
# callcheck check --function FUNCTION logs      a gate for a pipeline
