"""The ordinary rule as of one instant: numbers, every reason that holds, and the first verdict that applies."""
from bisect import bisect_right
from dataclasses import dataclass, field

import bounds
import coverage
import segmenting
from admission import Admission
from model import find_generation_two
from moments import DAY, day
from platforms import Platforms
from window import Cells, choose, few, first_day, numbers, per_week, window

BLIND = ("passes-not-seen",)
SILENT = ("no-traffic", "stale", "export-old")
UNSURE = ("too-few-requests", "callers-unknown", "platforms-not-seen", "too-few-days", "too-few-active-days", "coverage-gap", "failures-not-seen", "failures-stopped",
          "failures-late", "uncounted", "unattributed", "mixed-provenance", "policy-contradicted", "platform-silent")
STREAMS = ("failures-not-seen", "failures-stopped", "failures-late")


@dataclass(eq=False)
class Case:
    """What is decided once, at T."""
    function: object
    options: object
    enforcement: object
    T: int
    old: bool = False                    # the log's end is too far from the clock


@dataclass
class Judgement:
    at: int
    window: object = None
    n: object = None                     # Numbers of the window
    observed: float = 1.0
    age: int = 0
    reasons: dict = field(default_factory=dict)      # code -> (value, limit)
    verdict: str = ""
    decided: object = None               # the period whose share decided
    few: bool = False
    per_week: float | None = None
    uncounted: int = 0
    left_out: int = 0
    programs: int = 0
    admission: object = None
    platforms: object = None
    segments: object = None
    refused: list = field(default_factory=list)
    failing_since: int | None = None
    joined: tuple = (0, 0)

    @property
    def enforce(self):
        return self.verdict == "enforce"


class Rule:
    """One function on one night. `filled` holds the cells of the forecast's days after T, `held` its codes decided at T."""

    def __init__(self, case, at, twin=False, filled=None, admission=None, held=None, remove=None):
        self.case, self.at, self.f, self.o = case, at, case.function, case.options
        self.filled, self.held, self.twin = filled or {}, held, twin
        self.project, self.seen_to = self.f.project, min(at, case.T)
        self.out = Judgement(at)
        self.admission = admission
        self.remove = remove             # the what-ifs take a suspect away

    def judge(self):
        self._judge()
        if self._superseded():
            self.out.verdict, self.out.reasons = "superseded", {"superseded": (None, None)}
        return self.out

    def _judge(self):
        f, o, out, S = self.f, self.o, self.out, self.project.S
        if S is None or f.first is None or f.first > self.at:
            out.reasons["no-traffic"] = (0, 1)
            out.verdict = "insufficient"
            out.window = window(o.window, self.at, o.since)
            out.n = numbers(Cells({}), out.window, o.confidence)
            if S is not None:
                out.window, out.n = choose(Cells({}), o, self.at, S)
            return
        a = out.admission = self.admission or Admission(f, o, self.case.enforcement, self.seen_to, self.twin)
        requests = f.visible[:bisect_right(f.visible, self.seen_to, key=lambda q: q.t)]
        oldest = max(S, first_day(o.max_window + o.window, self.at)) * DAY
        self.recent = [q for q in requests if q.t >= oldest]
        self.counted = [q for q in self.recent if a.counts(q) and not (self.remove and self.remove(q))]
        cells = Cells.of(self.counted, o.since)
        cells.days.update(self.filled)
        w, n = choose(cells, o, self.at, S)
        if a.partly:                     # requests of on revisions leave n and b, not the active days
            n.active = len({day(q.t) for q in self.recent if w.holds(q.t) and a.of_people(q)} | {d for d in self.filled if d >= w.first})
        out.window, out.n = w, n
        week = window(o.window, self.at, o.since)
        start = next((t for t in self.project.traffic.at if t >= S * DAY), self.at)
        out.observed = max(1.0, (self.at - max(w.begin, start, f.first)) / DAY)
        out.per_week = per_week(n, out.observed, o.confidence)
        out.age = max(1, int((self.at - f.first) / DAY + 0.5))
        self._window_counts(requests, w)
        if not self._traffic(w):
            out.reasons["no-traffic"] = (0, 1)
            out.verdict = "insufficient"
            return
        self._silence(w, S)
        last = numbers(cells, week, o.confidence)
        out.few = few(o, n, out.observed, last, max(1.0, (self.at - max(week.begin, start, f.first)) / DAY))
        self._shares(n, last)
        self._whole(w, week, n)
        if self.held is None:
            self._platforms(w)
            self._failing_now()
        else:
            out.reasons.update(self.held)
        self._verdict()

    def _traffic(self, w):
        return any(d >= w.first for d in self.filled) or self.f.traffic.between(w.begin, self.seen_to) > 0

    def _window_counts(self, requests, w):
        out, a = self.out, self.out.admission
        inside = [q for q in requests if w.holds(q.t)]
        out.left_out = sum(a.by_auth(q) and a.left_out(q) for q in inside)
        out.programs = sum(a.admitted(q) and a.program(q) for q in inside)
        n = [q for q in self.counted if w.holds(q.t)]
        out.joined = sum(q.client is not None for q in n), sum(q.client is not None and q.blocked for q in n)

    def _silence(self, w, S):
        out = self.out
        if any(d >= w.first for d in self.filled):
            blind = False
        else:
            blind = coverage.blind(self.f, w.first, self.at, S)
            silent = coverage.stale(self.f, self.at, S)
            if silent:
                out.reasons["stale"] = (silent, None)
        loose = [r for r in self.f.loose_rows if 200 <= r.status < 300 and w.holds(r.time)]
        out.uncounted = self.f.uncounted_always + len(loose) + sum(newest is None or newest >= w.begin for newest in self.f.undated)
        unlogged = sum(r.time >= self.f.first for r in loose)
        total = self.f.traffic.between(w.begin, self.seen_to)
        if blind or (unlogged >= 20 and unlogged > total / 10):
            out.reasons["passes-not-seen"] = (0 if blind else unlogged, None)
        if self.case.old:
            out.reasons["export-old"] = (None, None)

    def _shares(self, n, last):
        out, o = self.out, self.o
        if out.few:
            return
        for period in (n, last):
            if period.b > 0 and period.lower > o.max_refused:
                out.decided = period
                out.reasons["too-many-blocked"] = (period.lower, o.max_refused)
                if 2 * period.invalid >= period.b:
                    out.reasons["mostly-invalid"] = (period.invalid / period.b, 0.5)
                break
        if n.lower <= o.max_refused < n.upper:
            out.reasons["too-few-requests"] = (n.upper, o.max_refused)

    def _whole(self, w, week, n):
        out, o, f = self.out, self.o, self.f
        if out.age < o.min_days:
            out.reasons["too-few-days"] = (out.age, o.min_days)
        if n.active < 3:
            out.reasons["too-few-active-days"] = (n.active, 3)
        cover = coverage.Coverage(self.project, self.at, o.quiet, frozenset(self.filled))
        lifted = o.assume_complete
        if lifted != "all":
            gaps = cover.gaps(w.first)
            if gaps:
                out.reasons["coverage-gap"] = (len(gaps), 0)
            if out.uncounted and bounds.upper((n.b + out.uncounted) / n.phi, (n.n + out.uncounted) / n.phi, o.confidence) > o.max_refused:
                out.reasons["uncounted"] = (out.uncounted, 0)
        if not lifted and self.held is None:
            for code in coverage.streams(f, w.first, week.first, self.at):
                out.reasons[code] = (None, None)
        if self.project.name == "-":
            out.reasons["unattributed"] = (None, None)
        if self._mixed():
            out.reasons["mixed-provenance"] = (None, None)
        if self.case.enforcement.contradicted or out.admission.contradicted:
            out.reasons["policy-contradicted"] = (None, None)

    def _mixed(self):
        """Lines of others stand among the SDK's: many unlabelled ones, or passes of two severities on one day."""
        labelled = len(self.f.visible) if self.f.labelled else 0
        if labelled and len(self.f.discarded["unlabelled"]) > 0.1 * labelled:
            return True
        days = {}
        for q in self.f.visible if self.f.labelled else ():
            if q.passed and day(q.t) >= self.project.S and q.t <= self.seen_to:
                days.setdefault(day(q.t), set()).add(q.severity == "DEBUG")
        return sum(len(kinds) == 2 for kinds in days.values()) >= 3

    def _platforms(self, w):
        out, o, a = self.out, self.o, self.out.admission
        asked = [q for q in self.recent if q.client and a.admitted(q) and not (a.partly and q.on) and not a.already_refused(q) and not (self.remove and self.remove(q))]
        p = out.platforms = Platforms(a, o, w, self.counted, asked)
        out.refused = p.refused()
        releases = p.releases()
        if out.refused:
            out.reasons["platform-refused"] = (len(out.refused), 0)
        if releases:
            out.reasons["release-refused"] = (len(releases), 0)
            out.refused = out.refused + releases
        silent = p.silent()
        if silent:
            out.reasons["platform-silent"] = (len(silent), 0)
        joined, blocked = out.joined if not p.nameless else (0, 0)
        if o.require_callers:
            if 2 * joined < out.n.n or 2 * blocked < out.n.b:
                out.reasons["callers-unknown"] = (joined / out.n.n if out.n.n else 0, 0.5)
            if not p.seen:
                out.reasons["platforms-not-seen"] = (None, None)

    def _failing_now(self):
        out, o = self.out, self.o
        u = out.segments = segmenting.unit(self.counted, self.at, o.max_window + o.window, o.max_refused)
        failing = [u] if u.alarm else []
        failing += [v for _, v in out.platforms.failing()] if not failing else []
        if not failing:
            return
        u = failing[0]
        since = u.instant(u.begin)
        out.failing_since = since
        m, r = int(u.m[u.begin:].sum()), int(u.r[u.begin:].sum())
        out.reasons["failing-now"] = (r / m, o.max_refused)
        if out.decided is None:
            out.decided = u
            blocked = [q for q in u.counted if q.t >= since and q.blocked]
            if 2 * sum(q.app == "INVALID" for q in blocked) >= len(blocked):
                out.reasons["mostly-invalid"] = (sum(q.app == "INVALID" for q in blocked) / len(blocked), 0.5)

    def _verdict(self):
        out, o = self.out, self.o
        holds = lambda codes: any(c in out.reasons for c in codes)
        against = "too-many-blocked" in out.reasons or "failing-now" in out.reasons
        if holds(BLIND):
            out.verdict = "blind"
        elif holds(SILENT):
            out.verdict = "insufficient"
        elif against and "mostly-invalid" in out.reasons:
            out.verdict = "investigate"
        elif against or holds(("platform-refused", "release-refused")):
            out.verdict = "wait"
        elif holds(UNSURE):
            out.verdict = "insufficient"
        else:
            out.verdict = "enforce"
            out.reasons["few" if out.few and out.n.upper > o.max_refused else "safe"] = (out.n.upper, o.max_refused)

    def _superseded(self):
        w = window(self.o.window, self.at, None)
        if self.f.traffic.between(w.begin, self.seen_to):
            return False
        return any(g.traffic.between(w.begin, self.seen_to) for g in find_generation_two(self.f))


def night(number):
    """The as-of instant of an earlier day."""
    return (number + 1) * DAY - 10**9


def nights(case, judged, twin=False, remove=None):
    """How many nights in a row said enforce, T's among them; at most safe-nights."""
    if not judged.enforce:
        return 0
    o, count, last = case.options, 1, day(case.T)
    while count < o.safe_nights:
        d = last - count
        if o.since is not None and night(d) < o.since or not Rule(case, night(d), twin, remove=remove).judge().enforce:
            break
        count += 1
    return count


def confirmed(case, twin=False, remove=None):
    """The rule at T with its nights: (judgement, nights)."""
    judged = Rule(case, case.T, twin, remove=remove).judge()
    count = nights(case, judged, twin, remove)
    if judged.enforce and count < case.options.safe_nights:
        judged.verdict = "insufficient"
        judged.reasons = {"not-confirmed": (count, case.options.safe_nights)}
    return judged, count
