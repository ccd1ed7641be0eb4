"""The verdicts of a project, recomputed from its raw verifications by the verdict's contract alone.

python3 verdict_oracle.py description.json[.gz]     prints what `callcheck summarize --format json` must say
"""

import gzip
import json
import sys
from dataclasses import replace

from advice import advice, clean_streak, last_blocked
from forecast import forecast
from instants import DAY, day_of, day_text, instant_from, instant_text
from policy import SHOWN, base_settings, settings_of
from rule import Subject, judge
from tally import STATUSES, FunctionInput, days_of, project_counts

VERDICTS = ("enforce", "wait", "investigate", "insufficient", "blind", "exempt", "enforced", "superseded")


def summary(description):
    """The part of `callcheck.summary/2` that follows from the verifications and the policy."""
    functions = [_filtered(FunctionInput(**function), description) for function in description["functions"]]
    functions = [function for function in functions if function.verifications]
    stderr = {
        project: [i for i in instants if _inside(i, description)]
        for project, instants in description.get("stderr", {}).items()
    }
    as_of = as_of_instant(description, functions)
    projects = project_counts(functions, stderr)
    groups = groups_of(functions, projects, description, as_of)
    rows = [
        function_row(function, functions, projects, description, as_of, groups)
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
        "groups": [group for group, _ in groups],
        "functions": rows,
    }


def groups_of(functions, projects, description, as_of):
    """Quiet functions of each project together: what the JSON says of them, and the keys of the members."""
    groups = []
    for project in sorted({function.project for function in functions}):
        members = []
        for function in sorted((f for f in functions if f.project == project), key=lambda f: f.key[1:]):
            settings = settings_of(function, description)
            subject = subject_of(
                function, functions, projects[project], description, as_of, settings, settings.requiresAuth
            )
            judged = judge(subject, as_of)
            out = {"exempt", "enforced", "superseded", "passes-not-seen", "no-traffic", "stale", "unattributed"}
            if judged.window.admitted < 15 / settings.maxBlocked and not out & judged.codes.keys():
                members.append((function, subject))
        if len(members) < 2:
            continue
        base = base_settings(description)
        start = description.get("since")
        days = {}
        for _, subject in members:
            for day, cell in subject.days.items():
                if subject.start is None or day >= subject.start:
                    days[day] = days[day].plus(cell) if day in days else cell
        together = Subject(
            settings=replace(base, maxBlocked=min(subject.settings.maxBlocked for _, subject in members)),
            generation=None,
            days=days,
            signed_in_days={},
            successor_days=set(),
            start=None if start is None else day_of(instant_from(start)),
            project=projects[project],
            undated_blocked=sum(subject.undated_blocked for _, subject in members),
            members=tuple(subject for _, subject in members),
        )
        judged = judge(together, as_of)
        group = {
            "name": "quiet",
            "project": project,
            "functions": [f"{function.region}/{function.name}" for function, _ in members],
            "admitted": judged.window.admitted,
            "blocked": judged.window.blocked,
            "blockedRateUpper": judged.window.upper,
            "verdict": judged.verdict,
        }
        groups.append((group, {function.key for function, _ in members}))
    return groups


def as_of_instant(description, functions):
    """--as-of, else the newest dated verification not later than the clock and a day."""
    if description.get("asOf"):
        return instant_from(description["asOf"])
    limit = instant_from(description["clock"]) + DAY
    return max(
        row[0] for function in functions for row in function.verifications if row[0] is not None and row[0] <= limit
    )


def function_row(function, functions, projects, description, as_of, groups):
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
        "readiness": readiness(function, functions, projects[function.project], description, as_of, groups),
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


def readiness(function, functions, counts, description, as_of, groups):
    settings = settings_of(function, description)
    subject = subject_of(function, functions, counts, description, as_of, settings, settings.requiresAuth)
    judgement = judge(subject, as_of)
    twin_subject = subject_of(function, functions, counts, description, as_of, settings, True)
    twin = judge(twin_subject, as_of)
    coming = forecast(subject, judgement, as_of)
    codes = dict(judgement.codes)
    if "no-traffic" not in codes:
        codes.update(dict.fromkeys(advice(judgement, twin, as_of)))
        if judgement.verdict not in ("wait", "investigate") and any(
            group["verdict"] == "enforce" and function.key in keys for group, keys in groups
        ):
            codes["safe-together"] = None
    subject = judgement.subject
    window = judgement.window
    cells = [subject.days[day] for day in window.days if day in subject.days]
    newest = last_blocked(subject, window)
    return {
        "verdict": judgement.verdict,
        "window": {"from": day_text(window.days[0]), "to": day_text(window.days[-1])},
        **_numbers(window),
        "blockedPerDay": window.blocked / judgement.observed if judgement.observed else 0.0,
        "blockedPerDayUpper": window.upper * window.admitted / judgement.observed if judgement.observed else 0.0,
        "observedDays": judgement.observed,
        "uncounted": judgement.uncounted,
        "safeNights": judgement.safe_nights,
        "dispersion": window.dispersion,
        "activeDays": len(window.active),
        "ageDays": judgement.age,
        "signedInNoToken": sum(cell.signed_in_no_token for cell in cells),
        "anonymousNoToken": sum(cell.anonymous_no_token for cell in cells),
        "tokenRefused": window.refused,
        "lastBlocked": None if newest is None else instant_text(newest),
        "cleanStreak": clean_streak(subject, window),
        "safeSince": day_text(day_of(as_of) + 1 - judgement.safe_nights) if judgement.safe_nights else None,
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
    start = settings.since
    if description.get("since"):
        start = max(day_of(instant_from(description["since"])), start or 0)
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
        days=days_of(function.verifications, requires_auth),
        signed_in_days=days_of(function.verifications, True),
        successor_days={day for other in successors for day in days_of(other.verifications, True)},
        start=start,
        project=counts,
        undated_blocked=sum(
            instant is None and app != "VALID" and auth != "INVALID" for instant, app, auth, _ in function.verifications
        ),
        unattributed=function.project == "-",
    )


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
