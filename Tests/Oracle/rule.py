"""The rule of the verdict's contract: which verdict, and every reason that holds."""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from fractions import Fraction
from statistics import median

from bounds import dispersion_of, lower_bound, requests_missing, upper_bound
from instants import DAY, HOUR, SECOND, day_of, start_of
from policy import Settings
from tally import Day, ProjectCounts, first_from

EMPTY = Day()
FAILURES = ("failures-not-seen", "failures-stopped")


@dataclass
class Subject:
    """A function as the rule sees it at any instant: the rule itself leaves out what lies after its as-of's day."""

    settings: Settings
    project: ProjectCounts
    generation: int
    days: dict  # day -> Day; "admitted" as the settings' requires_auth says
    signed_in_days: dict  # day -> Day, auth VALID admitted
    firsts: dict  # day -> instant of the first verification
    since: int = None  # first day that may stand in a window
    successor_days: set = frozenset()  # days with traffic of the gen 2 function of the same name; empty for gen 2
    shown_by_others: set = frozenset()  # days on which another function proves that passes are in the log
    attributed: bool = True  # its project is known
    mixed_share: bool = False
    severity_mixed: set = frozenset()  # days with labelled passes at DEBUG and at another severity
    uncounted: int = 0  # records that could not be judged
    frozen_failures: frozenset = None  # in a forecast: failures-* as they were at the true as-of

    def __post_init__(self):
        self.traffic = sorted(self.days)  # whatever its auth: a day is here when it has a verification
        self.first_days = sorted(self.firsts)

    def first(self, start, today):
        return first_from(self.firsts, self.first_days, start, today)

    def failures(self, look, window):
        """The failures-* codes that hold at a look, whether the settings lift them or not."""
        if self.frozen_failures is not None:
            return self.frozen_failures
        return failures_codes(look, window)

    def is_mixed(self, look):
        """Of two kinds of verifications one is forged, and which cannot be told."""
        return self.mixed_share or sum(look.start <= day <= look.today for day in self.severity_mixed) >= 3


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
    look: object
    window: Period
    recent: Period  # the last W days
    codes: dict = field(default_factory=dict)  # code -> the number the contract defines for it, else None
    age: int = 0
    safe_nights: int = 0
    safe_since: int = None  # a day


class Look:
    """A subject at an as-of. No day outside the stretch of its project has anything in it."""

    def __init__(self, subject, as_of):
        self.subject, self.settings, self.project = subject, subject.settings, subject.project
        self.as_of, self.today = as_of, day_of(as_of)
        self.start = self.project.stretch_start(self.today)
        low = self.start if subject.since is None else max(self.start, subject.since)
        self.first = subject.first(low, self.today)

    def cells(self, days, source=None):
        """The cells of a range of days."""
        source = self.subject.days if source is None else source
        return {day: source.get(day, EMPTY) if self.start <= day <= self.today else EMPTY for day in days}

    def traffic(self):
        """Days with a verification of the function in the stretch, ascending."""
        days = self.subject.traffic
        return days[bisect_left(days, self.start) : bisect_right(days, self.today)]

    def window(self, width):
        """window(w): w days ending with the as-of's day, one more in front before noon; none before `since`."""
        return window_days(width, self.as_of, self.subject.since)

    def candidates(self):
        """W and its multiples; the first of these that begins before the stretch is cut to it and is the last."""
        found = [self.window(self.settings.window)]
        for width in range(2 * self.settings.window, self.settings.maxWindow + 1, self.settings.window):
            days = self.window(width)
            if days.start >= self.start:
                found.append(days)
                continue
            cut = range(min(self.start, days.stop), days.stop)
            if len(cut) > len(found[-1]):
                found.append(cut)
            break
        return found

    def observed_days(self, days):
        """How many of the days the function can have been seen on."""
        if self.first is None:
            return 0
        begin = max(days.start, self.start, day_of(self.first))
        return max(0, days.stop - begin)


def window_days(width, as_of, since=None):
    last = day_of(as_of)
    first = last - width + 1 - (1 if as_of - start_of(last) < DAY // 2 else 0)
    return range(first if since is None else min(max(first, since), last + 1), last + 1)


def night_of(day):
    """The instant at which a day that is over is looked at."""
    return start_of(day + 1) - SECOND


def age_in_days(first, as_of):
    """Whole days since the first verification, halves up, at least one; 0 without a verification to count from."""
    if first is None:
        return 0
    return max(1, (2 * (as_of - first) + DAY) // (2 * DAY))


def period_of(look, days, source=None):
    cells = look.cells(days, source)
    active = tuple(day for day in days if cells[day].admitted > 0)
    admitted = sum(cells[day].admitted for day in active)
    blocked = sum(cells[day].blocked for day in active)
    confidence, maximum = look.settings.confidence, look.settings.maxBlocked
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
        sum(cells[day].refused for day in active),
        active,
        dispersion,
        upper_bound(blocked, admitted, dispersion, confidence),
        lower_bound(blocked, admitted, dispersion, confidence),
        unstable,
    )


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


def is_blind(look, window):
    """Whether passes are missing from the log, rather than refused by App Check."""
    cells = {day: cell for day, cell in look.cells(window).items() if cell.verifications}
    hidden = [day for day, cell in cells.items() if cell.passed == 0 and not passes_shown(look, day)]
    if cells and all(cell.passed == 0 for cell in cells.values()) and 2 * len(hidden) >= len(cells):
        return True
    return any(cells[day].verifications >= 10 for day in hidden)


def passes_shown(look, day):
    """Would a pass of this day have been seen? Another function's was, or the day is not half as small as others."""
    if day in look.subject.shown_by_others:
        return True
    days = look.subject.days
    usual = [days[other].verifications for other in look.traffic() if days[other].passed]
    return bool(usual) and 2 * days[day].verifications >= median(usual)


def is_stale(look):
    traffic = look.traffic()
    if not traffic:
        return False
    silence = look.today - traffic[-1]
    longest = max((later - earlier for earlier, later in zip(traffic, traffic[1:])), default=1)
    return silence > 3 and silence > 2 * longest


def is_old(look, clock):
    """The project's log ends too long before the clock; days on which it rests are not held against it."""
    last = look.project.last_covered(look.today)
    if last is None:
        return False
    between = range(last + 1, day_of(clock))
    quiet = sum(is_excused(look, day, day_of(clock) - 1) for day in between)
    return clock - look.project.newest[last] > 36 * HOUR + quiet * DAY


def has_gap(look, window):
    """A day of the window on which the whole project is silent without an excuse."""
    covered = look.project.covered_set
    return any(
        day < look.start or (day not in covered and not is_excused(look, day, look.today)) for day in window
    )


def is_excused(look, day, end):
    """Why an empty day of the stretch (which ends with `end`) says nothing against the log."""
    project, start = look.project, look.start
    covered = project.covered_set
    if project.is_quiet(day):
        return True
    for other in (day - 7, day + 7):
        between = range(min(day, other) + 1, max(day, other))
        if start <= other <= end and other not in covered and sum(d in covered for d in between) >= 4:
            return True
    expected = expected_in_silence(look, day, end)
    return expected is not None and expected <= 7


def expected_in_silence(look, day, end):
    """Verifications that the run of empty days around a day would usually have had; None when that is not known."""
    project, start = look.project, look.start
    first = last = day
    while first - 1 >= start and first - 1 not in project.covered_set:
        first -= 1
    while last + 1 <= end and last + 1 not in project.covered_set:
        last += 1
    expected = Fraction(0)
    for empty in range(first, last + 1):
        # Days that a forecast filled have no volume: the volumes up to the true as-of count.
        same_weekday = [
            project.volumes[other]
            for other in range(start + (empty - start) % 7, look.today + 1, 7)
            if other in project.volumes
        ]
        if len(same_weekday) < 2:
            return None
        expected += Fraction(sum(same_weekday), len(same_weekday))
    return expected


def failures_codes(look, window):
    """Whether the project's failures of the function's generation may be missing from the log: failures-*."""
    project, generation, today = look.project, look.subject.generation, look.today
    # Only gen 2 writes to the stderr log; a gen 1 function's failures never come that way.
    stderr = project.stderr if generation == 2 else set()
    failed = project.failed.get(generation, {})
    codes = set()
    if generation == 2 and not any(day in failed or day in stderr for day in window if day >= look.start):
        codes.add("failures-not-seen")
    recent = look.window(look.settings.window)
    run = 0
    while run < len(recent) and today - run not in failed and today - run not in stderr:
        run += 1
    before = range(look.start, today - run + 1)
    if run > 0 and len(before) > 0:
        counts = [failed.get(day, 0) for day in before]
        usual_most = sorted(counts)[(3 * len(counts) + 3) // 4 - 1]
        mean = Fraction(sum(min(count, usual_most) for count in counts), len(counts))
        if (run - 1 + Fraction(look.as_of % DAY, DAY)) * mean > 7:
            codes.add("failures-stopped")
    return frozenset(codes)


def tips_the_balance(window, uncounted, settings):
    """Would the records that could not be judged bring the upper bound above the maximum, had they been blocked?"""
    return uncounted > 0 and (
        upper_bound(
            window.blocked + uncounted, window.admitted + uncounted, window.dispersion, settings.confidence
        )
        > settings.maxBlocked
    )
