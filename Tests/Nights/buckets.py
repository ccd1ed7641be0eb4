"""The log of callable functions, as sinks write it into buckets."""

import datetime
import json
import random

DAY = datetime.timedelta(days=1)
FIRST = datetime.datetime(2026, 9, 1, tzinfo=datetime.timezone.utc)
REGION = "us-central1"
HOURS = range(0, 24, 3)  # in which clients call
MARK = {"firebase-log-type": "callable-request-verification"}
CAUSE = "Failed to validate AppCheck token. FirebaseAppCheckError: Decoding App Check token failed."
ALLOWING = "Allowing request with invalid AppCheck token because enforcement is disabled"


def instant(day):
    """The beginning of a day, or a fraction later; day 1 is the first."""
    return FIRST + (day - 1) * DAY


def is_in(spans, day):
    return any(start <= day < end for start, end in spans)


class Function:
    """What the clients of one function send. Spans and days count from day 1, with fractions."""

    def __init__(self, project, name, requests, missing=0.0, invalid=0, days=(1, 1000)):
        self.project, self.name, self.requests = project, name, requests
        self.missing, self.invalid, self.days = missing, invalid, days
        self.enforced, self.outages, self.bots = [], [], []

    def entries(self, day, scale):
        """The entries of a day, each with its log and its instant."""
        if not is_in([self.days], day):
            return
        rng = random.Random(f"{self.name}/{day}")
        count = round(self.requests * scale)
        for number in range(count):
            hour = HOURS[number * len(HOURS) // count]
            moment = day + (hour + rng.random()) / 24
            app, auth = "VALID", "MISSING" if number % 7 == 1 else "VALID"
            if number < self.invalid * scale:
                app = "INVALID"
            elif rng.random() < self.missing or is_in(self.outages, moment):
                app = "MISSING"
            if number % 60 == 7:
                auth = "INVALID"
            yield from self.call(moment, app, auth, f"198.51.100.{rng.randrange(250)}", rng)
            if is_in(self.bots, moment):
                yield from self.call(moment, "MISSING", "MISSING", "192.0.2.7", rng)

    def call(self, moment, app, auth, address, rng):
        is_on = is_in(self.enforced, moment)
        revision = sum((start <= moment) + (end <= moment) for start, end in self.enforced)
        service = self.name.lower()
        resource = {"project_id": self.project, "service_name": service, "location": REGION}
        resource["revision_name"] = f"{service}-{revision + 1:05}-abc"
        common = {
            "resource": {"type": "cloud_run_revision", "labels": resource},
            "trace": f"projects/{self.project}/traces/{rng.getrandbits(128):032x}",
            "spanId": str(rng.getrandbits(60)),
        }
        labels = {"execution_id": f"{rng.getrandbits(48):012x}", "instanceId": "00f1"}

        def entry(log, milliseconds, severity, payload, more=None):
            time = instant(moment) + datetime.timedelta(milliseconds=milliseconds)
            text = time.isoformat(timespec="microseconds").replace("+00:00", "Z")
            name = f"projects/{self.project}/logs/run.googleapis.com%2F{log}"
            made = {"insertId": f"{rng.getrandbits(64):016x}", "logName": name, "severity": severity, "timestamp": text}
            return log, time, made | common | payload | {"labels": labels | (more or {})}

        row = {
            "requestMethod": "POST",
            "status": 401 if auth == "INVALID" or is_on and app != "VALID" else 200,
            "requestUrl": f"https://{REGION}-{self.project}.cloudfunctions.net/{self.name}",
            "userAgent": "okhttp/4.12.0",
            "remoteIp": address,
        }
        yield entry("requests", 0, "INFO", {"httpRequest": row})
        if app == "INVALID":
            yield entry("stderr", 4, "WARNING", {"textPayload": CAUSE})
        tokens = {"AppCheck": app, "Auth": auth}
        rejected = [f"{name} token was rejected." for name, status in tokens.items() if status == "INVALID"]
        log, severity, words = ("stderr", "WARNING", "failed: ") if rejected else ("stdout", "DEBUG", "passed")
        message = f"Callable request verification {words}{' '.join(rejected)}"
        payload = {"message": message, "verifications": {"app": app, "auth": auth}}
        yield entry(log, 5, severity, {"jsonPayload": payload}, MARK)
        if app == "INVALID" and auth != "INVALID" and not is_on:
            yield entry("stderr", 6, "WARNING", {"textPayload": ALLOWING})


def objects(functions, day, scale):
    """What sinks write of a day: (project, log, hour), the object's name, and its text."""
    found = {}
    for function in functions:
        for log, time, entry in function.entries(day, scale):
            lines = found.setdefault((function.project, log, time.replace(minute=0, second=0, microsecond=0)), [])
            lines.append((time, json.dumps(entry) + "\n"))
    for (project, log, hour), lines in found.items():
        name = f"run.googleapis.com/{log}/{hour:%Y/%m/%d/%H}:00:00_{hour:%H}:59:59_S0.json"
        yield (project, log, hour.hour), name, "".join(line for _, line in sorted(lines))
