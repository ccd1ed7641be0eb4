"""When will the rule say enforce? The rule itself, run on the 60 days to come."""

from dataclasses import replace

from instants import day_of, start_of
from regression import fit_trend
from rule import EMPTY, Look, end_of, judge_once, window_days
from tally import Day

HORIZON = 60


def forecast(subject, judgement, as_of):
    """(day, kind) of the first confirmed `enforce`, or None."""
    if judgement.verdict not in ("wait", "investigate", "insufficient"):
        return None
    if judgement.verdict == "insufficient" and judgement.codes.keys() & {"no-traffic", "stale"}:
        return None
    today = day_of(as_of)
    known = judgement.subject  # its days lie in the stretch
    admitted = _totals(known, range(today - 6, today + 1))[0]
    if admitted == 0:
        return None
    for kind, rate in (("steady", steady_rate(known, today)), ("trend", falling_rate(known, as_of))):
        if rate is not None:
            day = first_enforce(subject, judgement, today, admitted / 7, rate)
            if day is not None:
                return day, kind
    return None


def steady_rate(subject, today):
    """The rate of the last three days, as a function of the day; None without admitted requests."""
    admitted, blocked = _totals(subject, range(today - 2, today + 1))
    return (lambda day: blocked / admitted) if admitted else None


def falling_rate(subject, as_of):
    """The higher of two fitted lines when both fall surely, as a function of the day; else None."""
    trends = []
    for width in (7, 14):
        cells = ((day, subject.days.get(day, EMPTY)) for day in window_days(width, as_of, subject.start))
        trends.append(fit_trend([(day, cell.admitted, cell.blocked) for day, cell in cells]))
    if any(trend is None or not trend.falls(subject.settings.confidence) for trend in trends):
        return None
    return lambda day: max(trend.rate(day) for trend in trends)


def first_enforce(subject, judgement, today, admitted, rate):
    """The first of the next 60 days on which the rule has said `enforce` for as many nights as it takes."""
    days = {day: cell for day, cell in subject.days.items() if day <= today}
    nights = judgement.safe_nights
    for day in range(today + 1, today + HORIZON + 1):
        days[day] = Day(admitted, admitted, admitted, admitted * rate(day), first=start_of(day))
        look = Look(end_of(day), today, judgement.failures)
        future = replace(subject, days=dict(days))
        nights = nights + 1 if judge_once(future, look).verdict == "enforce" else 0
        if nights >= subject.settings.confirm:
            return day
    return None


def _totals(subject, days):
    cells = [subject.days.get(day, EMPTY) for day in days if subject.start is None or day >= subject.start]
    return sum(cell.admitted for cell in cells), sum(cell.blocked for cell in cells)
