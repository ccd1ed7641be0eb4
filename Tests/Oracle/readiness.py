"""A function's part of the JSON."""

from collections import Counter
from dataclasses import asdict, replace

from advice import advice, clean_streak, last_blocked
from enforcement import enforcement_row
from forecast import forecast
from instants import day_of, day_text, instant_text
from platforms import Judged, shown_platforms
from recent import MOST, failing_now
from rule import judge_confirmed
from tally import STATUSES

DISCARDED = ("unlabelled", "otherMessage", "repeated")


def function_row(function, subject, judgement, as_of, clock, has_evidence):
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
        "daily": daily(rows, subject.days),
        "readiness": readiness(function, subject, judgement, as_of, clock),
        "enforcement": enforcement_row(function, judgement) if has_evidence or subject.settings.enforced else None,
        "aftermath": aftermath(judgement),
        **clients_of(judgement),
    }


def aftermath(judgement):
    """Since when it is; its numbers, or whether there are any, are not looked at."""
    switch = judgement.enforcement.switch
    return None if switch is None else {"since": instant_text(switch)}


def clients_of(judgement):
    """`clients` of the window, without what comes from rows alone; nothing where no request has a row."""
    kinds, browsers = {}, {}
    for cell in judgement.look.cells(judgement.window.days).values():
        for (client, _, blocked), number in cell.clients.items():
            for found, name in ((kinds, client.kind), (browsers, client.browser)):
                if name:
                    counts = found.setdefault(name, [0, 0])
                    counts[0] += number
                    counts[1] += number * blocked
    if not kinds:
        return {}
    return {"clients": {"kinds": _listed(kinds, "kind"), "browsers": _listed(browsers, "browser")}}


def _listed(found, label):
    return [{label: name, "admitted": n, "blocked": b} for name, (n, b) in sorted(found.items())]


def daily(rows, days):
    """Days with a verification, and what of them is admitted and blocked as the policy says."""
    cells = {}
    for row in rows:
        if row.instant is not None:
            cells.setdefault(day_of(row.instant), Counter())[row.app] += 1
    return [
        {
            "date": day_text(day),
            **{status: cells[day][status] for status in STATUSES},
            "admitted": days[day].admitted,
            "blocked": days[day].blocked,
            "blockedHours": len(days[day].hours),
        }
        for day in sorted(cells)
    ]


def readiness(function, subject, judgement, as_of, clock):
    twin = judge_confirmed(replace(subject, days=subject.signed_in_days, requires_auth=True), as_of, clock)
    coming = forecast(subject, judgement)
    codes = dict(judgement.codes)
    failing = None
    if "no-traffic" not in codes:
        failing = failing_now(judgement.look, judgement.window)
        codes.update(advice(judgement, twin, function, failing))
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
        "perWeekUpper": judgement.per_week,
        "leftOut": sum(cell.left_out for cell in cells),
        "platforms": shown_platforms(Judged(look, window)),
        "failingSince": None if failing is None else instant_text(failing.since),
        "ageDays": judgement.age,
        "uncounted": judgement.uncounted,
        "signedInNoToken": sum(cell.signed_in_no_token for cell in cells),
        "anonymousNoToken": sum(cell.anonymous_no_token for cell in cells),
        "tokenRefused": window.refused,
        "lastBlocked": None if newest is None else instant_text(newest),
        "cleanStreak": clean_streak(look, window),
        "safeNights": judgement.safe_nights,
        "safeSince": None if judgement.safe_since is None else day_text(judgement.safe_since),
        "lockout": None if judgement.enforcement.lockout is None else asdict(judgement.enforcement.lockout),
        "signedIn": {"verdict": twin.verdict, **_numbers(twin.window)},
        "reasons": [
            {"code": code, "value": value, "limit": limit_of(code, look.settings)}
            for code, value in sorted(codes.items())
        ],
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


def limit_of(code, settings):
    """What the value of a code of version 4 is held against; None for others, whose limits the contract leaves open."""
    return {
        "few": settings.maxPerWeek,
        "failing-now": MOST,
        "callers-unknown": 0.5,
        "platform-refused": max(0.5, settings.maxBlocked),
        "release-refused": max(0.1, settings.maxBlocked),
    }.get(code)
