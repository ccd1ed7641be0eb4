"""The verdicts of a project, recomputed from its raw verifications by the verdict's contract alone.

python3 verdict_oracle.py description.json[.gz]     prints what `callcheck summarize --format json` must say
"""

import gzip
import json
import sys
from fractions import Fraction

from advice import advice, clean_streak, last_blocked
from forecast import forecast
from instants import DAY, day_of, day_text, instant_from, instant_text, start_of
from policy import SHOWN, base_settings, settings_of
from rule import Subject, judge, window_days
from tally import STATUSES, FunctionInput, days_of, project_counts

VERDICTS = ("enforce", "wait", "investigate", "insufficient", "blind", "exempt", "enforced", "superseded")


def summary(description):
    """The part of `callcheck.summary/1` that follows from the verifications and the policy."""
    functions = [_filtered(FunctionInput(**function), description) for function in description["functions"]]
    functions = [function for function in functions if function.verifications]
    stderr = {
        project: [i for i in instants if _inside(i, description)]
        for project, instants in description.get("stderr", {}).items()
    }
    as_of = as_of_instant(description, functions)
    projects = project_counts(functions, stderr)
    rows = [
        function_row(function, functions, projects, description, as_of)
        for function in sorted(functions, key=lambda f: f.key)
        if _selected(function, description)
    ]
    base = base_settings(description)
    return {
        "asOf": instant_text(as_of),
        "policy": {name: getattr(base, name) for name in SHOWN},
        "totals": {
            "app": {status: sum(row["app"][status] for row in rows) for status in STATUSES},
            "verdicts": {verdict: sum(row["readiness"]["verdict"] == verdict for row in rows) for verdict in VERDICTS},
        },
        "functions": rows,
    }


def as_of_instant(description, functions):
    """--as-of, else the newest dated verification not later than the clock and a day."""
    if description.get("asOf"):
        return instant_from(description["asOf"])
    limit = instant_from(description["clock"]) + DAY
    return max(
        row[0] for function in functions for row in function.verifications if row[0] is not None and row[0] <= limit
    )


def function_row(function, functions, projects, description, as_of):
    rows = function.verifications
    dated = [row[0] for row in rows if row[0] is not None]
    matrix = {app: {auth: 0 for auth in STATUSES} for app in STATUSES}
    for _, app, auth, _ in rows:
        matrix[app][auth] += 1
    return {
        "project": function.project,
        "region": function.region,
        "function": function.name,
        "generation": function.generation,
        "verifications": len(rows),
        "first": instant_text(min(dated)),
        "last": instant_text(max(dated)),
        "app": {app: sum(matrix[app].values()) for app in STATUSES},
        "appByAuth": matrix,
        "daily": daily(rows),
        "readiness": readiness(function, functions, projects[function.project], description, as_of),
    }


def daily(rows):
    """Days with a verification, admitted and blocked by the plain definition (auth not INVALID)."""
    cells = {}
    for instant, app, _, _ in rows:
        if instant is not None:
            cell = cells.setdefault(day_of(instant), dict.fromkeys(STATUSES, 0))
            cell[app] += 1
    plain = days_of(rows, requires_auth=False)
    return [
        {
            "date": day_text(day),
            **cells[day],
            "admitted": plain[day].admitted,
            "blocked": plain[day].blocked,
            "blockedHours": len(plain[day].hours),
        }
        for day in sorted(cells)
    ]


def readiness(function, functions, counts, description, as_of):
    settings = settings_of(function, description)
    subject = subject_of(function, functions, counts, description, as_of, settings, settings.requiresAuth)
    judgement = judge(subject, as_of)
    twin_subject = subject_of(function, functions, counts, description, as_of, settings, True)
    twin = judge(twin_subject, as_of)
    coming = forecast(subject, judgement, as_of)
    severities = {severity for _, app, auth, severity in function.verifications if "INVALID" not in (app, auth)}
    codes = dict(judgement.codes)
    if "no-traffic" not in codes:
        codes.update(dict.fromkeys(advice(subject, judgement, twin, severities, as_of)))
    window = judgement.window
    cells = [subject.days[day] for day in window.days if day in subject.days]
    newest = last_blocked(subject, window)
    return {
        "verdict": judgement.verdict,
        "window": {"from": day_text(window.days[0]), "to": day_text(window.days[-1])},
        **_numbers(window),
        "blockedPerDay": window.blocked / len(window.days),
        "blockedPerDayUpper": window.upper * window.admitted / len(window.days),
        "dispersion": window.dispersion,
        "activeDays": len(window.active),
        "ageDays": judgement.age,
        "signedInNoToken": sum(cell.signed_in_no_token for cell in cells),
        "anonymousNoToken": sum(cell.anonymous_no_token for cell in cells),
        "tokenRefused": window.refused,
        "lastBlocked": None if newest is None else instant_text(newest),
        "cleanStreak": clean_streak(subject, window),
        "safeSince": None,
        "signedIn": {"verdict": twin.verdict, **_numbers(twin.window)},
        "reasons": [{"code": code, "value": value} for code, value in sorted(codes.items())],
        "forecast": None if coming is None else {"date": day_text(coming[0]), "kind": coming[1]},
    }


def _numbers(period):
    return {
        "admitted": period.admitted,
        "blocked": period.blocked,
        "blockedRate": period.rate,
        "blockedRateUpper": period.upper,
        "blockedRateLower": period.lower,
    }


def subject_of(function, functions, counts, description, as_of, settings, requires_auth):
    """The function as the rule sees it at the as-of, with one definition of "admitted"."""
    today = day_of(as_of)
    start = settings.since
    if description.get("since"):
        start = max(day_of(instant_from(description["since"])), start or 0)
    dated = [row[0] for row in function.verifications if row[0] is not None]
    since_start = [instant for instant in dated if start is None or instant >= start_of(start)]
    successors = [
        other
        for other in functions
        if function.generation == 1
        and other.generation == 2
        and (other.project, other.region, other.normalised) == (function.project, function.region, function.normalised)
    ]
    return Subject(
        settings=settings,
        generation=function.generation,
        days=_until(today, days_of(function.verifications, requires_auth)),
        signed_in_days=_until(today, days_of(function.verifications, True)),
        successor_days={day for other in successors for day in _until(today, days_of(other.verifications, True))},
        first=min(since_start, default=None),
        start=start,
        project_first_day=counts.first_day,
        project_days={day for day in counts.days if day <= today},
        stream_codes=stream_codes(counts, function.generation, as_of, window_days(settings.window, as_of, start)),
    )


def stream_codes(counts, generation, as_of, recent_days):
    """Whether the project's failures may be missing from the input: the failures-* codes of a generation."""
    today = day_of(as_of)
    failed = _until(today, counts.failed[generation])
    # Only gen 2 writes to this log; a gen 1 function's failures never come that way.
    stderr = {day for day in counts.stderr if day <= today} if generation == 2 else set()
    codes = set()
    if generation == 2 and not failed and not stderr:
        codes.add("failures-not-seen")
    run = 0
    while run < len(recent_days) and today - run not in failed and today - run not in stderr:
        run += 1
    before = range(counts.first_day, today - run + 1)
    if run > 0 and len(before) > 0:
        length = run - 1 + Fraction(as_of % DAY, DAY)
        mean = Fraction(sum(failed.get(day, 0) for day in before), len(before))
        if length * mean > 7:
            codes.add("failures-stopped")
    return frozenset(codes)


def _until(today, days):
    return {day: cell for day, cell in days.items() if day <= today}


def _inside(instant, description):
    """Inside --since (inclusive) and --until (exclusive); undated ones are in no interval."""
    since, until = description.get("since"), description.get("until")
    if instant is None:
        return since is None and until is None
    return (since is None or instant >= instant_from(since)) and (until is None or instant < instant_from(until))


def _filtered(function, description):
    function.verifications = [row for row in function.verifications if _inside(row[0], description)]
    return function


def _selected(function, description):
    patterns = description.get("select")
    return not patterns or any(function.matches(pattern) for pattern in patterns)


if __name__ == "__main__":
    opener = gzip.open if sys.argv[1].endswith(".gz") else open
    with opener(sys.argv[1], "rt", encoding="utf-8") as file:
        json.dump(summary(json.load(file)), sys.stdout, indent=1)
    print()
