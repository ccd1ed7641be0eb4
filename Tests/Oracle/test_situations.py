"""What shared/cases/switch-and-rollback must get: a switch in mid-day, and one that was rolled back."""

import unittest

from boundaries_enforcement import MINUTE
from boundaries_rows import request
from bounds import lower_bound
from instants import DAY, HOUR, start_of
from switches import OFF, OFF_AGAIN, ON
from test_enforcement import at, found
from test_rule import case

NINE = 9 * HOUR


class SituationsFromTheFieldTests(unittest.TestCase):
    """Days of 80 requests, about 40% of them signed in and without a token."""

    def school(self, *days, time_of_day=DAY - 1):
        """`days`: of each the (time of day, what, how many, revision); the 14 before are off. The last is T's."""
        made = case(time_of_day, generation=2)
        rows = []
        calm = ((0, "valid200", 48, OFF), (HOUR, "missing200", 32, OFF))
        plan = [calm] * 14 + list(days)
        for offset, events in zip(range(1 - len(plan), 1), plan):
            for begin, key, count, revision in events:
                begin += start_of(made.today + offset)
                rows += [request(key, begin + i * 7 * MINUTE, [], revision=revision) for i in range(count)]
        made.function("f", {}, generation=2, rows=rows)
        return made

    # Before 09:00 29 requests, 12 of them without a token; 22 of 42 after it are answered 401, the first at 09:23.
    EVENING = (
        (0, "valid200", 17, OFF),
        (HOUR, "missing200", 12, OFF),
        (NINE + 5 * MINUTE, "valid200", 1, ON),
        (NINE + 23 * MINUTE, "missing401", 22, ON),
        (NINE + 24 * MINUTE, "valid200", 19, ON),
    )
    NEXT_DAY = ((0, "valid200", 50, ON), (HOUR, "missing401", 30, ON))

    def check_evening(self, days, without, exact, refused):
        offset = 1 - len(days)
        for policy, by, since, requests in (
            (None, "log", NINE + 23 * MINUTE, without),
            ("", "policy", NINE + 23 * MINUTE, without),
            ("T09:00Z", "policy", NINE, exact),
        ):
            made = self.school(*days, time_of_day=DAY - 1 if offset else 21 * HOUR)
            if policy is not None:
                made.entry("f", enforced=made.date(offset) + policy)
            row = found(made)
            enforcement, lockout = row["enforcement"], row["readiness"]["lockout"]
            self.assertEqual((enforcement["state"], enforcement["by"]), ("on", by))
            self.assertEqual((enforcement["since"], row["aftermath"]["since"]), (at(made, offset, since),) * 2)
            self.assertEqual((enforcement["refused"], enforcement["served"]), (refused, 0))
            self.assertEqual((lockout["requests"], lockout["refused"]), (requests, refused))
            self.assertEqual(row["readiness"]["verdict"], "enforced")
            self.assertLessEqual({"enforced" if policy is not None else "enforced-by-log", "lockout"}, row["codes"])
            yield made, row

    def test_evening(self):
        for _, row in self.check_evening([self.EVENING], 41, 42, 22):
            lockout = row["readiness"]["lockout"]
            self.assertEqual(lockout["lower"], lower_bound(22, lockout["requests"], 1, 0.95))
            self.assertEqual(
                [tuple(revision.values()) for revision in row["enforcement"]["revisions"]],
                [(f"f-{OFF}", "off", 6 * 80 + 29, 0), (f"f-{ON}", "on", 42, 22)],
            )

    def test_next_day(self):
        rows = list(self.check_evening([self.EVENING, self.NEXT_DAY], 121, 122, 52))
        self.assertEqual(len(rows), 3)

    def test_rolled_back(self):
        """Two of 18 refused between 03:00 and 09:00, then five days off."""
        before = (
            (0, "valid200", 9, OFF),
            (HOUR, "missing200", 6, OFF),
            (3 * HOUR, "valid200", 16, ON),
            (4 * HOUR, "missing401", 2, ON),
        )
        row = found(self.school(before, time_of_day=NINE))
        self.assertEqual(row["enforcement"]["state"], "off")
        self.assertEqual((row["enforcement"]["since"], row["readiness"]["lockout"]), (None, None))
        self.assertEqual((row["enforcement"]["refused"], row["readiness"]["verdict"]), (2, "wait"))
        calm = ((0, "valid200", 48, OFF_AGAIN), (HOUR, "missing200", 32, OFF_AGAIN))
        row = found(self.school((*before, (NINE, "missing200", 25, OFF_AGAIN)), *[calm] * 5))
        self.assertEqual((row["enforcement"]["state"], row["readiness"]["lockout"]), ("off", None))
        self.assertEqual(
            [(revision["name"], revision["state"]) for revision in row["enforcement"]["revisions"]],
            [(f"f-{OFF}", "off"), (f"f-{ON}", "unknown"), (f"f-{OFF_AGAIN}", "off")],
        )


if __name__ == "__main__":
    unittest.main()
