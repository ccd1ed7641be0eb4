"""Boundaries of the newest requests, of few a week, of clients left out, and of bursts within four weeks."""

from agents import ANDROID, apple, said_by
from boundaries import LAST_NANOSECOND, Case
from boundaries_callers import Sent, called
from instants import DAY, HOUR, SECOND, start_of

MINUTE = 60 * SECOND


def newest(rng):
    """An outage of the last hour: as many as 15 of the newest 20, for half an hour, at an hour at which others come."""
    case = Case(rng, 20 * HOUR)
    app = str(rng.choice(["MISSING", "INVALID"]))
    case.heartbeat(20)

    def function(name, blocked, of=20, span=30 * MINUTE, usual=4, invalid=None, auth="VALID", day=0, more=()):
        last = case.as_of + day * DAY
        kinds = [app if invalid is None else "INVALID" if i < invalid else "MISSING" for i in range(blocked)]
        rows = [
            [last - span + span * i // (blocked - 1), kind, auth, "WARNING" if kind == "INVALID" else "DEBUG"]
            for i, kind in enumerate(kinds)
        ]
        # The good ones among the newest came in between.
        rows += [[last - span // 2 + i, "VALID", auth, "DEBUG"] for i in range(of - blocked)]
        rows += [
            [start_of(case.today - i) + 19 * HOUR + 1800 * SECOND, "VALID", "MISSING", "DEBUG"]
            for i in range(1, usual + 1)
        ]
        plan = {-i: {"clean": 400} for i in range(12)}
        case.function(name, plan, rows=[*rows, *more])

    function("fifteen", 15)
    function("fourteen", 14)
    function("halfAnHour", 18, span=30 * MINUTE)
    function("less", 18, span=30 * MINUTE - 1)
    function("threeDays", 18, usual=3)
    function("halfInvalid", 16, invalid=8)
    function("fewerInvalid", 16, invalid=7)
    function("anonymous", 18, auth="MISSING")
    function("yesterday", 18, day=-1)
    good = [[case.as_of + 1 + i, "VALID", "VALID", "DEBUG"] for i in range(9)]
    function("andThenGood", 18, more=good)
    if rng.random() < 0.3:
        case.project["flags"]["requiresAuth"] = True
    return case


def fewer_than_twenty(rng):
    """Quiet functions have fewer than 20 in two days; none before `since` counts."""
    case = Case(rng, int(rng.choice([20 * HOUR, 13 * HOUR])))
    since = int(rng.choice([0, 1]))
    case.project["flags"]["confirm"] = 1
    for count in (14, 15, 16):
        for name in ("quiet", "cut"):
            rows = [
                [case.as_of - (i + 1) * 10 * MINUTE - (DAY if i >= 12 else 0), "MISSING", "VALID", "DEBUG"]
                for i in range(count)
            ]
            rows += [
                [case.as_of - d * DAY - h * HOUR, "VALID", "VALID", "DEBUG"] for d in range(2, 28) for h in range(3)
            ]
            case.function(f"{name}{count}", {}, rows=rows)
    case.entry("cut*", since=case.date(-since))
    case.heartbeat(30)
    if rng.random() < 0.6:
        case.project["policy"]["policy"]["maxPerWeek"] = int(rng.choice([50, 100]))
    return case


def few_a_week(rng):
    """At most one, or three, a week: how many days without one refused, and with one or two."""
    case = Case(rng, int(rng.choice([LAST_NANOSECOND, 13 * HOUR, 9 * HOUR])))
    case.project["flags"]["confirm"] = int(rng.choice([1, 1, 1, 7]))
    most = float(rng.choice([1, 3]))
    case.project["policy"]["policy"]["maxPerWeek"] = most
    for days in {1: (20, 21, 22), 3: (6, 7, 8, 12, 15)}[most]:
        for blocked in (0, 1, 2) if most == 3 else (0,):
            plan = {-i: {"clean": 3, "blocked": i in range(2, 2 + blocked)} for i in range(days)}
            case.function(f"few{days}and{blocked}", plan)
    big = {-i: {"clean": 50, "blocked": 0} for i in range(28)}
    case.function("safe", big)
    case.function("week3", {**big, -1: {"clean": 2, "blocked": 3}})
    case.function("week4", {**big, -1: {"clean": 2, "blocked": 4}})
    for clean in (1, 2):
        quiet = {-i: {"clean": 9 if i > 8 else 0} for i in range(28)}
        case.function(f"halfOfAWeek{clean}", {**quiet, -1: {"clean": 0, "blocked": 1}, -2: {"clean": clean}})
    case.function("trouble", {-i: {"clean": 4, "blocked": i == 20, "hours": (7, 8, 9)} for i in range(28)})
    case.function("byEntry", {-i: {"clean": 4, "blocked": i == 20} for i in range(28)})
    case.entry("byEntry", maxPerWeek=0.9)
    case.function("undated", {-i: {"clean": 3} for i in range(27)}, rows=[[None, "MISSING", "VALID", "DEBUG"]])
    case.heartbeat(30)
    return case


def left_out(rng):
    """Your own simulators and jobs."""
    case = Case(rng)
    case.project["policy"]["policy"]["ignoreClients"] = ["iosSimulator", "tool", "none", "webLocal"]
    if rng.random() < 0.3:
        case.project["flags"]["ignoreClients"] = ["server", "node"]
    simulator, local = apple(machine="sim"), (said_by("chrome")["agent"], "http://[::1]:5000/a")
    for name, client in (
        ("simulator", simulator),
        ("tool", "curl/8.5.0"),
        ("local", local),
        ("none", None),
        ("node", "node"),
    ):
        called(case, name, Sent(range(-6, 1), 30, client, hour=7), Sent((0, -1), 3, ANDROID), clean=150)
    sent = [Sent((-2,), 15, simulator, hour=hour) for hour in (3, 4)]
    called(case, "hours", *sent, Sent((-2,), 20, ANDROID, hour=5), clean=300)
    called(case, "noneLeft", Sent(range(-9, 1), 5, simulator), clean=0)
    called(case, "bare", Sent(range(-9, 1), 3, None, has_row=False), Sent((0,), 1, simulator), clean=90)
    called(case, "quiet", Sent((-2, -3), 4, simulator), clean=8, days=28)
    called(case, "quiet2", Sent((-2, -3), 4, "curl/8.5.0"), clean=8, days=28)
    return case


def bursts(rng):
    """Ten blocked requests within two hours, and nine, and within three; four weeks ago and before."""
    case = Case(rng)
    case.heartbeat(35)
    ago = int(rng.choice([2, 9, 27]))
    for name, blocked, hours in (
        ("ten", 10, (7, 8)),
        ("nine", 9, (7, 8)),
        ("three", 12, (7, 8, 9)),
        ("one", 30, (3,)),
    ):
        plan = {-i: {"clean": 300} for i in range(30)}
        plan[-ago] = {"clean": 60, "blocked": blocked, "hours": hours}
        case.function(name, plan)
    for late in (27, 28):
        plan = {-i: {"clean": 300} for i in range(30)}
        plan[-late] = {"clean": 60, "blocked": 40, "hours": (7,) if rng.random() < 0.5 else (7, 8, 9)}
        case.function(f"ago{late}", plan)
    case.function(
        "waiting", {-i: {"clean": 200, "blocked": 9 if i < 3 or i == 20 else 0, "hours": (6, 7, 8)} for i in range(30)}
    )
    case.function("since", {-i: {"clean": 300, "blocked": 30 * (i == 12)} for i in range(30)})
    case.entry("since", since=case.date(-int(rng.choice([11, 12]))))
    return case


CASES = [newest, fewer_than_twenty, few_a_week, left_out, bursts]
