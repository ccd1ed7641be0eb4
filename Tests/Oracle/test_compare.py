"""The export is read back to the counts it was made from, and the comparison sees what differs."""

import copy
import tempfile
import unittest
from collections import Counter
from pathlib import Path

from compare import compare_project, differences
from make_projects import write_project
from verdict_oracle import summary

REFERENCE = str(Path(__file__).with_name("reference_callcheck.py"))


class RoundTripTests(unittest.TestCase):
    def test_exports_hold_what_their_descriptions_say(self):
        with tempfile.TemporaryDirectory() as scratch:
            tally = Counter()
            for index in (0, 1, 2, 4, 5, 36):
                self.assertEqual(compare_project(REFERENCE, Path(scratch) / f"p{index:04d}", 5, index, tally), [])
            self.assertGreater(tally["functions", "functions"], 20)

    def test_the_same_seed_gives_the_same_bytes(self):
        with tempfile.TemporaryDirectory() as scratch:
            for folder in ("a", "b"):
                write_project(Path(scratch) / folder, 9, 7)
            first, second = ((Path(scratch) / folder / "export.json.gz").read_bytes() for folder in ("a", "b"))
            self.assertEqual(first, second)


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
