#!/usr/bin/env bash
# Fetches what a sink has written to its bucket since last night, adds it to a history, and reports on that.
#
#   BUCKET=my-app-callable-verifications LOGS=logs STORE=history.db REPORTS=reports nightly.sh [OPTION...]
#
# Options go to callcheck report. POLICY names a policy file. Logs may be deleted once they are in the history.
#
# A sink's folders are LOG/YEAR/MONTH/DAY/HOUR.json, one folder per log: stdout and stderr of generation 2 are two, and
# generation 1 has its own. Nothing in the bucket is changed.
set -euo pipefail

: "${BUCKET:?name the bucket that the sink writes to}"
: "${LOGS:?name the folder that the logs are kept in}"
: "${STORE:?name the file that the history is kept in}"
: "${REPORTS:?name the folder that reports are written to}"
POLICY=${POLICY:-}

mkdir -p "$LOGS" "$REPORTS"

# Only whole files that are new or have changed are fetched.
gcloud storage rsync --recursive "gs://$BUCKET" "$LOGS"

# What was read before counts once, so that all of it may be given again. A history that lacks a damaged file is still
# worth a report; the status tells at the end.
status=0
callcheck ingest --store "$STORE" --no-progress "$LOGS" || status=$?

options=(--store "$STORE" --no-progress)
if [ -n "$POLICY" ]; then options+=(--policy "$POLICY"); fi
options+=("$@")

for name in callcheck.prom report.html report.json report.md report.txt; do
    callcheck report "${options[@]}" --output "$REPORTS/$name" || status=$?
done
exit "$status"
