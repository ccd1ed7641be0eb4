#!/usr/bin/env bash
# Fetches what sinks wrote to their buckets since last night, adds it to a store, and writes reports from that store.
#
#   BUCKET=my-app-callable-verifications LOGS=logs STORE=history.db REPORTS=reports nightly.sh [OPTION...]
#
# Options are passed to callcheck report. POLICY names a policy file; without it, exceptions and `enforced:` are unknown.
# STRICT=--strict also makes an error (status 65) of a file that is cut or has unreadable lines. Needs gcloud and jq.
#
# For several projects, name their buckets with white space in between:
# BUCKET="my-app-callable-verifications my-app-dev-callable-verifications". Each then has its own folder in LOGS, because
# the files of all buckets have the same names. If a bucket cannot be read, the others still are; the exit status shows
# it.
#
# SERVICES names projects, with spaces in between, whose services (Firestore, Storage and others) are judged as well: their
# counts of the last 35 days are fetched each night into REPORTS/services, which needs curl.
#
# Exit status: 0; 1 if a change needs action, for example because signed-in users are refused, or if a log has ended or
# lacks a day; 64 if a variable or the policy is wrong; 65 if a file is damaged or a bucket is empty; 74 if a bucket
# could not be read, if a disk is full, or if the run was cut short; otherwise that of callcheck. Errors outrank
# changes. Standard output has the first lines of the report. Standard error is empty unless something is wrong or a
# change needs action.
#
# A project's log has ended if its newest request is more than 36 hours old. MAX_AGE sets another number of hours, for
# functions that nobody calls on weekends. It lacks a day if yesterday (UTC) has less than a quarter of the requests of
# the same day a week earlier, and more than seven fewer.
#
# NAME=TEXT gives all metrics the label report="TEXT". Two jobs next to one node_exporter need different names, or it
# drops metrics that both have.
#
# LOGS holds files only until they are in the store: a file is deleted after `store add` has ended with 0, if the store
# lists its name and size, or has the same bytes under another name: STORE.copies lists these. Objects that either lists
# are not fetched again. To make a new store, move the old one away: the next run fetches all that is in the buckets.
#
# A sink writes to LOG/YEAR/MONTH/DAY/HOUR.json, with one folder per log: generation 2 has two, stdout and stderr, and
# generation 1 has its own. The script changes nothing in the buckets.
set -euo pipefail

for name in BUCKET LOGS STORE REPORTS; do
    if [ -z "${!name:-}" ]; then
        echo "nightly.sh: set $name: the buckets of the sinks, a folder for logs, the store, and a folder for reports" >&2
        exit 64
    fi
done
LOGS=${LOGS%/}
POLICY=${POLICY:-}
STRICT=${STRICT:-}
MAX_AGE=${MAX_AGE:-36}
NAME=${NAME:-}
if [[ $NAME == *[!A-Za-z0-9._-]* || $MAX_AGE == *[!0-9]* ]]; then
    echo "nightly.sh: NAME may have letters, digits, dots, hyphens and underscores, and MAX_AGE digits" >&2
    exit 64
fi

# Adds the label of NAME to metrics.
label() {
    if [ -z "$NAME" ]; then cat; else
        sed -E "s/^(callcheck_[a-z_]+)[{]/\\1{report=\"$NAME\",/; t; s/^(callcheck_[a-z_]+) /\\1{report=\"$NAME\"} /"
    fi
}

# The exit status always becomes a metric: a report from a store does not show what was wrong with the files of one
# night. All values take as many bytes, so that one can replace another on a full disk.
# shellcheck disable=SC2317 # The trap calls it.
write_status() {
    local file=$REPORTS/nightly.prom text
    text=$(label <<END
# HELP callcheck_nightly_exit_status Exit status of the last nightly run; 74 until it has ended.
# TYPE callcheck_nightly_exit_status gauge
callcheck_nightly_exit_status $(printf %3d "$1")
# HELP callcheck_nightly_start_timestamp_seconds Start of the last nightly run.
# TYPE callcheck_nightly_start_timestamp_seconds gauge
callcheck_nightly_start_timestamp_seconds $now
END
)
    if ! { printf '%s\n' "$text$missing" >"$file.new" && mv "$file.new" "$file"; } 2>/dev/null; then
        rm -f "$file.new"
        if [ -e "$file" ]; then printf '%s\n' "$text" | dd of="$file" conv=notrunc status=none || rm -f "$file"; fi
    fi
}
now=$(date +%s)
missing=
has_ended=
work=
# shellcheck disable=SC2317 # The trap calls it.
finish() {
    # A run that is cut short has status 74.
    local status=$?
    if [ -z "$has_ended" ]; then status=74; fi
    write_status "$status"
    rm -rf "$work" "$LOGS/.new"
    exit "$status"
}
mkdir -p "$REPORTS" || exit 74
write_status 74
trap finish EXIT
trap 'exit 74' HUP INT TERM
mkdir -p "$LOGS"
work=$(mktemp -d)

# The first failure is the exit status; the other steps still run.
status=0
failed() { if [ "$status" -eq 0 ]; then status=$1; fi; }
end() {
    has_ended=yes
    exit "$status"
}

# A damaged file is in the messages of every command: each line is printed once.
: >"$work/said"
once() {
    local code=0
    "$@" 2>"$work/errors" || code=$?
    grep -Fxv -f "$work/said" "$work/errors" >&2 || true
    cat "$work/errors" >>"$work/said"
    return "$code"
}

# Writes size and name of each input that the store has, as a line.
list_known() {
    : >"$work/known"
    if [ ! -e "$STORE" ]; then
        rm -f "$STORE.copies"
        return
    fi
    callcheck store list "$STORE" --format json --output "$work/list.json" || return
    jq -r '.inputs[] | "\(.bytes) \(.name)"' "$work/list.json" >"$work/known" || return 74
    if [ -e "$STORE.copies" ]; then cat "$STORE.copies" >>"$work/known" || return 74; fi
}

# Deletes the files that the store has.
delete_known() {
    find "$LOGS" -type f -printf '%s %p\n' | { grep -Fx -f "$work/known" || [ $? -eq 1 ]; } |
        cut -d ' ' -f 2- | tr '\n' '\0' | xargs -0 -r rm -f -- || return
    find "$LOGS" -mindepth 1 -type d -empty -delete
}

# Of files with the same bytes the store lists one.
delete_copies() {
    if [ -z "$(find "$LOGS" -type f -print -quit)" ]; then return 0; fi
    callcheck store add "$STORE" --set dry-run=true --quiet --format json --output "$work/copies.json" "$LOGS" 2>"$work/errors" ||
        return 0
    jq -r '.inputs[] | select(.known) | "\(.counts.bytesRead) \(.source)"' "$work/copies.json" >"$work/known" || return
    cat "$work/known" >>"$STORE.copies" && delete_known
}

# Fetches objects of one folder of a bucket; no part of an object is left in LOGS.
fetch() {
    local source=$1 folder=$2
    shift 2
    rm -rf "$LOGS/.new" && mkdir -p "$LOGS/.new" "$folder" || return
    gcloud storage cp "${@/#/"$source"}" "$LOGS/.new/" && mv "$LOGS/.new"/* "$folder"
}

# Fetches the objects of a bucket that are neither in the store nor in LOGS.
fetch_bucket() {
    local bucket=$1 target=$2 size path folder last='' names=()
    gcloud storage objects list "gs://$bucket" --format='json(name,size)' >"$work/objects.json" || return 74
    if [ "$(jq length "$work/objects.json")" -eq 0 ]; then
        echo "gs://$bucket holds no objects: check the sink, and its rights on the bucket" >&2
        return 65
    fi
    # A sink writes no name that has an empty part, or leads out of the folder.
    jq -r --arg target "$target" '
        .[] | select(.name | test("(^|/)[.]{0,2}(/|$)") | not) | "\(.size) \($target)/\(.name)"
    ' "$work/objects.json" | sort -k 2 >"$work/objects" || return 74
    while read -r size path; do
        if [ -e "$path" ] && [ "$(stat -c %s "$path")" -eq "$size" ]; then continue; fi
        folder=${path%/*}
        if [ "$folder" != "$last" ] || [ ${#names[@]} -ge 100 ]; then
            if [ ${#names[@]} -gt 0 ]; then fetch "gs://$bucket${last#"$target"}/" "$last" "${names[@]}" || return 74; fi
            names=()
        fi
        last=$folder
        names+=("${path##*/}")
    done < <(grep -Fxv -f "$work/known" "$work/objects")
    if [ ${#names[@]} -gt 0 ]; then fetch "gs://$bucket${last#"$target"}/" "$last" "${names[@]}" || return 74; fi
}

code=0
list_known || code=$?
if [ "$code" -ne 0 ]; then
    failed "$code"
    end
fi
# shellcheck disable=SC2153 # It is set.
read -r -d '' -a buckets <<<"$BUCKET" || true
for bucket in "${buckets[@]}"; do
    folder=$LOGS
    if [ ${#buckets[@]} -gt 1 ]; then folder=$LOGS/$bucket; fi
    fetch_bucket "$bucket" "$folder" || failed $?
done

# Entries count once, however often they are read, so it is safe to pass a file again. If a file is damaged, the reports
# are still written, and the exit status shows the error.
: >"$REPORTS/added.txt" || failed 74
if [ -n "$(find "$LOGS" -type f -not -path "$LOGS/.new/*" -print -quit)" ]; then
    code=0
    once callcheck store add "$STORE" --set no-progress=true ${STRICT:+"$STRICT"} "$LOGS" >"$REPORTS/added.txt" || code=$?
    if [ "$code" -ne 0 ]; then
        failed "$code"
    elif list_known; then
        { delete_known && delete_copies; } || failed 74
    else
        failed $?
    fi
fi
# Without a store, there is nothing to report.
if [ ! -e "$STORE" ]; then
    failed 66
    end
fi

options=(--store "$STORE" --set no-progress=true)
if [ -n "$POLICY" ]; then options+=(--policy "$POLICY"); fi
options+=("$@")

# The last ones that were fetched stay: a report says how old they are.
inputs=()
for project in ${SERVICES:-}; do
    folder=$REPORTS/services/$project
    if ! { mkdir -p "$folder" && callcheck export services --project "$project" >"$folder/services.sh" &&
        (cd "$folder" && sh services.sh >&2); }; then
        failed 74
    fi
    for file in "$folder/services.json.gz" "$folder/modes.json"; do
        if [ -e "$file" ]; then inputs+=("$file"); fi
    done
done

for name in callcheck.prom report.html report.json report.md; do
    code=0
    target=$REPORTS/$name
    if [ "$name" = callcheck.prom ]; then target=$work/$name; fi
    once callcheck report "${options[@]}" --output "$target" ${inputs[@]+"${inputs[@]}"} || code=$?
    if [ "$code" -ne 0 ]; then failed "$code"; fi
    # A mistake in the policy or an option is one for every format.
    if [ "$code" -eq 64 ]; then end; fi
done
if [ -e "$work/callcheck.prom" ]; then
    { label <"$work/callcheck.prom" >"$REPORTS/callcheck.prom.new" &&
        mv "$REPORTS/callcheck.prom.new" "$REPORTS/callcheck.prom"; } || { rm -f "$REPORTS/callcheck.prom.new"; failed 74; }
fi
# Cron mails what is on standard error, and so does systemd if the status is not 0.
code=0
once callcheck report "${options[@]}" --fail-on act --output "$REPORTS/report.txt" ${inputs[@]+"${inputs[@]}"} || code=$?
if [ "$code" -ne 0 ]; then failed "$code"; fi
case $code in 0 | 1 | 65 | 66) sed '/^$/,$d' "$REPORTS/report.txt" ;; esac
# A damaged file outranks a change, and must not hide it.
if [ "$code" -ge 65 ] && [ "$code" -le 66 ] &&
    grep -Eqs '^callcheck_(changes[{]urgency="act"|lockout[{]|urgent[{]).*[}] [1-9]' "$work/callcheck.prom"; then
    code=1
fi
if [ "$code" -eq 1 ]; then echo "Act now: $REPORTS/report.txt lists what has to be done." >&2; fi

# An old log shows no lock-out, so silence would be misleading. Not with --as-of, which chooses another day.
if [[ " $* " != *" --as-of"* ]] && [ "$REPORTS/report.json" -nt "$work/known" ]; then
    jq -r --argjson time "$now" --argjson hours "$MAX_AGE" '
        ($time - $time % 86400 - 86400) as $yesterday |
        def date: strftime("%Y-%m-%d");
        def requests($day): [.[].daily[] | select(.date == $day) | .VALID + .INVALID + .MISSING + .OTHER] | add // 0;
        .functions | map(select(.last)) | group_by(.project)[] | (.[0].project | gsub("[^a-z0-9:.-]"; "?")) as $project |
        ((map(.last[:19] + "Z" | fromdate) | max) < $time - $hours * 3600) as $ended |
        requests($yesterday | date) as $now | requests($yesterday - 7 * 86400 | date) as $before |
        "\($project) \($yesterday) \($ended) \(4 * $now < $before and $before - $now > 7)"
    ' "$REPORTS/report.json" >"$work/projects" || failed 74
    while read -r project day ended lost; do
        if [ "$lost" = true ]; then
            missing+=$'\n'"callcheck_nightly_lost_day_timestamp_seconds{project=\"$project\"} $day"
        fi
        if [ "$ended" = true ]; then
            echo "The log of $project has ended: no request of the last $MAX_AGE hours. Check the sink and the bucket." >&2
            failed 1
        elif [ "$lost" = true ]; then
            echo "The log of $project lacks most of $(date -u -d "@$day" +%F) (UTC). Check the sink and the bucket." >&2
            failed 1
        fi
    done <"$work/projects"
    if [ -n "$missing" ]; then
        missing=$(label <<END

# HELP callcheck_nightly_lost_day_timestamp_seconds Start of yesterday, if most requests of a project are missing.
# TYPE callcheck_nightly_lost_day_timestamp_seconds gauge$missing
END
)
    fi
fi
end
