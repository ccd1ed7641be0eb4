"""What request rows show, from both sides, and the days of new functions."""

import unittest

from boundaries import spread
from boundaries_rows import answered
from test_rule import RuleTestCase, answers, case


class UnloggedTests(RuleTestCase):
    def test_a_request_without_a_verification_may_have_been_blocked(self):
        for unlogged, counted in (([(0, 200)], 1), ([(0, 401), (0, 500)], 0), ([(-7, 200)], 0), ([(-1, 204)] * 20, 20)):
            made = case(generation=2)
            answered(made, "f", {-i: {"valid200": 300} for i in range(14)}, unlogged=unlogged)
            made.stderr(range(-13, 1))
            found = answers(made)["f/2"]
            self.assertEqual((found["uncounted"], "uncounted" in found["codes"]), (counted, counted == 20))

    def test_lines_of_generation_1(self):
        made = case()
        made.function("f", {-i: {"clean": 300} for i in range(14)})
        made.project["functions"][0]["unjoined"] = [[made.as_of - 1, 204], [made.as_of - 1, 401]]
        self.assertEqual(answers(made)["f"]["uncounted"], 1)

    def test_crashes_before_the_log(self):
        for crashed, gap in ((9, False), (10, True)):
            made = case(generation=2)
            answered(made, "f", {-i: {"valid200": 300} for i in range(14) if i != 2}, unlogged=[(-2, 500)] * crashed)
            made.stderr(range(-13, 1))
            codes = answers(made)["f/2"]["codes"]
            self.assertEqual(("coverage-gap" in codes, "failing-before-log" in codes), (gap, gap))

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
        # The fixed one is old enough.
        for name, days in (("new", 4), ("fixed", 3)):
            self.assertEqual(found[name]["forecast"]["date"], made.date(days), name)


if __name__ == "__main__":
    unittest.main()
