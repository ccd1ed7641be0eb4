"""The rule of the verdict's contract: which verdict, and every reason that holds."""

from dataclasses import dataclass, field, replace

from bounds import requests_missing, upper_bound
from completeness import has_gap, is_blind, is_old, is_stale
from enforcement import enforcement_at
from look import Look, Period, age_in_days, night_of, period_of
from recent import few_a_week, per_week_upper

FAILURES = ("failures-not-seen", "failures-stopped")
BESIDE_NO_TRAFFIC = ("no-traffic", "exempt", "enforced", "superseded")


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
    uncounted: int = 0  # u
    enforcement: object = None  # enforcement.Enforcement
    per_week: float = None  # upper bound of the blocked requests in a week


def has_enough(look, days):
    """Enough requests and active days for a window not to grow."""
    active = [cell.admitted for cell in look.cells(days).values() if cell.admitted > 0]
    return sum(active) >= 15 / look.settings.maxBlocked and len(active) >= 3


def choose_window(look):
    """The first candidate with enough requests on enough days, else the longest."""
    candidates = look.candidates()
    return next((days for days in candidates if has_enough(look, days)), candidates[-1])


def judge(subject, as_of, clock=None, now=False):
    """What a single look says, with its reasons; advice is added elsewhere. A clock is held against the log's end;
    `now` at the true as-of, where the function's age is asked."""
    look = Look(subject, as_of)
    settings = subject.settings
    recent = period_of(look, look.window(settings.window))
    window_range = choose_window(look)
    window = recent if window_range == recent.days else period_of(look, window_range)
    age = age_in_days(look.first, as_of)
    uncounted = subject.uncounted_at(look, window.days)
    codes = {}

    if settings.exempt is not None:
        codes["exempt"] = None
    enforcement = enforcement_at(look, recent.days)
    codes.update(dict.fromkeys(enforcement.codes))
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
    few = few_a_week(look, window, recent)
    trouble = None if few is not None else trouble_of(window, recent, settings)
    if trouble:
        codes["too-many-blocked"] = None
        if 2 * trouble.refused >= trouble.blocked:
            codes["mostly-invalid"] = None
    codes.update(subject.callers(look, window))
    if few is None and window.lower <= settings.maxBlocked < window.upper:
        codes["too-few-requests"] = requests_missing(
            window.blocked, window.admitted, window.dispersion, settings.confidence, settings.maxBlocked
        )
    if now and age < settings.minDays:
        codes["too-few-days"] = None
    if len(window.active) < 3:
        codes["too-few-active-days"] = None
    if not settings.assumeComplete:
        codes.update(dict.fromkeys(subject.failures(look, window.days)))
    if settings.assumeComplete is not True:
        if has_gap(look, window.days):
            codes["coverage-gap"] = None
        if uncounted and tips_the_balance(look, window, uncounted, few is not None):
            codes["uncounted"] = uncounted
    if not subject.attributed:
        codes["unattributed"] = None
    if subject.is_mixed(look):
        codes["mixed-provenance"] = None

    verdict = first_that_applies(codes)
    if verdict == "enforce":
        is_few = few is not None and window.upper > settings.maxBlocked
        codes.update({"few": few} if is_few else {"safe": None})
    if "no-traffic" in codes:
        codes = {code: value for code, value in codes.items() if code in BESIDE_NO_TRAFFIC}
    return Judgement(
        verdict,
        look,
        window,
        recent,
        codes,
        age,
        uncounted=uncounted,
        enforcement=enforcement,
        per_week=per_week_upper(
            window.blocked, window.dispersion, settings.confidence, look.observed_days(window.days)
        ),
    )


def judge_confirmed(subject, as_of, clock=None):
    """`enforce` only when each of the last nights said so, the as-of being the last of them."""
    judgement = judge(subject, as_of, clock, now=True)
    if judgement.verdict != "enforce":
        return judgement
    judgement.safe_nights = nights_before(subject, judgement) + 1
    judgement.safe_since = judgement.look.today + 1 - judgement.safe_nights
    if judgement.safe_nights < subject.settings.confirm:
        judgement.verdict = "insufficient"
        for code in ("safe", "few"):
            judgement.codes.pop(code, None)
        judgement.codes["not-confirmed"] = None
    return judgement


def nights_before(subject, judgement):
    """How many nights in a row, up to the one before the as-of's, said `enforce`."""
    look, nights = judgement.look, 0
    earlier = replace(subject, frozen_unjudged=subject.unjudged_at(judgement.window.days))
    while says_enforce(earlier, look.today - nights - 1):
        nights += 1
    return nights


def says_enforce(subject, day):
    """The rule at the last second of a day, as if nothing after it were known."""
    if subject.since is not None and day < subject.since:
        return False
    return judge(subject, night_of(day)).verdict == "enforce"


def first_that_applies(codes):
    for verdict, applies in (
        ("exempt", {"exempt"}),
        ("enforced", {"enforced", "enforced-by-log"}),
        ("superseded", {"superseded"}),
        ("blind", {"passes-not-seen"}),
        ("insufficient", {"no-traffic", "stale", "export-old"}),
        ("investigate", {"mostly-invalid"}),
        ("wait", {"too-many-blocked", "platform-refused", "release-refused"}),
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
                "callers-unknown",
            },
        ),
    ):
        if applies & codes.keys():
            return verdict
    return "enforce"


def trouble_of(window, recent, settings):
    """The first of the two periods in which too much is surely blocked; None without one."""
    for period in (window, recent):
        if period.blocked > 0 and period.lower > settings.maxBlocked:
            return period
    return None


def is_superseded(look, recent_days):
    judged = [day for day in recent_days if day >= look.start]
    return any(day in look.subject.successor_days for day in judged) and not any(
        day in look.subject.days for day in judged
    )


def tips_the_balance(look, window, uncounted, few):
    """Would the records that could not be judged bring the bounds above their limits, had they been blocked? Where few
    a week are accepted, both must be: the share's, and the number's."""
    settings, blocked = look.settings, window.blocked + uncounted
    if upper_bound(blocked, window.admitted + uncounted, window.dispersion, settings.confidence) <= settings.maxBlocked:
        return False
    if not few:
        return True
    observed = look.observed_days(window.days)
    return per_week_upper(blocked, window.dispersion, settings.confidence, observed) > settings.maxPerWeek
