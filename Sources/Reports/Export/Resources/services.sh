# Firestore, Storage, Realtime Database, Authentication and others report counts instead of a log. These
# commands save {{days}} days by the hour in services.json.gz, and the modes of the services in modes.json.
# Needed: the roles Monitoring Viewer and Firebase App Check Viewer in the project. The header
# x-goog-user-project names the project whose quota is used, which a personal account needs.
# The last hours arrive late, so callcheck judges as of six hours before the end. You can read again later
# and pass both files: nothing counts twice.
{{placeholder}}
(
project='{{project}}'
now=$(date +%s)
end=$((now / 3600 * 3600))
start=$((now / 86400 * 86400 - {{days}} * 86400))
utc() { date -u -d "@$1" +%Y-%m-%dT%H:%M:%SZ 2>/dev/null || date -u -r "$1" +%Y-%m-%dT%H:%M:%SZ; }
# The token goes through a pipe, where other users of the machine do not see it.
request() {
    printf 'header = "Authorization: Bearer %s"\n' "$(gcloud auth print-access-token)" |
        curl -sS --retry 3 -K - -H "x-goog-user-project: $project" -w '%{http_code}' -G "$@"
}
page() {
    rm -f services.page.json
    request -o services.page.json \
        "${monitoring:-https://monitoring.googleapis.com}/v3/projects/$project/timeSeries" \
        --data-urlencode 'filter=metric.type = "firebaseappcheck.googleapis.com/services/verification_count" AND resource.type = "firebaseappcheck.googleapis.com/Service"' \
        --data-urlencode "interval.startTime=$(utc "$start")" \
        --data-urlencode "interval.endTime=$(utc "$end")" \
        --data-urlencode 'aggregation.alignmentPeriod=3600s' \
        --data-urlencode 'aggregation.perSeriesAligner=ALIGN_SUM' \
        --data-urlencode 'pageSize=100000' "$@"
}
rm -f services.partial.json
set --
pages=0
while :; do
    code=$(page "$@")
    if [ "$code" != 200 ]; then
        [ ! -f services.page.json ] || cat services.page.json >&2
        rm -f services.partial.json
        case $code in
            401 | 403) echo "HTTP $code: this account cannot read the metric; see above for what it needs." >&2 ;;
            *) echo "The read ended early (HTTP $code), and nothing was saved. Run it again." >&2 ;;
        esac
        exit 1
    fi
    cat services.page.json >> services.partial.json
    next=$(sed -n 's/.*"nextPageToken": *"\([^"]*\)".*/\1/p' services.page.json | sed 's/\\u003d/=/g; s/\\u0026/\&/g')
    pages=$((pages + 1))
    if [ -z "$next" ]; then break; fi
    if [ "$pages" -ge 1000 ]; then
        rm -f services.partial.json
        echo 'The page token repeats, so the read has no end. Nothing was saved.' >&2
        exit 1
    fi
    set -- --data-urlencode "pageToken=$next"
done
gzip -c services.partial.json > services.json.gz && rm services.partial.json services.page.json
# What is enforced, and since when; without it callcheck goes by the counts alone.
code=$(request -o modes.page.json "${appcheck:-https://firebaseappcheck.googleapis.com}/v1/projects/$project/services")
if [ "$code" = 200 ]; then
    mv modes.page.json modes.json
else
    [ ! -f modes.page.json ] || cat modes.page.json >&2
    rm -f modes.page.json
    echo 'The modes of the services were not read.' >&2
    exit 1
fi
)
# Then:
# callcheck services.json.gz modes.json
