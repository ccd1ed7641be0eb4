#!/usr/bin/env python3
"""Stands in for `callcheck summarize --format json` when the oracle itself is tested.

It reads the export record by record as the reading contract says, knowing nothing of how it was made, and lets the
oracle judge what it counted; only the policy's values come from the description beside the export.
"""

import gzip
import json
import sys
from datetime import UTC, datetime

from instants import DAY, HOUR, instant_from, instant_text
from verdict_oracle import summary

LABEL = "firebase-log-type"
VALUE = "callable-request-verification"
OPTIONS_WITH_VALUE = ("--as-of", "--since", "--until", "--function", "--format")


def parse_instant(text):
    """RFC 3339 with an offset or Z."""
    if text is None:
        return None
    if text.endswith("Z"):
        return instant_from(text)
    sign, hours = (1 if text[-6] == "+" else -1), int(text[-5:-3])
    return instant_from(text[:-6]) - sign * hours * HOUR


def status(value):
    return value if value in ("VALID", "INVALID", "MISSING") else "OTHER"


def read(path, dedupe):
    functions, stderr, counts, seen = {}, {}, {"records": 0, "duplicates": 0}, set()
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            counts["records"] += 1
            record = json.loads(line)
            log, resource = record["logName"], record["resource"]["labels"]
            project = resource.get("project_id") or log.split("/")[1]
            stamp, received = parse_instant(record.get("timestamp")), parse_instant(record.get("receiveTimestamp"))
            instant = received if stamp is None or (received is not None and stamp > received + HOUR) else stamp
            if log.endswith("run.googleapis.com%2Fstderr"):
                stderr.setdefault(project, []).append(instant)
            if record.get("labels", {}).get(LABEL) != VALUE:
                continue
            key = (project, log, instant, record.get("insertId"))
            if dedupe and instant is not None and record.get("insertId"):
                if key in seen:
                    counts["duplicates"] += 1
                    continue
                seen.add(key)
            verifications = record["jsonPayload"]["verifications"]
            row = [
                instant,
                status(verifications.get("app", verifications.get("appCheck"))),
                status(verifications.get("auth")),
                record["severity"],
            ]
            if record["resource"]["type"] == "cloud_function":
                identity = (project, resource["region"], resource["function_name"], None, 1)
            else:
                service = resource["service_name"]
                shown = record["labels"].get("goog-drz-cloudfunctions-id", service)
                identity = (project, resource["location"], shown, service, 2)
            functions.setdefault(identity, []).append(row)
    names = ("project", "region", "name", "service", "generation")
    made = [dict(zip(names, identity), verifications=rows) for identity, rows in functions.items()]
    return {"functions": made, "stderr": stderr, "counts": counts}


def option_instant(text, end_of_day, as_of=None):
    """A date, an instant, or an age in days."""
    if text.endswith("d"):
        return as_of - int(text[:-1]) * DAY
    if len(text) == 10:
        return instant_from(text + "T00:00:00Z") + (DAY if end_of_day else 0)
    return instant_from(text)


def main():
    given = {name: sys.argv[sys.argv.index(name) + 1] for name in OPTIONS_WITH_VALUE if name in sys.argv}
    with gzip.open("description.json.gz", "rt", encoding="utf-8") as file:
        known = json.load(file)
    description = read(sys.argv[-1], "--no-dedupe" not in sys.argv)
    counts = description.pop("counts")
    description.update(
        policy=known["policy"], flags=known["flags"], clock=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    )
    as_of = None
    if "--as-of" in given:
        as_of = option_instant(given["--as-of"], True) - (len(given["--as-of"]) == 10)
        description["asOf"] = instant_text(as_of)
    for name in ("since", "until"):
        if f"--{name}" in given:
            description[name] = instant_text(option_instant(given[f"--{name}"], name == "until", as_of))
    if "--function" in given:
        description["select"] = [given["--function"]]
    verifications = [row for function in description["functions"] for row in function["verifications"]]
    counts.update(
        verifications=len(verifications),
        undated=sum(row[0] is None for row in verifications),
        filtered=0,
        ignored=0,
        malformed=0,
        oversized=0,
    )
    json.dump({**summary(description), "input": counts}, sys.stdout)


if __name__ == "__main__":
    main()
