"""Looks over many nights: confirmation, the forecast's, the signed-in twin's; and quiet functions together."""

import unittest

from boundaries import spread
from test_rule import NOON, RuleTestCase, answers, case
from verdict_oracle import summary


class ConfirmationTests(RuleTestCase):
    def test_six_nights_are_almost_ready_and_seven_are(self):
        # The log's seventh day is the first on which the rule may say enforce.
        for days, nights, verdict in ((7, 1, "insufficient"), (12, 6, "insufficient"), (13, 7, "enforce")):
            made = case(confirm=7)
            made.function("f", {-i: {"clean": 300} for i in range(days)})
            found = answers(made)["f"]
            self.assertEqual((found["verdict"], found["safeNights"]), (verdict, nights))
            self.assertEqual(found["safeSince"], made.date(1 - nights))
            self.assertEqual("not-confirmed" in found["codes"], nights < 7)
            self.assertEqual("safe" in found["codes"], nights >= 7)

    def test_the_run_is_not_capped_and_confirm_1_asks_for_a_single_look(self):
        made = case(confirm=1)
        made.function("f", {-i: {"clean": 300} for i in range(40)})
        found = answers(made)["f"]
        self.assertEqual((found["verdict"], found["safeNights"], found["safeSince"]), ("enforce", 34, made.date(-33)))

    def test_a_lucky_week_is_no_answer(self):
        made = case(confirm=7)
        plan = {-i: {"clean": 300} for i in range(30)}
        plan[-9] = {"clean": 300, "blocked": 100, "hours": (7, 8, 9)}
        made.function("f", plan)
        # It leaves the window of seven days on the night of day -2.
        found = answers(made)["f"]
        self.assertEqual((found["safeNights"], found["safeSince"]), (3, made.date(-2)))
        self.check(found, "insufficient", "not-confirmed")

    def test_nothing_is_safe_on_no_night(self):
        made = case(confirm=7)
        made.function("f", {-i: {"clean": 90, "blocked": 10} for i in range(30)})
        found = answers(made)["f"]
        self.assertEqual((found["safeNights"], found["safeSince"]), (0, None))

    def test_a_night_sees_the_whole_day_and_nothing_after_it(self):
        # At eleven the as-of's own window has a day more in front; last night's had not.
        made = case(11 * NOON // 12, confirm=2)
        plan = {-i: {"clean": 300} for i in range(30)}
        plan[-7] = {"clean": 300, "blocked": 100, "hours": (7, 8, 9)}
        made.function("f", plan)
        self.assertEqual(answers(made)["f"]["verdict"], "wait")
        plan[-8] = plan.pop(-7)
        plan[-7] = {"clean": 300}
        made.project["functions"] = []
        made.function("f", plan)
        self.assertEqual(answers(made)["f"]["safeNights"], 1 + 1, "the night of day -1 begins with -7")

    def test_nights_before_since_never_confirm(self):
        made = case(confirm=7)
        made.function("f", {-i: {"clean": 300} for i in range(30)})
        for since, minimum, nights in ((-8, 7, 3), (-3, 1, 2), (0, 1, 0)):
            made.project["policy"]["functions"] = []
            made.project["flags"]["minDays"] = minimum
            made.entry("f", since=made.date(since))
            # An age of seven days is there on the seventh night, three active days on the third.
            self.assertEqual(answers(made)["f"]["safeNights"], nights, since)

    def test_each_night_has_its_own_failures_stream(self):
        made = case(generation=2, confirm=7)
        plan = {-i: {"clean": 300, "rejected": int(i == 9)} for i in range(30)}
        plan[0]["rejected"] = 1
        made.function("f", plan)
        # Only today's window has a failure: those of the nights from -1 to -2 have none.
        found = answers(made)["f/2"]
        self.assertEqual(found["safeNights"], 1)
        self.assertEqual(found["verdict"], "insufficient")

    def test_the_forecast_counts_the_nights_that_are_already_safe(self):
        made = case(confirm=7)
        made.function("f", {-i: {"clean": 300} for i in range(10)})
        found = answers(made)["f"]
        self.assertEqual((found["safeNights"], found["forecast"]), (4, {"date": made.date(3), "kind": "steady"}))

    def test_missing_failures_stay_missing_and_none_go_missing(self):
        made = case(NOON, generation=1, confirm=1)
        plan = {-i: {"clean": 300, "rejected": 0 if i < 4 else 3} for i in range(14)}
        made.function("stopped", plan)
        found = answers(made)["stopped"]
        self.assertIn("failures-stopped", found["codes"])
        self.assertIsNone(found["forecast"])
        # A quieter stream has not stopped yet, and a forecast without failures must not say that it does.
        made = case(confirm=1)
        made.function("young", {-i: {"clean": 100, "rejected": 4} for i in range(5)})
        self.assertEqual(answers(made)["young"]["forecast"], {"date": made.date(2), "kind": "steady"})

    def test_the_days_to_come_have_no_volume_and_what_came_later_is_not_known(self):
        # The weekday of the empty day was covered once: what it usually holds is not known, and stays unknown.
        made = case()
        made.project["flags"]["window"] = 14
        plan = {-i: {"clean": 3 if i == 10 else 300} for i in range(12) if i != 3}
        made.function("f", {**plan, 4: {"clean": 3}, 11: {"clean": 3}})
        self.assertEqual(answers(made)["f"]["forecast"], {"date": made.date(11), "kind": "steady"})


class TwinTests(RuleTestCase):
    def test_the_twin_has_nights_of_its_own(self):
        for days, verdict in ((12, "insufficient"), (13, "enforce")):
            made = case(confirm=7)
            made.function("f", {-i: {"clean": 300, "blocked": 30, "auth": "MISSING"} for i in range(days)})
            found = answers(made)["f"]
            self.assertEqual((found["verdict"], found["signedIn"]["verdict"]), ("wait", verdict))
            self.assertEqual("anonymous-only" in found["codes"], verdict == "enforce")

    def test_the_twin_has_a_window_of_its_own(self):
        made = case()
        plan = {-i: {"clean": 220, "clean_auth": "MISSING"} for i in range(28)}
        made.function("f", plan, rows=[row for i in range(28) for row in self.signed_in(made, -i)])
        found = answers(made)["f"]
        self.assertEqual(found["admitted"], 7 * 240)
        self.assertEqual(found["signedIn"]["admitted"], 28 * 20)

    def signed_in(self, made, offset):
        other = case()
        other.today = made.today
        other.function("g", {offset: {"clean": 20}})
        return other.project["functions"][0]["verifications"]


class TogetherTests(RuleTestCase):
    def quiet(self, count=5, **arguments):
        made = case(**arguments)
        for i in range(count):
            made.function(f"small{i}", {-offset: {"clean": 10} for offset in range(20)})
        return made

    def groups(self, made):
        return summary(made.project)["groups"]

    def test_small_functions_are_judged_as_one(self):
        made = self.quiet(confirm=7)
        found = answers(made)
        self.check(found["small0"], "insufficient", "too-few-requests", "safe-together")
        [group] = self.groups(made)
        self.assertAlmostEqual(group.pop("blockedRateUpper"), 1 - 0.05 ** (1 / 1000), places=12)
        self.assertEqual(
            group,
            {
                "name": "quiet",
                "project": "demo-prod",
                "functions": [f"us-central1/small{i}" for i in range(5)],
                "admitted": 5 * 10 * 20,
                "blocked": 0,
                "verdict": "enforce",
            },
        )

    def test_the_sum_has_to_be_confirmed_too(self):
        made = case(confirm=7)
        for i in range(5):
            made.function(f"small{i}", {-offset: {"clean": 10} for offset in range(12)})
        self.assertEqual(self.groups(made)[0]["verdict"], "insufficient")
        self.assertNotIn("safe-together", answers(made)["small0"]["codes"])

    def test_membership_is_a_matter_of_volume_alone(self):
        made = self.quiet(1)
        made.function("bad", {-i: {"clean": 10, "blocked": 10, "hours": (7, 8, 9)} for i in range(20)})
        made.function("just", spread(1499, 20))
        made.function("busy", spread(1500, 20))
        group = self.groups(made)[0]
        self.assertEqual(group["functions"], ["us-central1/bad", "us-central1/just", "us-central1/small0"])
        self.assertEqual(group["verdict"], "wait")

    def test_a_member_that_is_against_is_not_offered(self):
        made = self.quiet(20)
        made.function("bad", {-i: {"blocked": 2, "hours": (7, 8)} for i in range(0, 20, 5)})
        found = answers(made)
        self.assertEqual((self.groups(made)[0]["verdict"], found["bad"]["verdict"]), ("enforce", "wait"))
        self.assertNotIn("safe-together", found["bad"]["codes"])
        self.assertIn("safe-together", found["small0"]["codes"])

    def test_who_is_left_out(self):
        made = self.quiet(2)
        made.function("exempt", spread(100, 20))
        made.function("enforced", spread(100, 20))
        made.function("silent", {-i: {"clean": 10} for i in range(10, 15)})
        made.function("gone", {-i: {"clean": 10} for i in range(30, 35)})
        made.function("elsewhere", spread(100, 20), project="demo-stage")
        made.function("unknown", spread(100, 20), project="-")
        made.function("alsoUnknown", spread(100, 20), project="-")
        made.entry("exempt", exempt="on purpose")
        made.entry("enforced", enforced=made.date(-20))
        self.assertEqual(
            [group["functions"] for group in self.groups(made)], [["us-central1/small0", "us-central1/small1"]]
        )
        made.entry("small0", exempt="on purpose")
        self.assertEqual(self.groups(made), [], "one is no group")

    def test_what_is_selected_does_not_change_the_group(self):
        made = self.quiet()
        expected = self.groups(made)
        made.project["select"] = ["small3"]
        self.assertEqual(self.groups(made), expected)
        self.assertEqual(list(answers(made)), ["small3"])

    def test_each_member_brings_its_own_policy(self):
        made = self.quiet(3)
        made.function("anonymous", {-i: {"clean": 10, "blocked": 10, "auth": "MISSING"} for i in range(20)})
        made.function("fixed", {-i: {"clean": 10, "blocked": 0 if i < 8 else 10} for i in range(20)})
        made.entry("anonymous", requiresAuth=True)
        made.entry("fixed", since=made.date(-7))
        made.entry("small0", maxBlocked=0.001)
        group = self.groups(made)[0]
        self.assertEqual((group["admitted"], group["blocked"]), (4 * 200 + 8 * 10, 0))
        self.assertEqual(group["verdict"], "insufficient", "the smallest of the members' maxima")

    def test_the_earliest_since_of_all_members_is_the_sums(self):
        for entries, verdict in (((-2, -1), "enforce"), ((-2, None), "insufficient"), ((-5, -1), "insufficient")):
            made = case()
            made.project["flags"]["minDays"] = 2
            for i, since in enumerate(entries):
                # The day of the gap is before the fix, and then nobody's.
                made.function(f"small{i}", {-offset: {"clean": 150} for offset in range(6) if offset != 4})
                if since is not None:
                    made.entry(f"small{i}", since=made.date(since))
            self.assertEqual(self.groups(made)[0]["verdict"], verdict, entries)

    def test_records_of_the_input_count_once(self):
        # 473 requests and two that could not be judged: too many by one; the 472 of a single one are enough.
        for total, malformed, verdict in ((472, 1, "enforce"), (471, 1, "insufficient"), (626, 2, "enforce")):
            made = case()
            made.project["malformed"] = malformed
            for i in range(2):
                made.function(f"half{i}", spread(total // 2 + (i < total % 2), 7))
            self.assertEqual(self.groups(made)[0]["verdict"], verdict, total)

    def test_a_member_of_mixed_provenance_taints_the_sum(self):
        made = self.quiet(5)
        self.assertEqual(self.groups(made)[0]["verdict"], "enforce")
        forged = [[made.as_of, "VALID", "VALID", "DEBUG", {"labelled": False}]] * 10
        made.function("forged", {-i: {"clean": 9} for i in range(7)}, rows=forged)
        self.assertEqual(self.groups(made)[0]["verdict"], "insufficient")

    def test_any_members_missing_failures_are_the_sums(self):
        made = self.quiet(3)
        for i in range(2):
            made.function(f"small{i}", {-offset: {"clean": 10} for offset in range(20)}, generation=2)
        self.assertEqual(self.groups(made)[0]["verdict"], "insufficient")
        made.stderr([-10])
        self.assertEqual(self.groups(made)[0]["verdict"], "enforce")


if __name__ == "__main__":
    unittest.main()
