"""Counts by day, from a project's raw verifications: what the rule looks at."""

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from dataclasses import dataclass, field

from instants import day_of, hour_of

STATUSES = ("VALID", "INVALID", "MISSING", "OTHER")


@dataclass(slots=True)
class Verification:
    """One verification as a description holds it: `[instant, app, auth, severity]`, then a dictionary of the rest."""

    instant: int  # None when undated
    app: str
    auth: str
    severity: str
    labelled: bool = True  # carries the label firebase-log-type
    own_message: bool = True  # the SDK's message, and one that does not contradict the statuses
    instance: str = None
    execution: str = None  # None stands for one that nothing else in the input shares
    trace: str = None
    span: str = None
    insert_id: str = ""
    copies: int = 0  # of the same entry, removed as duplicates
    text: bool = False  # in a description alone: written as the Python SDK prints it
    forged: bool = False  # in a description alone: a function's own line, so on stdout

    @property
    def passed(self):
        return self.app != "INVALID" and self.auth != "INVALID"


def verification_from(row):
    return Verification(*row[:4], **(row[4] if len(row) > 4 else {}))


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

    def add(self, verification, requires_auth):
        app, auth, instant = verification.app, verification.auth, verification.instant
        self.verifications += 1
        self.passed += verification.passed
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

    def __add__(self, other):
        return Day(
            self.verifications + other.verifications,
            self.passed + other.passed,
            self.admitted + other.admitted,
            self.blocked + other.blocked,
            self.refused + other.refused,
            self.signed_in_no_token + other.signed_in_no_token,
            self.anonymous_no_token + other.anonymous_no_token,
            self.hours | other.hours,
            max((i for i in (self.last_blocked, other.last_blocked) if i is not None), default=None),
        )


def days_of(verifications, requires_auth):
    """Day by day counts; undated verifications belong to no day."""
    days = defaultdict(Day)
    for verification in verifications:
        if verification.instant is not None:
            days[day_of(verification.instant)].add(verification, requires_auth)
    return dict(days)


def firsts_of(verifications):
    """Day -> instant of its first verification."""
    firsts = {}
    for verification in verifications:
        if verification.instant is not None:
            day = day_of(verification.instant)
            firsts[day] = min(firsts.get(day, verification.instant), verification.instant)
    return firsts


@dataclass
class FunctionInput:
    """One function's verifications, and what the shown name comes from."""

    project: str
    region: str
    name: str
    service: str
    generation: int  # None where it is unknown
    verifications: list
    discarded: Counter = field(default_factory=Counter)  # by reason, copies included
    labelled: bool = True  # its SDK writes labels
    mixed_share: bool = False  # discarded unlabelled ones are more than a tenth as many as the labelled ones

    @property
    def key(self):
        return (self.project, self.region, self.name, self.generation or 0)

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


def no_day(_):
    return False


@dataclass
class ProjectCounts:
    """What stretch, coverage and the failures' stream look at: all functions of one project, selected or not."""

    volumes: Counter = field(default_factory=Counter)  # day -> verifications
    newest: dict = field(default_factory=dict)  # day -> its newest verification
    failed: dict = field(default_factory=lambda: defaultdict(Counter))  # generation -> day -> failed
    stderr: set = field(default_factory=set)  # days on which a record of the stderr log arrived
    labelled_passes: dict = field(default_factory=lambda: defaultdict(set))  # (generation, day) -> keys of functions
    is_quiet: object = no_day  # whether the policy's quiet-days name a day
    filled: range = range(0)  # days of a forecast: covered, without volumes

    def __post_init__(self):
        self.index()

    def index(self):
        """Finds, for each covered day, where its stretch begins."""
        self.covered = sorted({*self.volumes, *self.filled})
        self.covered_set = set(self.covered)
        self.starts = []
        for position, day in enumerate(self.covered):
            joined = position > 0 and self._near(self.covered[position - 1], day)
            self.starts.append(self.starts[-1] if joined else day)

    def _near(self, earlier, later):
        """At most three empty days between two covered ones; days that the policy calls quiet are not counted."""
        empty = 0
        for day in range(earlier + 1, later):
            empty += not self.is_quiet(day)
            if empty > 3:
                return False
        return True

    def stretch_start(self, today):
        """S as it is seen on a day; the day after it when nothing is covered up to then."""
        position = bisect_right(self.covered, today)
        return self.starts[position - 1] if position else today + 1

    def last_covered(self, today):
        position = bisect_right(self.covered, today)
        return self.covered[position - 1] if position else None


def first_from(firsts, sorted_days, start, today):
    """The first instant of a function from a day on, up to another; None without one."""
    position = bisect_left(sorted_days, start)
    if position == len(sorted_days) or sorted_days[position] > today:
        return None
    return firsts[sorted_days[position]]


def project_counts(functions, stderr_instants, is_quiet):
    projects = {}
    for name in {function.project for function in functions} | stderr_instants.keys():
        projects[name] = ProjectCounts(is_quiet=is_quiet)
    for function in functions:
        counts = projects[function.project]
        for verification in function.verifications:
            if verification.instant is None:
                continue
            day = day_of(verification.instant)
            counts.volumes[day] += 1
            counts.newest[day] = max(counts.newest.get(day, verification.instant), verification.instant)
            if not verification.passed:
                counts.failed[function.generation][day] += 1
            elif function.labelled:
                counts.labelled_passes[function.generation, day].add(function.key)
    for project, instants in stderr_instants.items():
        projects[project].stderr.update(day_of(instant) for instant in instants)
    for counts in projects.values():
        counts.index()
    return projects
