"""Small logs for the tests: days of requests, told in a line."""
import gzip
import json
import tempfile
from pathlib import Path

import verdict_oracle
from make_projects import IOS, Person, Project, Service
from moments import DAY, HOUR, day_number

LAST = day_number("2026-10-14")
APP = IOS.format("2.0.0")


class Sample:
    """One project; days are counted back from 14 October 2026."""

    def __init__(self, generation=2, rows=True, name="f"):
        self.project, self.generation, self.rows, self.count = Project(0), generation, rows, 0
        self.services = {name: self._service(name)}
        self.name = name

    def _service(self, name):
        return Service(name, self.generation, "us-central1", [], 0, 0, 0, [], rows=1.0 if self.rows else 0.0)

    def add(self, back, app="VALID", auth="VALID", times=1, agent=APP, referer="", address="*", hour=None, revision="f-1", enforces=False, name=None, status=None):
        """`address` "*" gives each request one of its own."""
        service = self.services.setdefault(name or self.name, self._service(name or self.name))
        for _ in range(times):
            self.count += 1
            t = (LAST - back) * DAY + (int(hour * HOUR) if hour is not None else (self.count * 7919 % 79200 + 3600) * 10**9) + self.count * 10**6 % 10**9
            who = f"10.{self.count // 62500}.{self.count // 250 % 250}.{self.count % 250}" if address == "*" else address
            self.project._handler = lambda *_: status or 200
            self.project.request(service, t, Person(agent, referer, who, auth, 1, app, 1), app, revision if self.generation == 2 else None, enforces)
        return self

    def days(self, first, last, valid=50, missing=0, **more):
        """The same on each of the days `first` … `last` back, both included."""
        for back in range(first, last - 1, -1):
            self.add(back, times=valid, **more)
            self.add(back, "MISSING", times=missing, **more)
        return self

    def stderr(self, first=40, last=0):
        """A line a day in the stream of failures, so that it is known to be read."""
        for back in range(first, last - 1, -1):
            self.project._entry(self.services[self.name], (LAST - back) * DAY + 5 * HOUR, "stderr", "WARNING", "f-1", textPayload="…")
        return self

    def report(self, *arguments, policy=None):
        with tempfile.TemporaryDirectory() as folder:
            log = Path(folder) / "log.json.gz"
            log.write_bytes(gzip.compress("".join(json.dumps(e) + "\n" for e in self.project.entries).encode()))
            options = list(arguments) if "--as-of" in arguments else ["--as-of", "2026-10-14", *arguments]
            if policy:
                (Path(folder) / "policy.yaml").write_text(policy)
                options += ["--policy", str(Path(folder) / "policy.yaml")]
            return verdict_oracle.report(verdict_oracle.arguments([str(log), *options]))

    def function(self, *arguments, policy=None):
        functions = self.report(*arguments, policy=policy)["functions"]
        return next(f for f in functions if f["function"] == self.name)

    def readiness(self, *arguments, policy=None):
        found = self.function(*arguments, policy=policy)["readiness"]
        found["codes"] = {r["code"] for r in found["reasons"]}
        return found
