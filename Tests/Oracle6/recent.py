"""Clauses on a function's newest requests, or on too few requests for a share to mean anything."""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass

from scipy.special import gammaincinv

from instants import DAY, HOUR

NEWEST, LEAST = 20, 10


@dataclass
class Failing:
    blocked: int
    since: int  # instant of the first blocked one


def failing_now(rows, as_of, is_blocked=None, earlier=None):
    """Whether three quarters of the newest requests are blocked, at hours at which they were not before; else None.

    `rows`: what is judged, by time; `earlier`: what the days before are told by, if that is more."""
    is_blocked = is_blocked or (lambda row: row.app != "VALID")
    earlier = rows if earlier is None else earlier
    found = newest_fail(rows, as_of, LEAST, is_blocked, earlier)
    kinds = {row.client.kind for row in of_the_last_day(rows, as_of) if row.client}
    for kind in sorted(kinds):
        if found:
            break
        of_kind, before = ([r for r in some if r.client and r.client.kind == kind] for some in (rows, earlier))
        found = newest_fail(of_kind, as_of, NEWEST, is_blocked, before)
    return found


def of_the_last_day(rows, as_of):
    return rows[bisect_right(rows, as_of - DAY, key=at) : bisect_right(rows, as_of, key=at)]


def at(row):
    return row.instant


def newest_fail(rows, as_of, least, is_blocked, earlier):
    day = of_the_last_day(rows, as_of)
    if not day:
        return None
    hour = between(day, day[-1].instant - HOUR, day[-1].instant)
    judged = max(hour, day[-NEWEST:], key=len)
    blocked = [row for row in judged if is_blocked(row)]
    if len(blocked) < least or 4 * len(blocked) < 3 * len(judged):
        return None
    hours = {row.instant // HOUR for row in judged}

    def was_so(days):
        begins = [(hour - 24 * back) * HOUR for back in days for hour in hours]
        then = [row for begin in begins for row in between(earlier, begin, begin + HOUR - 1)]
        return len(then) >= 10 and 2 * sum(row.app != "VALID" for row in then) >= len(then)

    if was_so(range(1, 8)) or was_so([7]):
        return None
    return Failing(len(blocked), blocked[0].instant)


def between(rows, begin, end):
    return rows[bisect_left(rows, begin, key=at) : bisect_right(rows, end, key=at)]


def per_week_upper(blocked, dispersion, confidence, observed):
    """The most requests a week that would be refused: a Poisson bound; None when the function was not there."""
    if observed == 0:
        return None
    return 7 * dispersion * float(gammaincinv(blocked / dispersion + 1, confidence)) / observed


def few_a_week(look, window, recent):
    """The bound when it is within `max-per-week`, and neither the window nor its last days hold half of all refused."""
    most = look.settings.maxPerWeek
    observed = look.observed_days(window.days)
    if most is None or observed == 0 or 2 * window.blocked >= window.admitted:
        return None
    bound = per_week_upper(window.blocked, window.dispersion, look.settings.confidence, observed)
    if bound > most:
        return None
    if recent.blocked == 0:
        return bound
    in_recent = look.observed_days(recent.days)
    if 2 * recent.blocked >= recent.admitted or 7 * recent.blocked > most * in_recent:
        return None
    return bound
