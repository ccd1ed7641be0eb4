"""Boundaries of enforcement: signs, what a revision does, the switch, the policy's word, and who is locked out."""

from boundaries import LAST_NANOSECOND, Case
from boundaries_rows import request
from instants import DAY, HOUR, SECOND, instant_text, start_of
from switches import OFF, OFF_AGAIN, ON

MINUTE = 60 * SECOND


def told(case, name, *events, generation=2, calm=20, severity="DEBUG", names=True):
    """A function of `calm` calm days, and events: (instant before T, what, how many, revision, time between two).

    They are a minute apart, or as the fifth says; the calm requests are valid and answered 200, and all of OFF."""
    lines, rows = [], []
    for ago, key, count, *more in events:
        revision, apart = (*more, *(OFF, MINUTE)[len(more) :])
        for i in range(count):
            instant = case.as_of - int(ago) + i * apart
            rows.append(request(key, instant, lines, generation, revision=revision if names else None))
    begin = min((case.as_of - int(event[0]) for event in events), default=case.as_of)
    for i in range(calm * 40):
        instant = start_of(case.today - i // 40) + (i % 40) * 10 * MINUTE + 1
        if instant < begin:
            rows.append(request("valid200", instant, lines, generation, revision=OFF if names else None))
            rows[-1][3] = severity
    case.function(name, {}, generation, rows)
    case.project["functions"][-1]["lines"] = lines


def new_case(rng):
    case = Case(rng, int(rng.choice([LAST_NANOSECOND, 9 * HOUR, 13 * HOUR + 7])))
    case.project["flags"]["confirm"] = int(rng.choice([1, 1, 3]))
    case.generation = 1
    case.heartbeat(22)
    return case


def revisions(rng):
    """Three refused, more than half of the signs, and at most half of the valid ones; one served, and at most half."""
    case = new_case(rng)
    ago = int(rng.choice([20 * MINUTE, 3 * HOUR, 30 * HOUR])) + HOUR
    for refused, served, valid, broken in (
        *((2, 0, 1, 0), (3, 0, 1, 0), (3, 2, 1, 0), (3, 3, 1, 0), (4, 3, 1, 0), (1, 1, 1, 0), (2, 1, 1, 0)),
        *((4, 0, 2, 2), (4, 0, 2, 3), (0, 1, 0, 0), (0, 0, 12, 0)),
    ):
        counts = (("missing401", refused), ("missing200", served), ("valid200", valid), ("valid401", broken))
        later = ((ago - i * MINUTE, key, count, ON, SECOND) for i, (key, count) in enumerate(counts))
        told(case, f"r{refused}s{served}v{valid}b{broken}", (ago + DAY, "missing200", 30), *later)
    for signed_out in (2, 3):
        later = (ago, "validAnonymous200", signed_out, ON), (ago - MINUTE, "anonymous401", 5, ON)
        told(case, f"signedOut{signed_out}", (ago + DAY, "missing200", 30), *later)
    return case


def without_revisions(rng):
    """Three refused in a row, whatever was refused or served before; else the newest sign."""
    case = new_case(rng)
    ago = int(rng.choice([20 * MINUTE, 3 * HOUR, 30 * HOUR]))
    generation = int(rng.choice([1, 2]))

    def function(name, *events):
        told(case, name, *events, generation=generation, names=False)

    for served, refused in ((0, 2), (0, 3), (1, 2), (1, 3), (30, 2), (30, 3)):
        function(f"after{served}by{refused}", (5 * DAY, "missing200", served), (ago, "missing401", refused))
    own = [(6 * DAY - i * HOUR, "missing401" if i % 2 else "missing200", 1) for i in range(25)]
    for refused in (2, 3):
        function(f"own{refused}", *own, (ago, "missing401", refused))
    function("endedByOne", (5 * DAY, "missing200", 30), (ago, "missing401", 9), (ago // 2, "missing200", 1))
    for name, served in (("rolledBack", ago), ("beforeTime", ago + 3 * DAY)):
        function(name, (ago + 4 * DAY, "missing401", 32), (served, "missing200", 12))
        case.entry(name, enforced=instant_text(case.as_of - ago - 2 * DAY))
    return case


def switches(rng):
    """An hour, six hours or a day before T, and what a policy says of it."""
    case = new_case(rng)
    ago = int(rng.choice([HOUR, 6 * HOUR, DAY, 4 * DAY])) + int(rng.integers(HOUR))
    off, on = (ago + 3 * DAY, "missing200", 30), (ago, "missing401", 12, ON)
    told(case, "noPolicy", off, on)
    told(case, "rolledBack", off, on, (ago // 2, "missing200", 12, OFF_AGAIN))
    again = (ago // 4, "missing401", int(rng.choice([3, 11])), "00009-mup")
    told(case, "onAgain", off, on, (ago // 2, "missing200", 12, OFF_AGAIN), again)
    told(case, "tooFew", off, (ago, "missing401", 2, ON))
    for others in (19, 20):
        back = (ago // 2, "missing401", 3, ON, SECOND)
        told(case, f"returned{others}", off, on, (ago - 15 * MINUTE, "missing401", others, OFF_AGAIN, SECOND), back)
    told(case, "unknownBetween", off, on, (ago // 2, "valid200", 4, OFF_AGAIN), (ago // 3, "missing401", 9, "00009-mup"))
    day = (case.as_of - ago) // DAY - case.today
    for name, value in (
        ("onDate", case.date(day)),
        ("dayLate", case.date(day + 1)),
        ("dayEarly", case.date(day - 1)),
        ("onTime", instant_text(case.as_of - ago)),
        ("minutesLate", instant_text((case.as_of - ago) // MINUTE * MINUTE + 6 * MINUTE).replace(":00Z", "Z")),
        ("inTheFuture", instant_text(case.as_of + DAY).replace("Z", "+00:00")),
    ):
        told(case, name, off, on)
        case.entry(name, enforced=value)
    told(case, "offByLog", off, (ago, "missing200", 12))
    told(case, "stillThere", off, (ago // 2, "valid200", int(rng.integers(9, 11)), ON))
    case.entry("stillThere", enforced=instant_text(case.as_of - ago))
    told(case, "noSigns", (ago, "missing", 12), (ago - HOUR // 2, "valid", 1))
    told(case, "oneSignMissing", (ago, "missing200", 5), (ago - HOUR // 2, "missing", int(rng.integers(2))))
    told(case, "expired", off, on)
    case.entry("offByLog", enforced=case.date(day - int(rng.integers(0, 2))))
    case.entry("noSigns", enforced=case.date(int(rng.choice([day, day + 1, -6, -7]))))
    case.entry("oneSignMissing", enforced=case.date(day))
    case.entry("expired", exempt="while it is new", until=case.date(-int(rng.integers(0, 2))))
    return case


def canaries(rng):
    """Two revisions at once: what is refused already, and what the rule judges."""
    case = new_case(rng)
    ago = int(rng.choice([3 * HOUR, 20 * HOUR, 3 * DAY]))
    for name, newest in (("half", 5), ("nine", 9), ("ten", 10)):
        on = (ago, "missing401", 8, ON), (ago - HOUR, "valid200", 40, ON)
        off = (ago - HOUR // 2, "missing200", 8), (ago - HOUR // 2, "valid200", 12)
        told(case, name, (ago + DAY, "missing200", 30), *on, *off, (MINUTE, "valid200", newest, ON, SECOND))
        if rng.random() < 0.3:
            case.entry(name, enforced=case.date(-1))
    return case


def streams(rng):
    """A revision that answers 200 to what it refuses."""
    case = new_case(rng)
    ago = int(rng.choice([HOUR, 6 * HOUR, 2 * DAY])) + HOUR
    off = (ago + 2 * DAY, "allowed", 30)
    for name, *events in (
        ("cause", ("caused", 12)),
        ("causeAndRow", ("caused401", 12)),
        ("causeAndServed", ("caused200", 12)),
        ("noCause", ("invalid", 12)),
        ("forged", ("forged", 12)),
        ("badAuth", ("badAuth200", 1), ("missing200", 12)),
        ("badAuthAndAllowed", ("badAuth200", 1), ("allowed200", 1), ("missing200", 12)),
        ("redirects", ("badAuth200", 1), ("missing302", 12)),
        ("hangUps", ("missing499", 12)),
    ):
        later = ((ago - i * MINUTE, key, count, ON, SECOND) for i, (key, count) in enumerate(events))
        told(case, name, off, *later)
    told(case, "passesAtInfo", off, (ago, "caused401", 12, ON), severity="INFO")
    told(case, "oldCause", (ago + 2 * DAY, "missing200", 30), (ago, "caused401", 12), generation=1)
    told(case, "oldLost", (ago + 2 * DAY, "missing200", 30), (ago, "missing", 12), generation=1)
    return case


def lockouts(rng):
    """Who is refused since the switch: in all, now, and by platform."""
    case = new_case(rng)
    ago = int(rng.choice([2 * DAY, 5 * DAY]))
    off = (ago + 3 * DAY, "missing200", 30)
    on = (ago, "missing401", 3, ON, SECOND), (ago - HOUR, "anonymous401", 4, ON)

    def function(name, *later):
        told(case, name, off, *on, *later)

    for valid in (60, 250, 700):
        function(f"of{valid}", (ago - HOUR, "valid200", valid, ON))
    for refused in (14, 15):
        function(f"now{refused}", (ago - HOUR, "valid200", 2000, ON), (40 * MINUTE, "missing401", refused, ON, SECOND))
    function("servedByRow", (ago - HOUR, "valid200", 100, ON), (ago - DAY, "missing200", 2, ON))
    for signed_in in (5, 6):
        valid = (ago - HOUR, "valid200", signed_in, ON), (ago - HOUR, "validAnonymous200", 114, ON)
        told(case, f"signUp{signed_in}", off, (ago, "missing401", 3, ON), *valid, (ago - DAY, "anonymous401", 30, ON))
    for name, key in (("since", "since"), ("accepted", "acceptPlatforms")):
        function(name, (ago - HOUR, "valid200", 60, ON))
        case.entry(name, **{key: case.date(0) if key == "since" else ["none"]})
    return case


CASES = [revisions, without_revisions, switches, canaries, streams, lockouts]
