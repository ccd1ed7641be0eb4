"""When will the confirmed rule say enforce? The rule itself, run on the 60 days to come."""

from dataclasses import replace

from instants import start_of
from look import Look, age_in_days, night_of
from regression import fit_trend
from rule import first_that_applies, nights_before, says_enforce
from tally import Day

HORIZON = 60
AGAINST = {"platform-refused", "release-refused", "callers-unknown", "platforms-not-seen"}


def forecast(subject, judgement):
    """(day, kind) of the first confirmed `enforce`, or None."""
    if judgement.verdict not in ("wait", "investigate", "insufficient"):
        return None
    if judgement.verdict == "insufficient" and judgement.codes.keys() & {"no-traffic", "stale", "export-old"}:
        return None
    look = judgement.look
    if judgement.callers.keys() & AGAINST or "policy-contradicted" in judgement.codes:
        return None
    if judgement.failures and not look.settings.assumeComplete:
        return None
    week = range(max(look.today - 6, subject.since or 0), look.today + 1)
    admitted = _totals(look, week)[0]
    if admitted == 0:
        return None
    future = _future(subject, judgement, admitted / look.observed_days(week))
    for kind, rate in (("steady", steady_rate(look)), ("trend", falling_rate(look))):
        if rate is not None:
            day = first_enforce(future, look.today, nights_so_far(subject, judgement), rate)
            if day is not None:
                return day, kind
    return None


def nights_so_far(subject, judgement):
    """Nights that say `enforce`, the as-of's among them; none of them asks for the function's age."""
    codes = {code: value for code, value in judgement.codes.items() if code != "too-few-days"}
    if first_that_applies(codes) != "enforce":
        return 0
    return nights_before(subject, judgement) + 1


def steady_rate(look):
    """The rate of the last three days, as a function of the day; None without admitted requests."""
    admitted, blocked = _totals(look, range(look.today - 2, look.today + 1))
    return (lambda day: blocked / admitted) if admitted else None


def falling_rate(look):
    """The higher of two fitted lines when both fall surely, as a function of the day; else None."""
    trends = []
    for width in (7, 14):
        days = [day for day in look.window(width) if day >= look.start]
        trends.append(fit_trend([(day, look.n(cell), cell.blocked) for day, cell in look.cells(days).items()]))
    if any(trend is None or not trend.falls(look.settings.confidence) for trend in trends):
        return None
    return lambda day: max(trend.rate(day) for trend in trends)


def first_enforce(future, today, safe_nights, rate):
    """The first of the next 60 days on which the last nights, as many as it takes, all say `enforce`."""
    for day in range(today + 1, today + HORIZON + 1):
        cell = future.days[day]
        cell.blocked = cell.admitted * rate(day)
        safe_nights = safe_nights + 1 if says_enforce(future, day) else 0
        if safe_nights >= future.settings.confirm and is_old_enough(future, day):
            return day
    return None


def is_old_enough(subject, day):
    look = Look(subject, night_of(day))
    return age_in_days(look.first, look.as_of) >= subject.settings.minDays


def _future(subject, judgement, admitted):
    """The subject with the days to come filled; the rule looks at each only when it is over."""
    today = judgement.look.today
    filled = range(today + 1, today + HORIZON + 1)
    until_today = {day: cell for day, cell in judgement.look.days.items() if day <= today}
    days = {day: Day(verifications=admitted, passed=admitted, admitted=admitted) for day in filled}
    volumes = {day: count for day, count in subject.project.volumes.items() if day <= today}
    firsts = {day: instant for day, instant in subject.firsts.items() if day <= today}
    return replace(
        subject,
        days={**until_today, **days},
        signed_in_days={**until_today, **days},
        firsts={**firsts, **{day: start_of(day) for day in filled}},
        project=replace(subject.project, volumes=volumes, filled=filled),
        forecast_from=judgement,
        successor_days={day for day in subject.successor_days if day <= today},
        severity_mixed={day for day in subject.severity_mixed if day <= today},
    )


def _totals(look, days):
    since = look.subject.since
    cells = list(look.cells([day for day in days if since is None or day >= since]).values())
    return sum(map(look.n, cells)), sum(cell.blocked for cell in cells)
