"""After the switch: whether people are locked out, whether the function fell silent, and whether it went as predicted."""
import math
from bisect import bisect_left
from dataclasses import replace

import bounds
import coverage
import segmenting
from admission import Admission
from moments import DAY, HOUR, day
from platforms import Platforms
from rule import Rule, night
from window import Cells, numbers, window


def _refused(q):
    """A request that its row shows served is never called refused."""
    answered = q.has_row and 200 <= q.status < 400 and not q.streams
    return int(q.blocked and not answered and q.sign != "served")


class After:
    """The requests since the switch, of the same people as before it."""

    def __init__(self, case):
        self.case, self.f, self.e, self.T = case, case.function, case.enforcement, case.T
        self.o = replace(case.options, since=None, count_machines=False)
        self.admission = Admission(self.f, self.o, self.e, self.T, unfiltered=True)
        self.admission.left_out_kinds = frozenset(k for k in self.o.ignore_clients if not self._was_served(k))
        since = [q for q in self.f.requests if q.t >= self.e.since and (self.e.by_policy_alone or q.on)]
        if not self.e.named and not self.e.by_policy_alone:
            since = since[1:]            # the refused request that began the count says nothing of the share
        self.pool = [replace(q, blocked=_refused(q)) for q in since if self.admission.of_people(q) or self._hides_people(q)]
        self.people = [q for q in self.pool if not self.admission.program(q)]
        self.week = window(self.o.window, self.T, None)
        self.unit = segmenting.unit(self.people, self.T, self.o.max_window + self.o.window, self.o.max_refused)

    def _hides_people(self, q):
        return self.admission.admitted(q) and self.admission.program(q) and not self.admission.already_refused(q)

    def _was_served(self, kind):
        """A kind of one's own of which fewer than half were blocked before the switch is refused now."""
        before = [q for q in self.f.requests if q.client and q.client.kind == kind and self.e.since - 28 * DAY <= q.t < self.e.since and self.admission.by_auth(q)]
        return bool(before) and 2 * sum(q.blocked for q in before) < len(before)

    def signed_in_only(self):
        valid = [q for q in self.people if q.app == "VALID" and self.week.holds(q.t)]
        return 20 * sum(q.auth == "VALID" for q in valid) >= len(valid)

    def share(self):
        """Clause 1: (holds, numbers, counted)."""
        signed_in_only = self.signed_in_only()
        asked = [q for q in self.people if self.week.holds(q.t) and (q.auth == "VALID" or not signed_in_only)]
        counted = segmenting.count_persons(asked, self.unit.offices)[1]
        over = self._over()
        if over:
            counted = [q for q in counted if not over[0] <= q.t < over[1]]
        n = numbers(Cells.of(counted), self.week, self.o.confidence)
        refused = [q for q in counted if q.blocked]
        days = max(1.0, (self.T - max(self.week.begin, self.e.since)) / DAY)
        spread = len({q.t // HOUR for q in refused}) >= 2 or len({q.address for q in refused if q.address is not None}) >= 4
        holds = n.lower > self.o.max_refused and n.b >= 2 and spread and not self._few(n, days)
        return holds, n, counted

    def _few(self, n, days):
        """The clause as the ordinary rule has it: a bound of so few a week needs its window, with the days before the switch."""
        most = self.o.max_per_week
        return most is not None and Rule(self.case, self.T).judge().few and 2 * n.b < n.n and 7 * n.b / days <= most

    def _over(self):
        u = self.unit
        raised = [s for s in u.segments if u.raised(s)]
        if len(raised) != 1 or u.begin is not None:
            return None
        begin, end = u.instant(raised[0][0]), u.instant(raised[0][1])
        if self.T - end < min(end - begin, 72 * HOUR):
            return None
        clients = {segmenting.person(q) for q in self.people if begin <= q.t < end and q.blocked and q.address is not None}
        returned = any(q.t >= end and not q.blocked and segmenting.person(q) in clients for q in self.people)
        return (begin, end) if returned else None

    def _platforms(self, everybody, accepting):
        begin = max(self.e.since, self.T - 28 * DAY)
        asked = [q for q in self.pool if q.client]
        return Platforms(self.admission, self.o, self.week, self.people, asked, everybody, begin, accepting)

    def _everybodies(self):
        valid = [q for q in self.people if q.app == "VALID"]
        guests = sum(q.auth != "VALID" for q in valid)
        return (False, True) if valid and 20 * guests >= len(valid) else (False,)

    def refused_platforms(self):
        return sorted({name for everybody in self._everybodies() for name, _ in self._platforms(everybody, True).refused()})

    def failing_now(self):
        return self.unit.alarm or any(True for everybody in self._everybodies() for _ in self._platforms(everybody, False).failing())

    def fails_before_the_log(self):
        rows = sorted((r for r in self.f.rows if r.time <= self.T), key=lambda r: r.time)
        newest = [r for r in rows if r.time > self.T - DAY][-20:]
        bad = lambda found: sum((r.status in (403, 404) or 500 <= r.status < 600) and r.verification is None for r in found)
        before = [r for r in rows if r.time < self.e.since][-len(newest):] if newest else []
        return len(newest) >= 10 and 2 * bad(newest) > len(newest) and bool(before) and 2 * bad(before) < len(before)

    def answer(self):
        holds, n, counted = self.share()
        failing, platforms, early = self.failing_now(), self.refused_platforms(), self.fails_before_the_log()
        if not (holds or failing or platforms or early):
            return None
        hour = [q for q in self.people if q.t > self.T - HOUR]
        return {"requests": n.n, "refused": n.b, "addresses": len({q.address for q in counted if q.blocked and q.address is not None}), "lower": n.lower,
                "lastHour": {"requests": len(hour), "refused": sum(q.blocked for q in hour)}, "failingNow": bool(failing), "platforms": platforms}

    def aftermath(self, locked_out):
        """Predicted against refused: two shares of persons, two-sided at 95 %."""
        predicted = Rule(self.case, night(day(self.e.since) - 1)).judge()
        if predicted.admission is None:
            return None
        before = [q for q in self.f.visible if predicted.window.holds(q.t) and predicted.admission.of_people(q) and not q.on]
        before = segmenting.count_persons(before)[1]
        after = segmenting.count_persons([q for q in self.people if self.week.holds(q.t)], self.unit.offices)[1]
        n0, b0, n1, b1 = len(before), sum(q.blocked for q in before), len(after), sum(q.blocked for q in after)
        if not n0 or not n1 or b0 / n0 * n1 < 3:
            return None
        pooled = (b0 + b1) / (n0 + n1)
        phi = bounds.dispersion([(c[0], c[1]) for c in Cells.of(after).days.values()])
        error = math.sqrt(phi * pooled * (1 - pooled) * (1 / n0 + 1 / n1))
        z = (b1 / n1 - b0 / n0) / error if error else 0.0
        word = "more" if z > bounds.quantile(0.975) else "fewer" if z < -bounds.quantile(0.975) else "asPredicted"
        return None if word == "asPredicted" and locked_out else word


def silent_since(case):
    """The last request of a function that had many and has none for too long; else None."""
    f, T = case.function, case.T
    times = [q.t for q in f.requests]
    if not times:
        return None
    last = times[-1]
    between = lambda begin, end: bisect_left(times, end) - bisect_left(times, begin)
    if between(last - 7 * DAY, last) / 7 < 20:
        return None
    gap = T - last
    same_hours = gap < DAY and all(between(last + 1 - k * DAY, T + 1 - k * DAY) >= 20 for k in range(1, 8))
    return last if same_hours or coverage.stale(f, T, f.project.S) else None
