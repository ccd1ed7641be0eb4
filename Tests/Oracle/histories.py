"""Small projects whose functions were switched on, back, or in part, at any time of a day; most of their requests are signs.

A project is as `make_projects` describes it, so that it can be written as an export and judged by the oracle.
"""

from agents import said_by
from callers import random_callers
from instants import DAY, HOUR, SECOND, day_text, instant_text
from request_rows import answer, random_manner
from switches import switching

KINDS = ("never", "always", "on", "on", "on", "back", "again", "canary", "canary")
FUNCTIONS = (("sendNotice", 2), ("checkout", 2), ("rateDriver", 1), ("order_status", 2))
MINUTE = 60 * SECOND


def random_history(rng):
    today = 20_700 + int(rng.integers(28))
    days = int(rng.choice([6, 12, 20, 33]))
    end = today * DAY + int(rng.choice([DAY - 1, rng.integers(HOUR, DAY), DAY // 2]))
    project = {
        "functions": [],
        "stderr": {"demo-prod": [day * DAY + HOUR for day in range(today - days + 1, today + 1)]},
        "asOf": None,
        "flags": {"confirm": int(rng.choice([1, 7]))},
        "policy": {"policy": {}, "functions": []},
        "options": [],
    }
    for name, generation in FUNCTIONS[: int(rng.integers(1, 5))]:
        function = _function(rng, name, generation, today - days + 1, end)
        project["functions"].append(function)
        switch = _answer(rng, function, end)
        if rng.random() < 0.4 and switch is not None:
            project["policy"]["functions"].append({"match": name, "enforced": _written(rng, switch)})
    if rng.random() < 0.3:
        project["asOf"] = instant_text(end - int(rng.choice([0, HOUR, DAY])))
        project["options"] = ["--as-of", project["asOf"]]
    if rng.random() < 0.2:
        project["policy"]["policy"]["ignoreClients"] = ["tool", "server", "iosSimulator"]
    return project


def _function(rng, name, generation, first, end):
    per_day, lacking = int(rng.choice([4, 15, 60, 150])), float(rng.choice([0.02, 0.1, 0.4, 0.8]))
    invalid, anonymous = float(rng.choice([0, 0.3, 1])), float(rng.choice([0, 0, 0.3]))
    rows = []
    for day in range(first, end // DAY + 1):
        for _ in range(int(rng.poisson(per_day))):
            instant = day * DAY + int(rng.integers(DAY // SECOND)) * SECOND + int(rng.integers(SECOND))
            lacks = rng.random() < lacking
            app = ("INVALID" if rng.random() < invalid else "MISSING") if lacks else "VALID"
            auth = str(rng.choice(["MISSING", "VALID", "INVALID"], p=[anonymous, 0.99 - anonymous, 0.01]))
            rows.append([instant, app, auth, "WARNING" if "INVALID" in (app, auth) else "DEBUG"])
    # One at the end, so that there is no doubt about T.
    rows = sorted(row for row in rows if row[0] < end) + [[end, "VALID", "VALID", "DEBUG"]]
    service = name.lower().replace("_", "-")
    return {
        "project": "demo-prod",
        "region": "us-central1",
        "name": name if generation == 1 else name.lower(),
        "service": None if generation == 1 else service,
        "generation": generation,
        "verifications": rows,
    }


def _answer(rng, function, end):
    """Answers its requests; returns the instant of the switch, if any."""
    rows = function["verifications"]
    first = rows[0][0]
    manner = random_manner(rng, switching(rng, str(rng.choice(KINDS)), first, end), rows_from=first)
    caller_of = random_callers(rng, sorted({row[0] // DAY for row in rows}))
    answer(rng, function, manner, lambda row: said_by(caller_of(row)))
    switch = manner.switching.switch
    later = [row for row in rows if switch is not None and row[0] > switch and "status" in row[4]]
    valid = [row for row in later if row[1:3] == ["VALID", "VALID"]]
    if valid and rng.random() < 0.4:
        valid[rng.integers(len(valid))][4]["status"] = 401
    return switch


def _written(rng, switch):
    """A date, one day late or early, an instant, or one of about that time."""
    kind = rng.integers(6)
    if kind < 3:
        return day_text(switch // DAY + int(rng.choice([0, 0, 0, 1, 1, -1])))
    minute = (switch + int(rng.choice([0, -HOUR, 3 * HOUR]))) // MINUTE * MINUTE
    return instant_text(minute).replace(":00Z", "Z") if kind < 5 else instant_text(switch)
