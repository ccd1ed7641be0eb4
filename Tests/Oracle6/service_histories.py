"""Random histories of services, as answers of the metric and of `…/services`."""

import gzip
import json

from instants import DAY, HOUR, SECOND, day_text, instant_from, instant_text, start_of, weekday_of
from project_options import KEYS, _value
from services import METRIC, OUTDATED, UNKNOWN_ORIGIN

MINUTE = 60 * SECOND
NUMBERS = {"demo-prod": 123456789012, "other": 210987654321}  # by which answers of modes call a project
SERVICES = (
    *("firestore.googleapis.com", "firebasestorage.googleapis.com", "firebasedatabase.googleapis.com"),
    *("identitytoolkit.googleapis.com", "firebasedataconnect.googleapis.com", "maps-backend.googleapis.com"),
    *("places.googleapis.com", "oauth2.googleapis.com", "firebaseml.googleapis.com"),
)
PEOPLE = (1, 1, 1, 1, 1, 2, 4, 8, 10, 10, 9, 9, 9, 9, 9, 9, 9, 10, 11, 11, 9, 6, 3, 2)  # by the hour
BAD = ("INVALID", OUTDATED, UNKNOWN_ORIGIN, "INVALID", "SOMETHING_NEW")
VOLUMES = (3, 12, 40, 150, 400, 1200, 4000, 15000)  # requests a day
PERIODS = {"hours": HOUR, "days": DAY, "minutes": MINUTE, "quarters": 15 * MINUTE}
# Numbers of what cannot be counted exactly from random shares stay small.
RATES = (0, 0, 0.001, 0.003, 0.006, 0.012, 0.05, 0.3)


def write_history(folder, rng):
    """Writes the answers of a random history; returns its description."""
    folder.mkdir(parents=True, exist_ok=True)
    kind = str(rng.choice(list(PERIODS), p=[0.72, 0.14, 0.07, 0.07]))
    length = int(rng.integers(1, 4)) if kind in ("minutes", "quarters") else int(rng.integers(4, 42))
    end = start_of(20_770 + int(rng.integers(0, 12)))  # November 2026
    if kind != "days":
        end += int(rng.integers(0, 24)) * HOUR
    if kind == "minutes":
        end += int(rng.integers(0, 60)) * MINUTE
    project = {"period": PERIODS[kind], "begin": end - length * DAY, "end": end, "sources": {}, "options": [], "flags": {}}
    names = ["demo-prod", *(["other"] if rng.random() < 0.1 else [])]
    counts = {}
    for name in names:
        chosen = rng.choice(SERVICES, size=int(rng.integers(1, 4)), replace=False, p=weights())
        for service in sorted(map(str, chosen)):
            counts.update(random_service(rng, name, service, project))
    for name in names:
        own = {key: number for key, number in counts.items() if key[0] == name}
        write_reads(rng, folder, name, own, project)
    if rng.random() < 0.35 and len(names) == 1:
        write_modes(rng, folder, sorted({key[1] for key in counts}), project)
    choose(rng, project)
    return project


def weights():
    return [0.25, 0.2, 0.1, 0.15, 0.05, 0.05, 0.05, 0.05, 0.1]


def random_service(rng, name, service, project):
    """(project, service, security, result, app, start) -> requests."""
    begin, end, period = project["begin"], project["end"], project["period"]
    span = (end - begin) // HOUR

    def some_hour():
        return begin + int(rng.integers(0, max(1, span))) * HOUR

    def late_hour(days):
        return end - int(rng.integers(0, min(span, 24 * days) + 1)) * HOUR

    apps = [f"1:{NUMBERS[name]}:{kind}:{int(rng.integers(16**9)):09x}" for kind in ("ios", "android", "web")[: int(rng.integers(1, 4))]]
    volume = float(rng.choice(VOLUMES)) * float(rng.uniform(0.5, 1.5))
    weekend = float(rng.choice([1, 1, 0.3, 0]))
    flat = rng.random() < 0.3
    rates = {security: float(rng.choice(RATES)) * float(rng.uniform(0.5, 1.2)) for security in BAD if rng.random() < 0.45}
    rates["CONSUMED"] = float(rng.choice([0, 0, 0, 0.04]))
    cured = late_hour(20) if rng.random() < 0.25 else None
    starts = some_hour() if rng.random() < 0.12 else begin
    stops = late_hour(6) if rng.random() < 0.15 else end
    gaps = [(hour, hour + int(rng.integers(2, 140)) * HOUR) for hour in [some_hour()] if rng.random() < 0.2]
    outages = []
    if rng.random() < 0.3:
        begun = late_hour(int(rng.choice([1, 1, 3, 20])))
        outages.append((begun, begun + int(rng.integers(1, 72)) * HOUR, float(rng.uniform(0.5, 1))))
    night = (int(rng.integers(0, 24)), int(rng.integers(1, 7)), float(rng.choice([0.55, 0.8, 1]))) if rng.random() < 0.15 else None
    switches = []
    if rng.random() < 0.35:
        switches = sorted(late_hour(int(rng.choice([2, 10, 40]))) for _ in range(int(rng.choice([1, 1, 2]))))
    minute = int(rng.choice([0, 0, 20])) / 60  # of the hour of a switch: the rest of that hour is refused
    denied_valid = float(rng.choice([0, 0, 0, 0.002, 0.6])) if switches else 0
    daily = {day: float(rng.gamma(8, 1 / 8)) for day in range(begin // DAY, end // DAY + 1)}
    found = {}
    start = begin
    while start < end:
        hour = start // HOUR * HOUR
        step = min(period, HOUR)
        at = start % DAY // HOUR
        mean = volume * (1 / 24 if flat else PEOPLE[at] / sum(PEOPLE)) * (step / HOUR)
        mean *= daily[start // DAY] * (weekend if weekday_of(start // DAY) >= 5 else 1)
        if not starts <= hour < stops or any(a <= hour < b for a, b in gaps):
            mean = 0
        total = int(rng.poisson(mean))
        shares = {security: rate for security, rate in rates.items() if cured is None or hour < cured or security == "CONSUMED"}
        for a, b, share in outages:
            if a <= hour < b:
                shares["INVALID"] = share
        if night and (at - night[0]) % 24 < night[1]:
            shares[OUTDATED] = night[2]
        for security, share in shares.items():
            some = int(rng.binomial(total, min(1, share)))
            total -= some
            add(found, rng, (name, service, security), start, some, is_on(hour, switches, minute), apps)
        refused = int(rng.binomial(total, denied_valid)) if is_on(hour, switches, 0) else 0
        valid = [total - refused] if len(apps) == 1 else rng.multinomial(total - refused, [1 / len(apps)] * len(apps))
        for app, some in zip(apps, valid):
            put(found, (name, service, "VALID", "ALLOW", app), start, int(some))
        put(found, (name, service, "VALID", "DENY", apps[0]), start, refused)
        start += step
    return by_period(found, project)


def is_on(hour, switches, minute):
    """The share of an hour's requests that a switch refuses."""
    share = 0
    for number, at in enumerate(switches):
        if hour >= at:
            share = 1 - number % 2 if hour > at or not minute else abs(number % 2 - (1 - minute))
    return share


def add(found, rng, key, start, number, share, apps):
    denied = int(rng.binomial(number, share)) if 0 < share < 1 else number * int(share)
    for result, some in (("DENY", denied), ("ALLOW", number - denied)):
        put(found, (*key, result, "UNKNOWN" if key[2] != "CONSUMED" else apps[0]), start, some)


def put(found, key, start, number):
    if number:
        found[(*key, start)] = found.get((*key, start), 0) + number


def by_period(found, project):
    """Hours put together to days, where the pull has days."""
    if project["period"] <= HOUR:
        return found
    counts = {}
    for (*key, start), number in found.items():
        put(counts, tuple(key), start // DAY * DAY, number)
    return counts


def answer(rng, name, counts, project):
    """One answer: points newest first, periods without traffic absent."""
    series, begin, period = {}, project["begin"], project["period"]
    for (*key, start), number in sorted(counts.items(), key=lambda pair: pair[0]):
        series.setdefault(tuple(key), []).append((start, number))
    late = int(rng.choice([0, 0, 1000]))  # a microsecond after the end of the one before
    found = []
    for (_, service, security, result, app), points in series.items():
        found.append({
            "metric": {"type": METRIC, "labels": {"security": security, "result": result, "app_id": app}},
            "resource": {
                "type": "firebaseappcheck.googleapis.com/Service",
                "labels": {"resource_container": name, "location": "global", "service_id": service},
            },
            "metricKind": "DELTA",
            "valueType": "INT64",
            "points": [
                {
                    "interval": {
                        "startTime": instant_text(start + (late if start > begin else 0)),
                        "endTime": instant_text(start + period),
                    },
                    "value": {"int64Value": str(number)},
                }
                for start, number in reversed(points)
            ],
        })
    order = rng.permutation(len(found))
    return [found[place] for place in order]


def write_reads(rng, folder, name, counts, project):
    """One read, or an earlier one beside it, whose newest hours had not all arrived."""
    reads = [counts]
    if rng.random() < 0.25:
        end = project["end"] - int(rng.integers(0, 4)) * max(project["period"], HOUR)
        late = end - 3 * HOUR
        early = {k: (n if k[-1] < late else int(n * rng.uniform(0, 1))) for k, n in counts.items() if k[-1] < end}
        reads.insert(int(rng.integers(2)), {k: n for k, n in early.items() if n})
    # Only the newest read may lack its end: what an older one lacks the newer one has.
    broken = str(rng.choice(["", "nextPageToken", "executionErrors", "unreachable"], p=[0.91, 0.04, 0.025, 0.025]))
    for number, read in enumerate(reads):
        series = answer(rng, name, read, project)
        size = int(rng.integers(1, 6)) if rng.random() < 0.4 else max(1, len(series))
        pages = [series[i : i + size] for i in range(0, len(series), size)] or [[]]
        pages = [{"timeSeries": page, "unit": "1"} if page else {} for page in pages]
        for place, page in enumerate(pages[:-1]):
            page["nextPageToken"] = f"page{place + 2}"
        if broken == "nextPageToken":
            pages[-1][broken] = "more"
        elif broken == "executionErrors":
            pages[0][broken] = [{"code": 4, "message": "deadline exceeded"}]
        elif broken:
            pages[0][broken] = ["projects/1/regions/us"]
        write(rng, folder, f"{name}-{number}.json", pages, project)


def write(rng, folder, file, values, project):
    """Values one after another, pretty or in lines, or as an array; perhaps compressed."""
    form = str(rng.choice(["pretty", "lines", "array"]))
    if form == "array":
        text = json.dumps(values, indent=int(rng.integers(0, 3)) or None)
    else:
        text = "".join(json.dumps(value, indent=2 if form == "pretty" else None) + "\n" for value in values)
    project["sources"][file] = values
    if rng.random() < 0.15:
        project["sources"][f"{file}.gz"] = project["sources"].pop(file)
        (folder / f"{file}.gz").write_bytes(gzip.compress(text.encode(), mtime=0))
    else:
        (folder / file).write_text(text, encoding="utf-8")


def write_modes(rng, folder, services, project):
    listed = []
    for service in services:
        entry = {"name": f"projects/{NUMBERS['demo-prod']}/services/{service}", "etag": "x"}
        mode = str(rng.choice(["", "OFF", "UNENFORCED", "ENFORCED"], p=[0.15, 0.1, 0.45, 0.3]))
        back = int(rng.integers(0, 20 * 24)) * HOUR + int(rng.choice([0, rng.integers(HOUR)]))
        entry["updateTime"] = instant_text(project["end"] - back if mode else 0)
        if mode:
            entry["enforcementMode"] = mode
        if rng.random() < 0.9:
            listed.append(entry)
    if not listed:
        return
    answers = {"services": listed}
    form = int(rng.integers(3))
    if form:
        answers = {"status": "success", "result": listed if form == 1 else answers}
    (folder / "modes.json").write_text(json.dumps(answers, indent=1), encoding="utf-8")
    project["sources"]["modes.json"] = [answers]


def choose(rng, project):
    """As-of and policy, as data and as options."""
    flags = project["flags"]
    for name, values, probability in (
        ("maxBlocked", (0.002, 0.02, 0.05, 0.3), 0.2),
        ("confidence", (0.9, 0.99), 0.1),
        ("window", (3, 5, 10), 0.1),
        ("maxWindow", (14, 35), 0.1),
        ("minDays", (1, 3, 14), 0.15),
        ("confirm", (1, 2, 10), 0.2),
        ("maxPerWeek", (1.0, 5.0, 50.0), 0.12),
        ("requireCallers", (True,), 0.08),
        ("requiresAuth", (True,), 0.08),
    ):
        if rng.random() < probability:
            value = values[int(rng.integers(len(values)))]
            flags[name] = value
            project["options"] += ["--set", f"{KEYS[name]}={_value(name, value)}"]
    if flags.get("maxWindow", 28) < flags.get("window", 7):
        raise ValueError("a window longer than the longest")
    if rng.random() < 0.06:
        flags["assumeComplete"] = True
        project["options"] += ["--set", "assume-complete=true"]
    project["asOf"] = None
    if rng.random() < 0.12 and project["period"] == HOUR:
        day = project["end"] // DAY - int(rng.integers(1, 5))
        if day > project["begin"] // DAY:
            exact = rng.random() < 0.3
            project["asOf"] = instant_text(start_of(day) + int(rng.integers(24)) * HOUR + 30 * MINUTE if exact else start_of(day + 1) - 1)
            project["options"] += ["--as-of", project["asOf"] if exact else day_text(day)]


def as_of(project):
    return None if project["asOf"] is None else instant_from(project["asOf"])
