"""Days of a project: which are covered or excused, and whether one of its two streams is missing."""
from bisect import bisect_right
from statistics import median

from moments import DAY, day

ENOUGH = 7


class Coverage:
    """As of one instant; `filled` are days of the forecast, covered as a whole."""

    def __init__(self, project, at, quiet, filled=frozenset()):
        self.project, self.at, self.quiet, self.filled = project, at, quiet, filled
        self.S, self.last = project.S, day(at)
        self.counts = {d: project.traffic.on(d, min(at, project.T)) for d in project.traffic.days(min(at, project.T))}

    def covered(self, d):
        return d in self.filled or self.counts.get(d, 0) > 0

    def _seen(self, d):
        return self.S <= d <= self.last

    def _habit(self, d):
        for other, between in ((d - 7, range(d - 6, d)), (d + 7, range(d + 1, d + 7))):
            if self._seen(other) and not self.covered(other) and sum(self.covered(x) for x in between) >= 4:
                return True
        return False

    def _next_to_nothing(self, d):
        begin = end = d
        while self._seen(begin - 1) and not self.covered(begin - 1):
            begin -= 1
        while self._seen(end + 1) and not self.covered(end + 1):
            end += 1
        expected = 0.0
        for x in range(begin, end + 1):
            same = [self.counts[y] for y in self.counts if y >= self.S and (y - x) % 7 == 0]
            if len(same) < 2:
                return False
            expected += sum(same) / len(same)
        return expected <= ENOUGH

    def _plainly(self, d):
        """By (i) to (iii)."""
        return self.quiet(d) or d >= self.S and (self._habit(d) or self._next_to_nothing(d))

    def excused(self, d):
        if d in self.project.proven:
            return False
        if self._plainly(d):
            return True
        if d < self.S:
            return False
        around = [x for x in range(d - 13, d + 14) if x != d and self._seen(x)]
        return all(self.covered(x) or (self._plainly(x) and x not in self.project.proven) for x in around)

    def gaps(self, first):
        return [d for d in range(first, self.last + 1) if not self.covered(d) and not self.excused(d)]


def shows_window_whole(function, first, at):
    """Rows show the window whole: nothing of the failures can be missing."""
    seen = {}
    for q in function.visible[:bisect_right([q.t for q in function.visible], at)]:
        if day(q.t) >= first:
            n, joined = seen.get(day(q.t), (0, 0))
            seen[day(q.t)] = n + 1, joined + q.has_row
    whole = bool(seen) and all(joined >= 0.95 * n for n, joined in seen.values())
    return whole and not any(200 <= r.status < 400 and first <= day(r.time) and r.time <= at for r in function.loose_rows)


def streams(function, first, week_first, at):
    """The codes of the missing stream: first is the function's window's first day, week_first that of window(W)."""
    project, generation = function.project, function.of.generation
    failed, stderr = project.failed[generation], project.stderr
    last, out = day(at), []
    if shows_window_whole(function, first, at):
        return out
    heard = lambda d: failed.on(d, at) + (stderr.on(d, at) if generation == 2 else 0)
    part = (at - last * DAY) / DAY
    window_heard = any(heard(d) for d in range(first, last + 1))
    if generation == 2 and not window_heard:
        out.append("failures-not-seen")
    begin = last + 1
    while begin - 1 >= week_first and not heard(begin - 1):
        begin -= 1
    if begin <= last:
        length = last - begin + part
        before = [failed.on(d, at) for d in range(project.S, begin)]
        if before:
            quantile = sorted(before)[-(-3 * len(before) // 4) - 1]
            if length * sum(min(x, quantile) for x in before) / len(before) > ENOUGH:
                out.append("failures-stopped")
    end = start = max(first, project.S)
    while end <= last and not heard(end):
        end += 1
    if start < end <= last:
        after = [failed.on(d, at) for d in range(end, last + 1)]
        quantile = sorted(after)[-(-3 * len(after) // 4) - 1]
        if (end - start) * sum(min(x, quantile) for x in after) / len(after) > ENOUGH:
            out.append("failures-late")
    return out


def shown(function, d, at, S):
    """Whether passes are shown on a day."""
    if function.labelled and any(f is not function and f.labelled and f.of.generation == function.of.generation and f.passes.on(d, at) for f in function.project.functions):
        return True
    with_passes = [function.traffic.on(x, at) for x in function.passes.days(at) if x >= S]
    return bool(with_passes) and function.traffic.on(d, at) >= median(with_passes) / 2


def blind(function, first, at, S):
    """By (a) or (b): whoever passed is not in the log."""
    total = {d: function.traffic.on(d, at) for d in range(first, day(at) + 1)}
    total = {d: n for d, n in total.items() if n}
    passed = {d: function.passes.on(d, at) for d in total}
    if total and not any(passed.values()):
        hidden = sum(not shown(function, d, at, S) for d in total)
        if 2 * hidden >= len(total):
            return True
    return any(total[d] >= 10 and not passed[d] and not shown(function, d, at, S) for d in total)


def stale(function, at, S):
    """None, or how many days it has been silent, where that is too long."""
    days = [d for d in function.traffic.days(at) if d >= S]
    if not days:
        return None
    longest = max((b - a for a, b in zip(days, days[1:])), default=1)
    silent = day(at) - days[-1]
    return silent if silent > 3 and silent > 2 * longest else None
