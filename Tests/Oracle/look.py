"""A function as the rule sees it, looked at at an instant: its days, its windows and their numbers."""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field

from bounds import dispersion_of, lower_bound, upper_bound
from completeness import failures_codes
from evidence import proof_of
from instants import DAY, SECOND, day_of, start_of
from platforms import caller_codes
from policy import Settings
from tally import Day, ProjectCounts, first_from

EMPTY = Day()


@dataclass
class Subject:
    """A function as the rule sees it at any instant: the rule itself leaves out what lies after its as-of's day."""

    settings: Settings
    project: ProjectCounts
    generation: int
    days: dict  # day -> Day; "admitted" as the settings' requires_auth says
    signed_in_days: dict  # day -> Day, auth VALID admitted
    firsts: dict  # day -> instant of the first verification
    since: int = None  # first day that may be in a window
    successor_days: set = frozenset()  # days with traffic of the gen 2 function of the same name; empty for gen 2
    shown_by_others: set = frozenset()  # days on which another function proves that passes are in the log
    attributed: bool = True  # its project is known
    mixed_share: bool = False
    severity_mixed: set = frozenset()  # days with labelled passes at DEBUG and at another severity
    uncounted: int = 0  # records that could not be judged, without those that rows show
    newest_day: int = None  # of the source, None without a dated verification: such records count where a window has it
    evidence: dict = field(default_factory=dict)  # day -> DayRows
    history: object = None  # history.History
    known_until: int = 10**9  # in a forecast the true as-of's day: later ones have no rows
    frozen_unjudged: int = None  # in a night before the as-of and in a forecast: what could not be judged at the as-of
    frozen_failures: frozenset = None  # in a forecast: failures-* as they were at the true as-of
    frozen_callers: dict = None  # in a forecast: what request rows said then of those who would be refused
    requires_auth: bool = False  # only signed-in requests are admitted
    requests: list = field(default_factory=list)  # that may be judged, by time

    def __post_init__(self):
        self.traffic = sorted(self.days)  # of any auth: a day is here if it has a verification
        self.first_days = sorted(self.firsts)

    def first(self, start, today):
        return first_from(self.firsts, self.first_days, start, today)

    def failures(self, look, window):
        """The failures-* codes that hold at a look, whether the settings lift them or not."""
        if self.frozen_failures is not None:
            return self.frozen_failures
        return frozenset() if proof_of(look, window).shows_everything else failures_codes(look, window)

    def callers(self, look, window):
        """The codes that hold because of who would be refused: they are those of the look's own window."""
        return caller_codes(look, window) if self.frozen_callers is None else self.frozen_callers

    def unjudged_at(self, window):
        """Records that could not be judged, as far as they count in a window."""
        if self.frozen_unjudged is not None:
            return self.frozen_unjudged
        return self.uncounted if self.newest_day is None or self.newest_day in window else 0

    def uncounted_at(self, look, window):
        """u: what rows show has a day, and counts in the windows in which that lies."""
        return self.unjudged_at(window) + proof_of(look, window).unlogged

    def is_mixed(self, look):
        """One of two kinds of verifications is forged, and which one is unknown."""
        return self.mixed_share or sum(look.start <= day <= look.today for day in self.severity_mixed) >= 3


@dataclass(frozen=True)
class Period:
    """Numbers of a run of days."""

    days: range  # or a list
    admitted: float
    signed_in: float  # of the admitted ones
    blocked: float
    refused: float
    active: tuple  # active days, ascending
    dispersion: float
    upper: float
    lower: float

    @property
    def rate(self):
        return self.blocked / self.admitted if self.admitted else None


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
    confidence = look.settings.confidence
    dispersion = dispersion_of([(cells[day].admitted, cells[day].blocked) for day in active])
    return Period(
        days,
        admitted,
        sum(cells[day].signed_in for day in active),
        blocked,
        sum(cells[day].refused for day in active),
        active,
        dispersion,
        upper_bound(blocked, admitted, dispersion, confidence),
        lower_bound(blocked, admitted, dispersion, confidence),
    )
