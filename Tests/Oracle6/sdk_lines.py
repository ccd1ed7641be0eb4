"""What the SDKs print for a verification, and what `firebase functions:log` makes of it."""

import json

from instants import instant_text

PASSED = "Callable request verification passed"
FAILED = "Callable request verification failed"
ALLOWING = "Allowing request with invalid AppCheck token because enforcement is disabled"
CAUSES = {
    "placeholder": "Decoding App Check token failed. Make sure you passed the entire string JWT which represents the token.",
    "expired": "The provided App Check token has expired. Get a fresh App Check token from your client app and try again.",
    "otherProject": 'The provided App Check token has incorrect "aud" (audience) claim. Expected payload to include.',
    "unknownKey": 'The provided App Check token has "kid" claim which does not correspond to a known public key.',
    "forged": "The provided App Check token has invalid signature.",
    "otherToken": "The provided App Check token has incorrect algorithm. Expected RS256.",
    "serverFault": "Error fetching Json Web Keys: getaddrinfo ENOTFOUND firebaseappcheck.googleapis.com",
}
LETTERS = {"DEBUG": "D", "INFO": "I", "WARNING": "W"}


def line_members(what):
    """Payload and severity of a line of an execution: see enforcement."""
    if isinstance(what, int):
        text = f"Function execution took 22 ms, finished with status code: {what}"
    elif what.startswith("cause"):
        name = what.partition(":")[2] or "placeholder"
        text = f"Failed to validate AppCheck token. FirebaseAppCheckError: {CAUSES[name]}"
    else:
        text = ALLOWING
    return f'"textPayload":{json.dumps(text)},"severity":"{"DEBUG" if isinstance(what, int) else "WARNING"}"'


def rejections(app, auth):
    return ["AppCheck token was rejected."] * (app == "INVALID") + ["Auth token was rejected."] * (auth == "INVALID")


def sdk_message(app, auth):
    rejected = rejections(app, auth)
    return f"{FAILED}: {' '.join(rejected)}" if rejected else PASSED


def python_message(app, auth):
    """What the Python SDK prints: the statuses as Python writes a dictionary."""
    app, auth = (status if status != "OTHER" else "UNKNOWN" for status in (app, auth))
    statuses = (
        f"{{'app': '{app}', 'auth': '{auth}', 'logging.googleapis.com/labels': "
        "{'firebase-log-type': 'callable-request-verification'}}"
    )
    rejected = ", ".join(f"('{words}', {statuses})" for words in rejections(app, auth))
    return f"{FAILED}: $[{rejected}]" if rejected else f"{PASSED}: {statuses}"


def write_functions_log(path, functions):
    """What `firebase functions:log` prints of functions whose project nobody knows; returns the number of lines."""
    lines = []
    for function in functions:
        for row in function["verifications"]:
            instant, app, auth, severity = row[:4]
            statuses = {"app": app, "auth": auth}
            text = (
                python_message(app, auth)
                if len(row) > 4 and row[4].get("text")
                else json.dumps({"message": sdk_message(app, auth), "verifications": statuses}, separators=(",", ":"))
            )
            lines.append(f"{instant_text(instant)} {LETTERS[severity]} {function['name']}: {text}")
    path.write_text("".join(f"{line}\n" for line in sorted(lines)), encoding="utf-8")
    return len(lines)
