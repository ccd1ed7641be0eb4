"""Writes a project as Cloud Logging would export it: gzipped LogEntry lines, gen 1 and gen 2, with records around them.

Identifiers are counters, not random: these files check counts and verdicts, and stay small.
"""

import gzip
import json

from enforcement import FORGED
from instants import DAY, HOUR, SECOND, instant_text
from sdk_lines import FAILED, PASSED, line_members, python_message, sdk_message
from tally import OLDEST

LABEL = '"firebase-log-type":"callable-request-verification"'
OTHER_SPELLINGS = ('"app":"UNKNOWN",', '"app":"valid",', '"app":null,', "")
BEYOND_LATENESS = (1, SECOND, 5 * HOUR, 3 * DAY)
STDERR = "run.googleapis.com%2Fstderr"
STDOUT = "run.googleapis.com%2Fstdout"
REQUESTS = "run.googleapis.com%2Frequests"
FUNCTIONS = "cloudfunctions.googleapis.com%2Fcloud-functions"  # all that generation 1 logs
SPAN = 3_000_000_000_000_000_000  # as long as real ones: decimal in entries, hexadecimal in rows
# What a function's own line says beside a label that came with what a client sent.
OWN_WORDS = ("got", "", "Callable request verification", "callable request verification passed", "order placed: 3")


class ExportWriter:
    """Collects records with the instant they sort by."""

    def __init__(self, rng):
        self.rng = rng
        self.records = []
        self.seen = set()
        self.counter = 0
        self.executions = {}  # execution -> how lines of it name it, the trace of its verification, and its revision
        self.stderr_instants = {}  # project -> instants of records in the stderr log
        self.apart = []  # records of another source
        self.apart_instants = []  # of those with a time
        self.unreadable = []  # instants of records that cannot be read

    def chance(self, probability):
        return self.rng.random() < probability

    def pick(self, choices):
        return choices[self.rng.integers(len(choices))]

    def function(self, function, duplicate_share, dedupe):
        """Writes every verification of a function, some twice; what is no duplicate joins the function's rows."""
        # Functions of old deployments have no execution_id; plain ones no trace either.
        identified_by = self.pick(("execution", "execution", "execution", "trace", "nothing"))
        counted_again = []
        for row in function["verifications"]:
            extra = {} if len(row) < 5 else row[4]
            copied = self.chance(duplicate_share) and not extra.get("row_unknown")
            if "status" in extra:
                self.row(function, row[0], extra["status"], extra)
            elif extra.get("row_unknown"):
                self.shared_row(function, row[0], 200, extra["trace"])
            if copied and identified_by != "nothing" and "trace" not in extra:
                # A second line of one execution that is no copy is a repetition: the oracle has to know.
                extra.setdefault("execution", f"c{self.counter:011x}")
                extra.setdefault("instance", "0069c7copied")
            text, insert_id = self.verification(function, row[:4], extra, identified_by)
            if not copied or extra.get("apart"):
                continue
            self.records.append((row[0] or 0, text))
            if row[0] is not None and row[0] >= OLDEST and insert_id:
                extra["insert_id"] = insert_id
                if dedupe:
                    extra["copies"] = 1
            row[4:] = [extra]
            if "copies" not in extra:
                counted_again.append([*row[:4], dict(extra)])
        function["verifications"].extend(counted_again)
        for instant, status, *trace in function.get("unjoined", ()):
            if function["generation"] == 1:
                self.counter += 1
                self.beside(function, instant, FUNCTIONS, f'{line_members(status)},"labels":{{"execution_id":"u{self.counter:011x}"}}', {})
            elif trace:
                self.shared_row(function, instant, status, trace[0])
            else:
                self.row(function, instant, status, {})
        for instant, execution, what in function.get("lines", ()):
            log = FUNCTIONS if function["generation"] == 1 else STDOUT if what == FORGED else STDERR
            if log == STDERR:
                self.stderr_instants.setdefault(function["project"], []).append(instant)
            members, revision = self.executions[execution]
            self.beside(function, instant, log, f"{line_members(what)},{members}", revision)

    def row(self, function, instant, status, extra):
        """A row of the request log; the verification that it belongs to gets its trace and span."""
        self.counter += 1
        extra["trace"] = f"projects/{function['project']}/traces/{self.counter:032x}"
        extra["span"] = str(SPAN + self.counter)
        self.beside(
            function,
            instant,
            REQUESTS,
            f'"httpRequest":{{"requestMethod":"POST","status":{status}{claims(extra)}}},'
            f'"trace":"{extra["trace"]}","spanId":"{SPAN + self.counter:016x}"',
            extra,
        )

    def shared_row(self, function, instant, status, trace):
        """A row without a span, one of several of its trace."""
        members = f'"httpRequest":{{"requestMethod":"POST","status":{status}}},"trace":"{trace}"'
        self.beside(function, instant, REQUESTS, members, {})

    def beside(self, function, instant, log, members, extra):
        """An entry of a function that is not a verification."""
        self.counter += 1
        text = (
            f'{{"insertId":"7a11{self.counter:016x}",{members},{self.resource(function, extra)},'
            f'"timestamp":"{instant_text(instant)}","logName":"projects/{function["project"]}/logs/{log}",'
            f'"receiveTimestamp":"{instant_text(instant + SECOND)}"}}'
        )
        self.records.append((instant, text))

    def verification(self, function, row, extra, identified_by):
        """One entry's text, and its insertId."""
        instant, app, auth, severity = row
        labelled, own = extra.get("labelled", True), extra.get("own_message", True)
        payload = self.text_payload(app, auth) if extra.get("text") else self.json_payload(app, auth, own)
        if function["generation"] == 1:
            log = FUNCTIONS
        elif extra.get("text") and not extra.get("forged"):
            log = STDERR  # where Python logs all it logs
        else:
            log = STDERR if "INVALID" in (app, auth) and own and not extra.get("forged") else STDOUT
        if log == STDERR and instant is not None:
            self.stderr_instants.setdefault(function["project"], []).append(instant)
        stamp = self.times(instant, extra)
        insert_id = self.insert_id(function["project"], log, instant, extra)
        parts = [
            insert_id,
            payload,
            *stamp[:1],
            f'"severity":"{severity}"',
            *self.execution(function, extra, labelled, identified_by),
            self.resource(function, extra),
            f'"logName":"projects/{function["project"]}/logs/{log}"',
            *stamp[1:],
        ]
        parts = [part for part in parts if part]
        if self.chance(0.1):
            parts.reverse()
        text = "{" + ",".join(parts) + "}"
        if extra.get("apart"):
            self.apart.append(text)
            if instant is not None and instant >= OLDEST:
                self.apart_instants.append(instant)
        else:
            self.records.append((0 if instant is None else instant, text))
        return text, insert_id.removeprefix('"insertId":').strip('"')

    def text_payload(self, app, auth):
        return f'"textPayload":{json.dumps(python_message(app, auth))}'

    def json_payload(self, app, auth, own_message):
        message = sdk_message(app, auth)
        if not own_message:
            contradiction = PASSED if "INVALID" in (app, auth) else f"{FAILED}: AppCheck token was rejected."
            message = self.pick((*OWN_WORDS, contradiction))
        app_text = self.pick(OTHER_SPELLINGS) if app == "OTHER" else f'"app":"{app}",'
        if app != "OTHER" and self.chance(0.02):
            app_text = f'"appCheck":"{app}",'
        auth_text = '"auth":"SOMETHING"' if auth == "OTHER" else f'"auth":"{auth}"'
        return f'"jsonPayload":{{"message":"{message}","verifications":{{{app_text}{auth_text}}}}}'

    def insert_id(self, project, log, instant, extra):
        """Mostly a number reused every 4096 entries, at other instants: only the whole key makes a duplicate."""
        if "insert_id" in extra:
            return f'"insertId":"{extra["insert_id"]}"'
        if self.chance(0.01) and not extra.get("apart"):
            left_out = self.pick(("", '"insertId":""'))
            if instant is None or instant % SECOND:  # at a whole second it could pass for the copy of another one
                return left_out
        self.counter += 1
        number = self.counter % 4096
        if (project, log, instant, number) in self.seen:
            number = 4096 + self.counter
        self.seen.add((project, log, instant, number))
        return f'"insertId":"68ac65d4{number:016x}"'

    def times(self, instant, extra):
        """`timestamp` and `receiveTimestamp` that give the instant; none, or too far apart, for an undated one."""
        if instant is None:
            if self.chance(0.4):
                return []
            received = extra["received"] = 20_700 * DAY + int(self.rng.integers(DAY))
            early = received - DAY - int(self.pick((1, HOUR, 40 * DAY)))
            return [f'"timestamp":"{instant_text(early)}"', f'"receiveTimestamp":"{instant_text(received)}"']
        kind = self.rng.random()
        if kind < 0.004:
            return [f'"receiveTimestamp":"{instant_text(instant)}"']
        if kind < 0.008:
            late = instant + HOUR + self.pick(BEYOND_LATENESS)
            return [f'"timestamp":"{instant_text(late)}"', f'"receiveTimestamp":"{instant_text(instant)}"']
        if kind < 0.012 and instant > HOUR:
            return [f'"timestamp":"{instant_text(instant)}"', f'"receiveTimestamp":"{instant_text(instant - HOUR)}"']
        if kind < 0.016:
            shifted = instant_text(instant + 2 * HOUR).removesuffix("Z") + "+02:00"
            return [f'"timestamp":"{shifted}"', f'"receiveTimestamp":"{instant_text(instant + SECOND)}"']
        if kind < 0.02:  # a day late and no more: still dated
            return [f'"timestamp":"{instant_text(instant)}"', f'"receiveTimestamp":"{instant_text(instant + DAY)}"']
        received = instant + 9_208_608 + self.counter % 10 * SECOND
        return [f'"timestamp":"{instant_text(instant)}"', f'"receiveTimestamp":"{instant_text(received)}"']

    def execution(self, function, extra, labelled, identified_by):
        """The labels, and trace and spanId: an entry that shares none of them with another gets unique ones."""
        labels = [LABEL] * labelled
        fields = []
        self.counter += 1
        by_execution = "execution" in extra or (identified_by == "execution" and "trace" not in extra)
        if by_execution:
            labels.append(f'"execution_id":"{extra.get("execution", format(self.counter, "012x"))}"')
        if "trace" in extra and extra.get("text"):  # Python's entries name none
            fields = [f'"spanId":"{extra["span"]}"']
        elif "trace" in extra:
            fields = [f'"trace":"{extra["trace"]}"', *([f'"spanId":"{extra["span"]}"'] if "span" in extra else [])]
        elif by_execution:
            if self.chance(0.02):  # means nothing beside an execution_id
                fields = [f'"trace":"projects/{function["project"]}/traces/shared"', '"spanId":"4085370250185497714"']
        elif identified_by == "trace":
            fields = [f'"trace":"projects/{function["project"]}/traces/{self.counter:032x}"', f'"spanId":"{self.counter}"']
        instance = extra.get("instance", f"0069c7{self.counter % 40:06x}")
        if instance is not None:
            labels.append(f'"instanceId":"{instance}"')
        if "execution" in extra:
            named = ",".join(labels[labelled:])
            trace = fields or [f'"trace":"projects/{function["project"]}/traces/{self.counter:032x}"']
            revision = {"revision": extra["revision"]} if "revision" in extra else {}
            self.executions[extra["execution"]] = ",".join([f'"labels":{{{named}}}', *trace]), revision
        if function["generation"] == 2:
            labels.append('"goog-managed-by":"cloudfunctions"')
            if function["name"] != function["service"]:
                labels.append(f'"goog-drz-cloudfunctions-id":"{function["name"]}"')
                labels.append(f'"goog-drz-cloudfunctions-location":"{function["region"]}"')
        return [f'"labels":{{{",".join(labels)}}}', *fields]

    def resource(self, function, extra):
        # Without the label the project is read from the logName.
        project = "" if self.chance(0.02) else f'"project_id":"{function["project"]}",'
        if function["generation"] == 1:
            return (
                f'"resource":{{"type":"cloud_function","labels":{{{project}'
                f'"region":"{function["region"]}","function_name":"{function["name"]}"}}}}'
            )
        service, revision = function["service"], extra.get("revision", "00006-taj")
        named = f'"revision_name":"{service}-{revision}",' if revision else ""  # some projections name none
        return (
            f'"resource":{{"type":"cloud_run_revision","labels":{{{project}"service_name":"{service}",'
            f'"configuration_name":"{service}",{named}"location":"{function["region"]}"}}}}'
        )

    def plain(self, project, instant, log, text, extra=""):
        """A record that is not a verification."""
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
        self.stderr_instants.setdefault(project, []).append(instant)
        self.plain(project, instant, STDERR, "TypeError: order is undefined")

    def decoys(self, project, instant):
        """Records that speak of what is looked for, and are not it."""
        self.plain(
            project,
            instant,
            STDOUT,
            'read "logName": "projects/p/logs/run.googleapis.com%2Fstderr" and "callable-request-verification"',
        )
        self.plain(
            project,
            instant,
            "run.googleapis.com%2Frequests",
            "POST",
            extra='"httpRequest":{"requestMethod":"POST","status":401},',
        )

    def unjudged(self, function, instant, kind):
        """A verification that cannot be read as one: cut short, too long, or in a wrapper nobody knows."""
        row = [instant, self.pick(("VALID", "MISSING")), "VALID", "DEBUG"]
        text, _ = self.verification(function, row, {}, "execution")
        self.records.pop()
        if kind == "malformed":
            text = text[: -int(self.rng.integers(1, 20))]
        elif kind == "oversized":
            text = text[:-1] + f',"labels2":"{"x" * 5000}"}}'
        else:
            text = f'{{"event":{text}}}'
        self.records.append((instant, text))
        self.unreadable.append(len(self.records) - 1)

    @property
    def readable_instants(self):
        """Those of the first readable record of each day."""
        first = {}
        for place, (instant, _) in enumerate(self.records):
            if instant and place not in self.unreadable:
                first[instant // DAY] = min(first.get(instant // DAY, instant), instant)
        return sorted(first.values())

    def write(self, path):
        """In time order or newest first, a little out of order either way."""
        jitter = self.rng.integers(0, 120 * SECOND, len(self.records))
        order = sorted(range(len(self.records)), key=lambda i: self.records[i][0] + int(jitter[i]))
        if self.chance(0.3):
            order.reverse()
        with open(path, "wb") as raw, gzip.GzipFile("", "wb", 6, raw, mtime=0) as file:
            file.write("".join(f"{self.records[i][1]}\n" for i in order).encode())
        return len(self.records)


def claims(extra):
    """What a client says of itself in a row."""
    names = (("userAgent", "agent"), ("referer", "referer"), ("remoteIp", "address"))
    return "".join(f',"{name}":{json.dumps(extra[key])}' for name, key in names if key in extra)
