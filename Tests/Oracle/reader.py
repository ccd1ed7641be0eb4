"""Logs of JSON entries -> verifications, request rows, lines of the SDK, and counts of services. Damage is not read here."""
import gzip
import ipaddress
import json
import re
from collections import defaultdict
from dataclasses import dataclass, field

from moments import EARLIEST, DAY, HOUR, parse

PASSED = "Callable request verification passed"
FAILED = "Callable request verification failed"
DOCUMENTED = "Callable header verification"
LABEL, LABELLED = "firebase-log-type", "callable-request-verification"
METRIC = "firebaseappcheck.googleapis.com/services/verification_count"
STATUSES = ("VALID", "INVALID", "MISSING")
SEVERITIES = {0: "DEFAULT", 100: "DEBUG", 200: "INFO", 300: "NOTICE", 400: "WARNING", 500: "ERROR", 600: "CRITICAL", 700: "ALERT", 800: "EMERGENCY"}
_PYTHON = re.compile(r"'app': '(\w+)', 'auth': '(\w+)'")
_FINISHED = re.compile(r"[Ff]inished with status code: (\d+)")


@dataclass(frozen=True)
class Identity:
    project: str
    region: str
    generation: int | None
    service: str


@dataclass(eq=False)
class Verification:
    source: str
    time: int | None
    received: int | None
    of: Identity
    shown: str
    app: str
    auth: str
    labelled: bool
    message: str | None
    severity: str
    revision: str | None
    execution: tuple | None
    trace: str | None
    span: int | None
    row: "Row | None" = None
    caused: bool = False
    allowed: bool = False

    @property
    def passed(self):
        return self.app != "INVALID" and self.auth != "INVALID"

    @property
    def blocks(self):
        return self.app != "VALID" and self.auth != "INVALID"


@dataclass(eq=False)
class Row:
    time: int
    of: Identity
    status: int
    revision: str | None
    execution: tuple | None
    trace: str | None
    span: int | None
    agent: str = ""
    referer: str = ""
    address: str | None = None
    shows_client: bool = True
    verification: Verification | None = None


@dataclass(eq=False)
class Line:
    time: int
    of: Identity
    kind: str
    execution: tuple | None
    trace: str | None


@dataclass(frozen=True)
class Point:
    project: str
    service: str
    security: str
    result: str
    app: str
    start: int
    end: int


@dataclass
class Log:
    verifications: list = field(default_factory=list)
    rows: list = field(default_factory=list)
    lines: list = field(default_factory=list)
    stderr: dict = field(default_factory=lambda: defaultdict(list))
    without_statuses: list = field(default_factory=list)
    bare_statuses: list = field(default_factory=list)
    times_of: dict = field(default_factory=lambda: defaultdict(list))
    points: dict = field(default_factory=dict)
    modes: list = field(default_factory=list)            # (project or its number, service, whether it enforces, last change)
    partial_pulls: set = field(default_factory=set)
    open_pulls: dict = field(default_factory=dict)
    records: int = 0
    duplicates: int = 0


def values(path):
    with open(path, "rb") as file:
        data = file.read()
    text = (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode("utf-8", "replace")
    try:
        return [json.loads(line) for line in text.split("\n") if line.strip()]
    except json.JSONDecodeError:
        return list(_glued(text))


def _glued(text):
    decoder, at = json.JSONDecoder(), 0
    while True:
        while at < len(text) and text[at] in " \t\r\n":
            at += 1
        if at == len(text):
            return
        value, at = decoder.raw_decode(text, at)
        yield value


def _camel(value):
    """Keys that libraries for Python spell with underscores; labels are spelt so by everybody."""
    if isinstance(value, list):
        return [_camel(v) for v in value]
    if not isinstance(value, dict):
        return value
    return {re.sub("_([a-z])", lambda m: m[1].upper(), key): v if key == "labels" else _camel(v) for key, v in value.items()}


def _span(text):
    """Rows write 16 hexadecimal digits, the SDK's lines a decimal number."""
    if not text:
        return None
    if re.fullmatch(r"[0-9a-fA-F]{16}", text) and not (text.isdigit() and int(text) < 2**64 and len(text) > 16):
        return int(text, 16)
    return int(text) if text.isdigit() else int(text, 16) if re.fullmatch(r"[0-9a-fA-F]+", text) else None


def network(address):
    """Of IPv6 the first 64 bits, which one household or phone has."""
    if not address or ":" not in address:
        return address or None
    try:
        return str(ipaddress.ip_network(f"{address}/64", strict=False))
    except ValueError:
        return address


def status(word):
    return word if word in STATUSES else "OTHER"


class Reader:
    """One run over all sources; copies count once."""

    def __init__(self):
        self.log = Log()
        self.seen = set()

    def read(self, path):
        self.same = defaultdict(int)
        for value in values(path):
            for record in value if isinstance(value, list) else [value]:
                self._record(path, record)
        return self

    def _record(self, source, record):
        if not isinstance(record, dict):
            return
        if not record or "time_series" in record or "timeSeries" in record or "executionErrors" in record or "execution_errors" in record:
            return self._page(source, _camel(record))
        if isinstance(record.get("entries"), list):
            for entry in record["entries"]:
                self._record(source, entry)
            return
        listed = record.get("services") or record.get("result") or [record]
        if isinstance(listed, list) and all(isinstance(s, dict) and re.fullmatch("projects/[^/]+/services/[^/]+", str(s.get("name"))) for s in listed):
            return self.log.modes.extend(map(self._mode, listed))
        self.log.records += 1
        self._entry(source, record)

    def _mode(self, service):
        _, project, _, name = service["name"].split("/")
        changed = parse(service.get("updateTime"))
        return project, name, service.get("enforcementMode") == "ENFORCED", changed or None      # 1970 is never

    def _page(self, source, page):
        if page.get("executionErrors") or page.get("unreachable"):
            self.log.partial_pulls.add(source)
        self.log.open_pulls[source] = bool(page.get("nextPageToken"))      # the last page of a pull decides
        for series in page.get("timeSeries") or []:
            if series["metric"]["type"] != METRIC:
                continue
            labels, resource = series["metric"]["labels"], series["resource"]["labels"]
            for point in series["points"]:
                start, end = parse(point["interval"]["startTime"]), parse(point["interval"]["endTime"])
                start = round(start / 1e9) * 10**9                 # a period may begin a microsecond late
                key = Point(resource["resource_container"], resource["service_id"], labels["security"], labels["result"], labels.get("app_id", "UNKNOWN"), start, end)
                key = (source, key)
                self.log.points[key] = max(self.log.points.get(key, 0), int(point["value"]["int64Value"]))

    def _time(self, entry):
        stamp, received = parse(entry.get("timestamp")), parse(entry.get("receiveTimestamp"))
        time = stamp if stamp is not None else received
        if time is None or time < EARLIEST:
            return None, received
        if received is not None and stamp is not None:
            if stamp > received + HOUR:
                return received, received
            if stamp < received - DAY:
                return None, received
        return time, received

    def _identity(self, entry):
        resource = entry.get("resource") or {}
        labels, log_name = resource.get("labels") or {}, entry.get("logName") or ""
        project = labels.get("project_id") or (log_name.split("/")[1] if log_name.startswith("projects/") else "-")
        if "service_name" in labels or resource.get("type") == "cloud_run_revision":
            service = labels.get("service_name", "-")
            return Identity(project, labels.get("location", "-"), 2, service), (entry.get("labels") or {}).get("goog-drz-cloudfunctions-id", service)
        if "function_name" in labels:
            return Identity(project, labels.get("region", "-"), 1, labels["function_name"]), labels["function_name"]
        return Identity(project, "-", None, "-"), "-"

    def _entry(self, source, entry):
        time, received = self._time(entry)
        of, shown = self._identity(entry)
        if time is not None:
            self.log.times_of[source].append(time)
        log_name = entry.get("logName") or ""
        if log_name.endswith("run.googleapis.com%2Fstderr") and time is not None:
            self.log.stderr[of.project].append(time)
        labels, payload = entry.get("labels") or {}, entry.get("jsonPayload")
        payload = payload if isinstance(payload, dict) else {}
        trace = (entry.get("trace") or "").rpartition("/")[2] or None
        instance = labels.get("instanceId") or labels.get("instance_id")
        execution = (instance, labels["execution_id"]) if labels.get("execution_id") else None
        place = (execution, trace, _span(entry.get("spanId")))
        insert, text = entry.get("insertId") or "", entry.get("textPayload")
        message = payload.get("message") if isinstance(payload.get("message"), str) else text
        statuses = payload.get("verifications")
        labelled = labels.get(LABEL) == LABELLED or (payload.get("logging.googleapis.com/labels") or {}).get(LABEL) == LABELLED
        sdk = isinstance(message, str) and (message == PASSED or message.startswith((FAILED, DOCUMENTED)))
        python = _PYTHON.search(text) if isinstance(text, str) and PASSED in text or isinstance(text, str) and FAILED in text else None
        if "httpRequest" in entry and not labelled:
            return self._row(entry, time, of, place, insert, log_name)
        if python and not labelled:
            app, auth = python.groups()
            statuses = {"app": app, "auth": auth}
            message = PASSED if PASSED in text else FAILED
        elif not labelled and not (sdk and isinstance(statuses, dict)):
            if isinstance(statuses, dict) and "auth" in statuses and ("app" in statuses or "appCheck" in statuses):
                self.log.bare_statuses.append((source, of, time))
            return self._line(entry, time, of, place, insert, log_name, message)
        if not isinstance(statuses, dict) or not any(k in statuses for k in ("app", "appCheck", "auth")):
            return self.log.without_statuses.append((source, of, time))
        app, auth = status(statuses.get("app", statuses.get("appCheck"))), status(statuses.get("auth"))
        key = ("v", of, log_name, time, insert, app, auth, labelled) if insert and time is not None else self._bytes(entry)
        if self._copy(key):
            self.log.duplicates += 1
            return
        severity = entry.get("severity", "DEFAULT")
        severity = severity if isinstance(severity, str) and not severity.replace(".", "").isdigit() else SEVERITIES.get(int(float(severity)) // 100 * 100, "DEFAULT")
        self.log.verifications.append(Verification(source, time, received, of, shown, app, auth, labelled, message, severity,
                                                   (entry.get("resource") or {}).get("labels", {}).get("revision_name"), *place))

    def _row(self, entry, time, of, place, insert, log_name):
        request = entry["httpRequest"]
        if time is None or request.get("requestMethod") != "POST" or self._copy(("r", of.project, log_name, time, insert) if insert else self._bytes(entry)):
            return
        self.log.rows.append(Row(time, of, int(float(request.get("status") or 0)), entry["resource"]["labels"].get("revision_name"), *place,
                                 request.get("userAgent") or "", request.get("referer") or "", network(request.get("remoteIp"))))

    def _line(self, entry, time, of, place, insert, log_name, message):
        if not isinstance(message, str) or time is None:
            return
        finished = _FINISHED.search(message) if of.generation == 1 and message.startswith("Function execution") else None
        cause = message.startswith(("Failed to validate AppCheck token.", "Error validating token: "))
        allowing = message.startswith("Allowing request with invalid AppCheck token")
        own = log_name.endswith(("run.googleapis.com%2Fstderr", "cloudfunctions.googleapis.com%2Fcloud-functions"))
        if not (finished or own and (cause or allowing)) or self._copy(("l", of.project, log_name, time, insert) if insert else self._bytes(entry)):
            return
        if finished:
            self.log.rows.append(Row(time, of, int(finished[1]), None, *place, shows_client=False))
        else:
            self.log.lines.append(Line(time, of, "cause" if cause else "allowing", place[0], place[1]))

    def _bytes(self, entry):
        raw = json.dumps(entry, sort_keys=True)
        self.same[raw] += 1
        return "b", raw, self.same[raw]

    def _copy(self, key):
        known = key in self.seen
        self.seen.add(key)
        return known


def read(paths):
    reader = Reader()
    for path in paths:
        reader.read(path)
    return reader.log
