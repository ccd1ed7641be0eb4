#!/usr/bin/env bash
# Quoted span ids become rounded floating-point numbers: different requests get one span.
#
# Version:  pandas 3.1.1 (PyPI), read_json(lines=True).
# Guess:    a JSON string is a string: "13085370250185497717" comes back as text.
# Behaviour: a column of strings that all look like numbers is converted to numbers. Above 2^63 that is float64, which
#           holds 53 bits of the 64: neighbouring ids become equal. Nothing is printed.
# Output seen:
#   type float64, distinct ids in the file 1000, in the frame 1
#   written back: {"spanId":1.308537025e+19}
#   joined with 1000 requests by span: 1000000 pairs
#   dtype=False: 1000 distinct, 1000 pairs
# Why it hurts: Cloud Run writes the decimal spanId of a log line as a string, as Google's JSON does with every 64-bit
#           number. Joined by span, one function's line meets other clients' requests; written back, the id is gone.
#           One id that is not a number in the file switches the conversion off, so tests on mixed logs pass.
set -euo pipefail
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; cd "$work"
{ python3 -m venv env && env/bin/pip install --quiet --no-compile --disable-pip-version-check pandas==3.1.1; } || exit 2

cat > run.py <<'PY'
import io, json
import pandas

spans = [str(13085370250185497717 + n) for n in range(1000)]
lines = "".join(json.dumps({"spanId": span}) + "\n" for span in spans)
frame = pandas.read_json(io.StringIO(lines), lines=True)
print(f"type {frame.spanId.dtype}, distinct ids in the file {len(set(spans))}, in the frame {frame.spanId.nunique()}")
print("written back:", frame.to_json(orient="records", lines=True).splitlines()[0])
requests = frame.assign(status=200)
print("joined with 1000 requests by span:", len(frame.merge(requests, on="spanId")), "pairs")
text = pandas.read_json(io.StringIO(lines), lines=True, dtype=False)
print(f"dtype=False: {text.spanId.nunique()} distinct, {len(text.merge(text, on='spanId'))} pairs")
PY
seen=$(env/bin/python run.py 2>errors) || { cat errors >&2; exit 2; }
printf '%s\n' "$seen"
diff - <(printf '%s\n' "$seen") <<'TEXT' || exit 1
type float64, distinct ids in the file 1000, in the frame 1
written back: {"spanId":1.308537025e+19}
joined with 1000 requests by span: 1000000 pairs
dtype=False: 1000 distinct, 1000 pairs
TEXT
