#!/usr/bin/env bash
# Google's own library writes a log entry's severity as a number, and statuses that nobody sent.
#
# Version:  google-cloud-logging 3.17.0, proto-plus 1.29.0, protobuf 6.33.6 (PyPI): LogEntry.to_json, to_api_repr.
# Guess:    the JSON of an entry is the API's: "severity": "DEBUG", no fields that are not set, and counts of a payload
#           as they were logged. to_api_repr() gives what came in.
# Behaviour: to_json writes the enum's number, fills httpRequest with zeros, and makes every number of a payload a float,
#           so that large ones change. to_api_repr() keeps these, and loses nanoseconds and whole fields instead.
# Output seen:
#   to_json:       severity 100, httpRequest.status 0, requestMethod POST
#   payload:       {'attempt': 1.0, 'id': 9007199254740992.0}
#   to_api_repr(): severity DEBUG, payload {'attempt': 1, 'id': 9007199254740993}
#   it lost:       receiveTimestamp, split; .123456789Z is .123456Z
# Why it hurts: an export script for a log calls one of the two. `severity == "ERROR"` and `severity >= "ERROR"` find
#           nothing or everything in the first, a request without an answer has status 0, and ids of a payload match
#           nothing. The second drops the time of arrival, which shows whether a log is late, and entries of one
#           instant lose their order.
set -euo pipefail
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; cd "$work"
{ python3 -m venv env && env/bin/pip install --quiet --no-compile --disable-pip-version-check \
  google-cloud-logging==3.17.0 proto-plus==1.29.0 protobuf==6.33.6; } || exit 2

cat > run.py <<'PY'
import json
from google.auth.credentials import AnonymousCredentials
from google.cloud import logging
from google.cloud.logging_v2.entries import StructEntry
from google.cloud.logging_v2.types import LogEntry

entry = {
    "insertId": "68ac65d4000aea7843e7cf31", "logName": "projects/p/logs/run.googleapis.com%2Fstdout",
    "resource": {"type": "cloud_run_revision", "labels": {"project_id": "p", "service_name": "f"}},
    "timestamp": "2026-10-14T00:43:17.123456789Z", "receiveTimestamp": "2026-10-14T00:43:18.5Z", "severity": "DEBUG",
    "httpRequest": {"requestMethod": "POST"}, "jsonPayload": {"id": 9007199254740993, "attempt": 1},
    "split": {"uid": "u", "index": 1, "totalSplits": 2},
}
written = json.loads(LogEntry.to_json(LogEntry.from_json(json.dumps(entry))))
request = written["httpRequest"]
print(f"to_json:       severity {written['severity']}, httpRequest.status {request['status']},", "requestMethod",
      request["requestMethod"])
payload = lambda entry: dict(sorted(entry["jsonPayload"].items()))
print("payload:      ", payload(written))
client = logging.Client(project="p", credentials=AnonymousCredentials(), _use_grpc=False)
back = StructEntry.from_api_repr(entry, client, loggers={}).to_api_repr()
print(f"to_api_repr(): severity {back['severity']}, payload {payload(back)}")
print(f"it lost:       {', '.join(sorted(set(entry) - set(back)))};", entry["timestamp"][19:], "is", back["timestamp"][19:])
PY
seen=$(env/bin/python run.py 2>errors) || { cat errors >&2; exit 2; }
printf '%s\n' "$seen"
diff - <(printf '%s\n' "$seen") <<'TEXT' || exit 1
to_json:       severity 100, httpRequest.status 0, requestMethod POST
payload:       {'attempt': 1.0, 'id': 9007199254740992.0}
to_api_repr(): severity DEBUG, payload {'attempt': 1, 'id': 9007199254740993}
it lost:       receiveTimestamp, split; .123456789Z is .123456Z
TEXT
