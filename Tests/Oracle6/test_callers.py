"""Platforms, releases and callers that nobody knows, each clause from both sides."""

import unittest

from agents import ANDROID, BROWSERS, DART, WEB_VIEW, apple
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

    def test_ten(self):
        for days, refused in (((5, 5), True), ((5, 4), False), ((10, 0), True)):
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
        self.assertEqual(listed, [("com.example.app", 1), ("ios", 1), ("iphone", 1)])

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

    def test_rows_of_failures_alone(self):
        # Of 1400 valid ones a day half as many as of the blocked ones, or fewer, have a row.
        for known, seen in ((700, True), (699, False)):
            bare = Sent(range(-13, 1), 1400 - known, ANDROID, "VALID", has_row=False)
            found = self.codes(self.FIREFOX, bare, clean=known)
            self.assertEqual(("platform-refused" in found, "platforms-not-seen" in found), (seen, not seen))
            required = self.codes(self.FIREFOX, bare, clean=known, settings={"requireCallers": True})
            self.assertEqual("platforms-not-seen" in required, not seen)

    def test_small_ones_together(self):
        passing = Sent(range(-13, 1), 20, "chrome", "VALID")
        for number, refused in ((10, True), (9, False)):
            sites = [Sent((-(i % 7),), 1, (BROWSERS["chrome"], f"https://school{i}.example/")) for i in range(number)]
            self.assertEqual("platform-refused" in self.codes(passing, *sites), refused)
        accepted = {"acceptPlatforms": ["*.example"]}
        self.assertNotIn("platform-refused", self.codes(passing, *sites, *sites, settings=accepted))

    def test_devices_shells_and_mobile_halves(self):
        many = Sent((-1, -2), 40, apple(), "VALID"), Sent((-1, -2), 40, "chrome", "VALID")
        for client, name in (
            (apple(model="iPad"), "ipad"),
            ("electron", "web/electron"),
            ("instagram", "web/instagram"),
            ("chromeOnIos", "web/chrome-mobile"),
            (DART, "dart"),
        ):
            found = self.answer(Sent((-1, -2), 6, client), *many, clean=1200)
            self.assertIn("platform-refused", found["codes"], name)
            self.assertIn(name, [platform["name"] for platform in found["platforms"]])

    def test_most_are_signed_out(self):
        for counts, refused in (((7, 7, 6), True), ((7, 6, 6), False), ((10, 10, 0), False)):
            sent = [Sent((-i,), count, "safari", auth="MISSING") for i, count in enumerate(counts)]
            self.assertEqual("platform-refused" in self.codes(*sent, clean=500, clean_auth="MISSING"), refused)

    def test_anonymous_ones_are_no_veto(self):
        sent = [Sent((-i,), 6, "edge", auth="MISSING") for i in range(5)]
        self.assertNotIn("platform-refused", self.codes(*sent, clean=800))


class MachineTests(CallersTestCase):
    def test_where_enough_others_come(self):
        for per_day, others, leave in ((100, 14, False), (100, 15, True), (3000, 299, False), (3000, 300, True)):
            sent = [Sent((-i,), others // 14 + (i < others % 14), ANDROID, "VALID") for i in range(14)]
            found = self.answer(*sent, clean=per_day, client="curl/8.5.0")
            self.assertEqual(found["machines"] > 0, leave, (per_day, others))

    def test_they_prove_nothing_about_people(self):
        sent = Sent(range(-6, 1), 50, ANDROID, "VALID"), Sent(range(-6, 1), 3, ANDROID)
        found = self.answer(*sent, clean=2000, client="node")
        self.assertEqual((found["verdict"], found["admitted"], found["machines"]), ("wait", 371, 28000))
        found = self.answer(*sent, clean=2000, client="node", settings={"countMachines": True})
        self.assertEqual((found["verdict"], found["admitted"], found["machines"]), ("enforce", 14371, 0))


class SignedOutTests(CallersTestCase):
    def test_nobody_who_is_signed_out_is_served(self):
        for counts, bare, status, by in (
            ((7, 7, 6), 0, 401, "log"),
            ((7, 6, 6), 0, 401, None),
            ((10, 10, 0), 0, 401, None),
            ((7, 7, 6), 1, 403, "log"),
            ((7, 7, 6), 2, 401, None),
            ((7, 7, 6), 0, 302, None),
        ):
            sent = [Sent((-i,), count, ANDROID, auth="MISSING", status=status) for i, count in enumerate(counts)]
            found = self.answer(*sent, Sent((-2,), bare, ANDROID, auth="MISSING", has_row=False), clean=200)
            self.assertEqual((found["admissionBy"], "signed-out-refused" in found["codes"]), (by, by == "log"))
            self.assertEqual(found["blocked"] == 0, by == "log")


class ReleaseTests(CallersTestCase):
    OLD, NEW = apple(version="1.9"), apple(version="1.10")
    BEFORE = Sent(range(-13, 1), 90, OLD, "VALID")

    def refused(self, *sent, before=BEFORE, **more):
        return "release-refused" in self.codes(before, *sent, **more)

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
    def test_said_beside_a_pass_and_a_reason_where_they_are_required(self):
        for known, said, reason in ((20, None, None), (19, None, None), (18, 0.9, None), (10, 0.5, None), (9, 0.45, 0.45)):
            sent = [Sent((-(i % 7),), 1, "firefox", has_row=i < known) for i in range(20)]
            accepted = {"acceptPlatforms": ["web"]}
            found = self.answer(*sent, settings=accepted)
            self.assertEqual((found["verdict"], found["codes"].get("callers-unknown")), ("enforce", said))
            found = self.answer(*sent, settings={**accepted, "requireCallers": True})
            self.assertEqual(found["verdict"], "enforce" if reason is None else "insufficient")
            self.assertEqual(found["codes"].get("callers-unknown"), reason or said)

    def test_of_all_requests(self):
        for bare, said in ((84, False), (85, True)):
            found = self.codes(Sent((-1,), bare, None, "VALID", has_row=False), clean=228)
            self.assertEqual("callers-unknown" in found, said)


if __name__ == "__main__":
    unittest.main()
