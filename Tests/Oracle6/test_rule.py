"""Every boundary of the rule from both sides, on projects small enough to follow by hand."""

import unittest

import numpy

from boundaries import Case, spread
from instants import DAY, HOUR, instant_text, start_of
from look import age_in_days, window_days
from verdict_oracle import summary

NOON = DAY // 2


# Advice that any project without failures, without rows, or with bursts within an hour gets; separate tests cover it.
COMMON_ADVICE = {"failures-unproven", "callers-unknown", "bad-day"}


def case(time_of_day=DAY - 1, generation=1, confirm=1):
    """A project of which a single look is asked, unless a test is about the nights before."""
    made = Case(numpy.random.default_rng(0), time_of_day)
    made.generation = generation
    made.project["clock"] = "2099-01-01T00:00:00Z"
    made.project["flags"]["confirm"] = confirm
    return made


def answers(made):
    """Readiness by function name, reasons as a dictionary of code to value."""
    rows = summary(made.project)["functions"]
    found = {}
    for row in rows:
        readiness = row["readiness"]
        readiness["codes"] = {reason["code"]: reason["value"] for reason in readiness["reasons"]}
        found[row["function"] if row["generation"] == 1 else row["function"] + "/2"] = readiness
    return found


class RuleTestCase(unittest.TestCase):
    def check(self, answer, verdict, *codes):
        found = answer["codes"].keys() - (COMMON_ADVICE - set(codes))
        self.assertEqual((answer["verdict"], sorted(found)), (verdict, sorted(codes)))


class EvidenceTests(RuleTestCase):
    def test_298_and_299_clean_requests(self):
        made = case()
        made.function("short", spread(298, 7))
        made.function("enough", spread(299, 7))
        found = answers(made)
        self.check(found["short"], "insufficient", "too-few-requests")
        self.assertEqual(found["short"]["codes"]["too-few-requests"], 1)
        self.check(found["enough"], "enforce", "safe")

    def test_age_is_rounded_halves_up(self):
        for more, age in ((0, 7), (1, 7), (-1, 6)):
            self.assertEqual(age_in_days(0, 6 * DAY + NOON + more), age)
        self.assertEqual(age_in_days(0, HOUR), 1)
        self.assertEqual(age_in_days(DAY, 0), 1)

    def test_six_and_a_half_days_are_seven(self):
        made = case(13 * HOUR)
        made.heartbeat(9)
        for name, more in (("half", 0), ("younger", -1)):
            first = made.as_of - 6 * DAY - NOON - more
            made.function(name, spread(600, 6), rows=[[first, "VALID", "VALID", "DEBUG"]])
        found = answers(made)
        self.check(found["half"], "enforce", "safe")
        self.check(found["younger"], "insufficient", "too-few-days")

    def test_exactly_the_maximum_rate_is_undecided(self):
        made = case()
        made.function("atMaximum", {-i: {"clean": 990, "blocked": 10} for i in range(7)})
        found = answers(made)["atMaximum"]
        self.assertEqual(found["blockedRate"], 0.01)
        self.check(found, "insufficient", "too-few-requests")

    def test_two_and_three_active_days(self):
        made = case()
        made.heartbeat(9)
        for days in (2, 3):
            made.function(f"active{days}", {-8: {"rejected": 1}, -4: {"rejected": 3}, **spread(900, days)})
        found = answers(made)
        self.check(found["active2"], "insufficient", "too-few-active-days")
        self.check(found["active3"], "enforce", "safe")

    def test_one_blocked_request_on_a_quiet_sunday(self):
        made = case()
        made.function("sunday", {**{-i: {"clean": 1389} for i in range(7)}, -3: {"blocked": 1}})
        found = answers(made)["sunday"]
        self.assertEqual(found["dispersion"], 1)
        self.check(found, "enforce", "safe")


class TroubleTests(RuleTestCase):
    def test_invalid_exactly_half(self):
        made = case()
        for name, refused in (("half", 70), ("below", 69)):
            made.function(
                name, {-i: {"clean": 100, "blocked": 20, "refused": refused // 7 + (i < refused % 7)} for i in range(7)}
            )
        found = answers(made)
        self.check(found["half"], "investigate", "too-many-blocked", "mostly-invalid")
        self.check(found["below"], "wait", "too-many-blocked")

    def test_two_and_three_hours_of_a_bad_day(self):
        made = case()
        for name, hours in (("two", (9, 10)), ("three", (9, 10, 11))):
            made.function(name, {**spread(7000, 7), -4: {"clean": 1000, "blocked": 40, "hours": hours}})
        found = answers(made)
        self.check(found["two"], "insufficient", "too-few-requests")
        self.check(found["three"], "insufficient", "too-few-requests")
        self.assertEqual(["bad-day" in found[name]["codes"] for name in ("two", "three")], [True, True])

    def test_a_bad_day_takes_the_days_into_account(self):
        # 19 of 1019 on one day: above 1% at a confidence of 95%, but not at 1 - 0.05/7.
        made = case()
        made.function("mild", {**spread(7000, 7), -4: {"clean": 1000, "blocked": 19, "hours": (7, 8, 9)}})
        self.assertNotIn("bad-day", answers(made)["mild"]["codes"])

    def test_last_week_alone_counts_when_the_window_hides_it(self):
        made = case()
        plan = {-i: {"clean": 140, "blocked": 3 + (i == 0)} for i in range(7)}
        made.function("hidden", {**plan, **{-i: {"clean": 250} for i in range(7, 14)}})
        found = answers(made)["hidden"]
        self.assertEqual(found["admitted"], 7 * 143 + 1 + 7 * 250)
        self.assertLess(found["blockedRateLower"], 0.01)
        self.check(found, "wait", "too-many-blocked", "too-few-requests")

    def test_the_first_period_in_trouble_says_whether_it_is_invalid(self):
        made = case()
        plan = {-i: {"clean": 90, "blocked": 4, "refused": 4} for i in range(7)}
        made.function("both", {**plan, **{-i: {"clean": 90, "blocked": 9} for i in range(7, 14)}})
        made.heartbeat(14)
        found = answers(made)["both"]
        self.assertEqual((found["tokenRefused"], found["blocked"]), (28, 91))
        self.assertEqual(found["verdict"], "wait")

    def test_nine_and_ten_failures_on_a_day(self):
        found = {}
        for name, refused, clean in (("nine", 9, 0), ("ten", 10, 0), ("tenAndOne", 10, 1)):
            made = case()
            made.function(name, {**spread(2100, 7), -2: {"clean": clean, "blocked": refused, "refused": refused}})
            found.update(answers(made))
        self.assertNotIn("passes-not-seen", found["nine"]["codes"])
        self.assertEqual(found["ten"]["verdict"], "blind")
        self.assertNotIn("passes-not-seen", found["tenAndOne"]["codes"])


class WindowTests(RuleTestCase):
    def test_window_grows_below_fifteen_over_the_maximum(self):
        made = case()
        for total in (1499, 1500):
            made.function(f"n{total}", {**spread(total, 7), -9: {"clean": 10}})
        made.heartbeat(30)
        found = answers(made)
        self.assertEqual(found["n1500"]["window"]["from"], made.date(-6))
        self.assertEqual(found["n1499"]["window"]["from"], made.date(-13))

    def test_window_grows_below_three_active_days(self):
        made = case()
        for days in (2, 3):
            made.function(f"active{days}", {**spread(3000, days), -9: {"clean": 10}})
        made.heartbeat(30)
        found = answers(made)
        self.assertEqual(found["active3"]["window"]["from"], made.date(-6))
        self.assertEqual(found["active2"]["window"]["from"], made.date(-13))

    def test_the_first_candidate_before_the_stretch_is_cut_and_the_last(self):
        for days, first in ((3, -6), (7, -6), (8, -7), (13, -12), (14, -13), (20, -19), (28, -27), (60, -27)):
            made = case()
            made.heartbeat(days)
            self.assertEqual(answers(made)["heartbeat"]["window"]["from"], made.date(first), days)

    def test_before_noon_one_more_day_in_front(self):
        self.assertEqual(window_days(7, start_of(100) + NOON - 1), range(93, 101))
        self.assertEqual(window_days(7, start_of(100) + NOON), range(94, 101))
        self.assertEqual(window_days(7, start_of(100) + NOON - 1, since=98), range(98, 101))
        made = case(NOON - 1)
        made.heartbeat(14)
        self.assertEqual(answers(made)["heartbeat"]["window"]["from"], made.date(-13), "cut: the fifteenth is missing")
        made.heartbeat(16)
        self.assertEqual(answers(made)["heartbeat"]["window"]["from"], made.date(-15), "cut from 22")

    def test_entries_after_the_as_of_are_counted_and_enter_nothing(self):
        made = case()
        made.function("later", {**spread(700, 7), 1: {"blocked": 50}, 3: {"blocked": 50}})
        found = answers(made)["later"]
        self.check(found, "enforce", "safe")
        found = summary(made.project)
        self.assertEqual((found["functions"][0]["verifications"], found["input"]["later"]), (700, 100))

    def test_as_of_is_the_newest_not_beyond_the_clock_and_a_day(self):
        made = case()
        made.project["asOf"] = None
        made.function("f", spread(14, 7), rows=[[made.as_of + DAY, "VALID", "VALID", "DEBUG"]])
        made.project["clock"] = instant_text(made.as_of)
        self.assertEqual(summary(made.project)["asOf"], instant_text(made.as_of + DAY))
        made.project["clock"] = instant_text(made.as_of - 1)
        self.assertNotEqual(summary(made.project)["asOf"], instant_text(made.as_of + DAY))


if __name__ == "__main__":
    unittest.main()
