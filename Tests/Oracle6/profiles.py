"""Made-up functions with the traffic real ones have: weekly rhythm, bursts, fixes, silence, filters."""

from dataclasses import dataclass, field
from math import exp

from instants import DAY, HOUR, start_of

ANY_HOUR = tuple(range(24))


@dataclass
class Profile:
    """Mean traffic of a function; days are counted from the project's first."""

    rate: float  # admitted requests on a full weekday
    blocked: object = 0.0  # share, or a function of the day
    weekend: float = 1.0  # factor
    starts: int = 0
    stops: int = 10**6  # first day without traffic
    silent: set = field(default_factory=set)
    signed_in: float = 0.8  # share of admitted and not blocked
    blocked_signed_in: float = 0.6
    refused: object = 0.2  # share of blocked with app INVALID, or a function of the day
    other: float = 0.01  # share of blocked with app OTHER
    bad_auth: float = 0.01  # requests with auth INVALID, on top
    burstiness: float = 0.0  # squared coefficient of variation of a day's blocked share
    hours: object = None  # day -> hours in which blocked requests fall; None: any
    passes_seen: object = None  # day -> bool; None: always
    failures_seen: object = None
    severity: str = "DEBUG"

    def at(self, name, day):
        value = getattr(self, name)
        return value(day) if callable(value) else value


def generate(profile, rng, first_day, end):
    """Rows (instant, app, auth, severity) from the first day to the instant `end`, unsorted."""
    rows = []
    for day in range(first_day, end // DAY + 1):
        index = day - first_day
        if not profile.starts <= index < profile.stops or index in profile.silent:
            continue
        mean = profile.rate * (profile.weekend if (day + 4) % 7 in (0, 6) else 1)
        admitted = int(rng.poisson(mean))
        share = profile.at("blocked", index)
        if profile.burstiness and share:
            share = min(1.0, share * rng.gamma(1 / profile.burstiness, profile.burstiness))
        blocked = int(rng.binomial(admitted, min(1.0, share)))
        bad_auth = int(rng.binomial(admitted, profile.bad_auth))
        hours = profile.at("hours", index) if profile.hours else ANY_HOUR
        for kind, count in (("clean", admitted - blocked), ("blocked", blocked), ("bad auth", bad_auth)):
            for _ in range(count):
                app, auth = _statuses(profile, rng, kind, index)
                failed = "INVALID" in (app, auth)
                instant = _instant(rng, day, hours if kind == "blocked" else ANY_HOUR)
                if instant <= end and _seen(profile, failed, index):
                    rows.append([instant, app, auth, "WARNING" if failed else profile.severity])
    return rows


def _seen(profile, failed, index):
    return all(seen is None or seen(index) for seen in [profile.failures_seen if failed else profile.passes_seen])


def _statuses(profile, rng, kind, index):
    draw = rng.random()
    if kind == "bad auth":
        return ("VALID" if draw < 0.5 else "MISSING" if draw < 0.9 else "INVALID"), "INVALID"
    if kind == "clean":
        return "VALID", "VALID" if draw < profile.signed_in else "MISSING" if draw < 0.999 else "OTHER"
    refused = profile.at("refused", index)
    app = "INVALID" if draw < refused else "OTHER" if draw < refused + profile.other else "MISSING"
    return app, "VALID" if rng.random() < profile.blocked_signed_in else "MISSING"


def _instant(rng, day, hours):
    """Some instant of the day, to the second, millisecond, microsecond or nanosecond."""
    hour = hours[rng.integers(len(hours))]
    unit = (10**9, 10**6, 10**3, 1)[rng.integers(4)]
    return start_of(day) + hour * HOUR + int(rng.integers(HOUR // unit)) * unit


def falling(rng, days):
    """A blocked share that goes down as clients update; somewhere near the end it passes one per cent."""
    steepness = rng.uniform(0.12, 0.7)
    centre = days - rng.uniform(-2, 9) - 4.5 / steepness
    floor = float(rng.choice([0, 0, 0.002]))
    return lambda day: floor + 1 / (1 + exp(min(500, steepness * (day - centre))))


def some_hours(rng, count):
    return tuple(int(hour) for hour in rng.choice(24, count, replace=False))


def random_profile(rng, days, rate):
    """One of the shapes functions come in, for a project of that many days."""

    def fixed_after(day, share):
        return lambda d: share if d < day else 0.0

    def on(bad, share, otherwise=0.0):
        return lambda d: share if d in bad else otherwise

    def day_near_end(reach):
        return max(0, days - 1 - int(rng.integers(reach)))

    p = Profile(
        rate,
        weekend=float(rng.choice([1, 1, 0.6, 0.2, 0])),
        severity=str(rng.choice(["DEBUG"] * 5 + ["INFO"])),
        signed_in=rng.uniform(0.2, 1),
        blocked_signed_in=float(rng.choice([0, 0.1, 0.6, 1])),
        refused=float(rng.choice([0, 0.05, 0.4, 0.5, 0.6, 1])),
        bad_auth=float(rng.choice([0, 0.01, 0.1])),
    )
    shape = str(
        rng.choice(
            [
                "clean",
                "low",
                "near",
                "high",
                "falling",
                "fixed",
                "bad day",
                "burst",
                "bursty",
                "anonymous",
                "quiet",
                "shift",
                "blind",
                "silent",
                "new",
                "mostly clean",
                "falling",
                "clean",
                "rejected",
                "rare",
                "rare",
            ]
        )
    )
    if shape in ("clean", "mostly clean", "silent", "new"):
        p.blocked = 0.0 if shape == "clean" else rng.uniform(0, 0.004)
    elif shape == "low":
        p.blocked = rng.uniform(0.001, 0.008)
    elif shape == "near":
        p.blocked = rng.uniform(0.008, 0.014)
    elif shape == "high":
        p.blocked = rng.uniform(0.02, 0.9)
    elif shape == "falling":
        p.rate, p.blocked, p.burstiness = max(p.rate, 40), falling(rng, days), float(rng.choice([0, 0, 0.05, 0.3]))
    elif shape == "fixed":
        p.blocked = fixed_after(day_near_end(10), rng.uniform(0.02, 0.6))
    elif shape in ("bad day", "burst"):
        reach = int(rng.choice([7, 14, 28]))
        p.blocked = on({day_near_end(reach), day_near_end(reach)}, rng.uniform(0.03, 0.8), rng.choice([0, 0.002]))
        hours = some_hours(rng, int(rng.integers(1, 4)) if shape == "burst" else int(rng.integers(3, 12)))
        p.hours = lambda d: hours
    elif shape == "bursty":
        p.blocked, p.burstiness = rng.uniform(0.002, 0.03), rng.uniform(0.5, 6)
    elif shape == "anonymous":
        p.blocked, p.blocked_signed_in, p.signed_in = rng.uniform(0.02, 0.6), 0.0, rng.uniform(0.7, 1)
    elif shape == "quiet":
        p.rate, p.blocked = rng.uniform(0.2, 6), float(rng.choice([0, 0, 0.05, 0.5]))
    elif shape == "rare":
        p.rate = rng.uniform(0.5, 40)
        p.blocked = float(rng.choice([0, 1, 2, 3])) / (p.rate * min(days, 28))
    elif shape == "shift":
        middle = days - float(rng.choice([4, 4, 7, 10, 14]))
        p.blocked = rng.uniform(0.005, 0.2)
        p.refused = lambda d: 0.9 if d >= middle else 0.1
    elif shape == "rejected":
        p.blocked, p.bad_auth = rng.uniform(0, 0.02), 1.0
    if shape == "blind":
        since = int(rng.choice([0, 0, day_near_end(7)]))
        p.blocked, p.refused, p.passes_seen = rng.uniform(0.05, 0.5), 0.8, lambda d: d < since
    if shape == "silent":
        p.stops = max(1, days - int(rng.integers(2, 12)))
    if shape == "new":
        p.starts = max(0, days - int(rng.integers(1, 10)))
    if rng.random() < 0.15:
        p.silent = {int(day) for day in rng.integers(0, days, 3)}
    return p
