"""Two projects with callable functions, as sinks write their log into two buckets."""

import datetime
import json
import random

UTC = datetime.timezone.utc
HOUR = datetime.timedelta(hours=1)
DAY = datetime.timedelta(days=1)
REGION = "us-central1"
SHOP, MAPS = "shop-demo", "maps-demo"
BUCKETS = {SHOP: "shop-callable-verifications", MAPS: "maps-callable-verifications"}
LABELS = {"firebase-log-type": "callable-request-verification"}
CAUSE = "Failed to validate AppCheck token. FirebaseAppCheckError: Decoding App Check token failed."
ALLOWING = "Allowing request with invalid AppCheck token because enforcement is disabled"


def midnight(first, day):
    """The beginning of a day; day 1 is the first."""
    return first + (day - 1) * DAY


class Function:
    """What one function's clients send, and whether it enforces."""

    def __init__(self, project, name, requests, missing, days):
        self.project, self.name, self.requests, self.missing, self.days = project, name, requests, missing, days
        self.enforced = []  # (from, to) in days and fractions, both counted from day 1
        self.outages = []  # the same: nobody has a token
        self.bots = {}  # day: share of requests that are signed out and have no token

    def is_on(self, time):
        return any(start <= time < end for start, end in self.enforced)

    def revision(self, time):
        return sum((start <= time) + (end <= time) for start, end in self.enforced)

    def entries(self, first, day, scale):
        """The log of a day: (log, entry)."""
        if day not in self.days:
            return
        rng = random.Random(f"{self.name}/{day}")
        count = round(self.requests * scale)
        for number in range(count):
            fraction = (number + rng.random()) / count
            app, auth = "VALID", "VALID"
            if rng.random() < self.missing:
                app = "MISSING"
            if number % count == 3:
                app = "INVALID"
            if number % count == 7:
                auth = "INVALID"
            if number % 7 == 1:
                auth = "MISSING"
            if any(start <= day + fraction < end for start, end in self.outages):
                app = "MISSING"
            yield from self.call(first, day, fraction, app, auth, rng)
            if rng.random() < self.bots.get(day, 0):
                yield from self.call(first, day, fraction, "MISSING", "MISSING", rng)

    def call(self, first, day, fraction, app, auth, rng):
        time = midnight(first, day) + fraction * DAY
        is_on = self.is_on(day + fraction)
        service = self.name.lower()
        status = 401 if auth == "INVALID" or is_on and app != "VALID" else 200
        common = {
            "resource": {
                "type": "cloud_run_revision",
                "labels": {
                    "project_id": self.project,
                    "service_name": service,
                    "location": REGION,
                    "revision_name": f"{service}-{self.revision(day + fraction) + 1:05}-abc",
                },
            },
            "trace": f"projects/{self.project}/traces/{rng.getrandbits(128):032x}",
            "spanId": str(rng.getrandbits(60)),
            "labels": {"execution_id": f"{rng.getrandbits(48):012x}", "instanceId": "00f1"},
        }

        def entry(log, milliseconds, severity, payload, labels=None):
            instant = time + datetime.timedelta(milliseconds=milliseconds)
            made = {
                **common,
                **payload,
                "insertId": f"{rng.getrandbits(64):016x}",
                "logName": f"projects/{self.project}/logs/run.googleapis.com%2F{log}",
                "severity": severity,
                "timestamp": instant.isoformat(timespec="microseconds").replace("+00:00", "Z"),
                "receiveTimestamp": (instant + DAY / 86_400).isoformat(timespec="microseconds").replace("+00:00", "Z"),
            }
            made["labels"] = common["labels"] | (labels or {})
            return log, instant, made

        url = f"https://{REGION}-{self.project}.cloudfunctions.net/{self.name}"
        row = {"requestMethod": "POST", "status": status, "requestUrl": url, "userAgent": "okhttp/4.12.0"}
        yield entry("requests", 0, "INFO", {"httpRequest": row})
        if app == "INVALID":
            yield entry("stderr", 4, "WARNING", {"textPayload": CAUSE})
        names = {"AppCheck": app, "Auth": auth}
        rejected = [f"{name} token was rejected." for name, status in names.items() if status == "INVALID"]
        message = "failed: " + " ".join(rejected) if rejected else "passed"
        payload = {"message": f"Callable request verification {message}", "verifications": {"app": app, "auth": auth}}
        log, severity = ("stderr", "WARNING") if rejected else ("stdout", "DEBUG")
        yield entry(log, 5, severity, {"jsonPayload": payload}, LABELS)
        if app == "INVALID" and auth != "INVALID" and not is_on:
            yield entry("stderr", 6, "WARNING", {"textPayload": ALLOWING})


def objects(functions, first, day, scale):
    """The objects that sinks write for a day: (project, log, hour, path in the bucket) and their bytes."""
    found = {}
    for function in functions:
        for log, instant, entry in function.entries(first, day, scale):
            path = f"run.googleapis.com/{log}/{instant:%Y/%m/%d/%H}:00:00_{instant:%H}:59:59_S0.json"
            key = (function.project, log, instant.hour, path)
            found.setdefault(key, []).append((instant, json.dumps(entry)))
    return {key: "".join(f"{line}\n" for _, line in sorted(lines)) for key, lines in found.items()}
