"""Projects that sit exactly on a threshold of the rule, one function on either side of it."""

from instants import DAY, HOUR, SECOND, day_text, instant_text, start_of

LAST_NANOSECOND = DAY - 1


class Case:
    """A project under construction; days are offsets from the as-of's day (0, -1, -2 ...)."""

    def __init__(self, rng, time_of_day=LAST_NANOSECOND):
        self.rng = rng
        self.today = 20_700 + int(rng.integers(0, 28))
        self.as_of = start_of(self.today) + time_of_day
        self.generation = 1 + int(rng.integers(2))
        self.project = {
            "functions": [],
            "stderr": {},
            "asOf": instant_text(self.as_of),
            "flags": {},
            "policy": {"policy": {}, "functions": []},
            "options": ["--as-of", instant_text(self.as_of)],
        }

    def function(self, name, plan, generation=None, rows=(), severity="DEBUG", project="demo-prod", extra=None):
        """plan: offset -> arguments of `day_rows`; `extra` says more of each of its rows than its statuses."""
        generation = generation or self.generation
        made = [row for offset, arguments in plan.items() for row in day_rows(self.today + offset, **arguments)]
        for row in made:
            row[3] = "WARNING" if "INVALID" in row[1:3] else severity
            row += [] if extra is None else [dict(extra)]
        service = name.lower().replace("_", "-")
        self.project["functions"].append(
            {
                "project": project,
                "region": "us-central1",
                "name": name if generation == 1 else name.lower(),
                "service": None if generation == 1 else service,
                "generation": generation,
                "verifications": made + [list(row) for row in rows],
            }
        )

    def heartbeat(self, days, offsets=None):
        """Traffic of another function and a stderr record on each day: no gap, and no doubt about the stream."""
        offsets = list(range(-days + 1, 1)) if offsets is None else offsets
        self.function("heartbeat", {offset: {"clean": 3} for offset in offsets})
        self.stderr(offsets)

    def stderr(self, offsets, project="demo-prod"):
        self.project["stderr"].setdefault(project, []).extend(
            start_of(self.today + offset) + 3 * HOUR for offset in offsets
        )

    def entry(self, match, **values):
        self.project["policy"]["functions"].append({"match": match, **values})

    def date(self, offset):
        return day_text(self.today + offset)


def day_rows(
    day, clean=0, blocked=0, hours=(9,), app="MISSING", auth="VALID", clean_auth="VALID", refused=0, rejected=0
):
    """Rows of one day: clean ones before 08:20, `blocked` in turn in the hours, the first `refused` of them INVALID."""
    rows = [
        [start_of(day) + 1800 * SECOND + (i * 27_000 // clean) * SECOND + i, "VALID", clean_auth, ""]
        for i in range(clean)
    ]
    rows += [
        [start_of(day) + hours[i % len(hours)] * HOUR + i * 1_000_003, "INVALID" if i < refused else app, auth, ""]
        for i in range(blocked)
    ]
    rows += [[start_of(day) + 5 * HOUR + i * 1_000_033, "MISSING", "INVALID", ""] for i in range(rejected)]
    return rows


def spread(total, days, skip=0):
    """`total` clean requests over the days that end with the as-of's, as evenly as they go."""
    return {-i - skip: {"clean": total // days + (i < total % days)} for i in range(days)}


def clean_requests(rng):
    case = Case(rng)
    least = {0.01: 299, 0.02: 149, 0.05: 59}
    maximum = float(rng.choice(list(least)))
    case.project["flags"] = {} if maximum == 0.01 else {"maxBlocked": maximum}
    for total in (least[maximum] - 1, least[maximum]):
        case.function(f"clean{total}", spread(total, 7))
    case.heartbeat(8)
    return case


def age_rounding(rng):
    case = Case(rng, int(rng.choice([LAST_NANOSECOND, 13 * HOUR, DAY // 2, 11 * HOUR + 1])))
    case.heartbeat(20)
    for name, more in (("exactly", 0), ("older", 1), ("younger", -1)):
        first = case.as_of - 6 * DAY - DAY // 2 - more
        case.function(name, spread(800, 6), rows=[[first, "VALID", "VALID", "DEBUG"]])
    return case


def exact_rate(rng):
    case = Case(rng)
    size = int(rng.choice([500, 1000, 2000]))
    for name, extra in (("exactly", 0), ("oneMore", 1), ("many", size // 40)):
        blocked = size // 100 + extra
        case.function(
            name,
            {
                -i: {"clean": size // 4 - blocked // 4, "blocked": blocked // 4 + (i < blocked % 4), "hours": (9, 10)}
                for i in range(7 if extra else 4)
            },
        )
    case.heartbeat(30)
    return case


def invalid_half(rng):
    case = Case(rng)
    for name, blocked, refused in (("half", 40, 20), ("below", 40, 19), ("odd", 41, 20), ("oddAbove", 41, 21)):
        plan = {-i: {"clean": 60, "blocked": blocked, "refused": refused, "hours": (8, 9, 10)} for i in range(7)}
        if name == "below":
            plan[-6]["refused"] = 26 - 1  # 6 * 19 + 25 = 139, one below half of 280
        case.function(name, plan)
    case.heartbeat(9)
    return case


def bad_day_hours(rng):
    case = Case(rng)
    bad, blocked = -int(rng.integers(7)), int(rng.choice([60, 30, 24, 22]))
    for name, hours in (("twoHours", (7, 8)), ("threeHours", (7, 8, 9))):
        plan = spread(7 * 1000, 7)
        plan[bad] = {"clean": 1000, "blocked": blocked, "hours": hours}
        case.function(name, plan)
    case.heartbeat(int(rng.choice([7, 20])))
    return case


def window_growth(rng):
    case = Case(rng)
    maximum, least = ((0.01, 1500), (0.02, 750), (0.05, 300))[rng.integers(3)]
    case.project["policy"]["policy"] = {"maxBlocked": maximum}
    for name, total in (("short", least - 1), ("enough", least)):
        for ago in (10, 18):
            case.function(f"{name}{ago}", {**spread(total, 7), -ago: {"clean": 40, "blocked": 2}})
    case.heartbeat(int(rng.choice([13, 14, 15, 21, 30])))
    return case


def stream_stopped(rng):
    """Twice 3.5 days is 7 exactly; one failure more on the days before is above it."""
    case = Case(rng, DAY // 2)
    days = int(rng.choice([11, 14]))
    for project, extra in (("demo-prod", 0), ("demo-stage", 1)):
        for generation in (1, 2):
            plan = {-i: {"clean": 300, "rejected": 0 if i < 4 else 2} for i in range(days)}
            plan[-5]["rejected"] += extra
            case.function("sign", plan, generation, project=project)
    # A record of gen 2's stream on one day of the run ends the run there, and says nothing of gen 1.
    case.stderr([-int(rng.integers(4))] if rng.random() < 0.5 else [], "demo-stage")
    return case


def stream_begins_late(rng):
    """Of the window's first days none has a failure: twice 3.4 expected ones are below 7, twice 3.6 above."""
    case = Case(rng)
    for project, extra in (("demo-prod", 0), ("demo-stage", 1)):
        for generation in (1, 2):
            plan = {-i: {"clean": 300, "rejected": 4 if i < 3 else 0} for i in range(7)}
            plan[-3]["rejected"], plan[-4]["rejected"] = 3 + extra, 2
            case.function("sign", plan, generation, project=project)
    case.stderr([-int(rng.integers(4, 7))] if rng.random() < 0.4 else [], "demo-stage")
    return case


def around_noon(rng):
    case = Case(rng, int(rng.choice([DAY // 2 - 1, DAY // 2, 12 * HOUR - 60 * SECOND, DAY // 2 + 1])))
    case.function("eighthDay", {**spread(1400, 7), -7: {"clean": 100, "blocked": 40, "hours": (4, 5, 6)}})
    case.function("quiet", {-i: {"clean": 20} for i in range(30)})
    case.heartbeat(int(rng.choice([8, 14, 15, 30])))
    return case


def quiet_sunday(rng):
    case = Case(rng)
    plan = {-i: {"clean": 1000} for i in range(7)}
    plan[-int(rng.integers(7))] = {"blocked": 1}
    case.function("quietSunday", plan)
    plan = {offset: dict(arguments) for offset, arguments in plan.items()}
    for arguments in plan.values():
        arguments["blocked"] = 1
    case.function("oneEachDay", plan)
    case.heartbeat(7)
    return case


def few_active_days(rng):
    case = Case(rng)
    case.function("twoDays", {-9: {"rejected": 1}, **spread(2000, 2, skip=1), -3: {"rejected": 5}})
    case.function("threeDays", {-9: {"rejected": 1}, **spread(2001, 3, skip=1)})
    case.function("allRejected", {-i: {"rejected": 4} for i in range(9)})
    case.function("anonymousOnly", {-i: {"clean": 300, "clean_auth": "MISSING"} for i in range(9)})
    case.heartbeat(9)
    return case


def silences(rng):
    case = Case(rng)
    for silent in (3, 4):
        case.function(f"daily{silent}", spread(2400, 12, skip=silent))
    for silent in (4, 5):
        case.function(f"everyOther{silent}", {-silent - 2 * i: {"clean": 400} for i in range(6)})
    case.function("once", {-4: {"clean": 2000}})
    case.function("gone", spread(700, 7, skip=40))
    case.heartbeat(50)
    return case


def blind_days(rng):
    case = Case(rng)
    for name, refused, clean in (("nine", 9, 0), ("ten", 10, 0), ("tenAndOne", 10, 1)):
        plan = spread(2400, 7)
        plan[-2] = {"clean": clean, "blocked": refused, "refused": refused}
        case.function(name, plan)
    case.function("onlyFailures", {-i: {"blocked": 2, "refused": 2} for i in range(7)})
    case.heartbeat(7)
    return case


CASES = [
    clean_requests,
    age_rounding,
    exact_rate,
    invalid_half,
    bad_day_hours,
    window_growth,
    stream_stopped,
    stream_begins_late,
    around_noon,
    quiet_sunday,
    few_active_days,
    silences,
    blind_days,
]
