"""Boundaries of the clauses on platforms, releases and callers that nobody knows."""

from typing import NamedTuple

from agents import ANDROID, BROWSERS, DART, PARENTS, WEB_VIEW, apple, said_by
from boundaries import LAST_NANOSECOND, Case
from instants import HOUR, SECOND, start_of


class Sent(NamedTuple):
    """`count` requests on each of some days, from one client."""

    offsets: object
    count: int
    client: object
    app: str = "MISSING"
    auth: str = "VALID"
    hour: int = 9
    has_row: bool = True
    status: int = 200


def called(case, name, *sent, clean=200, days=14, client=ANDROID, clean_auth="VALID"):
    """A function whose requests have rows: `clean` good ones a day, and those that are sent."""
    rows = []
    for part in sent:
        for offset in part.offsets:
            for i in range(part.count):
                instant = start_of(case.today + offset) + part.hour * HOUR + i * SECOND + len(rows) * 1_000_003
                severity = "WARNING" if "INVALID" in (part.app, part.auth) else "DEBUG"
                row = [instant, part.app, part.auth, severity]
                rows.append([*row, {"status": part.status, **said_by(part.client)}] if part.has_row else row)
    plan = {-i: {"clean": clean, "clean_auth": clean_auth} for i in range(days)} if clean else {}
    case.function(name, plan, generation=2, rows=rows, extra={"status": 200, **said_by(client)})
    case.stderr(range(1 - days, 1))


def platforms(rng):
    """A website without App Check among the users of an app."""
    case = Case(rng, int(rng.choice([LAST_NANOSECOND, 9 * HOUR])))
    case.project["flags"]["confirm"] = int(rng.choice([1, 1, 3]))
    browser = str(rng.choice(["firefox", "safari", "inApp"]))
    called(case, "ten", Sent((0, -1), 5, browser), clean=800)
    called(case, "nine", Sent((0,), 5, browser), Sent((-1,), 4, browser), clean=800)
    called(case, "oneDay", Sent((0,), 10, browser), clean=800)
    # 12 of 14, 15 and 16: only 12 of 14 are more than half at 95% confidence.
    for valid in (2, 3, 4, 5):
        called(case, f"valid{valid}", Sent((-1, -2), 6, browser), Sent((-3,), valid, browser, "VALID"), clean=800)
    # If two platforms are asked, each needs a higher confidence.
    called(
        case, "two", Sent((-1, -2), 6, browser), Sent((-3,), 3, browser, "VALID"), Sent((0, -1), 5, apple()), clean=900
    )
    called(case, "twoBrowsers", Sent((-1, -2), 6, "chrome"), Sent((-1, -3), 6, "firefox"), clean=900)
    for name, client in (("curl", "curl/8.5.0"), ("job", "Google-Cloud-Tasks"), ("game", "Godot/4"), ("silent", None)):
        called(case, name, Sent((-1, -2), 5, client), clean=900)
        called(case, f"{name}Out", Sent((-1, -2, -3), 9, client, auth="MISSING"), clean=900)
    called(case, "simulated", Sent((-1, -2), 9, apple(machine="sim")), clean=900)
    return case


def four_weeks(rng):
    """One visitor a day, whom no week of a busy function shows; what was cured, or has gone."""
    case = Case(rng, int(rng.choice([LAST_NANOSECOND, 9 * HOUR])))
    case.project["flags"]["confirm"] = 1
    site = (BROWSERS["chrome"], PARENTS)
    for length in (9, 10, 11, 27, 28, 29):
        called(case, f"since{length}", Sent(range(1 - length, 1), 1, "firefox"), clean=900, days=30)
    for first in (-26, -27, -28, -29):
        sent = Sent((first,), 9, "firefox"), Sent((-1,), 1, "firefox")
        called(case, f"first{-first}", *sent, clean=900, days=35)
    for last in (-5, -6, -7, -8):
        called(case, f"last{-last}", Sent(range(last - 4, last + 1), 3, "firefox"), clean=900, days=28)
    for valid in (2, 3, 4):
        sent = Sent(range(-20, -9), 3, "firefox"), Sent((-1,), 3, "firefox"), Sent((-2,), valid, "firefox", "VALID")
        called(case, f"cured{valid}", *sent, clean=900, days=28)
    passing = Sent(range(-27, 1), 12, "chrome", "VALID")
    called(case, "site", Sent(range(-27, 1), 1, site), passing, clean=900, days=28)
    called(case, "accepted", Sent(range(-27, 1), 1, site), passing, clean=900, days=28)
    case.entry("accepted", acceptPlatforms=["parents.academy.example"])
    both = Sent((-1, -2), 3, site), Sent((-1, -3), 2, (WEB_VIEW, PARENTS))
    called(case, "inApps", *both, passing, clean=900, days=28)
    return case


def accepted_platforms(rng):
    case = Case(rng)
    sent = Sent((-1, -2), 8, "firefox"), Sent((-3, -4), 6, apple()), Sent((-3,), 6, apple("com.example.app.Share"))
    share = Sent((-5,), 40, apple(), "VALID")
    kinds = [
        "web",
        "web/firefox",
        "ios",
        "iosExtension",
        "com.example.app",
        "com.example.app@3.1.0",
        "com.example.app.Share",
    ]
    for i in range(6):
        called(case, f"some{i}", *sent, share, clean=900)
        names = rng.choice(kinds, int(rng.integers(1, 4)), replace=False)
        case.entry(f"some{i}", acceptPlatforms=[str(name) for name in names])
    called(case, "none", *sent, share, clean=900)
    if rng.random() < 0.4:
        case.project["policy"]["policy"]["acceptPlatforms"] = ["web"]
    if rng.random() < 0.3:
        case.project["flags"]["acceptPlatforms"] = ["ios", "web/chrome"]
    return case


def platforms_of_all(rng):
    """Where most are signed out all are judged: 20 on 3 days."""
    case = Case(rng)
    blocked = {"auth": "MISSING"}
    for name, counts in (("twenty", (7, 7, 6)), ("nineteen", (7, 6, 6)), ("twoDays", (10, 10, 0))):
        sent = [Sent((-i,), count, "safari", **blocked) for i, count in enumerate(counts) if count]
        called(case, name, *sent, clean=900, clean_auth="MISSING")
    # As many signed in as not, and one fewer.
    for more in (0, 1):
        sent = [Sent((-i,), 700, ANDROID, "VALID", "MISSING") for i in range(7)]
        sent += [Sent((-i,), 5, "chrome") for i in range(2)]
        sent.append(Sent((-3,), 10 + more, ANDROID, "VALID", "MISSING"))
        called(case, f"half{more}", *sent, clean=700)
    sent = [Sent((-i,), 9, "edge", **blocked) for i in range(3)]
    called(case, "anonymous", *sent, clean=1000)
    called(case, "closed", *sent, clean=1000)
    case.entry("closed", requiresAuth=True)
    return case


def rows_of_some(rng):
    """Rows of half as many, or twice as many, of the valid ones; callers of 95 of a hundred, and of half."""
    case = Case(rng)
    case.heartbeat(20)
    for valid in (99, 100, 101):
        # Of 200 valid ones a day, and of all blocked ones.
        sent = Sent((0, -1), 6, "firefox"), Sent(range(-13, 1), 200 - valid, ANDROID, "VALID", has_row=False)
        called(case, f"valid{valid}", *sent, clean=valid)
    for known in (19, 20, 21):
        sent = Sent((0, -1), 10, "firefox"), Sent((-2,), 20 + known - 20, "firefox"), Sent((-3,), 40 - known, None, has_row=False)
        called(case, f"blocked{known}", *sent, clean=900)
    for bare in (10, 11):
        called(case, f"bare{bare}", Sent(range(-13, 1), bare, ANDROID, "VALID", has_row=False), clean=190)
    for name, known in (("half", 4), ("fewer", 3)):
        sent = Sent((-1,), known, "firefox"), Sent((-2,), 8 - known, None, has_row=False)
        called(case, f"{name}Known", *sent, clean=300)
        called(case, f"{name}Needed", *sent, clean=300)
    if rng.random() < 0.7:
        case.project["policy"]["policy"]["requireCallers"] = True
    return case


def small_ones(rng):
    """Sites and apps with fewer than twenty requests are asked together."""
    case = Case(rng)
    for number, each, valid in ((1, 9, 0), (2, 5, 0), (5, 2, 0), (4, 2, 0), (10, 1, 3), (10, 1, 9)):
        sent = [Sent((-(i % 7),), each, (BROWSERS["chrome"], f"https://school{i}.example/")) for i in range(number)]
        sent += [Sent((-(i % 7),), 1, (BROWSERS["chrome"], f"https://fine{i}.example/"), "VALID") for i in range(valid)]
        called(case, f"sites{number}of{each}and{valid}", *sent, Sent(range(-13, 1), 20, "chrome", "VALID"), clean=900)
    large = Sent((-1, -2, -3), 7, (BROWSERS["chrome"], "https://large.example/"))
    two = [Sent((-1,), 9, (BROWSERS["safari"], f"https://school{i}.example/")) for i in range(2)]
    called(case, "besideALargeOne", large, *two, clean=2000)
    called(case, "accepted", large, *two, clean=2000)
    case.entry("accepted", acceptPlatforms=["*.example"] if rng.random() < 0.5 else ["school0.example", "large.example"])
    for model, machine in (("iPad", "iPad13_1"), ("Apple_TV", "AppleTV6_2"), ("Apple_Watch", "Watch6_1")):
        sent = Sent((-1, -2), 6, apple(model=model, machine=machine)), Sent((-1, -2), 40, apple(), "VALID")
        called(case, model, *sent, clean=900)
    for browser in ("electron", "facebook", "chromeOnIos"):
        called(case, browser, Sent((-1, -2), 6, browser), Sent((-1, -2), 40, "chrome", "VALID"), clean=1200)
    called(case, "dart", Sent((-1, -2), 6, DART), clean=1200)
    return case


def machines(rng):
    """Valid requests of machines are no people's: where 300, or a hundredth, are of others."""
    case = Case(rng)
    machine = str(rng.choice(["curl/8.5.0", "node", "axios/1.7.9", "Google-Cloud-Tasks"]))
    for per_day, others in ((100, 14), (100, 15), (4000, 275), (4000, 300), (4000, 310)):
        sent = [Sent((-i,), others // 14 + (i < others % 14), ANDROID, "VALID") for i in range(14)]
        called(case, f"of{per_day}others{others}", *sent, clean=per_day, client=machine)
    sent = Sent(range(-13, 1), 30, ANDROID, "VALID"), Sent((-1, -2), 5, ANDROID)
    called(case, "hidden", *sent, clean=2000, client=machine)
    called(case, "counted", *sent, clean=2000, client=machine)
    case.entry("counted", countMachines=True)
    called(case, "blockedToo", *sent, Sent((-1, -2), 9, machine), clean=2000, client=machine)
    return case


def signed_out(rng):
    """Twenty signed-out requests on three days, 95 of a hundred with a row, none of them served."""
    case = Case(rng)
    for name, counts, bare, status in (
        ("twenty", (7, 7, 6), 0, 401),
        ("nineteen", (7, 6, 6), 0, 403),
        ("twoDays", (10, 10, 0), 0, 401),
        ("oneWithout", (7, 7, 6), 1, 401),
        ("twoWithout", (7, 7, 6), 2, 401),
        ("served", (7, 7, 6), 0, 204),
        ("redirected", (7, 7, 6), 0, 302),
        ("errors", (70, 70, 60), 0, 500),
    ):
        sent = [Sent((-i,), count, ANDROID, auth="MISSING", status=status) for i, count in enumerate(counts) if count]
        called(case, name, *sent, Sent((-3,), bare, ANDROID, auth="MISSING", has_row=False), clean=300)
    return case


def releases(rng):
    """A new version of an app without App Check, or with a broken one."""
    case = Case(rng, int(rng.choice([LAST_NANOSECOND, 9 * HOUR])))
    old, new = apple(version="1.9"), apple(version=str(rng.choice(["1.10", "1.9.0.1", "2", "1.9.0"])))
    before = Sent(range(-13, 1), 90, old, "VALID")

    def app(name, *sent, old=before):
        called(case, name, old, *sent, clean=700)

    app("five", Sent((0,), 3, new), Sent((-1,), 2, new), Sent((-2,), 11, new, "VALID"))
    app("four", Sent((0,), 2, new), Sent((-1,), 2, new), Sent((-2,), 11, new, "VALID"))
    app("oneDay", Sent((0,), 5, new), Sent((-2,), 11, new, "VALID"))
    # 15 of 300 in three days are five per cent; 14 are fewer.
    of_three = [Sent((-2,), 15, old, "VALID")]
    app("share15", Sent((0,), 8, new), Sent((-1,), 7, new), *of_three)
    app("share14", Sent((0,), 7, new), Sent((-1,), 7, new), Sent((-2,), 16, old, "VALID"))
    app("older", Sent((0, -1), 8, apple(version="1.8")))
    app("first", Sent((0, -1), 20, new), old=Sent(range(-13, -7), 90, old, "VALID"))
    app("firstWithMore", Sent((0, -1), 20, new), old=Sent(range(-13, -5), 90, old, "VALID"))
    for valid in (19, 20, 21, 22, 23):
        app(f"tenth{valid}", Sent((0,), 3, new), Sent((-1,), 3, new), Sent((-1, 0), valid, new, "VALID"))
    other = apple("org.other", "1.0"), apple("org.other", "1.1")
    app(
        "twoApps",
        Sent((0, -1), 3, new),
        Sent((-1, 0), 20, new, "VALID"),
        Sent((0, -1), 20, other[0], "VALID"),
        Sent((0, -1), 3, other[1]),
    )
    # On the days on which it was seen as large a share of the others is refused, or nearly.
    for others in (10, 11, 12, 13):
        sent = Sent((0, -1), 8, new), Sent((0, -1), 2, new, "VALID"), Sent((0,), others, old)
        app(f"outage{others}", *sent, Sent((-1,), 20 - others, old, "VALID"), old=Sent(range(-13, -1), 90, old, "VALID"))
    for last in (-1, -2, -3):
        app(f"lower{-last}", Sent((0, -1), 20, new), old=Sent(range(-13, last + 1), 90, old, "VALID"))
    app("nameless", Sent((0, -1), 20, new), old=Sent(range(-13, 1), 90, apple(version=None), "VALID"))
    called(case, "onMacs", before, Sent((0, -1), 9, apple(version="3", model="MacOSX")), clean=700)
    called(case, "simulated", before, Sent((0, -1), 9, apple(version="3", machine="sim")), clean=700)
    return case


CASES = [platforms, four_weeks, accepted_platforms, platforms_of_all, rows_of_some, small_ones, machines, signed_out, releases]
