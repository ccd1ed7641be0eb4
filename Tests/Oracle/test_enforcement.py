"""Signs, states, the policy's `enforced:`, and what makes a lock-out."""
import unittest

from moments import DAY, HOUR
from sample import LAST, Sample
from test_rule import quiet


def switched(back=5, valid=60, refused=3, **more):
    """On since `back` days ago at midnight by a second revision."""
    s = quiet().days(30, back + 1, valid=valid)
    s.days(back, 0, valid=valid, revision="f-2", enforces=True)
    for i in range(refused):
        s.add(i % (back + 1), "MISSING", revision="f-2", enforces=True, **more)
    return s


class States(unittest.TestCase):
    def test_three_refused(self):
        for refused, state in ((3, "on"), (2, "unknown")):
            self.assertEqual(switched(refused=refused).function()["enforcement"]["state"], state)

    def test_since_is_the_first_request_of_the_revision(self):
        e = switched().function()["enforcement"]
        self.assertEqual((e["since"][:10], e["by"]), ("2026-10-09", "log"))

    def test_broken_deployment(self):
        s = switched(valid=10)
        s.days(5, 0, valid=11, revision="f-2", status=401)
        self.assertEqual(s.function()["enforcement"]["state"], "unknown")

    def test_served_is_off(self):
        self.assertEqual(quiet().days(20, 0).add(3, "MISSING").function()["enforcement"]["state"], "off")

    def test_lines_alone(self):
        s = Sample(rows=False).days(20, 4).add(10, "INVALID")
        self.assertEqual(s.function()["enforcement"]["state"], "off")
        s.days(3, 0, valid=60, revision="f-2", enforces=True)
        for back in (0, 1, 2):
            s.add(back, "INVALID", revision="f-2", enforces=True)
        self.assertEqual(s.function()["enforcement"]["state"], "on")

    def test_streams(self):
        s = quiet().days(20, 0)
        for back in range(4):
            s.add(back, "MISSING")
            s.add(back, "VALID", "INVALID", status=200)
        for e in s.project.entries:
            if "httpRequest" in e:
                e["httpRequest"]["status"] = 200
        found = s.function()["enforcement"]
        self.assertEqual((found["mayStream"], found["served"], found["state"]), (True, 0, "unknown"))

    def test_partly_while_the_old_one_is_there(self):
        """Of 100 requests the old one had all: it is away after 10 of others; with one of ten after 71."""
        for others, state in ((9, "partly"), (12, "on")):
            s = quiet().days(20, 1).add(1, "MISSING", hour=3)
            s.add(0, times=others - 3, revision="f-2", enforces=True)
            s.add(0, "MISSING", times=3, revision="f-2", enforces=True)
            self.assertEqual(s.function()["enforcement"]["state"], state)

    def test_generation_one(self):
        s = Sample(generation=1).days(20, 0).add(9, "MISSING", times=3)
        self.assertEqual(s.function()["enforcement"]["state"], "off")
        s.add(2, "MISSING", times=3, enforces=True)
        found = s.function()["enforcement"]
        self.assertEqual((found["state"], found["since"][:10]), ("on", "2026-10-12"))


class Written(unittest.TestCase):
    def entry(self, time):
        return f"functions:\n  - match: f\n    enforced: {time}\n"

    def test_plan(self):
        f = quiet().days(30, 0, valid=60).function(policy=self.entry("2026-12-01"))
        self.assertEqual((f["readiness"]["verdict"], f["enforcement"]["planned"][:10]), ("enforce", "2026-12-01"))

    def test_nothing_either_way_but_safe(self):
        r = quiet().days(30, 0, valid=60).readiness(policy=self.entry("2026-10-10T09:00Z"))
        self.assertEqual((r["verdict"], r["codes"]), ("enforced", {"enforced"}))

    def test_unconfirmed(self):
        r = quiet().days(30, 0, valid=5).readiness(policy=self.entry("2026-10-10T09:00Z"))
        self.assertIn("policy-unconfirmed", r["codes"])

    def test_contradicted(self):
        r = quiet().days(30, 0, valid=60).add(2, "MISSING").readiness(policy=self.entry("2026-10-10T09:00Z"))
        self.assertEqual((r["verdict"], "policy-contradicted" in r["codes"]), ("insufficient", True))

    def test_date_is_its_first_on_revision(self):
        r = switched().readiness(policy=self.entry("2026-10-09"))
        self.assertEqual(r["verdict"], "enforced")


class LockOut(unittest.TestCase):
    def test_share_of_persons(self):
        self.assertIsNone(switched(refused=3).readiness()["lockout"])
        self.assertEqual(switched(refused=14).readiness()["lockout"]["refused"], 14)

    def test_one_address_that_repeats(self):
        """Ninety retries of one client in three hours are three of a person."""
        s = switched(refused=0)
        for hour in (1, 2, 3):
            s.add(0, "MISSING", times=30, hour=hour, address="10.8.8.8", revision="f-2", enforces=True)
        f = s.function()
        self.assertEqual((f["enforcement"]["state"], f["readiness"]["lockout"]), ("on", None))

    def test_platform(self):
        s = switched(valid=200, refused=0)
        for i in range(12):
            s.add(i % 5, "MISSING", revision="f-2", enforces=True, agent="okhttp/3.12.13")
        self.assertIn("okhttp@3.12", s.readiness()["lockout"]["platforms"])
        accepted = s.readiness("--set", "accept-platforms=android")["lockout"]
        self.assertTrue(accepted is None or not accepted["platforms"])

    def test_before_the_log(self):
        for broken, holds in ((11, True), (10, False)):
            s = switched(valid=100, refused=5)
            s.project.entries = [e for e in s.project.entries if not e["timestamp"].startswith("2026-10-14T")]
            s.add(0, times=20 - broken, hour=20, revision="f-2", enforces=True)
            for i in range(broken):
                s.project._entry(s.services["f"], LAST * DAY + 21 * HOUR + i, "requests", "ERROR", "f-2", httpRequest={"requestMethod": "POST", "status": 500, "userAgent": "x"})
            self.assertEqual(s.readiness()["lockout"] is not None, holds)

    def test_as_predicted(self):
        s = quiet().days(30, 6, valid=96, missing=4)
        s.days(5, 0, valid=96, missing=4, revision="f-2", enforces=True)
        f = s.function()
        self.assertIsNone(f["aftermath"]["verdict"])                 # never beside a lock-out
        s = quiet().days(30, 6, valid=96, missing=4)
        s.days(5, 0, valid=99, missing=0, revision="f-2", enforces=True)
        for back in range(3):
            s.add(back, "MISSING", revision="f-2", enforces=True)
        self.assertEqual(s.function()["aftermath"]["verdict"], "fewer")

    def test_silent(self):
        for last, holds in ((4, True), (3, False)):
            s = quiet().days(30, 11, valid=60)
            s.days(10, last, valid=60, revision="f-2", enforces=True)
            s.add(8, "MISSING", times=3, revision="f-2", enforces=True)
            s.days(30, 0, name="other")
            self.assertEqual("silent-since" in s.readiness()["codes"], holds)


if __name__ == "__main__":
    unittest.main()
