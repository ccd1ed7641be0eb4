"""Reads log entries by the rules of the contract, on top of Python's json: the scanner is held against it.

Standard input has one line of input in hexadecimal digits each; standard output tells of each what it is.
"""

import datetime
import decimal
import json
import re
import sys

MARK = "callable-request-verification"
TIME = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:[.](\d+))?(?:([Zz]| UTC)|([+-])(\d\d):(\d\d))", re.ASCII)
SECONDS = re.compile(r"\d+([.]\d+)?([eE][+-]?\d+)?", re.ASCII)
WORDS = re.compile("Callable request verification (passed\Z|failed)|Callable header verification")
STATUSES = ("VALID", "INVALID", "MISSING")


def refuse(word):
    raise ValueError(word)


def instant(value):
    """(seconds, nanoseconds) of a timestamp; None for what is none."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        value = repr(value)
    if isinstance(value, str) and SECONDS.fullmatch(value):
        # Exports of tables write seconds since 1970; a number before 2001 is something else.
        seconds = decimal.Decimal(value)
        return divmod(int(seconds * 10**9), 10**9) if seconds >= 10**9 else None
    match = TIME.fullmatch(value) if isinstance(value, str) else None
    if not match:
        return None
    try:
        moment = datetime.datetime(*map(int, match.groups()[:6]), tzinfo=datetime.timezone.utc)
    except ValueError:
        return None
    nanoseconds = int(((match[7] or "") + "0" * 9)[:9])
    seconds = (moment - datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)) // datetime.timedelta(seconds=1)
    if match[9]:
        if int(match[10]) > 23 or int(match[11]) > 59:
            return None
        seconds -= (1 if match[9] == "+" else -1) * (int(match[10]) * 3600 + int(match[11]) * 60)
    return seconds, nanoseconds


def member(value, *keys):
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def name(value):
    """A string that says something; lone surrogates read as U+FFFD."""
    if not isinstance(value, str) or not value:
        return None
    return "".join("\ufffd" if 0xD800 <= ord(c) < 0xE000 else c for c in value)


def status(value):
    return value if isinstance(value, str) and value in STATUSES else "OTHER"


def speaks(message, app, auth):
    """Whether the SDK says this of a request with these statuses."""
    if not isinstance(message, str):
        return False
    refused = "INVALID" in (app, auth)
    if message == "Callable request verification passed":
        return not refused
    if message.startswith("Callable request verification failed"):
        return refused or "OTHER" in (app, auth)
    return message.startswith("Callable header verification")


def verification_statuses(entry):
    """The statuses of a verification, and its provenance; None when the entry is none, or not the SDK's."""
    payload = member(entry, "jsonPayload")
    places = [member(payload, "verifications"), member(entry, "verifications")]
    said = [any(member(place, key) is not None for key in ("app", "appCheck", "auth")) for place in places]
    labels = (member(entry, "labels"), member(entry, "logging.googleapis.com/labels"),
              member(payload, "logging.googleapis.com/labels"))
    labelled = any(member(place, "firebase-log-type") == MARK for place in labels)
    messages = [member(payload, "message"), member(entry, "message")]
    if not labelled and not any(said):
        return None
    message = next((text for text in messages if text is not None), None)
    if labelled and not any(said):
        # The export has left out the statuses, unless it is no entry of the SDK.
        return None if message is None or speaks(message, "OTHER", "OTHER") else ("OTHER", "OTHER", "foreign")
    place = places[0] if said[0] else places[1]
    app = member(place, "app")
    app = member(place, "appCheck") if app is None else app
    app, auth = status(app), status(member(place, "auth"))
    if not labelled:
        message = messages[0 if said[0] else 1]
        if not isinstance(message, str) or not WORDS.match(message):
            return None
        if isinstance(member(entry, "labels"), list) and MARK in json.dumps(member(entry, "labels")):
            return None  # its labels are in a form that is not read
        return app, auth, "unlabelled" if speaks(message, app, auth) else "foreign"
    if message is None:
        return app, auth, "labelAlone"
    if not speaks(message, app, auth):
        return app, auth, "foreign"
    # Cloud Logging takes the SDK's label out of the payload.
    in_place = any(member(place, "firebase-log-type") == MARK for place in labels[:2])
    return app, auth, "labelled" if in_place else "labelAlone"


def time_of(entry):
    stamped, received = instant(member(entry, "timestamp")), instant(member(entry, "receiveTimestamp"))
    if stamped is None or received is None:
        return stamped or received
    if stamped < (received[0] - 86400, received[1]):
        return None
    return received if stamped > (received[0] + 3600, received[1]) else stamped


def identity(entry):
    labels = member(entry, "resource", "labels")
    kind = member(entry, "resource", "type")
    project = name(member(labels, "project_id"))
    if project is None:
        match = re.match("projects/([^/]+)", name(member(entry, "logName")) or "")
        project = match[1] if match else "-"
    function, service = name(member(labels, "function_name")), name(member(labels, "service_name"))
    region, location = name(member(labels, "region")), name(member(labels, "location"))
    if kind == "cloud_function" or (kind != "cloud_run_revision" and function):
        return project, region or location or "-", function or "-", "1"
    if kind == "cloud_run_revision" or service:
        return project, location or "-", service or "-", "2"
    return project, region or location or "-", "-", "-"


def shows_marker(line):
    text = re.sub(rb"\\u00([2-7][0-9a-fA-F])", lambda match: bytes([int(match[1], 16)]), line)
    return MARK.encode() in text or b"Callable request verification" in text or b"Callable header verification" in text


def answer(line):
    try:
        entry = json.loads(line.decode("utf-8"), parse_constant=refuse)
    except (ValueError, RecursionError):
        return "malformed" if shows_marker(line) else "none"
    statuses = verification_statuses(entry)
    if statuses is None:
        return "none"
    names = identity(entry)
    label = name(member(entry, "labels", "goog-drz-cloudfunctions-id")) if names[3] == "2" else None
    if any(len(text.encode()) > 256 for text in (*names, label or "")):
        return "malformed"
    if statuses[2] == "foreign":
        return "none"
    severity = member(entry, "severity")
    severity = severity if severity in ("DEBUG", "INFO") else "other"
    time = time_of(entry)
    copy = time is not None and name(member(entry, "insertId")) is not None
    fields = (*names, *statuses, severity, "%d.%09d" % time if time else "-", label or "-", str(copy))
    return "|".join(text.encode().hex() for text in fields)


for line in sys.stdin:
    print(answer(bytes.fromhex(line)))
