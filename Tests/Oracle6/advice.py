"""Codes that advise and never change the verdict."""

from bounds import lower_bound
from instants import day_of
from look import period_of
from platforms import is_judged_on_signed_in
from recent import failing_now
from tally import is_left_out


def advice(judgement, signed_in, function, failing):
    """The advice codes that hold, with their values; `signed_in` is the twin's judgement, `failing` a recent.Failing."""
    codes = dict.fromkeys(plain_advice(judgement, signed_in, function))
    bad = bad_days(judgement)
    if bad:
        codes["bad-day"] = max(bad.values())
    if failing:
        codes["failing-now"] = failing.blocked
    return codes


def failing_before(judgement):
    """What fails now of the requests that nothing refuses yet."""
    look, word = judgement.look, judgement.word
    if word.is_enforced:
        return None
    signed_in = look.signed_in or is_judged_on_signed_in(judgement.window)
    enforcement = look.subject.enforcement
    rows = [
        row
        for row in look.subject.rows
        if (row.auth == "VALID" if signed_in else row.auth != "INVALID")
        and not is_left_out(row, look.settings.ignoreClients)
        and row.instant <= look.as_of
        and day_of(row.instant) >= enforcement.start
        and not (word.is_partly and enforcement.is_on(row))
    ]
    return failing_now(rows, look.as_of)


def plain_advice(judgement, signed_in, function):
    verdict, codes = judgement.verdict, set()
    look, window = judgement.look, judgement.window
    undecided = verdict in ("wait", "investigate") or (
        verdict == "insufficient" and "too-few-requests" in judgement.codes
    )
    if undecided and signed_in.verdict == "enforce":
        codes.add("anonymous-only")
    if verdict in ("wait", "investigate") and clean_streak(look, window) >= 2:
        codes.add("clean-since")
    if "passes-not-seen" not in judgement.codes and not any(cell.passed for cell in look.cells(window.days).values()):
        codes.add("all-refused")
    if verdict == "enforce" and window.admitted >= 300 and not generation_failed(look):
        codes.add("failures-unproven")
    if not function.labelled:
        codes.add("text-only")
    if severities_of_passes(look, function) == {"INFO"}:
        codes.add("sdk-3")
    if judgement.signed_out_refused:
        codes.add("signed-out-refused")
    if look.subject.unlogged.failing_before_log(look.project, window.days):
        codes.add("failing-before-log")
    return codes


def generation_failed(look):
    """Has the project a failed verification of the function's generation in the stretch?"""
    failed = look.project.failed.get(look.subject.generation, {})
    return any(look.start <= day <= look.today for day in failed)


def bad_days(judgement):
    """Days of four weeks on which too much is surely blocked, with their bounds. Where that is so of the function as a
    whole they are news only if the other days would be safe."""
    look, settings = judgement.look, judgement.look.settings
    month = period_of(look, look.window(28))
    found = {}
    for day, cell in look.cells(month.active).items():
        lower = lower_bound(cell.blocked, look.n(cell), 1, 1 - (1 - settings.confidence) / len(month.active))
        if lower > settings.maxBlocked and (cell.blocked >= 10 or len(cell.hours) >= 3):
            found[day] = lower
    others = period_of(look, [day for day in month.days if day not in found])
    if judgement.verdict in ("wait", "investigate") and others.upper > settings.maxBlocked:
        return {}
    return found


def severities_of_passes(look, function):
    """Severities of the labelled passes in the stretch."""
    return {
        row.severity
        for row in function.verifications
        if row.labelled and row.passed and row.instant is not None and look.start <= day_of(row.instant) <= look.today
    }


def last_blocked(look, window):
    """Instant of the newest blocked request of a period, or None."""
    cells = look.cells(window.days).values()
    return max((cell.last_blocked for cell in cells if cell.last_blocked is not None), default=None)


def clean_streak(look, window):
    """Active days after the day of the newest blocked request; all of them without one."""
    newest = last_blocked(look, window)
    return sum(1 for day in window.active if newest is None or day > day_of(newest))
