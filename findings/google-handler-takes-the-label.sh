#!/usr/bin/env bash
# Logging an entry takes its label, severity and trace away, in the log and in the program that logs it.
#
# Version:  google-cloud-logging 3.17.0 (PyPI), StructuredLogHandler, which the library sets up on Cloud Run and in
#           Cloud Functions.
# Guess:    a dictionary becomes the line that print(json.dumps(entry)) writes, with the fields that Cloud Logging
#           defines for such lines. Where both the entry and the call have a severity, one of them counts.
# Behaviour: the entry's severity, time, httpRequest and logging.googleapis.com/ fields are deleted, then the handler
#           adds its own, which are empty or the call's. They are deleted from the caller's dictionary, so what reads it
#           afterwards gets the rest. A text that is JSON loses the same fields. Nothing is said.
# Output seen:
#   print:         WARNING app MISSING, label callable-request-verification, trace projects/p/traces/1
#   as dictionary: INFO app MISSING, label none, trace none
#   as JSON text:  INFO app MISSING, label none, trace none
#   left in the caller's entry: verifications
#   with extra:    INFO app MISSING, label callable-request-verification, trace projects/p/traces/1
# Why it hurts: a server that logs its verifications goes from print to Python's logging. Its entries are still there,
#           each with its status, but a filter on the label, in a sink or an export, finds none from that release on,
#           and none can be joined with its request. Code that goes on to use the entry, to decide by its severity for
#           instance, works in tests and fails where Google's handler is set up.
set -euo pipefail
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; cd "$work"
{ python3 -m venv env && env/bin/pip install --quiet --no-compile --disable-pip-version-check \
  google-cloud-logging==3.17.0; } || exit 2

cat > run.py <<'PY'
import copy, io, json, logging
from google.cloud.logging_v2.handlers import StructuredLogHandler

LABELS, TRACE = "logging.googleapis.com/labels", "logging.googleapis.com/trace"
ENTRY = {
    "severity": "WARNING", "verifications": {"app": "MISSING", "auth": "INVALID"},
    LABELS: {"firebase-log-type": "callable-request-verification"}, TRACE: "projects/p/traces/1",
}

def written(message, **extra):
    stream = io.StringIO()
    logger = logging.getLogger("server")
    logger.propagate = False
    logger.setLevel(logging.INFO)
    logger.handlers = [StructuredLogHandler(stream=stream, project_id="p")]
    logger.info(message, extra=extra)
    return stream.getvalue().splitlines()[-1]

def show(title, line):
    entry = json.loads(line)
    label, trace = entry[LABELS].get("firebase-log-type", "none"), entry[TRACE] or "none"
    print(f"{title:<14} {entry['severity']} app {entry['verifications']['app']}, label {label}, trace {trace}")

show("print:", json.dumps(ENTRY))
entry = copy.deepcopy(ENTRY)
show("as dictionary:", written(entry))
show("as JSON text:", written(json.dumps(ENTRY)))
print("left in the caller's entry:", *entry)
show("with extra:", written({"verifications": ENTRY["verifications"]}, labels=ENTRY[LABELS], trace=ENTRY[TRACE]))
PY
seen=$(env/bin/python run.py 2>errors) || { cat errors >&2; exit 2; }
printf '%s\n' "$seen"
diff - <(printf '%s\n' "$seen") <<'TEXT' || exit 1
print:         WARNING app MISSING, label callable-request-verification, trace projects/p/traces/1
as dictionary: INFO app MISSING, label none, trace none
as JSON text:  INFO app MISSING, label none, trace none
left in the caller's entry: verifications
with extra:    INFO app MISSING, label callable-request-verification, trace projects/p/traces/1
TEXT
