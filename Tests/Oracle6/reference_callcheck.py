#!/usr/bin/env python3
"""Replaces `callcheck --format json` when the oracle itself is tested.

It reads the export record by record as the reading contract says, knowing nothing of how it was made, and lets the
oracle judge what it counted; only the policy's values come from the description beside the export.
"""

import gzip
import json
import re
import sys
from datetime import UTC, datetime

from instants import DAY, HOUR, instant_from, instant_text
from enforcement import FORGED
from sdk_lines import ALLOWING, CAUSES
from verdict_oracle import summary

LABEL = "firebase-log-type"
VALUE = "callable-request-verification"
PASSED, FAILED = "Callable request verification passed", "Callable request verification failed"
TEXT_STATUSES = re.compile(r"'app': '(\w+)', 'auth': '(\w+)'")
FINISHED = re.compile(r"Function execution took \d+ ms, finished with status code: (\d+)")
CAUSE = "Failed to validate AppCheck token. FirebaseAppCheckError: "
CONSOLE_LINE = re.compile(r"(\S+) ([A-Z]) ([^ :]+): (.*)")
SEVERITIES = {"D": "DEBUG", "I": "INFO", "W": "WARNING"}
OPTIONS_WITH_VALUE = ("--as-of", "--since", "--until", "--function", "--format")


def instant_of(record):
    """The stamp; the time of receipt instead of a later one; nothing instead of one that is over a day earlier."""
    times = (record.get(name) for name in ("timestamp", "receiveTimestamp"))
    stamp, received = (text and instant_from(text) for text in times)
    if stamp is None or (received is not None and stamp > received + HOUR):
        return received
    return None if received is not None and stamp < received - DAY else stamp


def status(value):
    return value if value in ("VALID", "INVALID", "MISSING") else "OTHER"


class Reading:
    """What was read so far."""

    def __init__(self, dedupe, longest):
        self.dedupe, self.longest = dedupe, longest
        self.functions, self.stderr, self.seen = {}, {}, {}
        self.rows, self.lines, self.newest = {}, {}, []
        self.counts = dict.fromkeys(("records", "malformed", "oversized", "unexpected"), 0)

    def export_line(self, line):
        self.counts["records"] += 1
        if len(line.encode()) > self.longest:
            self.counts["oversized"] += 1
            return
        try:
            record = json.loads(line)
        except json.JSONDecodeError:
            self.counts["malformed"] += 1
            return
        if "logName" not in record:
            self.counts["unexpected"] += 1
            return
        instant, log, resource = instant_of(record), record["logName"], record["resource"]["labels"]
        if instant is not None:
            self.newest.append(instant)
        project = resource.get("project_id") or log.split("/")[1]
        if log.endswith("run.googleapis.com%2Fstderr") and instant is not None:
            self.stderr.setdefault(project, []).append(instant)
        labels = record.get("labels", {})
        row = self.row(record, instant, labels)
        if row is None:
            self.evidence(record, instant, log, project, resource)
            return
        row[4].update(revision_of(resource))
        if record["resource"]["type"] == "cloud_function":
            identity = (project, resource["region"], resource["function_name"], None, 1)
        else:
            service = resource["service_name"]
            shown = labels.get("goog-drz-cloudfunctions-id", service)
            identity = (project, resource["location"], shown, service, 2)
        self.add(identity, row, (project, log, instant, row[4]["insert_id"], identity, *row[1:3], row[4]["labelled"]))

    def row(self, record, instant, labels):
        """The verification, or None when the record is something else."""
        labelled = labels.get(LABEL) == VALUE
        payload = record.get("jsonPayload", {})
        message = payload.get("message", record.get("textPayload", ""))
        text = TEXT_STATUSES.search(record.get("textPayload", ""))
        if not labelled and not (message.startswith((PASSED, FAILED)) and (text or "verifications" in payload)):
            return None
        statuses = payload.get("verifications", {})
        app, auth = text.groups() if text else (statuses.get("app", statuses.get("appCheck")), statuses.get("auth"))
        app, auth = status(app), status(auth)
        extra = {
            "labelled": labelled,
            "own_message": message.startswith(FAILED if "INVALID" in (app, auth) else PASSED),
            "instance": labels.get("instanceId"),
            "execution": labels.get("execution_id"),
            "trace": record.get("trace"),
            "span": record.get("spanId"),
            "insert_id": record.get("insertId", ""),
        }
        return [instant, app, auth, record["severity"], extra]

    def evidence(self, record, instant, log, project, resource):
        """A row of the request log, or the line that lets a request go; joined when everything was read."""
        place = (project, resource.get("location"), resource.get("service_name"))
        text = record.get("textPayload", "")
        if log.endswith("run.googleapis.com%2Frequests") and "trace" in record:
            span = int(record["spanId"], 16) if "spanId" in record else record["insertId"]
            key = (*place, record["trace"], span)
            self.rows[key] = (instant, record["httpRequest"])
        elif "execution_id" in record.get("labels", {}):
            finished = FINISHED.fullmatch(text)
            said = next((f"cause:{name}" for name, why in CAUSES.items() if text == CAUSE + why), None)
            if text == ALLOWING:
                said = FORGED if log.endswith("stdout") else "allowing"
            if place[2] is None:
                place = (project, resource["region"], resource["function_name"])
            line = [instant, record["labels"]["execution_id"], int(finished[1]) if finished else said]
            self.lines.setdefault(place, []).append(line)

    def join(self, functions):
        for function in functions:
            place = (function["project"], function["region"], function["service"])
            taken = set()
            for row in function["verifications"]:
                extra = row[4]
                span = int(extra["span"]) if extra.get("span") else None
                key = (*place, extra.get("trace"), span)
                if span and not extra.get("trace"):
                    key = next((k for k in self.rows if k[:3] == place and k[4] == span), key)
                if key in self.rows and row[0] is not None:
                    request = self.rows[key][1]
                    extra["status"] = request["status"]
                    extra.update(agent=request.get("userAgent"), referer=request.get("referer"))
                    taken.add(key)
                elif extra.get("trace") and not extra.get("span"):
                    of_trace = (k for k in self.rows if k[:4] == (*place, extra["trace"]) and k not in taken)
                    extra["row_unknown"] = bool(found := next(of_trace, None))
                    taken.add(found)
            function["unjoined"] = [
                [instant, request["status"]]
                for key, (instant, request) in self.rows.items()
                if key[:3] == place and key not in taken
            ]
            lines = self.lines.get((*place[:2], place[2] or function["name"]), [])
            executions = {row[4].get("execution") for row in function["verifications"]}
            function["lines"] = lines
            if function["generation"] == 1:
                function["unjoined"] = [[i, what] for i, execution, what in lines if execution not in executions]

    def console_line(self, line):
        self.counts["records"] += 1
        stamp, letter, name, text = CONSOLE_LINE.match(line).groups()
        payload = {"jsonPayload": json.loads(text)} if text.startswith("{") else {"textPayload": text}
        row = self.row({**payload, "severity": SEVERITIES[letter]}, instant_from(stamp), {})
        self.add(("-", "-", name, None, None), row, None)

    def add(self, identity, row, key):
        if self.dedupe and key and row[0] is not None and row[4]["insert_id"]:
            if key in self.seen:
                self.seen[key][4]["copies"] = self.seen[key][4].get("copies", 0) + 1
                return
            self.seen[key] = row
        self.functions.setdefault(identity, []).append(row)

    def description(self):
        names = ("project", "region", "name", "service", "generation")
        made = [dict(zip(names, identity), verifications=rows) for identity, rows in self.functions.items()]
        self.join(made)
        return {"functions": made, "stderr": self.stderr, "newest": self.newest, **self.counts}


def revision_of(resource):
    """What a revision's name adds to the service's."""
    name = resource.get("revision_name")
    return {"revision": name and name.removeprefix(f"{resource['service_name']}-")}


def read(paths, dedupe, longest):
    reading = Reading(dedupe, longest)
    for path in paths:
        opener = gzip.open if path.endswith(".gz") else open
        read_line = reading.console_line if path.endswith(".txt") else reading.export_line
        with opener(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                read_line(line.rstrip("\n"))
    return reading.description()


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
    inputs = [argument for argument in sys.argv[1:] if argument in known["inputs"]]
    settings = dict(text.split("=", 1) for option, text in zip(sys.argv, sys.argv[1:]) if option == "--set")
    description = read(inputs, "dedupe" not in settings, int(settings.get("max-record-bytes", 16 << 20)))
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
    answer = summary(description)
    answer["findings"] = [
        {"of": "{project}/{region}/{function}".format(**row), "code": reason["code"]}
        for row in answer["functions"]
        for reason in row["readiness"]["reasons"]
    ]
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main()
