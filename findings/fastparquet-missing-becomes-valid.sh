#!/usr/bin/env bash
# A day of MISSING tokens reads back as VALID once a day of VALID ones is appended to its file.
#
# Version:  fastparquet 2026.9.0 with pandas 3.1.1; pyarrow 26.0.1 reads the same files (all PyPI).
# Guess:    each part of a Parquet file has its own dictionary, so a column of categories reads back as the texts that
#           were written; or appending other categories is refused.
# Behaviour: the codes of all parts are read with the dictionary of the last one, without a word. The file is right:
#           pyarrow reads what was written, and so does fastparquet with categories=[].
# Output seen:
#   written:       100 MISSING | 100 VALID
#   fastparquet:   100 VALID | 100 VALID
#   categories=[]: 100 MISSING | 100 VALID
#   pyarrow:       100 MISSING | 100 VALID
#   written:       3 MISSING, 97 VALID | 1 INVALID, 99 VALID
#   fastparquet:   3 INVALID, 97 VALID | 1 INVALID, 99 VALID
#   the same, all three categories on each day:
#   fastparquet:   3 MISSING, 97 VALID | 1 INVALID, 99 VALID
# Why it hurts: statuses are made categories because a log has millions of them, and a day's categories are those that
#           occurred on it. Each append can change what all earlier days say, into a status that is as plausible, while
#           the number of rows is right. A day without any valid token becomes one on which it was safe to enforce.
#           Tests in which every day has all statuses pass.
set -euo pipefail
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; cd "$work"
{ python3 -m venv env && env/bin/pip install --quiet --no-compile --disable-pip-version-check \
  fastparquet==2026.9.0 pandas==3.1.1 pyarrow==26.0.1; } || exit 2

cat > run.py <<'PY'
import collections, os
import fastparquet, pandas
import pyarrow.parquet

def show(title, days, statuses):
    counts = collections.Counter(zip(days, statuses))
    line = " | ".join(", ".join(f"{counts[key]} {key[1]}" for key in sorted(counts) if key[0] == day) for day in (1, 2))
    print(f"{title:<14} {line}")

def write(*days, categories=None):
    if os.path.exists("log.parquet"):
        os.remove("log.parquet")
    for number, statuses in enumerate(days, 1):
        frame = pandas.DataFrame({"day": number, "app": pandas.Categorical(statuses, categories)})
        fastparquet.write("log.parquet", frame, append=number > 1)

def read(title, **options):
    frame = fastparquet.ParquetFile("log.parquet").to_pandas(**options)
    show(title, frame.day.tolist(), frame.app.tolist())

outage, good = ["MISSING"] * 100, ["VALID"] * 100
write(outage, good)
show("written:", [1] * 100 + [2] * 100, outage + good)
read("fastparquet:")
read("categories=[]:", categories=[])
table = pyarrow.parquet.read_table("log.parquet")
show("pyarrow:", table["day"].to_pylist(), table["app"].to_pylist())
first, second = ["MISSING"] * 3 + ["VALID"] * 97, ["INVALID"] + ["VALID"] * 99
write(first, second)
show("written:", [1] * 100 + [2] * 100, first + second)
read("fastparquet:")
print("the same, all three categories on each day:")
write(first, second, categories=["INVALID", "MISSING", "VALID"])
read("fastparquet:")
PY
seen=$(env/bin/python run.py 2>errors) || { cat errors >&2; exit 2; }
printf '%s\n' "$seen"
diff - <(printf '%s\n' "$seen") <<'TEXT' || exit 1
written:       100 MISSING | 100 VALID
fastparquet:   100 VALID | 100 VALID
categories=[]: 100 MISSING | 100 VALID
pyarrow:       100 MISSING | 100 VALID
written:       3 MISSING, 97 VALID | 1 INVALID, 99 VALID
fastparquet:   3 INVALID, 97 VALID | 1 INVALID, 99 VALID
the same, all three categories on each day:
fastparquet:   3 MISSING, 97 VALID | 1 INVALID, 99 VALID
TEXT
