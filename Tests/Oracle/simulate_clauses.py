"""How often are the clauses on platforms, releases and newest requests raised for nothing, and how soon when it counts?

    python3 simulate_clauses.py [--runs 20] [--seed 1]

Prints two Markdown tables. A simulated function has a daily rhythm, weekends at half, and from 3 to 60 clients:
versions of an app on iPhones and Macs, Android, browsers; a few have most of the traffic. Four of five requests are
signed in.
Healthy: one in a thousand, or one in two hundred, is refused at random, whoever sends it; looked at on 60 nights after
four weeks of log. Broken: from a day, or an hour, on everything is refused that a platform sends, or a new release that
a phased roll-out brings to more and more users, or all. The rule is the oracle's own, `judge` and the advice beside it.
"""

import argparse
from collections import Counter

import numpy

from advice import bad_days
from clients import Client
from instants import DAY, HOUR, SECOND, start_of
from look import Subject, night_of
from policy import Settings
from recent import failing_now
from rule import judge
from tally import Day, ProjectCounts, Verification

CLAUSES = ("platform-refused", "release-refused", "too-many-blocked", "bad-day", "failing-now")
AGAINST = {"platform-refused", "release-refused", "too-many-blocked"}
HISTORY, NIGHTS, FIRST = 28, 60, 20_700
RHYTHM = numpy.array([1, 1, 1, 1, 1, 2, 4, 6, 8, 9, 9, 9, 9, 9, 9, 9, 9, 10, 11, 11, 10, 8, 4, 2])
RHYTHM = RHYTHM / RHYTHM.sum()
PHASES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1)  # of the users of an app, by day of a phased release
BROWSERS = ("chrome", "safari", "firefox", "edge", "samsung", "opera", "other")
APP = "com.example.app"
SITE, RELEASE = Client("web", browser="firefox"), Client("ios", APP, "9.0")  # what breaks
PER_DAY, RATES, SHARES = (30, 200, 1000), (0.001, 0.005), (0.004, 0.02, 0.1)


def population(rng, size):
    """(clients, their shares): the more kinds the more versions, and most of the traffic from a few."""
    every = [Client("android"), Client("ios", APP, "8.0"), Client("web", browser="chrome"), Client("androidWebView")]
    every += [Client("web", browser=browser) for browser in BROWSERS if browser not in ("chrome", "firefox")]
    every += [Client("ios", APP, f"7.{minor}") for minor in range(40)]
    every += [Client("macos", APP, f"7.{minor}") for minor in range(40)]
    clients = every[:3] + [every[i] for i in rng.choice(range(3, len(every)), size - 3, replace=False)]
    shares = rng.lognormal(0, 1.5, size) * numpy.where(numpy.arange(size) < 3, 5, 1)
    return clients, shares / shares.sum()


def requests_of(rng, day, per_day, clients, shares, is_refused):
    """A day's verifications, by time; `is_refused(client, instant)` is a probability."""
    number = rng.poisson(per_day * (0.5 if day % 7 >= 5 else 1))
    hours = rng.choice(24, number, p=RHYTHM)
    instants = sorted(
        start_of(day) + int(hour) * HOUR + int(s) for hour, s in zip(hours, rng.integers(0, HOUR, number))
    )
    rows = []
    for instant, which in zip(instants, rng.choice(len(clients), number, p=shares)):
        client = clients[which]
        app = "MISSING" if rng.random() < is_refused(client, instant) else "VALID"
        auth = "VALID" if rng.random() < 0.8 else "MISSING"
        rows.append(Verification(instant, app, auth, "DEBUG", status=200, client=client))
    return rows


class History:
    """A function's log, day by day, and what the rule says of it at an instant."""

    def __init__(self):
        self.days, self.rows = {}, {}

    def add(self, day, rows):
        self.rows[day], cell = rows, Day()
        for row in rows:
            cell.add(row, requires_auth=False)
        self.days[day] = cell

    def raised(self, as_of):
        """The clauses that hold at an instant, as if nothing after it were known."""
        today = as_of // DAY
        days = {day: cell for day, cell in self.days.items() if day <= today and cell.verifications}
        newest = [row for day in (today - 1, today) for row in self.rows.get(day, ())]
        if newest and newest[-1].instant > as_of:
            newest = [row for row in newest if row.instant <= as_of]
            days[today] = Day()
            for row in newest:
                if row.instant >= start_of(today):
                    days[today].add(row, requires_auth=False)
        counts = ProjectCounts(volumes=Counter(range(FIRST, today + 1)))
        firsts = {day: start_of(day) for day in days}
        judgement = judge(Subject(Settings(), counts, 1, days, {}, firsts, requests=newest), as_of, now=True)
        found = {code for code in CLAUSES if code in judgement.codes}
        failing = failing_now(judgement.look, judgement.window)
        return found | ({"bad-day"} if bad_days(judgement) else set()) | ({"failing-now"} if failing else set())


def fresh(rng, per_day, rate, days=HISTORY):
    """A healthy function of `days` days, and whom it serves."""
    clients, shares = population(rng, int(rng.integers(3, 61)))
    history = History()
    for day in range(FIRST, FIRST + days):
        history.add(day, requests_of(rng, day, per_day, clients, shares, lambda client, instant: rate))
    return history, clients, shares


def false_alarms(rng, per_day, rate, nights=NIGHTS):
    """Clause -> nights of a healthy function on which it is raised."""
    history, _, _ = fresh(rng, per_day, rate, HISTORY + nights)
    raised = Counter()
    for night in range(FIRST + HISTORY, FIRST + HISTORY + nights):
        raised.update(history.raised(night_of(night)))
    return raised


def with_client(clients, shares, client, share):
    return [*clients, client], numpy.append(shares * (1 - share), share)


def days_until(rng, per_day, share, release=False):
    """Clause -> days until it is raised, of a platform with a share or of a release that reaches it at last."""
    history, clients, shares = fresh(rng, per_day, 0.001)
    broken, found = RELEASE if release else SITE, {}
    for passed in range(HISTORY):
        part = share * PHASES[min(passed, len(PHASES) - 1)] if release else share
        now = with_client(clients, shares, broken, part)
        day = FIRST + HISTORY + passed
        history.add(
            day, requests_of(rng, day, per_day, *now, lambda client, instant: 1 if client == broken else 0.001)
        )
        for code in history.raised(night_of(day)) - found.keys():
            found[code] = passed + 1
    return found


def hours_until(rng, per_day):
    """Clause -> hours until it is raised when from an hour on nobody has a token."""
    history, clients, shares = fresh(rng, per_day, 0.001)
    begin, found = start_of(FIRST + HISTORY) + int(rng.integers(24)) * HOUR, {}
    for day in (FIRST + HISTORY, FIRST + HISTORY + 1, FIRST + HISTORY + 2):
        history.add(
            day,
            requests_of(rng, day, per_day, clients, shares, lambda client, instant: 1 if instant >= begin else 0.001),
        )
    for half in range(1, 97):
        for code in history.raised(begin + half * HOUR // 2 - SECOND) - found.keys():
            found[code] = half / 2
    return found


def healthy_table(rng, runs):
    yield "| requests a day | refused | " + " | ".join(f"{code}: functions | nights" for code in CLAUSES) + " |"
    yield "|---:" * (2 + 2 * len(CLAUSES)) + "|"
    for per_day in PER_DAY:
        for rate in RATES:
            found = [false_alarms(rng, per_day, rate) for _ in range(runs)]
            cells = []
            for code in CLAUSES:
                cells.append(f"{sum(raised[code] > 0 for raised in found) / runs:.1%}")
                cells.append(f"{sum(raised[code] for raised in found) / runs / NIGHTS:.2%}")
            yield f"| {per_day:,} | {rate:.1%} | " + " | ".join(cells) + " |"


def broken_table(rng, runs):
    yield "| requests a day | what is refused | first of all | " + " | ".join(CLAUSES) + " |"
    yield "|---:|---" + "|---:" * (1 + len(CLAUSES)) + "|"
    for per_day in PER_DAY:
        for name, release in (("a platform of", False), ("a release, at last of", True)):
            for share in SHARES:
                found = [days_until(rng, per_day, share, release) for _ in range(runs)]
                yield line(f"{per_day:,} | {name} {share:.1%}: days", found)
        yield line(f"{per_day:,} | everything: hours", [hours_until(rng, per_day) for _ in range(runs)])


def line(name, found):
    """Median time until each clause is raised, and in how many runs it is."""
    against = [min((time for code, time in one.items() if code in AGAINST), default=None) for one in found]
    columns = [against] + [[one.get(code) for one in found] for code in CLAUSES]
    return f"| {name} | " + " | ".join(summary_of(column) for column in columns) + " |"


def summary_of(times):
    known = [time for time in times if time is not None]
    return f"{numpy.median(known):g} ({len(known) / len(times):.0%})" if known else "never"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--runs", type=int, default=20, help="functions simulated for each row")
    arguments = parser.parse_args()
    rng = numpy.random.default_rng(arguments.seed)
    print("\nRaised for a healthy function: share of functions with such a night of 60, share of nights\n")
    print(*healthy_table(rng, arguments.runs), sep="\n", flush=True)
    print("\nUntil it is raised: median, and share of functions for which it is within 28 days, or 48 hours\n")
    print(*broken_table(rng, arguments.runs), sep="\n", flush=True)


if __name__ == "__main__":
    main()
