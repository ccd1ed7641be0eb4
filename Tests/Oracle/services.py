"""The other services report counts: each is one row, judged by the same rule from days and hours."""
from collections import defaultdict
from dataclasses import dataclass, field

import numpy as np

import bounds
import segmenting
from moments import DAY, HOUR, day, day_text, text
from rule import night
from window import Cells, choose, few, first_day, numbers, window

WITHOUT_TWIN = ("firebasestorage.googleapis.com", "maps-backend.googleapis.com", "places.googleapis.com")
AI_LOGIC = "firebaseml.googleapis.com"
UNKNOWN = "MISSING_UNKNOWN_ORIGIN"
LATE = 6 * HOUR


@dataclass
class Service:
    project: str
    name: str
    T: int
    points: list                         # (Point, count), those that end by T
    others: set                          # days on which other services of the project count
    modes: dict
    partial: bool
    hole: bool
    days: set = field(default_factory=set)

    def __post_init__(self):
        self.days = {day(p.start) for p, n in self.points if n}
        self.has_twin = self.name not in WITHOUT_TWIN

    def admitted(self, point, signed_in):
        return not (signed_in and self.has_twin and point.security == UNKNOWN)


def _blocked(p):
    return p.result == "DENY" or p.security not in ("VALID", "CONSUMED")


def _stints(service):
    """[(begin, state)]: unbroken runs of hours with more than half, or at most half, of their signs refused."""
    refused, served = defaultdict(int), defaultdict(int)
    for p, n in service.points:
        hour = p.start // HOUR
        if p.result == "DENY":
            refused[hour] += n
        elif p.security in ("INVALID", "MISSING_OUTDATED_CLIENT"):
            served[hour] += n
    out, hours = [], sorted(set(refused) | set(served))
    for hour in hours:
        signs = refused[hour] + served[hour]
        kind = 2 * refused[hour] > signs
        if signs >= 3 and (not out or out[-1][1] != kind):
            out.append([hour * HOUR, kind, 0, 0])
        if out:
            out[-1][2] += refused[hour]
            out[-1][3] += served[hour]
    state = lambda r, s: "on" if r >= 3 and r > s else "off" if s >= 1 and r <= s else "unknown"
    return [(begin, state(r, s)) for begin, _, r, s in out]


def state_at(service, at):
    """(state, since): the mode that was asked for decides from its last change on, the signs before."""
    mode, changed = service.modes.get((service.project, service.name), (None, None))
    if mode is None:
        mode, changed = next(((m, t) for (_, name), (m, t) in service.modes.items() if name == service.name and len({p for p, _ in service.modes}) == 1), (None, None))
    if mode is not None and (changed is None or at >= changed):
        return ("on", changed) if mode == "ENFORCED" else ("off", None)
    found = [s for s in _stints(service) if s[0] <= at]
    if not found:
        return "unknown", None
    return found[-1][1], found[-1][0] if found[-1][1] == "on" else None


class Night:
    """The rule of one service as of one instant."""

    def __init__(self, service, options, at, signed_in=False):
        signed_in = signed_in or options.requires_auth
        self.service, self.o, self.at, self.reasons = service, options, at, {}
        self.points = [(p, n) for p, n in service.points if p.end <= at + 10**9 and n and service.admitted(p, signed_in)]
        cells = Cells(defaultdict(lambda: [0, 0, 0]))
        for p, n in self.points:
            if options.since is None or p.start >= options.since:
                cell = cells.days[day(p.start)]
                for i, holds in enumerate((True, _blocked(p), p.security == "INVALID")):
                    cell[i] += n if holds else 0
        known = sorted(d for d in service.days if d <= day(at))
        self.S = next((b for a, b in zip(known[-2::-1], known[::-1]) if b - a > 4), known[0]) if known else None
        self.verdict, self.unit, self.hours = "insufficient", None, []
        self.window = window(options.window, at, options.since)
        if self.S is None or not any(d >= self.window.first for d in known):
            self.n = numbers(Cells({}), self.window, options.confidence)
            self.observed, self.age = 1.0, 0
            self.reasons["no-traffic"] = (0, 1)
            return
        self.window, self.n = choose(cells, options, at, self.S)
        first = min(p.start for p, n in service.points if n and day(p.start) >= self.S)
        self.observed = max(1.0, (at - max(self.window.begin, first)) / DAY)
        self.age = max(1, int((at - first) / DAY + 0.5))
        self._judge(cells, known, first)

    def _judge(self, cells, known, first):
        o, reasons, n, last = self.o, self.reasons, self.n, day(self.at)
        gaps = max((b - a for a, b in zip(known, known[1:])), default=1)
        silent = last - known[-1]
        if silent >= 2 and any(d > known[-1] and d <= last for d in self.service.others) or silent > 3 and silent > 2 * gaps:
            reasons["stale"] = (silent, None)
        decided, week = None, window(o.window, self.at, o.since)
        last_week = numbers(cells, week, o.confidence)
        self.few = few(o, n, self.observed, last_week, max(1.0, (self.at - max(week.begin, first)) / DAY))
        for period in () if self.few else (n, last_week):
            if period.b and period.lower > o.max_refused:
                reasons["too-many-blocked"], decided = (period.lower, o.max_refused), (period.invalid, period.b)
                break
        if not self.few and n.lower <= o.max_refused < n.upper:
            reasons["too-few-requests"] = (n.upper, o.max_refused)
        self._failing()
        if self.unit.alarm:
            u = self.unit
            reasons["failing-now"] = (u.r[u.begin:].sum() / u.m[u.begin:].sum(), o.max_refused)
            if decided is None:
                since = [(p, c) for p, c in self.points if p.start >= u.instant(u.begin)]
                decided = sum(c for p, c in since if p.security == "INVALID"), sum(c for p, c in since if _blocked(p))
        if decided and 2 * decided[0] >= decided[1]:
            reasons["mostly-invalid"] = (decided[0] / decided[1], 0.5)
        self.hours = self._refused_hours()
        if self.hours:
            reasons["platform-refused"] = (len(self.hours), 0)
        for code, holds in (("too-few-days", self.age < o.min_days), ("too-few-active-days", n.active < 3), ("uncounted", self.service.partial), ("coverage-gap", self.service.hole)):
            if holds and not (o.assume_complete == "all" and code in ("uncounted", "coverage-gap")):
                reasons[code] = (None, None)
        against = "too-many-blocked" in reasons or "failing-now" in reasons
        if "stale" in reasons:
            return
        if against or self.hours:
            self.verdict = "investigate" if against and "mostly-invalid" in reasons else "wait"
        elif not reasons:
            self.verdict = "enforce"
            reasons["few" if self.few and n.upper > o.max_refused else "safe"] = (n.upper, o.max_refused)

    def _failing(self):
        last_day = day(self.at)
        first, hours = (last_day - self.o.max_window - self.o.window + 1) * 24, 0
        hours = self.at // HOUR + 1 - first
        m, r = np.zeros(hours, int), np.zeros(hours, int)
        for p, n in self.points:
            if p.start // HOUR >= first:
                m[p.start // HOUR - first] += n
                r[p.start // HOUR - first] += n if _blocked(p) else 0
        self.unit = segmenting.unit_of_counts(first, m, r, last_day, self.o.max_refused)

    def _refused_hours(self):
        """Hours of the day that would be refused: by night debug tokens run and quotas end. By days there are none."""
        begin = first_day(self.o.max_window, self.at) * DAY if self.o.since is None else max(first_day(self.o.max_window, self.at) * DAY, self.o.since)
        week, out = first_day(self.o.window, self.at), []
        for hour in range(24):
            own = [(p, n) for p, n in self.points if p.start >= begin and p.start // HOUR % 24 == hour and p.end - p.start <= HOUR + 10**9]
            total, bad = sum(n for _, n in own), sum(n for p, n in own if _blocked(p))
            recent = [(n, n if _blocked(p) else 0) for p, n in own if day(p.start) >= week]
            days = {day(p.start) for p, n in own if _blocked(p)}
            if bad >= 10 and len(days) >= 3 and bounds.lower(bad, total, 0.99) > max(0.5, self.o.max_refused) and recent and 2 * sum(b for _, b in recent) >= sum(n for n, _ in recent):
                out.append(hour)
        return out


def _confirmed(service, options, signed_in=False):
    judged = Night(service, options, service.T, signed_in)
    if judged.verdict != "enforce":
        return judged, 0
    count = 1
    while count < options.safe_nights:
        at = night(day(service.T) - count)
        if options.since is not None and at < options.since or state_at(service, at)[0] == "on" or Night(service, options, at, signed_in).verdict != "enforce":
            judged.verdict, judged.reasons = "insufficient", {"not-confirmed": (count, options.safe_nights)}
            break
        count += 1
    return judged, count


def _lockout(service, options, since):
    """Refused since the switch, and more than five times the share before it: refused clients retry."""
    week = window(options.window, service.T, None)
    signed = [(p, n) for p, n in service.points if n and not (service.has_twin and p.security == UNKNOWN)]
    cells, hours = Cells(defaultdict(lambda: [0, 0, 0])), set()
    for p, n in signed:
        if p.start >= max(since, week.begin):
            cells.days[day(p.start)][0] += n
            if p.result == "DENY":
                cells.days[day(p.start)][1] += n
                hours.add(p.start // HOUR)
    found = numbers(cells, week, options.confidence)
    before = [(n, n if _blocked(p) else 0) for p, n in signed if p.end <= since]
    share = sum(b for _, b in before) / sum(n for n, _ in before) if before else None
    if found.lower <= options.max_refused or found.b < 2 or len(hours) < 2 or share is not None and found.b / found.n <= 5 * share:
        return None
    return {"requests": found.n, "refused": found.b, "lower": found.lower, "platforms": []}


def _answer(service, options):
    judged, count = _confirmed(service, options)
    n, reasons, verdict = judged.n, dict(judged.reasons), judged.verdict
    state, since = state_at(service, service.T)
    if options.exempt is not None:
        verdict, reasons = "exempt", {"exempt": (None, None)}
    elif state == "on" or service.name == AI_LOGIC and verdict == "enforce":
        verdict, reasons = "enforced", {"enforced-by-log": (None, None)}
    lockout = _lockout(service, options, since) if state == "on" and since is not None and service.name != AI_LOGIC else None
    if lockout:
        reasons["lockout"] = (lockout["lower"], options.max_refused)
    twin = _confirmed(service, options, True)[0] if service.has_twin else None
    rates = lambda j: {"admitted": j.n.n, "blocked": j.n.b, "blockedRate": j.n.b / j.n.n if j.n.n else None, "blockedRateUpper": j.n.upper, "blockedRateLower": j.n.lower}
    u = judged.unit
    return {"project": service.project, "service": service.name, "readiness": {
        "verdict": verdict, "window": {"from": day_text(judged.window.first), "to": day_text(day(service.T))}, **rates(judged), "dispersion": n.phi, "activeDays": n.active,
        "ageDays": judged.age, "observedDays": judged.observed, "failingSince": text(u.instant(u.begin)) if u is not None and u.alarm else None,
        "safeNights": count, "safeSince": day_text(day(service.T) - count + 1) if count else None, "lockout": lockout,
        "signedIn": twin and {"verdict": twin.verdict, **rates(twin)},
        "reasons": [{"code": c, "value": v, "limit": l} for c, (v, l) in reasons.items()]}, "enforcement": {"state": state, "since": text(since)}}


def _hole(points):
    """Hours that no pull covers, between hours that some do."""
    spans = defaultdict(lambda: [None, None])
    for source, p in points:
        begin, end = spans[source]
        spans[source] = [p.start if begin is None else min(begin, p.start), p.end if end is None else max(end, p.end)]
    reached = None
    for begin, end in sorted(spans.values()):
        if reached is not None and begin > reached:
            return True
        reached = end if reached is None else max(reached, end)
    return False


def report(log, policy, as_of=None):
    by_service, pulls = defaultdict(dict), defaultdict(list)
    for (source, p), n in log.points.items():
        pulls[p.project].append((source, p))
        by_service[(p.project, p.service)][p] = max(n, by_service[(p.project, p.service)].get(p, 0))
    out = []
    for (project, name), points in sorted(by_service.items()):
        newest = max(p.end for _, p in pulls[project]) // HOUR * HOUR - LATE - 1
        T = newest if as_of is None else min(newest, as_of)
        seen = [(p, n) for p, n in points.items() if p.end <= T + 1]
        if not seen:
            continue
        others = {day(p.start) for (other, service), found in by_service.items() if other == project and service != name for p, n in found.items() if n and p.end <= T + 1}
        sources = {source for source, p in pulls[project]}
        partial = any(source in log.partial_pulls or log.open_pulls.get(source) for source in sources)
        service = Service(project, name, T, seen, others, log.modes, partial, _hole(pulls[project]))
        out.append(_answer(service, policy.of(project, "global", {name}, T)))
    return out
