"""What rows of the request log prove: whether everything was logged."""

from dataclasses import dataclass

from instants import day_of


@dataclass
class DayRows:
    """One day of one function."""

    with_row: int = 0  # verifications that have one
    successes: int = 0  # rows answered 2xx
    unlogged: int = 0  # those without a verification


def evidence_of(function, inside):
    """Day -> DayRows; `inside` tells which instants count."""
    days = {}

    def day(instant):
        return days.setdefault(day_of(instant), DayRows())

    for row in function.verifications:
        if row.instant is not None and row.has_row:
            found = day(row.instant)
            found.with_row += 1
            found.successes += row.status is not None and 200 <= row.status < 300
    for instant, status, *_ in function.unjoined:
        if inside(instant):
            found = day(instant)
            found.successes += 200 <= status < 300
            found.unlogged += 200 <= status < 300
    return days


@dataclass
class Proof:
    """What the rows of a function prove of a window."""

    complete: bool = False
    unlogged: int = 0  # requests answered 2xx without a verification; 0 where rows prove nothing
    successes: int = 0

    @property
    def shows_everything(self):
        return self.complete and self.unlogged == 0

    @property
    def shows_passes(self):
        """A filter on severity drops passes and the rows of what was answered 2xx alike."""
        return self.shows_everything and self.successes > 0


def proof_of(look, window):
    """Days of a forecast have no rows, and no verifications that could have one."""
    known = [day for day in window if look.start <= day <= look.subject.known_until]
    days = [look.subject.evidence[day] for day in known if day in look.subject.evidence]
    verifications = sum(cell.verifications for cell in look.cells(known).values())
    if verifications == 0 or 20 * sum(day.with_row for day in days) < 19 * verifications:
        return Proof()
    return Proof(True, sum(day.unlogged for day in days), sum(day.successes for day in days))
