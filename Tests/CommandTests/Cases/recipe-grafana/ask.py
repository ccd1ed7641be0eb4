"""Starts a Prometheus and asks it every expression of a dashboard: `ask.py DASHBOARD METRICS RULES`.

Prints for each variable how many values it has, and for each expression how many series come back. It also says where a
legend names a label that a series lacks, and where panels overlap.
"""

import http.server
import json
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request


class Metrics(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/plain; version=0.0.4")
        self.end_headers()
        self.wfile.write(self.server.text)

    def log_message(self, *arguments):
        pass


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def ask(address, path, **parameters):
    url = f"{address}{path}?{urllib.parse.urlencode(parameters)}"
    with urllib.request.urlopen(url, timeout=5) as answer:
        return json.load(answer)["data"]


def wait_for(address, expression):
    """Until it has a series."""
    end = time.monotonic() + 20
    while time.monotonic() < end:
        try:
            if ask(address, "/api/v1/query", query=expression)["result"]:
                return
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            pass
        time.sleep(0.1)
    sys.exit(f"Prometheus does not answer {expression}")


def check(dashboard, address):
    for variable in dashboard["templating"]["list"]:
        query = variable.get("definition")
        if query:
            metric, label = re.fullmatch(r"label_values\((.*), (\w+)\)", query).groups()
            found = ask(address, "/api/v1/query", query=f"count by ({label}) ({chosen(metric)})")["result"]
            print(f"${variable['name']}: {len(found)}")
    places = set()
    for panel in dashboard["panels"]:
        place = panel["gridPos"]
        columns = range(place["x"], place["x"] + place["w"])
        cells = {(x, y) for x in columns for y in range(place["y"], place["y"] + place["h"])}
        if places & cells or place["x"] + place["w"] > 24:
            print(f"{panel['title']}: lies on another panel")
        places |= cells
        for target in panel["targets"]:
            expression = chosen(target["expr"])
            found = ask(address, "/api/v1/query", query=expression)["result"]
            for label in re.findall(r"{{(\w+)}}", target["legendFormat"]):
                if any(label not in series["metric"] for series in found):
                    print(f"{panel['title']}: a series without the label {label}")
            print(f"{panel['title']}, {target['refId']}: {len(found)}")


def chosen(expression):
    """The expression with all projects and functions, and without what it shows when there is nothing."""
    return re.sub(r"\$\w+", ".*", expression).removesuffix(" or vector(0)")


def main(dashboard_file, metrics_file, rules_file):
    with open(dashboard_file, encoding="utf-8") as file:
        dashboard = json.load(file)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Metrics)
    with open(metrics_file, "rb") as file:
        server.text = file.read()
    threading.Thread(target=server.serve_forever, daemon=True).start()

    folder = tempfile.mkdtemp(dir=".")
    shutil.copy(rules_file, f"{folder}/alerts.yaml")
    with open(f"{folder}/prometheus.yml", "w", encoding="utf-8") as file:
        json.dump({
            "global": {"scrape_interval": "1s", "evaluation_interval": "1s"},
            "rule_files": ["alerts.yaml"],
            "scrape_configs": [{
                "job_name": "node",
                "static_configs": [{"targets": [f"127.0.0.1:{server.server_port}"]}],
            }],
        }, file)
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    with open(f"{folder}/log", "wb") as log:
        prometheus = subprocess.Popen(
            ["prometheus", f"--config.file={folder}/prometheus.yml", f"--storage.tsdb.path={folder}/data",
             f"--web.listen-address=127.0.0.1:{port}"], stdout=log, stderr=log)
    try:
        wait_for(address, "callcheck_verdict")
        # The samples are of October: a log as old as that has stopped.
        wait_for(address, 'ALERTS{alertname=~"AppCheck(Input|Report)IsOld"}')
        check(dashboard, address)
    finally:
        prometheus.terminate()
        prometheus.wait(10)


main(*sys.argv[1:])
