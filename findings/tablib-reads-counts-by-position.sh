#!/usr/bin/env bash
# Three missing tokens and 97 valid ones become the reverse, because a MISSING one came first.
#
# Version:  tablib 3.10.0 with PyYAML 6.0.3 (PyPI): load of JSON and YAML, and Dataset.dict.
# Guess:    rows that are objects are put under the headers by their keys; a row with other keys than the first is an
#           error or gets empty cells.
# Behaviour: the keys of the first row are the headers; of all other rows only the values are used, in the order in which
#           they stand. Another order is another table. Only a row with more or fewer keys is an error.
# Output seen:
#   function    first request  counted                  json                     yaml                     Dataset.dict
#   addMessage  VALID          VALID 97, MISSING 3      VALID 97, MISSING 3      VALID 97, MISSING 3      VALID 97, MISSING 3
#   rateDriver  MISSING        MISSING 3, VALID 97      VALID 3, MISSING 97      VALID 3, MISSING 97      VALID 3, MISSING 97
#   sendCode    VALID          VALID 97, INVALID 3      VALID 97, MISSING 3      VALID 97, MISSING 3      VALID 97, MISSING 3
#   a function without refusals: InvalidDimensions
# Why it hurts: counters have their keys in the order of the first occurrence (Python's Counter) or in none (Swift's
#           dictionaries, Rust's HashMap), and JSON gives the order no meaning. In the spreadsheet a function that could
#           be switched on refuses 97% and the reverse, while totals are right. Fixtures that one program writes in one
#           order never show it.
set -euo pipefail
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; cd "$work"
{ python3 -m venv env && env/bin/pip install --quiet --no-compile --disable-pip-version-check \
  tablib==3.10.0 PyYAML==6.0.3; } || exit 2

cat > run.py <<'PY'
import collections, json
import tablib

logs = {
    "addMessage": ["VALID"] * 97 + ["MISSING"] * 3,
    "rateDriver": ["MISSING"] * 3 + ["VALID"] * 97,
    "sendCode": ["VALID"] * 97 + ["INVALID"] * 3,
}
rows = [{"function": name, **collections.Counter(statuses)} for name, statuses in logs.items()]
text = json.dumps(rows)  # is YAML as well
given = tablib.Dataset()
given.dict = rows
tables = {"json": tablib.Dataset().load(text, "json"), "yaml": tablib.Dataset().load(text, "yaml"), "Dataset.dict": given}

def counts(row):
    return ", ".join(f"{key} {value}" for key, value in row.items() if key != "function")

def line(name, first, *cells):
    print(f"{name:<11} {first:<14}", *(f"{cell:<24}" for cell in cells[:-1]), cells[-1])

line("function", "first request", "counted", *tables)
for number, (name, statuses) in enumerate(logs.items()):
    line(name, statuses[0], counts(rows[number]), *(counts(table.dict[number]) for table in tables.values()))
try:
    given.dict = rows + [{"function": "ping", "VALID": 100}]
except tablib.InvalidDimensions as error:
    print("a function without refusals:", type(error).__name__)
PY
seen=$(env/bin/python run.py 2>errors) || { cat errors >&2; exit 2; }
printf '%s\n' "$seen"
diff - <(printf '%s\n' "$seen") <<'TEXT' || exit 1
function    first request  counted                  json                     yaml                     Dataset.dict
addMessage  VALID          VALID 97, MISSING 3      VALID 97, MISSING 3      VALID 97, MISSING 3      VALID 97, MISSING 3
rateDriver  MISSING        MISSING 3, VALID 97      VALID 3, MISSING 97      VALID 3, MISSING 97      VALID 3, MISSING 97
sendCode    VALID          VALID 97, INVALID 3      VALID 97, MISSING 3      VALID 97, MISSING 3      VALID 97, MISSING 3
a function without refusals: InvalidDimensions
TEXT
