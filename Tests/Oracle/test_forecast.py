"""Dates: when the share is proven on seven nights, and when none is given."""
import unittest

from test_rule import quiet


class Forecast(unittest.TestCase):
    def date(self, sample, *arguments):
        found = sample.function("--only", "readiness.forecast", *arguments)["readiness"]["forecast"]
        return found and (found["date"], found["kind"], found["reason"])

    def test_three_hundred_and_seven_nights(self):
        """200 now and 20 a day: 300 on the 19th, the seventh such night is the 25th."""
        self.assertEqual(self.date(quiet().days(9, 0, valid=20)), ("2026-10-25", "steady", None))

    def test_twenty_eight_days_are_too_few(self):
        self.assertEqual(self.date(quiet().days(9, 0, valid=10)), (None, None, None))
        self.assertIsNotNone(self.date(quiet().days(9, 0, valid=10), "--set", "max-refused=2%")[0])

    def test_what_stays(self):
        s = quiet().days(20, 0, valid=60)
        for i in range(12):
            s.add(i % 3, "MISSING", agent="okhttp/3.12.13")
        self.assertEqual(self.date(s), (None, None, "platform-refused"))

    def test_none_where_it_says_enforce(self):
        self.assertIsNone(self.date(quiet().days(30, 0, valid=60)))

    def test_trend(self):
        """The share falls by a fifth a day, the last three days are still above the limit."""
        s = quiet().days(13, 0, valid=400)
        for back in range(13, -1, -1):
            s.add(back, "MISSING", times=round(10 * 1.15 ** back))
        self.assertEqual(self.date(s)[1], "trend")


if __name__ == "__main__":
    unittest.main()
