#!/usr/bin/env bash
# A key that a log line repeats has its first value in some engines and its last in others.
#
# Version:  polars 2.1.0, duckdb 2.0.1, jq 1.13.0, pysimdjson 7.0.2, SQLite of apsw 3.54.1.0 (all PyPI).
# Guess:    the last one counts, as in Python, JavaScript and Go; a strict engine refuses the line.
# Behaviour: polars, DuckDB's ->> and SQLite take the first, jq the last, and DuckDB's read_json refuses. One object of
#           pysimdjson gives both, by index and as a dictionary.
# Output seen:
#   polars:            VALID
#   DuckDB ->>:        VALID
#   DuckDB read_json:  refused
#   SQLite ->>:        VALID
#   jq:                MISSING
#   pysimdjson [key]:  VALID
#   pysimdjson dict:   MISSING
# Why it hurts: structured loggers append a field that a context already holds (zerolog and log/slog among them), so
#           repeated keys stand in real logs. A dashboard on one engine and a gate on another then count the same
#           requests the opposite way, and both say that no line was bad.
set -euo pipefail
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; cd "$work"
{ python3 -m venv env && env/bin/pip install --quiet --no-compile --disable-pip-version-check \
  polars==2.1.0 duckdb==2.0.1 jq==1.13.0 pysimdjson==7.0.2 apsw==3.54.1.0; } || exit 2

echo '{"insertId": "1", "app": "VALID", "app": "MISSING"}' > log.json
cat > run.py <<'PY'
import apsw, duckdb, jq, polars, simdjson

line = open("log.json").read()
def show(title, answer):
    try:
        print(f"{title + ':':<18} {answer()}")
    except duckdb.Error:
        print(f"{title + ':':<18} refused")

show("polars", lambda: polars.read_ndjson("log.json")["app"][0])
show("DuckDB ->>", lambda: duckdb.sql("SELECT json ->> 'app' FROM read_json_objects('log.json')").fetchall()[0][0])
show("DuckDB read_json", lambda: duckdb.sql("SELECT app FROM read_json('log.json')").fetchall()[0][0])
show("SQLite ->>", lambda: next(apsw.Connection(":memory:").execute("SELECT ? ->> 'app'", (line,)))[0])
show("jq", lambda: jq.compile(".app").input_text(line).first())
show("pysimdjson [key]", lambda: simdjson.Parser().parse(line.encode())["app"])
show("pysimdjson dict", lambda: simdjson.Parser().parse(line.encode()).as_dict()["app"])
PY
seen=$(env/bin/python run.py 2>errors) || { cat errors >&2; exit 2; }
printf '%s\n' "$seen"
diff - <(printf '%s\n' "$seen") <<'TEXT' || exit 1
polars:            VALID
DuckDB ->>:        VALID
DuckDB read_json:  refused
SQLite ->>:        VALID
jq:                MISSING
pysimdjson [key]:  VALID
pysimdjson dict:   MISSING
TEXT
