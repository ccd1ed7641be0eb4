"""Segments of a unit's requests by UTC hour, persons, and whether it fails now; from the text of VERDICT.md."""
import math
from collections import defaultdict
from dataclasses import dataclass, field

import numpy as np

from bounds import tail
from moments import DAY, HOUR

PENALTY, MOST, CALM_HOURS = 12.0, 15, 24


@dataclass
class Unit:
    """One request that the rule counts: when, who, and whether it is blocked."""
    first: int                            # the first hour looked at, since 1970
    hours: int
    persons: bool = False
    few: bool = False
    known: bool = False
    phi: float = 1.0
    counted: list = field(default_factory=list)     # (hour, address, blocked, original) of what counts
    offices: frozenset = frozenset()
    m: np.ndarray = None
    r: np.ndarray = None
    segments: list = field(default_factory=list)    # (begin, end, m, r), hours from `first`
    calm: tuple | None = None
    begin: int | None = None              # B, where a raised run reaches T
    alarm: bool = False

    @property
    def clean(self):
        return bool(self.segments) and self.segments[-1][3] == 0

    def instant(self, hour):
        return (self.first + hour) * HOUR

    def raised(self, segment):
        return self.calm is not None and segment is not self.calm and _raised(segment, self.calm, self.phi)


def person(request):
    return (request.address, request.kind_and_app, request.auth)


def shared_addresses(requests, hour):
    """Averages more than 3 requests not blocked in the hours in which it has any."""
    count, hours = defaultdict(int), defaultdict(set)
    for q in requests:
        if q.address is not None and not q.blocked:
            count[q.address] += 1
            hours[q.address].add(hour(q))
    return frozenset(a for a in count if count[a] > 3 * len(hours[a]))


def count_persons(requests, offices=None):
    """-> (persons count?, the requests that count, in the order of time). Requests have t, address, kind_and_app, auth, on (their stint), blocked."""
    ordered = sorted(requests, key=lambda q: (q.t, q.blocked))
    hour = lambda q: q.t // HOUR
    offices = shared_addresses(ordered, hour) if offices is None else offices
    each = [q.address is None or q.address in offices for q in ordered]
    if 2 * sum(each) > len(ordered):
        return False, ordered
    last = {}
    for i, q in enumerate(ordered):
        if not each[i]:
            last[(person(q), hour(q), q.on)] = i
    keep = set(last.values())
    return True, [q for i, q in enumerate(ordered) if each[i] or i in keep]


def _entropy(m, r):
    """Minus the greatest log-likelihood of one share, of arrays."""
    part = lambda x: np.where(x > 0, x * np.log(np.maximum(x, 1e-12)), 0.0)
    return part(m) - part(r) - part(m - r)


def cut(m, r, phi, penalty=PENALTY):
    """The cheapest partition before hours with m > 0; the penalty doubles until at most 15 parts come out."""
    at = np.flatnonzero(m > 0)
    if not len(at):
        return []
    pure = np.where(r[at] == 0, 0, np.where(r[at] == m[at], 1, 2))
    starts = np.flatnonzero(np.concatenate([[True], (pure[1:] != pure[:-1]) | (pure[1:] == 2)]))      # a cut inside a pure run gains nothing
    hours_end = at[-1] + 1
    M, R = (np.concatenate([[0], np.cumsum(np.add.reduceat(x[at], starts))]) for x in (m, r))
    at, n = at[starts], len(starts)
    ends = np.append(at[1:], hours_end)
    while True:
        best, back = np.zeros(n + 1), np.zeros(n + 1, int)
        for t in range(1, n + 1):
            price = best[:t] + _entropy((M[t] - M[:t]).astype(float), (R[t] - R[:t]).astype(float)) / phi + penalty
            low = price.min()
            back[t] = int(np.flatnonzero(price <= low + 1e-9)[0])
            best[t] = price[back[t]]
        parts, t = [], n
        while t:
            b = back[t]
            parts.append((int(at[b]), int(ends[t - 1]), int(M[t] - M[b]), int(R[t] - R[b])))
            t = b
        if len(parts) <= MOST:
            return parts[::-1]
        penalty *= 2


def _gain(a, b, phi):
    e = lambda m, r: float(_entropy(np.array([float(m)]), np.array([float(r)]))[0])
    return (e(a[2] + b[2], a[3] + b[3]) - e(a[2], a[3]) - e(b[2], b[3])) / phi


def _raised(segment, calm, phi):
    return segment[3] * calm[2] > 2 * calm[3] * segment[2] and _gain(segment, calm, phi) >= PENALTY


def _phi_of_persons(counted, last_day, offices):
    """Variance by person and day over that of independent requests, of the days before T's."""
    who, days = defaultdict(lambda: [0, 0]), defaultdict(lambda: [0, 0])
    for q in counted:
        d = q.t // DAY
        if d < last_day:
            key = (q.address, d) if q.address in offices else (id(q), d) if q.address is None else (person(q), d)
            for cell in (who[key], days[d]):
                cell[0] += 1
                cell[1] += q.blocked
    share = {d: r / m for d, (m, r) in days.items()}
    spread = sum((r - m * share[key[1]]) ** 2 for key, (m, r) in who.items())
    chance = sum(m * share[d] * (1 - share[d]) for d, (m, r) in days.items())
    return min(12.0, max(1.0, spread / chance)) if chance > 0 else 1.0


def _phi_of_requests(m, r, until):
    """Pearson by segment and day in a coarse cut, of the hours before T's day."""
    m, r = m[:until], r[:until]
    parts, square = 0, 0.0
    segments = cut(m, r, 20.0)
    for begin, end, total, bad in segments:
        p = bad / total
        for d in range(begin // 24, (end - 1) // 24 + 1):
            here = slice(max(begin, 24 * d), min(end, 24 * d + 24))
            v = m[here].sum()
            if v:
                parts += 1
                square += (r[here].sum() - v * p) ** 2 / (v * p * (1 - p)) if 0 < p < 1 else 0.0
    return float(min(50.0, max(8.0, square / max(1, parts - len(segments)))))


def unit(requests, T, days, limit):
    """requests: those that the rule counts of the unit, not later than T."""
    last_day = T // DAY
    first = (last_day - days + 1) * 24
    u = Unit(first, T // HOUR + 1 - first)
    seen = [q for q in requests if first * HOUR <= q.t <= T]
    addresses = {q.address for q in seen if q.address is not None}
    u.few = len(addresses) < 16
    u.known = 2 * sum(q.address is not None for q in seen) >= len(seen)
    u.offices = shared_addresses(seen, lambda q: q.t // HOUR)
    u.persons, u.counted = count_persons(seen, u.offices)
    u.m, u.r = np.zeros(u.hours, int), np.zeros(u.hours, int)
    for q in u.counted:
        u.m[q.t // HOUR - first] += 1
        u.r[q.t // HOUR - first] += q.blocked
    u.phi = _phi_of_persons(u.counted, last_day, u.offices) if u.persons else _phi_of_requests(u.m, u.r, last_day * 24 - first)
    return _judge(u, limit)


def unit_of_counts(first, m, r, last_day, limit):
    """Where nothing but counts by hour is known: the form without addresses."""
    return _judge(Unit(first, len(m), phi=_phi_of_requests(m, r, last_day * 24 - first), m=m, r=r), limit)


def _judge(u, limit):
    u.segments = cut(u.m, u.r, u.phi)
    earlier = [s for s in u.segments[:-1] if s[1] - s[0] >= CALM_HOURS]
    if not earlier:
        return u
    u.calm = min(earlier, key=lambda s: (s[3] / s[2], s[0]))
    run = len(u.segments)
    while run and u.raised(u.segments[run - 1]):
        run -= 1
    if run < len(u.segments):
        u.begin = u.segments[run][0]
        u.alarm = _fails_now(u, run, limit)
    return u


def _fails_now(u, run, limit):
    b, m, r = u.begin, sum(s[2] for s in u.segments[run:]), sum(s[3] for s in u.segments[run:])
    since = u.instant(b)
    blocked = {q.address for q in u.counted if q.t >= since and q.blocked and q.address is not None}
    before = [q for q in u.counted if q.t < since]
    offices = blocked & u.offices
    part = sum(q.address in offices for q in before) / len(before) if before else 0.0
    many = not u.known or len(blocked) >= 4 or u.few and len(blocked) >= 2 and r >= 6 or bool(offices) and part >= 0.2 and r >= 6
    if not u.persons:
        many = many and r / u.phi >= 4 and int((u.r[b:] > 0).sum()) >= 2
    if not many or tail(r / u.phi, m / u.phi, limit) > 0.01:
        return False
    after = int(u.m[np.flatnonzero(u.r)[-1] + 1:].sum())
    if after / u.phi * math.log(1 - min(r / m, 0.6)) <= math.log(0.01):
        return False
    return not _habit(u, m, r)


def _habit(u, m, r):
    hours = range(u.begin, u.hours)
    for longest, days in ((72, (7,)), (24, range(1, 8))):
        if len(hours) <= longest:
            same = [h - 24 * d for d in days for h in hours if h >= 24 * d]
            if u.r[same].sum() / u.phi >= 4 and 2 * u.r[same].sum() * m >= r * u.m[same].sum():
                return True
    return False
