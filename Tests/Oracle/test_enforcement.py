"""The history of enforcement, on examples small enough to follow by hand."""

import unittest

from boundaries_enforcement import MINUTE, told
from boundaries_rows import answered
from instants import DAY, HOUR, SECOND, instant_from, instant_text, start_of
from policy import enforced_from
from switches import OFF, ON
from test_rule import answers, case
from verdict_oracle import summary


def found(made, name="f"):
    """A function's row of the JSON, reasons as a set of codes."""
    (row,) = [row for row in summary(made.project)["functions"] if row["function"] == name]
    row["codes"] = {reason["code"] for reason in row["readiness"]["reasons"]}
    return row


def at(made, offset, time_of_day):
    return instant_text(start_of(made.today + offset) + time_of_day)


class SpellTests(unittest.TestCase):
    def state(self, *events, **more):
        made = case(21 * HOUR, generation=2)
        told(made, "f", *events, **more)
        made.heartbeat(20)
        return found(made, "f")["enforcement"]["state"]

    def test_how_many_refused_are_enough(self):
        for served, refused, expected in (
            (30, 2, "off"),  # three at least
            (30, 3, "on"),
            (8, 3, "on"),  # q = 1/10
            (7, 3, "off"),  # q = 1/9
            (7, 4, "on"),
            (0, 9, "unknown"),  # q = 1/2
            (0, 10, "on"),
        ):
            events = ((DAY, "missing200", served), (6 * HOUR, "missing401", refused))
            self.assertEqual(self.state(*events), expected, (served, refused))

    def test_a_handler_that_answers_401_itself(self):
        own = [(3 * DAY - i * HOUR, "missing401" if i % 5 == 0 else "missing200", 1) for i in range(25)]
        for refused, expected in ((4, "off"), (5, "on")):  # q = 6/27
            self.assertEqual(self.state(*own, (HOUR, "missing401", refused)), expected)

    def test_only_fourteen_days_before_count(self):
        for more, expected in ((0, "on"), (1, "off")):
            events = ((14 * DAY + HOUR + more, "missing200", 1), (DAY, "missing200", 7), (HOUR, "missing401", 3))
            self.assertEqual(self.state(*events), expected)

    def test_where_valid_requests_are_refused_too_it_is_not_enforcement(self):
        for valid, expected in ((3, "on"), (4, "unknown")):  # three are answered 200
            events = ((6 * HOUR, "missing401", 10), (5 * HOUR, "valid200", 2), (4 * HOUR, "valid401", valid))
            for generation in (1, 2):
                found = self.state(*events, (0, "valid200", 1), calm=0, generation=generation)
                self.assertEqual(found, expected, generation)

    def test_a_served_one_ends_a_spell(self):
        events = ((DAY, "missing200", 30), (6 * HOUR, "missing401", 9))
        for key, expected in (
            ("missing200", "off"),
            ("other302", "off"),
            ("allowed401", "off"),
            ("allowed", "off"),
            ("missing400", "on"),
            ("missing499", "on"),
            ("missing", "on"),
            ("badAuth200", "on"),
            ("valid200", "on"),
            ("caused", "on"),
        ):
            self.assertEqual(self.state(*events, (HOUR, key, 1)), expected, key)

    def test_since_the_first_served_one(self):
        made = case(21 * HOUR, generation=2)
        on = (6 * HOUR, "missing401", 9)
        told(made, "f", (DAY, "missing200", 30), on, (HOUR, "missing200", 2), (0, "missing401", 1))
        enforcement = found(made)["enforcement"]
        self.assertEqual((enforcement["state"], enforcement["since"]), ("off", at(made, 0, 20 * HOUR)))
        self.assertEqual((enforcement["by"], enforcement["refused"], enforcement["served"]), ("log", 1, 2))


class SignTests(unittest.TestCase):
    def test_a_cause_without_the_line_that_lets_go(self):
        for key, more, expected in (
            ("caused", {}, "on"),
            ("caused400", {}, "on"),
            ("caused200", {}, "on"),  # a stream answers 200 to everything
            ("invalid", {}, "off"),
            ("caused", {"severity": "INFO"}, "off"),
            ("caused200", {"severity": "INFO"}, "off"),
        ):
            made = case(21 * HOUR, generation=2)
            told(made, "f", (DAY, "allowed", 30), (HOUR, key, 5), **more)
            self.assertEqual(found(made)["enforcement"]["state"], expected, (key, more))

    def test_version_3_of_the_sdk_refuses_every_invalid_token(self):
        for generation in (1, 2):
            for key, severity, expected in (
                ("invalid401", "DEBUG", (30, 0)),
                ("invalid401", "NOTICE", (30, 0)),
                ("invalid401", "INFO", (0, 0)),
                ("caused401", "INFO", (0, 0)),
                ("missing401", "INFO", (30, 0)),
                ("invalid200", "INFO", (0, 30)),
                ("allowed401", "INFO", (0, 30)),
            ):
                made = case(21 * HOUR, generation=2)
                told(made, "f", (HOUR, key, 30), generation=generation, severity=severity)
                enforcement = found(made)["enforcement"]
                counts = enforcement["refused"], enforcement["served"]
                self.assertEqual(counts, expected, (generation, key, severity))

    def test_a_cause_comes_first_and_a_line_is_near(self):
        for move, expected in ((0, "on"), (2_000_000, "off"), (-2 * DAY, "off")):
            made = case(21 * HOUR, generation=2)
            told(made, "f", (DAY, "missing200", 30), (HOUR, "caused", 5))
            for line in made.project["functions"][-1]["lines"]:
                line[0] += move
            self.assertEqual(found(made)["enforcement"]["state"], expected, move)

    def test_generation_1_says_it_in_a_line(self):
        made = case(21 * HOUR)
        told(made, "f", (DAY, "missing200", 30), (HOUR, "missing401", 5), generation=1)
        row = found(made)
        self.assertEqual((row["enforcement"]["state"], row["enforcement"]["revisions"]), ("on", []))
        # Without rows the log alone does not show `enforced`; `readiness.lockout` is there all the same.
        self.assertEqual(row["readiness"]["lockout"]["refused"], 5)
        self.assertFalse({"enforced-by-log", "lockout"} & row["codes"])

    def test_null_without_any_evidence(self):
        made = case()
        made.function("f", {0: {"clean": 5}})
        self.assertIsNone(found(made)["enforcement"])
        made.entry("f", enforced=made.date(-2))
        expected = {"state": "unknown", "since": at(made, -1, 0), "by": "policy", "refused": 0, "served": 0}
        self.assertEqual(found(made)["enforcement"], {**expected, "revisions": []})


class StagedTests(unittest.TestCase):
    def row(self, *events, **more):
        made = case(21 * HOUR, generation=2)
        told(made, "f", (DAY, "missing200", 30), (6 * HOUR, "missing401", 5, ON), *events, **more)
        return found(made)

    def test_the_newest_request_tells_whose_history_it_is(self):
        turns = ((3 * HOUR, "missing200", 4), (3 * HOUR - 10 * MINUTE, "missing401", 5, ON))
        turns += ((3 * HOUR - 20 * MINUTE, "missing200", 2),)
        row = self.row(*turns)
        self.assertEqual((row["enforcement"]["state"], row["readiness"]["lockout"]), ("staged", None))
        self.assertEqual((row["enforcement"]["refused"], row["enforcement"]["served"]), (0, 36))
        row = self.row(*turns, (HOUR, "missing", 1, ON), calm=0)
        # None of this revision's signs was served: ten in a row are enough.
        self.assertEqual((row["enforcement"]["state"], row["enforcement"]["refused"]), ("staged", 10))
        self.assertEqual(row["enforcement"]["since"], f"{row['daily'][-1]['date']}T15:00:00Z")
        # The five that the other revision lets through are not refused; the function is not reported as enforced.
        self.assertEqual(row["readiness"]["lockout"]["refused"], 11)
        self.assertNotIn("enforced-by-log", row["codes"])

    def test_any_request_may_be_the_newest(self):
        turns = ((3 * HOUR, "missing200", 4), (3 * HOUR - 10 * MINUTE, "missing401", 5, ON))
        turns += ((3 * HOUR - 20 * MINUTE, "missing200", 2),)
        for newest, expected in (
            (((HOUR, "valid200", 1, ON),), 10),
            (((HOUR, "badAuth401", 1, ON),), 10),
            (((HOUR, "missing", 1, ON), (HOUR - MINUTE, "valid", 1)), 0),
            (((HOUR, "valid200", 1, ON), (HOUR, "valid200", 1)), 10),  # of two at one instant the higher revision
        ):
            row = self.row(*turns, *newest, calm=0)
            self.assertEqual((row["enforcement"]["state"], row["enforcement"]["refused"]), ("staged", expected), newest)

    def test_when_it_is_staged(self):
        for begin, revision, expected in (
            (HOUR, ON, "staged"),
            (HOUR + 1, ON, "off"),  # the hour is over, and one change is a roll-back
            (HOUR, OFF, "off"),  # one revision that does both
        ):
            turns = ((begin, "missing401", 1, revision), (10 * MINUTE, "missing200", 1), (0, "missing401", 1, revision))
            self.assertEqual(self.row(*turns)["enforcement"]["state"], expected)


class PolicyTests(unittest.TestCase):
    def made(self, *events, enforced=None):
        """At 21:00; events are before it."""
        made = case(21 * HOUR, generation=2)
        told(made, "f", *events)
        if enforced is not None:
            made.entry("f", enforced=enforced if isinstance(enforced, str) else made.date(enforced))
        return made

    def test_a_date_or_an_instant(self):
        for text, expected in (
            ("2026-10-20T09:00Z", "2026-10-20T09:00:00Z"),
            ("2026-10-20T09:00:30.5Z", "2026-10-20T09:00:30.5Z"),
            ("2026-10-20T11:00+02:00", "2026-10-20T09:00:00Z"),
        ):
            self.assertEqual(enforced_from(text), (instant_from(expected), True))
        self.assertEqual(enforced_from("2026-10-20"), (instant_from("2026-10-20T00:00:00Z"), False))

    def test_what_a_date_means(self):
        """On since 15:00 of the day before T's, the 30th hour before it."""
        off, on = (3 * DAY, "missing200", 30), (30 * HOUR, "missing401", 9, ON)
        for enforced, day, time_of_day in (
            (-1, -1, 15 * HOUR),
            (-3, -1, 15 * HOUR),
            (0, 0, 0),  # a day late: it goes on into that day
            (2, -1, 15 * HOUR),  # what is on already was not switched on in the future
            ("2099-01-01T00:00Z", -1, 15 * HOUR),
        ):
            made = self.made(off, on, enforced=enforced)
            self.assertEqual(found(made)["enforcement"]["since"], at(made, day, time_of_day), enforced)
        # A spell that ended before the date places nothing; one that ends on it does.
        for back, day in ((22 * HOUR, 1), (20 * HOUR, 0)):
            row = found(made := self.made(off, on, (back, "missing200", 1), enforced=0))
            self.assertEqual((row["enforcement"]["state"], row["aftermath"]["since"]), ("off", at(made, day, 0)))
        row = found(made := self.made(off, (30 * HOUR, "missing", 9, ON), enforced=2))
        self.assertEqual((row["enforcement"]["state"], row["aftermath"]["since"]), ("off", at(made, 3, 0)))

    def test_switch_unclear(self):
        for enforced, events, expected in (
            (-1, [(20 * HOUR, "missing", 1)], False),  # on the next day
            (-1, [(30 * HOUR, "missing", 1)], True),
            (-1, [(30 * HOUR, "missing", 1), (26 * HOUR, "missing401", 10)], False),
            (-1, [(30 * HOUR, "missing200", 4)], False),
            (-1, [(30 * HOUR, "badAuth401", 1)], False),
            (-6, [(6 * DAY, "missing", 1)], True),
            (-7, [(7 * DAY, "missing", 1)], False),  # not of the last seven days
        ):
            row = found(self.made(*events, enforced=enforced))
            self.assertEqual("switch-unclear" in row["codes"], expected, (enforced, events))
            self.assertEqual(row["readiness"]["verdict"], "enforced")

    def test_requests_before_the_switch_are_not_refused(self):
        events = ((8 * HOUR, "missing200", 30), (6 * HOUR, "missing401", 3))
        lockout = found(self.made(*events, enforced=0))["readiness"]["lockout"]
        self.assertEqual((lockout["requests"], lockout["refused"]), (4, 3))
        anonymous = found(self.made((6 * HOUR, "anonymous401", 30), enforced=0))
        self.assertEqual(("lockout" in anonymous["codes"], anonymous["readiness"]["lockout"]), (False, None))


class EnforcedByLogTests(unittest.TestCase):
    def test_every_condition(self):
        for expected, *later in (
            (True, ("missing401", 5)),
            (False, ("missing401", 4)),
            (True, ("anonymous401", 5)),
            (True, ("missing401", 95), ("invalid499", 5)),
            (False, ("missing401", 94), ("invalid499", 6)),
            (False, ("missing401", 95), ("other200", 1)),
            (True, ("missing401", 95), ("badAuth200", 1)),
            (True, ("missing401", 5), ("missing", 1)),
            (False, ("missing401", 5), ("missing", 2)),
            (True, ("missing401", 95), ("missing", 5)),
            (False, ("missing401", 95), ("missing", 6)),
        ):
            made = case(21 * HOUR, generation=2)
            begin = (3 * HOUR - i * MINUTE for i in range(9))
            events = [(ago, key, count, ON, SECOND // 10) for ago, (key, count) in zip(begin, later)]
            told(made, "f", (DAY, "missing200", 30), *events)
            readiness = found(made)["readiness"]
            self.assertEqual(readiness["verdict"] == "enforced", expected, later)
            self.assertEqual(readiness["signedIn"]["verdict"] == "enforced", expected, later)

    def test_somebody_passes(self):
        for key, expected in (("valid200", True), ("valid500", True), ("validAnonymous200", False)):
            made = case(21 * HOUR, generation=2)
            told(made, "f", (DAY, "missing200", 30), (HOUR, "missing401", 9), (0, key, 1), calm=0)
            self.assertEqual("enforced-by-log" in found(made)["codes"], expected, key)

    def test_nights_on_which_it_was_on_confirm_nothing(self):
        made = case(generation=2)
        made.heartbeat(20)
        plan = {-i: {"clean": 300, "missing401": 2 if 3 <= i < 9 else 0} for i in range(20)}
        answered(made, "f", {**plan, 0: {"clean": 300, "missing200": 1}})
        readiness = answers(made)["f/2"]
        self.assertEqual((readiness["verdict"], readiness["safeNights"]), ("enforce", 1))


if __name__ == "__main__":
    unittest.main()
