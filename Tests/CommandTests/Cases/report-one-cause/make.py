"""Writes the log of three functions: two weeks of people, and a release that sends no token from 28 Nov 10:00 on.

Arguments: the file for what there is up to 28 Nov 09:00, the one for what comes later, and the answer to who has no
token: 200, or 401 where enforcement is on.
"""

import datetime
import json
import sys

early, late, answer = sys.argv[1], sys.argv[2], int(sys.argv[3])
DAY = datetime.datetime(2026, 11, 28, tzinfo=datetime.UTC)
PROJECT = "projects/demo-prod"


def entries(function, number, time, version, app):
    """The SDK's entry about a request, and its row."""
    trace = f"{PROJECT}/traces/{number:032x}"
    resource = {
        "type": "cloud_run_revision",
        "labels": {
            "service_name": function, "location": "us-central1", "project_id": "demo-prod",
            "revision_name": f"{function}-00007-abc",
        },
    }
    common = {"resource": resource, "timestamp": time.isoformat(), "trace": trace, "spanId": f"{number:016x}"}
    yield common | {
        "logName": f"{PROJECT}/logs/run.googleapis.com%2Fstdout", "severity": "DEBUG", "insertId": f"e{number}",
        "labels": {"firebase-log-type": "callable-request-verification", "execution_id": f"x{number}"},
        "jsonPayload": {
            "message": "Callable request verification passed", "verifications": {"auth": "VALID", "app": app},
        },
    }
    yield common | {
        "logName": f"{PROJECT}/logs/run.googleapis.com%2Frequests", "severity": "INFO", "insertId": f"r{number}",
        "httpRequest": {
            "requestMethod": "POST", "requestUrl": f"https://us-central1-demo-prod.cloudfunctions.net/{function}",
            "status": 200 if app == "VALID" else answer, "remoteIp": f"203.0.113.{number % 251}",
            "userAgent": f"com.example.app/{version} iPhone/18.6 hw/iPhone16_1",
        },
    }


number = 0
with open(early, "w", encoding="utf-8") as before, open(late, "w", encoding="utf-8") as after:
    for function in ["addmessage", "castvote", "scanreceipt"]:
        for day in range(-13, 1):
            for place in range(144):
                number += 1
                time = DAY + datetime.timedelta(days=day, minutes=10 * place, seconds=number % 600)
                isNew = day == 0 and place >= 60 and place % 4 == 0
                # Failures are logged, too: so the log is known to be whole.
                app = "MISSING" if isNew or place == 7 and day % 5 == 0 and day < -7 else "VALID"
                for entry in entries(function, number, time, "2.0" if isNew else "1.0", app):
                    isLate = day == 0 and place >= 54
                    print(json.dumps(entry), file=after if isLate else before)
