"""The comparison, with a fake program that prints the oracle's own answer: once as it is, once altered."""
import contextlib
import io
import os
import stat
import sys
import tempfile
import unittest
from pathlib import Path

import compare

FAKE = """#!{python}
import json, sys
sys.path.insert(0, {here!r})
import verdict_oracle
at = sys.argv.index("--format")
answer = verdict_oracle.report(verdict_oracle.arguments(sys.argv[2:at] + sys.argv[at + 2:]))
for f in answer["functions"]:
    f["readiness"]["admitted"] += {more}
print(json.dumps(answer))
"""


class Comparison(unittest.TestCase):
    def run_with(self, more, *extra):
        with tempfile.TemporaryDirectory() as folder:
            fake = Path(folder) / "fake"
            fake.write_text(FAKE.format(python=sys.executable, here=str(Path(__file__).resolve().parent), more=more))
            os.chmod(fake, stat.S_IRWXU)
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                status = compare.main(["--callcheck", str(fake), "--projects", "2", "--seed", "9", *extra])
            return status, out.getvalue().strip().split("\n")

    def test_unchanged(self):
        status, lines = self.run_with(0)
        self.assertEqual((status, lines[-1]), (0, "2 projects: all agree"))

    def test_altered(self):
        status, lines = self.run_with(1)
        self.assertEqual((status, lines[-1]), (1, "2 projects: 2 differ"))
        self.assertTrue(any("readiness.admitted: oracle" in line for line in lines))

    def test_altered_where_nobody_looks(self):
        status, lines = self.run_with(1, "--keys", "readiness.verdict,readiness.blocked")
        self.assertEqual((status, lines[-1]), (0, "2 projects: all agree"))


if __name__ == "__main__":
    unittest.main()
