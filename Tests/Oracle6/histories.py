"""Histories of revisions whose truth is known: which of them enforce, who is refused, and what of it the log holds.

A project is as `make_projects` describes it, so that it can be written as an export and judged by the oracle.
"""

from dataclasses import dataclass, field

from agents import ANDROID, BROWSERS, PARENTS, apple, said_by
from instants import DAY, HOUR, SECOND, day_text, instant_from, instant_text
from request_rows import Manner, answer
from switches import Phase, Switching

KINDS = ("off", "off", "redeployed", "on", "on", "on", "rolled back", "again", "canary", "canary ended", "always")
CLIENTS = (ANDROID, apple(), apple(version="3.0.9"), BROWSERS["chrome"], BROWSERS["safari"])
ONE_REFUSED = (*CLIENTS, (BROWSERS["firefox"], PARENTS), (BROWSERS["edge"], "https://small.web.app/"), "electron", "node")
MINUTE = 60 * SECOND
RHYTHM = (1, 1, 1, 1, 1, 2, 4, 6, 8, 9, 9, 9, 9, 9, 9, 9, 9, 10, 11, 11, 10, 8, 4, 2)


@dataclass
class History:
    """One function, and what is true of it at T."""

    project: dict
    state: str  # on, off, partly; none where none of its newest ten requests says which
    switch: int = None  # the first instant of the revision that is on
    kind: str = ""
    manner: Manner = field(default_factory=Manner)

    @property
    def rows(self):
        return self.project["functions"][0]["verifications"]


@dataclass
class Traffic:
    """How many come, who of them is signed in, and how many have no valid token."""

    per_day: float
    lacking: float
    invalid: float = 0.3  # of those without a valid token
    signed_in: float = 0.9
    bad_auth: float = 0.01
    attack: tuple = ()  # (begin, end, how many): signed out and without a token

    def rows(self, rng, begin, end):
        found = []
        for hour in range(begin // HOUR, end // HOUR + 1):
            for _ in range(rng.poisson(self.per_day * RHYTHM[hour % 24] / sum(RHYTHM))):
                found.append(self.row(rng, hour * HOUR + int(rng.integers(HOUR))))
        for first, last, number in self.attack:
            found += [[int(rng.integers(first, last)), "MISSING", "MISSING", "DEBUG"] for _ in range(number)]
        return sorted(row for row in found if begin <= row[0] <= end)

    def row(self, rng, instant):
        app = "VALID"
        if rng.random() < self.lacking:
            app = "INVALID" if rng.random() < self.invalid else "MISSING"
        auth = "VALID" if rng.random() < self.signed_in else "MISSING"
        auth = "INVALID" if rng.random() < self.bad_auth else auth
        return [instant, app, auth, "WARNING" if "INVALID" in (app, auth) else "DEBUG"]


def random_traffic(rng, begin, end):
    def pick(*choices):
        return float(rng.choice(choices))

    attack = ()
    if rng.random() < 0.15:
        first = int(rng.uniform(begin, end - HOUR))
        attack = ((first, first + HOUR, int(rng.choice([30, 300]))),)
    return Traffic(
        per_day=pick(6, 20, 60, 150),
        lacking=pick(0.004, 0.02, 0.1, 0.4),
        invalid=pick(0, 0.3, 1),
        signed_in=pick(0, 0.5, 0.9, 0.9, 1),  # 0: a function by which people sign up
        attack=attack,
    )


def random_manner(rng, switching, signed_in):
    def pick(*choices):
        return float(rng.choice(choices))

    return Manner(
        switching,
        rows=pick(1, 1, 1, 0.95, 0.7, 0.3),
        allowing=pick(1, 1, 1, 0.5, 0),
        causes=pick(1, 1, 0.5),
        finished=pick(1, 1, 0.9),
        own_refusals=pick(0, 0, 0, 0.02, 0.2),
        refuses_signed_out=bool(signed_in > 0 and rng.random() < 0.4),
        hang_ups=pick(0, 0, 0.03),
        streams=bool(rng.random() < 0.06),
        forged=pick(*[0] * 9, 0.1),
        names_revisions=bool(rng.random() < 0.9),
    )


def deployments(rng, kind, begin, end):
    """The revisions of a kind of history between two instants."""
    since = end - int(rng.choice([HOUR, 3 * HOUR, 12 * HOUR, DAY, 3 * DAY, 6 * DAY]))
    later = int(rng.uniform(since, end))
    if kind == "off":
        return ()
    if kind == "always":
        return (Phase(begin - DAY, "00007-aaa", True),)
    if kind == "redeployed":
        return (Phase(since, "00007-aaa", False), Phase(later, "00008-bbb", False))
    phases = [Phase(since, "00007-aaa", True)]
    if kind in ("rolled back", "again"):
        phases.append(Phase(later, "00008-bbb", False))
    if kind == "again":
        phases.append(Phase(int(rng.uniform(later, end)), "00009-ccc", True))
    if kind.startswith("canary"):
        phases = [Phase(since, "00007-aaa", True, share=float(rng.choice([0.1, 0.3, 0.5])))]
    if kind == "canary ended":
        phases.append(Phase(later, "00007-aaa", True))
    return tuple(phases)


def any_client(row):
    # Some address of many: persons are told apart by theirs.
    number = row[0] // 1000 * 2654435761 % 2**32 >> 20
    return {"agent": CLIENTS[row[0] % 5], "address": f"10.0.{number >> 8}.{number & 255}"}


def mostly_one(rng):
    """Most of what is blocked is sent by one client, which sends little else."""
    refused, share = ONE_REFUSED[rng.integers(len(ONE_REFUSED))], float(rng.choice([1, 0.9, 0.5]))

    def claims_of(row):
        is_one = rng.random() < (0.001 if row[1] == "VALID" else share)
        found = any_client(row)
        return {"address": found["address"], **said_by(refused)} if is_one else found

    return claims_of


def history(rng, kind, traffic=None, manner=None, days=None, generation=2, phases=None, claims_of=any_client):
    end = (20_700 + int(rng.integers(28))) * DAY + int(rng.integers(10 * HOUR, DAY))
    begin = end - (days or int(rng.choice([8, 15, 30]))) * DAY
    switching = Switching(deployments(rng, kind, begin, end) if phases is None else phases(end))
    traffic = traffic or random_traffic(rng, begin, end)
    manner = manner or random_manner(rng, switching, traffic.signed_in)
    manner.switching = switching
    rows = traffic.rows(rng, begin, end)
    # One at the end, so that there is no doubt about T.
    rows = [row for row in rows if row[0] < end] + [[end, "VALID", "VALID", "DEBUG"]]
    project = {
        "functions": [
            {
                "project": "demo-prod",
                "region": "us-central1",
                "name": "checkout",
                "service": "checkout" if generation == 2 else None,
                "generation": generation,
                "verifications": rows,
            }
        ],
        "stderr": {"demo-prod": [day * DAY + HOUR for day in range(begin // DAY, end // DAY + 1)]},
        "asOf": None,
        "flags": {},
        "policy": {"policy": {}, "functions": []},
        "options": [],
    }
    served_by = answer(rng, project["functions"][0], manner, claims_of)
    states = {phase.is_on for phase in served_by[-10:]}
    state = "partly" if len(states) == 2 else "on" if True in states else "off"
    # A canary that becomes everybody's has enforced since it began.
    newest = max((phase for phase in switching.phases if phase.is_on), key=lambda phase: phase.begin, default=None)
    switch = newest and min(phase.begin for phase in switching.phases if phase.revision == newest.revision)
    return History(project, state, switch, kind, manner)


def random_history(rng):
    """Any history, with what a policy may say of it."""
    claims_of = mostly_one(rng) if rng.random() < 0.5 else any_client
    made = history(rng, str(rng.choice(KINDS)), generation=int(rng.choice([1, 2, 2, 2])), claims_of=claims_of)
    project = made.project
    project["flags"] = {"confirm": int(rng.choice([1, 7]))}
    if rng.random() < 0.4:
        near = made.switch or made.rows[-1][0] - int(rng.choice([HOUR, DAY, 4 * DAY]))
        project["policy"]["functions"].append({"match": "*", "enforced": _written(rng, near)})
        if rng.random() < 0.1:
            project["policy"]["functions"][-1]["until"] = day_text(made.rows[-1][0] // DAY + int(rng.choice([-1, 0])))
    # Without it a store is held against the clock.
    project["asOf"] = instant_text(made.rows[-1][0] - int(rng.choice([0, 0, 0, HOUR, DAY])))
    project["options"] = ["--as-of", project["asOf"]]
    if rng.random() < 0.2:
        project["policy"]["policy"]["acceptPlatforms"] = ["web/chrome", "com.example.app", "*.web.app"]
    if rng.random() < 0.2:
        project["policy"]["policy"]["ignoreClients"] = ["tool", "server", "iosSimulator"]
    # Nothing of this hides who is refused.
    since = instant_from(project["asOf"]) - int(rng.choice([6 * HOUR, DAY, 3 * DAY]))
    if rng.random() < 0.2:
        project["since"] = instant_text(since)
        project["options"] += ["--since", project["since"]]
    elif rng.random() < 0.2:
        project["policy"]["functions"].append({"match": "*", "since": day_text(since // DAY)})
    return project


def _written(rng, switch):
    """A date, one day late or early, an instant, or one of about that time, or one to come."""
    kind = rng.integers(7)
    if kind < 3:
        return day_text(switch // DAY + int(rng.choice([0, 0, 0, 1, 1, -1])))
    if kind == 6:
        return day_text(switch // DAY + 40)
    minute = (switch + int(rng.choice([0, -HOUR, 3 * HOUR]))) // MINUTE * MINUTE
    return instant_text(minute).replace(":00Z", "Z") if kind < 5 else instant_text(switch)
