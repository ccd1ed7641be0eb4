"""A function as the rule sees it, looked at at an instant: its days, its windows and their numbers."""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field

from bounds import dispersion_of, lower_bound, upper_bound
from completeness import failures_codes
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
    start: int  # S, the first day of the project's stretch
    days: dict  # day -> Day; all are admitted
    signed_in_days: dict  # day -> Day, auth VALID admitted
    firsts: dict  # day -> instant of the first verification
    since: int = None  # first day that may be in a window
    successor_days: set = frozenset()  # days with traffic of the gen 2 function of the same name; empty for gen 2
    shown_by_others: set = frozenset()  # days on which another function proves that passes are in the log
    attributed: bool = True  # its project is known
    mixed_share: bool = False
    severity_mixed: set = frozenset()  # days with labelled passes at DEBUG and at another severity
    uncounted: list = (0, 0)  # discarded ones of a source of their own that would be blocked: signed out, signed in
    newest_day_apart: int = None  # of that source
    unread: int = 0  # records that could not be read, and verifications without a time
    newest_day: int = None  # of their source: they count where a window has it; None without a readable entry
    unlogged: object = None  # evidence.Unlogged
    unlogged_whole: object = None  # the same, whatever --since says
    project_whole: ProjectCounts = None
    signed_out: dict = field(default_factory=dict)  # day -> [requests with auth MISSING, with a row, served]
    enforcement: object = None  # enforcement.Enforcement
    rows: list = field(default_factory=list)  # all that have a time, by it
    requires_auth: bool = False  # in the twin, whatever the settings say
    forecast_from: object = None  # in a forecast the judgement at T: some codes stay as they were then
    nights_from: object = None  # in a night before T the judgement then
    clauses: object = None  # of what is no function: see rule.OfFunctions

    def __post_init__(self):
        self.traffic = sorted(self.days)  # of any auth: a day is here if it has a verification
        self.first_days = sorted(self.firsts)

    def first(self, start, today):
        return first_from(self.firsts, self.first_days, start, today)

    def failures(self, look, window):
        """The failures-* codes that hold at a look, whether the settings lift them or not."""
        return self.forecast_from.failures if self.forecast_from else failures_codes(look, window)

    def callers(self, look, window):
        """The codes that hold because of who would be refused: they are those of the look's own window."""
        return self.forecast_from.callers if self.forecast_from else caller_codes(look, window)

    def uncounted_at(self, look, window):
        """u: what has no day counts as it does at T; unlogged requests where they lie in the window."""
        return self.without_day(look, window) + self.unlogged.total(day for day in window if day >= self.start)

    def without_day(self, look, window):
        earlier = self.forecast_from or self.nights_from
        if earlier:
            return earlier.without_day
        discarded = self.uncounted[1] if look.signed_in else sum(self.uncounted)
        sources = (discarded, self.newest_day_apart), (self.unread, self.newest_day)
        return sum(number for number, newest in sources if newest is None or newest in window)

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

    def __init__(self, subject, as_of, signed_in=False):
        self.subject, self.settings, self.project = subject, subject.settings, subject.project
        self.as_of, self.today, self.start = as_of, day_of(as_of), subject.start
        self.signed_in = signed_in or subject.requires_auth or subject.settings.requiresAuth
        self.days = subject.signed_in_days if self.signed_in else subject.days
        self.first = subject.first(self.start, self.today)
        self.machines_leave = not self.settings.countMachines and self._others_come()

    def _others_come(self):
        """Enough requests are of other clients than machines."""
        cells = self.cells(self.window(self.settings.maxWindow)).values()
        known = sum(cell.known for cell in cells)
        others = known - sum(cell.known_machines for cell in cells)
        return others >= 300 or 100 * others >= known

    def leaving(self, cell):
        """Valid requests of machines, where they are none of n."""
        return cell.machines if self.machines_leave else 0

    def n(self, cell):
        return cell.admitted - self.leaving(cell)

    def is_active(self, cell):
        return self.n(cell) > 0 or cell.refused_already > 0

    def cells(self, days):
        """The cells of a range of days."""
        return {day: self.days.get(day, EMPTY) if self.start <= day <= self.today else EMPTY for day in days}

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
        """How long the function can have been seen, in days, at least one; 0 where it was not there."""
        if self.first is None:
            return 0
        return max(1, (self.as_of - max(start_of(days.start), self.first)) / DAY)


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


def period_of(look, days):
    cells = look.cells(days)
    active = tuple(day for day in days if look.is_active(cells[day]))
    admitted = sum(look.n(cells[day]) for day in days)
    blocked = sum(cells[day].blocked for day in days)
    confidence = look.settings.confidence
    dispersion = dispersion_of([(look.n(cells[day]), cells[day].blocked) for day in days])
    return Period(
        days,
        admitted,
        sum(cells[day].signed_in - (cells[day].machines_signed_in if look.machines_leave else 0) for day in days),
        blocked,
        sum(cells[day].refused for day in days),
        active,
        dispersion,
        upper_bound(blocked, admitted, dispersion, confidence),
        lower_bound(blocked, admitted, dispersion, confidence),
    )
