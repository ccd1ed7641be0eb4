#!/usr/bin/env bash
# Fetches what sinks wrote to their buckets since last night, adds it to a store, and writes reports from that store.
#
#   BUCKET=my-app-callable-verifications LOGS=logs STORE=history.db REPORTS=reports nightly.sh [OPTION...]
#
# Options are passed to callcheck report. POLICY names a policy file; without it, exceptions and `enforced:` are unknown.
# STRICT=--strict also makes an error (status 65) of a file that is cut or has unreadable lines.
#
# For several projects, name their buckets with spaces in between:
# BUCKET="my-app-callable-verifications my-app-dev-callable-verifications". Each then has its own folder in LOGS, because
# the files of all buckets have the same names. If a bucket cannot be read, the others still are; the exit status shows
# it.
#
# Exit status: 0; 1 if a change needs action, for example because signed-in users are refused, or if the log has ended;
# 74 if a bucket could not be read; otherwise that of callcheck. Errors outrank changes. Standard output has the first
# lines of the report. Standard error is empty unless something is wrong or a change needs action.
#
# The log has ended if its newest request is more than 36 hours old. MAX_AGE sets another number of hours, for functions
# that nobody calls on weekends.
#
# Logs that are in the store are no longer needed. Delete them in their bucket first (a lifecycle rule can do that), then
# in LOGS: files that are only in the bucket are fetched again.
#
# A sink writes to LOG/YEAR/MONTH/DAY/HOUR.json, with one folder per log: generation 2 has two, stdout and stderr, and
# generation 1 has its own. The script changes nothing in the buckets.
set -euo pipefail

: "${BUCKET:?name the bucket that the sink writes to, or several}"
: "${LOGS:?name the folder for the logs}"
: "${STORE:?name the file of the store}"
: "${REPORTS:?name the folder for the reports}"
POLICY=${POLICY:-}
STRICT=${STRICT:-}
MAX_AGE=${MAX_AGE:-36}

mkdir -p "$LOGS" "$REPORTS"

# The exit status always becomes a metric: a report from a store does not show what was wrong with the files of one
# night.
# shellcheck disable=SC2317 # The trap calls it.
write_status() {
    {
        echo "# HELP callcheck_nightly_exit_status Exit status of the last nightly run."
        echo "# TYPE callcheck_nightly_exit_status gauge"
        echo "callcheck_nightly_exit_status $1"
    } >"$REPORTS/nightly.prom.new"
    mv "$REPORTS/nightly.prom.new" "$REPORTS/nightly.prom"
}
trap 'write_status $?' EXIT

# The first failure is the exit status; the other steps still run.
status=0
failed() { if [ "$status" -eq 0 ]; then status=$1; fi; }

# Fetches only files that are new or have changed, each as a whole.
read -r -a buckets <<<"$BUCKET"
for bucket in "${buckets[@]}"; do
    folder=$LOGS
    if [ ${#buckets[@]} -gt 1 ]; then folder=$LOGS/$bucket; fi
    { mkdir -p "$folder" && gcloud storage rsync --recursive "gs://$bucket" "$folder"; } || failed 74
done

# Entries count once, however often they are read, so it is safe to pass all files again. If a file is damaged, the
# reports are still written, and the exit status shows the error.
callcheck store add "$STORE" --set no-progress=true ${STRICT:+"$STRICT"} "$LOGS" >"$REPORTS/added.txt" || failed $?

options=(--store "$STORE" --set no-progress=true)
if [ -n "$POLICY" ]; then options+=(--policy "$POLICY"); fi
options+=("$@")

for name in callcheck.prom report.html report.json report.md; do
    callcheck report "${options[@]}" --output "$REPORTS/$name" || failed $?
done
# Cron mails what is on standard error, and so does systemd if the status is not 0.
code=0
callcheck report "${options[@]}" --fail-on act --output "$REPORTS/report.txt" || code=$?
if [ "$code" -ne 0 ]; then failed "$code"; fi
if [ "$code" -le 1 ]; then sed '/^$/,$d' "$REPORTS/report.txt"; fi
if [ "$code" -eq 1 ]; then echo "Act now: $REPORTS/report.txt lists what has to be done." >&2; fi

# An old log shows no lock-out, so silence would be misleading. Not with --as-of, which chooses another day.
newest=$(sed -n 's/^callcheck_newest_input_timestamp_seconds \([0-9]*\).*/\1/p' "$REPORTS/callcheck.prom")
if [ -n "$newest" ] && [[ " $* " != *" --as-of"* ]] && [ $(($(date +%s) - newest)) -gt $((MAX_AGE * 3600)) ]; then
    echo "The log has ended: no request of the last $MAX_AGE hours. Check the sink and the bucket." >&2
    failed 1
fi
exit "$status"
