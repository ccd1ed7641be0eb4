"""What stands beside the verifications in the log: rows of the request log, and the SDK's line that lets a request go."""

from dataclasses import dataclass

from instants import day_of


@dataclass
class DayRows:
    """One day of one function. `unverified` is app not VALID and auth not INVALID: what enforcement would refuse."""

    rows: int = 0  # of the request log
    with_row: int = 0  # verifications that have one
    successes: int = 0  # rows answered 2xx
    unlogged: int = 0  # those without a verification
    unverified: int = 0
    unverified_with_row: int = 0
    unverified_joined: int = 0  # of these, those whose row is known
    let_through: int = 0  # answered 2xx or 3xx
    refused: int = 0  # answered 401
    missing_signed_in: int = 0  # MISSING/VALID with a row
    missing_refused: int = 0  # MISSING, auth not INVALID, answered 401
    valid_not_refused: int = 0  # both VALID, answered other than 401
    allowing: int = 0  # "Allowing request…"


def evidence_of(function, inside):
    """Day -> DayRows; `inside` tells which instants count."""
    days = {}

    def day(instant):
        return days.setdefault(day_of(instant), DayRows())

    for row in function.verifications:
        if row.instant is None:
            continue
        unverified = row.app != "VALID" and row.auth != "INVALID"
        if unverified:
            day(row.instant).unverified += 1
        if not row.has_row:
            continue
        found = day(row.instant)
        found.rows += 1
        found.with_row += 1
        found.unverified_with_row += unverified
        if row.status is None:
            continue
        found.successes += 200 <= row.status < 300
        found.valid_not_refused += (row.app, row.auth) == ("VALID", "VALID") and row.status != 401
        if unverified:
            found.unverified_joined += 1
            found.let_through += 200 <= row.status < 400
            found.refused += row.status == 401
            found.missing_signed_in += (row.app, row.auth) == ("MISSING", "VALID")
            found.missing_refused += row.app == "MISSING" and row.status == 401
    for instant, status, *_ in function.unjoined:
        if inside(instant):
            found = day(instant)
            found.rows += 1
            found.successes += 200 <= status < 300
            found.unlogged += 200 <= status < 300
    for instant in function.allowing:
        if inside(instant):
            day(instant).allowing += 1
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


def enforced_by_log(look):
    """(whether the log shows that enforcement is on, since which day); None for a day before the first row."""
    evidence, last = look.subject.evidence, min(look.today, look.subject.known_until)
    for first in range(look.start, last + 1):
        days = [evidence[day] for day in range(first, last + 1) if day in evidence]
        if _shows_enforcement(days):
            dates = [day for day, found in evidence.items() if first <= day <= last and found.missing_refused]
            earlier = any(found.rows for day, found in evidence.items() if day < first)
            return True, min(dates) if earlier and dates else None
    return False, None


def _shows_enforcement(days):
    unverified, with_row = sum(d.unverified for d in days), sum(d.unverified_with_row for d in days)
    return (
        sum(d.missing_signed_in for d in days) >= 5
        and not any(d.let_through or d.allowing for d in days)
        and 20 * sum(d.refused for d in days) >= 19 * sum(d.unverified_joined for d in days)
        and (with_row >= unverified - 1 or 20 * with_row >= 19 * unverified)
        and any(d.valid_not_refused for d in days)
    )
