"""The rule of the verdict's contract, version 3: which verdict, and every reason that holds."""

from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import ceil
from statistics import median

from bounds import dispersion_of, lower_bound, requests_missing, upper_bound
from instants import DAY, SECOND, day_of, start_of
from policy import Settings, is_quiet
from tally import Day

EMPTY = Day()
FAILURES = ("failures-not-seen", "failures-stopped")


@dataclass
class Subject:
    """A function with everything that the rule may look at, on whatever day."""

    settings: Settings
    generation: int
    days: dict  # day -> Day; "admitted" as the settings' requires_auth says
    signed_in_days: dict  # day -> Day, auth VALID admitted
    successor_days: set  # days with traffic of the gen 2 function of the same name; empty for gen 2
    start: int  # first day that may stand in a window (since), or None
    project: object  # tally.ProjectCounts
    undated_blocked: int = 0
    unattributed: bool = False
    members: tuple = ()  # of a group


@dataclass(frozen=True)
class Look:
    """What is known at an instant."""

    as_of: int
    horizon: int  # last day of the log; later ones are filled in, and covered
    failures: frozenset = None  # failures-* that were decided before
    undated: int = None

    @property
    def today(self):
        return day_of(self.as_of)


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
    subject: Subject  # its days cut to the stretch
    first_day: int  # S
    codes: dict = field(default_factory=dict)  # code -> the number the contract defines for it, else None
    age: int = 0
    observed: int = 0
    uncounted: int = 0
    failures: frozenset = frozenset()  # failures-* that hold, listed or not
    safe_nights: int = 0


def age_in_days(first, as_of):
    """Whole days since the first verification, halves up, at least one; 0 without one to count from."""
    if first is None:
        return 0
    return max(1, (2 * (as_of - first) + DAY) // (2 * DAY))


def window_days(width, as_of, start=None):
    """window(w): w days ending with the as-of's day, one more in front before noon; none before `start`."""
    last = day_of(as_of)
    first = last - width + 1 - (1 if as_of - start_of(last) < DAY // 2 else 0)
    return range(first if start is None else max(first, start), last + 1)


def is_covered(subject, look, day):
    return look.horizon < day <= look.today or (day <= look.horizon and subject.project.days.get(day, 0) > 0)


def first_of_stretch(subject, look):
    """S: neighbours at most three empty days apart, those that the policy calls quiet not counted; None without any."""
    known = [day for day in subject.project.days if day <= look.horizon]
    covered = sorted(known) + list(range(look.horizon + 1, look.today + 1))
    if not covered:
        return None
    first = covered[-1]
    for day in reversed(covered[:-1]):
        if sum(1 for empty in range(day + 1, first) if not is_quiet(empty, subject.settings)) > 3:
            break
        first = day
    return first


def is_excused(subject, look, first, day):
    empty = {d for d in range(first, look.today + 1) if not is_covered(subject, look, d)}
    for other in (day - 7, day + 7):
        between = range(min(day, other) + 1, max(day, other))
        if other in empty and sum(is_covered(subject, look, d) for d in between) >= 4:
            return True
    if is_quiet(day, subject.settings):
        return True
    run = [day]
    while run[0] - 1 in empty:
        run.insert(0, run[0] - 1)
    while run[-1] + 1 in empty:
        run.append(run[-1] + 1)
    expected = 0
    for d in run:
        alike = [
            count
            for other, count in subject.project.days.items()
            if first <= other <= min(look.horizon, look.today) and other % 7 == d % 7
        ]
        if len(alike) < 2:
            return False
        expected += Fraction(sum(alike), len(alike))
    return expected <= 7


def gaps(subject, look, first, window):
    return [
        day
        for day in window
        if first is None
        or day < first
        or (not is_covered(subject, look, day) and not is_excused(subject, look, first, day))
    ]


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


def choose_window(subject, as_of, first):
    """The first candidate with enough requests on three days, else the longest."""
    settings = subject.settings
    candidates = [window_days(settings.window, as_of, subject.start)]
    width = 2 * settings.window
    while first is not None and width <= settings.maxWindow:
        days = window_days(width, as_of)
        is_cut = days[0] < first
        if is_cut:
            days = range(first, days.stop)
        days = range(max(days.start, days.start if subject.start is None else subject.start), days.stop)
        if len(days) > len(candidates[-1]):
            candidates.append(days)
        if is_cut:
            break
        width += settings.window
    for days in candidates:
        cells = [subject.days.get(day, EMPTY).admitted for day in days]
        if sum(cells) >= 15 / settings.maxBlocked and sum(n > 0 for n in cells) >= 3:
            return days
    return candidates[-1]


def judge_once(whole, look):
    """The verdict of one look, with its reasons; advice and confirmation are added elsewhere."""
    settings, today = whole.settings, look.today
    first = first_of_stretch(whole, look)
    in_stretch = range(today + 1, today + 1) if first is None else range(first, today + 1)
    subject = replace(whole, days={day: cell for day, cell in whole.days.items() if day in in_stretch})
    recent = period_of(subject, window_days(settings.window, look.as_of, subject.start))
    window_range = choose_window(subject, look.as_of, first)
    window = recent if window_range == recent.days else period_of(subject, window_range)
    since = [day for day in sorted(subject.days) if subject.start is None or day >= subject.start]
    begin = None if not since else subject.days[since[0]].first
    age = age_in_days(begin, look.as_of)
    observed = 0 if begin is None else sum(day >= max(first, day_of(begin)) for day in window.days)
    uncounted = subject.undated_blocked
    failures = failure_codes(subject, look, first, window.days, recent.days)
    codes = {}

    if settings.exempt is not None:
        codes["exempt"] = None
    if settings.enforced is not None:
        codes["enforced"] = None
        if is_lockout(subject, [day for day in recent.days if day in in_stretch]):
            codes["lockout"] = None
    lately = [day for day in recent.days if day in in_stretch]
    if any(day in subject.successor_days for day in lately) and not any(day in subject.days for day in lately):
        codes["superseded"] = None
    seen = [day for day in window.days if day in subject.days]
    if is_blind(subject, seen):
        codes["passes-not-seen"] = None
    if not seen:
        codes["no-traffic"] = None
    if is_stale(subject, today):
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
        if gaps(subject, look, first, window.days):
            codes["coverage-gap"] = None
        codes.update(dict.fromkeys(failures))
        more = upper_bound(
            window.blocked + uncounted, window.admitted + uncounted, window.dispersion, settings.confidence
        )
        if uncounted > 0 and more > settings.maxBlocked:
            codes["uncounted"] = uncounted
    if subject.unattributed:
        codes["unattributed"] = None
    if subject.members:
        if any(is_mixed(cut(member, in_stretch)) for member in subject.members):
            codes["mixed-provenance"] = None
    elif is_mixed(subject):
        codes["mixed-provenance"] = None
    verdict = first_that_applies(codes)
    return Judgement(verdict, window, recent, subject, first, codes, age, observed, uncounted, frozenset(failures), 0)


def cut(subject, days):
    return replace(subject, days={day: cell for day, cell in subject.days.items() if day in days})


def judge(subject, as_of):
    """The verdict now: `enforce` only when every one of the last nights says so."""
    now = judge_once(subject, Look(as_of, day_of(as_of)))
    if now.verdict == "enforce":
        now.safe_nights = 1
        while night_is_safe(subject, day_of(as_of) - now.safe_nights):
            now.safe_nights += 1
        if now.safe_nights < subject.settings.confirm:
            now.verdict = "insufficient"
            now.codes["not-confirmed"] = now.safe_nights
        else:
            now.codes["safe"] = None
    if "no-traffic" in now.codes:
        now.codes = {code: value for code, value in now.codes.items() if code in ("no-traffic", "exempt")}
    return now


def night_is_safe(subject, day):
    if subject.start is not None and day < subject.start:
        return False
    return judge_once(subject, Look(end_of(day), day)).verdict == "enforce"


def end_of(day):
    return start_of(day + 1) - SECOND


def first_that_applies(codes):
    for verdict, applies in (
        ("exempt", {"exempt"}),
        ("enforced", {"enforced"}),
        ("superseded", {"superseded"}),
        ("blind", {"passes-not-seen"}),
        ("insufficient", {"no-traffic", "stale"}),
        ("investigate", {"mostly-invalid"}),
        ("wait", {"too-many-blocked", "unstable-day"}),
    ):
        if applies & codes.keys():
            return verdict
    return "insufficient" if codes else "enforce"


def in_trouble(period, settings):
    return period.blocked > 0 and (period.lower > settings.maxBlocked or bool(period.unstable))


def is_lockout(subject, recent_days):
    """Signed-in requests on the days after the one enforced: surely more of them blocked than the maximum."""
    days = [day for day in recent_days if day > subject.settings.enforced]
    return period_of(replace(subject, days=subject.signed_in_days), days).lower > subject.settings.maxBlocked


def is_blind(subject, seen):
    """`seen`: the days of the window with a verification."""
    usual = [cell.verifications for cell in subject.days.values() if cell.passed > 0]

    def shown(day):
        by_others = not subject.members and day in subject.project.passes[subject.generation]
        return by_others or (bool(usual) and subject.days[day].verifications >= median(usual) / 2)

    failing = [day for day in seen if subject.days[day].passed == 0]
    if not failing:
        return False
    hidden = [day for day in failing if not shown(day)]
    return (len(failing) == len(seen) and 2 * len(hidden) >= len(seen)) or any(
        subject.days[day].verifications >= 10 for day in hidden
    )


def is_stale(subject, today):
    traffic = sorted(subject.days)
    if not traffic:
        return False
    silence = today - traffic[-1]
    longest = max((later - earlier for earlier, later in zip(traffic, traffic[1:])), default=1)
    return silence > 3 and silence > 2 * longest


def is_mixed(subject):
    days = subject.days.values()
    return sum("DEBUG" in cell.severities and len(cell.severities) > 1 for cell in days) >= 3


def failure_codes(subject, look, first, window, recent):
    """Whether the project's failures may be missing from the input."""
    if look.failures is not None:
        return look.failures
    if subject.members:
        return {code for member in subject.members for code in judge_once(member, look).failures}
    if first is None:
        return {"failures-not-seen"} if subject.generation == 2 else set()
    failed = {d: n for d, n in subject.project.failed[subject.generation].items() if first <= d <= look.today}
    # Only gen 2 writes to this log; a gen 1 function's failures never come that way.
    stderr = {d for d in subject.project.stderr if first <= d <= look.today} if subject.generation == 2 else set()
    codes = set()
    if subject.generation == 2 and not any(day in failed or day in stderr for day in window):
        codes.add("failures-not-seen")
    run = [day for day in recent if not any(d in failed or d in stderr for d in range(day, look.today + 1))]
    if run and first < run[0]:
        before = sorted(failed.get(day, 0) for day in range(first, run[0]))
        quartile = before[ceil(Fraction(3 * len(before), 4)) - 1]
        mean = Fraction(sum(min(count, quartile) for count in before), len(before))
        length = len(run) - 1 + Fraction(look.as_of % DAY, DAY)
        if length * mean > 7:
            codes.add("failures-stopped")
    return codes
