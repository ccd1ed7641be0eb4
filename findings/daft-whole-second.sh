#!/usr/bin/env bash
# One entry at a whole second cuts the times of all others to seconds.
#
# Version:  daft 0.7.26 (PyPI), read_json.
# Guess:    a column of RFC 3339 times gets the finest precision that occurs in it, or stays text: nothing is lost.
# Behaviour: the column gets the precision of the roundest time in it. One entry at a whole millisecond makes it
#           milliseconds, one at a whole second makes it seconds; the fractions of all other entries are gone, without
#           an error, also from what write_json writes.
# Output seen:
#   no round time:        Timestamp[us; +00:00] 1000 distinct times of 1000
#   a whole millisecond:  Timestamp[ms; +00:00] 3 distinct times of 1000
#   a whole second:       Timestamp[s; +00:00] 2 distinct times of 1000
#   rewritten 1st entry:  2026-10-14T00:43:17Z (was 2026-10-14T00:43:17.000001Z)
# Why it hurts: by chance every thousandth entry of a log with microseconds lies on a whole millisecond, so any real log
#           loses them; and one that contains a whole second, which schedulers and batch writers produce, loses
#           everything below a second. The same job is exact on a test file and not on the log. Order within a second,
#           latencies, and removal of duplicates by time and insertId go wrong, and what it writes cannot be repaired.
set -euo pipefail
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; cd "$work"
{ python3 -m venv env && env/bin/pip install --quiet --no-compile --disable-pip-version-check daft==0.7.26; } || exit 2

cat > run.py <<'PY'
import glob, json
import daft

def show(title, name, times):
    with open(name, "w") as file:
        for number, time in enumerate(times):
            file.write(json.dumps({"insertId": f"{number:06d}", "timestamp": time}) + "\n")
    frame = daft.read_json(name)
    read = frame.to_pydict()["timestamp"]
    print(f"{title:<21} {frame.schema()['timestamp'].dtype} {len(set(read))} distinct times of {len(read)}")

odd = [f"2026-10-14T00:43:17.{1 + 2 * n:06d}Z" for n in range(1000)]
show("no round time:", "odd.json", odd)
show("a whole millisecond:", "milli.json", odd[:999] + ["2026-10-14T00:43:18.004Z"])
show("a whole second:", "second.json", odd[:999] + ["2026-10-14T00:43:18Z"])
daft.read_json("second.json").write_json("again")
with open(glob.glob("again/*")[0]) as file:
    first = next(entry for entry in map(json.loads, file) if entry["insertId"] == "000000")
print(f"{'rewritten 1st entry:':<21} {first['timestamp']} (was {odd[0]})")
PY
seen=$(env/bin/python run.py 2>errors) || { cat errors >&2; exit 2; }
printf '%s\n' "$seen"
diff - <(printf '%s\n' "$seen") <<'TEXT' || exit 1
no round time:        Timestamp[us; +00:00] 1000 distinct times of 1000
a whole millisecond:  Timestamp[ms; +00:00] 3 distinct times of 1000
a whole second:       Timestamp[s; +00:00] 2 distinct times of 1000
rewritten 1st entry:  2026-10-14T00:43:17Z (was 2026-10-14T00:43:17.000001Z)
TEXT
