#!/usr/bin/env bash
# A day that is imported again is counted again.
#
# Version:  victoria-metrics 1.79.5+ds1-2+b5 (Debian 12), as it starts without flags for deduplication.
# Guess:    a series has one value at a time: the same value, or a corrected one, replaces what was there (InfluxDB), or
#           is refused (Prometheus).
# Behaviour: each sample is kept. Whatever looks at a range sees all of them, and a plain query sees one, so the series
#           looks right.
# Output seen:
#   once:                now 24, sum of the day 300, samples 24
#   the same again:      now 24, sum of the day 600, samples 48
#   one more, 20 for 24: sum of the day 620, samples 49, maximum 24
# Why it hurts: hourly counts are gauges at whole hours, and a nightly job that failed halfway is run again. The chart of
#           the counts is right and the sum of the day is twice as high, for some functions and not for others, which
#           shifts every share over several of them; a maximum keeps the value that was wrong.
set -euo pipefail
work=$(mktemp -d); chmod 755 "$work"; cd "$work"
server=; trap '[ -z "$server" ] || { kill "$server"; wait "$server" || true; } 2>/dev/null; rm -rf "$work"' EXIT
{ apt-get download -q victoria-metrics=1.79.5+ds1-2+b5 >/dev/null 2>&1 && dpkg -x victoria-metrics_*.deb root; } || exit 2

port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
root/usr/bin/victoria-metrics -storageDataPath "$work/data" -httpListenAddr "127.0.0.1:$port" -retentionPeriod 1y \
  >errors 2>&1 & server=$!
cat > run.py <<'PY'
import json, sys, time, urllib.error, urllib.parse, urllib.request

BASE = f"http://127.0.0.1:{sys.argv[1]}"
DAY = (int(time.time()) // 86400 - 2) * 86400

def answer(path, body=None):
    for _ in range(150):
        try:
            return urllib.request.urlopen(BASE + path, body).read()
        except urllib.error.URLError:
            time.sleep(0.1)
    sys.exit("the server does not answer")

def ask(query):
    path = "/api/v1/query?" + urllib.parse.urlencode({"query": query, "time": DAY + 23 * 3600 + 60, "nocache": 1})
    result = json.loads(answer(path))["data"]["result"]
    return int(result[0]["value"][1]) if result else 0

def send(values):
    lines = "".join(f"refused {value} {(DAY + 3600 * hour) * 1000}\n" for hour, value in values)
    answer("/api/v1/import/prometheus", lines.encode())

def show(title, samples, first, last=""):
    for _ in range(150):  # what was sent can be asked for after a second or so
        if ask("count_over_time(refused[1d])") == samples:
            break
        time.sleep(0.1)
    print(f"{title:<20} {first and f'now {ask(first)}, '}sum of the day {ask('sum_over_time(refused[1d])')},",
          f"samples {ask('count_over_time(refused[1d])')}{last and f', maximum {ask(last)}'}")

day = [(hour, hour + 1) for hour in range(24)]
send(day)
show("once:", 24, "refused")
send(day)
show("the same again:", 48, "refused")
send([(23, 20)])
show("one more, 20 for 24:", 49, "", "max_over_time(refused[1d])")
PY
seen=$(python3 run.py "$port" 2>>errors) || { cat errors >&2; exit 2; }
printf '%s\n' "$seen"
diff - <(printf '%s\n' "$seen") <<'TEXT' || exit 1
once:                now 24, sum of the day 300, samples 24
the same again:      now 24, sum of the day 600, samples 48
one more, 20 for 24: sum of the day 620, samples 49, maximum 24
TEXT
