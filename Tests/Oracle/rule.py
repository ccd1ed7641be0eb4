"""The rule of the verdict's contract: which verdict, and every reason that holds."""

from dataclasses import dataclass, field

from bounds import requests_missing, upper_bound
from completeness import has_gap, is_blind, is_old, is_stale
from look import Look, Period, age_in_days, night_of, period_of

FAILURES = ("failures-not-seen", "failures-stopped")


@dataclass
class Judgement:
    verdict: str
    look: object
    window: Period
    recent: Period  # the last W days
    codes: dict = field(default_factory=dict)  # code -> the number the contract defines for it, else None
    age: int = 0
    safe_nights: int = 0
    safe_since: int = None  # a day


def has_enough(look, days):
    """Enough requests and active days for a window not to grow."""
    active = [cell.admitted for cell in look.cells(days).values() if cell.admitted > 0]
    return sum(active) >= 15 / look.settings.maxBlocked and len(active) >= 3


def choose_window(look):
    """The first candidate with enough requests on enough days, else the longest."""
    candidates = look.candidates()
    return next((days for days in candidates if has_enough(look, days)), candidates[-1])


def judge(subject, as_of, clock=None):
    """What a single look says, with its reasons; advice is added elsewhere. A clock is held against the log's end."""
    look = Look(subject, as_of)
    settings = subject.settings
    recent = period_of(look, look.window(settings.window))
    window_range = choose_window(look)
    window = recent if window_range == recent.days else period_of(look, window_range)
    age = age_in_days(look.first, as_of)
    codes = {}

    if settings.exempt is not None:
        codes["exempt"] = None
    if settings.enforced is not None:
        codes["enforced"] = None
        if is_lockout(look, recent.days):
            codes["lockout"] = None
    if is_superseded(look, recent.days):
        codes["superseded"] = None
    if is_blind(look, window.days):
        codes["passes-not-seen"] = None
    if not any(cell.verifications for cell in look.cells(window.days).values()):
        codes["no-traffic"] = None
    if is_stale(look):
        codes["stale"] = None
    if clock is not None and is_old(look, clock):
        codes["export-old"] = None
    trouble = next((period for period in (window, recent) if in_trouble(period, settings)), None)
    if trouble:
        if trouble.lower > settings.maxBlocked:
            codes["too-many-blocked"] = None
        if trouble.unstable:
            codes["unstable-day"] = None
        if 2 * trouble.refused >= trouble.blocked:
            codes["mostly-invalid"] = None
    if window.lower <= settings.maxBlocked < window.upper:
        codes["too-few-requests"] = requests_missing(
            window.blocked, window.admitted, window.dispersion, settings.confidence, settings.maxBlocked
        )
    if age < settings.minDays:
        codes["too-few-days"] = None
    if len(window.active) < 3:
        codes["too-few-active-days"] = None
    if not settings.assumeComplete:
        codes.update(dict.fromkeys(subject.failures(look, window.days)))
    if settings.assumeComplete is not True:
        if has_gap(look, window.days):
            codes["coverage-gap"] = None
        if tips_the_balance(window, subject.uncounted, settings):
            codes["uncounted"] = subject.uncounted
    if not subject.attributed:
        codes["unattributed"] = None
    if subject.is_mixed(look):
        codes["mixed-provenance"] = None

    verdict = first_that_applies(codes)
    if verdict == "enforce":
        codes["safe"] = None
    if "no-traffic" in codes:
        codes = {code: value for code, value in codes.items() if code in ("no-traffic", "exempt")}
    return Judgement(verdict, look, window, recent, codes, age)


def judge_confirmed(subject, as_of, clock=None):
    """`enforce` only when each of the last nights said so, the as-of being the last of them."""
    judgement = judge(subject, as_of, clock)
    if judgement.verdict != "enforce":
        return judgement
    day = judgement.look.today
    while says_enforce(subject, day - 1):
        day -= 1
    judgement.safe_nights = judgement.look.today - day + 1
    judgement.safe_since = day
    if judgement.safe_nights < subject.settings.confirm:
        judgement.verdict = "insufficient"
        del judgement.codes["safe"]
        judgement.codes["not-confirmed"] = None
    return judgement


def says_enforce(subject, day):
    """The rule at the last second of a day, as if nothing after it were known."""
    if subject.since is not None and day < subject.since:
        return False
    return judge(subject, night_of(day)).verdict == "enforce"


def first_that_applies(codes):
    for verdict, applies in (
        ("exempt", {"exempt"}),
        ("enforced", {"enforced"}),
        ("superseded", {"superseded"}),
        ("blind", {"passes-not-seen"}),
        ("insufficient", {"no-traffic", "stale", "export-old"}),
        ("investigate", {"mostly-invalid"}),
        ("wait", {"too-many-blocked", "unstable-day"}),
        (
            "insufficient",
            {
                "too-few-requests",
                "too-few-days",
                "too-few-active-days",
                "coverage-gap",
                *FAILURES,
                "uncounted",
                "unattributed",
                "mixed-provenance",
            },
        ),
    ):
        if applies & codes.keys():
            return verdict
    return "enforce"


def in_trouble(period, settings):
    return period.blocked > 0 and (period.lower > settings.maxBlocked or bool(period.unstable))


def is_lockout(look, recent_days):
    """Signed-in requests on the days after the one enforced: surely more of them blocked than the maximum."""
    enforced = look.settings.enforced
    days = range(max(recent_days.start, enforced + 1), max(recent_days.stop, enforced + 1))
    return period_of(look, days, look.subject.signed_in_days).lower > look.settings.maxBlocked


def is_superseded(look, recent_days):
    judged = [day for day in recent_days if day >= look.start]
    return any(day in look.subject.successor_days for day in judged) and not any(
        day in look.subject.days for day in judged
    )


def tips_the_balance(window, uncounted, settings):
    """Would the records that could not be judged bring the upper bound above the maximum, had they been blocked?"""
    return uncounted > 0 and (
        upper_bound(window.blocked + uncounted, window.admitted + uncounted, window.dispersion, settings.confidence)
        > settings.maxBlocked
    )
