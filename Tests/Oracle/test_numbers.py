"""Bounds against closed forms, windows at their edges, policies as people write them."""
import math
import unittest

import bounds
import options
from model import stretch
from moments import DAY, HOUR, day_number, end_of, parse, text
from window import Cells, candidates, choose, first_day

D = day_number("2026-10-14")


class Bounds(unittest.TestCase):
    def test_closed_forms(self):
        self.assertAlmostEqual(bounds.upper(0, 299, 0.95), 1 - 0.05 ** (1 / 299), places=12)
        self.assertAlmostEqual(bounds.lower(7, 7, 0.95), 0.05 ** (1 / 7), places=12)
        self.assertEqual((bounds.upper(3, 3, 0.95), bounds.lower(0, 3, 0.95), bounds.upper(0, 0, 0.95)), (1, 0, 1))
        exact = sum(math.comb(9, k) * 0.2**k * 0.8 ** (9 - k) for k in range(3, 10))
        self.assertAlmostEqual(bounds.tail(3, 9, 0.2), exact, places=12)
        self.assertAlmostEqual(bounds.poisson_upper(0, 0.95), -math.log(0.05), places=12)

    def test_dispersion(self):
        self.assertEqual(bounds.dispersion([(10, 0), (10, 0)]), 1)
        self.assertEqual(bounds.dispersion([(10, 10), (10, 10)]), 1)
        self.assertEqual(bounds.dispersion([(100, 10), (100, 0)]), 10)                   # never more than b
        self.assertAlmostEqual(bounds.dispersion([(100, 10), (100, 4), (100, 4)]), 24 / 5.64 / 2, places=9)

    def test_least_more(self):
        self.assertEqual(bounds.least_more(0, 298, 1, 0.01, 0.95), 1)
        self.assertEqual(bounds.least_more(0, 299, 1, 0.01, 0.95), 0)


class Windows(unittest.TestCase):
    def test_the_morning_has_a_day_more(self):
        self.assertEqual(first_day(7, D * DAY + 12 * HOUR), D - 6)
        self.assertEqual(first_day(7, D * DAY + 12 * HOUR - 1), D - 7)

    def test_candidates(self):
        """The first above W that reaches before S begins on S and is the last; W is never cut."""
        at = (D + 1) * DAY - 1
        for S, firsts in ((D - 40, [6, 13, 20, 27]), (D - 20, [6, 13, 20]), (D - 18, [6, 13, 18]), (D - 6, [6]), (D - 3, [6]), (D - 7, [6, 7])):
            self.assertEqual([D - w.first for w in candidates(options.Options(), at, S)], firsts, D - S)

    def test_fifteen_hundred(self):
        at, cells = (D + 1) * DAY - 1, lambda n: Cells({D - i: [n / 3, 0, 0] for i in range(3)})
        for n, first in ((1500, 6), (1497, 27)):
            self.assertEqual(D - choose(cells(n), options.Options(), at, D - 40)[0].first, first)

    def test_stretch(self):
        never = lambda d: False
        self.assertEqual(stretch([1, 5, 9], never), 1)
        self.assertEqual(stretch([1, 6, 9], never), 6)
        self.assertEqual(stretch([1, 6, 9], lambda d: d == 3), 1)


class Written(unittest.TestCase):
    def test_policy(self):
        p = options.policy('policy: {max-refused: 2%, quiet-days: [sat, 2026-12-25],\n         min-days: 3}\nfunctions:\n  - match: "admin*"   # glob\n    requires-auth: true\n  - match: addMessage\n    until: 2026-10-01\n    exempt: old\n', {"max-refused": "3%"})
        o = p.of("p", "r", {"Admin_x"}, end_of("2026-10-14"))
        self.assertEqual((o.max_refused, o.min_days, o.requires_auth, o.quiet_days), (0.03, 3, True, ("sat", "2026-12-25")))
        self.assertEqual(p.of("p", "r", {"addmessage"}, end_of("2026-10-14")).expired, ("addMessage",))
        self.assertEqual(p.of("p", "r", {"addmessage"}, end_of("2026-10-01")).exempt, "old")
        self.assertTrue(o.quiet(day_number("2026-10-17")) and o.quiet(day_number("2026-12-25")) and not o.quiet(D))

    def test_errors(self):
        for wrong in ("policy: {max-refused: 2}\n", "policy: {nonsense: 1}\n", "policy: {ignore-clients: [web]}\n", "nonsense: {}\n"):
            with self.assertRaises(options.Usage):
                options.policy(wrong, {})

    def test_instants(self):
        self.assertEqual(text(parse("2026-10-14T02:00:00.5+02:00")), "2026-10-14T00:00:00.5Z")
        self.assertEqual(text(end_of("2026-10-14")), "2026-10-14T23:59:59.999999999Z")


if __name__ == "__main__":
    unittest.main()
