"""Platforms, releases and callers that nobody knows, each clause from both sides."""

import unittest

from agents import ANDROID, BROWSERS, WEB_VIEW, apple
from boundaries_callers import Sent, called
from test_rule import RuleTestCase, answers, case


class CallersTestCase(RuleTestCase):
    def answer(self, *sent, clean=800, settings=None, **more):
        made = case(generation=2)
        called(made, "f", *sent, clean=clean, **more)
        if settings:
            made.entry("f", **settings)
        return answers(made)["f/2"]

    def codes(self, *sent, **more):
        return self.answer(*sent, **more)["codes"]


class PlatformTests(CallersTestCase):
    FIREFOX = Sent((-1, -2), 6, "firefox")

    def test_ten_on_two_days(self):
        for days, refused in (((5, 5), True), ((5, 4), False), ((10, 0), False)):
            sent = [Sent((-i,), count, "safari") for i, count in enumerate(days)]
            found = self.answer(*sent)
            self.assertEqual(found["verdict"], "wait" if refused else "enforce")
            self.assertEqual("platform-refused" in found["codes"], refused)

    def test_surely_more_than_half(self):
        for valid, refused in ((2, True), (3, False)):
            sent = Sent((-3,), valid, "firefox", "VALID")
            self.assertEqual("platform-refused" in self.codes(self.FIREFOX, sent), refused, valid)
        self.assertIn("platform-refused", self.codes(self.FIREFOX, Sent((-3,), 90, "chrome", "VALID")))

    def test_half_is_the_least_limit(self):
        found = self.codes(self.FIREFOX, Sent((-3,), 3, "firefox", "VALID"), settings={"maxBlocked": 0.9})
        self.assertNotIn("platform-refused", found)

    def test_programs_that_sign_in_are_platforms(self):
        for client, kind in (("curl/8.5.0", "tool"), ("node", "node"), (None, "none"), ("Godot/4", "other")):
            sent = Sent((-1, -2), 9, client)
            self.assertIn("platform-refused", self.codes(sent, clean=1200), kind)
            for setting in ("acceptPlatforms", "ignoreClients"):
                made = case(generation=2)
                called(made, "f", sent, clean=1200)
                made.project["flags"][setting] = [kind]
                self.assertNotIn("platform-refused", answers(made)["f/2"]["codes"], (kind, setting))
        self.assertNotIn("platform-refused", self.codes(Sent((-1, -2), 9, apple(machine="sim")), clean=1200))
        sent = Sent(range(-4, 1), 9, "curl/8.5.0", auth="MISSING")
        self.assertNotIn("platform-refused", self.codes(sent, clean=300, clean_auth="MISSING"))

    def test_four_weeks_of_a_busy_function(self):
        one_a_day = Sent(range(-27, 1), 1, "firefox")
        self.assertIn("platform-refused", self.codes(one_a_day, clean=900, days=28))
        self.assertNotIn("platform-refused", self.codes(one_a_day, clean=900, days=28, settings={"maxWindow": 7}))

    def test_cured_or_gone(self):
        sent = Sent(range(-20, -9), 3, "firefox")
        for recent, refused in (((0, 0), False), ((1, 1), True), ((1, 2), False), ((3, 3), True)):
            blocked, valid = recent
            more = Sent((-1,), blocked, "firefox"), Sent((-2,), valid, "firefox", "VALID")
            self.assertEqual("platform-refused" in self.codes(sent, *more, clean=900, days=28), refused, recent)

    def test_a_site_in_a_browser_that_passes(self):
        site = "https://parents.academy.example/lesson?id=1"
        sent = Sent(range(-6, 1), 4, (BROWSERS["chrome"], site)), Sent(range(-6, 1), 96, "chrome", "VALID")
        found = self.answer(*sent, clean=900)
        self.assertEqual(found["verdict"], "wait")
        names = [one["name"] for one in found["platforms"]]
        self.assertEqual(names, ["parents.academy.example", "web", "web/chrome"])
        for name in ("parents.academy.example", "web"):
            self.assertEqual(self.answer(*sent, clean=900, settings={"acceptPlatforms": [name]})["verdict"], "enforce")
        sent = Sent((-1, -2), 5, (WEB_VIEW, site)), Sent((-3,), 2, (BROWSERS["safari"], site)), *sent[1:]
        self.assertEqual(self.answer(*sent, clean=900)["platforms"][0]["blocked"], 12)

    def test_what_the_json_lists(self):
        found = self.answer(self.FIREFOX, Sent((-3,), 1, apple()), settings={"acceptPlatforms": ["web"]})
        listed = [(platform["name"], platform["blocked"]) for platform in found["platforms"]]
        self.assertEqual(listed, [*((name, 12) for name in ("app.example.com", "web", "web/firefox")), ("com.example.app", 1), ("ios", 1)])

    def test_accepted(self):
        for name, refused in (("web", False), ("web/firefox", False), ("web/chrome", True), ("ios", True)):
            found = self.answer(self.FIREFOX, settings={"acceptPlatforms": [name]})
            self.assertEqual("platform-refused" in found["codes"], refused, name)
            self.assertEqual(found["blocked"], 12)

    def test_others_make_it_no_less_sure(self):
        sent = Sent((-1, -2), 6, "chrome"), Sent((-3,), 2, "chrome", "VALID")
        others = Sent((-1, -2), 5, apple()), Sent((-1, -2), 5, ANDROID)
        alone, among = self.codes(*sent), self.codes(*sent, *others, settings={"acceptPlatforms": ["ios", "android"]})
        self.assertEqual(alone["platform-refused"], among["platform-refused"])

    def test_days_whose_rows_were_dropped_say_nothing(self):
        for bare, refused in ((1, True), (2, False)):
            sent = Sent((0, -1), bare, ANDROID, "VALID", has_row=False)
            # A small day: two of nineteen without a row are more than one in twenty.
            found = self.codes(Sent((0, -1), 5, "firefox"), sent, clean=12)
            self.assertEqual("platform-refused" in found, refused)

    def test_most_are_signed_out(self):
        for counts, refused in (((7, 7, 6), True), ((7, 6, 6), False), ((10, 10, 0), False)):
            sent = [Sent((-i,), count, "safari", auth="MISSING") for i, count in enumerate(counts)]
            self.assertEqual("platform-refused" in self.codes(*sent, clean=500, clean_auth="MISSING"), refused)

    def test_a_quarter_of_the_maximum(self):
        sent = [Sent((-i,), 8, "safari", auth="MISSING") for i in range(3)]
        for clean, refused in ((684, True), (685, False)):
            # 14 * 684 + 24 = 9600: 24 are a quarter of one per cent.
            self.assertEqual("platform-refused" in self.codes(*sent, clean=clean, clean_auth="MISSING"), refused)

    def test_anonymous_ones_are_no_veto(self):
        sent = [Sent((-i,), 6, "edge", auth="MISSING") for i in range(5)]
        found = self.answer(*sent, clean=800)
        self.assertEqual((found["verdict"], "platform-anonymous" in found["codes"]), ("enforce", True))
        self.assertNotIn("platform-anonymous", self.codes(*sent, clean=800, settings={"requiresAuth": True}))


class ReleaseTests(CallersTestCase):
    OLD, NEW = apple(version="1.9"), apple(version="1.10")
    BEFORE = Sent(range(-13, 1), 90, OLD, "VALID")

    def refused(self, *sent, before=BEFORE, **more):
        return "release-refused" in self.codes(before, *sent, **more)

    def test_five_on_two_days(self):
        for days, refused in (((3, 2), True), ((2, 2), False), ((5, 0), False)):
            sent = [Sent((-i,), count, self.NEW) for i, count in enumerate(days)]
            before = Sent(range(-13, 1), 30, self.OLD, "VALID")
            self.assertEqual(self.refused(*sent, Sent((0, -1), 2, self.NEW, "VALID"), before=before), refused, days)

    def test_one_in_twenty_of_the_last_three_days(self):
        for new, old, refused in ((15, 15, True), (14, 16, False)):
            sent = Sent((0,), new - 7, self.NEW), Sent((-1,), 7, self.NEW), Sent((-2,), old, self.OLD, "VALID")
            self.assertEqual(self.refused(*sent), refused)

    def test_an_older_version_is_the_usual_rest(self):
        self.assertFalse(self.refused(Sent((0, -1), 9, apple(version="1.8"))))
        self.assertTrue(self.refused(Sent((0, -1), 9, apple(version="1.9.0.1"))))

    def test_a_lower_version_of_the_last_three_days(self):
        for end, refused in ((-2, False), (-1, True)):
            before = Sent(range(-13, end), 90, self.OLD, "VALID")
            self.assertEqual(self.refused(Sent((0, -1), 9, self.NEW), before=before), refused)
        before = Sent(range(-13, 1), 90, apple(version=None), "VALID")
        self.assertFalse(self.refused(Sent((0, -1), 9, self.NEW), before=before))

    def test_older_versions_fail_as_well(self):
        old = Sent(range(-13, -1), 90, self.OLD, "VALID")
        # 16 of 20, and 11 or 12 of 20 of the others on those days.
        for others, refused in ((11, True), (12, False)):
            sent = [Sent((0, -1), 8, self.NEW), Sent((0, -1), 2, self.NEW, "VALID")]
            sent += [Sent((0,), others, self.OLD), Sent((-1,), 20 - others, self.OLD, "VALID")]
            self.assertEqual(self.refused(*sent, before=old), refused, others)
        self.assertFalse(self.refused(Sent((0, -1), 9, self.NEW), Sent((0, -1), 9, self.OLD), before=old))
        # On the days of the new one the old one was not seen.
        self.assertTrue(self.refused(Sent((0, -2), 9, self.NEW), Sent((-1,), 9, self.OLD), before=old))

    def test_surely_more_than_a_tenth(self):
        for valid, refused in ((12, True), (20, False)):
            self.assertEqual(
                self.refused(Sent((0, -1), 3, self.NEW), Sent((0, -1), valid // 2, self.NEW, "VALID")), refused
            )

    def test_accepted_by_name_and_no_older_one_takes_its_place(self):
        sent = Sent((0, -1), 9, self.NEW), Sent((0, -1), 4, apple(version="1.9.5"), "VALID")
        self.assertTrue(self.refused(*sent))
        for name, refused in (
            ("com.example.app@1.10", False),
            ("com.example.app", False),
            ("com.example.app@1.9", True),
        ):
            self.assertEqual(self.refused(*sent, settings={"acceptPlatforms": [name]}), refused, name)


class UnknownCallersTests(CallersTestCase):
    def test_half_of_the_blocked_have_a_row(self):
        for known, unknown in ((4, False), (3, True)):
            sent = Sent((-1,), known, "firefox"), Sent((-2,), 8 - known, None, has_row=False)
            found = self.answer(*sent)
            self.assertEqual((found["verdict"], "callers-unknown" in found["codes"]), ("enforce", unknown))
            made = case(generation=2)
            called(made, "f", *sent, clean=800)
            made.project["flags"]["requireCallers"] = True
            found = answers(made)["f/2"]
            self.assertEqual(found["verdict"], "insufficient" if unknown else "enforce")
            self.assertEqual(found["codes"].get("callers-unknown"), 3 / 8 if unknown else None)
            self.assertIsNone(found["forecast"])

    def test_nobody_blocked(self):
        self.assertNotIn("callers-unknown", self.codes())


if __name__ == "__main__":
    unittest.main()
