#!/usr/bin/env bash
# A nightly sum over a JSON report works until nobody is refused; on that day it is an error.
#
# Version:  duckdb 2.0.0 (PyPI), reading JSON by its name: FROM 'report.json'.
# Guess:    a list that is empty in the whole file gives no rows, and their sum is NULL, as with a table.
# Behaviour: the type of a list is taken from its elements. Without any it is JSON[]: names of fields still resolve, and
#           count(*) is 0, but sum() and round() of a field are binder errors, whatever the rows.
# Output seen:
#   a day with refusals: sum 3, rows 1
#   a day without: sum BinderException, rows 0
#   with a cast: 3 None
#   with the type of the list given: 3 None
# Why it hurts: a job that sums who is refused fails with an error on the day on which enforcement becomes safe, long
#           after it was tested. Cast each field, or give read_json the columns.
set -euo pipefail
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; cd "$work"
{ python3 -m venv env && env/bin/pip install --quiet --no-compile --disable-pip-version-check duckdb==2.0.0; } || exit 2

cat > run.py <<'PY'
import json
import duckdb

for name, refused in (("bad", [{"app": "a", "requests": 3}]), ("good", [])):
    with open(f"{name}.json", "w", encoding="utf-8") as file:
        json.dump({"functions": [{"name": "f", "refused": refused}, {"name": "g", "refused": []}]}, file)

def ask(name, what, source="'{}.json'"):
    rows = f"(SELECT unnest(functions) AS f FROM {source.format(name)}), unnest(f.refused) AS _(r)"
    try:
        return duckdb.sql(f"SELECT {what} FROM {rows}").fetchall()[0][0]
    except duckdb.Error as error:
        return type(error).__name__

typed = "read_json('{}.json', columns = {{functions: 'STRUCT(name VARCHAR, refused STRUCT(app VARCHAR, requests BIGINT)[])[]'}})"
print(f"a day with refusals: sum {ask('bad', 'sum(r.requests)')}, rows {ask('bad', 'count(*)')}")
print(f"a day without: sum {ask('good', 'sum(r.requests)')}, rows {ask('good', 'count(*)')}")
print("with a cast:", *(ask(name, "sum(r.requests::BIGINT)") for name in ("bad", "good")))
print("with the type of the list given:", *(ask(name, "sum(r.requests)", typed) for name in ("bad", "good")))
PY
seen=$(env/bin/python run.py 2>errors) || { cat errors >&2; exit 2; }
printf '%s\n' "$seen"
diff - <(printf '%s\n' "$seen") <<'TEXT' || exit 1
a day with refusals: sum 3, rows 1
a day without: sum BinderException, rows 0
with a cast: 3 None
with the type of the list given: 3 None
TEXT
