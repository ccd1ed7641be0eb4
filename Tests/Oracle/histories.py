"""Histories of a function's deployments whose truth is known: which revisions enforce, who is refused, and what of it the log holds."""
import json
from dataclasses import dataclass, field

from make_projects import CHROME, IOS, SAFARI
from moments import DAY, HOUR, SECOND, text

KINDS = ("off", "off", "redeployed", "on", "on", "on", "rolled back", "again", "canary", "canary ended", "always")
RHYTHM = (1, 1, 1, 1, 1, 2, 4, 6, 8, 9, 9, 9, 9, 9, 9, 9, 9, 10, 11, 11, 10, 8, 4, 2)
CLIENTS = ("okhttp/4.12.0", IOS.format("3.1.0"), IOS.format("3.0.9"), CHROME, SAFARI)
PEOPLE = 4096
ANSWERS = (200, 200, 200, 204, 400, 500, 302)
MILLISECOND = SECOND // 1000
BEFORE = "00006-taj"                     # the revision that serves what no other does
CAUSE = "Failed to validate AppCheck token. FirebaseAppCheckError: Decoding App Check token failed."
ALLOWING = "Allowing request with invalid AppCheck token because enforcement is disabled"


@dataclass
class Request:
    t: int
    app: str
    auth: str
    revision: str = ""
    status: int = 0
    allowed: bool = False                # its token is invalid, and it was let go


@dataclass(frozen=True)
class Phase:
    begin: int
    revision: str
    is_on: bool
    share: float = 1.0                   # of the requests; the others are served as before


@dataclass
class History:
    """One function, and what is true of it at its last request."""
    kind: str
    requests: list
    entries: list
    state: str                           # of the revisions that served the newest ten requests
    switch: int | None                   # the first instant of the revision that is on
    policy: str = ""

    def log(self):
        return "".join(json.dumps(entry) + "\n" for entry in self.entries)


@dataclass
class Traffic:
    """How many come, who of them is signed in, and how many have no valid token."""
    per_day: float
    lacking: float
    invalid: float = 0.3                 # of those without a valid token
    signed_in: float = 0.9
    bad_auth: float = 0.01
    attack: tuple = ()                   # (begin, end, how many): signed out and without a token
    outage: int = 0                      # so long before the end begins one of everybody

    def requests(self, rng, begin, end):
        found = []
        for hour in range(begin // HOUR, end // HOUR + 1):
            for _ in range(rng.poisson(self.per_day * RHYTHM[hour % 24] / sum(RHYTHM))):
                found.append(self.request(rng, hour * HOUR + int(rng.integers(HOUR))))
        for first, last, number in self.attack:
            found += [Request(int(rng.integers(first, last)), "MISSING", "MISSING") for _ in range(number)]
        found = sorted((request for request in found if begin <= request.t < end), key=lambda request: request.t)
        found.append(Request(end, "VALID", "VALID"))         # so that there is no doubt about T
        for request in found:
            request.app = "MISSING" if request.t >= end - self.outage and self.outage else request.app
        return found

    def request(self, rng, t):
        app = ("INVALID" if rng.random() < self.invalid else "MISSING") if rng.random() < self.lacking else "VALID"
        auth = "VALID" if rng.random() < self.signed_in else "MISSING"
        return Request(t, app, "INVALID" if rng.random() < self.bad_auth else auth)


@dataclass
class Manner:
    """How a function's requests are answered, and what of it is in the log."""
    rows: float = 1                      # shares of what could be there
    allowing: float = 1
    causes: float = 1
    own_refusals: float = 0              # the handler itself answers 401
    refuses_signed_out: bool = False     # as most handlers do, with 401
    hang_ups: float = 0                  # 499
    streams: bool = False                # answers 200 to everything
    forged: float = 0                    # the function logs what clients send: the words of the line that lets an invalid token go
    names_revisions: bool = True

    def status(self, rng, request, is_on):
        if self.streams:
            return 200
        if request.auth == "INVALID":
            return 401
        if is_on and request.app != "VALID":
            return 499 if rng.random() < self.hang_ups else 401
        if self.refuses_signed_out and request.auth != "VALID":
            return 401
        return 401 if rng.random() < self.own_refusals else int(rng.choice(ANSWERS))


@dataclass
class Writer:
    """What a function of generation 2 logs, and one error a day of another."""
    rng: object
    manner: Manner
    entries: list = field(default_factory=list)

    def entry(self, t, log, severity, service, revision, **content):
        place = {"project_id": "demo-prod", "location": "us-central1", "service_name": service, "configuration_name": service}
        if revision and self.manner.names_revisions:
            place["revision_name"] = f"{service}-{revision}"
        self.entries.append({
            "insertId": f"{len(self.entries):024x}", "logName": f"projects/demo-prod/logs/run.googleapis.com%2F{log}", "severity": severity,
            "resource": {"type": "cloud_run_revision", "labels": place}, "timestamp": text(t), "receiveTimestamp": text(t + SECOND), **content})

    def request(self, request):
        t, serial = request.t, len(self.entries)
        trace, span = f"projects/demo-prod/traces/{serial:032x}", 3 * 10**18 + serial
        labels = {"execution_id": f"e{serial:011x}", "instanceId": "0069c7answer"}
        rejected = [f"{what} token was rejected." for what, status in (("AppCheck", request.app), ("Auth", request.auth)) if status == "INVALID"]

        def say(later, log, severity, marks=(), **content):
            place = {"trace": trace, "spanId": str(span), "labels": {**labels, **dict(marks)}}
            self.entry(t + later, log, severity, "checkout", request.revision, **place, **content)

        if self.rng.random() < self.manner.rows:
            person = int(self.rng.integers(PEOPLE))
            client = {"userAgent": CLIENTS[person % len(CLIENTS)], "remoteIp": f"10.0.{person >> 8}.{person & 255}"}
            http = {"requestMethod": "POST", "status": request.status, **client}
            self.entry(t, "requests", "INFO", "checkout", request.revision, httpRequest=http, trace=trace, spanId=f"{span:016x}")
        if request.app == "INVALID" and self.rng.random() < self.manner.causes:
            say(-MILLISECOND, "stderr", "WARNING", textPayload=CAUSE)
        message = "Callable request verification " + (f"failed: {' '.join(rejected)}" if rejected else "passed")
        payload = {"message": message, "verifications": {"app": request.app, "auth": request.auth}}
        marks = {"firebase-log-type": "callable-request-verification"}
        say(0, "stderr" if rejected else "stdout", "WARNING" if rejected else "DEBUG", marks, jsonPayload=payload)
        if request.allowed and self.rng.random() < self.manner.allowing:
            say(MILLISECOND, "stderr", "WARNING", textPayload=ALLOWING)
        if request.app != "VALID" and self.rng.random() < self.manner.forged:
            say(MILLISECOND, "stdout", "WARNING", textPayload=ALLOWING)

    def another(self, t):
        self.entry(t, "stderr", "ERROR", "worker", None, textPayload="TypeError: order is undefined")


def random_traffic(rng, begin, end):
    attack = ()
    if rng.random() < 0.15:
        first = int(rng.uniform(begin, end - HOUR))
        attack = ((first, first + HOUR, int(rng.choice([30, 300]))),)
    return Traffic(
        per_day=rng.choice([6, 20, 60, 150]),
        lacking=rng.choice([0.004, 0.02, 0.1, 0.4]),
        invalid=rng.choice([0, 0.3, 1]),
        signed_in=rng.choice([0, 0.5, 0.9, 0.9, 1]),         # 0: a function by which people sign up
        attack=attack)


def random_manner(rng, signed_in):
    return Manner(
        rows=rng.choice([1, 1, 1, 0.95, 0.7, 0.3]),
        allowing=rng.choice([1, 1, 1, 0.5, 0]),
        causes=rng.choice([1, 1, 0.5]),
        own_refusals=rng.choice([0, 0, 0, 0.02, 0.2]),
        refuses_signed_out=signed_in > 0 and rng.random() < 0.4,
        hang_ups=rng.choice([0, 0, 0.03]),
        streams=rng.random() < 0.06,
        forged=rng.choice([*[0] * 9, 0.1]),
        names_revisions=rng.random() < 0.9)


def deployments(rng, kind, begin, end):
    """The revisions of a kind of history between two instants."""
    since = end - int(rng.choice([HOUR, 3 * HOUR, 12 * HOUR, DAY, 3 * DAY, 6 * DAY]))
    later = int(rng.uniform(since, end))
    if kind == "off":
        return ()
    if kind == "always":
        return (Phase(begin - DAY, "00007-aaa", True),)
    if kind == "redeployed":
        return (Phase(since, "00007-aaa", False), Phase(later, "00008-bbb", False))
    canary = kind.startswith("canary")
    phases = [Phase(since, "00007-aaa", True, float(rng.choice([0.1, 0.3, 0.5])) if canary else 1.0)]
    if kind in ("rolled back", "again"):
        phases.append(Phase(later, "00008-bbb", False))
    if kind == "again":
        phases.append(Phase(int(rng.uniform(later, end)), "00009-ccc", True))
    if kind == "canary ended":
        phases.append(Phase(later, "00007-aaa", True))
    return tuple(phases)


def serving(rng, phases, t):
    """The phase that serves a request."""
    for phase in reversed(phases):
        if phase.begin <= t and (phase.share == 1 or rng.random() < phase.share):
            return phase
    return Phase(0, BEFORE, False)


def history(rng, kind, traffic=None, manner=None, days=None, phases=None):
    """Of one kind; `phases` gives its deployments by the end."""
    end = (20_700 + int(rng.integers(28))) * DAY + int(rng.integers(10 * HOUR, DAY))
    begin = end - (days or int(rng.choice([8, 15, 30]))) * DAY
    phases = phases(end) if phases else deployments(rng, kind, begin, end)
    traffic = traffic or random_traffic(rng, begin, end)
    manner = manner or random_manner(rng, traffic.signed_in)
    requests, writer, served_by = traffic.requests(rng, begin, end), Writer(rng, manner), []
    for request in requests:
        phase = serving(rng, phases, request.t)
        served_by.append(phase)
        request.revision, request.status = phase.revision, manner.status(rng, request, phase.is_on)
        request.allowed = request.app == "INVALID" and request.auth != "INVALID" and not phase.is_on
        writer.request(request)
    for day in range(begin // DAY, end // DAY + 1):
        writer.another(day * DAY + HOUR)
    states = {phase.is_on for phase in served_by[-10:]}
    # A canary that becomes everybody's has enforced since it began.
    newest = max((phase for phase in phases if phase.is_on), key=lambda phase: phase.begin, default=None)
    switch = newest and min(phase.begin for phase in phases if phase.revision == newest.revision)
    return History(kind, requests, writer.entries, "partly" if len(states) == 2 else "on" if True in states else "off", switch)
