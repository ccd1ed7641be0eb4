"""What request rows show, from both sides, and the days of new functions."""

import unittest

import numpy

from boundaries import Case, spread
from boundaries_rows import answered
from instants import DAY
from test_rule import RuleTestCase, answers, case


class CompleteRowsTests(RuleTestCase):
    def codes(self, without, **more):
        made = case(generation=2)
        answered(made, "f", {-i: {"valid200": 200 - without, "valid": without} for i in range(14)}, **more)
        return answers(made)["f/2"]

    def test_complete_rows_show_that_nothing_failed(self):
        self.check(self.codes(10), "enforce", "safe")
        self.check(self.codes(11), "insufficient", "failures-not-seen")
        self.check(self.codes(0, unlogged=[(0, 401)]), "enforce", "safe")
        found = self.codes(0, unlogged=[(0, 200)])
        self.check(found, "insufficient", "failures-not-seen")
        self.assertEqual(found["uncounted"], 1)
        self.assertIn("uncounted", self.codes(0, unlogged=[(0, 200)] * 20)["codes"])

    def shared(self, without, unlogged=0):
        """Verifications without a row, and two of a shared trace of which as many rows belong to them."""
        made = case(generation=2)
        answered(made, "f", {-i: {"valid200": 200 - without, "valid": without, "missing200": 2} for i in range(14)})
        function = made.project["functions"][-1]
        for row in function["verifications"]:
            if row[1] == "MISSING":
                row[4] = {"row_unknown": True, "trace": f"t{row[0] // DAY}"}
        function["unjoined"] = [[made.as_of - i, 200, f"t{made.today}"] for i in range(unlogged)]
        return answers(made)["f/2"]

    def test_rows_that_share_a_trace_belong_to_as_many_verifications(self):
        found = self.shared(0)
        self.assertEqual((found["uncounted"], found["platforms"]), (0, []))
        self.assertNotIn("failures-not-seen", found["codes"])
        self.assertNotIn("callers-unknown", found["codes"])
        # 192 of 202 with a row are just 95 of a hundred.
        self.assertNotIn("failures-not-seen", self.shared(10)["codes"])
        self.assertIn("failures-not-seen", self.shared(11)["codes"])
        self.assertEqual(self.shared(0, unlogged=3)["uncounted"], 3)

    def test_a_request_that_left_nothing_proves_a_gap(self):
        for status, gap in ((200, True), (401, False)):
            made = case(generation=2)
            made.project["policy"]["policy"]["quietDays"] = [made.date(-2)]
            plan = {-i: {"valid200": 300} for i in range(14) if i != 2}
            answered(made, "f", plan, unlogged=[(-2, status)])
            answered(made, "g", plan)
            found = answers(made)
            for name in ("f/2", "g/2"):
                self.assertEqual("coverage-gap" in found[name]["codes"], gap)


class NewFunctionTests(RuleTestCase):
    def test_three_days_are_divided_by_three(self):
        made = case()
        made.heartbeat(30)
        made.function("new", spread(150, 3))
        made.function("fixed", {-i: {"clean": 50, "blocked": 0 if i < 3 else 30} for i in range(20)})
        made.entry("fixed", since=made.date(-2))
        found = answers(made)
        for name in ("new", "fixed"):
            self.assertEqual(found[name]["forecast"]["date"], made.date(4), name)


if __name__ == "__main__":
    unittest.main()
