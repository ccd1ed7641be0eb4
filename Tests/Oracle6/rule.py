"""The rule of the verdict's contract: which verdict, and every reason that holds."""

from dataclasses import dataclass, field, replace

from bounds import requests_missing, upper_bound
from completeness import has_gap, is_blind, is_old, is_stale
from enforcement import word_at
from lockout import lockout_of
from look import Look, Period, age_in_days, night_of, period_of
from platforms import callers_in_doubt, platforms_of
from recent import few_a_week, per_week_upper

FAILURES = ("failures-not-seen", "failures-stopped", "failures-late")
BESIDE_A_PASS = ("callers-unknown", "platforms-not-seen")
OF_ENFORCEMENT = ("enforced", "enforced-by-log", "lockout", "switch-unclear")
BESIDE_NO_TRAFFIC = ("no-traffic", "exempt", "superseded", *OF_ENFORCEMENT)


@dataclass
class Judgement:
    verdict: str
    look: object
    window: Period
    recent: Period  # the last W days
    word: object  # enforcement.Word
    codes: dict = field(default_factory=dict)  # code -> the number the contract defines for it, else None
    age: int = 0
    safe_nights: int = 0
    safe_since: int = None  # a day
    uncounted: int = 0  # u
    without_day: int = 0  # of u what has no day
    failures: frozenset = frozenset()  # failures-*, lifted or not
    callers: dict = field(default_factory=dict)
    lockout: object = None  # lockout.Lockout
    per_week: float = None  # upper bound of the blocked requests in a week
    signed_out_refused: bool = False  # nobody who is signed out is served, so that only signed-in requests are admitted


class OfFunctions:
    """The clauses that other rows than functions answer in their own way."""

    is_blind = staticmethod(is_blind)
    is_stale = staticmethod(is_stale)
    has_gap = staticmethod(has_gap)
    lockout_of = staticmethod(lockout_of)
    platforms_of = staticmethod(platforms_of)
    callers_in_doubt = staticmethod(callers_in_doubt)

    @staticmethod
    def word_of(subject, look, as_of):
        """What log and policy say of enforcement."""

        def asked(row):
            return row.app != "VALID" and (row.auth == "VALID" if look.signed_in else row.auth != "INVALID")

        return word_at(subject.enforcement, subject.settings.enforced, as_of, asked)


def has_enough(look, days):
    """Enough requests and active days for a window not to grow."""
    cells = look.cells(days).values()
    return sum(map(look.n, cells)) >= 15 / look.settings.maxBlocked and sum(map(look.is_active, cells)) >= 3


def choose_window(look):
    """The first candidate with enough requests on enough days, else the longest."""
    candidates = look.candidates()
    return next((days for days in candidates if has_enough(look, days)), candidates[-1])


def serves_no_signed_out(look, days):
    """Whether none of many signed-out requests was served."""
    found = [look.subject.signed_out[day] for day in days if look.start <= day and day in look.subject.signed_out]
    total, with_row, served = (sum(numbers) for numbers in zip(*found)) if found else (0, 0, 0)
    return total >= 20 and len(found) >= 3 and 20 * with_row >= 19 * total and served == 0


def judge(subject, as_of, clock=None, now=False):
    """What a single look says, with its reasons; advice is added elsewhere. A clock is held against the log's end;
    `now` at the true as-of, where the function's age is asked."""
    look, settings, clauses = Look(subject, as_of), subject.settings, clauses_of(subject)
    signed_out_refused = not look.signed_in and serves_no_signed_out(look, choose_window(look))
    if signed_out_refused:
        look = Look(subject, as_of, signed_in=True)
    recent = period_of(look, look.window(settings.window))
    window_range = choose_window(look)
    window = recent if window_range == recent.days else period_of(look, window_range)
    age = age_in_days(look.first, as_of)
    uncounted = subject.uncounted_at(look, window.days)
    failures, callers = subject.failures(look, window.days), subject.callers(look, window)
    codes = {}

    if settings.exempt is not None:
        codes["exempt"] = None
    word = word_of(subject, look, as_of)
    codes.update(dict.fromkeys(word.codes))
    lockout = clauses.lockout_of(look, word) if now else None
    if lockout:
        codes["lockout"] = None
    if is_superseded(look, recent.days):
        codes["superseded"] = None
    if clauses.is_blind(look, window.days):
        codes["passes-not-seen"] = None
    if not any(cell.verifications for cell in look.cells(window.days).values()):
        codes["no-traffic"] = None
    if clauses.is_stale(look):
        codes["stale"] = None
    if clock is not None and is_old(look, clock):
        codes["export-old"] = None
    few = few_a_week(look, window, recent)
    trouble = None if few is not None else trouble_of(window, recent, settings)
    if trouble:
        codes["too-many-blocked"] = None
        if 2 * trouble.refused >= trouble.blocked:
            codes["mostly-invalid"] = None
    codes.update(callers)
    if few is None and window.lower <= settings.maxBlocked < window.upper:
        codes["too-few-requests"] = requests_missing(
            window.blocked, window.admitted, window.dispersion, settings.confidence, settings.maxBlocked
        )
    if now and age < settings.minDays:
        codes["too-few-days"] = None
    if len(window.active) < 3:
        codes["too-few-active-days"] = None
    if not settings.assumeComplete:
        codes.update(dict.fromkeys(failures))
    if settings.assumeComplete is not True:
        if clauses.has_gap(look, window.days):
            codes["coverage-gap"] = None
        if uncounted is None or (uncounted and tips_the_balance(window, uncounted, settings)):
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
        word,
        codes,
        age,
        uncounted=uncounted,
        without_day=subject.without_day(look, window.days),
        failures=failures,
        callers=callers,
        lockout=lockout,
        per_week=per_week_upper(
            window.blocked, window.dispersion, settings.confidence, look.observed_days(window.days)
        ),
        signed_out_refused=signed_out_refused,
    )


def word_of(subject, look, as_of):
    """Of enforcement; a forecast adds no requests."""
    if subject.forecast_from:
        return subject.forecast_from.word
    return clauses_of(subject).word_of(subject, look, as_of)


def clauses_of(subject):
    return subject.clauses or OfFunctions


def judge_confirmed(subject, as_of, clock=None):
    """`enforce` only when each of the last nights said so, the as-of being the last of them."""
    judgement = judge(subject, as_of, clock, now=True)
    if judgement.verdict != "enforce":
        return judgement
    clauses = clauses_of(subject)
    platforms = clauses.platforms_of(judgement.look, judgement.window)
    judgement.codes.update(clauses.callers_in_doubt(platforms, judgement.look, judgement.window, 0.95))
    judgement.safe_nights = nights_before(subject, judgement) + 1
    judgement.safe_since = judgement.look.today + 1 - judgement.safe_nights
    if judgement.safe_nights < subject.settings.confirm:
        judgement.verdict = "insufficient"
        for code in ("safe", "few", *(c for c in BESIDE_A_PASS if c not in judgement.callers)):
            judgement.codes.pop(code, None)
        judgement.codes["not-confirmed"] = None
    return judgement


def nights_before(subject, judgement):
    """How many nights in a row, up to the one before the as-of's, said `enforce`."""
    look, nights = judgement.look, 0
    earlier = replace(subject, nights_from=judgement)
    while says_enforce(earlier, look.today - nights - 1):
        nights += 1
    return nights


def says_enforce(subject, day):
    """The rule at the last second of a day, as if nothing after it were known."""
    if subject.since is not None and day < subject.since:
        return False
    return judge(subject, night_of(day)).verdict == "enforce"


ORDER = (
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
            *("too-few-requests", "too-few-days", "too-few-active-days", "coverage-gap", *FAILURES, "uncounted"),
            *("unattributed", "mixed-provenance", "policy-contradicted", *BESIDE_A_PASS),
        },
    ),
)
DECIDING = set().union(*(codes for _, codes in ORDER), {"not-confirmed"})


def first_that_applies(codes):
    return next((verdict for verdict, applies in ORDER if applies & codes.keys()), "enforce")


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


def tips_the_balance(window, uncounted, settings):
    """Would what could not be judged bring the bound above the maximum, had it been blocked?"""
    blocked, admitted = window.blocked + uncounted, window.admitted + uncounted
    return upper_bound(blocked, admitted, window.dispersion, settings.confidence) > settings.maxBlocked
