"""Clauses about the log: where it begins, and what may be missing from it.

Each test is named after the wrong answer that a simpler rule gave.
"""

import unittest

from boundaries import spread
from instants import HOUR, instant_text, start_of, weekday_of
from test_rule import RuleTestCase, answers, case


def row(made, offset, app="VALID", auth="VALID", severity="DEBUG", hour=12, **extra):
    made_row = [start_of(made.today + offset) + hour * HOUR, app, auth, severity]
    return [*made_row, extra] if extra else made_row


def monday(made, more=0):
    """Moves a project so that its as-of's day is a Monday, or as many days after one."""
    shift = (more - weekday_of(made.today)) % 7
    made.today += shift
    made.as_of += start_of(shift)
    made.project["asOf"] = instant_text(made.as_of)
    return made


class StretchTests(RuleTestCase):
    def test_a_stray_entry_does_not_make_a_log_of_three_days_old(self):
        for stray in (-20_000, -21, -7):
            made = case()
            made.function("f", spread(3000, 3), rows=[row(made, stray)])
            found = answers(made)["f"]
            self.assertEqual((found["ageDays"], found["admitted"]), (3, 3000), stray)
            self.assertAlmostEqual(found["observedDays"], 3 - 1 / 48)  # the first comes at 00:30
            self.check(found, "insufficient", "too-few-days", "coverage-gap")

    def test_three_empty_days_are_bridged_and_four_are_not(self):
        for empty, age in ((3, 21 + 3), (4, 7)):
            made = case()
            made.function("f", {**spread(700, 7), **{-7 - empty - i: {"clean": 10} for i in range(14)}})
            self.assertEqual(answers(made)["f"]["ageDays"], age)

    def test_quiet_days_of_the_policy_bridge_a_stretch(self):
        made = case()
        made.function("f", {**spread(700, 7), **{-11 - i: {"clean": 10} for i in range(14)}})
        made.project["policy"]["policy"]["quietDays"] = [made.date(-9)]
        self.assertEqual(answers(made)["f"]["ageDays"], 25)

    def test_a_day_before_the_stretch_is_empty_even_within_the_window(self):
        made = case()
        made.function("f", {0: {"clean": 500}, -1: {"clean": 500}, -6: {"clean": 500, "blocked": 400}})
        found = answers(made)["f"]
        self.assertEqual((found["admitted"], found["blocked"], found["activeDays"]), (1000, 0, 2))
        self.assertIn("coverage-gap", found["codes"])

    def test_numbers_a_day_divide_by_the_days_on_which_the_function_was_there(self):
        made = case()
        made.heartbeat(30)
        made.function("young", {-i: {"clean": 80, "blocked": 20} for i in range(4)})
        found = answers(made)["young"]
        self.assertAlmostEqual(found["observedDays"], 4 - 1 / 48)
        self.assertAlmostEqual(found["blockedPerDay"], 80 / (4 - 1 / 48))

    def test_since_before_the_stretch_leaves_empty_days(self):
        made = case()
        made.function("f", spread(4000, 4))
        made.entry("f", since=made.date(-5))
        found = answers(made)["f"]
        self.assertEqual((found["window"]["from"], found["ageDays"]), (made.date(-5), 4))
        self.assertIn("coverage-gap", found["codes"])

    def test_since_cuts_the_last_days_too(self):
        made = case()
        made.function("f", {-i: {"clean": 300, "blocked": 90} for i in range(4, 20)})
        made.function("g", {-i: {"clean": 300} for i in range(20)})
        made.project["since"] = made.date(-3) + "T00:00:00Z"
        self.assertEqual(list(answers(made)), ["g"])
        found = answers(made)["g"]
        self.assertEqual((found["window"]["from"], found["admitted"], found["ageDays"]), (made.date(-3), 1200, 4))
        self.check(found, "insufficient", "too-few-days")


class BlindTests(RuleTestCase):
    def refused_day(self, refused, others=(), others_generation=1, others_project="demo-prod", **others_extra):
        """A function of 300 requests a day, of which one day holds nothing but refused ones."""
        made = case()
        plan = {-i: {"clean": 300} for i in range(10)}
        plan[-2] = {"blocked": refused, "refused": refused, "hours": (7, 8, 9)}
        made.function("f", plan)
        made.function(
            "other",
            {offset: {"clean": 1} for offset in others},
            others_generation,
            project=others_project,
            extra=others_extra or None,
        )
        return answers(made)["f"]["verdict"]

    def test_lost_passes_shrink_a_day_and_an_outage_does_not(self):
        self.assertEqual(self.refused_day(149), "blind")
        self.assertEqual(self.refused_day(150), "insufficient")

    def test_another_functions_pass_shows_that_passes_are_there(self):
        self.assertEqual(self.refused_day(20, others=(-2,)), "insufficient")
        self.assertEqual(self.refused_day(20, others=(-3,)), "blind")
        self.assertEqual(self.refused_day(20, others=(-2,), others_generation=2), "blind")
        self.assertEqual(self.refused_day(20, others=(-2,), others_project="demo-stage"), "blind")
        self.assertEqual(self.refused_day(20, others=(-2,), labelled=False), "blind")

    def test_the_log_level_of_an_unlabelled_function_is_its_own(self):
        made = case(generation=2)
        made.function("node", spread(700, 7))
        made.function(
            "python", {-i: {"blocked": 4, "refused": 4} for i in range(7)}, extra={"labelled": False, "text": True}
        )
        self.assertEqual(answers(made)["python/2"]["verdict"], "blind")

    def test_a_function_all_of_whose_tokens_are_refused_is_not_blind(self):
        made = case()
        made.function("refused", {-i: {"blocked": 4, "refused": 4} for i in range(7)})
        made.function("other", {-i: {"clean": 1} for i in range(4)})
        found = answers(made)["refused"]
        self.assertEqual(found["verdict"], "investigate")
        self.assertIn("all-refused", found["codes"])
        # Shown on three of seven days: on at least half of them passes are not shown.
        made.project["functions"][1]["verifications"] = [row(made, -i) for i in range(3)]
        found = answers(made)["refused"]
        self.assertEqual(found["verdict"], "blind")
        self.assertNotIn("all-refused", found["codes"])


class GapTests(RuleTestCase):
    def gap(self, offsets, **policy):
        made = monday(case(20 * HOUR))
        made.function("f", {offset: {"clean": 300} for offset in offsets})
        made.project["policy"]["policy"].update(policy)
        return "coverage-gap" in answers(made)["f"]["codes"]

    def test_the_second_free_weekend_is_a_habit(self):
        # -1 and -2 are Sunday and Saturday.
        self.assertTrue(self.gap([0, -3, -4, -5, -6, -7]))
        self.assertTrue(self.gap([-i for i in range(15) if i not in (1, 2)]))
        self.assertFalse(self.gap([-i for i in range(15) if i not in (1, 2, 8, 9)]))

    def test_a_habit_takes_a_week_between_that_is_mostly_covered(self):
        # Days that the policy calls quiet are excused themselves, and are still not covered.
        made = monday(case())
        for quiet, lost in (((3, 5), False), ((2, 4, 6), True)):
            offsets = [-i for i in range(15) if i not in (1, 8, *quiet)]
            self.assertEqual(self.gap(offsets, quietDays=[made.date(-i) for i in quiet]), lost)

    def test_the_weekday_of_a_week_later_excuses_too(self):
        self.assertFalse(self.gap([-i for i in range(11) if i not in (1, 8)]), "both lie in the longer window")

    def test_a_day_that_hides_next_to_nothing(self):
        for usual, lost in ((7, False), (8, True)):
            made = monday(case())
            # Another day is lost as well, or this one would be passed over.
            offsets = [-i for i in range(21) if i not in (3, 5)]
            made.function("f", {offset: {"clean": 30 if (-offset) % 7 != 5 else usual} for offset in offsets})
            self.assertEqual("coverage-gap" in answers(made)["f"]["codes"], lost)

    def test_next_to_nothing_is_not_known_of_one_weekday(self):
        made = monday(case())
        made.function("f", {-i: {"clean": 1 if i == 12 else 30} for i in range(14) if i not in (3, 5)})
        self.assertIn("coverage-gap", answers(made)["f"]["codes"])

    def test_the_whole_run_of_empty_days_counts(self):
        made = monday(case(generation=1))
        # Saturdays and Sundays of four requests each: one day hides four, the two together eight.
        plan = {-i: {"clean": 4 if i % 7 in (1, 2) else 30} for i in range(22) if i not in (1, 2)}
        made.function("f", plan)
        self.assertIn("coverage-gap", answers(made)["f"]["codes"])
        plan[-1] = {"clean": 1}
        made.project["functions"] = []
        made.function("f", plan)
        self.assertNotIn("coverage-gap", answers(made)["f"]["codes"])

    def test_the_whole_run_counts_where_it_leaves_the_window_and_where_a_part_is_excused(self):
        for run, quiet in (((6, 7), ()), ((1, 2), (1,))):
            made = monday(case())
            week = {i % 7 for i in run}
            made.function("f", {-i: {"clean": 4 if i % 7 in week else 300} for i in range(28) if i not in (*run, 10)})
            made.project["policy"]["policy"]["quietDays"] = [made.date(-i) for i in quiet]
            self.assertIn("coverage-gap", answers(made)["f"]["codes"], run)

    def test_of_days_before_the_first_only_those_that_the_policy_names_are_excused(self):
        for quiet, expected in ((range(0), True), (range(4, 6), True), (range(4, 9), False)):
            made = case()
            made.function("f", spread(3000, 4))
            made.project["policy"]["policy"]["quietDays"] = [made.date(-i) for i in quiet]
            self.assertEqual("coverage-gap" in answers(made)["f"]["codes"], expected, quiet)

    def test_one_lost_day_is_passed_over(self):
        for other, lost in ((4, True), (16, True), (17, False), (20, False)):
            for days in ((3, other), (3 + 6, other + 6)):
                self.assertEqual(self.gap([-i for i in range(40) if i not in days], window=28, maxWindow=28), lost, days)
        self.assertFalse(self.gap([-i for i in range(1, 40)]), "the as-of's own day")

    def test_a_lost_day_costs_no_night(self):
        for days, nights in (((3,), 34), ((3, 4), 0)):
            made = case(confirm=7)
            made.function("f", {-i: {"clean": 300} for i in range(40) if i not in days})
            self.assertEqual(answers(made)["f"]["safeNights"], nights)

    def test_the_policy_names_quiet_days(self):
        offsets = [-i for i in range(15) if i not in (1, 2)]
        self.assertTrue(self.gap([i for i in offsets if i != -10], quietDays=["sat"]))
        self.assertFalse(self.gap(offsets, quietDays=["sat", "sun"]))
        made = monday(case())
        self.assertFalse(self.gap(offsets, quietDays=[made.date(-1), "sat"]))

    def test_half_an_export_is_no_habit(self):
        # Four days lost in each week: three of the six days between are covered. Every other day: no weekday repeats.
        self.assertTrue(self.gap([-i for i in range(22) if i % 7 not in (1, 3, 5, 6)]))
        self.assertTrue(self.gap(range(-20, 1, 2)))


class ExportAgeTests(RuleTestCase):
    def old(self, clock, offsets, command="check", **policy):
        """A log that ends on Friday at noon, looked at later."""
        made = monday(case(), more=4)
        made.project.update(asOf=None, clock=instant_text(start_of(made.today) + clock * HOUR), command=command)
        made.function("f", {-i: {"clean": 300} for i in offsets}, rows=[row(made, 0)])
        made.project["policy"]["policy"].update(policy)
        return "export-old" in answers(made)["f"]["codes"]

    def test_36_hours(self):
        self.assertFalse(self.old(12 + 36, range(8)))
        self.assertTrue(self.old(12 + 37, range(8)))
        self.assertFalse(self.old(12 + 37, range(8), command="default"))

    def test_who_names_the_instant_does_not_mean_now(self):
        made = case()
        made.project["command"] = "check"
        made.function("f", spread(700, 7))
        self.check(answers(made)["f"], "enforce", "safe")

    def test_a_free_weekend_is_not_held_against_the_log(self):
        free = [i for i in range(20) if i % 7 not in (5, 6)]  # Sundays and Saturdays before a Friday
        self.assertFalse(self.old(12 + 36 + 24, free), "Sunday midnight: Saturday is excused")
        self.assertFalse(self.old(3 * 24 + 8, free), "Monday at eight")
        self.assertTrue(self.old(4 * 24 + 13, free), "Tuesday, one o'clock: Monday is no free day")
        self.assertTrue(self.old(3 * 24 + 8, range(8)))
        self.assertFalse(self.old(3 * 24 + 8, range(8), quietDays=["sat", "sun"]))


class FailuresStreamTests(RuleTestCase):
    def test_a_failure_of_last_month_says_nothing_of_this_week(self):
        for offset, expected in ((-6, False), (-7, True), (-20, True)):
            made = case(generation=2)
            plan = {-i: {"clean": 300} for i in range(28)}
            plan[offset] = {"clean": 300, "rejected": 1}
            made.function("f", plan)
            self.assertEqual("failures-not-seen" in answers(made)["f/2"]["codes"], expected)

    def test_the_window_is_the_functions_own(self):
        made = case(generation=2)
        made.function("busy", {-i: {"clean": 300, "rejected": int(i == 20)} for i in range(28)})
        made.function("quiet", {-i: {"clean": 12} for i in range(28)})
        found = answers(made)
        self.assertIn("failures-not-seen", found["busy/2"]["codes"])
        self.assertNotIn("failures-not-seen", found["quiet/2"]["codes"])

    def test_failures_unproven(self):
        for clean, rejected, expected in (
            (300, None, True),
            (299, None, False),
            (300, -27, False),
            (300, -40, False),
            (300, -60, True),  # before the stretch
        ):
            made = case()
            made.heartbeat(50)
            made.function("f", spread(clean, 28))
            if rejected:
                made.function("g", {rejected: {"rejected": 1}})
            self.assertEqual("failures-unproven" in answers(made)["f"]["codes"], expected)

    def test_only_the_failures_are_taken_on_trust(self):
        made = case(generation=2)
        made.function("f", {-i: {"clean": 300} for i in range(14) if i not in (3, 4)})
        made.project["flags"]["assumeComplete"] = "failures"
        self.check(answers(made)["f/2"], "insufficient", "coverage-gap")


class UncountedTests(RuleTestCase):
    def codes(self, rows=(), **more):
        made = case()
        made.function("f", spread(472, 7), rows=rows)
        made.project.update(more)
        return answers(made)["f"]["codes"]

    def test_records_that_could_tip_the_balance(self):
        # 473 is the least at which one blocked request leaves the upper bound at 1%.
        self.assertNotIn("uncounted", self.codes(malformed=1))
        self.assertEqual(self.codes(malformed=1, unexpected=1)["uncounted"], 2)
        self.assertEqual(self.codes(malformed=1, oversized=1)["uncounted"], 2)

    def test_undated_verifications_count_when_enforcement_could_refuse_them(self):
        undated = [[None, app, auth, "DEBUG"] for app, auth in (("MISSING", "VALID"), ("INVALID", "MISSING"))]
        harmless = [[None, "VALID", "VALID", "DEBUG"], [None, "MISSING", "INVALID", "WARNING"]] * 20
        self.assertEqual(self.codes(undated + harmless)["uncounted"], 2)
        self.assertNotIn("uncounted", self.codes(harmless))
        self.assertEqual(self.codes(undated, flags={"confirm": 1, "assumeComplete": "failures"})["uncounted"], 2)
        self.assertNotIn("uncounted", self.codes(undated, flags={"confirm": 1, "assumeComplete": True}))


if __name__ == "__main__":
    unittest.main()
