#!/usr/bin/env bash
# Fetches what a sink has written to its bucket since last night, and reports on the last four weeks.
#
#   BUCKET=my-app-callable-verifications LOGS=logs REPORTS=reports nightly.sh [OPTION...]
#
# Options go to callcheck report. POLICY names a policy file, DAYS says how far back to look.
#
# A sink's folders are LOG/YEAR/MONTH/DAY/HOUR.json, one folder per log: stdout and stderr of generation 2 are two, and
# generation 1 has its own. Nothing in the bucket is changed. Days that are no longer fetched stay in LOGS.
set -euo pipefail

: "${BUCKET:?name the bucket that the sink writes to}"
: "${LOGS:?name the folder that the logs are kept in}"
: "${REPORTS:?name the folder that reports are written to}"
POLICY=${POLICY:-}
DAYS=${DAYS:-28}

mkdir -p "$LOGS" "$REPORTS"

# Only whole files that are new or have changed are fetched.
gcloud storage rsync --recursive "gs://$BUCKET" "$LOGS"

options=(--since "${DAYS}d" --no-progress)
if [ -n "$POLICY" ]; then options+=(--policy "$POLICY"); fi
options+=("$@")

# A report that rests on less than everything is still worth reading; the status tells at the end.
status=0
for name in callcheck.prom report.json report.md report.txt; do
    callcheck report "${options[@]}" --output "$REPORTS/$name" "$LOGS" || status=$?
done
exit "$status"
