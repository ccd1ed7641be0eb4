"""Which revisions enforce, since when, and what a policy's `enforced:` adds to it."""
from bisect import bisect_left
from collections import defaultdict
from dataclasses import dataclass, field

from moments import DAY, day, is_date, parse


@dataclass(eq=False)
class Revision:
    name: str | None
    requests: list                       # (place among all that was answered, request)
    state: str = "unknown"
    refused: int = 0
    served: int = 0
    streams: bool = False
    begin: int = 0                       # place of the first request since it was last away
    there: bool = True

    @property
    def first(self):
        return next(q.t for i, q in self.requests if i >= self.begin)


@dataclass
class Enforcement:
    state: str = "unknown"
    since: int | None = None
    by: str | None = None                # "log", "policy", or None: the ordinary rule judges alone
    planned: int | None = None
    contradicted: bool = False
    by_policy_alone: bool = False
    unclear: bool = False
    revisions: list = field(default_factory=list)
    named: bool = True

    @property
    def enforced(self):
        return self.by is not None

    @property
    def may_stream(self):
        return any(r.streams for r in self.revisions)


def _refused_by_lines(q, allows):
    return q.app == "INVALID" and q.caused and not q.allowed and allows


def _streams(revision, generation, allows):
    requests = [q for _, q in revision.requests]
    if generation != 2 or any(q.allowed for q in requests):
        return False
    answered = [q for q in requests if q.has_row and 200 <= q.status < 300]
    return any(q.auth == "INVALID" or _refused_by_lines(q, allows) for q in answered)


def _give_signs(revision, allows, sdk3):
    """Refused or served, of requests that have no valid token; one with both signs is served."""
    status = lambda q: None if revision.streams and q.has_row and 200 <= q.status < 300 else q.status
    for _, q in revision.requests:
        q.streams = revision.streams
    guests = sum(q.app == "VALID" and q.auth != "VALID" and status(q) is not None and 200 <= status(q) < 300 for _, q in revision.requests)
    for _, q in revision.requests:
        q.sign = None
        if q.app == "VALID" or q.auth == "INVALID" or q.app == "INVALID" and sdk3:
            continue
        answer = status(q) if q.auth == "VALID" or guests >= 3 else None
        if q.allowed or answer is not None and 200 <= answer < 400:
            q.sign = "served"
        elif answer == 401 or _refused_by_lines(q, allows):
            q.sign = "refused"


def _state(revision):
    both = [q for _, q in revision.requests if q.app == "VALID" and q.auth == "VALID" and q.has_row]
    broken = 2 * sum(q.status == 401 for q in both) > len(both)
    if revision.refused >= 3 and revision.refused > revision.served and not broken:
        return "on"
    return "off" if revision.served >= 1 and revision.refused <= revision.served else "unknown"


def _unnamed(revision):
    """Where entries name no revision: the newest run of refused signs is a revision of its own."""
    signs = [(i, q) for i, q in revision.requests if q.sign]
    run = []
    for i, q in reversed(signs):
        if q.sign == "served":
            break
        run.append(i)
    if len(run) >= 3:
        at = run[-1]
        before = Revision(None, [x for x in revision.requests if x[0] < at], streams=revision.streams)
        before.there = False
        after = Revision(None, [x for x in revision.requests if x[0] >= at], "on", streams=revision.streams, begin=at)
        return ([before] if before.requests else []) + [after]
    revision.state = "off" if signs and signs[-1][1].sign == "served" else "unknown"
    return [revision]


def _share(places, last, begins):
    """Of the 100 requests up to its last one, or of those since the youngest revision began, if that is less."""
    own = lambda begin: bisect_left(places, last + 1) - bisect_left(places, begin)
    begin = max(0, last - 99)
    share = own(begin) / (last - begin + 1)
    youngest = max(begins.values())
    if youngest <= last and own(youngest):
        share = min(share, own(youngest) / (last - youngest + 1))
    return share


def _answered(function):
    """All requests in the order of time, each with its revision: a row without a verification is one, too."""
    found = [(q.t, 0, q.revision, q) for q in function.requests]
    found += [(row.time, 1, row.revision, None) for row in function.rows if row.verification is None and row.revision]
    return [(name, q) for _, _, name, q in sorted(found, key=lambda x: x[:2])]


def _presence(names, revisions):
    places = defaultdict(list)
    for i, name in enumerate(names):
        places[name].append(i)
    begins, last = {}, {}
    away = lambda name, k: k >= 10 and k * _share(places[name], last[name], begins) > 7
    for i, name in enumerate(names):
        if name not in last or away(name, i - last[name] - 1):
            begins[name] = i
        last[name] = i
    for r in revisions:
        r.begin, r.there = begins[r.name], not away(r.name, len(names) - 1 - last[r.name])


def _function_state(revisions):
    there = [r for r in revisions if r.there]
    states = {r.state for r in there}
    if {"on", "off"} <= states:
        return "partly"
    if "on" in states:
        return "on"
    return "unknown" if not there or max(there, key=lambda r: r.begin).state == "unknown" else "off"


def _switch(revisions):
    ordered = sorted(revisions, key=lambda r: r.begin)
    newest = max((i for i, r in enumerate(ordered) if r.state == "on" and r.there), default=None)
    if newest is None:
        return None
    earliest = ordered[newest]
    for r in reversed(ordered[:newest]):
        if r.state == "off":
            break
        if r.state == "on":
            earliest = r
    return earliest.first


def of_the_log(function):
    groups, allows = defaultdict(list), function.project.allows
    named = any(q.revision for q in function.requests)
    answered = _answered(function) if named else [(None, q) for q in function.requests]
    for i, (name, q) in enumerate(answered):
        if q is not None:
            groups[name].append((i, q))
    revisions = [Revision(name, requests) for name, requests in groups.items()]
    for r in revisions:
        r.streams = _streams(r, function.of.generation, allows)
        _give_signs(r, allows, function.sdk3)
    if not named:
        revisions = [x for r in revisions for x in _unnamed(r)]
    for r in revisions:
        r.refused = sum(q.sign == "refused" for _, q in r.requests)
        r.served = sum(q.sign == "served" for _, q in r.requests)
        if named:
            r.state = _state(r)
    if named:
        _presence([name for name, _ in answered], revisions)
    for r in revisions:
        for _, q in r.requests:
            q.on = r.state == "on"
    found = Enforcement(_function_state(revisions), revisions=sorted(revisions, key=lambda r: r.begin), named=named)
    if found.state in ("on", "partly"):
        found.since = _switch(revisions)
    return found


def _time_of(written, revisions):
    """A date holds from its day's first on revision, else from its end."""
    time = parse(written)
    if not is_date(written):
        return time
    begun = [r.first for r in revisions if r.state == "on" and day(r.first) == day(time)]
    return min(begun, default=time + DAY - 1)


def analyse(function, options, T):
    found = of_the_log(function)
    time = _time_of(options.enforced, found.revisions) if options.enforced else None
    if time is None or T < time:
        found.planned = time
        found.by = "log" if found.state == "on" else None
        return found
    if found.state in ("on", "partly"):
        found.by = "policy"
    elif _off(found, function, time):
        found.contradicted = True
    else:
        found.by, found.by_policy_alone, found.since = "policy", True, time
        found.unclear = is_date(options.enforced) and any(day(q.t) == day(time) and q.blocked and q.auth != "INVALID" and q.sign is None for q in function.requests)
    return found


def _off(found, function, time):
    if not found.named:
        return any(q.sign == "served" and q.t >= time for q in function.requests)
    return any(r.there and r.state == "off" for r in found.revisions)
