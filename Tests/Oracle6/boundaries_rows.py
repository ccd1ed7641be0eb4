"""Boundaries of what request rows show, and of the days of a new function."""

from boundaries import LAST_NANOSECOND, Case
from instants import DAY, HOUR, start_of


# What a request of a plan is: its statuses, and what its execution says; a number behind it is the status of its row.
REQUESTS = {
    "missing": ("MISSING", "VALID"),
    "anonymous": ("MISSING", "MISSING"),
    "invalid": ("INVALID", "VALID"),
    "allowed": ("INVALID", "VALID", "allowing"),
    "caused": ("INVALID", "VALID", "cause"),
    "forged": ("MISSING", "VALID", "forged"),
    "other": ("OTHER", "MISSING"),
    "badAuth": ("MISSING", "INVALID"),
    "valid": ("VALID", "VALID"),
    "validAnonymous": ("VALID", "MISSING"),
}


def request(key, instant, lines, generation=2, **extra):
    """A row of a description; `missing401` is MISSING/VALID and answered 401, `missing` has no row. Generation 1 has
    no rows: there a line says the status."""
    name = key.rstrip("0123456789")
    status = int(key.removeprefix(name) or 0)
    app, auth, *said = REQUESTS[name]
    if generation == 1 and status:
        said, status = [*said, status], 0
    if said:
        extra.update(execution=f"r{instant:011x}", instance="0069c7request" if generation == 2 else None)
        later = {"cause": -1_000_000, "allowing": 1_000_000, "forged": 1_000_000}
        lines += [[instant + later.get(what, 20_000_000), extra["execution"], what] for what in said]
    severity = "WARNING" if "INVALID" in (app, auth) else "DEBUG"
    return [instant, app, auth, severity, {**extra, **({"status": status} if status else {})}]


def answered(case, name, plan, unlogged=(), **answers):
    """A function of generation 2 with a row for each clean verification; a plan's `missing401=3` are three more
    requests MISSING/VALID answered 401, and so on."""
    clean, extra, lines = {}, [], []
    for offset, counts in plan.items():
        clean[offset] = {"clean": counts.get("clean", 0)}
        for key, count in counts.items():
            for i in range(count if key != "clean" else 0):
                instant = start_of(case.today + offset) + (i % 9) * HOUR + len(extra) * 1_000_003
                extra.append(request(key, instant, lines))
    case.function(name, clean, generation=2, rows=extra, extra={"status": answers.get("clean", 200)})
    function = case.project["functions"][-1]
    function["unjoined"] = [[start_of(case.today + offset) + HOUR, status] for offset, status in unlogged]
    function["lines"] = lines


def unlogged(rng):
    """Requests that were answered, or crashed, and left no verification."""
    case = Case(rng, int(rng.choice([LAST_NANOSECOND, 9 * HOUR])))
    days = range(int(rng.choice([14, 26])))
    plan = {-i: {"valid200": 200} for i in days}
    answered(case, "one", plan, unlogged=[(0, 200)])
    answered(case, "many", plan, unlogged=[(-i, 200) for i in range(5)])
    answered(case, "others", plan, unlogged=[(0, 401), (-1, 500)])
    answered(case, "before", plan, unlogged=[(-7, 200)])
    answered(case, "small", {-i: {"valid200": 20} for i in days}, unlogged=[(-int(rng.integers(0, 9)), 200)])
    case.function("old", {-i: {"clean": 45} for i in days}, generation=1)
    case.project["functions"][-1]["unjoined"] = [[start_of(case.today - i) + HOUR, 204] for i in range(int(rng.integers(4)))]
    case.stderr(range(1 - len(days), 1))
    return case


def proven_gaps(rng):
    """A day on which the project has nothing but a request that was answered: no excuse holds."""
    case = Case(rng)
    quiet = -int(rng.integers(1, 6))
    if rng.random() < 0.5:
        case.project["policy"]["policy"]["quietDays"] = [case.date(quiet)]
    status, number = int(rng.choice([200, 204, 401, 500, 500])), int(rng.choice([1, 9, 10]))
    plan = {-i: {"valid200": 300} for i in range(28) if -i not in (quiet, quiet - 7)}
    answered(case, "f", plan, unlogged=[(quiet, status)] * number if rng.random() < 0.8 else [])
    answered(case, "g", plan)
    case.stderr(offset for offset in range(-27, 1) if offset not in (quiet, quiet - 7))
    if rng.random() < 0.3:
        case.project["flags"]["assumeComplete"] = True
    return case


def new_functions(rng):
    """Functions and fixes of the last days: when there will be enough is reckoned by the days that there were."""
    case = Case(rng, int(rng.choice([LAST_NANOSECOND, 9 * HOUR, 13 * HOUR])))
    case.project["flags"]["confirm"] = int(rng.choice([1, 3, 7]))
    case.heartbeat(30, offsets=[o for o in range(-29, 1) if rng.random() < 0.9 or o > -9])
    for days in (1, 2, 3, int(rng.integers(4, 9))):
        per_day = int(rng.choice([7, 40, 90, 300]))
        blocked = int(rng.choice([0, 0, 1, 3]))
        case.function(f"new{days}", {-i: {"clean": per_day, "blocked": blocked} for i in range(days)})
        case.function(f"fixed{days}", {-i: {"clean": per_day, "blocked": 0 if i < days else 50} for i in range(20)})
        case.entry(f"fixed{days}", since=case.date(1 - days))
        case.function(f"again{days}", {-i: {"clean": per_day} for i in (*range(days), *range(days + 3, 20))})
    case.entry("again*", since=case.date(-int(rng.integers(2, 7))))
    return case


def shared_traces(rng):
    """Requests that share a trace and have no span: as many rows as verifications belong to them, in no known order."""
    case = Case(rng, int(rng.choice([LAST_NANOSECOND, 9 * HOUR])))
    case.project["policy"]["policy"]["requireCallers"] = bool(rng.random() < 0.4)
    for name, plan in (
        ("two", {-i: {"clean": 150, "missing200": 2 * (i in (1, 2))} for i in range(14)}),
        ("many", {-i: {"clean": 150, "missing200": 8 * (i in (1, 2))} for i in range(14)}),
        ("small", {-i: {"clean": 12, "missing200": 5 * (i < 2)} for i in range(26)}),
        ("clean", {-i: {"clean": 300} for i in range(14)}),
    ):
        answered(case, name, plan)
        _share(rng, case.project["functions"][-1], int(rng.choice([1, 4, 30])))
    if rng.random() < 0.5:
        case.stderr(range(-13, 1))
    return case


def _share(rng, function, groups):
    rows = sorted(function["verifications"], key=lambda row: (row[1] == "VALID", row[0]))
    for group in range(groups):
        size = int(rng.integers(2, 4))
        # From the blocked ones on, where only every other group takes some.
        first = size * group if group % 2 else int(rng.integers(len(rows) - size))
        members = [row for row in rows[first : first + size] if "status" in row[4]]
        members = [row for row in members if row[0] // DAY == members[0][0] // DAY]
        if len(members) < 2:
            continue
        trace = f"projects/{function['project']}/traces/5a{function['service']}{group}"
        for row in members:
            row[4] = {"row_unknown": True, "trace": trace}
        if rng.random() < 0.2:
            function["unjoined"].append([members[0][0] + 1, 200, trace])


CASES = [unlogged, proven_gaps, new_functions, shared_traces]
