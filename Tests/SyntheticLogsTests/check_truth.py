#!/usr/bin/env python3
"""Counts the verifications of newline-delimited log entries, plain or gzipped, and compares with a truth file.

usage: check_truth.py TRUTH.json LOG...

Written from the description of the formats alone, with Python's own JSON reader. Prints what it counted; the exit
status is 1 when anything differs.
"""
import collections
import gzip
import json
import sys

STATUSES = ("VALID", "INVALID", "MISSING")


def lines(path):
    with open(path, "rb") as file:
        packed = file.read(2) == b"\x1f\x8b"
    with (gzip.open if packed else open)(path, "rb") as file:
        yield from file


def status(entry, key):
    value = entry["jsonPayload"]["verifications"].get(key)
    return value if value in STATUSES else "OTHER"


def identity(entry):
    labels = entry["resource"]["labels"]
    if entry["resource"]["type"] == "cloud_function":
        return labels["project_id"], labels["region"], labels["function_name"], 1
    return labels["project_id"], labels["location"], labels["service_name"], 2


def count(paths):
    totals = collections.Counter()
    cells, hours, names, seen, failed, errors = collections.Counter(), {}, {}, set(), collections.Counter(), set()
    for line in (line for path in paths for line in lines(path)):
        entry = json.loads(line)
        totals["records"] += 1
        totals["bytesDecompressed"] += len(line)
        time = entry.get("timestamp")
        project = entry["resource"]["labels"]["project_id"]
        if entry["logName"].endswith("run.googleapis.com%2Fstderr") and time:
            errors.add((project, time[:10]))
        if entry.get("labels", {}).get("firebase-log-type") != "callable-request-verification":
            continue
        if time:
            copy = (project, entry["logName"], time, entry["insertId"])
            if copy in seen:
                totals["duplicates"] += 1
                continue
            seen.add(copy)
        else:
            totals["undated"] += 1
        totals["verifications"] += 1
        function, app, auth = identity(entry), status(entry, "app"), status(entry, "auth")
        day = time[:10] if time else None
        cells[function, day, app, auth] += 1
        if label := entry["labels"].get("goog-drz-cloudfunctions-id"):
            names[function] = min(label, names.get(function, label))
        if day and "INVALID" in (app, auth):
            failed[project, function[3], day] += 1
        if day and app != "VALID" and auth != "INVALID":
            hours[function, day] = hours.get((function, day), 0) | 1 << int(time[11:13])
    shown = {function: (*function[:2], names.get(function, function[2]), function[3]) for function, *_ in cells}
    cells = {(shown[function], *rest): number for (function, *rest), number in cells.items()}
    hours = {(shown[function], day): mask for (function, day), mask in hours.items()}
    return totals, cells, hours, dict(failed), errors


def expected(truth):
    cells, hours = collections.Counter(), {}
    for function in truth["functions"]:
        key = tuple(function[name] for name in ("project", "region", "function", "generation"))
        undated = collections.Counter()
        for app, row in function["appByAuth"].items():
            undated.update({(app, auth): number for auth, number in row.items()})
        for day in function["daily"]:
            for app, row in day["appByAuth"].items():
                for auth, number in row.items():
                    cells[key, day["date"], app, auth] += number
                    undated[app, auth] -= number
            hours[key, day["date"]] = day["blockedHoursMask"]
        for (app, auth), number in undated.items():
            cells[key, None, app, auth] += number
    failed, errors = {}, set()
    for stream in truth["streams"]:
        for day, number in stream["failed"].items():
            failed[stream["project"], stream["generation"], day] = number
        errors |= {(stream["project"], day) for day in stream["errorStreamDays"]}
    return {k: v for k, v in cells.items() if v}, {k: v for k, v in hours.items() if v}, failed, errors


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        truth = json.load(file)
    totals, *counted = count(sys.argv[2:])
    names = ["cells", "hours of blocked requests", "failed by day", "days of standard error"]
    differing = [name for name, a, b in zip(names, counted, expected(truth)) if a != b]
    differing += [name for name, number in truth["input"].items() if totals[name] != number]
    print(", ".join(f"{number} {name}" for name, number in totals.items()))
    print("differs: " + ", ".join(differing) if differing else "equal to the truth")
    sys.exit(1 if differing else 0)


if __name__ == "__main__":
    main()
