"""Suspects and what-ifs: only what was tried, and what helps."""
import unittest

from sample import APP
from test_rule import quiet


class WhatIf(unittest.TestCase):
    def test_without_one_version(self):
        s = quiet().days(30, 0, valid=60).days(30, 0, valid=0, missing=2, agent=APP.replace("2.0.0", "1.9.3"))
        r = s.function("--only", "readiness.whatIf,readiness.suspects,readiness.verdict")["readiness"]
        self.assertEqual(r["verdict"], "wait")
        self.assertEqual(r["suspects"][0]["name"], "com.example.app@1.9.3")
        self.assertEqual([(w["change"], w["verdict"]) for w in r["whatIf"]], [("without com.example.app@1.9.3", "enforce")])

    def test_nothing_helps(self):
        s = quiet().days(30, 0, valid=60, missing=4)
        r = s.function("--only", "readiness.whatIf")["readiness"]
        self.assertEqual(r["whatIf"], [])


if __name__ == "__main__":
    unittest.main()
