"""Order and splits of the input change nothing."""
import gzip
import json
import random
import tempfile
import unittest
from pathlib import Path

import make_projects
import verdict_oracle
from compare import arguments_of


class Order(unittest.TestCase):
    def test_shuffled_and_split(self):
        for seed in (3, 14, 26):
            with tempfile.TemporaryDirectory() as temporary:
                folder = make_projects.write(Path(temporary), seed)
                whole = verdict_oracle.report(verdict_oracle.arguments([str(folder / "log.json.gz"), *arguments_of(folder)]))
                lines = gzip.decompress((folder / "log.json.gz").read_bytes()).decode().splitlines()
                random.Random(seed).shuffle(lines)
                parts = [folder / f"{i}.json" for i in range(3)]
                for i, part in enumerate(parts):
                    part.write_text("\n".join(lines[i::3]))
                split = verdict_oracle.report(verdict_oracle.arguments([*map(str, parts), *arguments_of(folder)]))
                split["functions"] = json.loads(json.dumps(split["functions"]))
                self.assertEqual(json.loads(json.dumps(whole)), split)

    def test_nothing_after_T_is_seen(self):
        """As of an earlier instant the whole log answers like one that ends there; what belongs to a later verification goes with it."""
        for seed in (3, 14, 26, 41):
            with tempfile.TemporaryDirectory() as temporary:
                folder = make_projects.write(Path(temporary), seed)
                entries = [json.loads(line) for line in gzip.decompress((folder / "log.json.gz").read_bytes()).decode().splitlines()]
                time = lambda e: min(e["timestamp"], e["receiveTimestamp"])            # a stamp of the future is retimed
                stamps = sorted(map(time, entries))
                T = stamps[len(stamps) * 4 // 5][:19] + "Z"
                later = {e["trace"] for e in entries if "firebase-log-type" in e["labels"] and time(e) > T}
                short = folder / "short.json"
                short.write_text("\n".join(json.dumps(e) for e in entries if time(e) <= T and e["trace"] not in later))
                answers = [verdict_oracle.report(verdict_oracle.arguments([str(log), "--as-of", T])) for log in (folder / "log.json.gz", short)]
                names = {f["function"] for f in answers[1]["functions"]}
                for f, g in zip((f for f in answers[0]["functions"] if f["function"] in names), answers[1]["functions"]):
                    self.assertEqual(f["readiness"], g["readiness"], (seed, f["function"]))
                    self.assertEqual(f["enforcement"], g["enforcement"])


if __name__ == "__main__":
    unittest.main()
