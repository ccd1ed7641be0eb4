"""How often is a sound function called ready, and how often does it page once it is enforced? Random functions.

    python3 sound_functions.py --callcheck PATH [--seeds 12]

Each seed makes twenty functions: ten kinds of callers, each once for 60 nights without enforcement, and once enforced
after 30 of them. At most 0.4 % of people's requests have no valid token; the rest of what is refused comes from nobody
who would miss it. Prints Markdown after each seed: how many were called ready on some night and what is said on the
last, and how many lock-outs began in the 30 nights after the switch.
"""

import argparse
import gzip
import json
import random
import subprocess
import tempfile
from collections import Counter, defaultdict
from datetime import UTC, datetime, timedelta
from pathlib import Path

FIRST, LEAD, NIGHTS = datetime(2026, 7, 1, tzinfo=UTC), 28, 60
SWITCH = LEAD + NIGHTS / 2 + 0.375
IOS, ANDROID = "com.example.app/4.1.0 iPhone/18.5 hw/iPhone15_2", "okhttp/4.12.0"
BROWSERS = (
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Safari/537.36",
    "Mozilla/5.0 (X11; Linux x86_64; rv:141.0) Gecko/20100101 Firefox/141.0",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15",
)
HEADLESS = BROWSERS[0].replace("Chrome/", "HeadlessChrome/")
TOOLS = ("curl/8.5.0", "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", "PostmanRuntime/7.43.0")
PAGE = "https://www.example.com/"
KINDS = (
    "apps", "web", "apps and web", "retries", "scanners with a tool", "scanners without an agent", "bots", "server rendering",
    "own 400s", "public, scanners with a tool",
)
# Requests of nobody's a day, as a share of people's; how many addresses; and the agents.
OTHERS = {
    "scanners with a tool": (0.08, 5, TOOLS),
    "public, scanners with a tool": (0.08, 5, TOOLS),
    "scanners without an agent": (0.08, 200, (None,)),
    "bots": (0.1, 3, (HEADLESS,)),
    "server rendering": (0.3, 4, ("node",)),
    "own 400s": (0.05, 60_000, (IOS, ANDROID)),
}


class Function:
    def __init__(self, kind, seed, is_enforced):
        self.kind, self.is_enforced, self.number = kind, is_enforced, 0
        self.name = "".join(filter(str.isalpha, kind)).lower() + ("on" if is_enforced else "off")
        self.draw = random.Random(f"{kind}/{seed}/{is_enforced}")
        self.rate = self.draw.choice([30, 60, 120])
        self.share = self.draw.choice([0, 0.001, 0.002, 0.004])
        self.people = [(self.address(256**3), self.draw.random() < 0.85) for _ in range(6 * self.rate)]

    def address(self, most):
        number = self.draw.randrange(most)
        return f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}"

    def about(self, count):
        return sum(self.draw.random() < 0.5 for _ in range(int(2 * count)))

    def client(self):
        is_web = self.kind in ("web", "server rendering") or self.kind.startswith("public")
        if is_web or self.kind == "apps and web" and self.draw.random() < 0.5:
            return self.draw.choice(BROWSERS), PAGE
        return self.draw.choice([IOS, ANDROID]), None

    def day(self, day):
        for _ in range(self.about(self.rate)):
            t = day + min(0.999, max(0, self.draw.gauss(0.6, 0.15)))
            address, is_signed_in = self.draw.choice(self.people)
            auth = "VALID" if is_signed_in and not self.kind.startswith("public") else "MISSING"
            client = self.client()
            lacks = self.draw.random() < self.share
            app = "VALID" if not lacks else "MISSING" if self.draw.random() < 0.7 else "INVALID"
            yield from self.call(t, address, client, app, auth)
            for again in range(self.draw.randrange(1, 4) if lacks and self.kind == "retries" else 0):
                yield from self.call(t + (again + 1) * 5 / 86400, address, client, "MISSING", auth)
        share, addresses, agents = OTHERS.get(self.kind, (0, 1, ()))
        for _ in range(self.about(self.rate * share)):
            client = self.draw.choice(agents), None
            yield from self.call(day + self.draw.random(), self.address(addresses), client, "MISSING", "MISSING")

    def call(self, t, address, client, app, auth):
        """The row and the verification of a request."""
        self.number += 1
        is_on, agent, referer = self.is_enforced and t >= SWITCH, *client
        status = 200 if app == "VALID" else 401 if is_on else 400 if self.kind == "own 400s" else 200
        labels = {"project_id": "demo", "location": "us-central1", "service_name": self.name}
        labels["revision_name"] = f"{self.name}-0000{1 + is_on}-abc"
        common = {
            "resource": {"type": "cloud_run_revision", "labels": labels},
            "timestamp": (FIRST + timedelta(days=t)).isoformat(timespec="microseconds").replace("+00:00", "Z"),
            "trace": f"projects/demo/traces/{self.draw.getrandbits(128):032x}",
            "spanId": str(self.draw.getrandbits(60) | 1),
        }
        row = {"requestMethod": "POST", "status": status, "remoteIp": address, "userAgent": agent, "referer": referer}
        row = {key: value for key, value in row.items() if value is not None}

        def entry(log, severity, more):
            name = f"projects/demo/logs/run.googleapis.com%2F{log}"
            return t, {"insertId": f"{log[:3]}{self.name}{self.number}", "logName": name, "severity": severity} | common | more

        yield entry("requests", "INFO", {"httpRequest": row})
        failed = app == "INVALID"
        words = "failed: AppCheck token was rejected." if failed else "passed"
        payload = {"message": f"Callable request verification {words}", "verifications": {"app": app, "auth": auth}}
        mark = {"firebase-log-type": "callable-request-verification", "execution_id": f"{self.name}{self.number}", "instanceId": "i"}
        yield entry(
            "stderr" if failed else "stdout", "WARNING" if failed else "DEBUG", {"labels": mark, "jsonPayload": payload})


def nights(callcheck, functions, folder):
    """What is said of each function on each night: {name: readiness}."""
    log, store = folder / "log.json.gz", folder / "history.db"
    with gzip.open(log, "wt", 1) as file:
        for day in range(LEAD + NIGHTS):
            found = sorted((made for function in functions for made in function.day(day)), key=lambda made: made[0])
            file.writelines(json.dumps(entry) + "\n" for _, entry in found)
    subprocess.run([callcheck, "store", "add", store, "-q", log], check=True, capture_output=True)
    for night in range(NIGHTS):
        as_of = (FIRST + timedelta(days=LEAD + night + 1)).strftime("%Y-%m-%dT02:00:00Z")
        command = [callcheck, "report", "-f", "json", "--store", store, "--as-of", as_of]
        answer = json.loads(subprocess.run(command, capture_output=True, text=True).stdout)
        yield {function["function"]: function["readiness"] for function in answer["functions"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--callcheck", type=Path, required=True)
    parser.add_argument("--seeds", type=int, default=12)
    arguments = parser.parse_args()
    ready, last, pages = Counter(), defaultdict(Counter), defaultdict(Counter)
    for seed in range(arguments.seeds):
        functions = [Function(kind, seed, is_enforced) for kind in KINDS for is_enforced in (False, True)]
        with tempfile.TemporaryDirectory() as scratch:
            said = list(nights(arguments.callcheck.resolve(), functions, Path(scratch)))
        for function in functions:
            own = [night[function.name] for night in said]
            if function.is_enforced:
                locked = [False, *(night["lockout"] is not None for night in own)]
                pages[function.kind][sum(now and not before for before, now in zip(locked, locked[1:]))] += 1
            else:
                ready[function.kind] += any(night["verdict"] == "enforce" for night in own)
                last[function.kind][own[-1]["verdict"]] += 1
        print(f"\n| {seed + 1} of each kind | ready on a night | on the last night | lock-outs after the switch |\n|---|---:|---|---|")
        for kind in KINDS:
            words = ", ".join(f"{name} {number}" for name, number in last[kind].most_common())
            begun = ", ".join(f"{times} each in {number}" for times, number in sorted(pages[kind].items()))
            print(f"| {kind} | {ready[kind]} | {words} | {begun} |", flush=True)


if __name__ == "__main__":
    main()
