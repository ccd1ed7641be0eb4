"""Windows of days that end with an instant's day, and the numbers inside them."""
from collections import defaultdict
from dataclasses import dataclass

import bounds
from moments import DAY, day

NOON = DAY // 2


def first_day(length, at):
    """In the morning the day before belongs to it, too."""
    return day(at) - length + 1 - (1 if at % DAY < NOON else 0)


@dataclass(frozen=True)
class Window:
    first: int
    begin: int                           # an instant: `since` may cut within a day
    at: int

    def holds(self, t):
        return self.begin <= t <= self.at


def window(length, at, since):
    first = first_day(length, at)
    begin = first * DAY if since is None else max(first * DAY, since)
    return Window(day(begin), begin, at)


def candidates(options, at, S):
    """W, 2W, 3W … up to max-window; the first above W that reaches before S is cut there and is the last."""
    out = [window(options.window, at, options.since)]
    for length in range(2 * options.window, options.max_window + 1, options.window):
        w = window(length, at, options.since)
        if w.first < S:
            if S < out[-1].first:
                out.append(Window(S, S * DAY, at))
            break
        out.append(w)
    return out


@dataclass
class Cells:
    """Admitted, blocked and INVALID by day; a day of the forecast holds fractions."""
    days: dict

    @classmethod
    def of(cls, requests, begin=None):
        days = defaultdict(lambda: [0, 0, 0])
        for q in requests:
            if begin is None or q.t >= begin:
                cell = days[day(q.t)]
                cell[0] += 1
                cell[1] += q.blocked
                cell[2] += q.app == "INVALID"
        return cls(days)


@dataclass
class Numbers:
    n: float
    b: float
    invalid: float
    active: int
    phi: float
    lower: float
    upper: float


def numbers(cells, window, confidence):
    days = [c for d, c in cells.days.items() if window.first <= d <= day(window.at) and c[0] > 0]
    n, b, invalid = (sum(c[i] for c in days) for i in range(3))
    phi = bounds.dispersion([(c[0], c[1]) for c in days])
    lower, upper = bounds.lower(b / phi, n / phi, confidence), bounds.upper(b / phi, n / phi, confidence)
    return Numbers(n, b, invalid, len(days), phi, lower, upper)


def choose(cells, options, at, S):
    """The first candidate with n >= 15/max and 3 active days, else the longest."""
    for w in candidates(options, at, S):
        found = numbers(cells, w, options.confidence)
        if options.max_refused > 0 and found.n * options.max_refused >= 15 - 1e-9 and found.active >= 3:
            break
    return w, found


def per_week(n, observed, confidence):
    """How many refused a week the numbers allow for."""
    return 7 * n.phi * bounds.poisson_upper(n.b / n.phi, confidence) / observed


def few(options, n, observed, last, observed_last):
    """So quiet that a share says nothing, and no more refused a week than is acceptable; `last` are the newest W days."""
    most = options.max_per_week
    if most is None or per_week(n, observed, options.confidence) > most or not 2 * n.b < n.n:
        return False
    return last.b == 0 or 2 * last.b < last.n and 7 * last.b / observed_last <= most
