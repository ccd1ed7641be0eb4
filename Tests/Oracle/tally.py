"""Counts by day, from a project's raw verifications: what the rule looks at."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field

from instants import day_of, hour_of

STATUSES = ("VALID", "INVALID", "MISSING", "OTHER")


@dataclass
class Day:
    """One day of one function as one definition of "admitted" sees it. A filled day holds fractions."""

    verifications: float = 0
    passed: float = 0
    admitted: float = 0
    blocked: float = 0
    refused: float = 0  # blocked with app INVALID
    signed_in_no_token: int = 0
    anonymous_no_token: int = 0
    hours: set = field(default_factory=set)  # in which a request was blocked
    last_blocked: int = None
    first: int = None  # the first verification
    severities: set = field(default_factory=set)  # of passed verifications

    def add(self, instant, app, auth, severity, requires_auth):
        self.verifications += 1
        self.first = instant if self.first is None else min(self.first, instant)
        if app != "INVALID" and auth != "INVALID":
            self.passed += 1
            self.severities.add(severity)
        if not (auth == "VALID" if requires_auth else auth != "INVALID"):
            return
        self.admitted += 1
        if app == "VALID":
            return
        self.blocked += 1
        self.refused += app == "INVALID"
        self.signed_in_no_token += (app, auth) == ("MISSING", "VALID")
        self.anonymous_no_token += (app, auth) == ("MISSING", "MISSING")
        self.hours.add(hour_of(instant))
        self.last_blocked = instant if self.last_blocked is None else max(self.last_blocked, instant)

    def plus(self, other):
        """The same day of two functions together."""
        return Day(
            self.verifications + other.verifications,
            self.passed + other.passed,
            self.admitted + other.admitted,
            self.blocked + other.blocked,
            self.refused + other.refused,
            hours=self.hours | other.hours,
            first=min(self.first, other.first),
        )


def days_of(verifications, requires_auth):
    """Day by day counts of (instant, app, auth, severity) rows; undated ones belong to no day."""
    days = defaultdict(Day)
    for instant, app, auth, severity in verifications:
        if instant is not None:
            days[day_of(instant)].add(instant, app, auth, severity, requires_auth)
    return dict(days)


@dataclass
class FunctionInput:
    """One function's verifications inside --since and --until, and what the shown name comes from."""

    project: str
    region: str
    name: str
    service: str
    generation: int
    verifications: list

    @property
    def key(self):
        return (self.project, self.region, self.name, self.generation)

    @property
    def normalised(self):
        return (self.service or self.name).lower().replace("_", "-")

    def matches(self, pattern):
        """A glob without brackets or question marks: only `*` is special here."""
        pieces = pattern.lower().replace("_", "-").split("*")
        names = (self.name.lower().replace("_", "-"), self.normalised)
        return any(_matches(name, pieces) for name in names)


def _matches(name, pieces):
    if len(pieces) == 1:
        return name == pieces[0]
    if not (name.startswith(pieces[0]) and name.endswith(pieces[-1])):
        return False
    position, end = len(pieces[0]), len(name) - len(pieces[-1])
    for piece in pieces[1:-1]:
        found = name.find(piece, position, end)
        if found < 0:
            return False
        position = found + len(piece)
    return position <= end


@dataclass
class ProjectCounts:
    """What coverage and the failures' stream look at: all functions of one project, selected or not."""

    days: Counter = field(default_factory=Counter)  # verifications by day
    passes: dict = field(default_factory=lambda: defaultdict(set))  # generation -> days on which a function passed some
    failed: dict = field(default_factory=lambda: defaultdict(Counter))  # generation -> day -> failed
    stderr: set = field(default_factory=set)  # days on which a record of the stderr log arrived


def project_counts(functions, stderr_instants):
    projects = defaultdict(ProjectCounts)
    for function in functions:
        counts = projects[function.project]
        for instant, app, auth, _ in function.verifications:
            if instant is None:
                continue
            counts.days[day_of(instant)] += 1
            if "INVALID" in (app, auth):
                counts.failed[function.generation][day_of(instant)] += 1
            else:
                counts.passes[function.generation].add(day_of(instant))
    for project, instants in stderr_instants.items():
        projects[project].stderr.update(day_of(instant) for instant in instants)
    return projects
