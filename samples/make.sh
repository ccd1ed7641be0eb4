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
