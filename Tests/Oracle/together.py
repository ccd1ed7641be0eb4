"""Quiet functions judged together: each has too few requests alone, their sum may have enough."""

from collections import defaultdict
from dataclasses import dataclass, field, replace

from evidence import proof_of
from look import Look, Subject
from rule import choose_window, judge_confirmed
from tally import Day

LEFT_OUT = {"exempt", "enforced", "enforced-by-log", "superseded", "passes-not-seen", "unattributed", "no-traffic", "stale"}


@dataclass
class Together(Subject):
    """The sum of its members' days; what each member's log may lack, the sum's lacks too."""

    members: list = field(default_factory=list)

    def first(self, start, today):
        firsts = (
            member.first(start if member.since is None else max(start, member.since), today) for member in self.members
        )
        return min((first for first in firsts if first is not None), default=None)

    def failures(self, look, window):
        codes = set()
        for member in self.members:
            own = Look(member, look.as_of)
            window = choose_window(own)
            # On a night before its `since` a member adds nothing to the sum, no doubt either.
            codes |= member.failures(own, window) if len(window) else frozenset()
        return codes

    def uncounted_at(self, look, window):
        """What rows show of the members counts, within the sum's window."""
        if self.frozen_uncounted is not None:
            return self.frozen_uncounted
        return self.uncounted + sum(proof_of(Look(member, look.as_of), window).unlogged for member in self.members)

    def is_mixed(self, look):
        return any(member.is_mixed(Look(member, look.as_of)) for member in self.members)


def groups(judged, base, input_uncounted, clock=None):
    """The groups of all projects, by project: (project, members' functions, judgement of the sum).

    `judged` are (function, subject, judgement) of every function, selected or not.
    """
    quiet = defaultdict(list)
    for function, subject, judgement in judged:
        if is_quiet(judgement) and not LEFT_OUT & judgement.codes.keys():
            quiet[function.project].append((function, subject, judgement))
    found = []
    for project, members in sorted(quiet.items()):
        if len(members) >= 2:
            subject = together([subject for _, subject, _ in members], base, input_uncounted)
            found.append((project, members, judge_confirmed(subject, members[0][2].look.as_of, clock)))
    return found


def is_quiet(judgement):
    """Too few requests even in the longest window; chosen by volume alone."""
    look = judgement.look
    longest = look.candidates()[-1]
    return sum(cell.admitted for cell in look.cells(longest).values()) < 15 / look.settings.maxBlocked


def together(members, base, input_uncounted):
    """The sum has no rows, no newest requests, and no allowance a week."""
    days, signed_in = {}, {}
    for member in members:
        for source, target in ((member.days, days), (member.signed_in_days, signed_in)):
            for day, cell in source.items():
                if member.since is None or day >= member.since:
                    target[day] = target.get(day, Day()) + cell
    since = [member.since for member in members]
    maximum = min(member.settings.maxBlocked for member in members)
    return Together(
        settings=replace(base, maxBlocked=maximum, maxPerWeek=None, requireCallers=False),
        project=members[0].project,
        generation=None,
        days=days,
        signed_in_days=signed_in,
        firsts={},
        since=None if None in since else min(since),
        shown_by_others=set().union(*(member.shown_by_others for member in members)),
        # The records of the input that could not be judged count once, not once a member.
        uncounted=sum(member.uncounted - input_uncounted for member in members) + input_uncounted,
        newest_day=members[0].newest_day,
        members=members,
    )
