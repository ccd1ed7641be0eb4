"""After the switch: whom enforcement refuses, beyond what was accepted, and what had been predicted."""

from collections import Counter
from dataclasses import dataclass

from bounds import dispersion_of, lower_bound
from instants import HOUR, day_of
from look import window_days
from platforms import Platforms, rows_are_fair
from recent import failing_now

FOUR_WEEKS = 28
TWO_SIDED = 1.959963984540054  # of the normal distribution, at 95 %


@dataclass
class Lockout:
    requests: int
    refused: int
    lower: float
    last_hour: tuple  # (requests, refused)
    failing: object  # recent.Failing, or None
    platforms: dict  # name -> platforms.Counts


class Since:
    """The requests since a switch that revisions answer which are on; by the policy's word alone all."""

    def __init__(self, look, word):
        self.look, self.word, self.enforcement = look, word, look.subject.enforcement
        rows = [row for row in self.enforcement.rows if word.since <= row.instant <= look.as_of and row.auth != "INVALID"]
        if word.by == "log":
            rows = [row for row in rows if self.enforcement.is_on(row)]
            began = self.enforcement.revisions.get(None)
            if began is not None and began.begin is not None:
                first = next((row for row in rows if row.instant == began.begin and row.app != "VALID"), None)
                rows = [row for row in rows if row is not first]
        self.rows = rows
        recent = self.of_the_last(look.settings.window, rows)
        valid = [row for row in recent if row.app == "VALID"]
        # Where people sign up nobody is signed in.
        self.all_count = 20 * sum(row.auth == "VALID" for row in valid) < len(valid)

    def of_the_last(self, width, rows):
        """The last days, whatever the policy's `since`."""
        days = window_days(width, self.look.as_of)
        return [row for row in rows if day_of(row.instant) in days]

    def judged(self, rows):
        return [row for row in rows if self.all_count or row.auth == "VALID"]

    def is_refused(self, row):
        return row.app != "VALID" and not self.enforcement.is_shown_served(row)

    def platforms(self):
        rows = self.of_the_last(FOUR_WEEKS, self.judged(self.rows))
        known = [row for row in rows if row.client]
        cells = Counter((day_of(row.instant), row.client, self.is_refused(row)) for row in known)
        blocked = [row for row in rows if row.app != "VALID"]
        seen = rows_are_fair(len(rows), len(known), len(blocked), sum(row.client is not None for row in blocked))
        recent = window_days(self.look.settings.window, self.look.as_of)
        requests = [(*key, number) for key, number in cells.items()]
        return Platforms(requests, not self.all_count, recent, self.look.today, self.look.settings, seen)


def lockout_of(look, word):
    """The lock-out, or None."""
    if word.since is None:
        return None
    since = Since(look, word)
    rows = since.judged(since.of_the_last(look.settings.window, since.rows))
    refused = [row for row in rows if since.is_refused(row)]
    by_day, refused_by_day = (Counter(day_of(row.instant) for row in some) for some in (rows, refused))
    dispersion = dispersion_of([(number, refused_by_day[day]) for day, number in by_day.items()])
    lower = lower_bound(len(refused), len(rows), dispersion, look.settings.confidence)
    earlier = [row for row in since.enforcement.rows if row.auth != "INVALID" and (since.all_count or row.auth == "VALID")]
    failing = failing_now(since.judged(since.rows), look.as_of, since.is_refused, earlier)
    platforms = since.platforms().refused()
    crashing = look.subject.unlogged_whole.failing_before_log(look.subject.project_whole, (look.today - 1, look.today))
    if not ((lower > look.settings.maxBlocked and len(refused) >= 2) or failing or platforms or crashing):
        return None
    hour = [row for row in rows if row.instant > look.as_of - HOUR]
    return Lockout(len(rows), len(refused), lower, (len(hour), sum(map(since.is_refused, hour))), failing, platforms)


def aftermath_of(look, word, predicted):
    """Predicted against refused; `predicted`: the numbers of the verdict as of the day before the switch."""
    since = Since(look, word)
    rows = [row for row in since.rows if row.auth == "VALID" or not look.signed_in]
    rows = since.of_the_last(look.settings.window, rows)
    refused = [row for row in rows if since.is_refused(row)]
    return {
        "requests": len(rows),
        "refused": len(refused),
        "refusedSignedIn": sum(row.auth == "VALID" for row in refused),
        "verdict": fits(predicted, len(refused), len(rows)) if predicted else None,
    }


def fits(predicted, refused, requests):
    if not predicted.admitted or not requests or predicted.rate * requests < 3:
        return None
    pooled = (predicted.blocked + refused) / (predicted.admitted + requests)
    variance = pooled * (1 - pooled) * (1 / predicted.admitted + 1 / requests) * predicted.dispersion
    if not variance:
        return "asPredicted"
    difference = (refused / requests - predicted.rate) / variance**0.5
    return "asPredicted" if abs(difference) <= TWO_SIDED else "more" if difference > 0 else "fewer"
