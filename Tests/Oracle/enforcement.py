"""Whether enforcement is on, since when, and whom it locks out: all of it read from the one history."""

from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass

from bounds import dispersion_of, lower_bound
from history import Night, would_be_refused
from instants import DAY, day_of, instant_text, start_of

SHOWN = 7  # days of the table of revisions


@dataclass
class Lockout:
    requests: int  # signed in, since the switch
    refused: int
    lower: float


@dataclass
class Enforcement:
    """What one look says."""

    night: Night = None  # None of a sum of functions
    by: str = None  # the basis of the verdict `enforced`: "policy" or "log"
    switch: int = None  # an instant
    unclear: bool = False  # the policy's date has requests of which nothing tells whether they were before the switch
    lockout: Lockout = None

    @property
    def codes(self):
        if self.by is None:
            return []
        holds = {"lockout": self.lockout, "switch-unclear": self.unclear}
        return ["enforced" if self.by == "policy" else "enforced-by-log", *(code for code in holds if holds[code])]


def enforcement_at(look, recent_days):
    """`recent_days`: the last W days."""
    subject, policy = look.subject, look.settings.enforced
    if subject.history is None:
        return Enforcement()
    # A forecast adds no requests.
    night = subject.history.night(range(look.start, min(look.today, subject.known_until) + 1))
    course = night.course
    switch = switch_of(course, policy, look.as_of)
    return Enforcement(
        night,
        "policy" if policy is not None else "log" if shows_enforcement(night) else None,
        switch,
        is_unclear(look, course, policy, recent_days),
        None if switch is None else lockout_of(look, night, switch, recent_days),
    )


def switch_of(course, policy, as_of):
    """The instant from which requests were refused; without a policy only while enforcement is on."""
    by_log = course.newest_known.begin if course.state == "on" else None
    if policy is None:
        return by_log
    by_policy = policy.instant if policy.exact else switch_on_date(course, policy.instant)
    # What is on already was not switched on in the future.
    return by_log if by_policy > as_of and by_log is not None else by_policy


def switch_on_date(course, date):
    """As signs place it; without any the end of the date."""
    found = switch_by_spell(course, date)
    return date + DAY if found is None else found


def switch_by_spell(course, date):
    """What signs make of a policy's date: the newest spell from then on, else one that goes on into it."""
    known = [spell for spell in course.spells if spell.known]
    if known and known[-1].begin >= date:
        return known[-1].begin
    return date if any(spell.end is None or spell.end >= date for spell in known) else None


def is_unclear(look, course, policy, recent_days):
    """On the policy's date, of the last W days, there are requests of which there is no sign."""
    if policy is None or policy.exact or switch_by_spell(course, policy.instant) is not None:
        return False
    day = day_of(policy.instant)
    if day not in recent_days or day < look.start:
        return False
    requests = sum(would_be_refused(row) and day_of(row.instant) == day for row in course.rows)
    return requests > sum(course.counts(policy.instant, policy.instant + DAY))


def shows_enforcement(night):
    """Whether the log alone says `enforced`; not where another revision serves."""
    course = night.course
    if course.state != "on" or night.staged:
        return False
    spell = course.spells[-1]
    rows = [row for row in course.rows if row.instant >= spell.begin]
    asked = [row for row in rows if would_be_refused(row)]
    with_row = sum(row.has_row for row in asked)
    answers = [row.status for row in asked if row.status is not None]
    return (
        spell.refused >= 5
        and (with_row >= len(asked) - 1 or 20 * with_row >= 19 * len(asked))
        and 20 * answers.count(401) >= 19 * len(answers)
        and any(instant >= spell.begin and answer != 401 for instant, answer in course.valid)
    )


def lockout_of(look, night, switch, recent_days):
    """The lock-out if signed-in requests since the switch are refused above the maximum, beyond chance; else None."""
    begin, end = max(switch, start_of(max(recent_days.start, look.start))), start_of(recent_days.stop)
    requests = look.subject.requests
    admitted, blocked = Counter(), Counter()
    for row in requests[bisect_left(requests, begin, key=lambda r: r.instant) :]:
        if row.auth == "VALID" and row.instant < end and (not night.staged or row.revision == night.revision):
            admitted[day_of(row.instant)] += 1
            blocked[day_of(row.instant)] += row.app != "VALID"
    days = [(number, blocked[day]) for day, number in admitted.items()]
    lower = lower_bound(blocked.total(), admitted.total(), dispersion_of(days), look.settings.confidence)
    return Lockout(admitted.total(), blocked.total(), lower) if lower > look.settings.maxBlocked else None


def enforcement_row(function, judgement):
    """`enforcement` of the JSON."""
    look, found = judgement.look, judgement.enforcement
    night, course, policy = found.night, found.night.course, look.settings.enforced
    since = found.switch if course.state == "on" or (course.state == "unknown" and policy) else None
    if course.state == "off" and course.newest_known:
        since = course.newest_known.end
    window = judgement.window.days
    begin, end = (start_of(window.start), start_of(window.stop)) if since is None else (since, None)
    refused, served = course.counts(begin, end)
    return {
        "state": "staged" if night.staged else course.state,
        "since": None if since is None else instant_text(since),
        "by": "policy" if policy else None if since is None else "log",
        "refused": refused,
        "served": served,
        "revisions": revisions(function, look, night),
    }


def revisions(function, look, night):
    """Those of the last days, by name, where several shared a day."""
    first = start_of(look.today - SHOWN + 1)
    seen = {
        name: [row for row in course.rows if row.instant >= first and row.auth != "INVALID"]
        for name, course in night.revisions.items()
    }
    days = Counter(day for rows in seen.values() for day in {day_of(row.instant) for row in rows})
    if not any(number > 1 for number in days.values()):
        return []
    return [
        {
            "name": f"{function.service}-{name}",
            "state": night.revisions[name].state,
            "requests": len(rows),
            "refused": night.revisions[name].counts(first)[0],
        }
        for name, rows in sorted(seen.items())
        if rows
    ]
