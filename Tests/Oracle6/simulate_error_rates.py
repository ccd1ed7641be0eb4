"""How often does the rule say "enforce" when more than the maximum would be blocked? A seeded simulation.

    python3 simulate_error_rates.py [--seed 1] [--functions 2000]

Prints two Markdown tables, without and with bots. A simulated function has people, not independent coin throws:
- people are active on some days (fewer at weekends), and then send several requests within an hour; how many differs
  from person to person with a heavy tail (log-normal, sigma 1);
- of their blocked requests two thirds come from people blocked for good, a third from flaky people (three of ten of
  their visits are blocked);
- in the second table a quarter of the blocked requests come from bots: on one day in twelve one burst within an hour,
  its size with a heavy tail too;
- how often blocked people and bots come is scaled so that the long-run blocked share is exactly the row's.

The part of the rule that such data can reach is run, at the end of each day: growing window, dispersion, both bounds,
the last 7 days alone, three active days, confirmation. Everything has been logged without gaps for 28
days before the first look. Left out: all that looks at missing logs, policies, the kind of token (`wait` against
`investigate`) and age. `test_simulation.py` holds it against the oracle.
"""

import argparse

import numpy
from scipy.special import betainc

MAXIMUM, CONFIDENCE, WIDTHS = 0.01, 0.95, (7, 14, 21, 28)
HISTORY, NIGHTS = 27, 60
CONFIRM = 7  # nights in a row
DAYS = HISTORY + NIGHTS
WEEK = numpy.where(numpy.arange(DAYS) % 7 >= 5, 0.5, 1.0)  # activity by day, weekends halved
PER_VISIT, SPREAD, VISITS_PER_DAY, FLAKY, BOT_DAYS = 3.0, 1.0, 0.25, 0.3, 1 / 12
RATES = (0.0025, 0.005, 0.0075, 0.01, 0.0125, 0.015, 0.02, 0.03)
TRAFFIC = (40, 200, 1000)


def visits(rng, shape, per_day):
    """Requests by [function, person, day]; `per_day` is what a function's people together send on a full weekday."""
    functions, people = shape
    extra = PER_VISIT * rng.lognormal(-(SPREAD**2) / 2, SPREAD, (functions, people, 1))
    active = numpy.minimum(1, per_day / (1 + extra).sum(axis=1, keepdims=True))
    present = rng.random((functions, people, DAYS), dtype=numpy.float32) < active * WEEK
    requests = numpy.zeros(present.shape, numpy.int32)
    requests[present] = 1 + rng.poisson(numpy.broadcast_to(extra, present.shape)[present])
    return requests


def people_for(per_day):
    """The number of people if each has a visit on about one weekday in four."""
    return max(1, round(per_day / (VISITS_PER_DAY * (1 + PER_VISIT))))


def clean_traffic(rng, functions, per_day):
    """Requests of people who are never blocked, by [function, day]."""
    block = max(1, 4_000_000 // (people_for(per_day) * DAYS))
    parts = [
        visits(rng, (min(block, functions - start), people_for(per_day)), per_day).sum(axis=1)
        for start in range(0, functions, block)
    ]
    return numpy.concatenate(parts)


def add_blocked(rng, clean, per_day, rate, bot_share):
    """(admitted, blocked), each by [function, day]."""
    functions = len(clean)
    weekly = WEEK[:7].mean()
    lasting_share, flaky_share = (1 - bot_share) * 2 / 3, (1 - bot_share) / 3
    # b = rate * (clean + what flaky people send unblocked + b), all per day and averaged over the week.
    blocked_per_day = rate * per_day * weekly / (1 - rate * (1 + flaky_share * (1 - FLAKY) / FLAKY))
    lasting_per_day = blocked_per_day * lasting_share / weekly
    lasting = visits(rng, (functions, people_for(lasting_per_day)), lasting_per_day)
    flaky_per_day = blocked_per_day * flaky_share / FLAKY / weekly
    flaky = visits(rng, (functions, people_for(flaky_per_day)), flaky_per_day)
    failing = numpy.where(rng.random(flaky.shape) < FLAKY, flaky, 0)
    size = blocked_per_day * bot_share / BOT_DAYS
    bursts = rng.random((functions, 1, DAYS)) < BOT_DAYS
    bots = numpy.where(bursts, rng.poisson(size * rng.lognormal(-(SPREAD**2) / 2, SPREAD, bursts.shape)), 0)
    blocked = (lasting.sum(axis=1) + failing.sum(axis=1) + bots.sum(axis=1)).astype(numpy.int64)
    admitted = clean + flaky.sum(axis=1) - failing.sum(axis=1) + blocked
    return admitted.astype(numpy.int64), blocked


def rolling(values, width):
    """Sums of the `width` days that end on each night, by [function, night]."""
    windows = numpy.lib.stride_tricks.sliding_window_view(values, width, axis=1)
    return windows[:, HISTORY - width + 1 :].sum(axis=-1)


def evidence(admitted, blocked, width, dispersed=True):
    """For each night and one width: requests, active days, is it in trouble, is it clean enough for `enforce`."""
    n, b, active = rolling(admitted, width), rolling(blocked, width), rolling(admitted > 0, width)
    with numpy.errstate(divide="ignore", invalid="ignore"):
        squares = rolling(numpy.where(admitted > 0, blocked**2 / numpy.maximum(admitted, 1), 0), width)
        p = b / n
        chi_squared = (squares - b * p) / (p * (1 - p))
        phi = numpy.fmax(1, numpy.fmin(b, chi_squared / (active - 1)))
    phi = numpy.where((b == 0) | (b == n) | (active < 2) | (not dispersed), 1, phi)
    with numpy.errstate(divide="ignore", invalid="ignore"):
        certain_above = (b > 0) & (betainc(b / phi, (n - b) / phi + 1, MAXIMUM) < 1 - CONFIDENCE)
        certain_below = (n > b) & (betainc(b / phi + 1, (n - b) / phi, MAXIMUM) >= CONFIDENCE)
    return n, active, certain_above, certain_below & (active >= 3)


def nightly_verdicts(admitted, blocked, dispersed=True):
    """Whether the rule says `enforce`, by [function, night]."""
    undecided = numpy.ones((len(admitted), NIGHTS), bool)
    enforce = numpy.zeros_like(undecided)
    for width in WIDTHS:
        n, active, trouble, clean = evidence(admitted, blocked, width, dispersed)
        if width == WIDTHS[0]:
            recent_trouble = trouble
        chosen = undecided & (((n >= 15 / MAXIMUM) & (active >= 3)) | (width == WIDTHS[-1]))
        enforce |= chosen & clean & ~trouble & ~recent_trouble
        undecided &= ~chosen
    return enforce


def simple_rule(admitted, blocked):
    """What people do by hand: at most the maximum over the last seven days."""
    return rolling(blocked, 7) <= MAXIMUM * rolling(admitted, 7)


def ever(verdicts, nights):
    """Share of functions for which the answer was `enforce` on that many nights in a row at least once."""
    runs = numpy.lib.stride_tricks.sliding_window_view(verdicts, nights, axis=1).all(axis=-1)
    return runs.any(axis=1).mean()


def table(seed, functions, bot_share):
    yield (
        "| requests a day | truly blocked | one look: by hand | φ = 1 | **rule** "
        "| 60 nights: by hand | φ = 1 | rule | φ = 1, confirmed | **rule, confirmed** |"
    )
    yield "|---:" * 10 + "|"
    for per_day in TRAFFIC:
        clean = clean_traffic(numpy.random.default_rng([seed, per_day]), functions, per_day)
        for rate in RATES:
            rng = numpy.random.default_rng([seed, per_day, round(rate * 1e6)])
            data = add_blocked(rng, clean, per_day, rate, bot_share)
            by_hand, plain = simple_rule(*data), nightly_verdicts(*data, dispersed=False)
            rule = nightly_verdicts(*data)
            shares = [by_hand.mean(), plain.mean(), rule.mean()]
            shares += [ever(by_hand, 1), ever(plain, 1), ever(rule, 1), ever(plain, CONFIRM), ever(rule, CONFIRM)]
            yield f"| {per_day:,} | {rate:.2%} | " + " | ".join(f"{share:.1%}" for share in shares) + " |"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--functions", type=int, default=2000, help="simulated for each row")
    arguments = parser.parse_args()
    for title, bot_share in (("People only", 0), ("A quarter of the blocked requests from bots", 0.25)):
        print(f'\n{title}: how often the answer is "enforce" (maximum 1 %, confidence 95 %)\n')
        for line in table(arguments.seed, arguments.functions, bot_share):
            print(line, flush=True)


if __name__ == "__main__":
    main()
