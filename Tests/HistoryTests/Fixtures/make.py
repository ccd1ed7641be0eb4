#!/usr/bin/env python3
"""Writes the inputs of `version-1.db`, and that store, with a callcheck that wrote version 1 of the tables (506a097).

    make.py PATH/TO/OLD/callcheck
"""

import gzip
import json
import subprocess
import sys
from pathlib import Path

LABEL = {"firebase-log-type": "callable-request-verification"}
STATUSES = ["VALID", "VALID", "VALID", "MISSING", "INVALID"]


def stamp(second):
    day, rest = divmod(second, 86400)
    return f"2026-10-{day + 1:02}T{rest // 3600:02}:{rest // 60 % 60:02}:{rest % 60:02}Z"


def entry(number, second, **changes):
    """A verification of generation 1 or 2 that belongs to an execution of its own."""
    app, auth = STATUSES[number % 5], STATUSES[number // 5 % 5]
    failed = "INVALID" in (app, auth)
    message = "Callable request verification " + ("failed: a token was rejected." if failed else "passed")
    made = {
        "insertId": f"id-{number}", "timestamp": stamp(second), "receiveTimestamp": stamp(second),
        "severity": "WARNING" if failed else "DEBUG", "labels": dict(LABEL),
        "jsonPayload": {"message": message, "verifications": {"app": app, "auth": auth}},
    }
    if number % 2:
        made["labels"]["execution_id"] = f"run-{number}"
        made["logName"] = "projects/demo/logs/cloudfunctions.googleapis.com%2Fcloud-functions"
        made["resource"] = {"type": "cloud_function", "labels": {
            "function_name": f"f{number % 3}", "project_id": "demo", "region": "us-central1"}}
    else:
        made |= {"trace": "projects/demo/traces/7", "spanId": str(number)}
        made["logName"] = f"projects/demo/logs/run.googleapis.com%2Fstd{'err' if failed else 'out'}"
        made["resource"] = {"type": "cloud_run_revision", "labels": {
            "service_name": f"s{number % 3}", "project_id": "demo", "location": "europe-west1"}}
    return {key: value for key, value in (made | changes).items() if value is not None}


def lines(entries):
    return "".join(json.dumps(entry, separators=(",", ":")) + "\n" for entry in entries).encode()


def nights():
    """Eight days, with all that an old store and a new one tell apart in different ways."""
    yield from (entry(number, number * 5760 + number) for number in range(120))
    # Copies, two requests without an insertId, and entries without a time.
    yield from (entry(number, number * 5760 + number) for number in range(0, 60, 7))
    yield from [entry(301, 90_000, insertId=None)] * 2
    yield from (entry(number, 0, timestamp=None, receiveTimestamp=None) for number in (302, 303, 303))
    # Imported again three days later: version 2 takes it for undated.
    yield from (entry(number, number * 300, receiveTimestamp=stamp(number * 300 + 3 * 86400)) for number in (304, 305))
    # A second one of an execution, and a copy that disagrees.
    yield entry(5, 29_000, insertId="id-306")
    yield entry(11, 11 * 5760 + 11, jsonPayload={
        "message": "Callable request verification passed", "verifications": {"app": "VALID", "auth": "MISSING"}})


def main():
    callcheck = Path(sys.argv[1]).resolve()
    folder = Path(__file__).resolve().parent
    (folder / "nights.json").write_bytes(lines(nights()))
    payload = '{"message":"Callable request verification passed","verifications":{"app":"VALID","auth":"VALID"}}'
    console = [f"{stamp(second)} D f1: {payload}\n" for second in (100, 100, 200, 90_000, 180_000)]
    (folder / "console.log").write_text("".join(console))
    # Its check sum is wrong: what is read of it is kept apart.
    altered = bytearray(gzip.compress(lines(entry(number, number * 1500) for number in range(400, 430)), 9, mtime=0))
    altered[-8] ^= 1
    (folder / "altered.json.gz").write_bytes(altered)
    other = {"message": "got", "verifications": {"app": "VALID", "auth": "VALID"}}
    (folder / "message.json").write_bytes(lines([entry(307, 15_000, jsonPayload=other)]))
    (folder / "silent.json").write_bytes(lines([{"insertId": "app", "timestamp": stamp(9), "textPayload": "hello"}]))
    store = folder / "version-1.db"
    store.unlink(missing_ok=True)
    # Two inputs come under two spellings of their paths.
    inputs = ["nights.json", "console.log", "altered.json.gz", "message.json", "silent.json"]
    inputs += ["./silent.json", "./nights.json"]
    subprocess.run([callcheck, "ingest", "--store", store.name, *inputs], cwd=folder)
    for ending in ("-wal", "-shm"):
        store.with_name(store.name + ending).unlink(missing_ok=True)


if __name__ == "__main__":
    main()
