"""Lets the real firebase-functions answer callable requests, and prints what it logs.

Nine requests, each status of the App Check token with each of the Auth token, in the order of STATES. Nothing is fetched:
what verifies a token is replaced, and refuses every token but one.

    python3 verification_lines.py basic        as logging.basicConfig writes lines
    python3 verification_lines.py structured   as google-cloud-logging's StructuredLogHandler does, for Cloud Run
    python3 verification_lines.py cloud        as its CloudLoggingHandler sends entries, one a line
"""

import json
import logging
import sys
from unittest import mock

import firebase_admin.app_check
import firebase_admin.auth
import flask
import google.auth.credentials
import google.cloud.logging
from firebase_functions import https_fn
from google.cloud.logging_v2.handlers import CloudLoggingHandler, StructuredLogHandler
from google.cloud.logging_v2.handlers.transports import SyncTransport

STATES = ["VALID", "MISSING", "INVALID"]


class PrintedEntries:
    """Stands where entries are sent to Cloud Logging."""

    def write_entries(self, entries, **_):
        for entry in entries:
            print(json.dumps(entry), flush=True)


def handler(kind):
    if kind == "basic":
        basic = logging.StreamHandler(sys.stdout)
        basic.setFormatter(logging.Formatter(logging.BASIC_FORMAT))
        return basic
    if kind == "structured":
        return StructuredLogHandler(stream=sys.stdout, project_id="PROJ")
    credentials = google.auth.credentials.AnonymousCredentials()
    client = google.cloud.logging.Client(project="PROJ", credentials=credentials, _use_grpc=False)
    client._logging_api = PrintedEntries()
    return CloudLoggingHandler(client, transport=SyncTransport)


def verify(token):
    if token != "VALID":
        raise ValueError("refused")
    return {"sub": "app", "app_id": "app", "uid": "user"}


@https_fn.on_call()
def answer(request):
    return "answer"


def main():
    # Passes are written at INFO, which Python leaves out by default.
    logging.getLogger().setLevel(logging.INFO)
    logging.getLogger().addHandler(handler(sys.argv[1]))
    app = flask.Flask("functions")
    with mock.patch.object(firebase_admin.auth, "verify_id_token", verify), mock.patch.object(
        firebase_admin.app_check, "verify_token", verify
    ):
        for app_state in STATES:
            for auth_state in STATES:
                headers = {}
                if app_state != "MISSING":
                    headers["X-Firebase-AppCheck"] = app_state
                if auth_state != "MISSING":
                    headers["Authorization"] = "Bearer " + auth_state
                with app.test_request_context("/", method="POST", json={"data": {}}, headers=headers):
                    answer(flask.request)


main()
