"""Lets the real firebase-functions and firebase-admin refuse App Check tokens, and prints what they log.

Keys are made here and served in the place of Firebase's key set; nothing is fetched. Before each request a line `-- name`
says what is wrong with its token. Lines are those of logging.basicConfig.

    python3 refusal_lines.py
"""

import json
import logging
import sys
import time
import urllib.error
from unittest import mock

import firebase_admin
import firebase_admin.app_check
import flask
import google.auth.credentials
import jwt
from cryptography.hazmat.primitives.asymmetric import rsa
from firebase_admin import credentials
from firebase_functions import https_fn

PROJECT = "demo-prod"
ISSUER = "https://firebaseappcheck.googleapis.com/123456789"
KEY, OTHER_KEY = (rsa.generate_private_key(public_exponent=65537, key_size=2048) for _ in range(2))
PLACEHOLDER = "eyJlcnJvciI6IlVOS05PV05fRVJST1IifQ=="


class NoCredential(credentials.Base):
    def get_credential(self):
        return google.auth.credentials.AnonymousCredentials()


def key_set(key):
    public = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(key.public_key()))
    return {"keys": [public | {"kid": "known", "use": "sig", "alg": "RS256"}]}


def token(key=KEY, algorithm="RS256", headers=(), **claims):
    now = int(time.time())
    usual = {"aud": ["projects/" + PROJECT], "iss": ISSUER, "sub": "1:123:ios:abc", "iat": now - 60, "exp": now + 3600}
    wanted = {name: value for name, value in (usual | claims).items() if value is not None}
    return jwt.encode(wanted, key, algorithm=algorithm, headers={"kid": "known", **dict(headers)})


def reached(url, **_):
    raise urllib.error.URLError("[Errno -2] Name or service not known")


@https_fn.on_call()
def answer(request):
    return "answer"


def ask(name, app_check_token, keys=None, project=PROJECT):
    """Sends a request; the app is new for each, so that no key set is remembered."""
    print("--", name, flush=True)
    app = firebase_admin.initialize_app(NoCredential(), {"projectId": project})
    served = mock.patch("jwt.PyJWKClient.fetch_data", lambda _: keys or key_set(KEY))
    unreachable = mock.patch("urllib.request.urlopen", reached)
    with unreachable if keys == "unreachable" else served:
        context = flask.Flask("functions").test_request_context(
            "/", method="POST", json={"data": {}}, headers={"X-Firebase-AppCheck": app_check_token})
        with context:
            answer(flask.request)
    firebase_admin.delete_app(app)


def main():
    logging.basicConfig(stream=sys.stdout, level=logging.INFO)
    now = int(time.time())
    ask("valid", token())
    # Refused in Node.
    ask("valid", token(sub=""))
    ask("placeholder", PLACEHOLDER)
    ask("placeholder", "")
    ask("placeholder", "2E6A4D3B-6A1F-4D44-B1B3-0F1B7D1C0A55")
    ask("placeholder", "one.two.three")
    ask("placeholder", token().rsplit(".", 1)[0])
    ask("expired", token(iat=now - 7200, exp=now - 3600))
    ask("otherProject", token(aud=["projects/demo-staging"]))
    ask("otherProject", token(aud="projects/" + PROJECT))
    ask("unknownKey", token(headers={"kid": "unknown"}))
    ask("forged", token(key=OTHER_KEY))
    ask("forged", token(sub=None))
    ask("otherToken", token(key="0" * 32, algorithm="HS256"))
    ask("otherToken", token(iss="https://securetoken.google.com/" + PROJECT))
    ask("otherToken", token(headers={"typ": "at+jwt"}))
    ask("serverFault", token(iat=now + 3600, exp=now + 7200))
    ask("serverFault", token(), keys="unreachable")
    ask("serverFault", token(), keys={"keys": []})
    ask("serverFault", token(), keys=["no key set"])
    ask("serverFault", token(), keys={"keys": [key_set(KEY)["keys"][0] | {"use": "enc"}]})
    ask("serverFault", token(), project="")


main()
