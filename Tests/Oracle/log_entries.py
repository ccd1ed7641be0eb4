"""Writes a project as Cloud Logging would export it: gzipped LogEntry lines, gen 1 and gen 2, with records around them.

Identifiers are counters, not random: these files check counts and verdicts, and stay small.
"""

import gzip
import json

from instants import DAY, HOUR, SECOND, instant_text

LABEL = '"firebase-log-type":"callable-request-verification"'
OTHER_SPELLINGS = ('"app":"UNKNOWN",', '"app":"valid",', '"app":null,', "")
BEYOND_LATENESS = (1, SECOND, 5 * HOUR, 3 * DAY)


class ExportWriter:
    """Collects records with the instant they sort by."""

    def __init__(self, rng):
        self.rng = rng
        self.records = []
        self.seen = set()
        self.counter = 0
        self.duplicates = 0

    def chance(self, probability):
        return self.rng.random() < probability

    def pick(self, choices):
        return choices[self.rng.integers(len(choices))]

    def function(self, function, duplicate_share, dedupe):
        """Writes every verification of a function, some twice; what is no duplicate joins the function's counts."""
        counted_again = []
        for row in function["verifications"]:
            text = self.verification(function, *row)
            if not self.chance(duplicate_share):
                continue
            self.records.append((row[0] or 0, text))
            if dedupe and row[0] is not None and '"insertId":"68' in text:
                self.duplicates += 1
            else:
                counted_again.append(row)
        function["verifications"].extend(counted_again)

    def verification(self, function, instant, app, auth, severity):
        failed = "INVALID" in (app, auth)
        message = "Callable request verification passed"
        if failed:
            rejected = ["AppCheck token was rejected."] * (app == "INVALID") + ["Auth token was rejected."] * (
                auth == "INVALID"
            )
            message = "Callable request verification failed: " + " ".join(rejected)
        app_text = self.pick(OTHER_SPELLINGS) if app == "OTHER" else f'"app":"{app}",'
        if app != "OTHER" and self.chance(0.02):
            app_text = f'"appCheck":"{app}",'
        auth_text = '"auth":"SOMETHING"' if auth == "OTHER" else f'"auth":"{auth}"'
        payload = f'"jsonPayload":{{"message":"{message}","verifications":{{{app_text}{auth_text}}}}}'
        if function["generation"] == 1:
            log = "cloudfunctions.googleapis.com%2Fcloud-functions"
        else:
            log = "run.googleapis.com%2Fstderr" if failed else "run.googleapis.com%2Fstdout"
        stamp = self.times(instant)
        parts = [
            self.insert_id(function["project"], log, instant),
            payload,
            *stamp[:1],
            f'"severity":"{severity}"',
            self.labels(function),
            self.resource(function),
            f'"logName":"projects/{function["project"]}/logs/{log}"',
            *stamp[1:],
        ]
        parts = [part for part in parts if part]
        if self.chance(0.1):
            parts.reverse()
        text = "{" + ",".join(parts) + "}"
        self.records.append((0 if instant is None else instant, text))
        return text

    def insert_id(self, project, log, instant):
        """Mostly a number reused every 4096 entries, at other instants: only the whole key makes a duplicate."""
        if self.chance(0.01):
            return self.pick(("", '"insertId":""'))
        self.counter += 1
        number = self.counter % 4096
        if (project, log, instant, number) in self.seen:
            number = 4096 + self.counter
        self.seen.add((project, log, instant, number))
        return f'"insertId":"68ac65d4{number:016x}"'

    def times(self, instant):
        """`timestamp` and `receiveTimestamp` that stand for the instant; nothing for an undated entry."""
        if instant is None:
            return []
        kind = self.rng.random()
        if kind < 0.004:
            return [f'"receiveTimestamp":"{instant_text(instant)}"']
        if kind < 0.008:
            late = instant + HOUR + self.pick(BEYOND_LATENESS)
            return [f'"timestamp":"{instant_text(late)}"', f'"receiveTimestamp":"{instant_text(instant)}"']
        if kind < 0.012:
            return [f'"timestamp":"{instant_text(instant)}"', f'"receiveTimestamp":"{instant_text(instant - HOUR)}"']
        if kind < 0.016:
            shifted = instant_text(instant + 2 * HOUR).removesuffix("Z") + "+02:00"
            return [f'"timestamp":"{shifted}"', f'"receiveTimestamp":"{instant_text(instant + SECOND)}"']
        received = instant + 9_208_608 + self.counter % 10 * SECOND
        return [f'"timestamp":"{instant_text(instant)}"', f'"receiveTimestamp":"{instant_text(received)}"']

    def labels(self, function):
        instance = f"0069c7{self.counter % 40:06x}"
        if function["generation"] == 1:
            return f'"labels":{{"execution_id":"{self.counter % 4096:012x}",{LABEL},"instance_id":"{instance}"}}'
        identity = (
            ""
            if function["name"] == function["service"]
            else (
                f'"goog-drz-cloudfunctions-id":"{function["name"]}",'
                f'"goog-drz-cloudfunctions-location":"{function["region"]}",'
            )
        )
        return (
            f'"labels":{{"goog-managed-by":"cloudfunctions",{identity}"instanceId":"{instance}",'
            f'"execution_id":"{self.counter % 4096:012x}",{LABEL}}}'
        )

    def resource(self, function):
        # Without the label the project is read from the logName.
        project = "" if self.chance(0.02) else f'"project_id":"{function["project"]}",'
        if function["generation"] == 1:
            return (
                f'"resource":{{"type":"cloud_function","labels":{{{project}'
                f'"region":"{function["region"]}","function_name":"{function["name"]}"}}}}'
            )
        service = function["service"]
        return (
            f'"resource":{{"type":"cloud_run_revision","labels":{{{project}"service_name":"{service}",'
            f'"configuration_name":"{service}","revision_name":"{service}-00006-taj",'
            f'"location":"{function["region"]}"}}}}'
        )

    def plain(self, project, instant, log, text, extra=""):
        """A record that is no verification."""
        self.counter += 1
        self.records.append(
            (
                instant,
                (
                    f'{{"insertId":"6891359f{self.counter:016x}",{extra}"textPayload":{json.dumps(text)},"resource":{{'
                    f'"type":"cloud_run_revision","labels":{{"project_id":"{project}","service_name":"worker","location":"us-central1"}}}},'
                    f'"timestamp":"{instant_text(instant)}","severity":"ERROR","logName":"projects/{project}/logs/{log}",'
                    f'"receiveTimestamp":"{instant_text(instant + SECOND)}"}}'
                ),
            )
        )

    def stderr(self, project, instant):
        self.plain(project, instant, "run.googleapis.com%2Fstderr", "Failed to validate AppCheck token. {…}")

    def decoys(self, project, instant):
        """Records that speak of what is looked for, and are not it."""
        self.plain(
            project,
            instant,
            "run.googleapis.com%2Fstdout",
            'read "logName": "projects/p/logs/run.googleapis.com%2Fstderr" and "callable-request-verification"',
        )
        self.plain(
            project,
            instant,
            "run.googleapis.com%2Frequests",
            "POST",
            extra='"httpRequest":{"requestMethod":"POST","status":401},',
        )

    def write(self, path):
        """In time order or newest first, a little out of order either way."""
        jitter = self.rng.integers(0, 120 * SECOND, len(self.records))
        order = sorted(range(len(self.records)), key=lambda i: self.records[i][0] + int(jitter[i]))
        if self.chance(0.3):
            order.reverse()
        with open(path, "wb") as raw, gzip.GzipFile("", "wb", 6, raw, mtime=0) as file:
            for i in order:
                file.write(self.records[i][1].encode())
                file.write(b"\n")
        return len(self.records)
