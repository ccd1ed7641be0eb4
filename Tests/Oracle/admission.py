"""Whose requests count on a day: by auth, without one's own kinds, programs, and those that handlers refuse already."""
from clients import PROGRAMS
from moments import DAY, day
from window import window


def _refused_by_handler(q):
    return 400 <= q.status < 500 and q.status not in (408, 429, 499)


def _answered(q):
    return 200 <= q.status < 400


def _many(requests):
    return len(requests) >= 20 and len({day(q.t) for q in requests}) >= 3


def _all_refused(requests):
    joined = [q for q in requests if q.has_row]
    return _many(requests) and len(joined) >= 0.95 * len(requests) and all(map(_refused_by_handler, joined))


class Admission:
    """As of one night; enforcement was decided at T."""

    def __init__(self, function, options, enforcement, at, twin=False, unfiltered=False):
        self.options, self.partly = options, enforcement.state == "partly" and not unfiltered
        self.function, self.at = function, at
        w = window(options.max_window, at, options.since)
        self.begin = max(w.begin, function.project.S * DAY)
        recent = [q for q in (function.requests if unfiltered else function.visible) if self.begin <= q.t <= at]
        guests = [q for q in recent if q.auth == "MISSING" and not q.on]
        joined = [q for q in guests if q.has_row]
        written = options.requires_auth or twin
        self.by = "policy" if options.requires_auth else "twin" if twin else "log" if _all_refused(guests) else None
        self.contradicted = options.requires_auth and _many(guests) and 2 * sum(map(_answered, joined)) > len(joined)
        self.signed_in_only = written or self.by == "log"
        self.left_out_kinds = options.ignore_clients
        admitted = [q for q in recent if self.admitted(q)]
        valid = [q for q in admitted if not q.blocked and q.has_row and not q.on]
        self.tokenless = _all_refused([q for q in admitted if q.blocked and not q.on]) and bool(valid) and 2 * sum(map(_answered, valid)) >= len(valid)
        shown = [q for q in admitted if q.client]
        people = sum(q.client.kind not in PROGRAMS for q in shown)
        self.programs_leave = bool(shown) and not options.count_machines and (people >= 300 or people >= 0.01 * len(shown))

    def by_auth(self, q):
        return q.auth != "INVALID" and (not self.signed_in_only or q.auth == "VALID")

    def left_out(self, q):
        return q.client is not None and q.client.kind in self.left_out_kinds

    def admitted(self, q):
        return self.by_auth(q) and not self.left_out(q)

    def program(self, q):
        return self.programs_leave and q.client is not None and q.client.kind in PROGRAMS

    def already_refused(self, q):
        return self.tokenless and q.blocked and q.has_row and _refused_by_handler(q)

    def of_people(self, q):
        """In n, and in b where blocked, whichever revision answered."""
        return self.admitted(q) and not self.program(q) and not self.already_refused(q)

    def counts(self, q):
        return self.of_people(q) and not (self.partly and q.on)
