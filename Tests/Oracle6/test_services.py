"""Services, from both sides of what the rule asks of them in its own way."""

import unittest

from instants import HOUR, day_from, instant_from, instant_text, start_of
from services import METRIC, OUTDATED, UNKNOWN_ORIGIN, service_rows

END = instant_from("2026-11-20T06:00:00Z")
TODAY = day_from("2026-11-19")
FIRESTORE, STORAGE, AUTH, AI_LOGIC = (
    "firestore.googleapis.com",
    "firebasestorage.googleapis.com",
    "identitytoolkit.googleapis.com",
    "firebaseml.googleapis.com",
)


class Answer:
    """One read; days count back from the last whole one, which is judged."""

    def __init__(self):
        self.series = {}

    def count(self, number, security="VALID", day=0, hour=12, service=FIRESTORE, result="ALLOW", length=HOUR):
        labels = {"security": security, "result": result, "app_id": "1:1:web:a" if security == "VALID" else "UNKNOWN"}
        start = start_of(TODAY - day) + hour * HOUR
        interval = {"startTime": instant_text(start), "endTime": instant_text(start + length)}
        points = self.series.setdefault((service, security, result), (labels, []))[1]
        points.append({"interval": interval, "value": {"int64Value": str(number)}})

    def days(self, days, number, *rest, **more):
        for day in days:
            self.count(number, *rest, day=day, **more)

    def page(self, **more):
        return {"timeSeries": [
            {
                "metric": {"type": METRIC, "labels": labels},
                "resource": {"labels": {"resource_container": "p", "service_id": service}},
                "points": points,
            }
            for (service, _, _), (labels, points) in self.series.items()
        ], **more}

    def ended(self):
        """What makes the judged day the last one."""
        self.count(1, day=-1, hour=5, service=AUTH)
        return self


def rows(*pages, policy=None, typed=None):
    found = service_rows([[page] for page in pages], policy, typed)
    return {row["service"]: (row["readiness"], {r["code"] for r in row["readiness"]["reasons"]}, row["enforcement"]) for row in found}


def steady(days=20, number=600, **more):
    answer = Answer().ended()
    answer.days(range(days), number, **more)
    return answer


class ReadingTests(unittest.TestCase):
    def test_hours_that_may_be_late_are_not_seen(self):
        answer = steady()
        answer.count(5, "INVALID", day=-1, hour=0)
        self.assertEqual(rows(answer.page())[FIRESTORE][0]["blocked"], 0)

    def test_of_two_reads_the_larger_value_counts(self):
        early, late = steady(1, 300), steady(1, 600)
        self.assertEqual(rows(early.page(), late.page())[FIRESTORE][0]["admitted"], 600)

    def test_an_answer_without_its_end_says_too_little(self):
        for more, said in ({"nextPageToken": "x"}, True), ({"unreachable": ["x"]}, True), ({}, False):
            readiness, codes, _ = rows(steady().page(**more))[FIRESTORE]
            self.assertEqual((readiness["uncounted"] is None, "uncounted" in codes), (said, said))


class CountsTests(unittest.TestCase):
    def test_what_is_blocked(self):
        for security, result, blocked in (
            ("VALID", "ALLOW", 0),
            ("CONSUMED", "ALLOW", 0),
            ("VALID", "DENY", 7),
            ("INVALID", "ALLOW", 7),
            (UNKNOWN_ORIGIN, "ALLOW", 7),
            ("NEW", "ALLOW", 7),
        ):
            answer = steady()
            answer.count(7, security, result=result)
            self.assertEqual(rows(answer.page())[FIRESTORE][0]["blocked"], blocked)

    def test_unknown_origin_is_nobody_who_is_signed_in_but_for_pictures(self):
        for service, blocked in ((FIRESTORE, 0), (STORAGE, 7)):
            answer = steady(service=service)
            answer.count(7, UNKNOWN_ORIGIN, service=service)
            self.assertEqual(rows(answer.page())[service][0]["signedIn"]["blocked"], blocked)

    def test_nothing_but_valid(self):
        for number, said in ((300, True), (299, False)):
            answer = Answer().ended()
            answer.days(range(1, 28), number // 27)
            answer.count(number - number // 27 * 27)
            codes = rows(answer.page(), policy={"maxBlocked": 0.05, "confirm": 1, "maxWindow": 28, "window": 28})[FIRESTORE][1]
            self.assertEqual(("safe" in codes, "failures-unproven" in codes), (True, said))


class SilenceTests(unittest.TestCase):
    def test_a_service_is_silent_while_others_count(self):
        for silent, stale in ((1, False), (2, True)):
            answer = steady(service=AUTH)
            answer.days(range(silent, 20), 600)
            self.assertEqual("stale" in rows(answer.page())[FIRESTORE][1], stale)

    def test_days_without_a_count_are_no_gap(self):
        answer = steady(service=AUTH)
        answer.days((day for day in range(20) if day not in (3, 4)), 600)
        self.assertNotIn("coverage-gap", rows(answer.page())[FIRESTORE][1])


class HoursTests(unittest.TestCase):
    def test_an_hour_of_the_day_is_refused(self):
        for blocked, days, refused in ((20, 3, True), (20, 2, False), (3, 3, False), (4, 3, True)):
            answer = steady(number=6000)
            answer.days(range(days), blocked, OUTDATED, hour=3)
            self.assertEqual("platform-refused" in rows(answer.page(), policy={"confirm": 1})[FIRESTORE][1], refused)

    def test_the_newest_hours_fail(self):
        for blocked, fails in ((15, True), (14, False)):
            answer = steady()
            answer.count(blocked, "INVALID", hour=23)
            answer.count(20 - blocked, hour=23)
            self.assertEqual("failing-now" in rows(answer.page())[FIRESTORE][1], fails)


class EnforcementTests(unittest.TestCase):
    def switched(self, refused, served=0, valid_refused=0):
        answer = steady()
        answer.count(refused, "INVALID", result="DENY", hour=20)
        answer.count(valid_refused, result="DENY", hour=20)
        answer.count(served, "INVALID", hour=20)
        return answer

    def test_signs(self):
        for numbers, state in (
            ((3,), "on"),
            ((2,), "unknown"),
            ((4, 3), "on"),
            ((4, 4), "off"),
            ((0, 1), "off"),
            ((0, 0), "unknown"),
        ):
            self.assertEqual(rows(self.switched(*numbers).page())[FIRESTORE][2]["state"], state)

    def test_tokens_that_were_used_before_are_no_sign(self):
        answer = steady()
        answer.days(range(9), 50, "CONSUMED")
        answer.days(range(9), 50, UNKNOWN_ORIGIN)
        self.assertEqual(rows(answer.page())[FIRESTORE][2]["state"], "unknown")

    def test_the_switch(self):
        answer = steady()
        for hour, result in ((1, "DENY"), (2, "ALLOW"), (4, "DENY"), (7, "DENY")):
            answer.count(5, "INVALID", hour=hour, result=result)
        enforcement = rows(answer.page())[FIRESTORE][2]
        self.assertEqual((enforcement["state"], enforcement["since"]), ("on", "2026-11-19T04:00:00Z"))

    def test_the_mode_decides_and_a_contradiction_is_said(self):
        for mode, result, state, contradicted in (
            ("ENFORCED", "DENY", "on", False),
            ("ENFORCED", "ALLOW", "on", True),
            ("UNENFORCED", "ALLOW", "off", False),
            ("UNENFORCED", "DENY", "off", True),
        ):
            answer = steady()
            answer.days(range(9), 5, "INVALID", result=result)
            modes = {"services": [
                {"name": f"projects/1/services/{FIRESTORE}", "enforcementMode": mode, "updateTime": "2026-11-01T00:00:00Z"}
            ]}
            _, codes, enforcement = rows(answer.page(), modes)[FIRESTORE]
            self.assertEqual((enforcement["state"], "policy-contradicted" in codes), (state, contradicted))

    def test_refused_requests_lock_out(self):
        for refused, locked in ((1, False), (30, True)):
            answer = steady()
            answer.days(range(9), refused, "INVALID", result="DENY")
            self.assertEqual(rows(answer.page())[FIRESTORE][0]["lockout"] is not None, locked)

    def test_ai_logic_is_never_to_be_switched_on(self):
        self.assertEqual(rows(steady(service=AI_LOGIC).page())[AI_LOGIC][0]["verdict"], "enforced")


if __name__ == "__main__":
    unittest.main()
