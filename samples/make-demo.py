#!/usr/bin/env python3
"""Prints the log of `callcheck demo`: four weeks of six invented functions, one entry a line, the same in each run.

People have an iPhone or an Android phone each; some have not updated the iPhone's app since before App Check.
Identifiers are small numbers and times whole seconds, so that it takes little room in the program.
"""
import datetime
import json
import random

PROJECT, REGION, DAYS = "demo-app", "europe-west1", 28
START = datetime.datetime(2026, 9, 17, tzinfo=datetime.timezone.utc)
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0"
CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36"


ANDROID = "okhttp/3.12.13"


def iphone(version):
    return f"com.example.demo/{version} iPhone/18.6 hw/iPhone15_2"


class Traffic:
    """A function's requests: this many a day, and for each a client, whether it has a valid token, and an address."""

    def __init__(self, name, per_day, client, first=0, switch=None):
        self.name, self.per_day, self.client, self.first, self.switch = name, per_day, client, first, switch

    def entries(self, number, day, random):
        service = self.name.lower()
        seconds = sorted(random.sample(range(6 * 3600, 86400), self.per_day))
        for second in seconds:
            number += 1
            time = START + datetime.timedelta(days=day, seconds=second)
            agent, status, address = self.client(day, random)
            is_on = self.switch is not None and time >= self.switch
            labels = {"project_id": PROJECT, "service_name": service, "location": REGION,
                      "revision_name": f"{service}-{'00002-new' if is_on else '00001-old'}"}
            common = {
                "resource": {"type": "cloud_run_revision", "labels": labels}, "timestamp": time.isoformat()[:19] + "Z",
                "trace": f"projects/{PROJECT}/traces/{number:032x}",
            }
            answer = 401 if is_on and status != "VALID" else 200
            yield {
                "insertId": f"r{number}", "logName": f"projects/{PROJECT}/logs/run.googleapis.com%2Frequests",
                "severity": "INFO", "spanId": f"{number:016x}", **common, "httpRequest": {
                    "requestMethod": "POST", "status": answer, "userAgent": agent, "remoteIp": address,
                    "requestUrl": f"https://{REGION}-{PROJECT}.cloudfunctions.net/{self.name}"
                }
            }
            yield {
                "insertId": f"v{number}", "logName": f"projects/{PROJECT}/logs/run.googleapis.com%2Fstdout",
                "severity": "DEBUG", "spanId": f"{number}", **common,
                "labels": {"firebase-log-type": "callable-request-verification", "execution_id": f"e{number}"},
                "jsonPayload": {"message": "Callable request verification passed",
                                "verifications": {"app": status, "auth": "VALID"}}
            }
            # One request a day with a token that was refused shows that the log of failures is there.
            if second == seconds[0] and self.switch is None:
                number += 1
                failed = json.loads(json.dumps(common))
                yield {
                    "insertId": f"v{number}", "logName": f"projects/{PROJECT}/logs/run.googleapis.com%2Fstderr",
                    "severity": "WARNING", "spanId": f"{number}", **failed,
                    "trace": f"projects/{PROJECT}/traces/{number:032x}",
                    "labels": {"firebase-log-type": "callable-request-verification", "execution_id": f"e{number}"},
                    "jsonPayload": {"message": "Callable request verification failed: Auth token was rejected.",
                                    "verifications": {"app": "VALID", "auth": "INVALID"}}
                }


def mostly(share, old, new=(iphone("4.1.0"), ANDROID)):
    """Requests of an old version without a token, as many of the day's as a share says, and of the new ones."""
    def client(day, random):
        if random.random() < share(day):
            return old, "MISSING", f"203.0.113.{random.randrange(1, 60)}"
        person = random.randrange(1, 255)
        return new[person % len(new)], "VALID", f"198.51.100.{person}"
    return client


browsers = mostly(lambda day: 0.12, FIREFOX, (CHROME,))


FUNCTIONS = [
    Traffic("addMessage", 24, mostly(lambda day: 0, "")),
    Traffic("scanReceipt", 20, mostly(lambda day: 0.2 * (1 - day / 32), iphone("3.0.2"))),
    Traffic("createInvite", 18, mostly(lambda day: 0.1 if day < 23 else 0, iphone("3.9.0"))),
    Traffic("joinChat", 16, browsers),
    Traffic("rateDriver", 18, mostly(lambda day: 0.14, iphone("3.0.2")), switch=START + datetime.timedelta(days=23.6)),
    Traffic("castVote", 6, mostly(lambda day: 0, ""), first=23),
]


def main():
    generator, number = random.Random(1), 0
    for day in range(DAYS):
        for function in FUNCTIONS:
            if day < function.first:
                continue
            for entry in function.entries(number, day, generator):
                number = max(number, int(entry["insertId"][1:]))
                print(json.dumps(entry, separators=(",", ":")))


main()
