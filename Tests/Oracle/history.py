"""One history of enforcement: what became of the requests that it would refuse, and the spells between such signs."""

from bisect import bisect_left
from collections import defaultdict
from itertools import accumulate, groupby, pairwise
from typing import NamedTuple

from instants import DAY, HOUR, day_of, start_of

ALLOWING, CAUSE = "allowing", "cause"  # what a line says; one of generation 1 says its status, a number
EARLIER = 14 * DAY  # in which signs tell how often the handler itself answers 401


class Sign(NamedTuple):
    """Sorted by instant; at one instant the served ones come first."""

    instant: int
    refused: bool  # else served
    revision: str


class Spell(NamedTuple):
    """Refused signs without a served one between them."""

    begin: int
    end: int  # the next served sign; None while it lasts
    refused: int
    known: bool  # hardly by chance


class History:
    """A function's verifications and lines; each night sees them up to its own day."""

    def __init__(self, function):
        self.rows = sorted((row for row in function.verifications if row.instant is not None), key=lambda r: r.instant)
        self.lines = defaultdict(list)  # execution -> (instant, what)
        for instant, execution, what in function.lines:
            self.lines[execution].append((instant, what))
        self.severities = defaultdict(set)  # day -> those of labelled passes
        for row in self.rows:
            if function.labelled and row.passed:
                self.severities[day_of(row.instant)].add(row.severity)
        self.nights = {}

    def night(self, days):
        """What the days of a stretch show."""
        if days not in self.nights:
            self.nights[days] = Night(self, days)
        return self.nights[days]

    def rows_of(self, days):
        first = bisect_left(self.rows, start_of(days.start), key=lambda row: row.instant)
        last = bisect_left(self.rows, start_of(days.stop), key=lambda row: row.instant)
        return self.rows[first:last]

    def sign(self, row, severities):
        """The sign that a request is, or None."""
        if not would_be_refused(row):
            return None
        refused = is_refused(row, self.lines_of(row), severities)
        return None if refused is None else Sign(row.instant, refused, row.revision)

    def lines_of(self, row):
        """What the execution of a request said, on its own or a neighbouring day."""
        return [line for line in self.lines.get(row.execution, ()) if abs(day_of(line[0]) - day_of(row.instant)) <= 1]


def answer_of(row, lines):
    """The status of its row; where it has none, what its execution finished with."""
    return row.status if row.has_row else next((what for _, what in lines if isinstance(what, int)), None)


def is_refused(row, lines, severities):
    """Whether a request was refused; None where nothing tells. `severities` are those of the function's labelled passes."""
    if row.app == "INVALID":
        if any(what == ALLOWING for _, what in lines):
            return False
        # Where passes are seen at DEBUG the line that lets it go would be seen, too. A stream answers 200 in any case.
        if severities == {"DEBUG"} and any(what == CAUSE and instant <= row.instant for instant, what in lines):
            return True
    answer = answer_of(row, lines)
    if answer == 401:
        # Version 3 of the SDK, whose passes are at INFO, refuses every invalid token.
        return None if row.app == "INVALID" and severities == {"INFO"} else True
    return False if answer is not None and 200 <= answer < 400 else None


def would_be_refused(row):
    return row.app != "VALID" and row.auth != "INVALID"


def is_valid(row):
    return row.app == "VALID" and row.auth == "VALID"


class Night:
    """The history as the days up to one show it."""

    def __init__(self, history, days):
        rows = history.rows_of(days)
        severities = set().union(*(history.severities.get(day, ()) for day in days))
        signed = [(row, history.sign(row, severities)) for row in rows]
        valid = [(row, answer_of(row, history.lines_of(row))) for row in rows if is_valid(row)]
        self.staged = is_staged(sorted((sign for _, sign in signed if sign), key=order))
        self.revisions = {
            name: Course(*([pair for pair in pairs if pair[0].revision == name] for pairs in (signed, valid)))
            for name in {row.revision for row in rows} - {None}
        }
        # Where two revisions answer differently the function's course is that of the newest request's.
        self.revision = newest_revision(rows) if self.staged else None
        self.course = self.revisions[self.revision] if self.staged else Course(signed, valid)


def order(sign):
    return sign.instant, sign.refused, sign.revision or ""


def is_staged(signs):
    """Within the last hour of signs, requests are refused and served in turn, by different revisions."""
    recent = [sign for sign in signs if signs[-1].instant - sign.instant <= HOUR]
    changes = (
        None not in (a.revision, b.revision) and a.revision != b.revision and a.refused != b.refused
        for a, b in pairwise(recent)
    )
    return sum(changes) >= 2


def newest_revision(rows):
    """That of the newest request, refused or not; of several at one instant the highest."""
    return max((row.instant, row.revision) for row in rows if row.revision is not None)[1]


class Course:
    """Signs and spells of a function's requests, or of those of one revision."""

    def __init__(self, signed, valid):
        self.valid = [(row.instant, answer) for row, answer in valid if answer is not None]  # both tokens, and answered
        self.rows = [row for row, _ in signed]
        self.signs = sorted((sign for _, sign in signed if sign), key=order)
        self.instants = [sign.instant for sign in self.signs]
        self.refused = [0, *accumulate(sign.refused for sign in self.signs)]
        self.spells = list(self._spells())

    @property
    def state(self):
        if self.spells and self.spells[-1].end is None and self.spells[-1].known:
            return "on"
        return "off" if self.refused[-1] < len(self.signs) else "unknown"

    @property
    def newest_known(self):
        return next((spell for spell in reversed(self.spells) if spell.known), None)

    def counts(self, begin, end=None):
        """(refused, served) signs from an instant on, up to another."""
        low = bisect_left(self.instants, begin)
        high = len(self.instants) if end is None else max(low, bisect_left(self.instants, end))
        refused = self.refused[high] - self.refused[low]
        return refused, high - low - refused

    def _spells(self):
        runs = [list(run) for _, run in groupby(self.signs, key=lambda sign: sign.refused)]
        for run, after in zip(runs, [*runs[1:], None]):
            if run[0].refused:
                begin = run[0].instant
                yield Spell(begin, after and after[0].instant, len(run), self._is_known(begin, len(run)))

    def _is_known(self, begin, length):
        """More refused in a row than the handler makes by chance, while at least half of the valid ones get through."""
        refused, served = self.counts(begin - EARLIER, begin)
        by_chance = 1000 * (refused + 1) ** length > (refused + served + 2) ** length
        if length < 3 or by_chance:
            return False
        answers = [answer for instant, answer in self.valid if instant >= begin]
        return 2 * answers.count(401) <= len(answers)
