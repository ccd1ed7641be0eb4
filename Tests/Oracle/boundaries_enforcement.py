"""Boundaries of the history of enforcement: signs, spells, the switch, revisions at once, and who is locked out."""

from boundaries import LAST_NANOSECOND, Case
from boundaries_rows import request
from instants import DAY, HOUR, SECOND, instant_text, start_of
from switches import OFF, OFF_AGAIN, ON

MINUTE = 60 * SECOND


def told(case, name, *events, generation=2, calm=20, severity="DEBUG"):
    """A function of `calm` calm days, and events: (instant before T, what, how many, revision, time between two).

    They are a minute apart, or as the fifth says; the calm requests are valid and answered 200, one of them at T."""
    lines, rows = [], []
    for ago, key, count, *more in events:
        revision, apart = (*more, *(OFF, MINUTE)[len(more) :])
        for i in range(count):
            instant = case.as_of - int(ago) + i * apart
            rows.append(request(key, instant, lines, generation, revision=revision))
    instants = [start_of(case.today - i // 40) + (i % 40) * 10 * MINUTE + 1 for i in range(calm * 40)]
    for instant in [*instants, *[case.as_of][: calm]]:
        if instant <= case.as_of:
            rows.append(request("valid200", instant, lines, generation))
            rows[-1][3] = severity
    case.function(name, {}, generation, rows)
    case.project["functions"][-1]["lines"] = lines


def new_case(rng):
    case = Case(rng, int(rng.choice([LAST_NANOSECOND, 9 * HOUR, 13 * HOUR + 7])))
    case.project["flags"]["confirm"] = int(rng.choice([1, 1, 3]))
    case.generation = 1
    case.heartbeat(22)
    return case


def known_spells(rng):
    """How many refused signs are enough, after how many others: 0.1 to the third is 0.001 and no more."""
    case = new_case(rng)
    ago = int(rng.choice([20 * MINUTE, 3 * HOUR, 30 * HOUR]))
    for served, refused in ((8, 2), (8, 3), (7, 3), (7, 4), (30, 2), (30, 3), (0, 9), (0, 10)):
        told(case, f"after{served}by{refused}", (5 * DAY, "missing200", served), (ago, "missing401", refused))
    for name, served in (("inTime", 14 * DAY), ("tooEarly", 14 * DAY + 1)):
        told(case, name, (ago + served, "missing200", 1), (ago + DAY, "missing302", 7), (ago, "missing401", 3))
    own = [(6 * DAY - i * HOUR, "missing401" if i % 5 == 0 else "anonymous200", 1) for i in range(25)]
    for refused in (4, 5):
        told(case, f"ownRefusals{refused}", *own, (ago, "invalid401", refused))
    for valid in (41, 42):
        told(case, f"valid{valid}", (16 * DAY, "missing401", 20), (15 * DAY, "valid401", valid), calm=1)
    told(case, "oneValidRefused", (2 * DAY, "missing200", 20), (ago, "missing401", 6), (ago - 1, "valid401", 1))
    return case


def enforced_by_log(rng):
    """Each condition from both sides, on what comes after a switch that is known."""
    case = new_case(rng)
    ago = int(rng.choice([HOUR, 6 * HOUR, DAY, 3 * DAY])) + HOUR

    def function(name, *counts, **more):
        later = ((ago - i * MINUTE, key, count, ON, SECOND) for i, (key, count) in enumerate(counts))
        told(case, name, (2 * DAY + ago, "missing200", 30), *later, **more)

    function("five", ("missing401", 5))
    function("four", ("missing401", 4))
    function("oneWithout", ("missing401", 5), ("missing", 1))
    function("twoWithout", ("missing401", 5), ("missing", 2))
    function("fiveInHundred", ("missing401", 95), ("anonymous", 5))
    function("sixInHundred", ("missing401", 95), ("anonymous", 6))
    function("hangUps5", ("missing401", 95), ("invalid499", 5))
    function("hangUps6", ("missing401", 94), ("invalid499", 6))
    function("letThroughAtLast", ("missing401", 20), ("other302", 1))
    function("allowed", ("missing401", 20), ("allowed401", 1))
    function("badSignIn", ("missing401", 9), ("badAuth200", 1))
    function("allAnonymous", ("anonymous401", 9))
    told(case, "nobodyPasses", (ago + DAY, "missing200", 30), (ago, "missing401", 20), calm=0)
    told(case, "onePasses", (ago + DAY, "missing200", 30), (ago, "missing401", 20), (ago, "valid500", 1), calm=0)
    return case


def switches(rng):
    """An hour, six hours or a day before T, with and without a new revision, and what a policy says of it."""
    case = new_case(rng)
    ago = int(rng.choice([HOUR, 6 * HOUR, DAY, 4 * DAY])) + int(rng.integers(HOUR))
    revision = str(rng.choice([OFF, ON]))
    off, on = (ago + 3 * DAY, "missing200", 30), (ago, "missing401", 12, revision)
    told(case, "noPolicy", off, on)
    told(case, "rolledBack", off, on, (ago // 2, "missing200", 1, OFF_AGAIN))
    again = (ago // 4, "missing401", int(rng.choice([5, 9])), ON)
    told(case, "onAgain", off, on, (ago // 2, "missing200", 1, OFF_AGAIN), again)
    told(case, "tooFew", off, (ago, "missing401", 2, revision))
    told(case, "anonymous", off, (ago, "anonymous401", 12, revision), (ago - HOUR // 2, "valid401", 1, revision))
    told(case, "always", (10 * DAY, "missing401", 30))
    day = (case.as_of - ago) // DAY - case.today
    for name, value in (
        ("onDate", case.date(day)),
        ("dayLate", case.date(day + 1)),
        ("dayEarly", case.date(day - 1)),
        ("longAgo", case.date(day - 9)),
        ("onTime", instant_text(case.as_of - ago)),
        ("minutesLate", instant_text((case.as_of - ago) // MINUTE * MINUTE + 6 * MINUTE).replace(":00Z", "Z")),
        ("inTheFuture", instant_text(case.as_of + DAY).replace("Z", "+00:00")),
    ):
        told(case, name, off, on)
        case.entry(name, enforced=value)
    told(case, "offByLog", off, (ago, "missing200", 12))
    told(case, "noSigns", (ago, "missing", 12), (ago - HOUR // 2, "valid", 1))
    told(case, "oneSignMissing", (ago, "missing200", 5), (ago - HOUR // 2, "missing", int(rng.integers(2))))
    case.entry("offByLog", enforced=case.date(day))
    case.entry("noSigns", enforced=case.date(int(rng.choice([day, day + 1, -6, -7]))))
    case.entry("oneSignMissing", enforced=case.date(day))
    return case


def two_revisions(rng):
    """Staged: signs of both kinds in turn, from different revisions, within an hour of the newest."""
    case = new_case(rng)
    ago = int(rng.choice([HOUR + HOUR // 2, 6 * HOUR, 2 * DAY]))
    off = (ago + 2 * DAY, "missing200", 30)

    def function(name, *signs, last=()):
        told(case, name, off, (ago, "missing401", 15, ON), *signs, *last, (ago // 9, "valid200", 1, ON))

    for name, newest in (("newestOn", ("missing401", ON)), ("newestOff", ("missing200", OFF))):
        pair = ((ago - 20 * MINUTE, "missing200", 5, OFF), (ago - 30 * MINUTE, "missing401", 5, ON))
        function(name, *pair, last=[(ago - HOUR // 2 - 10 * MINUTE, newest[0], 1, newest[1])])
    function("oneChange", (ago - 20 * MINUTE, "missing200", 5, OFF))
    function("sameRevision", (ago - 20 * MINUTE, "missing200", 5, ON), (ago - 30 * MINUTE, "missing401", 5, ON))
    for name, more in (("withinTheHour", 0), ("justBefore", 1)):
        last = (0, "missing401", 1, ON)
        told(case, name, off, (HOUR + more, "missing401", 1, ON), (HOUR // 2, "missing200", 1), last)
    turns = (ago - 20 * MINUTE, "missing200", 1), (ago - 21 * MINUTE, "missing401", 1, ON)
    function("newestWithoutSign", *turns, last=[(0, "missing", 1, OFF)])
    told(case, "lastWeek", (6 * DAY, "missing200", 5), (6 * DAY - HOUR, "missing200", 2, OFF_AGAIN))
    told(case, "weekBefore", (8 * DAY, "missing200", 5), (8 * DAY - HOUR, "missing200", 2, OFF_AGAIN))
    return case


def signs(rng):
    """Which sign a request is: rows, the lines of its execution, and generation 1."""
    case = new_case(rng)
    ago = int(rng.choice([HOUR, 6 * HOUR, 2 * DAY])) + HOUR
    off = (ago + 2 * DAY, "allowed", 30)
    for name, key in (
        ("cause", "caused"),
        ("causeAndRow", "caused401"),
        ("causeAndError", "caused400"),
        ("causeAndServed", "caused200"),
        ("noCause", "invalid"),
        ("errors", "invalid500"),
        ("hangUps", "missing499"),
    ):
        told(case, name, off, (ago, key, 12))
    told(case, "passesAtInfo", off, (ago, "caused", 12), severity="INFO")
    told(case, "onePassAtInfo", off, (ago, "caused", 12))
    case.project["functions"][-1]["verifications"][-1][3] = "INFO"
    streamed = (ago + 2 * DAY, "missing200", 30)
    told(case, "streams", streamed, (ago, "missing200", 12))
    told(case, "proven", streamed, (ago, "missing200", 12), (ago + DAY, "badAuth401", 1))
    old = {"old": "missing401", "oldServed": "missing200", "oldCause": "caused401", "oldLost": "missing"}
    for name, key in old.items():
        told(case, name, (ago + 2 * DAY, "missing200", 30), (ago, key, 12), generation=1)
    for name in ("streams", "proven", "oldServed", "oldLost", "old"):
        if rng.random() < 0.5:
            case.entry(name, enforced=case.date((case.as_of - ago) // DAY - case.today))
    return case


CASES = [known_spells, enforced_by_log, switches, two_revisions, signs]
