"""Thresholds of the ordinary rule from both sides."""
import unittest

from make_projects import CHROME
from moments import DAY, HOUR
from sample import APP, LAST, Sample


def quiet():
    """A project whose stream of failures is read."""
    return Sample().stderr()


class Verdicts(unittest.TestCase):
    def codes(self, sample, *arguments, policy=None):
        return sample.readiness(*arguments, policy=policy)["codes"]

    def test_enforce_and_nights(self):
        r = quiet().days(30, 0).readiness()
        self.assertEqual((r["verdict"], r["safeNights"], r["safeSince"]), ("enforce", 7, "2026-10-08"))

    def test_three_hundred_clean_requests(self):
        """299 in the window bring the upper bound to 1 %, 298 do not."""
        for extra, holds in ((5, False), (4, True)):
            s = quiet().days(6, 0, valid=42).add(1, times=extra)
            self.assertEqual("too-few-requests" in self.codes(s), holds, extra)

    def test_blocked_shares(self):
        for days, app, verdict in ((1, "MISSING", "insufficient"), (14, "MISSING", "wait"), (14, "INVALID", "investigate")):
            s = quiet().days(13, 0, valid=30)
            for back in range(days):
                s.add(back, app)
            self.assertEqual(s.readiness()["verdict"], verdict)

    def test_too_few_days(self):
        for first, holds in ((6, False), (5, True)):
            self.assertEqual("too-few-days" in self.codes(quiet().days(first, 0, valid=200)), holds)

    def test_active_days(self):
        for days, holds in (((0, 3, 5), False), ((0, 5), True)):
            s = quiet()
            s.days(10, 8)
            for d in days:
                s.add(d, times=200)
            self.assertEqual("too-few-active-days" in self.codes(s, "--set", "max-window=7d"), holds)

    def test_stale(self):
        for last, holds in ((3, False), (4, True)):
            s = quiet().days(30, last)
            s.days(30, 0, name="other")
            self.assertEqual("stale" in self.codes(s), holds)

    def test_coverage_gap_and_its_excuses(self):
        gap = lambda *missing: self._with_gaps(missing)
        self.assertNotIn("coverage-gap", self.codes(gap(3)))                     # the only one in a fortnight
        self.assertIn("coverage-gap", self.codes(gap(3, 5)))
        self.assertNotIn("coverage-gap", self.codes(gap(3, 10)))                 # the same weekday, twice
        self.assertNotIn("coverage-gap", self.codes(gap(3, 5), policy="policy: {quiet-days: [2026-10-11, 2026-10-09]}\n"))
        self.assertNotIn("coverage-gap", self.codes(gap(3, 5), "--set", "assume-complete=true"))

    def _with_gaps(self, missing):
        s = quiet()
        for back in range(30, -1, -1):
            if back not in missing:
                s.add(back, times=40)
        return s

    def test_hides_next_to_nothing(self):
        for volume, holds in ((3, False), (4, True)):
            s = quiet()
            for back in range(34, -1, -1):
                if back not in (2, 4):
                    s.add(back, times=20 if back not in range(2, 36, 7) and back not in range(4, 36, 7) else 8 if volume == 4 else 7)
            self.assertEqual("coverage-gap" in self.codes(s), holds)

    def test_proven_gap(self):
        s = self._with_gaps((3,))
        row = s.services["f"]
        s.project._entry(row, (LAST - 3) * DAY + 1, "requests", "INFO", "f-1", httpRequest={"requestMethod": "POST", "status": 200, "userAgent": "x"})
        self.assertIn("coverage-gap", self.codes(s))

    def test_blind(self):
        for agents, verdict in ((0, "blind"), (1, "insufficient")):
            s = Sample().days(14, 8)
            s.days(6, 0, valid=0)
            for back in range(6, -1, -1):
                s.add(back, "INVALID", times=20)
                if agents:
                    s.add(back, name="other")
            r = s.readiness("--set", "max-window=7d")
            self.assertEqual(r["verdict"] == "blind", not agents)

    def test_blind_by_unlogged(self):
        for rows, holds in ((20, True), (19, False)):
            s = quiet().days(20, 0, valid=9)
            for i in range(rows):
                s.project._entry(s.services["f"], (LAST - 1) * DAY + HOUR + i, "requests", "INFO", "f-1", httpRequest={"requestMethod": "POST", "status": 200, "userAgent": "x"})
            self.assertEqual("passes-not-seen" in self.codes(s), holds)

    def test_failures_not_seen(self):
        self.assertIn("failures-not-seen", self.codes(Sample(rows=False).days(20, 0)))
        self.assertNotIn("failures-not-seen", self.codes(Sample(rows=True).days(20, 0)))       # rows show the window whole
        self.assertNotIn("failures-not-seen", self.codes(Sample(rows=False).days(20, 0), "--set", "assume-complete=failures"))
        self.assertNotIn("failures-not-seen", self.codes(Sample(rows=False, generation=1).days(20, 0)))

    def test_failures_stopped(self):
        for quiet_days, holds in ((3, False), (5, True)):
            s = Sample(rows=False).days(20, 0, valid=400)
            for back in range(20, quiet_days - 1, -1):
                s.add(back, "INVALID", times=2)
            self.assertEqual("failures-stopped" in self.codes(s), holds)

    def test_failures_late(self):
        for first, holds in ((24, True), (27, False)):
            s = Sample(rows=False).days(27, 0, valid=60)
            for back in range(first, -1, -1):
                s.add(back, "INVALID", "INVALID", times=3)
            self.assertEqual("failures-late" in self.codes(s), holds)

    def test_few(self):
        s = quiet().days(30, 0, valid=2).add(20, "MISSING")
        self.assertEqual("few" in self.codes(s, "--set", "max-per-week=2"), True)
        self.assertNotIn("few", self.codes(s, "--set", "max-per-week=1"))

    def test_not_confirmed(self):
        s = quiet().days(20, 0, valid=60).add(8, "MISSING", times=13)
        r = s.readiness("--set", "max-window=7d")
        self.assertEqual((r["verdict"], r["codes"], r["safeNights"]), ("insufficient", {"not-confirmed"}, 2))

    def test_exempt_and_superseded(self):
        self.assertEqual(quiet().days(20, 0).readiness(policy="functions:\n  - match: f\n    exempt: because\n")["verdict"], "exempt")
        s = Sample(generation=1).days(30, 8)
        s.generation = 2
        s.services = {"f": s._service("f")}
        s.days(7, 0)
        found = {f["generation"]: f["readiness"]["verdict"] for f in s.report()["functions"]}
        self.assertEqual(found[1], "superseded")

    def test_since_cuts(self):
        s = quiet().days(30, 0, valid=60).add(20, "MISSING", times=60)
        self.assertEqual(s.readiness(policy="functions:\n  - match: f\n    since: 2026-10-05\n")["window"]["from"], "2026-10-05")


class Who(unittest.TestCase):
    def test_requires_auth_by_log(self):
        for guests, by in ((7, "log"), (6, None)):
            s = quiet().days(20, 0)
            for back in (1, 2, 3):
                s.add(back, auth="MISSING", times=guests, status=403)
            self.assertEqual(s.readiness()["admissionBy"], by)

    def test_contradicted(self):
        s = quiet().days(20, 0)
        for back in (1, 2, 3):
            s.add(back, auth="MISSING", times=7)
        self.assertIn("policy-contradicted", s.readiness("--requires-auth")["codes"])

    def test_already_refused(self):
        for each, blocked in ((7, 0), (6, 18)):
            s = quiet().days(20, 0)
            for back in (1, 2, 3):
                s.add(back, "MISSING", times=each, status=400)
            self.assertEqual(s.readiness()["blocked"], blocked)

    def test_programs(self):
        """One of a hundred from people is enough to take programs away."""
        for people, programs in ((0, 0), (1, 77)):
            s = quiet().days(6, 0, valid=11, agent="curl/8").add(0, times=people)
            self.assertEqual(s.readiness("--set", "max-window=7d")["programs"], programs)

    def test_left_out(self):
        r = quiet().days(20, 0).add(1, "MISSING", times=9, agent="curl/8").readiness("--set", "ignore-clients=tool")
        self.assertEqual((r["leftOut"], r["blocked"]), (9, 0))


class Platforms(unittest.TestCase):
    def firefox(self, blocked, days=3, **more):
        s = quiet().days(20, 0, valid=150)
        for i in range(blocked):
            s.add(i % days, "MISSING", agent="Mozilla/5.0 (X11; rv:141.0) Gecko/20100101 Firefox/141.0", referer="https://a.example/", **more)
        return s.readiness()

    def test_ten_blocked(self):
        self.assertIn("platform-refused", self.firefox(10)["codes"])
        self.assertNotIn("platform-refused", self.firefox(9)["codes"])

    def test_one_address(self):
        self.assertNotIn("platform-refused", self.firefox(14, address="10.0.0.1")["codes"])

    def test_accepted(self):
        s = quiet().days(20, 0, valid=150)
        for i in range(12):
            s.add(i % 3, "MISSING", agent="Mozilla/5.0 (X11; rv:141.0) Gecko/20100101 Firefox/141.0", referer="https://a.example/")
        self.assertNotIn("platform-refused", s.readiness("--set", "accept-platforms=web")["codes"])

    def test_release(self):
        for share, holds in ((12, True), (9, False)):
            s = quiet().days(20, 0, valid=50)
            s.days(2, 0, valid=2, agent=APP.replace("2.0.0", "2.1.0"))
            for i in range(share):
                s.add(i % 3, "MISSING", agent=APP.replace("2.0.0", "2.1.0"))
            self.assertEqual("release-refused" in s.readiness()["codes"], holds)

    def test_silent(self):
        for last, holds in ((3, True), (2, False), (14, False)):
            s = quiet().days(27, 0, valid=40)
            s.days(27, last, valid=10, agent="okhttp/4.12.0")
            self.assertEqual("platform-silent" in s.readiness()["codes"], holds, last)


class Together(unittest.TestCase):
    def test_small_sites(self):
        """Each of three sites is too small by itself; the browser is mostly well."""
        for each, holds in ((4, True), (3, False)):
            s = quiet().days(20, 0, valid=60, agent=CHROME, referer="https://main.example/")
            for site in "abc":
                for back in range(each):
                    s.add(back, "MISSING", agent=CHROME, referer=f"https://{site}.example/")
            self.assertEqual("platform-refused" in s.readiness()["codes"], holds)

    def test_programs_that_may_hide_people(self):
        """Node leaves n and b, and is asked as a platform unless few addresses send it."""
        for addresses, holds in ((4, True), (3, False)):
            s = quiet().days(20, 0, valid=60)
            for i in range(12):
                s.add(i % 4, "MISSING", agent="node", address=f"10.7.7.{i % addresses}")
            r = s.readiness()
            self.assertEqual((r["blocked"], "platform-refused" in r["codes"]), (0, holds))

    def test_one_who_came_back_counts_once_an_hour(self):
        """A client that is refused and served within the hour is served: segments see no failure."""
        s = quiet().days(20, 0, valid=100)
        for i in range(6):
            s.add(0, "MISSING", hour=20 + i / 100, address=f"10.6.6.{i}").add(0, hour=20.5 + i / 100, address=f"10.6.6.{i}")
        self.assertEqual(sum(x["blocked"] for x in s.readiness()["segments"]), 0)


class FailingNow(unittest.TestCase):
    def test_four_addresses(self):
        for people, holds in ((4, True), (3, False)):
            s = quiet().days(20, 0, valid=100)
            for i in range(12):
                s.add(0, "MISSING", hour=21.0 + i / 5, address=f"10.9.9.{i % people}")
            s.add(0, "MISSING", times=12, hour=23.5, address="10.9.9.1")
            r = s.readiness("--set", "max-refused=5%")
            self.assertEqual("failing-now" in r["codes"], holds, people)


if __name__ == "__main__":
    unittest.main()
