"""python make_projects.py FOLDER [--projects N] [--seed S]: random projects as exports, each with a policy or none and arguments."""
import argparse
import gzip
import json
import random
from dataclasses import dataclass, field
from pathlib import Path

import make_services
from moments import DAY, HOUR, SECOND, day, day_number, day_text, text, weekday

CHROME = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Safari/537.36"
PHONE = "Mozilla/5.0 (Linux; Android 14; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Mobile Safari/537.36"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:141.0) Gecko/20100101 Firefox/141.0"
SAFARI = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1"
WEBVIEW = "Mozilla/5.0 (Linux; Android 14; K; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/139.0.0.0 Mobile Safari/537.36"
TELEGRAM = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148"
SITES = ["https://app.example.com/", "https://www.example.com/shop", "https://demo-prod.web.app/", ""]
IOS = "com.example.app/{} iPhone/18.5 hw/iPhone15_2"
AGENTS = {"ios": IOS, "ipad": "com.example.app/{} iPad/17.7 hw/iPad13_1", "widget": "com.example.app.widget/{} iPhone/18.5 hw/iPhone15_2",
          "android": "okhttp/4.12.0", "oldAndroid": "okhttp/3.12.13", "dalvik": "Dalvik/2.1.0 (Linux; U; Android 14; Pixel)", "chrome": CHROME, "phone": PHONE,
          "firefox": FIREFOX, "safari": SAFARI, "webview": WEBVIEW, "inApp": TELEGRAM, "mac": "com.example.desk/{} MacOSX/14.4.0"}
PROGRAMS = {"simulator": "com.example.app/2.1.0 iPhone/18.5 hw/sim", "curl": "curl/8.7.1", "python": "python-requests/2.34.2", "scheduler": "Google-Cloud-Scheduler",
            "node": "node", "axios": "axios/1.7.2", "scanner": "Mozilla/5.0 (compatible; ExampleBot/1.0)", "nobody": "", "localhost": CHROME, "dart": "Dart/3.7 (dart:io)", "game": "UnityPlayer/2022"}
SHARES = [0] * 14 + [0.005, 0.01, 0.02, 0.05, 0.3, 0.95]
MISSES = [0, 0, 0, 0, 0.001, 0.001, 0.002, 0.003, 0.005, 0.007, 0.009]


@dataclass
class Person:
    agent: str
    referer: str
    address: str
    auth: str
    token: float                         # how likely a request has a valid token
    status: str                          # what it has instead
    daily: float
    program: bool = False
    begins: int = 0
    ends: int = 2**63


@dataclass
class Service:
    name: str
    generation: int
    region: str
    people: list
    per_day: float
    first: int
    last: int
    revisions: list                      # (instant, name, enforces, share of requests)
    outages: list = field(default_factory=list)      # (begin, end, share)
    rows: float = 1.0
    lines: bool = True
    handler_refuses: str = ""
    early_errors: tuple = ()
    streams: bool = False
    retries: int = 0
    misses: float = 0.0                 # requests of anybody without a token
    closed: set = field(default_factory=set)


class Project:
    def __init__(self, seed):
        self.draw = random.Random(f"project {seed}")
        self.seed, self.entries, self.serial = seed, [], 0
        self.name = f"demo-{seed}"

    # What a service writes.

    def _entry(self, service, t, log, severity, revision, **content):
        self.serial += 1
        if service.generation == 2:
            resource = {"type": "cloud_run_revision", "labels": {"project_id": self.name, "location": service.region, "service_name": service.name.lower().replace("_", "-"),
                                                                 "configuration_name": service.name.lower(), "revision_name": revision}}
            log = f"run.googleapis.com%2F{log}"
        else:
            resource = {"type": "cloud_function", "labels": {"project_id": self.name, "region": service.region, "function_name": service.name}}
            log = "cloudfunctions.googleapis.com%2Fcloud-functions"
        entry = {"insertId": f"{self.serial:024x}", "logName": f"projects/{self.name}/logs/{log}", "resource": resource, "timestamp": text(t),
                 "receiveTimestamp": text(t + 15_000_000), "severity": severity, **content}
        self.entries.append(entry)
        return entry

    def request(self, service, t, person, app, revision, enforces, early=False):
        draw = self.draw
        trace, span = f"{draw.getrandbits(128):032x}", draw.getrandbits(62) + 2**62
        labels = {"execution_id": f"e{self.serial}", "instanceId": f"i{service.name}"}
        place = {"trace": f"projects/{self.name}/traces/{trace}", "labels": labels}
        t = t // 1000 * 1000
        if service.generation == 2:
            place["spanId"] = str(span)
        refused = enforces and app != "VALID" or person.auth == "INVALID"
        status = 500 if early else 401 if refused else self._handler(service, app, person.auth)
        streamed = service.streams and draw.random() < 0.5
        failed = app == "INVALID" or person.auth == "INVALID"
        if not early:
            if app == "INVALID" and service.lines:
                self._entry(service, t + 4_000_000, "stderr", "WARNING", revision, textPayload="Failed to validate AppCheck token. FirebaseAppCheckError: Decoding App Check token failed.", **place)
            message = "Callable request verification failed: " + " ".join(f"{what} token was rejected." for what, s in (("AppCheck", app), ("Auth", person.auth)) if s == "INVALID")
            marked = {**labels, "firebase-log-type": "callable-request-verification"}
            self._entry(service, t + 5_000_000, "stderr" if failed else "stdout", "WARNING" if failed else "DEBUG", revision,
                        jsonPayload={"message": message if failed else "Callable request verification passed", "verifications": {"app": app, "auth": person.auth}}, **{**place, "labels": marked})
            if app == "INVALID" and person.auth != "INVALID" and not enforces and service.lines:
                self._entry(service, t + 6_000_000, "stderr", "WARNING", revision, textPayload="Allowing request with invalid AppCheck token because enforcement is disabled", **place)
        if draw.random() >= service.rows:
            return status
        if service.generation == 1:
            self._entry(service, t + 90_000_000, "", "DEBUG", None, textPayload=f"Function execution took 90 ms, finished with status code: {status}", **place)
        else:
            http = {"requestMethod": "POST", "requestUrl": f"https://{service.region}-{self.name}.cloudfunctions.net/{service.name}", "status": 200 if streamed else status, "latency": "0.09s"}
            http.update({k: v for k, v in (("userAgent", person.agent), ("referer", person.referer), ("remoteIp", person.address)) if v})
            self._entry(service, t, "requests", "INFO", revision, httpRequest=http, trace=place["trace"], spanId=f"{span:016x}", labels={"instanceId": labels["instanceId"]})
        return status

    def _handler(self, service, app, auth):
        if service.handler_refuses == "tokenless" and app != "VALID":
            return 400
        if service.handler_refuses == "guests" and auth == "MISSING":
            return self.draw.choice([401, 403])
        return 500 if self.draw.random() < 0.002 else 200

    # Who calls.

    def _person(self, share, guests, platforms, place):
        draw = self.draw
        name = draw.choice(list(AGENTS)[:1] * 4 + list(AGENTS))
        version = draw.choice(["2.0.0", "2.1.0", "2.1.0", "3.0.0-beta", "1.9.3"])
        web = name in ("chrome", "phone", "firefox", "safari", "webview", "inApp")
        bad = name in platforms or version in platforms and name in ("ios", "ipad") or draw.random() < share * (0 if platforms else 1)
        address = draw.choice([f"10.{place}.{draw.randrange(250)}.{draw.randrange(250)}"] * 8 + [f"2001:db8:{place}:{draw.randrange(40)}::{draw.randrange(1, 9)}", f"10.{place}.0.{draw.randrange(20)}"])
        return Person(AGENTS[name].format(version), draw.choice(SITES) if web else "", address if draw.random() < 0.95 else "",
                      "MISSING" if draw.random() < guests else "VALID", 0.0 if bad else 1.0 if share < 0.9 else 0.3, "MISSING" if web or draw.random() < 0.3 else draw.choice(["INVALID", "MISSING"]),
                      draw.choice([0.2, 1, 1, 3, 8]))

    def _people(self, place):
        draw = self.draw
        share, guests = draw.choice(SHARES), draw.choice([0, 0, 0.1, 0.5, 0.97])
        platforms = draw.choice([()] * 16 + [("firefox",), ("2.1.0",), ("oldAndroid", "dalvik"), ("webview",), ("1.9.3",), ("mac",)])
        people = [self._person(share, guests, platforms, place) for _ in range(draw.choice([3, 15, 60, 200]))]
        if draw.random() < 0.2:
            office = f"192.168.{place}.7"
            people += [Person(CHROME, SITES[0], office, "VALID", draw.choice([1.0, 0.98]), "MISSING", 12) for _ in range(8)]
        for _ in range(draw.choice([0, 0, 0, 0, 1, 2, 3])):
            name = draw.choice(list(PROGRAMS))
            token = {"simulator": 1.0, "localhost": 0.7, "dart": 0.9, "game": 0.8}.get(name, 0.1)
            people.append(Person(PROGRAMS[name], "http://localhost:5000/" if name == "localhost" else "", f"172.16.{place}.{draw.randrange(9)}", draw.choice(["VALID", "MISSING"]),
                                 draw.choice([token, token, 0.5]), "MISSING", draw.choice([1, 5, 20]), True))
        if draw.random() < 0.1:
            people.append(Person(CHROME, SITES[1], f"172.17.{place}.3", "INVALID", 1.0, "MISSING", 3))
        return people

    def _come_and_go(self, people, end):
        """A platform falls silent, or a release comes out, which may not have a token."""
        draw = self.draw
        if draw.random() < 0.12:
            agent, moment = draw.choice([AGENTS["android"], WEBVIEW, FIREFOX, CHROME]), end - draw.choice([2, 3, 5, 13, 15]) * DAY
            for person in people:
                person.ends = moment if person.agent == agent else person.ends
        if draw.random() < 0.15:
            moment, token = end - draw.choice([1, 3, 9]) * DAY, draw.choice([0.0, 0.2, 0.7, 1.0])
            for person in [p for p in people if p.agent.startswith("com.example.app/")][::draw.choice([1, 3])]:
                people.append(Person(AGENTS["ios"].format("3.1.0"), "", person.address, person.auth, token, draw.choice(["MISSING", "INVALID"]), person.daily, begins=moment))
                person.ends = moment

    def _revisions(self, name, begin, end):
        """Instants, names, whether they enforce, and the share of requests they take from then on."""
        draw, slug = self.draw, name.lower().replace("_", "-")
        out = [(begin, f"{slug}-00001-aaa", draw.random() < 0.08, 1.0)]
        plan = draw.choice(["none"] * 4 + ["deploy", "switch", "switch", "canary", "rollback", "toggle", "recent"])
        at = lambda a, b: begin + int((end - begin) * draw.uniform(a, b))
        if plan == "deploy":
            out.append((at(0.2, 0.9), f"{slug}-00002-bbb", False, 1.0))
        elif plan in ("switch", "recent"):
            out.append((at(0.3, 0.95) if plan == "switch" else end - draw.choice([2, 9, 30, 60]) * HOUR, f"{slug}-00002-bbb", True, 1.0))
        elif plan == "canary":
            out.append((at(0.4, 0.97), f"{slug}-00002-bbb", True, draw.choice([0.1, 0.5])))
        elif plan == "rollback":
            first = at(0.3, 0.8)
            out += [(first, f"{slug}-00002-bbb", True, 1.0), (first + draw.choice([3, 30, 90]) * HOUR, f"{slug}-00001-aaa", False, 1.0)]
        elif plan == "toggle":
            out += [(at(0.2, 0.5), f"{slug}-00002-bbb", True, 1.0), (at(0.5, 0.7), f"{slug}-00003-ccc", False, 1.0), (at(0.7, 0.95), f"{slug}-00004-ddd", True, 1.0)]
        return out

    def _service(self, number, begin, end):
        draw = self.draw
        name = draw.choice(["addMessage", "scan_receipt", "adminList", "rateDriver", "checkout"]) + str(number)
        generation = 1 if draw.random() < 0.2 else 2
        people = self._people(number)
        per_day = draw.choice([3, 10, 25, 50, 50, 70, 70, 110])
        first = begin if draw.random() < 0.8 else begin + int((end - begin) * draw.uniform(0.3, 0.9))
        self._come_and_go(people, end)
        last = end if draw.random() < 0.92 else end - draw.choice([2, 5, 9]) * DAY
        revisions = self._revisions(name, first, end) if generation == 2 or draw.random() < 0.4 else [(first, None, False, 1.0)]
        service = Service(name, generation, "us-central1", people, per_day, first, last, revisions)
        event = draw.choice(["none"] * 8 + ["over", "over", "now", "now", "now", "quota", "partial"])
        if event == "over":
            b = begin + int((end - begin) * draw.uniform(0.2, 0.85))
            service.outages.append((b, b + draw.choice([8, 20, 50]) * HOUR, draw.choice([0.3, 1.0])))
        elif event == "now":
            service.outages.append((end - draw.choice([3, 8, 14, 40, 100]) * HOUR, end, draw.choice([0.06, 0.2, 0.6, 1.0])))
        elif event == "quota":
            service.outages += [(d * DAY, (d + 1) * DAY, 0.5) for d in range(day(begin), day(end) + 1) if int(day_text(d)[-2:]) > 20]
        elif event == "partial":
            service.outages.append((begin + (end - begin) // 2, end, draw.choice([0.01, 0.02, 0.05])))
        service.rows = draw.choice([1.0] * 6 + [0.97, 0.5, 0.0])
        service.lines = draw.random() < 0.9
        service.handler_refuses = draw.choice([""] * 8 + ["tokenless", "guests"])
        service.streams = generation == 2 and draw.random() < 0.04
        service.misses = draw.choice(MISSES)
        service.retries = draw.choice([0, 0, 0, 1, 4])
        if draw.random() < 0.05:
            service.early_errors = (end - 20 * HOUR, draw.choice([0.4, 0.8]))
        return service

    def _run(self, service, end):
        draw = self.draw
        weights = [p.daily for p in service.people]
        for d in range(day(service.first), day(service.last) + 1):
            if d in self.closed or d in service.closed:
                continue
            for _ in range(int(draw.gauss(service.per_day, service.per_day ** 0.5) + 0.5)):
                t = d * DAY + int(draw.betavariate(2.2, 1.8) * DAY)
                person = draw.choices(service.people, weights)[0]
                if service.first <= t <= min(service.last, end) and person.begins <= t < person.ends:
                    self._call(service, t, person, end)

    def _call(self, service, t, person, end):
        draw = self.draw
        past = [r for r in service.revisions if r[0] <= t]
        _, revision, enforces, share = past[-1]
        if share < 1 and len(past) > 1 and draw.random() >= share:
            _, revision, enforces, _ = past[-2]
        if service.early_errors and t >= service.early_errors[0] and draw.random() < service.early_errors[1]:
            return self.request(service, t, person, "VALID", revision, enforces, early=True)
        fails = any(b <= t < e and draw.random() < s for b, e, s in service.outages) and not person.program
        app = "VALID" if draw.random() < person.token and not fails and draw.random() >= service.misses else person.status
        status = self.request(service, t, person, app, revision, enforces)
        for _ in range(service.retries if status == 401 else 0):
            t += draw.randrange(1, 20) * SECOND
            if t <= end:
                self.request(service, t, person, app, revision, enforces)
        return status

    # The whole project.

    def make(self):
        draw = self.draw
        end = day_number("2026-09-01") * DAY + draw.randrange(50) * DAY + draw.randrange(24 * 3600) * SECOND
        days = draw.choice([3, 8, 12, 15, 22, 30, 30, 36, 36, 36, 40, 45, 60])
        self.end, begin = end, end - days * DAY
        weekends = draw.random() < 0.12
        self.closed = {d for d in range(day(begin), day(end) + 1) if weekends and weekday(d) > 4 or draw.random() < draw.choice([0, 0, 0, 0.02])}
        if draw.random() < 0.05:
            gap = day(begin) + days // 2
            self.closed |= set(range(gap, gap + 5))
        services = [self._service(i, begin, end) for i in range(draw.choice([1, 2, 2, 3, 4]))]
        if draw.random() < 0.08:
            twin = services[0]
            services.append(Service(twin.name, 3 - twin.generation, twin.region, twin.people, twin.per_day, end - 9 * DAY, end, [(0, f"{twin.name.lower()}-1", False, 1.0)]))
            twin.last = end - 8 * DAY
        for service in services:
            self._run(service, end)
        if draw.random() < 0.12:
            since = draw.choice([begin, end - 6 * DAY])
            self.entries = [e for e in self.entries if not (e["logName"].endswith("stderr") and e["timestamp"] >= text(since))]
        if draw.random() < 0.06:
            kept, since = draw.choice([0, 0, 0.4]), draw.choice([begin, end - 4 * DAY])
            self.entries = [e for e in self.entries if not (e["logName"].endswith("stdout") and e["timestamp"] >= text(since)) or draw.random() < kept]
        if draw.random() < 0.1:
            self._clients_lines()
        for entry in draw.sample(self.entries, len(self.entries) // 200):
            self.entries.append(dict(entry))
        draw.shuffle(self.entries)
        return self._policy(services, begin, end), self._arguments(begin, end)

    def _clients_lines(self):
        """Lines that handlers log of what clients sent, copies by a second handler, late and undated entries."""
        draw = self.draw
        for entry in draw.sample(self.entries, min(len(self.entries), draw.choice([60, 60, 1000]))):
            payload = entry.get("jsonPayload")
            if not payload:
                continue
            copy = json.loads(json.dumps(entry))
            copy["insertId"] += "x"
            kind = draw.choice(["forged", "repeated", "unlabelled", "undated", "retimed"])
            if kind == "forged":
                copy["jsonPayload"]["message"] = "got"
            elif kind == "unlabelled":
                copy["labels"] = {k: v for k, v in copy["labels"].items() if k != "firebase-log-type"}
            elif kind == "undated":
                copy["labels"] = {**copy["labels"], "execution_id": copy["insertId"]}
                copy["receiveTimestamp"], copy["spanId"] = "2026-11-01T00:00:00Z", str(draw.getrandbits(60))
            elif kind == "retimed":
                copy["labels"] = {**copy["labels"], "execution_id": copy["insertId"]}
                copy["timestamp"], copy["spanId"] = "2026-11-20T00:00:00Z", str(draw.getrandbits(60))
            self.entries.append(copy)

    def services(self):
        """What other services of the project count, which moves no function; None for most projects."""
        return make_services.Project(self.seed, self.name, self.end // HOUR * HOUR) if self.draw.random() < 0.2 else None

    def _policy(self, services, begin, end):
        draw = self.draw
        if draw.random() > 0.36:
            return None
        base, entries = {}, []
        for key, values in (("max-refused", ["0.5%", "2%", "5%"]), ("min-days", ["3", "14"]), ("max-per-week", ["1", "2", "3"]), ("ignore-clients", ["[iosSimulator, tool, node]", "[server, none, google, webLocal, other]"]),
                            ("accept-platforms", ["[web/firefox]", "[com.example.app@2.1.0]", "[android]", '["*.web.app"]']), ("require-callers", ["true"]), ("count-machines", ["true"]),
                            ("quiet-days", ["[sat, sun]"]), ("safe-nights", ["3"]), ("confidence", ["90%"]), ("max-window", ["14d"])):
            if draw.random() < (0.3 if key in ("ignore-clients", "max-per-week") else 0.13):
                base[key] = draw.choice(values)
        for service in services:
            draw_one = draw.random()
            moment = text(begin + int((end - begin) * draw.uniform(0.3, 0.9)) // DAY * DAY) if draw.random() < 0.5 else None
            if draw_one < 0.25 and (draw.random() < 0.3 or any(r[2] for r in service.revisions)):
                switched = [r[0] for r in service.revisions if r[2]] or [begin + int((end - begin) * draw.uniform(0.3, 1.05))]
                entries.append((service.name, "enforced", text(switched[-1] // (60 * SECOND) * 60 * SECOND) if draw.random() < 0.7 else day_text(day(switched[-1]))))
            elif draw_one < 0.4:
                entries.append((service.name, "requires-auth", "true"))
            elif draw_one < 0.5:
                entries.append((service.name, "since", (moment or text(end - 10 * DAY))[:10]))
            elif draw_one < 0.53:
                entries.append((service.name, "exempt", "the error channel"))
        lines = ["policy:"] + [f"  {k}: {v}" for k, v in base.items()] if base else []
        if entries:
            lines += ["functions:"] + [line for name, key, value in entries for line in (f"  - match: {name}", f"    {key}: {value}")]
        return "\n".join(lines) + "\n" if lines else None

    def _arguments(self, begin, end):
        draw, out = self.draw, []
        roll = draw.random()
        if roll < 0.55:
            out += ["--as-of", day_text(day(end) - draw.choice([0, 1, 1, 1]))]
        elif roll < 0.93:
            out += ["--as-of", text(end - draw.choice([0, 3 * HOUR, 20 * HOUR]))]
        if draw.random() < 0.06:
            out += ["--since", day_text(day(begin) + draw.randrange(1, 6))]
        if draw.random() < 0.04:
            out += ["--until", text(end - 12 * HOUR)]
        if draw.random() < 0.06:
            out += ["--requires-auth"]
        if draw.random() < 0.08:
            out += ["--set", draw.choice(["max-refused=2%", "min-days=3", "max-per-week=2", "count-machines=true", "ignore-clients=tool,node", "assume-complete=true", "assume-complete=failures"])]
        return out


def write(folder, seed):
    """One project into its folder; -> the folder."""
    project = Project(seed)
    policy, arguments = project.make()
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "log.json.gz", "wb") as raw, gzip.GzipFile("", "wb", 5, raw, 0) as file:
        file.write("".join(json.dumps(e) + "\n" for e in project.entries).encode())
    services = project.services()
    if services:
        make_services.beside(folder, services)
    if policy:
        (folder / "policy.yaml").write_text(policy)
    (folder / "arguments").write_text("".join(a + "\n" for a in arguments))
    return folder


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--projects", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    for number in range(args.projects):
        write(args.folder / f"p{args.seed + number:04d}", args.seed + number)
