"""When enforcement was on in a made-up function: switched in mid-day, rolled back, by new revisions or the same one."""

from dataclasses import dataclass

from instants import DAY, HOUR

ALWAYS = 10**30
OFF, ON, OFF_AGAIN, ON_AGAIN = "00006-taj", "00007-kex", "00008-vif", "00009-mup"
BEFORE_THE_END = (HOUR // 2, HOUR, 2 * HOUR, 6 * HOUR, DAY, 2 * DAY)


@dataclass(frozen=True)
class Phase:
    begin: int
    revision: str
    is_on: bool
    end: int = ALWAYS
    share: float = 1.0  # of the requests; the others are served as before


@dataclass(frozen=True)
class Switching:
    phases: tuple = ()

    def at(self, rng, instant):
        """The phase that serves a request."""
        for phase in reversed(self.phases):
            if phase.begin <= instant < phase.end and (phase.share == 1 or rng.random() < phase.share):
                return phase
        return Phase(-ALWAYS, OFF, False)

    @property
    def switch(self):
        """When it was last switched on, for all; None where it never was."""
        return max((phase.begin for phase in self.phases if phase.is_on and phase.share == 1), default=None)


def random_switching(rng, first, end):
    """A history between two instants; nothing in more than half of them."""
    kind = str(rng.choice(["never", "always", "on", "back", "again", "canary"], p=[0.55, 0.07, 0.14, 0.1, 0.06, 0.08]))
    return switching(rng, kind, first, end)


def switching(rng, kind, first, end):
    """`canary`: two revisions serve at once, for some hours or until the end."""
    new_revisions = rng.random() < 0.6

    def phase(begin, revision, is_on, **more):
        return Phase(begin, revision if new_revisions else OFF, is_on, **more)

    if kind == "never":
        return Switching()
    if kind == "always":
        return Switching((phase(first - DAY, ON, True),))
    since = _some_time(rng, first, end)
    if kind == "canary":
        length = int(rng.choice([HOUR, 6 * HOUR, DAY, ALWAYS]))
        canary = Phase(since, ON, True, since + length, float(rng.choice([0.1, 0.3, 0.5, 0.8])))
        return Switching((canary, Phase(canary.end, ON, bool(rng.random() < 0.7)))[: 1 + (length < ALWAYS)])
    phases = [phase(since, ON, True)]
    if kind in ("back", "again"):
        back = int(rng.uniform(since, min(end, since + float(rng.choice([6 * HOUR, DAY, 4 * DAY])))))
        phases.append(phase(back, OFF_AGAIN, False))
        if kind == "again":
            phases.append(phase(int(rng.uniform(back, end)), ON_AGAIN, True))
    return Switching(tuple(phases))


def _some_time(rng, first, end):
    if rng.random() < 0.5:
        return end - int(rng.choice(BEFORE_THE_END))
    return int(rng.uniform(first, end))
