"""The adapter of the other services: counts by the hour, states, and the clauses that are their own."""
import json
import tempfile
import unittest
from pathlib import Path

import verdict_oracle
from moments import DAY, HOUR, day_number, text

END = day_number("2026-10-15") * DAY + 6 * HOUR            # judged as of the end of 14 October


def page(counts, service="firestore.googleapis.com"):
    """counts: {(security, result): [(hours before the end of the 14th, requests)]}"""
    series = []
    for (security, result), points in counts.items():
        series.append({"metric": {"type": "firebaseappcheck.googleapis.com/services/verification_count", "labels": {"security": security, "result": result, "app_id": "UNKNOWN"}},
                       "resource": {"type": "firebaseappcheck.googleapis.com/Service", "labels": {"resource_container": "p", "location": "global", "service_id": service}},
                       "points": [{"interval": {"startTime": text(END - (6 + back) * HOUR), "endTime": text(END - (5 + back) * HOUR)}, "value": {"int64Value": str(n)}} for back, n in points]})
    return {"timeSeries": series, "unit": "1"}


def readiness(*pages):
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "counts.json"
        log.write_text("\n".join(json.dumps(p, indent=2) for p in pages))
        found = verdict_oracle.report(verdict_oracle.arguments([str(log)]))["services"][0]
    return found["readiness"], found["enforcement"], {r["code"] for r in found["readiness"]["reasons"]}


def steady(n, days=30, first=-5):
    return [(back, n) for back in range(first, 24 * days)]


class Services(unittest.TestCase):
    def test_enforce(self):
        r, e, _ = readiness(page({("VALID", "ALLOW"): steady(5)}))
        self.assertEqual((r["verdict"], e["state"], r["safeNights"]), ("enforce", "unknown", 28))

    def test_unknown_origin_is_signed_out(self):
        r, _, _ = readiness(page({("VALID", "ALLOW"): steady(5), ("MISSING_UNKNOWN_ORIGIN", "ALLOW"): [(b, 1) for b in range(0, 600, 5)]}))
        self.assertEqual((r["verdict"], r["signedIn"]["verdict"]), ("wait", "enforce"))

    def test_storage_has_no_twin(self):
        r, _, codes = readiness(page({("VALID", "ALLOW"): steady(5), ("MISSING_UNKNOWN_ORIGIN", "ALLOW"): steady(1)}, "firebasestorage.googleapis.com"))
        self.assertEqual((r["signedIn"]["verdict"], "anonymous-only" in codes), ("wait", False))

    def test_deny_is_on(self):
        for refused, state in ((3, "on"), (2, "unknown")):
            _, e, _ = readiness(page({("VALID", "ALLOW"): steady(5), ("INVALID", "DENY"): [(3, refused)]}))
            self.assertEqual(e["state"], state)

    def test_the_mode_decides(self):
        mode = {"services": [{"name": "projects/1/services/firestore.googleapis.com", "enforcementMode": "ENFORCED", "updateTime": "2026-10-12T08:00:00Z"}]}
        _, e, _ = readiness(page({("VALID", "ALLOW"): steady(5)}), mode)
        self.assertEqual((e["state"], e["since"]), ("on", "2026-10-12T08:00:00Z"))

    def test_the_hour_of_the_change_contradicts_nothing(self):
        counts = page({("VALID", "ALLOW"): steady(50), ("INVALID", "ALLOW"): [(9, 5)], ("INVALID", "DENY"): [(b, 1) for b in range(4, 9)]})
        for minute, holds in (("50", False), ("00", True)):
            mode = {"name": "projects/p/services/firestore.googleapis.com", "enforcementMode": "ENFORCED", "updateTime": f"2026-10-14T15:{minute}:00Z"}
            self.assertEqual("policy-contradicted" in readiness(counts, mode)[2], holds)

    def test_retries(self):
        """Of 0.5 % before the switch four times as many show nothing, six times a lock-out; of 3 % any number does."""
        for before, after, holds in ((1, 4, False), (1, 6, True), (6, 8, True)):
            denied = [(b, after) for b in range(-5, 100)]
            r, _, _ = readiness(page({("VALID", "ALLOW"): steady(200), ("INVALID", "ALLOW"): [(b, before) for b in range(100, 720)], ("INVALID", "DENY"): denied}))
            self.assertEqual(r["lockout"] is not None, holds)

    def test_an_hour_of_the_day(self):
        for days, holds in ((3, True), (2, False)):
            _, _, codes = readiness(page({("VALID", "ALLOW"): [(b, 30) for b in range(-5, 720) if b % 24 != 3], ("INVALID", "ALLOW"): [(3 + 24 * d, 5) for d in range(days)]}))
            self.assertEqual("platform-refused" in codes, holds)

    def test_open_pull(self):
        self.assertIn("uncounted", readiness({**page({("VALID", "ALLOW"): steady(5)}), "nextPageToken": "x"})[2])

    def test_silent(self):
        other = page({("VALID", "ALLOW"): steady(5)}, "identitytoolkit.googleapis.com")
        for first, holds in ((49, True), (48, False)):       # the last count lies on the 12th, on the 13th
            self.assertEqual("stale" in readiness(page({("VALID", "ALLOW"): steady(5, first=first)}), other)[2], holds)


if __name__ == "__main__":
    unittest.main()
