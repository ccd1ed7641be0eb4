"""A function's part of the JSON."""

from collections import Counter
from dataclasses import replace

from advice import advice, clean_streak, failing_before, last_blocked
from completeness import passed_over
from enforcement import enforcement_row
from forecast import forecast
from instants import day_of, day_text, instant_text
from lockout import aftermath_of
from look import night_of
from platforms import known_shares, listed
from rule import OfFunctions, judge, judge_confirmed
from tally import STATUSES

DISCARDED = ("unlabelled", "otherMessage", "repeated")


def function_row(function, subject, judgement, as_of, clock, is_evident, has_rows):
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
        "daily": daily(rows, judgement.look),
        "readiness": readiness(function, subject, judgement, as_of, clock),
        "causes": causes(judgement),
        "enforcement": enforcement_row(function, judgement.look, judgement.word, judgement.window.days)
        if is_evident or subject.settings.enforced or subject.enforcement.with_sign
        else None,
        "aftermath": aftermath(subject, judgement),
        "clients": clients(judgement) if has_rows else None,
    }


def aftermath(subject, judgement):
    word = judgement.word
    if word.since is None:
        return None
    night = night_of(day_of(word.since) - 1)
    predicted = judge(subject, night).window if day_of(night) >= subject.start else None
    after = aftermath_of(judgement.look, word, predicted)
    if judgement.lockout and after["verdict"] == "asPredicted":
        after["verdict"] = None
    return {"since": instant_text(word.since), "by": word.by, **after}


def causes(judgement):
    """Why tokens were refused; null without any. `since`: from when on the largest class has been the largest."""
    cells = judgement.look.cells(judgement.window.days)
    total = sum((cell.causes for cell in cells.values()), Counter())
    return dict(total) if total else None


CATEGORIES = ("verified", "outdated", "unknownOrigin", "invalid")
OF_AN_SDK = ("ios", "iosExtension", "iosSimulator", "macos", "android", "androidWebView", "web", "webLocal", "node")


def category(client, app):
    if app in ("VALID", "INVALID"):
        return "verified" if app == "VALID" else "invalid"
    return "outdated" if client.kind in OF_AN_SDK else "unknownOrigin"


def clients(judgement):
    """`clients` of the window, but for addresses."""
    look, window = judgement.look, judgement.window
    cells = list(look.cells(window.days).values())
    found = {name: {} for name in ("kind", "browser", "device")}
    versions, categories = {}, dict.fromkeys(CATEGORIES, 0)
    for cell in cells:
        for (client, _, blocked, app), number in cell.clients.items():
            for label, name in (("kind", client.kind), ("browser", client.browser), ("device", client.device)):
                if name:
                    _count(found[label], name, number, blocked)
            if client.app:
                _count(versions, (client.kind, client.app, client.version, client.os), number, blocked)
            if app != "OTHER":
                categories[category(client, app)] += number
    requests, blocked = known_shares(look, window)
    return {
        "joined": sum(cell.known for cell in cells),
        "known": {"requests": requests, "blocked": blocked},
        "blocked": window.blocked,
        "blockedJoined": sum(cell.known_blocked for cell in cells),
        "alreadyFailing": None
        if judgement.word.state in ("on", "partly")
        else sum(cell.already_failing for cell in cells),
        "unlogged": look.subject.unlogged.total(day for day in window.days if day >= look.start),
        "categories": categories,
        "kinds": _listed(found["kind"], "kind"),
        "browsers": _listed(found["browser"], "browser"),
        "devices": _listed(found["device"], "device"),
    }


def _count(found, name, number, blocked):
    counts = found.setdefault(name, [0, 0])
    counts[0] += number
    counts[1] += number * blocked


def _listed(found, label):
    return [{label: name, "admitted": n, "blocked": b} for name, (n, b) in sorted(found.items())]


def daily(rows, look):
    """Days with a verification, and what of them is admitted and blocked as the policy says."""
    cells = {}
    for row in rows:
        if row.instant is not None:
            cells.setdefault(day_of(row.instant), Counter())[row.app] += 1
    return [daily_row(day, cells[day], look) for day in sorted(cells)]


def daily_row(day, numbers, look):
    cell = look.days[day]
    return {
        "date": day_text(day),
        **{status: numbers[status] for status in STATUSES},
        "admitted": look.n(cell),
        "blocked": cell.blocked,
        "blockedHours": len(cell.hours),
    }


class Spoken(OfFunctions):
    """The clauses with what is said beside the rule."""

    passed_over = staticmethod(passed_over)
    failing_before = staticmethod(failing_before)
    advice = staticmethod(advice)


def readiness(function, subject, judgement, as_of, clock):
    twin = judge_confirmed(replace(subject, days=subject.signed_in_days, requires_auth=True), as_of, clock)
    coming = forecast(subject, judgement)
    clauses = subject.clauses or Spoken
    codes = dict(judgement.codes)
    failing = None
    if "no-traffic" not in codes:
        failing = clauses.failing_before(judgement)
        codes.update(clauses.advice(judgement, twin, function, failing))
    look, window, lockout = judgement.look, judgement.window, judgement.lockout
    if failing is None and lockout:
        failing = lockout.failing
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
        "machines": sum(map(look.leaving, cells)),
        "admission": "signedIn" if look.signed_in else "all",
        "admissionBy": "log" if judgement.signed_out_refused else "policy" if look.settings.requiresAuth else None,
        "passedOver": [day_text(day) for day in clauses.passed_over(look, window.days)],
        "platforms": clauses.platforms_of(look, window).shown(),
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
        "lockout": None if lockout is None else lockout_row(lockout),
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


def lockout_row(lockout):
    return {
        "requests": lockout.requests,
        "refused": lockout.refused,
        "lower": lockout.lower,
        "lastHour": dict(zip(("requests", "refused"), lockout.last_hour)),
        "failingNow": lockout.failing is not None,
        "platforms": listed([(name, counts, counts.lower) for name, counts in lockout.platforms.items()]),
    }


def limit_of(code, settings):
    """What the value of a code is held against; None for others, whose limits the contract leaves open."""
    return {
        "few": settings.maxPerWeek,
        "platform-refused": max(0.5, settings.maxBlocked),
        "release-refused": max(0.1, settings.maxBlocked),
    }.get(code)
