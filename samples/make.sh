#!/bin/sh
# Writes the generated samples anew, byte for byte: same generator, same seed, gzip without names and times.
set -eu
cd "$(dirname "$0")/.."
swift build -c release --product synthetic-logs
generate() {
    "$(swift build -c release --show-bin-path)/synthetic-logs" --preset "$1" --seed 1 --transport "${2:-lines}" --output -
}

for preset in four-weeks-one-project one-day-gen2-stdout-and-stderr one-day-verifications-only \
    severity-filtered-warnings-only gen2-stdout-only gen2-stderr-stopped gen1-sdk3-info duplicated-by-two-sinks \
    gap-in-the-export every-browser-refused new-release-refused rollout-log-at-50 rollout-log-at-100; do
    generate "$preset" | gzip -n9 > "samples/$preset.json.gz"
done

# The verifications of a day, as they arrive in other ways.
for transport in gcloud-read gcloud-pull bigquery-extract; do
    generate one-day-verifications-only "$transport" | gzip -n9 > "samples/one-day-$transport.json.gz"
done
generate one-day-verifications-only functions-log | gzip -n9 > samples/one-day-functions-log.txt.gz

# The day of all logs, cut off where a download broke.
head -c 80000 samples/one-day-gen2-stdout-and-stderr.json.gz > samples/cut-in-the-middle.json.gz

# That day as one gzip member for every 40,000 bytes, so that most members end within an entry.
parts=$(mktemp -d)
trap 'rm -r "$parts"' EXIT
generate one-day-gen2-stdout-and-stderr | split -b 40000 - "$parts/"
for part in "$parts"/*; do gzip -n9 < "$part"; done > samples/many-members.json.gz

# The log of `callcheck demo`, which the program carries.
python3 samples/make-demo.py | gzip -n9 > Sources/callcheck/Resources/demo.json.gz

# 35 days of three services by the hour, as Cloud Monitoring gives them: the newest point first.
awk '
function chance(mean,   count, rest) {
    count = int(mean)
    seed = (seed * 1103 + 12345) % 2147483
    rest = seed / 2147483
    return count + (rest < mean - count)
}
function stamp(hour,   day, month) {
    day = int(hour / 24) + 10
    month = day > 30 ? 10 : 9
    return sprintf("2026-%02d-%02dT%02d:00:00Z", month, month == 9 ? day : day - 30, hour % 24)
}
function series(service, security, app, mean, first,   hour, points, count) {
    for (hour = 35 * 24 - 1; hour >= first; hour--) {
        count = chance(mean * (hour % 24 < 6 ? 0.25 : 1.25))
        if (count) points = points (points ? "," : "") sprintf("\n{\"interval\":{\"startTime\":\"%s\",\"endTime\":\"%s\"},\"value\":{\"int64Value\":\"%d\"}}", stamp(hour), stamp(hour + 1), count)
    }
    printf "%s{\"metric\":{\"type\":\"firebaseappcheck.googleapis.com/services/verification_count\",\"labels\":{\"security\":\"%s\",\"result\":\"ALLOW\",\"app_id\":\"%s\"}},\"resource\":{\"type\":\"firebaseappcheck.googleapis.com/Service\",\"labels\":{\"resource_container\":\"demo-prod\",\"location\":\"global\",\"service_id\":\"%s.googleapis.com\"}},\"metricKind\":\"DELTA\",\"valueType\":\"INT64\",\"points\":[%s]}", separator, security, app, service, points
    separator = ",\n"
}
BEGIN {
    seed = 1
    web = "1:123456789012:web:0a1b2c3d4e5f6071"
    printf "{\"timeSeries\":["
    series("firestore", "VALID", web, 180, 0)
    series("firestore", "INVALID", "UNKNOWN", 0.4, 0)
    series("firestore", "MISSING_OUTDATED_CLIENT", "UNKNOWN", 0.1, 0)
    series("identitytoolkit", "VALID", web, 12, 0)
    series("identitytoolkit", "INVALID", "UNKNOWN", 3, 500)
    series("firebasestorage", "VALID", web, 25, 0)
    series("firebasestorage", "MISSING_UNKNOWN_ORIGIN", "UNKNOWN", 400, 0)
    print "],\"unit\":\"1\"}"
}
' | gzip -n9 > samples/services.json.gz

# App Attest rollouts: rows of Google Analytics, and the templates that say how far they are.
for rows in app-attest-events rollout-events-at-1 rollout-events-at-10 rollout-events-at-50 rollout-events-at-100; do
    "$(swift build -c release --show-bin-path)/synthetic-logs" --app-attest "$rows" --seed 1 \
        | gzip -n9 > "samples/$rows.json.gz"
done
template=$(cat << 'END'
{
  "conditions": [
    {
      "name": "App Attest",
      "expression": "device.os == 'ios' && percent('app-attest') <= 25",
      "tagColor": "BLUE"
    }
  ],
  "parameters": {
    "AppAttestEnabled": {
      "defaultValue": {
        "value": "false"
      },
      "conditionalValues": {
        "App Attest": {
          "value": "true"
        }
      },
      "description": "Use App Attest instead of DeviceCheck",
      "valueType": "BOOLEAN"
    },
    "welcomeText": {
      "defaultValue": {
        "value": "Hello"
      },
      "valueType": "STRING"
    }
  },
  "parameterGroups": {}
}
END
)
# Without a line feed at its end, as the Firebase CLI writes it.
printf '%s' "$template" > samples/app-attest-template.json
printf '%s' "$template" | sed 's/<= 25/<= 1/' > samples/rollout-template.json
