"""The other services report counts: each is one row, judged by the same rule from days and hours."""
from collections import defaultdict
from dataclasses import dataclass, replace

import numpy as np

import bounds
import segmenting
from moments import DAY, HOUR, day, day_number, day_text, end_of, is_date, parse, text
from options import Usage
from rule import night
from window import Cells, choose, few, first_day, numbers, window

WITHOUT_TWIN = ("firebasestorage.googleapis.com", "maps-backend.googleapis.com", "places.googleapis.com")
AI_LOGIC = "firebaseml.googleapis.com"
UNKNOWN = "MISSING_UNKNOWN_ORIGIN"
SERVED = ("INVALID", "MISSING_OUTDATED_CLIENT")         # what only a service that is off lets through
LATE = 6 * HOUR
BY_GOOGLE = day_number("2026-11-02") * DAY               # from then on AI Logic is enforced for everybody


@dataclass
class Service:
    project: str
    name: str
    T: int
    S: int                               # of the project: the first day that is looked at
    everything: list                     # (Point, count), those that end by T: what signs read
    since: int                           # the first instant that is looked at elsewhere
    others: set                          # days on which other services of the project count
    mode: tuple | None                   # (enforced, changed), as of T
    partial: bool
    holes: list                          # (begin, end) that no pull covers
    contradicted: bool = False           # the metric says the opposite of what was set or written

    def __post_init__(self):
        self.stretch = [(p, n) for p, n in self.everything if day(p.start) >= self.S]
        self.points = [(p, n) for p, n in self.stretch if p.start >= self.since]
        self.days = {day(p.start) for p, _ in self.points}
        self.has_twin = self.name not in WITHOUT_TWIN
        self.by_day = any(p.end - p.start > HOUR + 10**9 for p, _ in self.points)

    def admitted(self, point, signed_in):
        return not (signed_in and self.has_twin and point.security == UNKNOWN)


def _blocked(p):
    return p.result == "DENY" or p.security not in ("VALID", "CONSUMED")


def _stints(service, begin=0):
    """[(begin, state, refused?)]: unbroken runs of hours with more than half, or at most half, of their signs refused."""
    refused, served = defaultdict(int), defaultdict(int)
    for p, n in service.everything:
        hour = p.start // HOUR
        if p.start < begin:
            continue
        if p.result == "DENY":
            refused[hour] += n
        elif p.security in SERVED:
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
    return [(begin, state(r, s), kind) for begin, kind, r, s in out]


def state_at(service, at):
    """(state, since): the mode that was asked for decides from its last change on, the signs before; Google's own decides for AI Logic."""
    found = [stint for stint in _stints(service) if stint[0] <= at]
    by_signs = found[-1][1] if found else "unknown"
    if service.name == AI_LOGIC:
        began = [begin for begin, state, _ in found if state == "on"]
        return "on", began[-1] if began else BY_GOOGLE if at >= BY_GOOGLE else at
    if service.mode is not None and (service.mode[1] is None or at >= service.mode[1]):
        enforced, changed = service.mode
        return ("on", changed) if enforced else ("off", None)
    return by_signs, found[-1][0] if by_signs == "on" else None


def _mode_is_contradicted(service, state, since):
    """The newest stint since the mode's change says the opposite."""
    change = (since if since < service.T else None) if service.name == AI_LOGIC else service.mode[1]
    found = _stints(service, -(-change // HOUR) * HOUR if change is not None else 0)        # its own hour has requests from before it
    return bool(found) and found[-1][2] != (state == "on")


@dataclass
class Enforcement:
    state: str
    since: int | None
    by: str | None
    codes: list                          # of the verdict, where it is settled
    contradicted: bool


def _enforcement(service, written):
    """By mode or signs; what the policy says where these say nothing."""
    (state, since), stated = state_at(service, service.T), service.mode is not None or service.name == AI_LOGIC
    by, says_other = "mode" if stated else "log" if state == "on" else None, stated and _mode_is_contradicted(service, state, since)
    time = None
    if written is not None:
        of_day = [p.start for p, _ in service.everything if state == "on" and p.start >= since // HOUR * HOUR and day(p.start) == day(parse(written))]
        time = min(of_day, default=end_of(written)) if is_date(written) else parse(written)
    if time is None or time > service.T or state == "on":
        codes = ["enforced" if stated or time is not None and time <= service.T else "enforced-by-log"] if state == "on" and not says_other else []
        return Enforcement(state, since, by, codes, says_other)
    served = any(p.start >= time and p.result == "ALLOW" and p.security in SERVED for p, _ in service.everything)
    if state == "off" and (stated or served):
        return Enforcement(state, None, by, [], True)
    return Enforcement(state, time, "policy", ["enforced"], False)


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
        self.verdict, self.unit, self.hours = "insufficient", None, []
        self.window, self.n = choose(cells, options, at, service.S)
        first = min((p.start for p, _ in service.points), default=at)
        self.observed = max(1.0, (at - max(self.window.begin, first)) / DAY)
        self.age = max(1, int((at - first) / DAY + 0.5))
        if any(d >= self.window.first for d in known):
            self._judge(cells, known, first)
        else:
            self.reasons["no-traffic"] = (0, 1)

    def _judge(self, cells, known, first):
        o, reasons, n, last = self.o, self.reasons, self.n, day(self.at)
        if any(known[-1] + 2 <= d <= last for d in self.service.others):
            reasons["stale"] = (last - known[-1], None)
        decided, week = None, window(o.window, self.at, o.since)
        last_week = numbers(cells, week, o.confidence)
        self.few = few(o, n, self.observed, last_week, max(1.0, (self.at - max(week.begin, first)) / DAY))
        for period in () if self.few else (n, last_week):
            if period.b and period.lower > o.max_refused:
                reasons["too-many-blocked"], decided = (period.lower, o.max_refused), (period.invalid, period.b)
                break
        if not self.few and n.lower <= o.max_refused < n.upper:
            reasons["too-few-requests"] = (None, o.max_refused)
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
            reasons["platform-refused"] = (None, None)
        young = self.at == self.service.T and self.age < o.min_days
        for code, holds in (("too-few-days", young), ("too-few-active-days", n.active < 3), ("uncounted", self.service.partial), ("coverage-gap", self._hole()),
                            ("callers-unknown", o.require_callers and n.b > 0), ("policy-contradicted", self.service.contradicted)):
            if holds and not (o.assume_complete == "all" and code in ("uncounted", "coverage-gap")):
                reasons[code] = (None, None)
        against = "too-many-blocked" in reasons or "failing-now" in reasons
        if "stale" in reasons:
            return
        if against or self.hours:
            self.verdict = "investigate" if against and "mostly-invalid" in reasons else "wait"
        elif not reasons:
            self.verdict = "enforce"
            reasons["few" if self.few and n.upper > o.max_refused else "safe"] = (None, None)

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

    def _hole(self):
        """Hours of the window that no pull covers, between hours that some do."""
        return any(begin <= self.at and end > self.window.first * DAY for begin, end in self.service.holes)

    def _refused_hours(self):
        """Hours of the day that would be refused, of signed-in ones where these are half: by night debug tokens run and quotas end."""
        signed = sum(n for p, n in self.points if day(p.start) >= self.window.first and p.security != UNKNOWN or not self.service.has_twin)
        points = [(p, n) for p, n in self.points if self.service.admitted(p, 2 * signed >= self.n.n)]
        begin = first_day(self.o.max_window, self.at) * DAY if self.o.since is None else max(first_day(self.o.max_window, self.at) * DAY, self.o.since)
        return [] if self.service.by_day else refused_hours([(p, n) for p, n in points if p.start >= begin], first_day(self.o.window, self.at), self.o, _blocked)


def refused_hours(points, week, options, blocked):
    """The hours of the day with at least 10 blocked on at least 3 days, lower bound above 50 %, and half of the last W days."""
    out = []
    for hour in range(24):
        own = [(p, n) for p, n in points if p.start // HOUR % 24 == hour]
        total, bad = sum(n for _, n in own), sum(n for p, n in own if blocked(p))
        recent = [(n, n if blocked(p) else 0) for p, n in own if day(p.start) >= week]
        days = {day(p.start) for p, n in own if blocked(p)}
        if bad >= 10 and len(days) >= 3 and bounds.lower(bad, total, 0.99) > max(0.5, options.max_refused) and recent and 2 * sum(b for _, b in recent) >= sum(n for n, _ in recent):
            out.append(hour)
    return out


def _confirmed(service, options, signed_in=False):
    """-> (the judgement of T, the unbroken run of nights on which the rule said *enforce*)."""
    judged = Night(service, options, service.T, signed_in)
    if judged.verdict != "enforce":
        return judged, 0
    count = 1
    while _passed(service, options, night(day(service.T) - count), signed_in):
        count += 1
    if count < options.safe_nights:
        judged.verdict, judged.reasons = "insufficient", {"not-confirmed": (count, options.safe_nights)}
    return judged, count


def _passed(service, options, at, signed_in):
    if day(at) < service.S or options.since is not None and at < options.since or state_at(service, at)[0] == "on":
        return False
    return Night(service, options, at, signed_in).verdict == "enforce"


def _lockout(service, options, e):
    """Refused since the switch, and more than five times a share before it that was bearable: refused clients retry. Or hours of the day."""
    week, since = window(options.window, service.T, None), e.since
    begin = since if e.by == "policy" else since // HOUR * HOUR
    signed = [(p, n) for p, n in service.stretch if service.admitted(p, True)]
    cells, hours = Cells(defaultdict(lambda: [0, 0, 0])), set()
    for p, n in signed:
        if p.start >= max(begin, week.begin):
            cells.days[day(p.start)][0] += n
            if p.result == "DENY":
                cells.days[day(p.start)][1] += n
                hours.add(p.start // HOUR)
    found = numbers(cells, week, options.confidence)
    days = max(1.0, (service.T - max(week.begin, since)) / DAY)
    before = [(n, n if _blocked(p) else 0) for p, n in signed if p.start < since // HOUR * HOUR]
    n, b = sum(n for n, _ in before), sum(b for _, b in before)
    retried = n and b <= options.max_refused * n and found.b * n <= 5 * b * found.n
    most = options.max_per_week
    is_few = most is not None and Night(service, options, service.T, False).few and 2 * found.b < found.n and 7 * found.b / days <= most
    many = found.lower > options.max_refused and found.b >= 2 and len(hours) >= 2 and not retried and not is_few
    denied = lambda p: p.result == "DENY"
    month = max(begin, (day(service.T) - 27) * DAY)
    if not many and (service.by_day or not refused_hours([(p, n) for p, n in signed if p.start >= month], week.first, options, denied)):
        return None
    last = [(p, n) for p, n in signed if p.start > service.T - HOUR and p.start >= begin]
    return {"requests": found.n, "refused": found.b, "lower": found.lower, "platforms": [],
            "lastHour": {"requests": sum(n for _, n in last), "refused": sum(n for p, n in last if denied(p))}}


def _advice(service, judged, twin):
    """What is said beside a verdict, by code."""
    n, verdict = judged.n, judged.verdict
    out = set()
    if verdict == "enforce":
        out.add("debug-tokens")
        out |= {"hours-not-seen"} if service.by_day else set()
        out |= {"callers-unknown"} if n.b else set()
        out |= {"failures-unproven"} if n.n >= 300 and all((p.security, p.result) == ("VALID", "ALLOW") for p, _ in service.points) else set()
    if twin.verdict == "enforce" and (verdict in ("wait", "investigate") or "too-few-requests" in judged.reasons):
        out.add("anonymous-only")
    return out | ({"all-refused"} if n.n and n.invalid == n.n else set())


def _as_of(service, options, at):
    """The ordinary rule on what ended by an instant."""
    return _confirmed(replace(service, T=at, everything=[(p, n) for p, n in service.everything if p.end <= at + 1]), options)[0]


def _answer(service, options):
    e = _enforcement(service, options.enforced)
    service.contradicted = e.contradicted
    judged, count = _confirmed(service, options)
    n, reasons, verdict = judged.n, dict(judged.reasons), judged.verdict
    settled = (["exempt"] if options.exempt is not None else []) + e.codes
    if settled:
        verdict, reasons, count = settled[0].removesuffix("-by-log"), {code: (None, None) for code in settled}, 0
    if verdict == "enforced" and e.by == "policy" and not any(_as_of(service, options, at).verdict == "enforce" for at in (e.since, service.T)):
        reasons["policy-unconfirmed"] = (None, None)
    lockout = _lockout(service, options, e) if e.since is not None else None
    if lockout:
        reasons["lockout"] = (lockout["lower"], options.max_refused)
    twin = _confirmed(service, options, True)[0] if service.has_twin else judged
    if verdict == judged.verdict:
        reasons |= {code: (None, None) for code in _advice(service, judged, twin)}
    rates = lambda j: {"admitted": j.n.n, "blocked": j.n.b, "blockedRate": j.n.b / j.n.n if j.n.n else None, "blockedRateUpper": j.n.upper, "blockedRateLower": j.n.lower}
    u, counted = judged.unit, [(p, n) for p, n in service.everything if p.start >= service.since]
    return {"project": service.project, "service": service.name, "verifications": sum(n for _, n in counted), "app": _statuses(counted),
            "apps": _apps(counted), "readiness": {
        "verdict": verdict, "window": {"from": day_text(judged.window.first), "to": day_text(day(service.T))}, **rates(judged), "dispersion": n.phi, "activeDays": n.active,
        **_splits(judged), "ageDays": judged.age, "observedDays": judged.observed, "failingSince": text(u.instant(u.begin)) if u is not None and u.alarm else None,
        "safeNights": count, "safeSince": day_text(day(service.T) - count + 1) if count else None, "lockout": lockout, "segments": _segments(u),
        "signedIn": {"verdict": twin.verdict if verdict == judged.verdict else verdict, **rates(twin)},
        "reasons": [{"code": c, "value": v, "limit": l} for c, (v, l) in reasons.items()]},
        "enforcement": {"state": e.state, "since": text(e.since), "by": e.by, **_signs(service, judged, e.since)}}


def _statuses(points):
    out = dict.fromkeys(("VALID", "INVALID", "MISSING", "OTHER"), 0)
    for p, n in points:
        out[_status(p)] += n
    return out


def _status(p):
    if p.security in ("VALID", "CONSUMED"):
        return "OTHER" if p.result == "DENY" else "VALID"
    return {"INVALID": "INVALID", "MISSING_OUTDATED_CLIENT": "MISSING", UNKNOWN: "MISSING"}.get(p.security, "OTHER")


def _apps(points):
    sums = defaultdict(int)
    for p, n in points:
        if p.security == "VALID" and p.app != "UNKNOWN":
            sums[p.app] += n
    return [{"app": app, "requests": n} for app, n in sums.items()]


def _splits(judged):
    """The window's blocked requests by token and whether they are of unknown origin."""
    own = [(p, n) for p, n in judged.points if p.start >= judged.window.begin and _blocked(p)]
    part = lambda status, unknown: sum(n for p, n in own if _status(p) == status and (p.security == UNKNOWN and judged.service.has_twin) == unknown)
    return {"tokenRefused": part("INVALID", False), "signedInNoToken": part("MISSING", False), "anonymousNoToken": part("MISSING", True)}


def _segments(u):
    if u is None:
        return []
    return [{"from": text(u.instant(begin)), "to": text(u.instant(end)) if i + 1 < len(u.segments) else None, "requests": int(m), "blocked": int(r),
             "raised": bool(u.raised(u.segments[i]))} for i, (begin, end, m, r) in enumerate(u.segments)]


def _signs(service, judged, since):
    """Since the switch, or else in the window."""
    begin = judged.window.begin if since is None else since
    own = [(p, n) for p, n in service.everything if p.start >= begin]
    return {"refused": sum(n for p, n in own if p.result == "DENY"),
            "served": sum(n for p, n in own if p.result == "ALLOW" and p.security in SERVED)}


def _holes(points):
    """Times that no pull covers, between times that some do."""
    spans = {}
    for source, p in points:
        begin, end = spans.get(source, (p.start, p.end))
        spans[source] = min(begin, p.start), max(end, p.end)
    out, reached = [], None
    for begin, end in sorted(spans.values()):
        if reached is not None and begin > reached:
            out.append((reached, begin))
        reached = end if reached is None else max(reached, end)
    return out


def _newest(points):
    """The end of the newest whole hour, or longer period, six hours before the last one's, less a nanosecond."""
    ends = {p.end for _, p in points}
    limit = max(ends) - LATE
    by_day = any(p.end - p.start > HOUR + 10**9 for _, p in points)
    return (max((end for end in ends if end <= limit), default=limit) if by_day else limit // HOUR * HOUR) - 1


def _mode(modes, project, points, name, T, alone):
    """The newest setting of the project that was made by T: by its id, by the number that apps' names show, or the only ones there are."""
    numbers = {p.app.split(":")[1] for _, p in points if p.app != "UNKNOWN"}
    if not numbers and alone:
        numbers = {owner for owner, *_ in modes} if len({owner for owner, *_ in modes}) == 1 else set()
    numbers.add(project)
    own = [(changed, enforced) for owner, service, enforced, changed in modes if service == name and owner in numbers and (changed is None or changed <= T)]
    newest = max(own, key=lambda m: (m[0] or 0, m[1]), default=None)
    return newest and (newest[1], newest[0])


def _check_overlaps(points):
    periods = defaultdict(set)
    for p in points:
        periods[(p.project, p.service, p.security, p.result, p.app)].add((p.start, p.end))
    for found in periods.values():
        ordered = sorted(found)
        if any(b[0] < a[1] for a, b in zip(ordered, ordered[1:])):
            raise Usage("periods overlap (65)")


def report(log, policy, as_of=None, since=None, until=None):
    pulls = defaultdict(list)
    for (source, p), n in log.points.items():
        if n:
            pulls[p.project].append((source, p))
    _check_overlaps({p for _, p in log.points})
    out = []
    for project, points in sorted(pulls.items()):
        T = (min(t for t in (_newest(points), as_of, until and until - 1) if t is not None) + 1) // HOUR * HOUR - 1
        counts = defaultdict(dict)               # of two reads of a period the larger one
        for source, p in points:
            if p.end <= T + 1:
                counts[p.service][p] = max(log.points[(source, p)], counts[p.service].get(p, 0))
        covered = sorted({day(p.start) for own in counts.values() for p in own})
        S = next((b for a, b in zip(covered[-2::-1], covered[::-1]) if b - a > 4), covered[0] if covered else None)
        partial = any(source in log.partial_pulls or log.open_pulls.get(source) for source, _ in points)
        for name, own in sorted(counts.items()):
            others = {day(p.start) for other, found in counts.items() if other != name for p in found}
            service = Service(project, name, T, S, list(own.items()), since or 0, others, _mode(log.modes, project, points, name, T, len(pulls) == 1), partial, _holes(points))
            if not service.points:
                continue
            options = policy.of(project, "global", {name}, T)
            out.append(_answer(service, replace(options, since=max((t for t in (since, options.since) if t is not None), default=None))))
    return out
