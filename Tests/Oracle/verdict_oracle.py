"""The verdicts of a project, recomputed from its raw verifications by the verdict's contract alone.

python3 verdict_oracle.py description.json[.gz]     prints what `callcheck summarize --format json` must say
"""

import gzip
import json
import sys
from collections import Counter
from dataclasses import replace

from advice import advice, clean_streak, last_blocked
from forecast import forecast
from instants import DAY, day_of, day_text, instant_from, instant_text
from look import Subject
from policy import SHOWN, base_settings, quiet_days, settings_of
from provenance import discard_forged, severity_mixed_days
from rule import judge_confirmed
from tally import STATUSES, FunctionInput, days_of, firsts_of, project_counts, verification_from
from together import groups

VERDICTS = ("enforce", "wait", "investigate", "insufficient", "blind", "exempt", "enforced", "superseded")
DISCARDED = ("unlabelled", "otherMessage", "repeated")
UNKNOWN = "-"


def summary(description):
    """The part of `callcheck.summary/2` that follows from the verifications and the policy."""
    functions = [function_input(function) for function in description["functions"]]
    counts = input_counts(description, functions)
    for function in functions:
        function.verifications = [row for row in function.verifications if _inside(row.instant, description)]
    functions = sorted((function for function in functions if function.verifications), key=lambda f: f.key)
    stderr = {
        project: [i for i in instants if _inside(i, description)]
        for project, instants in description.get("stderr", {}).items()
    }
    as_of = as_of_instant(description, functions)
    # Only these two commands hold the log's end against the clock.
    clock = (
        instant_from(description["clock"])
        if description.get("command") in ("check", "report") and not description.get("asOf")
        else None
    )
    projects = project_counts(functions, stderr, quiet_days(description))
    unjudged = sum(description.get(kind, 0) for kind in ("malformed", "oversized", "unexpected"))
    judged = []
    for function in functions:
        subject = subject_of(function, functions, projects[function.project], description, unjudged)
        judged.append((function, subject, judge_confirmed(subject, as_of, clock)))
    base = base_settings(description)
    found_groups = groups(judged, base, unjudged, clock)
    together = {
        function.key
        for _, members, judgement in found_groups
        for function, _, own in members
        if judgement.verdict == "enforce" and own.verdict not in ("wait", "investigate")
    }
    rows = [
        function_row(*each, as_of, clock, each[0].key in together) for each in judged if _selected(each[0], description)
    ]
    return {
        "schema": "callcheck.summary/2",
        "gate": None,
        "asOf": instant_text(as_of),
        "policy": {
            **{name: getattr(base, name) for name in SHOWN},
            # How the JSON says that it was lifted in part is not in the contract.
            **({"assumeComplete": base.assumeComplete} if base.assumeComplete != "failures" else {}),
        },
        "input": counts,
        "totals": {
            "app": {status: sum(row["app"][status] for row in rows) for status in STATUSES},
            "verdicts": {verdict: sum(row["readiness"]["verdict"] == verdict for row in rows) for verdict in VERDICTS},
        },
        "functions": rows,
        "groups": [group_row(*group) for group in found_groups],
    }


def function_input(description):
    """A function's verifications without those that its SDK did not write."""
    rows = [verification_from(row) for row in description["verifications"]]
    function = FunctionInput(**{**description, "verifications": rows})
    discard_forged(function)
    return function


def input_counts(description, functions):
    """What becomes of the records: ignored, else duplicate, else filtered, else a verification."""
    kept = [row for function in functions for row in function.verifications]
    inside = [row for row in kept if _inside(row.instant, description)]
    return {
        **({"records": description["records"]} if "records" in description else {}),
        "verifications": len(inside),
        "duplicates": sum(row.copies for row in kept),
        "filtered": len(kept) - len(inside),
        "ignored": sum(sum(function.discarded.values()) for function in functions),
        "malformed": description.get("malformed", 0),
        "oversized": description.get("oversized", 0),
        "unexpected": description.get("unexpected", 0),
        "undated": sum(row.instant is None for row in inside),
    }


def as_of_instant(description, functions):
    """--as-of, else the newest dated verification not later than the clock and a day."""
    if description.get("asOf"):
        return instant_from(description["asOf"])
    limit = instant_from(description["clock"]) + DAY
    return max(
        row.instant
        for function in functions
        for row in function.verifications
        if row.instant is not None and row.instant <= limit
    )


def function_row(function, subject, judgement, as_of, clock, together):
    rows = function.verifications
    dated = [row.instant for row in rows if row.instant is not None]
    matrix = {app: {auth: 0 for auth in STATUSES} for app in STATUSES}
    for row in rows:
        matrix[row.app][row.auth] += 1
    return {
        "project": function.project,
        "region": function.region,
        "function": function.name,
        "generation": function.generation,
        "verifications": len(rows),
        "first": instant_text(min(dated)) if dated else None,
        "last": instant_text(max(dated)) if dated else None,
        "app": {app: sum(matrix[app].values()) for app in STATUSES},
        "appByAuth": matrix,
        "discarded": {reason: function.discarded[reason] for reason in DISCARDED},
        "daily": daily(rows),
        "readiness": readiness(function, subject, judgement, as_of, clock, together),
    }


def daily(rows):
    """Days with a verification, admitted and blocked by the plain definition (auth not INVALID)."""
    cells = {}
    for row in rows:
        if row.instant is not None:
            cells.setdefault(day_of(row.instant), Counter())[row.app] += 1
    plain = days_of(rows, requires_auth=False)
    return [
        {
            "date": day_text(day),
            **{status: cells[day][status] for status in STATUSES},
            "admitted": plain[day].admitted,
            "blocked": plain[day].blocked,
            "blockedHours": len(plain[day].hours),
        }
        for day in sorted(cells)
    ]


def readiness(function, subject, judgement, as_of, clock, together):
    twin = judge_confirmed(replace(subject, days=subject.signed_in_days), as_of, clock)
    coming = forecast(subject, judgement)
    codes = dict(judgement.codes)
    if "no-traffic" not in codes:
        codes.update(dict.fromkeys(advice(judgement, twin, function)))
        if together:
            codes["safe-together"] = None
    look, window = judgement.look, judgement.window
    cells = look.cells(window.days).values()
    newest = last_blocked(look, window)
    observed = look.observed_days(window.days)
    return {
        "verdict": judgement.verdict,
        "window": {"from": day_text(window.days[0]), "to": day_text(window.days[-1])},
        **_numbers(window),
        "blockedPerDay": window.blocked / observed if observed else 0,
        "blockedPerDayUpper": window.upper * window.admitted / observed if observed else 0,
        "dispersion": window.dispersion,
        "activeDays": len(window.active),
        "observedDays": observed,
        "ageDays": judgement.age,
        "uncounted": subject.uncounted,
        "signedInNoToken": sum(cell.signed_in_no_token for cell in cells),
        "anonymousNoToken": sum(cell.anonymous_no_token for cell in cells),
        "tokenRefused": window.refused,
        "lastBlocked": None if newest is None else instant_text(newest),
        "cleanStreak": clean_streak(look, window),
        "safeNights": judgement.safe_nights,
        "safeSince": None if judgement.safe_since is None else day_text(judgement.safe_since),
        "signedIn": {"verdict": twin.verdict, **_numbers(twin.window)},
        "reasons": [{"code": code, "value": value} for code, value in sorted(codes.items())],
        "forecast": None if coming is None else {"date": day_text(coming[0]), "kind": coming[1]},
    }


def group_row(project, members, judgement):
    return {
        "name": "quiet",
        "project": project,
        "functions": [f"{function.region}/{function.name}" for function, _, _ in members],
        "admitted": judgement.window.admitted,
        "blocked": judgement.window.blocked,
        "blockedRateUpper": judgement.window.upper,
        "verdict": judgement.verdict,
    }


def _numbers(period):
    return {
        "admitted": period.admitted,
        "blocked": period.blocked,
        "blockedRate": period.rate,
        "blockedRateUpper": period.upper,
        "blockedRateLower": period.lower,
    }


def subject_of(function, functions, counts, description, unjudged):
    """The function as the rule sees it."""
    settings = settings_of(function, description)
    rows = function.verifications
    since = max((day for day in (settings.since, _since_option(description)) if day is not None), default=None)
    successors = [
        other
        for other in functions
        if function.generation == 1
        and other.generation == 2
        and (other.project, other.region, other.normalised) == (function.project, function.region, function.normalised)
    ]
    undated = sum(row.instant is None and row.auth != "INVALID" and row.app != "VALID" for row in rows)
    return Subject(
        settings=settings,
        project=counts,
        generation=function.generation,
        days=days_of(rows, settings.requiresAuth),
        signed_in_days=days_of(rows, True),
        firsts=firsts_of(rows),
        since=since,
        successor_days={day for other in successors for day in firsts_of(other.verifications)},
        shown_by_others=shown_by_others(function, counts),
        attributed=function.project != UNKNOWN,
        mixed_share=function.mixed_share,
        severity_mixed=severity_mixed_days(rows),
        uncounted=undated + unjudged,
    )


def shown_by_others(function, counts):
    """Days on which another labelled function of the project and generation has a pass; an unlabelled one has a
    log level of its own, about which others say nothing."""
    if not function.labelled:
        return set()
    return {
        day
        for (generation, day), keys in counts.labelled_passes.items()
        if generation == function.generation and keys - {function.key}
    }


def _since_option(description):
    return day_of(instant_from(description["since"])) if description.get("since") else None


def _inside(instant, description):
    """Inside --since (inclusive) and --until (exclusive); undated ones are in no interval."""
    since, until = description.get("since"), description.get("until")
    if instant is None:
        return since is None and until is None
    return (since is None or instant >= instant_from(since)) and (until is None or instant < instant_from(until))


def _selected(function, description):
    patterns = description.get("select")
    return not patterns or any(function.matches(pattern) for pattern in patterns)


if __name__ == "__main__":
    opener = gzip.open if sys.argv[1].endswith(".gz") else open
    with opener(sys.argv[1], "rt", encoding="utf-8") as file:
        json.dump(summary(json.load(file)), sys.stdout, indent=1)
    print()
