"""Enforcement by revision, on examples small enough to follow by hand."""

import unittest

from boundaries_enforcement import MINUTE, told
from instants import DAY, HOUR, SECOND, instant_from, instant_text, start_of
from policy import enforced_from
from switches import OFF, OFF_AGAIN, ON
from test_rule import case
from verdict_oracle import summary

BEFORE = (2 * DAY, "missing200", 30)


def found(made, name="f"):
    """A function's row of the JSON, reasons as a set of codes."""
    (row,) = [row for row in summary(made.project)["functions"] if row["function"] == name]
    row["codes"] = {reason["code"] for reason in row["readiness"]["reasons"]}
    return row


def at(made, offset, time_of_day):
    return instant_text(start_of(made.today + offset) + time_of_day)


def made_of(*events, **more):
    """At 21:00; events are before it."""
    made = case(21 * HOUR, generation=2)
    told(made, "f", *events, **more)
    return made


def state(*events, **more):
    return found(made_of(*events, **more))["enforcement"]["state"]


def newest(*counts):
    """Requests of the revision that is the newest."""
    return [(5 * HOUR - i * HOUR // 2, key, count, ON, SECOND) for i, (key, count) in enumerate(counts)]


class RevisionTests(unittest.TestCase):
    def test_on_off_and_unknown(self):
        for counts, expected in (
            ((("missing401", 2), ("valid200", 10)), "unknown"),  # three at least
            ((("missing401", 3), ("valid200", 10)), "on"),
            ((("missing401", 4), ("missing200", 3), ("valid200", 10)), "on"),  # more than half
            ((("missing401", 3), ("missing200", 3), ("valid200", 10)), "off"),
            ((("missing401", 2), ("missing200", 1), ("valid200", 10)), "unknown"),
            ((("missing200", 1), ("valid200", 10)), "off"),
            ((("missing401", 9), ("valid200", 5), ("valid401", 5)), "on"),
            ((("missing401", 9), ("valid200", 5), ("valid401", 6)), "unknown"),  # a broken deployment is none
            ((("missing401", 9), ("valid", 6), ("valid401", 6)), "on"),  # half of all, with a row or without
            ((("other302", 1), ("valid200", 10)), "unknown"),  # signed out, and who else is served is not known
            ((("missing499", 9), ("valid500", 10)), "unknown"),
        ):
            self.assertEqual(state(BEFORE, *newest(*counts)), expected, counts)

    def test_signed_out_requests_say_something_where_others_are_served(self):
        for served, expected in ((2, "unknown"), (3, "on")):
            self.assertEqual(state(BEFORE, *newest(("anonymous401", 9), ("validAnonymous200", served))), expected)

    def test_the_lines_of_an_execution(self):
        for key, before, expected in (
            ("caused", "allowed", "on"),
            ("caused400", "allowed", "on"),
            ("caused", "missing200", "unknown"),  # nothing shows that the line that lets go would be seen
            ("invalid", "allowed", "unknown"),
            ("allowed401", "allowed", "off"),
            ("forged", "allowed", "unknown"),  # on stdout anybody's words may stand
        ):
            events = (2 * DAY, before, 30), *newest((key, 9), ("valid200", 10))
            self.assertEqual(state(*events), expected, key)

    def test_version_3_of_the_sdk_refuses_every_invalid_token(self):
        for key, severity, expected in (("invalid401", "INFO", "unknown"), ("invalid401", "DEBUG", "on"), ("missing401", "INFO", "on")):
            # The calm requests are the only ones that passed.
            made = made_of((5 * HOUR, key, 30, ON), severity=severity)
            self.assertEqual(found(made)["enforcement"]["revisions"][1]["state"], expected if key != "missing401" else "on")

    def test_streams_answer_200_to_everything(self):
        for counts, expected, may in (
            ((("badAuth200", 1), ("missing200", 12)), "unknown", True),
            ((("badAuth401", 1), ("missing200", 12)), "off", False),
            ((("badAuth200", 1), ("allowed200", 1), ("missing200", 12)), "off", False),
            ((("caused200", 12),), "on", True),
        ):
            enforcement = found(made_of((2 * DAY, "allowed", 30), *newest(*counts)))["enforcement"]
            self.assertEqual((enforcement["state"], enforcement["mayStream"]), (expected, may), counts)


class FunctionTests(unittest.TestCase):
    def test_by_the_newest_ten_requests(self):
        on = newest(("missing401", 9), ("valid200", 30))
        for last, expected in (
            ([(HOUR, "valid200", 9)], "partly"),
            ([(HOUR, "valid200", 10)], "off"),
            ([(HOUR, "valid200", 9, OFF_AGAIN)], "on"),  # nothing is known of it yet
            ([(HOUR, "valid200", 10, OFF_AGAIN)], "unknown"),
            ([(HOUR, "valid200", 5, OFF_AGAIN), (HOUR // 4, "valid200", 5)], "off"),  # it has returned
        ):
            self.assertEqual(state(BEFORE, *on, *last), expected, last)

    def test_partly_the_rule_judges_the_others(self):
        on = newest(("missing401", 9), ("valid200", 30))
        row = found(made_of(BEFORE, *on, (HOUR, "valid200", 7), (HOUR // 2, "missing200", 1)))
        self.assertEqual(row["enforcement"]["state"], "partly")
        self.assertEqual(row["readiness"]["blocked"], 31)
        self.assertEqual((row["readiness"]["lockout"]["requests"], row["readiness"]["lockout"]["refused"]), (39, 9))
        self.assertNotIn("enforced-by-log", row["codes"])

    def test_partly_what_is_refused_already_is_not_the_last_that_is_blocked(self):
        on = newest(("missing401", 9), ("valid200", 30))
        made = made_of(BEFORE, *on, (HOUR, "valid200", 7), (HOUR // 2, "missing401", 2, ON))
        row = found(made)
        self.assertEqual(row["enforcement"]["state"], "partly")
        self.assertEqual(row["readiness"]["lastBlocked"][:10], made.date(-2))
        self.assertEqual(row["readiness"]["cleanStreak"], 1)
        self.assertEqual((row["daily"][-1]["blocked"], row["daily"][-1]["blockedHours"]), (0, 0))

    def test_the_switch(self):
        on = (9 * HOUR, "missing401", 20, ON)
        for later, expected in (
            ((), 12),
            (((5 * HOUR, "valid200", 10, OFF_AGAIN), (3 * HOUR, "missing401", 9, "00009-mup")), 12),
            (((5 * HOUR, "missing200", 10, OFF_AGAIN), (3 * HOUR, "missing401", 9, "00009-mup")), 18),
            (((5 * HOUR, "valid200", 19, OFF), (3 * HOUR, "missing401", 9, ON)), 12),
            (((5 * HOUR, "missing200", 20, OFF), (3 * HOUR, "missing401", 10, ON)), 18),  # both have returned
        ):
            made = made_of(BEFORE, on, *later)
            self.assertEqual(found(made)["enforcement"]["since"], at(made, 0, expected * HOUR), later)

    def test_where_entries_name_no_revision(self):
        for generation in (1, 2):
            for earlier, served, refused, expected in (
                (0, 0, 2, "unknown"),
                (0, 0, 3, "on"),
                (0, 30, 2, "unknown"),
                (0, 30, 3, "on"),
                (32, 12, 0, "off"),  # whatever was refused before
                (60, 1, 2, "unknown"),
                (60, 1, 3, "on"),
            ):
                events = (2 * DAY, "missing401", earlier), (DAY, "missing200", served), (6 * HOUR, "missing401", refused)
                self.assertEqual(state(*events, generation=generation, names=False), expected, events)

    def test_rolled_back_where_entries_name_no_revision(self):
        for generation in (1, 2):
            events = (2 * DAY, "missing401", 32), (DAY, "missing200", 12)
            made = made_of(*events, generation=generation, names=False)
            made.entry("f", enforced=instant_text(made.as_of - 2 * DAY))
            row = found(made)
            self.assertIn("policy-contradicted", row["codes"])
            self.assertNotIn("enforced", row["codes"])

    def test_null_without_any_evidence(self):
        made = case()
        made.function("f", {0: {"clean": 5}})
        self.assertIsNone(found(made)["enforcement"])
        made.entry("f", enforced=made.date(-2))
        enforcement = found(made)["enforcement"]
        self.assertEqual((enforcement["state"], enforcement["by"]), ("unknown", "policy"))
        self.assertEqual(enforcement["since"], at(made, -1, 0))


class PolicyTests(unittest.TestCase):
    def row(self, *events, enforced):
        made = made_of(*events)
        made.entry("f", enforced=enforced if isinstance(enforced, str) else made.date(enforced))
        return made, found(made)

    def test_a_date_or_an_instant(self):
        for text, expected in (
            ("2026-10-20T09:00Z", "2026-10-20T09:00:00Z"),
            ("2026-10-20T09:00:30.5Z", "2026-10-20T09:00:30.5Z"),
            ("2026-10-20T11:00+02:00", "2026-10-20T09:00:00Z"),
        ):
            self.assertEqual(enforced_from(text), (instant_from(expected), True))
        self.assertEqual(enforced_from("2026-10-20"), (instant_from("2026-10-20T00:00:00Z"), False))

    def test_the_log_places_the_switch(self):
        on = (30 * HOUR, "missing401", 20, ON)
        for enforced, code in ((-1, "enforced"), (-3, "enforced"), (0, "enforced-by-log"), (2, "enforced-by-log")):
            made, row = self.row((3 * DAY, "missing200", 30), on, enforced=enforced)
            self.assertEqual((row["enforcement"]["since"], row["enforcement"]["by"]), (at(made, -1, 15 * HOUR), "log"))
            self.assertIn(code, row["codes"])
            self.assertEqual(row["enforcement"]["planned"], made.date(enforced) if enforced >= 0 else None)

    def test_a_plan_opens_no_gate(self):
        for enforced, expected in ((-1, True), (0, False), (9, False)):
            _, row = self.row((20 * HOUR, "missing", 12), enforced=enforced)
            self.assertEqual(row["readiness"]["verdict"] == "enforced", expected)

    def test_what_the_log_contradicts_is_undecided(self):
        for events, names, expected in (
            ([(20 * HOUR, "missing200", 1)], True, True),
            ([(22 * HOUR, "missing200", 1)], True, True),  # known to be off from requests before it
            ([(22 * HOUR, "missing200", 1), (HOUR, "valid200", 9, ON)], True, True),  # and still there
            ([(22 * HOUR, "missing200", 1), (HOUR, "valid200", 10, ON)], True, False),
            ([(20 * HOUR, "missing200", 1)], False, True),
            ([(22 * HOUR, "missing200", 1)], False, False),
        ):
            made = made_of(*events, names=names)
            made.entry("f", enforced=made.date(-1))
            row = found(made)
            self.assertEqual("policy-contradicted" in row["codes"], expected, (events, names))
            self.assertEqual(row["readiness"]["lockout"], None)
            self.assertEqual(row["readiness"]["verdict"] == "enforced", not expected)

    def test_switch_unclear(self):
        for enforced, events, expected in (
            (-1, [(20 * HOUR, "missing", 1)], False),  # on the next day
            (-1, [(30 * HOUR, "missing", 1)], True),
            (-1, [(30 * HOUR, "badAuth401", 1)], False),
            (-7, [(7 * DAY, "missing", 1)], True),
        ):
            _, row = self.row(*events, enforced=enforced)
            self.assertEqual("switch-unclear" in row["codes"], expected, (enforced, events))
            self.assertEqual(row["readiness"]["verdict"], "enforced")

    def test_an_entry_expires(self):
        for until, expected in ((0, "exempt"), (-1, "enforced")):
            made = made_of(BEFORE, *newest(("missing401", 20)))
            made.entry("f", exempt="while it is new", until=made.date(until))
            self.assertEqual(found(made)["readiness"]["verdict"], expected)


class LockoutTests(unittest.TestCase):
    def lockout(self, *later, entry=None, **more):
        made = made_of((3 * DAY, "missing200", 30), (2 * DAY, "missing401", 3, ON, SECOND), *later, **more)
        if entry:
            made.entry("f", **entry(made))
        return found(made)["readiness"]["lockout"]

    def valid(self, number, key="valid200"):
        return (47 * HOUR, key, number, ON, MINUTE)

    def test_of_all(self):
        found = self.lockout(self.valid(60))
        self.assertEqual((found["requests"], found["refused"], found["failingNow"]), (63, 3, False))
        self.assertIsNone(self.lockout(self.valid(100)))  # the lower bound of 3 in 103 is below one per cent
        self.assertIsNone(self.lockout((47 * HOUR, "anonymous401", 40, ON), self.valid(100)))

    def test_nothing_that_is_set_hides_it(self):
        for entry in (
            lambda made: {"since": made.date(0)},
            lambda made: {"ignoreClients": ["none", "other"]},
            lambda made: {"acceptPlatforms": ["none"]},
        ):
            self.assertEqual(self.lockout(self.valid(60), entry=entry)["refused"], 3)

    def test_since_hides_neither_the_switch_nor_who_is_refused(self):
        refused = (2 * DAY, "missing401", 3, ON, SECOND)
        made = made_of((3 * DAY, "missing200", 30), refused, self.valid(50), (HOUR, "valid200", 5, ON))
        whole = found(made)
        self.assertTrue(whole["readiness"]["lockout"])
        for ago in (HOUR, DAY, 2 * DAY):
            made.project["since"] = instant_text(made.as_of - ago)
            row = found(made)
            for name in ("state", "since", "by", "refused"):
                self.assertEqual(row["enforcement"][name], whole["enforcement"][name], (ago, name))
            self.assertEqual(row["readiness"]["lockout"], whole["readiness"]["lockout"], ago)

    def test_now(self):
        for refused, expected in ((14, None), (15, True)):
            found = self.lockout(self.valid(2000), (HOUR, "missing401", refused, ON, SECOND))
            self.assertEqual(found and found["failingNow"], expected)

    def test_what_a_row_shows_served_is_not_refused(self):
        found = self.lockout(self.valid(40), (40 * HOUR, "missing200", 2, ON))
        self.assertEqual((found["requests"], found["refused"]), (45, 3))

    def test_a_served_request_is_not_refused_whoever_asked(self):
        events = (DAY, "anonymous200", 5), (DAY - HOUR, "anonymous401", 4), (DAY - 2 * HOUR, "validAnonymous", 30)
        made = made_of(*events)
        made.entry("f", enforced=instant_text(made.as_of - DAY))
        row = found(made)
        self.assertEqual((row["enforcement"]["state"], row["aftermath"]["refused"]), ("unknown", 4))

    def test_where_people_sign_up_all_count(self):
        for signed_in, refused in ((5, 53), (6, 3)):
            counts = self.valid(signed_in), self.valid(114, "validAnonymous200"), (20 * HOUR, "anonymous401", 50, ON)
            self.assertEqual(self.lockout(*counts)["refused"], refused)

    def test_without_the_request_that_began_the_count(self):
        events = (3 * DAY, "missing200", 30), (2 * DAY, "missing401", 9), (DAY, "valid200", 10)
        found_of = found(made_of(*events, names=False))
        self.assertEqual(found_of["readiness"]["lockout"]["refused"], 8)
        self.assertEqual(found_of["enforcement"]["refused"], 9)

    def test_nights_on_which_it_was_on_confirm_nothing(self):
        made = case(generation=2)
        events = (10 * DAY, "missing401", 9, ON), (4 * DAY, "valid200", 2000, OFF_AGAIN), (9 * DAY, "valid200", 900, ON)
        told(made, "f", *events, (3 * DAY, "missing200", 1, OFF_AGAIN))
        made.heartbeat(22)
        row = found(made)
        self.assertEqual((row["enforcement"]["state"], row["readiness"]["safeNights"] < 7), ("off", True))
        self.assertIsNone(row["enforcement"]["since"])


if __name__ == "__main__":
    unittest.main()
