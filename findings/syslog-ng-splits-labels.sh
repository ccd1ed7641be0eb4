#!/usr/bin/env bash
# A JSON log that passes through syslog-ng comes out with other keys.
#
# Version:  syslog-ng-core 3.38.1-5+deb12u1, libivykis0 0.42.4-1, libnet1 1.1.6+dfsg-3.2 (Debian 12):
#           json-parser() and $(format-json).
# Guess:    keys come out as they went in, dots included; numbers perhaps as strings.
# Behaviour: a dot inside a key becomes a level of nesting. Numbers and booleans become strings, null becomes "", and a
#           list becomes one string with commas, without an error.
# Output seen:
#   labels:  {"app": {"kubernetes": {"io/name": "api"}}, "firebase-log-type": "callable"}
#   status:  "200"
#   latency: ""
#   parts:   "a,b"
# Why it hurts: labels of Kubernetes, Cloud Run and OpenTelemetry are names with dots. Every query on them finds nothing,
#           while keys without a dot keep matching, so totals stay right and each breakdown is empty. Two labels of
#           which one begins like the other end in one object.
set -euo pipefail
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; chmod 755 "$work"; cd "$work"
{ apt-get download -q syslog-ng-core=3.38.1-5+deb12u1 libivykis0=0.42.4-1 libnet1=1.1.6+dfsg-3.2 >/dev/null 2>&1 &&
  for package in *.deb; do dpkg -x "$package" root; done; } || exit 2
LD_LIBRARY_PATH=$(find "$work/root" -name '*.so*' -printf '%h\n' | sort -u | paste -sd :)
export LD_LIBRARY_PATH

cat > in.json <<'JSON'
{"labels": {"firebase-log-type": "callable", "app.kubernetes.io/name": "api"}, "status": 200, "latency": null, "parts": ["a", "b"]}
JSON
cat > syslog-ng.conf <<CONF
@version: 3.38
source entries { file("$work/in.json" flags(no-parse) read-old-records(yes) follow-freq(0.1)); };
parser json { json-parser(prefix(".json.")); };
destination copy { file("$work/out.json" template("\$(format-json .json.* --rekey .json.* --shift-levels 2)\n")); };
log { source(entries); parser(json); destination(copy); };
CONF
root/usr/sbin/syslog-ng -F -f syslog-ng.conf --module-path root/usr/lib/syslog-ng/3.38 --no-caps \
  --persist-file "$work/persist" --control "$work/control" --pidfile "$work/pid" 2>errors & shipper=$!
for _ in $(seq 200); do [ ! -s out.json ] || break; sleep 0.1; done
kill "$shipper"; wait "$shipper" || true
[ -s out.json ] || { cat errors >&2; exit 2; }

seen=$(python3 - <<'PY'
import json
entry = json.load(open("out.json"))
print("labels: ", json.dumps(entry["labels"], sort_keys=True))
for key in ("status", "latency", "parts"):
    print(f"{key + ':':<8}", json.dumps(entry[key]))
PY
)
printf '%s\n' "$seen"
diff - <(printf '%s\n' "$seen") <<'TEXT' || exit 1
labels:  {"app": {"kubernetes": {"io/name": "api"}}, "firebase-log-type": "callable"}
status:  "200"
latency: ""
parts:   "a,b"
TEXT
