"""Runs the servers of Documentation.docc/Internals/servers.md for real, and lets callcheck read what they print.

    apt-get install -y node-express nodejs
    python3 -m pip install -r Tests/Backends/requirements.txt
    python3 Tests/Backends/test_backends.py --callcheck .build/release/callcheck

What verifies a token is replaced: it refuses every token but VALID.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "Sources/callcheck/Documentation.docc/Internals/servers.md"
STATES = ["VALID", "MISSING", "INVALID"]
CALLCHECK = None

NODE_STUBS = {
    "node_modules/firebase-admin/app-check.js": "exports.getAppCheck = () => ({ verifyToken: verify });",
    "node_modules/firebase-admin/auth.js": "exports.getAuth = () => ({ verifyIdToken: verify });",
}
NODE_VERIFY = """
const verify = async (token) => { if (token !== "VALID") throw new Error("refused"); return {}; };
"""
# What Next.js does for a handler: a Request goes in, a Response comes out.
NODE_HANDLER = """
import http from "node:http";
import { POST } from "./route.mjs";
http.createServer(async (request, response) => {
  const { url, method, headers } = request;
  const answer = await POST(new Request("http://localhost" + url, { method, headers }));
  response.writeHead(answer.status).end(await answer.text());
}).listen(process.env.PORT);
"""
PYTHON_VERIFY = """
import sys
import unittest.mock

def verify(token):
    if token != "VALID":
        raise ValueError("refused")
    return {}

for place in ["app_check.verify_token", "auth.verify_id_token"]:
    unittest.mock.patch("firebase_admin." + place, verify).start()
"""


def blocks():
    """The files of the page, by the names in their first lines."""
    text = PAGE.read_text(encoding="utf-8")
    found = re.findall(r"^```(?:js|python)\n(?://|#) (\S+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return dict(found)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def entry(line, number):
    """What Cloud Run makes of a line: https://cloud.google.com/run/docs/logging#writing_structured_logs"""
    payload = json.loads(line)
    result = {
        "insertId": f"id{number}",
        "logName": "projects/demo/logs/run.googleapis.com%2Fstdout",
        "resource": {
            "type": "cloud_run_revision",
            "labels": {"project_id": "demo", "location": "europe-west1", "service_name": "receipts"},
        },
        "timestamp": f"2026-10-14T12:00:{number:02}.5Z",
        "severity": payload.pop("severity"),
        "labels": payload.pop("logging.googleapis.com/labels"),
        "jsonPayload": payload,
    }
    trace = payload.pop("logging.googleapis.com/trace", None)
    return json.dumps(result | ({"trace": trace} if trace else {}))


def summary(text):
    run = subprocess.run([CALLCHECK, "-f", "json", "-q"], input=text, stdout=subprocess.PIPE, text=True)
    return json.loads(run.stdout)


class Backends(unittest.TestCase):
    maxDiff = 2000

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        for name, text in blocks().items():
            self.write(name, text)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def printed(self, command, port, enforce):
        """What a server prints while it answers each status of one token with each of the other."""
        environment = dict(
            os.environ, PORT=str(port), GOOGLE_CLOUD_PROJECT="demo", NODE_PATH="/usr/share/nodejs",
            PYTHONPATH=str(self.folder), ENFORCE_APP_CHECK=enforce)
        output = self.folder / "output"
        with open(output, "w", encoding="utf-8") as file:
            server = subprocess.Popen(
                command, cwd=self.folder, env=environment, stdout=file, stderr=subprocess.PIPE, text=True)
        try:
            self.wait_for(server, port)
            for number, (app, auth) in enumerate((app, auth) for app in STATES for auth in STATES):
                status = self.request(port, number, app, auth)
                self.assertEqual(status, 401 if enforce == "true" and app != "VALID" else 200, (app, auth))
        finally:
            server.kill()
            server.communicate()
        return [line for line in output.read_text(encoding="utf-8").splitlines() if line.startswith("{")]

    def wait_for(self, server, port):
        for _ in range(300):
            if server.poll() is not None:
                self.fail(server.stderr.read())
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    return
            time.sleep(0.1)
        self.fail("the server did not start")

    def request(self, port, number, app, auth):
        headers = {"Content-Type": "application/json", "X-Cloud-Trace-Context": f"{number:032x}/1;o=1"}
        if app != "MISSING":
            headers["X-Firebase-AppCheck"] = app
        if auth != "MISSING":
            headers["Authorization"] = "Bearer " + auth
        url = f"http://127.0.0.1:{port}/receipts"
        try:
            with urllib.request.urlopen(urllib.request.Request(url, data=b"{}", headers=headers), timeout=30) as answer:
                return answer.status
        except urllib.error.HTTPError as error:
            with error:
                return error.code

    def check(self, command, port):
        for enforce in ["", "true"]:
            with self.subTest(enforce=enforce):
                self.check_lines(self.printed(command, port, enforce))

    def check_lines(self, lines):
        self.assertEqual(len(lines), 9, lines)
        expected = {app: {auth: 1 for auth in STATES} | {"OTHER": 0} for app in STATES}
        expected["OTHER"] = dict.fromkeys([*STATES, "OTHER"], 0)

        bare = summary("\n".join(lines) + "\n")
        self.assertEqual(bare["input"]["verifications"], 9)
        self.assertEqual([function["appByAuth"] for function in bare["functions"]], [expected])

        deployed = summary("\n".join(entry(line, number) for number, line in enumerate(lines)) + "\n")
        [function] = deployed["functions"]
        self.assertEqual(function["appByAuth"], expected)
        self.assertEqual(
            [function[key] for key in ["project", "region", "function", "generation"]],
            ["demo", "europe-west1", "receipts", 2])
        self.assertEqual(set(function["discarded"].values()), {0})
        self.assertEqual([json.loads(line)["logging.googleapis.com/trace"] for line in lines][3],
                         "projects/demo/traces/" + "3".rjust(32, "0"))

    def node(self, script):
        for name, text in NODE_STUBS.items():
            self.write(name, NODE_VERIFY + text)
        self.check(["node", script], free_port())

    def test_express(self):
        self.node("express.js")

    def test_handler_of_next(self):
        self.write("route.mjs", blocks()["route.js"])
        self.write("handler.mjs", NODE_HANDLER)
        self.node("handler.mjs")

    def test_flask(self):
        self.write("serve.py", PYTHON_VERIFY + "import flask_server\nflask_server.app.run(port=int(sys.argv[1]))\n")
        port = free_port()
        self.check([sys.executable, "serve.py", str(port)], port)

    def test_fastapi(self):
        self.write(
            "serve.py", PYTHON_VERIFY
            + "import fastapi_server, uvicorn\nuvicorn.run(fastapi_server.app, port=int(sys.argv[1]), access_log=False)\n")
        port = free_port()
        self.check([sys.executable, "serve.py", str(port)], port)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--callcheck", default=str(ROOT / ".build/release/callcheck"))
    arguments, rest = parser.parse_known_args()
    CALLCHECK = os.path.abspath(arguments.callcheck)
    unittest.main(argv=[sys.argv[0], *rest])
