"""The simulation of the clauses: what it makes up is what it says, and its alarms are the rule's."""

import unittest

import numpy

from simulate_clauses import (
    FIRST,
    RHYTHM,
    SITE,
    days_until,
    false_alarms,
    hours_until,
    population,
    requests_of,
    summary_of,
)


class SimulationTests(unittest.TestCase):
    def setUp(self):
        self.rng = numpy.random.default_rng(3)

    def test_traffic(self):
        clients, shares = population(self.rng, 12)
        self.assertEqual((len(clients), len(set(clients))), (12, 12))
        self.assertAlmostEqual(shares.sum(), 1)
        self.assertAlmostEqual(RHYTHM.sum(), 1)
        rows = requests_of(self.rng, FIRST, 1000, [*clients, SITE], [*(shares * 0.9), 0.1], lambda c, _: c == SITE)
        self.assertEqual({row.client for row in rows if row.app == "MISSING"}, {SITE})
        self.assertAlmostEqual(sum(row.client == SITE for row in rows) / len(rows), 0.1, delta=0.04)
        self.assertEqual([row.instant for row in rows], sorted(row.instant for row in rows))

    def test_a_healthy_function_raises_nothing(self):
        self.assertEqual(false_alarms(self.rng, 200, 0.001, nights=3), {})

    def test_a_platform_is_seen_on_its_second_day(self):
        self.assertEqual(days_until(self.rng, 300, 0.1)["platform-refused"], 2)

    def test_an_outage_is_seen_within_a_day(self):
        found = hours_until(self.rng, 200)
        self.assertLess(min(found.values()), 24)

    def test_medians(self):
        self.assertEqual(summary_of([2, 4, None, 9]), "4 (75%)")
        self.assertEqual(summary_of([None]), "never")


if __name__ == "__main__":
    unittest.main()
