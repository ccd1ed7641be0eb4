#!/usr/bin/env bash
# After months of zeros, a share of 75% is 0 in two engines, 1 in a third, and an error in a fourth.
#
# Version:  datafusion 55.0.0, daft 0.7.26, duckdb 2.0.1, polars 2.1.0, pyarrow 25.0.1 (PyPI), reading one file of JSON
#           lines as each of them does by itself.
# Guess:    a column's type is guessed from the first lines; a later number that does not fit it makes the column
#           floating-point, or is an error, as it is in a database.
# Behaviour: only pyarrow and polars do so. DataFusion and Daft cut the number to a whole one, DuckDB rounds it, without a
#           word. They look at 1000 lines, about a megabyte and 20480 lines, so a shorter file is read as guessed.
# Output seen:
#   50 rows, then 0.25 and 0.75:      DataFusion 0.25, 0.75; Daft 0.25, 0.75; DuckDB 0.25, 0.75
#                                     polars 0.25, 0.75; pyarrow 0.25, 0.75
#   100000 rows, then 0.25 and 0.75:  DataFusion 0, 0; Daft 0, 0; DuckDB 0, 1
#                                     polars ComputeError; pyarrow 0.25, 0.75
# Why it hurts: JavaScript, Swift and Go write a floating-point 0 as `0`, and a file of shares by function and hour is
#           sorted by time. If it begins on good days, refusals at its end, which are what it is read for, are 0% or
#           100%; a mean over them is wrong in either direction. It was right in the first weeks, and on each sample.
set -euo pipefail
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; cd "$work"
{ python3 -m venv env && env/bin/pip install --quiet --no-compile --disable-pip-version-check \
  datafusion==55.0.0 daft==0.7.26 duckdb==2.0.1 polars==2.1.0 pyarrow==25.0.1; } || exit 2

cat > run.py <<'PY'
import daft, datafusion, duckdb, polars
import pyarrow.json

engines = {
    "DataFusion": lambda name: datafusion.SessionContext().read_json(name).to_pylist(),
    "Daft": lambda name: daft.read_json(name).to_pylist(),
    "DuckDB": lambda name: duckdb.sql(f"FROM '{name}'").to_arrow_table().to_pylist(),
    "polars": lambda name: polars.read_ndjson(name).to_dicts(),
    "pyarrow": lambda name: pyarrow.json.read_json(name).to_pylist(),
}
for rows in (50, 100_000):
    name = f"{rows}.json"
    with open(name, "w") as file:
        for row, share in enumerate(["0"] * rows + ["0.25", "0.75"]):
            file.write(f'{{"row": {row}, "share": {share}}}\n')
    answers = []
    for title, read in engines.items():
        try:
            shares = {line["row"]: line["share"] for line in read(name)}
            answers.append(f"{title} {shares[rows]}, {shares[rows + 1]}")
        except polars.exceptions.ComputeError as error:
            answers.append(f"{title} {type(error).__name__}")
    print(f"{f'{rows} rows, then 0.25 and 0.75:':<33}", "; ".join(answers[:3]))
    print(f"{'':<33}", "; ".join(answers[3:]))
PY
seen=$(env/bin/python run.py 2>errors) || { cat errors >&2; exit 2; }
printf '%s\n' "$seen"
diff - <(printf '%s\n' "$seen") <<'TEXT' || exit 1
50 rows, then 0.25 and 0.75:      DataFusion 0.25, 0.75; Daft 0.25, 0.75; DuckDB 0.25, 0.75
                                  polars 0.25, 0.75; pyarrow 0.25, 0.75
100000 rows, then 0.25 and 0.75:  DataFusion 0, 0; Daft 0, 0; DuckDB 0, 1
                                  polars ComputeError; pyarrow 0.25, 0.75
TEXT
