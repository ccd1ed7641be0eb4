"""The simulation's vectorised subset of the rule says what the oracle says, and its rates are the ones it claims."""

import unittest
from collections import Counter

import numpy

from enforcement import Enforcement
from evidence import Unlogged
from instants import start_of
from look import Subject
from policy import Settings
from rule import judge
from simulate_error_rates import (
    DAYS,
    HISTORY,
    NIGHTS,
    RATES,
    WEEK,
    add_blocked,
    clean_traffic,
    ever,
    nightly_verdicts,
    simple_rule,
)
from tally import Day, FunctionInput, ProjectCounts

FIRST_DAY = 20_000


def simulated(functions, per_day, rate, bot_share=0.25, seed=4):
    rng = numpy.random.default_rng(seed)
    return add_blocked(rng, clean_traffic(rng, functions, per_day), per_day, rate, bot_share)


class SimulationTests(unittest.TestCase):
    def test_verdicts_are_the_oracles(self):
        compared = enforced = 0
        for per_day, rate in ((40, 0.005), (200, 0.0075), (1000, 0.01), (8, 0.01)):
            admitted, blocked = simulated(3, per_day, rate)
            verdicts = nightly_verdicts(admitted, blocked)
            for function in range(3):
                for night in range(0, NIGHTS, 4):
                    counts = (admitted[function], blocked[function])
                    expected = self.oracle(counts, HISTORY + night) == "enforce"
                    self.assertEqual(bool(verdicts[function, night]), expected, (per_day, rate, function, night))
                    compared, enforced = compared + 1, enforced + expected
        self.assertEqual(compared, 180)
        self.assertTrue(20 < enforced < 160, enforced)

    def oracle(self, counts, today):
        days = {}
        for day in range(today + 1):
            n, b = (int(values[day]) for values in counts)
            if n:
                days[FIRST_DAY + day] = Day(verifications=n, passed=n, admitted=n, blocked=b)
        # As in the simulation, logs go back for at least 28 days and have no gap.
        project = ProjectCounts(volumes=Counter(range(FIRST_DAY - 1, FIRST_DAY + DAYS)))
        firsts = {day: start_of(day) for day in days}
        subject = Subject(Settings(), project, 1, FIRST_DAY - 1, days, days, firsts, unlogged=Unlogged())
        subject.enforcement = Enforcement(FunctionInput("p", "r", "f", None, 1, []), 0, 0, False)
        return judge(subject, start_of(FIRST_DAY + today + 1) - 1).verdict

    def test_the_long_run_rate_is_the_rows(self):
        for per_day, rate, bot_share in ((200, 0.01, 0), (1000, 0.02, 0.25), (40, RATES[-1], 0.25)):
            admitted, blocked = simulated(1500, per_day, rate, bot_share)
            self.assertAlmostEqual(blocked.sum() / admitted.sum() / rate, 1, delta=0.04)
            self.assertAlmostEqual(admitted.mean() / (per_day * WEEK.mean()), 1, delta=0.06)

    def test_requests_come_in_bursts(self):
        admitted, blocked = simulated(400, 1000, 0.01)
        rate = blocked.sum(axis=1, keepdims=True) / admitted.sum(axis=1, keepdims=True)
        ratio = ((blocked - admitted * rate) ** 2 / (admitted * rate * (1 - rate))).mean()
        self.assertGreater(ratio, 3)

    def test_nights_in_a_row(self):
        verdicts = numpy.array([[True, True, False, True], [True, True, True, False], [False] * 4])
        self.assertEqual([ever(verdicts, k) for k in (1, 2, 3, 4)], [2 / 3, 2 / 3, 1 / 3, 0])

    def test_by_hand(self):
        admitted, blocked = numpy.full((1, DAYS), 100), numpy.zeros((1, DAYS), int)
        blocked[0, HISTORY] = 8
        self.assertEqual(simple_rule(admitted, blocked)[0].tolist(), [False] * 7 + [True] * (NIGHTS - 7))


if __name__ == "__main__":
    unittest.main()
