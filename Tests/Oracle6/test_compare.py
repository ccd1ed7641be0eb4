"""The export is read back to the counts it was made from, and the comparison sees what differs."""

import copy
import os
import tempfile
import unittest
from collections import Counter
from pathlib import Path

from compare import compare_project, differences
from compare_enforcement import PARTS, of_enforcement, write_history
from instants import instant_from
from make_projects import write_project
from reference_callcheck import Reading, instant_of, read
from verdict_oracle import summary

REFERENCE = str(Path(__file__).with_name("reference_callcheck.py"))


class RoundTripTests(unittest.TestCase):
    def test_exports_hold_what_their_descriptions_say(self):
        with tempfile.TemporaryDirectory() as scratch:
            tally = Counter()
            # Each takes seconds: a third of them for each push, all of them once a week.
            step = 1 if os.environ.get("CALLCHECK_CI") == "weekly" else 3
            for index in (0, 1, 2, 4, 5, 36, 81, 84, 99, 107, 126, 132, 135, 141, 150)[::step]:
                self.assertEqual(compare_project(REFERENCE, Path(scratch) / f"p{index:04d}", 5, index, tally), [])
            self.assertGreater(tally["functions", "functions"], 20 / step)

    def test_histories_are_the_same_whole_and_in_parts(self):
        with tempfile.TemporaryDirectory() as scratch:
            for index in range(8):
                folder = Path(scratch) / f"h{index}"
                project = write_history(folder, 3, index)
                expected = of_enforcement(summary(project))
                for inputs in (["whole.json"], PARTS, project["days"]):
                    found = {**project, **read([str(folder / name) for name in inputs], True, 1 << 24)}
                    self.assertEqual(list(differences(expected, of_enforcement(summary(found)))), [], (index, inputs))

    def test_the_same_seed_gives_the_same_bytes(self):
        with tempfile.TemporaryDirectory() as scratch:
            for folder in ("a", "b"):
                write_project(Path(scratch) / folder, 9, 7)
            first, second = ((Path(scratch) / folder / "export.json.gz").read_bytes() for folder in ("a", "b"))
            self.assertEqual(first, second)


class ReadingTests(unittest.TestCase):
    """The reader that replaces the program knows when an entry was written, and who wrote it."""

    def test_retimed_and_undated(self):
        received = "2026-10-10T12:00:00Z"
        for stamp, expected in (
            ("2026-10-10T13:00:00Z", "2026-10-10T13:00:00Z"),
            ("2026-10-10T13:00:00.000000001Z", received),
            ("2026-10-09T12:00:00Z", "2026-10-09T12:00:00Z"),
            ("2026-10-09T11:59:59.999999999Z", None),
            (None, received),
        ):
            record = {"timestamp": stamp, "receiveTimestamp": received}
            self.assertEqual(instant_of(record), None if expected is None else instant_from(expected), stamp)

    def test_whose_message(self):
        reading = Reading(dedupe=True, longest=10**6)
        for message, app, own in (
            ("Callable request verification passed", "VALID", True),
            ("Callable request verification passed", "INVALID", False),
            ("Callable request verification failed: AppCheck token was rejected.", "INVALID", True),
            ("Callable request verification failed: AppCheck token was rejected.", "MISSING", False),
            ("got", "VALID", False),
        ):
            record = {
                "severity": "DEBUG",
                "jsonPayload": {"message": message, "verifications": {"app": app, "auth": "VALID"}},
            }
            row = reading.row(record, 0, {"firebase-log-type": "callable-request-verification"})
            self.assertEqual(row[4]["own_message"], own, (message, app))
        self.assertIsNone(reading.row({"severity": "INFO", "textPayload": "got 'app': 'VALID'"}, 0, {}))


class DifferenceTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as scratch:
            description = write_project(Path(scratch) / "p", 1, 3)
        cls.expected = summary({**description, "clock": "2099-01-01T00:00:00Z"})

    def found(self, change):
        actual = copy.deepcopy(self.expected)
        change(actual, actual["functions"][0]["readiness"])
        return list(differences(self.expected, actual))

    def test_equal(self):
        self.assertEqual(self.found(lambda summary, readiness: None), [])

    def test_what_differs_is_named(self):
        def tiny(factor):
            return lambda summary, readiness: readiness.update(blockedRateUpper=readiness["blockedRateUpper"] * factor)

        self.assertEqual(self.found(tiny(1 + 1e-10)), [])
        for name, change in {
            "verdict": lambda summary, readiness: readiness.update(verdict="maybe"),
            "blockedRateUpper": tiny(1 + 1e-6),
            "reasons codes": lambda summary, readiness: readiness["reasons"].append({"code": "stale", "value": None}),
            "dispersion": lambda summary, readiness: readiness.pop("dispersion"),
            "forecast": lambda summary, readiness: readiness.update(forecast={"date": "2026-01-01", "kind": "steady"}),
            "functions": lambda summary, readiness: summary["functions"].pop(),
            "safeNights": lambda summary, readiness: readiness.update(safeNights=readiness["safeNights"] + 1),
            "input.ignored": lambda summary, readiness: summary["input"].update(
                ignored=summary["input"]["ignored"] + 1
            ),
            "asOf": lambda summary, readiness: summary.update(asOf="2026-01-01T00:00:00Z"),
        }.items():
            paths = [path for path, _, _ in self.found(change)]
            self.assertTrue(paths and all(name in path for path in paths), (name, paths))

    def test_instants_may_be_written_with_fewer_digits(self):
        self.assertEqual(
            list(differences({"first": "2026-01-01T00:00:00.5Z"}, {"first": "2026-01-01T00:00:00.500Z"})), []
        )


if __name__ == "__main__":
    unittest.main()
