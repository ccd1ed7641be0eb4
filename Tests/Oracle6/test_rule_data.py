"""Boundaries of the clauses about the data itself, the policy, pairs of generations, advice and the forecast."""

import unittest

from boundaries import spread
from test_rule import NOON, RuleTestCase, answers, case


class SilenceTests(RuleTestCase):
    def test_three_and_four_silent_days(self):
        made = case()
        made.heartbeat(20)
        for silent in (3, 4):
            made.function(f"silent{silent}", spread(3000, 12, skip=silent))
        found = answers(made)
        self.check(found["silent3"], "enforce", "safe")
        self.check(found["silent4"], "insufficient", "stale")

    def test_twice_the_longest_distance(self):
        made = case()
        made.heartbeat(20)
        for silent in (4, 5):
            made.function(f"silent{silent}", {-silent - 2 * i: {"clean": 600} for i in range(7)})
        found = answers(made)
        self.assertNotIn("stale", found["silent4"]["codes"])
        self.assertIn("stale", found["silent5"]["codes"])

    def test_no_traffic_suppresses_all_but_what_the_policy_and_a_successor_say(self):
        made = case()
        made.heartbeat(40)
        for name in ("gone", "goneExempt", "goneEnforced", "goneOver"):
            made.function(name, spread(700, 7, skip=30))
        made.entry("goneExempt", exempt="on purpose")
        made.entry("goneEnforced", enforced=made.date(-30))
        made.function("goneOver", spread(70, 7), generation=2)
        found = answers(made)
        self.check(found["gone"], "insufficient", "no-traffic")
        self.check(found["goneExempt"], "exempt", "no-traffic", "exempt")
        self.check(found["goneEnforced"], "enforced", "no-traffic", "enforced")
        self.check(found["goneOver"], "superseded", "no-traffic", "superseded")

    def test_a_gap_is_excused_by_the_same_gap_a_week_earlier(self):
        for first, gaps, expected in (
            # The day at -4 stays lost, so that the other is not passed over.
            (-13, (3, 4), True),
            (-13, (3, 10), False),
            (-10, (3, 4, 10), False),
            (-9, (3, 4), True),
            (-5, (), True),
            (-13, (0, 4), True),
            (-13, (0, 7), False),
        ):
            made = case()
            # The silent day at -10 may only excuse when the project had begun before it, or on it.
            offsets = [-i for i in range(-first + 1) if i not in gaps or i == -first]
            made.function("f", {offset: {"clean": 300} for offset in offsets})
            self.assertEqual("coverage-gap" in answers(made)["f"]["codes"], expected or first == -10, (first, gaps))

    def test_assume_complete_lifts_gaps_and_streams(self):
        made = case(generation=2)
        made.function("f", {-i: {"clean": 300} for i in range(14) if i not in (3, 4)})
        self.check(answers(made)["f/2"], "insufficient", "coverage-gap", "failures-not-seen")
        made.project["flags"]["assumeComplete"] = True
        self.check(answers(made)["f/2"], "enforce", "safe")


class StreamTests(RuleTestCase):
    def stopped(self, generation, extra, stderr=None):
        # 3.5 days of silence after ten days of two failures each: exactly 7. Three days with more lift the quartile.
        made = case(NOON, generation)
        plan = {-i: {"clean": 300, "rejected": 0 if i < 4 else 2} for i in range(14)}
        for offset in (-8, -9, -10):
            plan[offset]["rejected"] += extra
        made.function("f", plan)
        if stderr is not None:
            made.stderr([stderr])
        return "failures-stopped" in next(iter(answers(made).values()))["codes"]

    def test_exactly_seven_failures_missing_are_no_doubt(self):
        for generation in (1, 2):
            self.assertFalse(self.stopped(generation, extra=0))
            self.assertTrue(self.stopped(generation, extra=1))

    def test_a_stderr_record_ends_the_run_of_generation_2_alone(self):
        self.assertFalse(self.stopped(2, 1, stderr=0))
        self.assertFalse(self.stopped(2, 1, stderr=-3), "2.5 days at 2.1 a day")
        self.assertTrue(self.stopped(2, 1, stderr=-4))
        self.assertTrue(self.stopped(1, 1, stderr=0))

    def test_one_day_of_attacks_does_not_set_the_expectation(self):
        made = case(NOON)
        plan = {-i: {"clean": 300, "rejected": 0 if i < 4 else 2} for i in range(14)}
        plan[-8]["rejected"] = 500
        made.function("f", plan)
        self.assertNotIn("failures-stopped", answers(made)["f"]["codes"])

    def test_no_day_before_the_run_no_doubt(self):
        made = case()
        made.function("f", spread(2000, 5))
        self.assertNotIn("failures-stopped", answers(made)["f"]["codes"])

    def test_a_stream_that_begins_late(self):
        for failures, late in (([0, 0, 2, 3, 4, 4, 4], False), ([0, 0, 2, 4, 4, 4, 4], True), ([1, 0, 9, 9, 9, 9, 9], False)):
            made = case()
            made.function("f", {i - 6: {"clean": 300, "rejected": number} for i, number in enumerate(failures)})
            self.assertEqual("failures-late" in answers(made)["f"]["codes"], late, failures)

    def test_failures_not_seen(self):
        for stderr, rejected, expected in (([], 0, True), ([-6], 0, False), ([], 1, False)):
            made = case(generation=2)
            made.function("f", {**spread(2100, 7), -6: {"clean": 300, "rejected": rejected}})
            made.stderr(stderr)
            self.assertEqual("failures-not-seen" in answers(made)["f/2"]["codes"], expected)


class PolicyTests(RuleTestCase):
    def test_lockout_after_the_day_of_enforcement(self):
        made = case()
        plan = {-i: {"clean": 200} for i in range(10)}
        made.function("onTheDay", {**plan, -3: {"clean": 200, "blocked": 20}})
        made.function("after", {**plan, **{-i: {"clean": 200, "blocked": 12} for i in range(3)}})
        made.function("anonymous", {**plan, **{-i: {"clean": 200, "blocked": 12, "auth": "MISSING"} for i in range(3)}})
        made.entry("*", enforced=made.date(-3))
        found = answers(made)
        self.assertEqual(
            {name: "lockout" in answer["codes"] for name, answer in found.items()},
            {"onTheDay": False, "after": True, "anonymous": False},
        )
        self.assertEqual({answer["verdict"] for answer in found.values()}, {"enforced"})

    def test_every_output_names_quiet_days(self):
        made = case()
        made.function("f", {-i: {"clean": 100} for i in range(20) if i != 3})
        made.project["policy"]["policy"]["quietDays"] = [made.date(-3)]
        self.assertEqual(answers(made)["f"]["passedOver"], [made.date(-3)])

    def test_since_leaves_earlier_days_out(self):
        made = case()
        made.function(
            "fixed",
            {**{-i: {"clean": 90, "blocked": 9} for i in range(7, 20)}, **{-i: {"clean": 100} for i in range(7)}},
        )
        self.assertEqual(answers(made)["fixed"]["verdict"], "wait")
        made.entry("fixed", since=made.date(-6))
        found = answers(made)["fixed"]
        self.assertEqual((found["ageDays"], found["window"]["from"]), (20, made.date(-6)))
        self.check(found, "enforce", "safe")

    def test_superseded_by_the_same_name_in_generation_2(self):
        made = case()
        made.heartbeat(30)
        made.function("addMessage", spread(2000, 10, skip=7), 1)
        made.function("addMessage", {-6: {"clean": 1}}, 2)
        made.function("still_here", spread(2000, 10, skip=6), 1)
        made.function("still_here", spread(2000, 7), 2)
        found = answers(made)
        self.assertEqual(found["addMessage"]["verdict"], "superseded")
        self.assertNotEqual(found["still_here"]["verdict"], "superseded")
        self.assertNotIn("superseded", found["still_here/2"]["codes"])

    def test_requires_auth_admits_only_signed_in(self):
        made = case()
        made.function("bots", {-i: {"clean": 100, "blocked": 20, "auth": "MISSING"} for i in range(7)})
        found = answers(made)["bots"]
        self.check(found, "wait", "too-many-blocked", "anonymous-only")
        self.assertEqual((found["signedIn"]["verdict"], found["signedIn"]["admitted"]), ("enforce", 700))
        self.assertEqual((found["anonymousNoToken"], found["signedInNoToken"]), (140, 0))
        made.entry("b*s", requiresAuth=True)
        self.check(answers(made)["bots"], "enforce", "safe")


class AdviceTests(RuleTestCase):
    def test_clean_since_needs_two_active_days(self):
        made = case()
        for streak in (1, 2):
            made.function(f"streak{streak}", {-i: {"clean": 90, "blocked": 0 if i < streak else 9} for i in range(7)})
        found = answers(made)
        self.assertEqual([found[f"streak{k}"]["cleanStreak"] for k in (1, 2)], [1, 2])
        self.assertEqual(["clean-since" in found[f"streak{k}"]["codes"] for k in (1, 2)], [False, True])

    def test_bad_days_within_28_days(self):
        made = case()
        made.heartbeat(30)
        for ago in (27, 28):
            made.function(f"ago{ago}", {**spread(2100, 7), -ago: {"clean": 300, "blocked": 40, "hours": (7, 8, 9)}})
        found = answers(made)
        self.check(found["ago27"], "enforce", "safe")
        self.check(found["ago28"], "enforce", "safe")
        self.assertEqual(["bad-day" in found[name]["codes"] for name in ("ago27", "ago28")], [True, False])

    def test_sdk_3(self):
        made = case()
        made.function("old", spread(700, 7), severity="INFO")
        made.function("mixed", spread(700, 7), severity="INFO", rows=[[made.as_of, "VALID", "VALID", "DEBUG"]])
        found = answers(made)
        self.check(found["old"], "enforce", "safe", "sdk-3")
        self.check(found["mixed"], "enforce", "safe")


class ForecastTests(RuleTestCase):
    def test_requests_still_needed_come_day_by_day(self):
        # 140 clean requests in 7 days, 20 a day: the window grows with the project.
        made = case()
        made.function("f", spread(140, 7))
        # After 8 more days it has 15 days and 300 requests: one more than it takes.
        self.assertEqual(answers(made)["f"]["forecast"], {"date": made.date(8), "kind": "steady"})

    def test_too_young_waits_for_its_age(self):
        made = case()
        made.heartbeat(20)
        made.function("f", spread(1500, 4))
        # First verification at 00:30 of day -3; at 23:59:59 of day +3 that is 6.98 days.
        self.assertEqual(answers(made)["f"]["forecast"], {"date": made.date(3), "kind": "steady"})

    def test_missing_failures_never_heal(self):
        made = case(generation=2)
        made.function("f", spread(1500, 7))
        self.assertIsNone(answers(made)["f/2"]["forecast"])

    def test_nothing_falling_nothing_forecast(self):
        made = case()
        made.function("flat", {-i: {"clean": 90, "blocked": 10} for i in range(14)})
        self.assertIsNone(answers(made)["flat"]["forecast"])

    def test_falling_rate_is_followed(self):
        made = case()
        made.function(
            "falling", {-i: {"clean": 1000 - round(20 * 1.2**i), "blocked": round(20 * 1.2**i)} for i in range(15)}
        )
        found = answers(made)["falling"]["forecast"]
        self.assertEqual(found["kind"], "trend")
        self.assertGreater(found["date"], made.date(4))

    def test_three_clean_days_are_a_steady_rate_of_nothing(self):
        made = case()
        made.function(
            "fixed", {-i: {"clean": 300, "blocked": 0 if i < 3 else 30, "hours": (7, 8, 9)} for i in range(20)}
        )
        # The last bad day, three days ago, leaves the window of 7 days four days from now: one look is enough here.
        self.assertEqual(answers(made)["fixed"]["forecast"], {"date": made.date(4), "kind": "steady"})


if __name__ == "__main__":
    unittest.main()
