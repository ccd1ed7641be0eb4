"""Looks over many nights: confirmation, the forecast's, the signed-in twin's."""

import unittest

from test_rule import NOON, RuleTestCase, answers, case


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
        self.assertIn("too-few-requests", answers(made)["f"]["codes"])
        plan[-8] = plan.pop(-7)
        plan[-7] = {"clean": 300}
        made.project["functions"] = []
        made.function("f", plan)
        self.assertEqual(answers(made)["f"]["safeNights"], 1 + 1, "the night of day -1 begins with -7")

    def test_nights_before_since_never_confirm(self):
        made = case(confirm=7)
        made.function("f", {-i: {"clean": 300} for i in range(30)})
        for since, minimum, nights in ((-8, 7, 7), (-3, 1, 2), (0, 1, 0)):
            made.project["policy"]["functions"] = []
            made.project["flags"]["minDays"] = minimum
            made.entry("f", since=made.date(since))
            # The age is asked once; three active days are there on the third night.
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

    def test_age_is_asked_at_the_as_of_and_not_on_the_nights_before(self):
        for days, verdict, codes, date in (
            (6, "insufficient", {"too-few-days"}, 3),
            (8, "insufficient", {"not-confirmed"}, 1),
            (9, "enforce", {"safe"}, None),
        ):
            made = case(confirm=7)
            made.heartbeat(30)
            made.function("f", {-i: {"clean": 300} for i in range(days)})
            found = answers(made)["f"]
            self.check(found, verdict, *codes)
            self.assertEqual((found["forecast"] or {}).get("date"), date and made.date(date))

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
        plan = {-i: {"clean": 3 if i == 10 else 300} for i in range(12) if i not in (3, 5)}
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


if __name__ == "__main__":
    unittest.main()
