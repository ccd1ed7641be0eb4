"""Rows of the request log, and lines of executions, for functions of a random project.

`status`, `agent` and `referer` of a verification are its row's, `revision` and `execution` its own; `unjoined` are rows
without a verification; `lines` what executions said.
"""

from dataclasses import dataclass, field

from agents import said_by
from callers import random_callers
from enforcement import FORGED
from instants import DAY, SECOND
from switches import Switching, random_switching

ANSWERS = (200, 200, 200, 204, 400, 500, 302)
MILLISECOND = SECOND // 1000


def add_request_rows(rng, project):
    if rng.random() < 0.3:
        return
    for function in project["functions"]:
        # Nothing else is known about forged entries.
        rows = function["verifications"]
        share = {1: 0.3, 2: 0.85}.get(function["generation"], 0)
        is_text = bool(rows) and all(len(row) > 4 and row[4].get("text") and "forged" not in row[4] for row in rows)
        if rng.random() < share and (is_text or not any(len(row) > 4 for row in rows)):
            _answer(rng, function, is_text)


@dataclass
class Manner:
    """How a function's requests are answered, and what of it is in the log."""

    switching: Switching = field(default_factory=Switching)
    rows_from: int = 0  # an instant
    rows: float = 1  # shares of what could be there
    rows_of_passes: float = 1
    allowing: float = 1
    causes: float = 1
    finished: float = 1
    own_refusals: float = 0  # the handler itself answers 401
    refuses_signed_out: bool = False  # as most handlers do, with 401
    hang_ups: float = 0  # 499
    leaks: float = 0  # let through while enforcement is on
    streams: bool = False  # answers 200 to everything
    cause: str = "cause"  # why tokens are invalid, mostly
    forged: float = 0  # the function logs what clients send: the words of the line that lets an invalid token go
    names_revisions: bool = True

    def status(self, rng, row, is_on):
        _, app, auth = row[:3]
        if self.streams:
            return 200
        if auth == "INVALID":
            return 401
        if is_on and app != "VALID" and rng.random() >= self.leaks:
            return 499 if rng.random() < self.hang_ups else 401
        if self.refuses_signed_out and auth != "VALID":
            return 401
        return 401 if rng.random() < self.own_refusals else int(rng.choice(ANSWERS))


def random_manner(rng, switching, rows_from):
    def pick(*choices):
        return float(rng.choice(choices))

    return Manner(
        switching,
        rows_from,
        rows=pick(1, 1, 1, 1, 0.97, 0.95, 0.9, 0.5, 0),
        rows_of_passes=pick(1, 1, 1, 1, 1, 0.6, 0.45, 0),
        allowing=pick(0, 0.5, 1, 1),
        causes=pick(0, 0.9, 1, 1),
        finished=pick(1, 1, 0.9),
        own_refusals=pick(0, 0, 0, 0, 0.02, 0.3, 1),
        refuses_signed_out=bool(rng.random() < 0.2),
        hang_ups=pick(0, 0, 0.03, 0.06),
        leaks=pick(0, 0, 0, 0, 0.02),
        streams=bool(rng.random() < 0.06),
        cause=str(rng.choice(["cause", "cause", "cause:expired", "cause:serverFault", "cause:otherProject"])),
        forged=pick(*[0] * 9, 0.1),
        names_revisions=bool(rng.random() < 0.92),
    )


def answer(rng, function, manner, claims_of=lambda row: {}):
    """Gives the verifications of a function their rows and lines; returns the phase that answered each."""
    lines, served_by = [], []
    function["lines"] = lines
    generation = function["generation"]
    for number, row in enumerate(function["verifications"]):
        if row[0] is None:
            continue
        phase, extra = manner.switching.at(rng, row[0]), {}
        served_by.append(phase)
        status = manner.status(rng, row, phase.is_on)
        said = list(said_of(rng, row, generation, manner, phase.is_on, status))
        if said:
            # Generation 1 calls its label of the instance by another name.
            extra = {"execution": f"e{number:011x}", "instance": "0069c7answer" if generation == 2 else None}
            lines += [[row[0] + later, extra["execution"], what] for later, what in said]
        if generation == 2:
            extra["revision"] = phase.revision if manner.names_revisions else None
            kept = manner.rows * (manner.rows_of_passes if row[1] == "VALID" else 1)
            if row[0] >= manner.rows_from and rng.random() < kept:
                extra.update(status=status, **claims_of(row))
        row[4:] = [{**(row[4] if len(row) > 4 else {}), **extra}]
    return served_by


def said_of(rng, row, generation, manner, is_on, status):
    """(when, what) of the lines of a request's execution."""
    if row[1] == "INVALID" and rng.random() < manner.causes:
        yield -MILLISECOND, manner.cause if rng.random() < 0.8 else "cause"
    let_go = row[1] == "INVALID" and row[2] != "INVALID" and not is_on
    if let_go and rng.random() < manner.allowing:
        yield MILLISECOND, "allowing"
    if generation == 2 and row[1] != "VALID" and rng.random() < manner.forged:
        yield MILLISECOND, FORGED
    if generation == 1 and rng.random() < manner.finished:
        yield 20 * MILLISECOND, status


def _answer(rng, function, is_text=False):
    instants = sorted(row[0] for row in function["verifications"] if row[0] is not None)
    days = sorted({instant // DAY for instant in instants})
    if not days:
        return
    rows_from = days[int(float(rng.choice([0, 0, 0, 0.3, 0.8])) * (len(days) - 1))] * DAY
    # Strays lie far from all others.
    middle, end = instants[len(instants) // 2], instants[int(len(instants) * 0.999)]
    switching = random_switching(rng, min(middle, end - DAY), end)
    caller_of = random_callers(rng, days)
    manner = random_manner(rng, switching, rows_from)
    if is_text:  # what Python's executions say besides is not written here
        manner.causes = manner.allowing = manner.forged = 0
    answer(rng, function, manner, lambda row: said_by(caller_of(row)))
    if rng.random() < 0.35:
        count = int(rng.choice([1, 1, 3, 20]))
        # On days without anything of the project, too; many on one day are a function that crashes before it logs.
        one_day = int(rng.integers(days[0], days[-1] + 1)) if rng.random() < 0.3 else None
        function["unjoined"] = [
            [(one_day or int(rng.integers(days[0], days[-1] + 1))) * DAY + int(rng.integers(DAY)), int(rng.choice([200, 200, 401, 500]))]
            for _ in range(count)
        ]
