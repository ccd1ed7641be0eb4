"""How often is a function called ready, and what does it refuse in the four weeks after? A seeded simulation.

    python3 simulate_error_rates.py [--seed 1] [--functions 2000] [--addresses]

Prints Markdown: for each number of requests a day, functions of seven long-run shares over sixty nights; the share in
the 28 days up to the first *ready* night and in the 28 days after it; then, of all functions that were called ready, how
many refused more than 1% and 2% in those four weeks. `--addresses` prints, instead, what rules that ask addresses make
of the same functions: see RULES.

*Independent*: each request is refused by the toss of one coin, as the bounds assume.
*Clients*: a function has clients, and they make the share.
- A client stays for 10 to 30 days. It is active on some days (fewer at weekends), and then sends several requests. How
  often and how many differ from client to client with a heavy tail (log-normal, sigma 1).
- Two thirds of the refused requests come from clients that are always refused, half of which are the only clients of a
  small platform; a third come from clients of which three of ten visits are refused.
- Half of the requests that would be refused are sent again.
- How many such clients there are is such that the share of all requests, over years, is exactly the row's.

*By hand* is called ready what has at most 1% over seven days on one of the nights.

The part of the rule that such data can reach is run at the end of each day: growing window, dispersion, both bounds, the
last 7 days alone, three active days, nights, `max-per-week`; and the clause of platforms, where the table says *rows*.
The log is whole and goes back 28 days before the first look. Left out: all that looks at missing logs, *failing now*,
the kind of token, and age. `test_simulation.py` holds it against the oracle.
"""

import argparse
from dataclasses import dataclass

import numpy
from scipy.special import betainc, chdtri, ndtri

MAXIMUM, CONFIDENCE, WIDTHS, CONFIRM = 0.01, 0.95, (7, 14, 21, 28), 7
HISTORY, NIGHTS, AFTER = 27, 60, 28
DAYS = HISTORY + NIGHTS + AFTER
WEEK = numpy.where(numpy.arange(DAYS) % 7 >= 5, 0.5, 1.0) * 7 / 6  # activity by day, weekends halved
LIVES, ACTIVITY, MOST_ACTIVE, PER_VISIT, SPREAD = (10, 30), 0.25, 0.85, 3.0, 1.0
FLAKY, REPEATED = 0.3, 0.5
RATES = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1)
TRAFFIC = (5, 20, 50, 200, 2000)
RESAMPLED = 200


def lognormal(rng, mean, size):
    return mean * rng.lognormal(-(SPREAD**2) / 2, SPREAD, size)


def mean_activity():
    quantiles = ndtri((numpy.arange(100_000) + 0.5) / 100_000)
    return numpy.minimum(MOST_ACTIVE, ACTIVITY * numpy.exp(SPREAD * quantiles - SPREAD**2 / 2)).mean()


PER_CLIENT = mean_activity() * (1 + PER_VISIT)  # requests a day while it is there


@dataclass
class Clients:
    """Requests and those that would be refused, by [client, day]; clients in the order of their functions."""

    function: numpy.ndarray
    requests: numpy.ndarray
    refused: numpy.ndarray

    def by_day(self, functions):
        sums = numpy.zeros((2, functions, DAYS), numpy.int64)
        for values, into in zip((self.requests, self.refused), sums):
            numpy.add.at(into, self.function, values)
        return sums


def clients(rng, functions, per_day, refuses=0.0):
    """Clients that together send `per_day` requests, not counting those that are sent again; `refuses` by visit."""
    count = rng.poisson(per_day / PER_CLIENT / numpy.mean(LIVES) * (DAYS + LIVES[1] - 1), functions)
    function = numpy.repeat(numpy.arange(functions), count)
    born = rng.integers(1 - LIVES[1], DAYS, len(function))[:, None]
    leaves = born + rng.integers(LIVES[0], LIVES[1] + 1, len(function))[:, None]
    activity = numpy.minimum(MOST_ACTIVE, lognormal(rng, ACTIVITY, (len(function), 1)))
    extra = lognormal(rng, PER_VISIT, (len(function), 1))
    days = numpy.arange(DAYS)
    active = (born <= days) & (days < leaves) & (rng.random((len(function), DAYS), numpy.float32) < activity * WEEK)
    requests = numpy.zeros(active.shape, numpy.int32)
    requests[active] = 1 + rng.poisson(numpy.broadcast_to(extra, active.shape)[active])
    if not refuses:
        return Clients(function, requests, numpy.zeros((len(function), 1), numpy.int32))
    refused = numpy.where(rng.random(requests.shape, numpy.float32) < refuses, requests, 0)
    again = rng.binomial(refused, REPEATED)
    return Clients(function, requests + again, refused + again)


def refused_clients(rng, functions, per_day, rate):
    """(of a small platform, others): with them, and `per_day` requests of clean clients, the share is `rate`."""
    # b = rate * (clean + what flaky clients send unrefused + b), all a day.
    flaky_sent = (1 - FLAKY) / (FLAKY * (1 + REPEATED))
    b = rate * per_day / (1 - rate * (1 + flaky_sent / 3))
    lasting = b * 2 / 3 / (1 + REPEATED)
    platform, others = (clients(rng, functions, lasting / 2, 1.0) for _ in range(2))
    flaky = clients(rng, functions, b / 3 / (FLAKY * (1 + REPEATED)), FLAKY)
    order = numpy.argsort(numpy.concatenate([others.function, flaky.function]), kind="stable")
    joined = [numpy.concatenate(pair)[order] for pair in zip(vars(others).values(), vars(flaky).values())]
    return platform, Clients(*joined)


def independent(rng, functions, per_day, rate):
    requests = rng.poisson(per_day * WEEK, (functions, DAYS))
    return requests, rng.binomial(requests, rate)


def rolling(values, width):
    """Sums of the `width` days that end on each night, by [..., night]."""
    sums = numpy.cumsum(values, axis=-1)
    ends = sums[..., HISTORY : HISTORY + NIGHTS]
    return ends - sums[..., HISTORY - width : HISTORY - width + NIGHTS] if width <= HISTORY else ends - numpy.concatenate(
        [numpy.zeros_like(sums[..., :1]), sums[..., : NIGHTS - 1]], axis=-1)


@dataclass
class Windows:
    """Each night's own window, by [function, night]."""

    width: numpy.ndarray
    n: numpy.ndarray
    b: numpy.ndarray
    phi: numpy.ndarray
    allowed: numpy.ndarray  # three active days, and no trouble in the last seven days
    few: numpy.ndarray


def dispersion(requests, refused, width):
    n, b, active = rolling(requests, width), rolling(refused, width), rolling(requests > 0, width)
    with numpy.errstate(divide="ignore", invalid="ignore"):
        squares = rolling(numpy.where(requests > 0, refused**2 / numpy.maximum(requests, 1), 0.0), width)
        p = b / n
        phi = numpy.fmax(1, numpy.fmin(b, (squares - b * p) / (p * (1 - p)) / (active - 1)))
    return n, b, active, numpy.where((b == 0) | (b == n) | (active < 2), 1, phi)


def certain_above(n, b, phi):
    with numpy.errstate(divide="ignore", invalid="ignore"):
        return (b > 0) & (betainc(b / phi, (n - b) / phi + 1, MAXIMUM) < 1 - CONFIDENCE)


def certain_below(n, b, phi, maximum=MAXIMUM):
    with numpy.errstate(divide="ignore", invalid="ignore"):
        return (n > b) & (betainc(b / phi + 1, (n - b) / phi, maximum) >= CONFIDENCE)


def windows(requests, refused, per_week=None, widths=WIDTHS):
    chosen = None
    for width in widths:
        n, b, active, phi = dispersion(requests, refused, width)
        if chosen is None:
            week = n, b
            recent = certain_above(n, b, phi)
            chosen = Windows(numpy.zeros_like(n), *(numpy.zeros_like(phi) for _ in range(3)), numpy.zeros(n.shape, bool), None)
        now = (chosen.width == 0) & (((n >= 15 / MAXIMUM) & (active >= 3)) | (width == widths[-1]))
        for name, values in (("width", width), ("n", n), ("b", b), ("phi", phi), ("allowed", active >= 3)):
            getattr(chosen, name)[now] = numpy.broadcast_to(values, n.shape)[now]
    bound = 7 * chosen.phi * chdtri(2 * (chosen.b / chosen.phi + 1), 1 - CONFIDENCE) / 2 / chosen.width
    quiet = (week[1] == 0) | ((2 * week[1] < week[0]) & (week[1] <= (per_week or 0)))
    chosen.few = (bound <= per_week) & (2 * chosen.b < chosen.n) & quiet if per_week else numpy.zeros(bound.shape, bool)
    chosen.allowed &= chosen.few | ~(recent | certain_above(chosen.n, chosen.b, chosen.phi))
    return chosen


def nightly_verdicts(requests, refused, per_week=None):
    """Whether the rule says `enforce`, by [function, night]."""
    found = windows(requests, refused, per_week)
    return found.allowed & (found.few | certain_below(found.n, found.b, found.phi))


def platform_refused(platform, functions):
    """The clause for a platform all of whose requests would be refused, by [function, night]."""
    four_weeks = rolling(platform.refused, WIDTHS[-1])
    found = []
    for values in (four_weeks, four_weeks > 0, rolling(platform.refused, WIDTHS[0])):
        sums = numpy.zeros((functions, NIGHTS), numpy.int64)
        numpy.add.at(sums, platform.function, values)
        found.append(sums)
    return (found[0] >= 10) & (found[1] >= 3) & (found[2] > 0)


def confirmed(verdicts, times=CONFIRM):
    """Nights on which the answer was `enforce` for the seventh time in a row, or longer."""
    runs = numpy.lib.stride_tricks.sliding_window_view(verdicts, times, axis=1).all(axis=-1)
    return numpy.concatenate([numpy.zeros((len(verdicts), times - 1), bool), runs], axis=1)


def by_hand(requests, refused):
    """What people do without a rule: on the first night, at most the maximum over the last seven days."""
    return rolling(refused, WIDTHS[0]) <= MAXIMUM * rolling(requests, WIDTHS[0])


@dataclass
class Outcome:
    """Of each function: was it called ready, when first, and the shares before and after that night."""

    ready: numpy.ndarray
    night: numpy.ndarray
    then: numpy.ndarray
    next: numpy.ndarray

    @classmethod
    def of(cls, verdicts, requests, refused, times=CONFIRM):
        nights = confirmed(verdicts, times)
        ready, first = nights.any(axis=1), nights.argmax(axis=1)
        shares = []
        for begin in (first + HISTORY - WIDTHS[-1] + 1, first + HISTORY + 1):
            days = begin[:, None] + numpy.arange(AFTER)
            n, b = (numpy.take_along_axis(values, days, axis=1).sum(axis=1) for values in (requests, refused))
            shares.append(b / numpy.maximum(n, 1))
        return cls(ready, first, *shares)

    def cells(self):
        if not self.ready.any():
            return ["0.0%", "", "", "", ""]
        then, after = self.then[self.ready], self.next[self.ready]
        shown = [f"{self.ready.mean():.1%}", f"{then.mean():.2%}", f"{after.mean():.2%}"]
        return shown + [f"{(after > limit).mean():.0%}" for limit in (0.01, 0.02)]


def pooled(outcomes):
    """Of all that were called ready, however many of each share: how many, and how many refused too many then."""
    after = numpy.concatenate([outcome.next[outcome.ready] for outcome in outcomes])
    share = len(after) / sum(len(outcome.ready) for outcome in outcomes)
    return [f"{share:.1%}"] + [f"{(after > limit).mean():.1%}" if len(after) else "" for limit in (0.01, 0.02)]


def chunks(functions, per_day):
    """Numbers of functions that fit into memory together."""
    size = max(1, min(functions, round(40_000 / per_day)))
    return [min(size, functions - start) for start in range(0, functions, size)]


def simulated(seed, functions, per_day):
    """(rate, requests, refused, platform, others, clean) of parts of the functions; clean clients are shared."""
    for part, size in enumerate(chunks(functions, per_day)):
        clean = clients(numpy.random.default_rng([seed, per_day, part]), size, per_day)
        of_clean = clean.by_day(size)
        for rate in RATES:
            rng = numpy.random.default_rng([seed, per_day, part, round(rate * 1e6)])
            platform, others = refused_clients(rng, size, per_day, rate)
            requests, refused = of_clean + platform.by_day(size) + others.by_day(size)
            yield rate, requests, refused, platform, others, clean


def joined(outcomes):
    return Outcome(*(numpy.concatenate(values) for values in zip(*(vars(outcome).values() for outcome in outcomes))))


def rate_table(seed, functions, per_day, per_week=None):
    """Prints a table of long-run shares, and returns the rows of the pooled one."""
    found = {"independent": {}, "clients": {}, "clients, rows": {}, "clients, by hand": {}}
    for rate in RATES:
        data = independent(numpy.random.default_rng([seed, per_day, round(rate * 1e6)]), functions, per_day, rate)
        found["independent"][rate] = [Outcome.of(nightly_verdicts(*data, per_week), *data)]
    for rate, requests, refused, platform, *_ in simulated(seed, functions, per_day):
        verdicts = nightly_verdicts(requests, refused, per_week)
        known = verdicts & ~platform_refused(platform, len(requests))
        for name, answers in (("clients", verdicts), ("clients, rows", known)):
            found[name].setdefault(rate, []).append(Outcome.of(answers, requests, refused))
        hand = Outcome.of(by_hand(requests, refused), requests, refused, 1)
        found["clients, by hand"].setdefault(rate, []).append(hand)
    print("| requests | long-run share | called ready | share then | share in the next 28 days | above 1% | above 2% |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    rows = []
    for name, rates in found.items():
        outcomes = {rate: joined(parts) for rate, parts in rates.items()}
        for rate, outcome in outcomes.items():
            print(f"| {name} | {rate:.1%} | " + " | ".join(outcome.cells()) + " |")
        rows.append([name, *pooled(outcomes.values())])
    print(flush=True)
    return rows


def client_sums(found, values, function):
    """Sums over each night's own window, by [client, night]."""
    if values.shape[1] == 1:
        return numpy.zeros((len(function), NIGHTS), numpy.int32)
    sums, width = numpy.zeros((len(function), NIGHTS), numpy.int32), found.width[function]
    for each in WIDTHS:
        numpy.copyto(sums, rolling(values, each), where=width == each, casting="unsafe")
    return sums


@dataclass
class Addresses:
    """What addresses add, by [function, night]; a client has one address."""

    count: numpy.ndarray
    visits: numpy.ndarray  # days on which an address sends something, each counted
    nn: numpy.ndarray  # sums of products of an address's requests and refused ones
    nb: numpy.ndarray
    bb: numpy.ndarray
    refused: numpy.ndarray  # sums of an address's share
    resampled: numpy.ndarray  # the upper bound of a bootstrap over addresses

    @classmethod
    def of(cls, found, groups, rng):
        functions = len(found.n)
        sums = [numpy.zeros((functions, NIGHTS)) for _ in range(6)]
        drawn_n, drawn_b = ([numpy.zeros((RESAMPLED, NIGHTS)) for _ in range(functions)] for _ in range(2))
        for group in groups:
            n, b, visits = (
                client_sums(found, values, group.function).astype(float)
                for values in (group.requests, group.refused, (group.requests > 0).view(numpy.int8)))
            for into, values in zip(sums, (n > 0, visits, n * n, n * b, b * b, b / numpy.maximum(n, 1))):
                numpy.add.at(into, group.function, values)
            edges = numpy.searchsorted(group.function, numpy.arange(functions + 1))
            for function, (begin, end) in enumerate(zip(edges, edges[1:])):
                if b[begin:end].any():
                    weights = rng.poisson(1, (RESAMPLED, end - begin))
                    drawn_n[function] += weights @ n[begin:end]
                    drawn_b[function] += weights @ b[begin:end]
                else:  # many clean addresses: their sum, drawn as one
                    part = n[begin:end]
                    drawn_n[function] += part.sum(axis=0) + rng.normal(size=(RESAMPLED, 1)) * numpy.sqrt((part**2).sum(axis=0))
        shares = [b / numpy.maximum(n, 1) for n, b in zip(drawn_n, drawn_b)]
        return cls(*sums, numpy.array([numpy.quantile(share, CONFIDENCE, axis=0) for share in shares]))


def cluster(found, a):
    """Dispersion over addresses; without a refused request, requests by address and day."""
    with numpy.errstate(divide="ignore", invalid="ignore"):
        p = found.b / found.n
        ratio = (a.bb - 2 * p * a.nb + p * p * a.nn) / (found.n * p * (1 - p))
    return numpy.where(found.b > 0, ratio, found.n / numpy.maximum(a.visits, 1))


def sized(size):
    """Today's rule with more dispersion: what counts as one is `size` requests."""
    return lambda own, long: certain_below(own[0].n, own[0].b, numpy.fmax(own[0].phi, size(*own)))


def people(maximum):
    return lambda own, long: certain_below(long[1].count, long[1].refused, 1.0, maximum)


# What is asked beside today's rule, of (numbers, addresses) of the window, and of the longest one.
RULES = {
    "today's": lambda own, long: True,
    "today's, also of 28 days": lambda own, long: certain_below(long[0].n, long[0].b, long[0].phi),
    "n and b ÷ requests per address and day": sized(lambda found, a: found.n / numpy.maximum(a.visits, 1)),
    "n and b ÷ requests per address": sized(lambda found, a: found.n / numpy.maximum(a.count, 1)),
    "dispersion over addresses": sized(cluster),
    "bootstrap over addresses": lambda own, long: own[1].resampled <= MAXIMUM,
    "at most 5% of 28 days' addresses": people(0.05),
    "at most 3% of 28 days' addresses": people(0.03),
    "at most 2% of 28 days' addresses": people(0.02),
}
SOUND = 0.002


def address_table(seed, functions, per_day):
    outcomes, nights = ({name: [] for name in RULES} for _ in range(2))
    for rate, requests, refused, platform, others, clean in simulated(seed, functions, per_day):
        found = windows(requests, refused)
        today = found.allowed & certain_below(found.n, found.b, found.phi)
        groups, longest = (clean, platform, others), windows(requests, refused, widths=WIDTHS[-1:])
        own, long = ((each, Addresses.of(each, groups, numpy.random.default_rng(seed))) for each in (found, longest))
        for name, rule in RULES.items():
            verdicts = today & rule(own, long)
            outcomes[name].append(Outcome.of(verdicts, requests, refused))
            if rate <= SOUND:
                nights[name].append(confirmed(verdicts).sum(axis=1))
    usual = numpy.concatenate(nights["today's"]).mean()
    for name, found in outcomes.items():
        lost = usual - numpy.concatenate(nights[name]).mean()
        sound = numpy.concatenate(nights[name]) > 0
        print(f"| {per_day:,} | {name} | " + " | ".join([*pooled(found), f"{sound.mean():.1%}", f"{lost:.1f}"]) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--functions", type=int, default=2000, help="simulated for each row; at 2,000 a day a fifth")
    parser.add_argument("--addresses", action="store_true", help="compare rules that ask addresses")
    arguments = parser.parse_args()
    print(f"Limit 1%, confidence 95%, {NIGHTS} nights, {len(RATES)} long-run shares with as many functions each\n")
    if arguments.addresses:
        print("| requests a day | rule | called ready | of these above 1% in the next 28 days | above 2% "
              "| of sound functions called ready | nights lost |")
        print("|---:|---|---:|---:|---:|---:|---:|")
        for per_day in TRAFFIC:
            address_table(arguments.seed, arguments.functions // (1 if per_day < 2000 else 5), per_day)
        return
    rows = []
    for per_day in TRAFFIC:
        functions = arguments.functions if per_day < 2000 else arguments.functions // 5
        for per_week in (None, 1) if per_day < 20 else (None,):
            title = f"{per_day:,} a day" + (", one a week accepted" if per_week else "")
            print(f"{title}\n")
            rows += [[title, *row] for row in rate_table(arguments.seed, functions, per_day, per_week)]
    print("| traffic | requests | called ready | of these above 1% in the next 28 days | above 2% |")
    print("|---|---|---:|---:|---:|")
    for row in rows:
        print("| " + " | ".join(row) + " |")


if __name__ == "__main__":
    main()
