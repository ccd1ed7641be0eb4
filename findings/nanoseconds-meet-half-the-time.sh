#!/usr/bin/env bash
# Two readers of one log disagree on the time of every second entry.
#
# Version:  ciso8601 2.4.1, python-dateutil 4.0.0, pendulum 3.3.0, pydantic 2.14.4, polars 2.1.0, duckdb 2.0.1,
#           arrow 1.4.0, msgspec 0.23.0 (PyPI), each reading RFC 3339 times of nine digits into datetime.
# Guess:    what has microseconds cuts the last three digits off, as everywhere that a finer time is shown coarser:
#           23:59:59.999999999 is not yet tomorrow.
# Behaviour: the first six cut. msgspec rounds to the nearest microsecond, arrow by the seventh digit (a 5 to even).
#           DuckDB cuts for TIMESTAMP and rounds for TIMESTAMP_S. Nothing is said anywhere.
# Output seen:
#   ciso8601     1000 of 1000 entries found by their time, the last one of 14 October is on the 14th
#   dateutil     1000 of 1000 entries found by their time, the last one of 14 October is on the 14th
#   pendulum     1000 of 1000 entries found by their time, the last one of 14 October is on the 14th
#   pydantic     1000 of 1000 entries found by their time, the last one of 14 October is on the 14th
#   polars       1000 of 1000 entries found by their time, the last one of 14 October is on the 14th
#   duckdb       1000 of 1000 entries found by their time, the last one of 14 October is on the 14th
#   arrow         551 of 1000 entries found by their time, the last one of 14 October is on the 15th
#   msgspec       500 of 1000 entries found by their time, the last one of 14 October is on the 15th
#   seconds of TIMESTAMP_S: 478 of 1000 are the next second
# Why it hurts: Cloud Logging's times have up to nine digits, and an entry's identity is its time and insertId. What one
#           program stored by this key, another does not find: half of a second export counts as new, and half of the
#           requests have no match. Counts by second differ between tools that read the same file. Times of six digits,
#           which most tests have, are equal everywhere.
set -euo pipefail
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; cd "$work"
{ python3 -m venv env && env/bin/pip install --quiet --no-compile --disable-pip-version-check ciso8601==2.4.1 \
  python-dateutil==4.0.0 pendulum==3.3.0 pydantic==2.14.4 polars==2.1.0 duckdb==2.0.1 arrow==1.4.0 msgspec==0.23.0; } || exit 2

cat > run.py <<'PY'
import datetime
import arrow, ciso8601, dateutil.parser, duckdb, msgspec, pendulum, polars, pydantic

TIMES = [f"2026-10-14T00:43:17.{(number * 7_654_321) % 1_000_000_000:09d}Z" for number in range(1, 1001)]
LAST = "2026-10-14T23:59:59.999999999Z"

def each(read):
    return lambda texts: [read(text) for text in texts]

def cast(kind):
    return lambda texts: [duckdb.execute(f"SELECT ?::{kind}", [text]).fetchone()[0] for text in texts]

readers = {
    "ciso8601": each(ciso8601.parse_datetime),
    "dateutil": each(dateutil.parser.isoparse),
    "pendulum": each(pendulum.parse),
    "pydantic": each(pydantic.TypeAdapter(datetime.datetime).validate_python),
    "polars": lambda texts: polars.Series(texts).str.to_datetime().to_list(),
    "duckdb": cast("TIMESTAMP"),
    "arrow": each(lambda text: arrow.get(text).datetime),
    "msgspec": each(lambda text: msgspec.convert(text, datetime.datetime)),
}

def read(reader):
    return [time.replace(tzinfo=None) for time in reader(TIMES + [LAST])]

stored = read(readers["ciso8601"])
for title, reader in readers.items():
    times = read(reader)
    found = sum(one == other for one, other in zip(stored[:-1], times))
    print(f"{title:<12} {found:>4} of 1000 entries found by their time, the last one of 14 October is on the {times[-1].day}th")
late = sum(time.second == 18 for time in cast("TIMESTAMP_S")(TIMES))
print(f"seconds of TIMESTAMP_S: {late} of 1000 are the next second")
PY
seen=$(env/bin/python run.py 2>errors) || { cat errors >&2; exit 2; }
printf '%s\n' "$seen"
diff - <(printf '%s\n' "$seen") <<'TEXT' || exit 1
ciso8601     1000 of 1000 entries found by their time, the last one of 14 October is on the 14th
dateutil     1000 of 1000 entries found by their time, the last one of 14 October is on the 14th
pendulum     1000 of 1000 entries found by their time, the last one of 14 October is on the 14th
pydantic     1000 of 1000 entries found by their time, the last one of 14 October is on the 14th
polars       1000 of 1000 entries found by their time, the last one of 14 October is on the 14th
duckdb       1000 of 1000 entries found by their time, the last one of 14 October is on the 14th
arrow         551 of 1000 entries found by their time, the last one of 14 October is on the 15th
msgspec       500 of 1000 entries found by their time, the last one of 14 October is on the 15th
seconds of TIMESTAMP_S: 478 of 1000 are the next second
TEXT
