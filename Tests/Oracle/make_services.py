"""python make_services.py FOLDER [--projects N] [--seed S]: random services as pulls of Cloud Monitoring, with modes, a policy or none, and arguments."""
import argparse
import json
import random
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from moments import DAY, HOUR, SECOND, day, day_number, day_text, text

METRIC = "firebaseappcheck.googleapis.com/services/verification_count"
OTHER_METRICS = ("firebaseappcheck.googleapis.com/resources/verification_count", "firebaseappcheck.googleapis.com/services/verdict_count")
NAMES = ("firestore", "firebasestorage", "firebasedatabase", "identitytoolkit", "firebaseml", "maps-backend", "places", "firebasedataconnect")
CLOCK = (1, 1, 1, 1, 1, 2, 4, 8, 10, 10, 9, 9, 9, 9, 9, 9, 9, 10, 11, 11, 9, 6, 3, 2)     # people's day
WORDS = ("INVALID", "MISSING_OUTDATED_CLIENT", "MISSING_UNKNOWN_ORIGIN", "CONSUMED", "A_NEW_WORD")
SHARES = {"INVALID": [0, 0, 0.0005, 0.002, 0.005, 0.008, 0.011, 0.06], "MISSING_OUTDATED_CLIENT": [0, 0, 0, 0.001, 0.003, 0.02],
          "MISSING_UNKNOWN_ORIGIN": [0, 0, 0, 0.003, 0.02, 0.5], "CONSUMED": [0, 0, 0, 0.001, 0.04], "A_NEW_WORD": [0] * 9 + [0.001]}
TOKENLESS = WORDS[:3] + WORDS[4:]


@dataclass
class Service:
    name: str
    per_day: float
    shares: dict
    apps: list
    first: int
    last: int                                            # silent from then on
    switches: list = field(default_factory=list)         # (instant, whether it enforces)
    faults: list = field(default_factory=list)           # (begin, end, share that is INVALID)
    bad_hours: tuple = ()                                # of the day, in which nobody has a token: quotas end, debug tokens sleep
    retries: float = 1.0                                 # how often who is refused comes again
    leave: float = 0.0                                   # which part of the refused stays away a day later
    exceptions: float = 0.0                              # which part of the tokenless enforcement lets through
    denied_valid: float = 0.0                            # of VALID, also where nothing is enforced
    replay: bool = False                                 # used tokens are refused

    def enforces(self, t):
        return next((on for at, on in reversed(self.switches) if at <= t), False)


class Project:
    def __init__(self, seed, name=None, end=None):
        self.draw = random.Random(f"services {seed}")
        self.name, self.number = name or f"demo-{seed}", str(231220287936 + seed)
        draw = self.draw
        self.end = end or day_number("2026-10-08") * DAY + draw.randrange(46 * 24) * HOUR
        self.begin = self.end - draw.choice([6, 10, 15, 22, 35, 35, 35, 35, 44]) * DAY
        self.services = [self._service(name) for name in draw.sample(NAMES, draw.choice([1, 1, 2, 2, 3, 6]))]
        self.closed = set()
        if draw.random() < 0.06:                         # nothing counts for days: App Check was OFF
            gap = day(self.begin) + (day(self.end) - day(self.begin)) // 2
            self.closed = set(range(gap, gap + draw.choice([2, 4, 6])))

    def _service(self, name):
        draw, begin, end = self.draw, self.begin, self.end
        first = begin if draw.random() < 0.85 else begin + int((end - begin) * draw.uniform(0.2, 0.95)) // HOUR * HOUR
        last = end if draw.random() < 0.9 else end - draw.choice([20, 40, 60, 100, 200]) * HOUR
        per_day = draw.choice([1, 8, 40, 120, 400, 400, 2000, 9000])
        apps = [f"1:{self.number}:{kind}:{draw.getrandbits(64):016x}" for kind in draw.sample(["ios", "android", "web"], draw.choice([1, 1, 2, 3]))]
        service = Service(name + ".googleapis.com", per_day, {word: draw.choice(SHARES[word]) for word in WORDS}, apps, first, last)
        at = lambda low, high: begin + int((end - begin) * draw.uniform(low, high)) // HOUR * HOUR
        plan = draw.choice(["never"] * 9 + ["long ago", "days ago", "hours ago", "hours ago", "roll-back", "toggle", "always"])
        if plan == "always":
            service.switches = [(0, True)]
        elif plan == "long ago":
            service.switches = [(at(0.1, 0.6), True)]
        elif plan == "days ago":
            service.switches = [(end - draw.randrange(30, 200) * HOUR, True)]
        elif plan == "hours ago":
            service.switches = [(end - draw.randrange(7, 30) * HOUR, True)]
        elif plan == "roll-back":
            on = at(0.3, 0.95)
            service.switches = [(on, True), (on + draw.choice([2, 9, 40, 120]) * HOUR, False)]
        elif plan == "toggle":
            service.switches = [(at(0.1, 0.4), True), (at(0.4, 0.7), False), (at(0.7, 0.99), True)]
        if name == "firebaseml" and draw.random() < 0.7:
            service.switches = [(day_number("2026-11-02") * DAY + 9 * HOUR, True)]
        event = draw.choice(["none"] * 6 + ["over", "over", "now", "now", "night", "quota"])
        if event == "over":
            b = at(0.2, 0.85)
            service.faults.append((b, b + draw.choice([5, 20, 60, 150]) * HOUR, draw.choice([0.03, 0.2, 1.0])))
        elif event == "now":
            service.faults.append((end - draw.choice([8, 12, 20, 60, 120]) * HOUR, end, draw.choice([0.02, 0.06, 0.3, 1.0])))
        elif event == "night":
            service.bad_hours = tuple(range(8, 18))
        elif event == "quota":
            service.bad_hours = draw.choice([(3,), (22, 23), (0, 1, 2)])
        service.retries, service.leave = draw.choice([1, 1, 1, 4, 6, 20]), draw.choice([0, 0, 0.3, 0.9])
        service.exceptions, service.replay = draw.choice([0, 0, 0, 0.02, 0.4]), draw.random() < 0.2
        service.denied_valid = draw.choice([0] * 8 + [0.0003, 0.01])
        return service

    # What the metric counts: {(service, security, result, app): {hour's instant: requests}}.

    def _number(self, mean):
        """A Poisson count, normal where there are many."""
        if mean > 40:
            return max(0, round(self.draw.gauss(mean, mean ** 0.5)))
        count, left = 0, mean
        while True:
            left -= self.draw.expovariate(1.0)
            if left < 0:
                return count
            count += 1

    def counts(self):
        out = defaultdict(dict)
        for service in self.services:
            for t in range(max(service.first, self.begin), min(service.last, self.end), HOUR):
                if day(t) not in self.closed:
                    for (security, result, app), n in self._hour(service, t).items():
                        if n:
                            out[(service.name, security, result, app)][t] = n
        return out

    def _hour(self, service, t):
        draw, found = self.draw, defaultdict(int)
        total = self._number(service.per_day * CLOCK[t // HOUR % 24] / sum(CLOCK))
        on = service.enforces(t)
        bad = max([share for b, e, share in service.faults if b <= t < e] + [0.9 if t // HOUR % 24 in service.bad_hours else 0])
        parts = {word: self._number(total * share) for word, share in service.shares.items()}
        parts["INVALID"] += self._number(total * bad)
        valid = max(0, total - sum(parts.values()))
        since = next((t - at for at, enforcing in reversed(service.switches) if enforcing and at <= t), 0)
        for word, n in parts.items():
            refused = word != "CONSUMED" or service.replay
            if on and refused:
                stay = max(0.0, 1 - service.leave * min(1.0, since / DAY))
                n = self._number(n * stay * (service.retries if word != "CONSUMED" else 1))
                allowed = sum(draw.random() < service.exceptions for _ in range(min(n, 200)))
                found[(word, "ALLOW", "UNKNOWN")] += allowed
                found[(word, "DENY", "UNKNOWN")] += n - allowed
            else:
                found[(word, "ALLOW", service.apps[0] if word == "CONSUMED" else "UNKNOWN")] += n
        denied = self._number(valid * service.denied_valid) if on or service.denied_valid < 0.001 else 0
        found[("VALID", "DENY", service.apps[0])] += min(valid, denied)
        for i in range(len(service.apps)):
            part = max(0, valid - denied) // len(service.apps)
            found[("VALID", "ALLOW", service.apps[i])] += part if i else max(0, valid - denied) - part * (len(service.apps) - 1)
        return found

    # How it was read.

    def _series(self, counts, begin, end, step=HOUR, late=0):
        """Series of one answer: points newest first; of the newest hours a part has arrived."""
        out = []
        for (service, security, result, app), by_hour in sorted(counts.items()):
            sums = defaultdict(int)
            for t, n in by_hour.items():
                if step < HOUR:
                    for i in range(HOUR // step):
                        sums[t + i * step] += n // (HOUR // step) + (n % (HOUR // step) if i == 0 else 0)
                else:
                    sums[t // step * step] += (n // 3 if security == "VALID" else 0) if t >= end - late * HOUR else n
            offset = 1000 if self.microsecond else 0
            points = [{"interval": {"startTime": text(t + offset), "endTime": text(t + step)}, "value": {"int64Value": str(n)}}
                      for t, n in sorted(sums.items(), reverse=True) if n and begin <= t and t + step <= end]
            if points:
                out.append({"metric": {"type": METRIC, "labels": {"security": security, "result": result, "app_id": app}},
                            "resource": {"type": "firebaseappcheck.googleapis.com/Service", "labels": {"resource_container": self.name, "location": "global", "service_id": service}},
                            "metricKind": "DELTA", "valueType": "INT64", "points": points})
        return out

    def _pull(self, series):
        """The pages of one read."""
        draw = self.draw
        if series and draw.random() < 0.08:              # the same requests again, by another metric
            series = series + [{**series[0], "metric": {**series[0]["metric"], "type": draw.choice(OTHER_METRICS)}}]
        size = max(1, len(series) // draw.choice([1, 1, 2, 3]))
        pages = [{"timeSeries": series[i:i + size], "unit": "1"} for i in range(0, len(series), size)] or [{}]
        for page in pages[:-1]:
            page["nextPageToken"] = "more"
        roll = draw.random()
        if roll < 0.03:
            pages[-1]["nextPageToken"] = "still more"
        elif roll < 0.05:
            pages[0]["executionErrors"] = [{"code": 4, "message": "deadline exceeded"}]
        elif roll < 0.06:
            pages[0]["unreachable"] = ["projects/1"]
        if draw.random() < 0.15:
            pages = [snake(page) for page in pages]
        if draw.random() < 0.2:
            return json.dumps(pages)
        return "\n".join(json.dumps(page, indent=draw.choice([None, 2])) for page in pages) + "\n"

    def pulls(self):
        """The texts of files with counts."""
        draw, counts, begin, end = self.draw, self.counts(), self.begin, self.end
        self.microsecond = draw.random() < 0.2
        midnight = end // DAY * DAY
        middle = begin + (end - begin) // 2 // DAY * DAY + draw.choice([0, 7]) * HOUR
        kind = draw.choice(["hours"] * 6 + ["late", "late", "two", "two", "gap", "gap", "days", "days", "mixed", "minutes", "crossed"])
        if kind == "late":
            first = end - draw.choice([3, 6, 30, 200]) * HOUR
            spans = [(begin, first, HOUR, 2), (begin, end, HOUR, draw.choice([0, 2, 5]))]
        elif kind == "two":
            spans = [(begin, middle + 20 * HOUR, HOUR, 0), (middle, end, HOUR, 0)]
        elif kind == "gap":
            gap = end - draw.choice([20, 60, 150, 300]) * HOUR
            spans = [(begin, gap, HOUR, 0), (gap + draw.choice([1, 3, 30]) * HOUR, end, HOUR, 0)]
        elif kind == "days":
            spans = [(begin // DAY * DAY, midnight, DAY, 0)]
        elif kind == "mixed":
            spans = [(begin // DAY * DAY, midnight - 9 * DAY, DAY, 0), (midnight - 9 * DAY, end, HOUR, 0)]
        elif kind == "minutes":
            spans = [(begin, end, HOUR // 4, 0)]
        elif kind == "crossed":
            spans = [(begin, end, HOUR, 0), (midnight - 2 * DAY, midnight, DAY, 0)]
        else:
            spans = [(begin, end, HOUR, 0)]
        return [self._pull(self._series(counts, *span)) for span in spans]

    def modes(self):
        """The texts of files with the answer of `…/services`."""
        draw, out = self.draw, []
        if draw.random() < 0.6:
            return out
        number = draw.choice([self.number] * 6 + [self.name, "999999"])
        for until in draw.choice([[self.end], [self.end], [self.end], [self.end - 4 * DAY, self.end]]):
            listed = []
            for service in self.services:
                done = [(t, on) for t, on in service.switches if t < until]
                answer = {"name": f"projects/{number}/services/{service.name}"}
                if done and draw.random() < 0.9:         # the console's time is of some second of the hour before the first whole one
                    answer |= {"enforcementMode": "ENFORCED" if done[-1][1] else "UNENFORCED", "updateTime": text(max(self.begin, done[-1][0]) - draw.randrange(0, 3600) * SECOND)}
                elif not done and draw.random() < 0.1:   # set, and not seen in what was counted so far
                    answer |= {"enforcementMode": draw.choice(["ENFORCED", "UNENFORCED"]), "updateTime": text(self.end - draw.randrange(1, 200) * HOUR)}
                elif draw.random() < 0.8:
                    answer |= {"enforcementMode": "UNENFORCED", "updateTime": text(self.begin - 9 * DAY)}
                else:
                    answer |= {"updateTime": "1970-01-01T00:00:00Z"}
                if draw.random() < 0.9:
                    listed.append(answer)
            shape = draw.choice(["rest", "rest", "list", "cli"])
            out.append(json.dumps({"services": listed} if shape == "rest" else listed if shape == "list" else {"status": "success", "result": listed}))
        return out

    def policy(self):
        draw = self.draw
        if draw.random() > 0.3:
            return None
        base, entries = {}, []
        for key, values in (("max-refused", ["0.5%", "2%", "5%"]), ("min-days", ["3", "14"]), ("max-per-week", ["1", "3", "20"]), ("require-callers", ["true"]), ("safe-nights", ["1", "3"]),
                            ("confidence", ["90%"]), ("window", ["3d"]), ("max-window", ["14d"])):
            if draw.random() < 0.15:
                base[key] = draw.choice(values)
        for service in self.services:
            if draw.random() < 0.3:
                switched = [day_text(max(day(self.begin), day(t))) for t, on in service.switches if on] or [day_text(day(self.end) - draw.choice([-9, 3, 8, 12, 20]))]
                key, value = draw.choice([("requires-auth", "true"), ("since", day_text(day(self.end) - draw.choice([3, 8, 12]))), ("exempt", "must work")]
                                         + 2 * [("enforced", draw.choice(switched))])
                entries.append((service.name, key, value))
        lines = ["policy:"] + [f"  {key}: {value}" for key, value in base.items()] if base else []
        if entries:
            lines += ["functions:"] + [line for name, key, value in entries for line in (f"  - match: {name}", f"    {key}: {value}")]
        return "\n".join(lines) + "\n" if lines else None

    def arguments(self):
        draw, roll = self.draw, self.draw.random()
        if roll < 0.6:
            out = ["--as-of", day_text(day(self.end) + 1)]                   # what was pulled decides
        elif roll < 0.8:
            out = ["--as-of", day_text(day(self.end) - draw.choice([1, 1, 2]))]
        else:
            out = ["--as-of", text(self.end - draw.randrange(6 * 60, 60 * 60) * 60 * SECOND)]
        if draw.random() < 0.06:
            out += ["--since", day_text(day(self.begin) + draw.randrange(1, 5))]
        if draw.random() < 0.04:
            out += ["--until", text(self.end - 12 * HOUR)]
        if draw.random() < 0.06:
            out += ["--requires-auth"]
        if draw.random() < 0.06:
            out += ["--set", draw.choice(["max-refused=2%", "min-days=3", "max-per-week=2", "require-callers=true", "assume-complete=true"])]
        return out


def snake(value):
    """Keys as libraries for Python spell them."""
    if isinstance(value, list):
        return [snake(v) for v in value]
    if not isinstance(value, dict):
        return value
    return {"".join("_" + c.lower() if c.isupper() else c for c in key): snake(v) for key, v in value.items()}


def beside(folder, project):
    """The counts and modes of a project's services."""
    folder.mkdir(parents=True, exist_ok=True)
    for i, pull in enumerate(project.pulls()):
        (folder / f"services-{i}.json").write_text(pull)
    for i, answer in enumerate(project.modes()):
        (folder / f"modes-{i}.json").write_text(answer)


def write(folder, seed):
    """One project into its folder; -> the folder."""
    project = Project(seed)
    beside(folder, project)
    policy = project.policy()
    if policy:
        (folder / "policy.yaml").write_text(policy)
    (folder / "arguments").write_text("".join(argument + "\n" for argument in project.arguments()))
    return folder


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--projects", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    for number in range(args.projects):
        write(args.folder / f"p{args.seed + number:04d}", args.seed + number)
