"""The rule of the verdict's contract: which verdict, and every reason that holds."""

from dataclasses import dataclass, field, replace

from bounds import dispersion_of, lower_bound, requests_missing, upper_bound
from instants import DAY, day_of, start_of
from policy import Settings
from tally import Day

EMPTY = Day()


@dataclass
class Subject:
    """A function as the rule sees it, at some as-of: nothing in it lies after the as-of's day."""

    settings: Settings
    generation: int
    days: dict  # day -> Day; "admitted" as the settings' requires_auth says
    signed_in_days: dict  # day -> Day, auth VALID admitted
    successor_days: set  # days with traffic of the gen 2 function of the same name; empty for gen 2
    first: int  # instant the age counts from, or None
    start: int  # first day that may stand in a window (since), or None
    project_first_day: int
    project_days: set
    stream_codes: frozenset  # failures-* at the true as-of


@dataclass(frozen=True)
class Period:
    """Numbers of a run of days."""

    days: range
    admitted: float
    blocked: float
    refused: float
    active: tuple  # active days, ascending
    dispersion: float
    upper: float
    lower: float
    unstable: tuple  # unstable days, ascending

    @property
    def rate(self):
        return self.blocked / self.admitted if self.admitted else None


@dataclass
class Judgement:
    verdict: str
    window: Period
    recent: Period  # the last W days
    codes: dict = field(default_factory=dict)  # code -> the number the contract defines for it, else None
    age: int = 0


def age_in_days(first, as_of):
    """Whole days since the first verification, halves up, at least one; 0 when `since` leaves none to count from."""
    if first is None:
        return 0
    return max(1, (2 * (as_of - first) + DAY) // (2 * DAY))


def window_days(width, as_of, start=None):
    """window(w): w days ending with the as-of's day, one more in front before noon; none before `start`."""
    last = day_of(as_of)
    first = last - width + 1 - (1 if as_of - start_of(last) < DAY // 2 else 0)
    return range(first if start is None else max(first, start), last + 1)


def period_of(subject, days):
    cells = {day: subject.days.get(day, EMPTY) for day in days}
    active = tuple(day for day in days if cells[day].admitted > 0)
    admitted = sum(cell.admitted for cell in cells.values())
    blocked = sum(cell.blocked for cell in cells.values())
    confidence, maximum = subject.settings.confidence, subject.settings.maxBlocked
    dispersion = dispersion_of([(cells[day].admitted, cells[day].blocked) for day in active])
    daily_confidence = 1 - (1 - confidence) / len(active) if active else None
    unstable = tuple(
        day
        for day in active
        if len(cells[day].hours) >= 3
        and lower_bound(cells[day].blocked, cells[day].admitted, 1, daily_confidence) > maximum
    )
    return Period(
        days,
        admitted,
        blocked,
        sum(cell.refused for cell in cells.values()),
        active,
        dispersion,
        upper_bound(blocked, admitted, dispersion, confidence),
        lower_bound(blocked, admitted, dispersion, confidence),
        unstable,
    )


def choose_window(subject, as_of):
    """The first candidate with enough requests, else the longest."""
    settings = subject.settings
    chosen = None
    for width in range(settings.window, max(settings.maxWindow, settings.window) + 1, settings.window):
        if width > settings.window and window_days(width, as_of)[0] < subject.project_first_day:
            continue
        chosen = window_days(width, as_of, subject.start)
        admitted = sum(subject.days.get(day, EMPTY).admitted for day in chosen)
        if admitted >= 15 / settings.maxBlocked:
            break
    return chosen


def judge(subject, as_of):
    """The verdict at an instant, with its reasons; advice is added elsewhere."""
    settings = subject.settings
    recent = period_of(subject, window_days(settings.window, as_of, subject.start))
    window_range = choose_window(subject, as_of)
    window = recent if window_range == recent.days else period_of(subject, window_range)
    age = age_in_days(subject.first, as_of)
    codes = {}

    if settings.exempt is not None:
        codes["exempt"] = None
    if settings.enforced is not None:
        codes["enforced"] = None
        if is_lockout(subject, recent.days):
            codes["lockout"] = None
    if is_superseded(subject, recent.days):
        codes["superseded"] = None
    if is_blind(subject, window.days):
        codes["passes-not-seen"] = None
    if not any(day in subject.days for day in window.days):
        codes["no-traffic"] = None
    if is_stale(subject, day_of(as_of)):
        codes["stale"] = None
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
        if has_gap(subject, window.days):
            codes["coverage-gap"] = None
        codes.update(dict.fromkeys(subject.stream_codes))

    verdict = first_that_applies(codes)
    if verdict == "enforce":
        codes["safe"] = None
    if "no-traffic" in codes:
        codes = {code: value for code, value in codes.items() if code in ("no-traffic", "exempt")}
    return Judgement(verdict, window, recent, codes, age)


def first_that_applies(codes):
    for verdict, applies in (
        ("exempt", {"exempt"}),
        ("enforced", {"enforced"}),
        ("superseded", {"superseded"}),
        ("blind", {"passes-not-seen"}),
        ("insufficient", {"no-traffic", "stale"}),
        ("investigate", {"mostly-invalid"}),
        ("wait", {"too-many-blocked", "unstable-day"}),
        (
            "insufficient",
            {
                "too-few-requests",
                "too-few-days",
                "too-few-active-days",
                "coverage-gap",
                "failures-not-seen",
                "failures-stopped",
            },
        ),
    ):
        if applies & codes.keys():
            return verdict
    return "enforce"


def in_trouble(period, settings):
    return period.blocked > 0 and (period.lower > settings.maxBlocked or bool(period.unstable))


def is_lockout(subject, recent_days):
    """Signed-in requests on the days after the one enforced: surely more of them blocked than the maximum."""
    settings = subject.settings
    days = range(max(recent_days.start, settings.enforced + 1), max(recent_days.stop, settings.enforced + 1))
    return period_of(replace(subject, days=subject.signed_in_days), days).lower > settings.maxBlocked


def is_superseded(subject, recent_days):
    return any(day in subject.successor_days for day in recent_days) and not any(
        day in subject.days for day in recent_days
    )


def is_blind(subject, window):
    cells = [subject.days[day] for day in window if day in subject.days]
    return bool(cells) and (
        all(cell.passed == 0 for cell in cells) or any(cell.verifications >= 10 and cell.passed == 0 for cell in cells)
    )


def is_stale(subject, today):
    traffic = sorted(subject.days)
    if not traffic:
        return False
    silence = today - traffic[-1]
    longest = max((later - earlier for earlier, later in zip(traffic, traffic[1:])), default=0)
    return silence > 3 and silence > 2 * longest


def has_gap(subject, window):
    """A day of the window on which the whole project is silent, and was not silent a week earlier too."""

    def excused(day):
        return day - 7 >= subject.project_first_day and day - 7 not in subject.project_days

    return any(day not in subject.project_days and not excused(day) for day in window)
