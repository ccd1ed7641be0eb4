#!/usr/bin/env bash
# Refusals that are rare are gone as soon as minutes become hours; requests that are frequent stay.
#
# Version:  whisper 1.1.10 (PyPI), Graphite's store, a file of minutes and hours, aggregation by sum.
# Guess:    an hour is the sum of the minutes that were written: 20 refused requests stay 20.
# Behaviour: an hour is written only if at least half of its minutes were (xFilesFactor 0.5, whatever the aggregation). A
#           counter that is sent when something happens, in 20 minutes of 60, has no hour at all, not even 0.
# Output seen:
#   requests, in 40 minutes: by minute 400, by hour 400.0
#   refused, in 20 minutes:  by minute 20, by hour nothing
#   refused, xFilesFactor 0: by minute 20, by hour 20.0
# Why it hurts: the dashboard of the last day shows a share of 5%, that of the last month none: the part that is kept has
#           only the times at which nearly every minute had a refusal. The rarer the failure, the surer that it is not
#           in the history that somebody looks at before a switch.
set -euo pipefail
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; cd "$work"
{ python3 -m venv env && env/bin/pip install --quiet --no-compile --disable-pip-version-check whisper==1.1.10; } || exit 2

cat > run.py <<'PY'
import whisper

NOW = 1792022400  # a whole hour
HOUR = NOW - 7200

def show(title, name, points, **options):
    whisper.create(name, [(60, 1440), (3600, 720)], aggregationMethod="sum", **options)
    whisper.update_many(name, points, now=NOW)
    def total(begin, end):
        values = [value for value in whisper.fetch(name, begin - 1, end, now=NOW)[1] if value is not None]
        return sum(values) if values else "nothing"
    print(f"{title:<24} by minute {total(HOUR, HOUR + 3599):.0f}, by hour {total(NOW - 72 * 3600, NOW)}")

show("requests, in 40 minutes:", "requests.wsp", [(HOUR + 60 * n, 10) for n in range(40)])
refused = [(HOUR + 180 * n, 1) for n in range(20)]
show("refused, in 20 minutes:", "refused.wsp", refused)
show("refused, xFilesFactor 0:", "kept.wsp", refused, xFilesFactor=0.0)
PY
seen=$(env/bin/python run.py 2>errors) || { cat errors >&2; exit 2; }
printf '%s\n' "$seen"
diff - <(printf '%s\n' "$seen") <<'TEXT' || exit 1
requests, in 40 minutes: by minute 400, by hour 400.0
refused, in 20 minutes:  by minute 20, by hour nothing
refused, xFilesFactor 0: by minute 20, by hour 20.0
TEXT
