"""When will the rule say enforce? The rule itself, run on the 60 days to come."""

from dataclasses import replace

from instants import SECOND, day_of, start_of
from regression import fit_trend
from rule import EMPTY, judge, window_days
from tally import Day

HORIZON = 60


def forecast(subject, judgement, as_of):
    """(day, kind) of the first `enforce`, or None."""
    if judgement.verdict not in ("wait", "investigate", "insufficient"):
        return None
    if judgement.verdict == "insufficient" and judgement.codes.keys() & {"no-traffic", "stale"}:
        return None
    today = day_of(as_of)
    admitted = _totals(subject, range(today - 6, today + 1))[0]
    if admitted == 0:
        return None
    for kind, rate in (("steady", steady_rate(subject, today)), ("trend", falling_rate(subject, as_of))):
        if rate is not None:
            day = first_enforce(subject, today, admitted / 7, rate)
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


def first_enforce(subject, today, admitted, rate):
    """The first of the next 60 days at whose last second the rule says `enforce`."""
    days, project_days = dict(subject.days), set(subject.project_days)
    for day in range(today + 1, today + HORIZON + 1):
        days[day] = Day(verifications=admitted, passed=admitted, admitted=admitted, blocked=admitted * rate(day))
        project_days.add(day)
        future = replace(subject, days=days, project_days=project_days)
        if judge(future, start_of(day + 1) - SECOND).verdict == "enforce":
            return day
    return None


def _totals(subject, days):
    cells = [subject.days.get(day, EMPTY) for day in days if subject.start is None or day >= subject.start]
    return sum(cell.admitted for cell in cells), sum(cell.blocked for cell in cells)
