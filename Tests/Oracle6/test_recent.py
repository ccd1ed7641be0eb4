"""The newest requests, few a week, clients left out and bursts, each clause from both sides."""

import unittest

from agents import ANDROID, apple
from boundaries import spread
from boundaries_callers import Sent, called
from instants import DAY, HOUR, SECOND, instant_text
from test_rule import RuleTestCase, answers, case

MINUTE = 60 * SECOND


class FailingNowTests(RuleTestCase):
    def answer(self, blocked=18, good=2, span=40 * MINUTE, earlier=(), auth="VALID", before=0, client=None, ago=0):
        """At 20:00; `earlier`: (days back, blocked, good) at about the same time of day."""
        made = case(20 * HOUR)
        end = made.as_of - ago
        rows = []
        for back, bad, fine in ((0, blocked, good), *earlier):
            first = end - back * DAY - span
            apps = ["MISSING"] * bad + ["VALID"] * fine
            rows += [[first + span * (i + 1) // len(apps), app, auth, "DEBUG"] for i, app in enumerate(apps)]
            rows[-len(apps)][0] = first
        made.function("f", {-i: {"clean": 2000 if i or before else 0, "blocked": before} for i in range(8)}, rows=rows)
        found = answers(made)["f"]
        found["since"] = instant_text(end - span)
        return found

    def test_three_quarters_of_the_last_hour_or_of_twenty(self):
        found = self.answer(15, 5)
        self.assertEqual((found["codes"]["failing-now"], found["failingSince"]), (15, found["since"]))
        for blocked, good, failing in ((14, 6, False), (10, 3, True), (9, 1, False), (75, 25, True), (74, 26, False)):
            found = self.answer(blocked, good)
            self.assertEqual("failing-now" in found["codes"], failing, (blocked, good))
        self.assertIsNone(found["failingSince"])

    def test_of_twenty_four_hours(self):
        self.assertIn("failing-now", self.answer(12, 0, span=20 * HOUR)["codes"])
        self.assertIn("failing-now", self.answer(12, 0, ago=23 * HOUR)["codes"])
        self.assertNotIn("failing-now", self.answer(12, 0, ago=24 * HOUR)["codes"])

    def test_a_steady_state_is_no_news(self):
        for earlier, failing in (
            ([(2, 5, 5)], False),
            ([(2, 5, 4)], True),  # too few to tell
            ([(2, 5, 5), (3, 0, 1)], True),
            ([(7, 6, 4), (6, 0, 90)], False),  # the same weekday
            ([(6, 6, 4), (7, 0, 90)], True),
        ):
            self.assertEqual("failing-now" in self.answer(earlier=earlier)["codes"], failing, earlier)

    def test_signed_out_ones_are_nobodys_outage(self):
        self.assertNotIn("failing-now", self.answer(auth="MISSING")["codes"])

    def test_of_one_kind_of_client(self):
        for blocked, failing in ((20, True), (19, False)):
            made = case(20 * HOUR, generation=2)
            sent = Sent((0,), blocked, "chrome", hour=19), Sent((0,), 400, ANDROID, "VALID", hour=19)
            called(made, "f", *sent, clean=300)
            self.assertEqual("failing-now" in answers(made)["f/2"]["codes"], failing)

    def test_said_where_too_much_is_refused_anyway(self):
        found = self.answer(before=90)
        self.assertEqual((found["verdict"], "failing-now" in found["codes"]), ("wait", True))


class FewTests(RuleTestCase):
    def answer(self, plan, most=3.001, rows=(), **flags):
        made = case()
        made.heartbeat(30)
        made.function("f", plan, rows=rows)
        made.entry("f", maxPerWeek=most)
        made.project["flags"].update(flags)
        return answers(made)["f"]

    def test_one_a_week_takes_21_days(self):
        for days, verdict in ((20, "insufficient"), (21, "enforce")):
            found = self.answer({-i: {"clean": 3} for i in range(days)}, 1.001)
            self.assertEqual(found["verdict"], verdict)
            self.assertEqual("few" in found["codes"], verdict == "enforce")
        # From 00:30 of the first day.
        self.assertAlmostEqual(found["codes"]["few"], 7 * 2.99573227 / (21 - 1 / 48), 6)

    def test_three_a_week_with_none_one_or_two_refused(self):
        for blocked, days in ((0, 8), (1, 12), (2, 15)):
            for more, passes in ((0, True), (-1, False)):
                plan = {-i: {"clean": 3, "blocked": i in range(2, 2 + blocked)} for i in range(days + more)}
                self.assertEqual(self.answer(plan)["verdict"] == "enforce", passes, (blocked, days + more))

    def test_half_refused_is_not_few(self):
        for clean, few in ((1, False), (2, True)):
            found = self.answer({-20: {"clean": clean}, -13: {"blocked": 1}}, 30)
            self.assertEqual(bool(found["codes"].keys() & {"too-few-requests", "too-many-blocked"}), not few)

    def test_a_week_of_refusals_does_not_drown(self):
        for blocked, passes in ((3, True), (4, False)):
            # 3 on the last seven days are 3 a week, as many as are allowed.
            found = self.answer({-i: {"clean": 20, "blocked": i in range(1, 1 + blocked)} for i in range(28)})
            self.assertEqual("few" in found["codes"], passes)

    def test_safe_says_more_than_few(self):
        found = self.answer(spread(300, 28), 3)
        self.assertEqual((found["verdict"], found["codes"].keys() & {"safe", "few"}), ("enforce", {"safe"}))

    def test_what_is_safe_by_its_share_stays_safe(self):
        for undated, safe in ((4, True), (8, False)):
            found = self.answer({-i: {"clean": 45} for i in range(28)}, 1, [[None, "MISSING", "VALID", "DEBUG"]] * undated)
            self.assertEqual((found["verdict"] == "enforce", "uncounted" in found["codes"]), (safe, not safe))

    def test_a_forecast_knows_of_it(self):
        found = self.answer({-i: {"clean": 3} for i in range(6)})
        self.assertEqual(found["forecast"]["kind"], "steady")


class LeftOutTests(RuleTestCase):
    def test_simulators_are_not_admitted_and_still_traffic(self):
        made = case(generation=2)
        for name in ("f", "g"):
            called(made, name, Sent((-1, -2), 20, apple(machine="sim")), clean=300)
        called(made, "own", Sent(range(-9, 1), 5, "curl/8.5.0"), clean=0)
        made.project["policy"]["policy"]["ignoreClients"] = ["iosSimulator", "tool"]
        found = answers(made)
        self.check(found["f/2"], "enforce", "safe")
        self.assertEqual((found["f/2"]["leftOut"], found["f/2"]["admitted"], found["f/2"]["blocked"]), (40, 2100, 0))
        self.assertEqual((found["own/2"]["admitted"], found["own/2"]["leftOut"]), (0, 50))
        self.assertNotIn("no-traffic", found["own/2"]["codes"])
        made.project["policy"]["policy"]["ignoreClients"] = ["tool"]
        self.assertNotEqual(answers(made)["f/2"]["verdict"], "enforce")

    def test_one_without_a_row_stays(self):
        made = case(generation=2)
        called(made, "f", Sent((-1,), 3, None, has_row=False), Sent((-1,), 3, None), clean=300)
        made.project["flags"]["ignoreClients"] = ["none"]
        found = answers(made)["f/2"]
        self.assertEqual((found["leftOut"], found["blocked"]), (3, 3))

    def test_the_hours_of_a_day_are_its_own(self):
        made = case(generation=2)
        sent = [Sent((-2,), 1, apple(machine="sim"), hour=hour) for hour in (3, 4)]
        for name, blocked in (("f", 20), ("g", 9)):
            called(made, name, *sent, Sent((-2,), blocked, ANDROID, hour=5), clean=100)
        made.project["flags"]["ignoreClients"] = ["iosSimulator"]
        found = answers(made)
        self.assertIn("bad-day", found["f/2"]["codes"])
        self.assertNotIn("bad-day", found["g/2"]["codes"])
        del made.project["flags"]["ignoreClients"]
        self.assertIn("bad-day", answers(made)["g/2"]["codes"])


class BadDayTests(RuleTestCase):
    def is_bad(self, blocked, hours, ago=9):
        made = case()
        made.heartbeat(35)
        plan = {-i: {"clean": 300} for i in range(30)}
        plan[-ago] = {"clean": 100, "blocked": blocked, "hours": hours}
        made.function("f", plan)
        return "bad-day" in answers(made)["f"]["codes"]

    def test_ten_within_two_hours(self):
        self.assertTrue(self.is_bad(10, (7, 8)))
        self.assertFalse(self.is_bad(9, (7, 8)))
        self.assertTrue(self.is_bad(9, (7, 8, 9)), "in three hours")

    def test_four_weeks(self):
        self.assertTrue(self.is_bad(10, (7,), 27))
        self.assertFalse(self.is_bad(10, (7,), 28))

    def test_of_a_function_that_is_not_safe_only_where_the_other_days_would_be(self):
        for blocked, said in ((0, True), (5, False)):
            made = case()
            made.function("f", {-i: {"clean": 300, "blocked": 90 if i in (1, 2) else blocked} for i in range(9)})
            found = answers(made)["f"]
            self.assertEqual((found["verdict"], "bad-day" in found["codes"]), ("wait", said))


class ForecastTests(RuleTestCase):
    def test_what_holds_of_platforms_stays(self):
        made = case(generation=2)
        called(made, "f", Sent((-5, -6), 5, "firefox"), clean=900)
        found = answers(made)["f/2"]
        self.assertEqual((found["verdict"], found["forecast"]), ("wait", None))

    def test_nights_before_look_at_their_own_rows(self):
        made = case(generation=2, confirm=7)
        called(made, "f", Sent((-9, -10), 5, "firefox"), clean=900, days=20)
        found = answers(made)["f/2"]
        self.assertEqual((found["verdict"], found["safeNights"]), ("insufficient", 3))


if __name__ == "__main__":
    unittest.main()
