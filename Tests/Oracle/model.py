"""Projects and functions as the rule sees them: requests in the order of time, with what stands beside them."""
from bisect import bisect_left, bisect_right
from collections import defaultdict
from dataclasses import dataclass, field

import clients
import joining
import provenance
from moments import DAY, day
from options import folded


class Times:
    """Sorted instants; counts within a period, both ends included."""

    def __init__(self, instants=()):
        self.at = sorted(instants)

    def between(self, begin, end):
        return max(0, bisect_right(self.at, end) - bisect_left(self.at, begin))

    def on(self, number, until):
        return self.between(number * DAY, min((number + 1) * DAY - 1, until))

    def days(self, until):
        return sorted({t // DAY for t in self.at[:bisect_right(self.at, until)]})


@dataclass(eq=False)
class Request:
    """One verification, with its row."""
    t: int
    app: str
    auth: str
    revision: str | None
    severity: str
    caused: bool
    allowed: bool
    status: int | None                   # of its row
    client: clients.Client | None        # None: no row, or one that shows none
    address: str | None
    filtered: bool
    blocked: int = 0
    kind_and_app: tuple = ()
    sign: str | None = None
    on: bool = False                     # of a revision that enforces
    streams: bool = False                # of a revision whose 200 says nothing

    @property
    def passed(self):
        return self.app != "INVALID" and self.auth != "INVALID"

    @property
    def has_row(self):
        return self.status is not None


@dataclass(eq=False)
class Function:
    of: object
    name: str
    labelled: bool
    requests: list                       # not later than T, `--since` ignored
    visible: list                        # of these, those inside `--since`
    loose_rows: list                     # POST rows without a verification
    rows: list
    discarded: dict
    uncounted_always: int
    undated: list                        # of each undated verification that would be blocked: its source's newest time
    verifications: int
    project: "Project" = None
    traffic: Times = None
    passes: Times = None
    first: int | None = None

    @property
    def sdk3(self):
        severities = {q.severity for q in self.visible if q.passed}
        return self.labelled and severities == {"INFO"}


@dataclass(eq=False)
class Project:
    name: str
    T: int
    functions: list = field(default_factory=list)
    traffic: Times = None
    failed: dict = field(default_factory=dict)       # generation -> Times
    stderr: Times = None
    allows: bool = False
    S: int | None = None                 # the stretch's first day
    proven: frozenset = frozenset()      # days without a verification on which callables ran


@dataclass
class World:
    T: int | None
    projects: dict
    later: int
    filtered: int
    ignored: int
    log: object
    has_rows: set


def stretch(days, quiet):
    """The first day of the last run whose neighbours are at most 4 days apart; quiet days bridge."""
    if not days:
        return None
    first = days[-1]
    for d in reversed(days[:-1]):
        steps, last = [x for x in range(d + 1, first) if quiet(x)], d
        for x in steps + [first]:
            if x - last > 4:
                return first
            last = x
        first = d
    return first


def build(log, as_of, since, until, clock, quiet):
    accepted, discarded = provenance.believe(log.verifications)
    joining.join(accepted, log.rows, log.lines)
    inside = [v for v in accepted if v.time is not None and (until is None or v.time < until)]
    visible = [v for v in inside if since is None or v.time >= since]
    newest = [v.time for v in visible if v.time <= clock + DAY]
    T = as_of if as_of is not None else max(newest, default=None)
    world = World(T, {}, 0, len([v for v in accepted if v.time is not None]) - len(visible), sum(len(x) for d in discarded.values() for x in d.values()), log,
                  {row.of.project for row in log.rows if row.shows_client})
    if since is not None or until is not None:
        world.filtered += sum(v.time is None for v in accepted)
    if T is None:
        return world
    world.later = sum(v.time > T for v in visible)
    inside = [v for v in inside if v.time <= T]
    extended = _extensions(inside)
    by_function = defaultdict(list)
    for v in accepted:
        by_function[v.of].append(v)
    dated = {id(v) for v in inside}
    rows_of = defaultdict(list)
    for row in log.rows:
        if row.verification is None and row.time <= T and (until is None or row.time < until) or row.verification is not None and id(row.verification) in dated:
            rows_of[row.of].append(row)
    for of, entries in by_function.items():
        project = world.projects.setdefault(of.project, Project(of.project, T))
        project.functions.append(_function(of, entries, dated, since, extended, rows_of[of], discarded[of], log, T))
    for project in world.projects.values():
        _finish(project, log, since, until, quiet)
    return world


def _extensions(verifications):
    parsed = [(v, clients.client(v.row.agent, v.row.referer)) for v in verifications if v.row is not None and v.row.shows_client]
    apps = defaultdict(lambda: (set(), set()))
    for v, c in parsed:
        if c.app:
            apps[v.of.project][0].add(c.app)
            if v.app == "VALID":
                apps[v.of.project][1].add(c.app)
    return {project: clients.extensions(*found) for project, found in apps.items()}


def _request(v, since, extended):
    row = v.row
    shows = row is not None and row.shows_client
    client = clients.client(row.agent, row.referer, extended.get(v.of.project, frozenset())) if shows else None
    kind_and_app = (client.kind, client.app) if client else ()
    return Request(v.time, v.app, v.auth, v.revision, v.severity, v.caused, v.allowed, row.status if row else None, client, row.address if shows else None,
                   since is not None and v.time < since, int(v.app != "VALID"), kind_and_app)


def _function(of, entries, dated, since, extended, rows, discarded, log, T):
    requests = sorted((_request(v, since, extended) for v in entries if id(v) in dated), key=lambda q: q.t)
    visible = [q for q in requests if not q.filtered]
    discarded = {kind: [v for v in found if v.time is None or v.time <= T] for kind, found in discarded.items()}
    sources = {v.source for v in entries}
    beside = sum(v.blocks and v.source not in sources for kind in ("unlabelled", "otherMessage") for v in discarded[kind])
    beside += sum(name == of and source not in sources for source, name, _ in log.bare_statuses)
    always = beside + sum(name == of for _, name, _ in log.without_statuses)
    undated = [v for v in entries if v.time is None and v.blocks and since is None]
    undated = [max((t for t in log.times_of[v.source] if t <= T), default=None) for v in undated]
    return Function(of, min(v.shown for v in entries), any(v.labelled for v in entries), requests, visible,
                    [r for r in rows if r.verification is None and (since is None or r.time >= since)], rows, discarded, always, undated, len(visible))


def _finish(project, log, since, until, quiet):
    for f in project.functions:
        f.project = project
        f.traffic = Times(q.t for q in f.visible)
        f.passes = Times(q.t for q in f.visible if q.passed)
    visible = [(f, q) for f in project.functions for q in f.visible]
    project.traffic = Times(q.t for _, q in visible)
    for generation in (1, 2, None):
        project.failed[generation] = Times(q.t for f, q in visible if f.of.generation == generation and not q.passed)
    inside = lambda t: t <= project.T and (since is None or t >= since) and (until is None or t < until)
    project.stderr = Times(t for t in log.stderr.get(project.name, ()) if inside(t))
    project.S = stretch(project.traffic.days(project.T), quiet)
    if project.S is None:
        return
    begin = project.S * DAY
    project.allows = any(line.kind == "allowing" and line.of.project == project.name and begin <= line.time <= project.T for line in log.lines)
    for f in project.functions:
        f.first = next((q.t for q in f.visible if q.t >= begin), None)
    served, crashed = defaultdict(int), defaultdict(int)
    for f in project.functions:
        for row in f.loose_rows:
            served[day(row.time)] += 200 <= row.status < 300
            crashed[day(row.time)] += 500 <= row.status < 600
    project.proven = frozenset(d for d in set(served) | set(crashed) if not project.traffic.on(d, project.T) and (served[d] >= 1 or crashed[d] >= 10))


def find_generation_two(function):
    """The function of generation 2 that took this one's place, if there is one."""
    of = function.of
    return [f for f in function.project.functions if f.of.generation == 2 and of.generation == 1 and f.of.region == of.region and folded(f.of.service) == folded(of.service)]
