"""People are hurt by platform: which of a function's kinds, apps, devices, browsers, sites, builds and releases would be refused."""
from collections import defaultdict
from functools import cmp_to_key

import bounds
import segmenting
from clients import APPLE, KINDS, MAY_HIDE_PEOPLE, PEOPLE, SIGNED_IN_ONLY, compare_versions
from moments import day
from options import Usage
from window import first_day

CONFIDENCE = 0.99
SMALL = 20


def names(q, no_site):
    """{dimension: name} of one request."""
    c = q.client
    out = {"kind": c.kind}
    if c.kind in APPLE:
        out["app"] = c.app or f"{c.kind}/no-app"
        if c.device:
            out["device"] = c.device
    if c.kind == "web":
        out["browser"] = f"web/{c.browser}"
        if c.mobile:
            out["mobile"] = f"web/{c.browser}-mobile"
    if c.kind in ("web", "androidWebView"):
        if c.site:
            out["site"] = c.site
        elif c.kind == "web" and no_site:
            out["site"] = "no site"
    if c.build:
        out["build"] = c.build
    return out


def accepted(q, options):
    c = q.client
    if not options.accept_platforms:
        return False
    known = set(names(q, False).values())
    if c.app and c.version:
        known.add(f"{c.app}@{c.version}")
    return any(options.accepts(name) for name in known)


class Refusal:
    """When a unit would be refused: one clause for platforms, releases and the kinds that may hide people.

    Units hold the days of the segments; all but those look at the requests from `begin` on."""

    def __init__(self, options, at, begin, everybody):
        self.options, self.at, self.begin, self.everybody = options, at, begin, everybody
        self.week = first_day(options.window, at)

    def holds(self, unit, floor=0.5):
        requests = [q for q in unit if q.t >= self.begin]
        blocked = [q for q in requests if q.blocked]
        if len(blocked) < (20 if self.everybody else 10):
            return False
        known = [q.address for q in blocked if q.address is not None]
        if self.everybody and len({day(q.t) for q in blocked}) < 3 and len(set(known)) < 10:
            return False
        if 2 * len(known) >= len(blocked) and len(set(known)) < 3:
            return False
        if bounds.lower(len(blocked), len(requests), CONFIDENCE) <= max(floor, self.options.max_refused):
            return False
        recent = [q.blocked for q in requests if day(q.t) >= self.week]
        return bool(recent) and 2 * sum(recent) >= len(recent) and not self.segments(unit).clean

    def segments(self, unit):
        o = self.options
        return segmenting.unit(unit, self.at, o.max_window + o.window, o.max_refused)


def units(requests, no_site):
    """{dimension: {name: requests}}"""
    out = defaultdict(lambda: defaultdict(list))
    for q in requests:
        for dimension, name in names(q, no_site).items():
            out[dimension][name].append(q)
    return out


class Platforms:
    """Of a function as of one night. `unit` is what is asked: admitted requests with a client over the days of the segments,
    programs among them; `counted` all that count, with a row or not."""

    def __init__(self, admission, options, window, counted, unit, everybody=None, begin=None, accepting=True):
        self.admission, self.options, self.at = admission, options, admission.at
        self.begin = admission.begin if begin is None else begin
        looked = [q for q in unit if q.t >= self.begin]
        self.nameless = bool(looked) and sum(q.client.nameless for q in looked) >= 0.95 * len(looked)
        self.seen = self._rows_are_fair(counted) and not self.nameless
        n = [q for q in counted if window.holds(q.t)]
        self.everybody = 2 * sum(q.auth == "VALID" for q in n) < len(n) if everybody is None else everybody
        self.accepts = lambda q: accepting and accepted(q, options)
        self.programs = [q for q in unit if admission.program(q)]
        self.people = [q for q in unit if not admission.program(q)]
        self.looked = [q for q in self.people if q.t >= self.begin]
        web = [q for q in self.looked if q.client.kind == "web"]
        self.no_site = 2 * sum(q.client.site is not None for q in web) >= len(web) > 0
        self.refusal = Refusal(options, self.at, self.begin, self.everybody)
        self.units = units(filter(self._judged, self.people), self.no_site)
        for kind in list(self.units["kind"]):
            if kind not in PEOPLE and (self.everybody or kind not in SIGNED_IN_ONLY):
                del self.units["kind"][kind]

    def _judged(self, q):
        return (self.everybody or q.auth == "VALID") and not self.accepts(q)

    def _rows_are_fair(self, counted):
        recent = [q for q in counted if q.t >= self.begin]
        valid, blocked = [q for q in recent if not q.blocked], [q for q in recent if q.blocked]
        if not valid or not blocked:
            return True
        a, b = (sum(q.client is not None for q in x) / len(x) for x in (valid, blocked))
        return not (a < b / 2 or a > 2 * b)

    def _size(self, unit):
        return sum(q.t >= self.begin for q in unit)

    def _all(self):
        return [(dimension, name, unit) for dimension, found in self.units.items() for name, unit in found.items()]

    def refused(self):
        """(name, unit), most blocked first."""
        if not self.seen:
            return []
        out = [(name, unit) for _, name, unit in self._all() if self.refusal.holds(unit)]
        alone = {id(unit) for _, unit in out}
        for dimension, found in self.units.items():
            small = [unit for unit in found.values() if 0 < self._size(unit) < SMALL and id(unit) not in alone]
            together = [q for unit in small for q in unit]
            if len(small) >= 2 and self.refusal.holds(together):
                out.append((f"small {dimension}s", together))
        out += [(kind, unit) for kind, unit in self._programs_that_hide_people() if self.refusal.holds(unit, 0)]
        return sorted(out, key=lambda u: -sum(q.blocked for q in u[1]))

    def _programs_that_hide_people(self):
        for kind in sorted(MAY_HIDE_PEOPLE - self.options.ignore_clients):
            unit = [q for q in self.programs if q.client.kind == kind and self._judged(q)]
            looked = [q for q in unit if q.t >= self.begin]
            known = [q for q in looked if q.address is not None]
            few = bool(known) and len({q.address for q in known if q.blocked}) <= 3
            if looked and not (few and 2 * sum(not q.blocked for q in looked) < len(looked)):
                yield kind, unit

    def releases(self):
        """The highest version of each bundle that has begun to spread and would be refused."""
        if not self.seen:
            return []
        out, newest = [], day(self.at) - 2
        for app, unit in self.units["app"].items():
            versions = {q.client.version for q in unit if q.client.version and q.t >= self.begin}
            if not versions:
                continue
            highest = max(sorted(versions), key=cmp_to_key(compare_versions))
            is_highest = lambda q: q.client.version is not None and compare_versions(q.client.version, highest) == 0
            recent = [q for q in unit if day(q.t) >= newest and q.t >= self.begin]
            share = sum(map(is_highest, recent))
            older = any(q.client.version and not is_highest(q) for q in recent)
            own = list(filter(is_highest, unit))
            if share and share >= 0.05 * len(recent) and older and self.refusal.holds(own, 0.1):
                out.append((f"{app}@{highest}", own))
        return out

    def silent(self):
        """{kind: days} of people's kinds that fell silent while the function goes on. Bundles and sites of a kind that still
        comes are only named, so that the kinds decide."""
        if not self.seen:
            return {}
        last, begin = day(self.at), first_day(self.options.max_window, self.at)
        half = begin + (last - begin + 1) // 2
        early, out = [q for q in self.looked if day(q.t) < half], {}
        for kind in {q.client.kind for q in early} & PEOPLE:
            requests = [q for q in self.looked if q.client.kind == kind]
            mine = [q for q in requests if day(q.t) < half]
            known = {q.address for q in mine if q.address is not None}
            if len(mine) < max(50, 0.1 * len(early)) or len({day(q.t) for q in mine}) < 5 or 0 < len(known) < 3:
                continue
            days = sorted({day(q.t) for q in requests})
            pause, quiet = max((b - a - 1 for a, b in zip(days, days[1:])), default=0), last - days[-1]
            if max(3, 3 * pause) <= quiet < 14 and not any(map(self.accepts, requests)):
                daily = len(early) / (half - max(begin, day(self.begin)))
                if sum(day(q.t) > days[-1] for q in self.looked) / quiet >= daily / 2:
                    out[kind] = quiet
        return out

    def failing(self):
        """The units that fail now: (name, segments)."""
        for _, name, unit in self._all() if self.seen else ():
            if self._size(unit) >= SMALL and any(q.blocked for q in unit):
                u = self.refusal.segments(unit)
                if u.alarm and 2 * u.r[u.begin:].sum() >= u.m[u.begin:].sum():
                    yield name, u

    def listed(self):
        """For the output: units with blocked requests, most blocked first, at most 20."""
        named = {(d, name): unit for d, name, unit in self._all()}
        for app, unit in self.units["app"].items():
            for q in unit:
                if q.client.version:
                    named.setdefault(("release", f"{app}@{q.client.version}"), []).append(q)
        counts = [(name, self._size(unit), sum(q.blocked and q.t >= self.begin for q in unit)) for (_, name), unit in named.items()]
        counts = sorted((c for c in counts if c[2]), key=lambda c: (-c[2], c[0]))[:20]
        return [{"name": name, "admitted": n, "blocked": b, "blockedRateLower": bounds.lower(b, n, CONFIDENCE)} for name, n, b in counts]


def check_names(patterns):
    """A name that is no kind, browser, bundle, version, host or build is an error."""
    for name in patterns:
        plain = name.removeprefix("*")
        if not (name in KINDS or "/" in name and name.split("/")[0] in KINDS or "." in plain or "@" in name or name in ("iphone", "ipad", "appletv", "watch", "mac", "vision", "localhost", "no site")):
            raise Usage(f"accept-platforms: {name} is no platform")
