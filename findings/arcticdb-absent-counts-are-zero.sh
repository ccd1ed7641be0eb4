#!/usr/bin/env bash
# A count that nobody took is 0, next to a share that is missing.
#
# Version:  arcticdb 6.28.2 (PyPI), a library with dynamic_schema=True; pandas 2.3.3.
# Guess:    where an append lacks a column, its rows have null or NaN in it, whatever the column's type.
# Behaviour: only floats and text are missing. Whole numbers read back as 0 and booleans as False, in the type that they
#           had, so what was not measured cannot be told from what was.
# Output seen:
#   refused    int64   [2, 3, 0, 0]
#   enforced   bool    [True, True, False, False]
#   share      float64 [0.01, 0.02, nan, nan]
#   refused in all: 5 of 46, share 0.109
#   only in the hours that have the column: 5 of 21, share 0.238
# Why it hurts: dynamic schemas are for metrics that come and go. On the day on which an exporter forgets `refused`, or a
#           new function does not have it yet, the store says that nobody was refused: shares fall, an alert on them
#           goes quiet, and a flag that nobody wrote says that enforcement is off.
set -euo pipefail
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; cd "$work"
{ python3 -m venv env && env/bin/pip install --quiet --no-compile --disable-pip-version-check \
  arcticdb==6.28.2 pandas==2.3.3; } || exit 2

cat > run.py <<'PY'
import arcticdb
import pandas

store = arcticdb.Arctic("lmdb://store")
library = store.create_library("counts", arcticdb.LibraryOptions(dynamic_schema=True))
hours = lambda day: pandas.date_range(day, periods=2, freq="h")
library.write("f", pandas.DataFrame({"requests": [10, 11], "refused": [2, 3], "enforced": [True, True],
                                     "share": [0.01, 0.02]}, index=hours("2026-10-14")))
library.append("f", pandas.DataFrame({"requests": [12, 13]}, index=hours("2026-10-15")))
read = library.read("f").data
for name in ("refused", "enforced", "share"):
    print(f"{name:<10} {read[name].dtype!s:<7} {read[name].tolist()}")
def share(title, rows):
    refused, requests = int(rows.refused.sum()), int(rows.requests.sum())
    print(f"{title}: {refused} of {requests}, share {refused / requests:.3f}")
share("refused in all", read)
share("only in the hours that have the column", read[:2])
PY
seen=$(env/bin/python run.py 2>errors) || { cat errors >&2; exit 2; }
printf '%s\n' "$seen"
diff - <(printf '%s\n' "$seen") <<'TEXT' || exit 1
refused    int64   [2, 3, 0, 0]
enforced   bool    [True, True, False, False]
share      float64 [0.01, 0.02, nan, nan]
refused in all: 5 of 46, share 0.109
only in the hours that have the column: 5 of 21, share 0.238
TEXT
