"""The segments of the text against the program that accompanies it, on random logs."""
import importlib.util
import random
import unittest
from dataclasses import dataclass
from pathlib import Path

import segmenting
from moments import DAY, HOUR

REFERENCE = Path(__file__).resolve().parent.parent / "spec" / "segments.py"


@dataclass(eq=False)
class Request:
    t: int
    address: str | None
    kind_and_app: str
    auth: str
    blocked: int
    on: bool = False


def random_log(seed):
    draw = random.Random(seed)
    days, people = draw.randint(3, 40), draw.choice([3, 12, 40, 300])
    volume, base = draw.choice([5, 30, 150]), draw.choice([0.0, 0.003, 0.05, 0.4])
    T = days * 24.0 - draw.random() * 20 - 0.001
    outages = [(draw.random() * T, draw.choice([2, 10, 60]), draw.choice([0.1, 0.5, 1.0])) for _ in range(draw.choice([0, 1, 2]))]
    if draw.random() < 0.5:
        outages.append((T - draw.choice([1, 4, 20, 100]), 1e9, draw.choice([0.05, 0.3, 0.8])))
    without, office = draw.choice([0, 0, 0.2, 0.7]), draw.choice([0, 0, 0.3])
    rows = []
    for _ in range(int(volume * days)):
        t = draw.random() * T
        p = max([base] + [s for b, l, s in outages if b <= t < b + l])
        who = f"a{draw.randrange(people)}" if draw.random() >= office else "office"
        address = None if draw.random() < without else who
        for _ in range(draw.choice([1, 1, 1, 4]) if draw.random() < 0.3 else 1):
            t = min(T - 1e-6, t + draw.random() * 0.01)
            rows.append((t, address, draw.choice("xxy"), "VALID", int(draw.random() < p)))
    return rows, T


class AgainstTheReference(unittest.TestCase):
    @unittest.skipUnless(REFERENCE.exists(), "the reference program is not beside this folder")
    def test_random_logs(self):
        spec = importlib.util.spec_from_file_location("reference", REFERENCE)
        reference = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(reference)
        alarms = 0
        for seed in range(120):
            rows, T = random_log(seed)
            rows = [(int(t * HOUR) / HOUR, *rest) for t, *rest in rows]
            theirs = reference.unit(reference.columns(rows), T)
            # Offsetting by whole days keeps the hours of both alike.
            ours = segmenting.unit([Request(int(t * HOUR) + 100 * DAY, *rest) for t, *rest in rows], int(T * HOUR) + 100 * DAY, 35, 0.01)
            with self.subTest(seed=seed):
                self.assertEqual(bool(theirs["persons"]), ours.persons)
                self.assertAlmostEqual(theirs["phi"], ours.phi, places=9)
                self.assertEqual([tuple(map(int, s)) for s in theirs["segments"]], ours.segments)
                self.assertEqual(theirs["since"], ours.begin)
                self.assertEqual(theirs["alarm"], ours.alarm)
            alarms += ours.alarm
        self.assertGreater(alarms, 5)


if __name__ == "__main__":
    unittest.main()
