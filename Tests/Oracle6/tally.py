"""Counts by day, from a project's raw verifications: what the rule looks at."""

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from dataclasses import dataclass, field

from globs import matches
from instants import day_of, hour_of

STATUSES = ("VALID", "INVALID", "MISSING", "OTHER")
MACHINES = ("tool", "node", "server", "google", "none")  # a debug token in a test proves nothing about people


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
    execution: str = None  # None if nothing else in the input shares it
    trace: str = None
    span: str = None
    insert_id: str = ""
    copies: int = 0  # of the same entry, removed as duplicates
    text: bool = False  # in a description alone: written as the Python SDK prints it
    forged: bool = False  # in a description alone: a function's own line, so on stdout
    received: int = None  # of an undated one, where it says so
    apart: bool = False  # in a source in which no verification of the function is the SDK's
    status: int = None  # how its request was answered, where the request log has its row
    agent: str = None  # that row's user agent; None for a row without one
    referer: str = None
    client: object = None  # of a verification with a row: see clients.tell_clients
    row_unknown: bool = False  # it has a row, but which one of several cannot be told
    revision: str = "00006-taj"  # what its name adds to the service's; None of generation 1

    @property
    def passed(self):
        return self.app != "INVALID" and self.auth != "INVALID"


OLDEST = 1_451_606_400 * 10**9  # 2016-01-01; an earlier time is none


def verification_from(row):
    instant = row[0] if row[0] is not None and row[0] >= OLDEST else None
    return Verification(instant, *row[1:4], **(row[4] if len(row) > 4 else {}))


@dataclass
class Day:
    """One day of one function as one definition of "admitted" sees it. A filled day holds fractions."""

    verifications: float = 0
    passed: float = 0
    refused_already: int = 0  # by revisions that are on, while others serve: no admitted ones, but the day is active
    admitted: float = 0
    signed_in: float = 0  # of the admitted ones
    machines: int = 0  # admitted and valid, from what is no person's client
    machines_signed_in: int = 0
    known: int = 0  # admitted with a row
    known_machines: int = 0  # of them from what is no person's client, valid or not
    blocked: float = 0
    refused: float = 0  # blocked with app INVALID
    known_blocked: int = 0
    left_out: int = 0  # would be admitted, had the policy not named their kind of client
    signed_in_no_token: int = 0
    anonymous_no_token: int = 0
    already_failing: int = 0  # blocked, and answered with an error all the same
    hours: set = field(default_factory=set)  # in which a request was blocked
    last_blocked: int = None
    clients: Counter = field(default_factory=Counter)  # (client, signed in, blocked, app) of the admitted with a client
    causes: Counter = field(default_factory=Counter)  # of those with app INVALID, why

    def add(self, verification, requires_auth, ignored=(), is_refused_already=False, cause=None):
        app, auth, instant, client = verification.app, verification.auth, verification.instant, verification.client
        self.verifications += 1
        self.passed += verification.passed
        if not (auth == "VALID" if requires_auth else auth != "INVALID"):
            return
        blocked, signed_in = app != "VALID", auth == "VALID"
        if is_left_out(verification, ignored):
            self.left_out += 1
            return
        if is_refused_already:
            self.refused_already += 1
            return
        self.admitted += 1
        self.signed_in += signed_in
        if client:
            self.known += 1
            self.known_blocked += blocked
            self.clients[client, signed_in, blocked, app] += 1
            if client.kind in MACHINES:
                self.known_machines += 1
                self.machines += not blocked
                self.machines_signed_in += signed_in and not blocked
        if not blocked:
            return
        self.blocked += 1
        self.hours.add(hour_of(instant))
        self.refused += app == "INVALID"
        self.signed_in_no_token += (app, auth) == ("MISSING", "VALID")
        self.anonymous_no_token += (app, auth) == ("MISSING", "MISSING")
        self.already_failing += client is not None and verification.status >= 400
        self.last_blocked = instant if self.last_blocked is None else max(self.last_blocked, instant)
        if app == "INVALID":
            self.causes[cause or "unexplained"] += 1


def is_left_out(verification, ignored):
    """Whether its row shows a kind of client that the policy names as one's own."""
    return verification.client is not None and verification.client.kind in ignored


def days_of(verifications, requires_auth, ignored=(), is_refused_already=lambda row: False, cause_of=lambda row: None):
    """Day by day counts; undated verifications belong to no day."""
    days = defaultdict(Day)
    for row in verifications:
        if row.instant is not None:
            days[day_of(row.instant)].add(row, requires_auth, ignored, is_refused_already(row), cause_of(row))
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
    discarded: Counter = field(default_factory=Counter)  # by reason; copies included, but those of repeated ones
    duplicates: int = 0  # copies of repeated ones
    labelled: bool = True  # its SDK writes labels
    mixed_share: bool = False  # discarded unlabelled ones are more than a tenth as many as the labelled ones
    unjoined: list = field(default_factory=list)  # [instant, status] of rows without a verification, a shared trace behind
    lines: list = field(default_factory=list)  # [instant, execution, what], see enforcement
    before: list = field(default_factory=list)  # verifications before --since, which hides nobody who is refused
    uncounted_apart: list = field(default_factory=lambda: [0, 0])  # discarded ones of a source of their own, signed out and in

    @property
    def key(self):
        return (self.project, self.region, self.name, self.generation or 0)

    @property
    def normalised(self):
        return (self.service or self.name).lower().replace("_", "-")

    def matches(self, pattern):
        """A glob without brackets or question marks: only `*` is special here."""
        pattern = pattern.lower().replace("_", "-")
        return any(matches(name, pattern) for name in (self.name.lower().replace("_", "-"), self.normalised))


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
    answered: Counter = field(default_factory=Counter)  # day -> rows answered 2xx, of requests without a verification
    crashed: Counter = field(default_factory=Counter)  # day -> those answered 5xx

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

    def is_proven_gap(self, day):
        """Whether requests arrived on a day that has no verification."""
        return day not in self.covered_set and (self.answered[day] > 0 or self.crashed[day] >= 10)

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
