"""The simulation's vectorised subset of the rule says what the oracle says, and its shares are the ones it claims."""
import unittest

import numpy

import bounds
from moments import DAY
from options import Options
from sample import Sample
from simulate_error_rates import (
    AFTER,
    CONFIRM,
    DAYS,
    HISTORY,
    NIGHTS,
    WIDTHS,
    Addresses,
    Clients,
    Outcome,
    by_hand,
    confirmed,
    independent,
    nightly_verdicts,
    platform_refused,
    simulated,
    windows,
)
from window import Cells, choose, few, numbers, window

FIRST_DAY = 20_000


def oracle(requests, refused, night, options=Options()):
    """What the oracle's numbers say of one function on one night."""
    at = (FIRST_DAY + HISTORY + night + 1) * DAY - 1
    cells = Cells({FIRST_DAY + d: [int(requests[d]), int(refused[d]), 0] for d in range(HISTORY + night + 1) if requests[d]})
    chosen, found = choose(cells, options, at, FIRST_DAY - 1)
    last = numbers(cells, window(options.window, at, None), options.confidence)
    observed = (at - chosen.begin) / DAY
    accepted = few(options, found, observed, last, WIDTHS[0])
    bad = any(n.b > 0 and n.lower > options.max_refused for n in (found, last))
    return found.active >= 3 and (accepted or not bad and found.upper <= options.max_refused)


class SimulationTests(unittest.TestCase):
    def test_verdicts_are_the_oracles(self):
        compared = enforced = 0
        for per_day, per_week in ((5, 1), (5, None), (20, None), (50, None), (200, None)):
            for rate, requests, refused, *_ in simulated(4, 2, per_day):
                verdicts = nightly_verdicts(requests, refused, per_week)
                for function in range(2):
                    for night in range(0, NIGHTS, 7):
                        expected = oracle(requests[function], refused[function], night, Options(max_per_week=per_week))
                        self.assertEqual(bool(verdicts[function, night]), expected, (per_day, rate, function, night))
                        compared, enforced = compared + 1, enforced + expected
        self.assertEqual(compared, 630)
        self.assertTrue(100 < enforced < 530, enforced)

    def test_a_log_says_the_same(self):
        """Seven nights over 28 days, once with one refused request too many."""
        for refused, ready in ((0, True), (3, False)):
            sample = Sample(generation=1, rows=False).days(HISTORY + CONFIRM - 1, 0, valid=18).add(CONFIRM, "MISSING", times=refused)
            counts = numpy.zeros((2, 1, DAYS), int)
            counts[0, :, : HISTORY + CONFIRM] = 18
            counts[:, :, HISTORY - 1] += refused
            verdicts = confirmed(nightly_verdicts(*counts))
            self.assertEqual((sample.readiness()["verdict"] == "enforce", bool(verdicts[0, CONFIRM - 1])), (ready, ready))

    def test_long_run_shares(self):
        for rate, requests, refused, *_ in simulated(3, 400, 200):
            if rate >= 0.01:  # below, too few clients are refused
                self.assertAlmostEqual(refused.sum() / requests.sum() / rate, 1, delta=0.12)
            clean = (requests - refused).mean()
            self.assertTrue(190 < clean < 215, clean)

    def test_clients_leave(self):
        """What a function refuses in one month says less of the next one than coins do."""
        def moved(requests, refused):
            shares = [(refused[:, d : d + 28].sum(axis=1) / requests[:, d : d + 28].sum(axis=1)) for d in (0, 56)]
            return numpy.abs(shares[0] - shares[1]).mean()
        coins = moved(*independent(numpy.random.default_rng(1), 400, 200, 0.02))
        people = [moved(requests, refused) for rate, requests, refused, *_ in simulated(1, 200, 200) if rate == 0.02]
        self.assertGreater(people[0], 3 * coins)

    def test_platforms(self):
        refused = numpy.zeros((3, DAYS), int)
        refused[:, HISTORY + 1] = 5, 4, 1
        known = platform_refused(Clients(numpy.zeros(3, int), refused, refused), 2)
        self.assertEqual(known[0].nonzero()[0].tolist(), list(range(1, 8)))       # one in the last seven days is needed
        self.assertFalse(known[1].any())
        for few_refused in ((5, 4, 0), (5, 5, 0), (4, 4, 1)):
            refused[:, HISTORY + 1] = few_refused
            self.assertFalse(platform_refused(Clients(numpy.zeros(3, int), refused, refused), 1).any(), few_refused)

    def test_addresses(self):
        """Two addresses, of which one has all refused requests."""
        requests = numpy.zeros((2, DAYS), int)
        requests[0], requests[1, HISTORY] = 300, 10
        refused = numpy.zeros((2, DAYS), int)
        refused[1, HISTORY] = 10
        group = Clients(numpy.zeros(2, int), requests, refused)
        found = windows(*group.by_day(1))
        a = Addresses.of(found, (group,), numpy.random.default_rng(1))
        self.assertEqual([float(v[0, 0]) for v in (a.count, a.visits, a.nn, a.nb, a.bb, a.refused)], [2, 8, 2100**2 + 100, 100, 100, 1])
        self.assertEqual((found.width[0, 0], found.n[0, 0]), (7, 2110))
        self.assertGreater(a.resampled[0, 0], 10 / 2110)
        self.assertEqual(a.count[0, 8], 1)

    def test_outcomes(self):
        verdicts = numpy.zeros((2, NIGHTS), bool)
        verdicts[0, 3 : 3 + CONFIRM] = verdicts[1, 3 : 2 + CONFIRM] = True
        requests, refused = numpy.full((2, DAYS), 10), numpy.zeros((2, DAYS), int)
        night = HISTORY + 3 + CONFIRM - 1
        refused[0, night], refused[0, night + 1], refused[0, night + AFTER], refused[0, night + AFTER + 1] = 7, 1, 1, 9
        outcome = Outcome.of(verdicts, requests, refused)
        self.assertEqual(outcome.ready.tolist(), [True, False])
        self.assertEqual((outcome.then[0], outcome.next[0]), (7 / 280, 2 / 280))

    def test_by_hand(self):
        requests, refused = numpy.full((1, DAYS), 100), numpy.zeros((1, DAYS), int)
        refused[0, HISTORY] = 8
        self.assertEqual(by_hand(requests, refused)[0].tolist(), [False] * 7 + [True] * (NIGHTS - 7))

    def test_bounds_are_the_oracles(self):
        found = windows(numpy.full((1, DAYS), 60), numpy.eye(1, DAYS, HISTORY, dtype=int))
        self.assertEqual(float(found.phi[0, 0]), bounds.dispersion([(60, 0)] * 27 + [(60, 1)]))


if __name__ == "__main__":
    unittest.main()
