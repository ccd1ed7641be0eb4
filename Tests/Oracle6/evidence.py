"""Requests that rows and lines show, and of which there is no verification."""

from collections import Counter
from dataclasses import dataclass, field

from instants import day_of


@dataclass
class Unlogged:
    """Of one function, by day."""

    answered: Counter = field(default_factory=Counter)  # 2xx
    crashed: Counter = field(default_factory=Counter)  # 5xx

    def total(self, days):
        return sum(self.answered[day] for day in days)

    def failing_before_log(self, project, days):
        """Days on which the project has no verification, and this function crashed before one could be written."""
        return [day for day in days if self.crashed[day] >= 10 and day not in project.covered_set]


def unlogged_of(function, is_seen):
    found = Unlogged()
    for instant, status, *_ in function.unjoined:
        if is_seen(instant):
            found.answered[day_of(instant)] += 200 <= status < 300
            found.crashed[day_of(instant)] += 500 <= status < 600
    return found
