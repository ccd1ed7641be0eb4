"""Which revisions enforce, and so whether a function is enforced, since when, and who says so.

A revision enforces from its first request to its last, or never: which one does is decided once, from all that is not
later than T; every night then sees the requests up to its own instant.
"""

from bisect import bisect_right
from collections import defaultdict
from dataclasses import dataclass, field

from instants import DAY, day_of, instant_text, start_of

ALLOWING, CAUSE = "allowing", "cause"  # what a line says (`cause:expired`); of generation 1 it may be a status
FORGED = "forged"  # the words of ALLOWING, in a stream in which the SDK writes none
NEWEST, RETURNED = 10, 20


@dataclass
class Revision:
    """Requests of one name, and what they say; of no name those that the newest run of refused ones began."""

    name: str  # None where entries name none
    rows: list  # by time
    refused: list = field(default_factory=list)  # instants of signs
    served: list = field(default_factory=list)
    may_stream: bool = False
    state: str = "unknown"
    begin: int = None  # of no name: the first sign of the run that is on

    def is_on(self, row):
        return self.state == "on" and (self.begin is None or row.instant >= self.begin)

    def counts(self, begin, end=None):
        """(refused, served) signs from an instant on, before another."""
        return tuple(sum(begin <= i and (end is None or i < end) for i in signs) for signs in (self.refused, self.served))


class Enforcement:
    """What the log says of a function's enforcement, as of T."""

    def __init__(self, function, start, as_of, allowing_read):
        """`start`: S, a day, whatever `--since` says; `allowing_read`: from then on a line of the project lets an invalid
        token go."""
        self.start = start
        rows = (*function.before, *function.verifications)
        rows = (row for row in rows if row.instant is not None and start_of(start) <= row.instant <= as_of)
        self.rows = sorted(rows, key=lambda row: row.instant)
        self.instants = [row.instant for row in self.rows]
        self.generation, self.allowing_read = function.generation, allowing_read
        self.lines = lines_by_execution(function)
        self.is_sdk_3 = {r.severity for r in self.rows if r.labelled and r.passed} == {"INFO"}
        by_name = defaultdict(list)
        for row in self.rows:
            by_name[row.revision].append(row)
        self.with_sign = set()  # identities of requests
        self.revisions = {name: self._revision(name, rows) for name, rows in by_name.items()}
        self.spans = list(self._spans())

    # Signs

    def said(self, row):
        """What the execution of a request said, on its own or a neighbouring day."""
        return [line for line in self.lines.get(row.execution, ()) if abs(day_of(line[0]) - day_of(row.instant)) <= 1]

    def is_allowed(self, row):
        return any(what == ALLOWING for _, what in self.said(row))

    def answer(self, row):
        """The status of its row, in generation 1 that with which its execution finished; None where nothing says."""
        if self.generation == 1:
            return next((what for _, what in self.said(row) if isinstance(what, int)), None)
        return row.status

    def is_token_refused(self, row):
        """Its token is invalid, the reason is there, and the line that would have let it go is not."""
        if row.app != "INVALID" or self.is_sdk_3 or not self.allowing_read or self.is_allowed(row):
            return False
        return any(is_cause(what) for _, what in self.said(row))

    def sign(self, row, may_stream, anonymous):
        """True if the request was refused, False if it was served, None where nothing tells."""
        if row.app == "VALID" or row.auth == "INVALID" or (row.app == "INVALID" and self.is_sdk_3):
            return None
        answer = self.answer(row) if row.auth == "VALID" or anonymous else None
        if self.is_allowed(row) or is_served(answer, may_stream):
            return False
        return True if answer == 401 or self.is_token_refused(row) else None

    def _revision(self, name, rows):
        found = Revision(name, rows)
        answers = [self.answer(row) for row in rows]
        found.may_stream = self.generation == 2 and not any(self.is_allowed(row) for row in rows) and any(
            is_success(answer) and (row.auth == "INVALID" or self.is_token_refused(row))
            for row, answer in zip(rows, answers)
        )
        anonymous = not found.may_stream and 3 <= sum(
            row.app == "VALID" and row.auth in ("MISSING", "OTHER") and is_success(answer)
            for row, answer in zip(rows, answers)
        )
        for row in rows:
            refused = self.sign(row, found.may_stream, anonymous)
            if refused is not None:
                (found.refused if refused else found.served).append(row.instant)
                self.with_sign.add(id(row))
        if name is None:
            self._newest_run(found)
            return found
        valid = [answer for row, answer in zip(rows, answers) if row.app == row.auth == "VALID"]
        refused, signs = len(found.refused), len(found.refused) + len(found.served)
        if refused >= 3 and 2 * refused > signs and 2 * valid.count(401) <= len(valid):
            found.state = "on"
        elif found.served and 2 * refused <= signs:
            found.state = "off"
        return found

    def _newest_run(self, unnamed):
        """Where nothing names revisions: the newest run of refused requests, else the newest sign."""
        served = unnamed.served[-1] if unnamed.served else None
        run = [instant for instant in unnamed.refused if served is None or instant > served]
        if len(run) >= 3:
            unnamed.state, unnamed.begin = "on", run[0]
        elif not run and served is not None:
            unnamed.state = "off"

    # The function

    def _spans(self):
        """(first request, revision) in that order; one that answers again after 20 requests of others begins anew."""
        last_seen = {}
        for place, row in enumerate(self.rows):
            revision = self.revisions[row.revision]
            key = (row.revision, revision.is_on(row))
            if key not in last_seen or place - last_seen[key] - 1 >= RETURNED:
                yield row.instant, key
            last_seen[key] = place

    def _state_of(self, key, as_of):
        name, is_on = key
        revision = self.revisions[name]
        if is_on:
            return "on"
        if revision.begin is None:
            return revision.state
        # Before the run that is on now the newest sign tells.
        signs = [(i, True) for i in revision.refused if i <= as_of] + [(i, False) for i in revision.served if i <= as_of]
        return "unknown" if not signs or max(signs)[1] else "off"

    def newest(self, as_of):
        """Those that the newest requests up to an instant name."""
        end = bisect_right(self.instants, as_of)
        keys = [(row.revision, self.revisions[row.revision].is_on(row)) for row in self.rows[max(0, end - NEWEST) : end]]
        # Without names there is one state, that of the newest.
        return {key for key in keys if key[0] is not None or key[1] or (None, True) not in keys}

    def state(self, as_of):
        keys = self.newest(as_of)
        states = {self._state_of(key, as_of) for key in keys}
        if "on" in states:
            return "partly" if "off" in states else "on"
        began = [key for begin, key in self.spans if key in keys and begin <= as_of]
        return "unknown" if not began or self._state_of(began[-1], as_of) == "unknown" else "off"

    def is_known_off(self, time, as_of):
        """One of the newest revisions is off, whenever its requests came; of no name, by what was served since a time."""
        names = {name for name, _ in self.newest(as_of)}
        if any(name is not None and self.revisions[name].state == "off" for name in names):
            return True
        return None in names and self.state(as_of) == "off" and any(time <= i <= as_of for i in self.revisions[None].served)

    def switch(self, as_of):
        """The first request of the run of revisions that are on; None unless one of the newest is."""
        if self.state(as_of) not in ("on", "partly"):
            return None
        found = None
        for begin, key in reversed([span for span in self.spans if span[0] <= as_of]):
            state = self._state_of(key, as_of)
            if state == "on":
                found = begin
            elif state == "off" and found is not None:
                break
        return found

    def is_on(self, row):
        return self.revisions[row.revision].is_on(row)

    def is_shown_served(self, row):
        """Whether what is in the log shows that a request went through."""
        return self.is_allowed(row) or is_served(self.answer(row), self.revisions[row.revision].may_stream)

    def counts(self, begin, end=None, of_on=False):
        """`of_on`: of the revisions that are on alone."""
        found = [r.counts(begin, end) for r in self.revisions.values() if r.state == "on" or not of_on]
        return tuple(sum(numbers) for numbers in zip(*found)) if found else (0, 0)


def lines_by_execution(function):
    lines = defaultdict(list)
    for instant, execution, what in function.lines:
        lines[execution].append((instant, what))
    return lines


def is_cause(what):
    return isinstance(what, str) and what.startswith(CAUSE)


def is_success(answer):
    return answer is not None and 200 <= answer < 300


def is_served(answer, may_stream):
    return answer is not None and (300 if may_stream else 200) <= answer < 400


@dataclass
class Word:
    """What log and policy say together, at one look."""

    state: str
    since: int = None
    by: str = None  # who says since when: "log" or "policy"
    planned: int = None  # an instant that is still to come
    codes: tuple = ()

    @property
    def is_enforced(self):
        return "enforced" in self.codes or "enforced-by-log" in self.codes

    @property
    def is_partly(self):
        """Some of the requests are refused already: they leave n and b."""
        return self.state == "partly"


def word_at(enforcement, policy, as_of, asked):
    """`policy`: what an entry says, or None; `asked(row)`: would enforcement refuse it, as the policy says?"""
    state, since = enforcement.state(as_of), enforcement.switch(as_of)
    by = None if since is None else "log"
    time = None if policy is None else time_of(policy, enforcement, as_of)
    if policy is None or as_of < time:
        codes = ("enforced-by-log",) if state == "on" else ()
        return Word(state, since, by, time, codes)
    if since is not None:
        return Word(state, since, by, None, ("enforced",))
    if enforcement.is_known_off(time, as_of):
        return Word(state, None, None, None, ("policy-contradicted",))
    unclear = not policy.exact and is_unclear(enforcement, policy.instant, as_of, asked)
    return Word(state, time, "policy", None, ("enforced", "switch-unclear") if unclear else ("enforced",))


def time_of(policy, enforcement, as_of):
    """Of a date the first request of its day's first revision that is on, else the date's end."""
    if policy.exact:
        return policy.instant
    end = policy.instant + DAY
    return next((b for b, key in enforcement.spans if key[1] and policy.instant <= b < min(end, as_of + 1)), end)


def is_unclear(enforcement, date, as_of, asked):
    """Whether one that would be blocked on the date's own day shows neither that it was refused nor that it was served."""
    rows = (row for row in enforcement.rows if date <= row.instant < min(date + DAY, as_of + 1) and asked(row))
    return any(id(row) not in enforcement.with_sign for row in rows)


def enforcement_row(function, look, word, window):
    """`enforcement` of the JSON."""
    enforcement = look.subject.enforcement
    keys = enforcement.newest(look.as_of)
    since, policy = word.since, look.settings.enforced
    begin, end = (start_of(window.start), start_of(window.stop)) if since is None else (since, None)
    refused, served = enforcement.counts(begin, end, word.by == "log")
    planned = None if word.planned is None else instant_text(policy.instant)
    return {
        "state": word.state,
        "since": None if since is None else instant_text(since),
        "by": word.by,
        "planned": planned if planned is None or policy.exact else planned[:10],
        "mayStream": any(enforcement.revisions[name].may_stream for name, _ in keys),
        "refused": refused,
        "served": served,
        "revisions": [
            {
                "name": f"{function.service}-{name}",
                "state": revision.state,
                "requests": sum(row.auth != "INVALID" for row in revision.rows),
                "refused": len(revision.refused),
                "served": len(revision.served),
                "first": instant_text(revision.rows[0].instant),
                "last": instant_text(revision.rows[-1].instant),
            }
            for name, revision in sorted((pair for pair in enforcement.revisions.items() if pair[0]), key=lambda p: p[0])
        ],
    }
