#!/usr/bin/env bash
# A share that is 0 on the first night has no value on the nights on which somebody is refused.
#
# Version:  dlt 1.31.0 with duckdb 2.0.1 (PyPI), JSON rows that are loaded night by night.
# Guess:    0 makes a column of whole numbers, and 0.25 makes it floating-point, as in a JSON reader that sees both; or
#           the load fails.
# Behaviour: the column keeps its type. A number that does not fit goes to a second column, share__v_double (a variant,
#           says dlt), and share is NULL in that row. The load succeeds, without a warning. If 0.25 comes first, or the
#           type is given, there is one column with all values.
# Output seen:
#   0 first:    share            0, NULL, 0, NULL
#   0 first:    share__v_double  NULL, 0.25, NULL, 0.5
#   0 first:    nights above 1%: 0, highest share 0
#   0.25 first: share            0.25, 0.0, 0.5, 0.0
#   0.25 first: nights above 1%: 2, highest share 0.5
#   as double:  share            0.0, 0.25, 0.0, 0.5
#   as double:  nights above 1%: 2, highest share 0.5
# Why it hurts: JavaScript, Swift and Go write a floating-point 0 as `0`, so a table that begins on a good night has a
#           share for good nights only: the chart is flat at 0%, an alert on `share > 0.01` never fires, and NULL looks
#           like a night without requests. A project that begins with refusals has the right numbers by the same code.
set -euo pipefail
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; cd "$work"
{ python3 -m venv env && env/bin/pip install --quiet --no-compile --disable-pip-version-check \
  dlt==1.31.0 duckdb==2.0.1; } || exit 2
export DLT_DATA_DIR="$work/dlt" RUNTIME__DLTHUB_TELEMETRY=false

cat > run.py <<'PY'
import json
import dlt, duckdb
from dlt.common.runtime import anon_tracker

anon_tracker.get_anonymous_id = lambda: ""  # makes a file outside this folder, even without telemetry

def load(title, name, shares, **options):
    for night, share in enumerate(shares, 14):
        row = json.loads(f'{{"day": "2026-10-{night}", "requests": 200, "share": {share}}}')
        pipeline = dlt.pipeline(name, destination=dlt.destinations.duckdb("store.duckdb"), dataset_name=name)
        pipeline.run([row], table_name="nights", **options)
    with duckdb.connect("store.duckdb") as store:
        rows = store.sql(f"SELECT COLUMNS('share.*') FROM {name}.nights ORDER BY day")
        for column, values in zip(rows.columns, zip(*rows.fetchall())):
            print(f"{title:<11} {column:<16}", ", ".join("NULL" if value is None else str(value) for value in values))
        print(f"{title:<11} nights above 1%: {{}}, highest share {{}}".format(*store.sql(
            f"SELECT count(*) FILTER (share > 0.01), max(share) FROM {name}.nights").fetchall()[0]))

load("0 first:", "good_first", ["0", "0.25", "0", "0.5"])
load("0.25 first:", "bad_first", ["0.25", "0", "0.5", "0"])
load("as double:", "given", ["0", "0.25", "0", "0.5"], columns={"share": {"data_type": "double"}})
PY
seen=$(env/bin/python run.py 2>errors) || { cat errors >&2; exit 2; }
printf '%s\n' "$seen"
diff - <(printf '%s\n' "$seen") <<'TEXT' || exit 1
0 first:    share            0, NULL, 0, NULL
0 first:    share__v_double  NULL, 0.25, NULL, 0.5
0 first:    nights above 1%: 0, highest share 0
0.25 first: share            0.25, 0.0, 0.5, 0.0
0.25 first: nights above 1%: 2, highest share 0.5
as double:  share            0.0, 0.25, 0.0, 0.5
as double:  nights above 1%: 2, highest share 0.5
TEXT
