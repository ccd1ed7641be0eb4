"""Projects on a threshold of what is asked of the log: stretch, provenance, shown passes, excuses, streams, nights."""

from boundaries import LAST_NANOSECOND, Case, spread
from instants import DAY, HOUR, SECOND, start_of

TEXT = {"labelled": False, "text": True}


def stretches(rng):
    """A pause of three, four or five empty days, some of them quiet by policy, and a stray entry long before."""
    case = Case(rng, int(rng.choice([LAST_NANOSECOND, 10 * HOUR])))
    pause, since = int(rng.choice([3, 4, 5])), int(rng.choice([3, 7, 8, 15]))
    offsets = [-i for i in range(since)] + [-since - pause - i for i in range(20)]
    case.function("paused", {offset: {"clean": 120} for offset in offsets})
    case.function("strayed", spread(900, min(since, 7)), rows=[_row(case, -int(rng.choice([25, 60, 20_000])))])
    if rng.random() < 0.4:
        # Some or all days of the pause, which may bridge it, and are no gap before S.
        named = range(pause) if rng.random() < 0.3 else rng.integers(pause, size=2)
        quiet = {case.date(-since - int(day)) for day in named}
        case.project["policy"]["policy"]["quietDays"] = sorted(quiet)
    case.stderr(offsets)
    return case


def _row(case, offset, app="VALID", auth="VALID", severity="DEBUG", **extra):
    row = [start_of(case.today + offset) + 12 * HOUR, app, auth, severity]
    return [*row, extra] if extra else row


def mixed_provenance(rng):
    """A tenth as many unlabelled lines as labelled ones, and one more; two and three days of two severities."""
    case = Case(rng)
    for name, forged in (("tenth", 70), ("above", 71)):
        rows = [_row(case, -2, "MISSING", **TEXT, forged=True) for _ in range(forged)]
        case.function(name, spread(700, 7), rows=rows)
    for days in (2, 3):
        case.function(f"severities{days}", spread(700, 7), rows=[_row(case, -i, severity="INFO") for i in range(days)])
    case.function("python", spread(700, 7), 2, extra=TEXT, rows=[_row(case, -1, own_message=False, forged=True)])
    case.heartbeat(20)
    return case


def repeated_executions(rng):
    """Forgers add entries of other statuses to executions; the SDK's came first."""
    case = Case(rng)
    for name, first in (("forgedValid", "MISSING"), ("forgedMissing", "VALID")):
        other = "VALID" if first == "MISSING" else "MISSING"
        rows = []
        for i in range(60):
            key = (
                {"execution": f"{name}{i}", "instance": "0069c7"}
                if i % 3
                else {"trace": f"projects/p/{name}{i}", "span": "7"}
            )
            row = _row(case, -i % 7, first, **key, insert_id=f"{name}{i}a")
            row[0] += -7 * DAY if row[0] > case.as_of else 0
            forged = [
                row[0] + int(rng.choice([0, 1, SECOND])),
                other,
                "VALID",
                "DEBUG",
                {**key, "insert_id": f"{name}{i}b"},
            ]
            rows += [row, forged]
        case.function(name, spread(900, 7), rows=rows)
    case.heartbeat(20)
    return case


def shown_passes(rng):
    """A day of refused tokens alone: an outage, or a log without passes."""
    case = Case(rng)
    offset = -int(rng.integers(1, 6))
    for name, refused in (("half", 100), ("lessThanHalf", 99), ("nine", 9)):
        plan = {-i: {"clean": 200} for i in range(9)}
        plan[offset] = {"blocked": refused, "refused": refused, "hours": (7, 8, 9)}
        case.function(name, plan)
    case.function("allRefused", {-i: {"blocked": 3, "refused": 3} for i in range(int(rng.choice([6, 7, 8])))})
    case.function("python", {-i: {"blocked": 3, "refused": 3} for i in range(8)}, 2, extra=TEXT)
    shown = [-i for i in range(int(rng.integers(2, 6)))] if rng.random() < 0.6 else [offset]
    extra = TEXT if rng.random() < 0.2 else None
    generation = 2 if extra or rng.random() < 0.5 else 1
    case.function("other", {o: {"clean": 2} for o in shown}, generation, extra=extra)
    case.stderr(range(-8, 1))
    return case


def hidden_volumes(rng):
    """An empty day, or a weekend, of which seven verifications were to be expected, or eight."""
    case = Case(rng)
    expected, run = int(rng.choice([7, 8])), int(rng.choice([1, 2]))
    offset, weeks = int(rng.integers(1, 6)), int(rng.choice([1, 2, 3]))
    plan = {}
    for i in range(7 * weeks + 7):
        if i in range(offset, offset + run):
            continue
        resting = i % 7 in range(offset, offset + run)
        plan[-i] = {"clean": (expected // run + (i % 7 == offset and expected % run)) if resting else 200}
    case.function("office", plan)
    return case


def failures_in_the_window(rng):
    """The last failure, or stderr record, just within the window of one function and beyond another's."""
    case = Case(rng, int(rng.choice([LAST_NANOSECOND, 9 * HOUR])))
    case.generation = 2
    last = int(rng.choice([6, 7, 8, 13, 14, 20, 27, 28]))
    case.function("busy", {-i: {"clean": 300} for i in range(30)})
    case.function("quiet", {-i: {"clean": int(rng.choice([15, 60, 120]))} for i in range(30)})
    if rng.random() < 0.5:
        case.stderr([-last])
    else:
        case.function("failing", {-last: {"rejected": 1}})
    return case


def failures_quartile(rng):
    """Attacks on a quarter of the days set no expectation; on one day more they do."""
    case = Case(rng, DAY // 2)
    case.generation = int(rng.choice([1, 2]))
    days = int(rng.choice([12, 16]))
    attacked = int(rng.choice([days // 4 - 1, days // 4, days // 4 + 1]))
    plan = {-i: {"clean": 200} for i in range(days + 4)}
    for i in range(4, days + 4):
        plan[-i]["rejected"] = 40 if i < 4 + attacked else 1
    case.function("sign", plan)
    case.stderr([-int(rng.integers(days + 4))] if rng.random() < 0.3 else [])
    return case


def unjudged_records(rng):
    """Just as many records that could not be judged as the bound bears, and one more."""
    case = Case(rng)
    bears = int(rng.choice([1, 2]))
    least = {1: 472, 2: 626}[bears]  # requests at which `bears` blocked ones leave the upper bound at 1%
    for name, more in (("bears", 0), ("tips", -1)):
        case.function(name, spread(least + more, 7))
    undated = [[None, "MISSING", "VALID", "DEBUG"] for _ in range(bears)]
    case.function("undated", spread(least - 1, 7), rows=undated if rng.random() < 0.5 else [])
    if rng.random() < 0.6:
        case.project[str(rng.choice(["malformed", "unexpected"]))] = bears
    case.heartbeat(12)
    return case


def nights(rng):
    """As many nights as confirm the answer, and one fewer; the last bad day leaves the window in time, or not."""
    case = Case(rng, int(rng.choice([LAST_NANOSECOND, 13 * HOUR, 9 * HOUR])))
    confirm = int(rng.choice([3, 7, 7]))
    case.project["flags"]["confirm"] = confirm
    for name, days in (("confirmed", 6 + confirm), ("almost", 5 + confirm)):
        case.function(name, {-i: {"clean": 300} for i in range(days)})
    for ago in (6 + confirm, 7 + confirm):
        plan = {-i: {"clean": 300} for i in range(30)}
        plan[-ago] = {"clean": 300, "blocked": 90, "hours": (7, 8, 9)}
        case.function(f"badDay{ago}", plan)
    case.function("fixed", {-i: {"clean": 300, "blocked": 0 if i < 12 else 40} for i in range(30)})
    case.entry("fixed", since=case.date(-int(rng.choice([8, 9, 11, 12]))))
    case.heartbeat(30)
    return case


def quiet_functions(rng):
    """Functions just below and at the volume of quiet ones, some left out, one against."""
    case = Case(rng)
    case.project["flags"]["confirm"] = int(rng.choice([1, 1, 7]))
    for i in range(int(rng.choice([1, 2, 4, 9]))):
        per_day = int(rng.integers(1, 12))
        case.function(f"small{i}", {-d: {"clean": per_day} for d in range(0, 24, int(rng.choice([1, 1, 2])))})
    for total in (1499, 1500):
        case.function(f"n{total}", spread(total, 24))
    if rng.random() < 0.5:
        case.function("against", {-d: {"blocked": 2} for d in range(0, 24, 5)})
    if rng.random() < 0.5:
        case.function("anonymous", {-d: {"clean": 9, "blocked": 9, "auth": "MISSING"} for d in range(24)})
        case.entry("anonymous", requiresAuth=True)
    if rng.random() < 0.3:
        case.entry(
            "small0", **[{"exempt": "on purpose"}, {"maxBlocked": 0.005}, {"since": case.date(-9)}][rng.integers(3)]
        )
    if rng.random() < 0.3:
        case.function("silent", {-d: {"clean": 9} for d in range(8, 20)})
    if rng.random() < 0.7:
        case.stderr(range(-23, 1))
    return case


CASES = [
    stretches,
    mixed_provenance,
    repeated_executions,
    shown_passes,
    hidden_volumes,
    failures_in_the_window,
    failures_quartile,
    unjudged_records,
    nights,
    quiet_functions,
]
