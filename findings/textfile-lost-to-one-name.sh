#!/usr/bin/env bash
# One dotted name costs a node_exporter every metric of the file.
#
# Version:  prometheus-client 0.26.0 (PyPI), write_to_textfile; prometheus-node-exporter 1.5.0-1+b6 (Debian 12).
# Guess:    a name such as app.refused is refused with a ValueError when the metric is made, or written as app_refused.
# Behaviour: it is accepted and written quoted, as {"app.refused"}, which the client calls text format 0.0.4 and older
#           readers do not know: node_exporter drops the whole file and exports only its error flag.
# Output seen:
#   made: app.refused
#   written: {"app.refused"} 18.0
#   exported without the dotted name: errors 0, runs 1
#   exported with it:                 errors 1, runs 0
# Why it hurts: the job ends with 0, the file is there and fresh, its other metrics look right, and every alert on them
#           is silent, since a missing series compares to nothing. The change that did it is one name in one commit.
set -euo pipefail
work=$(mktemp -d); chmod 755 "$work"; cd "$work"
exporter=; trap '[ -z "$exporter" ] || kill "$exporter"; rm -rf "$work"' EXIT
{ apt-get download -q prometheus-node-exporter=1.5.0-1+b6 >/dev/null 2>&1 && dpkg -x prometheus-node-exporter_*.deb root &&
  python3 -m venv env && env/bin/pip install --quiet --no-compile --disable-pip-version-check prometheus-client==0.26.0; } || exit 2

cat > run.py <<'PY'
import sys
from prometheus_client import CollectorRegistry, Gauge, write_to_textfile

registry = CollectorRegistry()
Gauge("job_runs", "Runs.", registry=registry).set(1)
if sys.argv[1] == "dotted":
    gauge = Gauge("app.refused", "Refused.", registry=registry)
    gauge.set(18)
    print("made:", gauge.describe()[0].name)
write_to_textfile("text/job.prom", registry)
PY
mkdir text
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
root/usr/bin/prometheus-node-exporter --collector.disable-defaults --collector.textfile \
  --collector.textfile.directory="$work/text" --web.listen-address="127.0.0.1:$port" 2>/dev/null & exporter=$!
scraped() {
  python3 - "$port" <<'PY'
import sys, time, urllib.request
for _ in range(100):
    try:
        text = urllib.request.urlopen(f"http://127.0.0.1:{sys.argv[1]}/metrics").read().decode()
        break
    except OSError:
        time.sleep(0.1)
errors = [line.split()[1] for line in text.splitlines() if line.startswith("node_textfile_scrape_error ")]
print("errors", *errors, end=", ")
print("runs", sum(line.startswith("job_runs ") for line in text.splitlines()))
PY
}
env/bin/python run.py plain; plain=$(scraped)
seen=$(env/bin/python run.py dotted; echo "written: $(grep '^{' text/job.prom)"
  echo "exported without the dotted name: $plain"
  echo "exported with it:                 $(scraped)")
printf '%s\n' "$seen"
diff - <(printf '%s\n' "$seen") <<'TEXT' || exit 1
made: app.refused
written: {"app.refused"} 18.0
exported without the dotted name: errors 0, runs 1
exported with it:                 errors 1, runs 0
TEXT
