"""More projects on a threshold: policy, pairs of generations, gaps, advice and forecasts."""

from boundaries import LAST_NANOSECOND, Case, spread
from instants import HOUR


def superseded_pairs(rng):
    case = Case(rng)
    case.function("movedAway", spread(2000, 10, skip=7), generation=1)
    case.function("movedaway", spread(2000, 7), generation=2)
    case.function("stillHere", spread(2000, 10, skip=6), generation=1)
    case.function("stillhere", spread(2000, 7), generation=2)
    case.function("add_message", spread(2000, 10, skip=int(rng.choice([8, 15, 22]))), generation=1)
    case.function("add_message", {-6: {"clean": 1}}, generation=2)
    case.function("too_old", spread(400, 10, skip=8), generation=1)
    case.function("too_old", {-7: {"clean": 1}}, generation=2)
    case.heartbeat(35)
    return case


def gaps(rng):
    """A silent weekday is excused by its like a week earlier, once the project had begun by then."""
    case = Case(rng)
    days = int(rng.choice([7, 12, 13, 14, 15, 22]))
    silent = {(int(rng.integers(1, 6)) + week * 7 * int(rng.integers(1, 3))) for week in range(3)} | {
        int(rng.integers(0, 9))
    }
    offsets = [-i for i in range(days) if i not in silent or i == days - 1]
    case.function("weekly", {offset: {"clean": 300} for offset in offsets})
    case.function("small", {offset: {"clean": 15} for offset in offsets})
    case.heartbeat(0, offsets)
    if rng.random() < 0.25:
        case.project["flags"]["assumeComplete"] = True
    return case


def enforced_since(rng):
    case = Case(rng)
    plan = {-i: {"clean": 200} for i in range(9)}
    case.function("calm", plan)
    case.function("onTheDay", {**plan, -3: {"clean": 200, "blocked": 50, "hours": (8, 9, 10)}})
    case.function("dayAfter", {**plan, -2: {"clean": 200, "blocked": 50, "hours": (8, 9, 10)}})
    case.function("anonymous", {**plan, -2: {"clean": 200, "blocked": 50, "auth": "MISSING"}})
    case.function("before", {**plan, -8: {"clean": 200, "blocked": 90}})
    case.function("silentSince", spread(900, 4, skip=5))
    for name, blocked in (("locked", 12), ("nearlyLocked", 4)):
        case.function(name, {**plan, **{-i: {"clean": 200, "blocked": blocked} for i in range(3)}})
    case.entry("*", enforced=case.date(-3))
    case.entry("heartbeat", exempt="the error channel must work when App Check is down")
    case.heartbeat(10)
    return case


def since_a_fix(rng):
    case = Case(rng, int(rng.choice([LAST_NANOSECOND, 10 * HOUR])))
    fix = -int(rng.choice([3, 5, 6, 7, 9]))
    before = {-i: {"clean": 80, "blocked": 30, "hours": (6, 7, 8)} for i in range(1 - fix, 20)}
    case.function("fixed", {**before, **{-i: {"clean": 200} for i in range(-fix + 1)}})
    case.function("startsLater", {**before, **{-i: {"clean": 300} for i in range(-fix - 1)}})
    case.function("notFixed", {-i: {"clean": 200, "blocked": 9} for i in range(20)})
    case.entry("*fixed", since=case.date(fix))
    case.entry("starts*", since=case.date(fix), maxBlocked=0.02)
    case.heartbeat(0, [-i for i in range(25) if i != 4 and i != -fix + 1])
    return case


def clean_streaks(rng):
    case = Case(rng)
    for streak in (1, 2, 3):
        case.function(f"streak{streak}", {-i: {"clean": 90, "blocked": 0 if i < streak else 8} for i in range(12)})
    case.function("pausing", {-i: {"clean": 90, "blocked": 0 if i < 4 else 8} for i in range(12) if i not in (1, 2)})
    case.heartbeat(12)
    return case


def trends(rng):
    """Falling rates that a steady rate would not bring below the maximum."""
    case = Case(rng)
    for name, factor, size in (("steep", 0.7, 150), ("gentle", 0.88, 300), ("flat", 1.0, 100), ("rising", 1.05, 100)):
        last = float(rng.uniform(0.012, 0.03))
        plan = {}
        for i in range(16):
            blocked = min(size, round(size * last / factor**i))
            plan[-i] = {"clean": size - blocked, "blocked": blocked, "hours": (7, 8, 9, 10)}
        case.function(name, plan)
    case.function("fixedNow", {-i: {"clean": 60, "blocked": 0 if i < 3 else 12, "hours": (6, 7, 8)} for i in range(9)})
    case.function("separated", {-i: {"clean": 50, "blocked": 50 if i > 9 else 0} for i in range(14)})
    case.heartbeat(20)
    return case


def noisy_trends(rng):
    """Rates that fall unevenly, from surely to hardly: the scaled standard error decides whether it is a trend."""
    case = Case(rng)
    for k in range(12):
        factor, noise = 0.72 + 0.02 * k, rng.uniform(0.2, 0.6)
        plan = {}
        for i in range(14):
            share = min(0.9, 0.03 / factor**i) * (1 + noise * (-1) ** i)
            blocked = min(59, round(60 * share))
            plan[-i] = {"clean": 60 - blocked, "blocked": blocked, "hours": (7, 8)}
        case.function(f"noisy{k}", plan)
    case.heartbeat(20)
    return case


def recent_trouble(rng):
    case = Case(rng)
    for ago in (6, 7, 20, 27, 28):
        plan = {-i: {"clean": 260} for i in range(8)}
        plan[-ago] = {"clean": 260, "blocked": 40, "hours": (7, 8, 9, 10)}
        case.function(f"ago{ago}", plan)
    case.heartbeat(30)
    return case


def after_the_as_of(rng):
    """Everything after the as-of's day is counted and changes nothing: no failure, no stderr, no gap, no age."""
    case = Case(rng, int(rng.choice([LAST_NANOSECOND, 13 * HOUR])))
    later = {offset: {"clean": 5, "blocked": 40, "refused": 20, "rejected": 3, "hours": (7, 8, 9)} for offset in (1, 2)}
    case.function("calm", {**spread(900, 8), **later}, generation=2)
    case.function("calmInOne", {**spread(900, 8), **later}, generation=1)
    case.function("notYet", {3: {"clean": 30}}, generation=2)
    case.stderr([1, 2])
    return case


def horizon(rng):
    """The sixtieth day to come is looked at, the next is not: the age is what is missing."""
    case = Case(rng)
    case.project["flags"]["minDays"] = int(rng.choice([67, 68]))
    case.function("ageless", spread(2100, 7))
    case.heartbeat(9)
    return case


def anonymous_only(rng):
    case = Case(rng)
    case.function("bots", {-i: {"clean": 200, "blocked": 15, "auth": "MISSING", "hours": (6, 7, 8)} for i in range(15)})
    case.function("botsOnQuiet", {-i: {"clean": 25, "blocked": 1, "auth": "MISSING"} for i in range(29)})
    case.function("users", {-i: {"clean": 200, "blocked": 15, "hours": (6, 7, 8)} for i in range(15)})
    case.function("adminBots", {-i: {"clean": 250, "blocked": 15, "auth": "MISSING"} for i in range(15)})
    case.function("closed", {-i: {"clean": 250, "blocked": 15, "auth": "MISSING"} for i in range(15)})
    case.entry("admin*", requiresAuth=True)
    if rng.random() < 0.4:
        case.project["flags"]["requiresAuth"] = True
        case.entry("closed", requiresAuth=False)
    case.heartbeat(30)
    return case


def late_trouble(rng):
    """Quiet enough for a longer window, in which the last week's trouble drowns: the last W days alone still count."""
    case = Case(rng)
    plan = {-i: {"clean": 140, "blocked": 3 + (i == 0), "hours": (7, 8, 9)} for i in range(7)}
    case.function("lastWeek", {**plan, **{-i: {"clean": 250} for i in range(7, 14)}})
    case.function(
        "lastWeekRefused",
        {**{i: {**day, "refused": 2} for i, day in plan.items()}, **{-i: {"clean": 250} for i in range(7, 14)}},
    )
    # The whole window is in trouble and mostly missing; the last week mostly refused: the first of the two decides.
    case.function(
        "bothMixed",
        {
            **{i: {**day, "refused": 3} for i, day in plan.items()},
            **{-i: {"clean": 90, "blocked": 9} for i in range(7, 14)},
        },
    )
    case.heartbeat(30)
    return case


def nothing_today(rng):
    case = Case(rng, int(rng.choice([HOUR, 13 * HOUR, LAST_NANOSECOND])))
    silent = int(rng.integers(1, 4))
    case.function("sleeping", spread(3000, 10, skip=silent))
    case.heartbeat(0, [-i for i in range(silent, 21)])
    return case


CASES = [
    superseded_pairs,
    gaps,
    enforced_since,
    since_a_fix,
    clean_streaks,
    trends,
    noisy_trends,
    recent_trouble,
    anonymous_only,
    late_trouble,
    nothing_today,
    after_the_as_of,
    horizon,
]
