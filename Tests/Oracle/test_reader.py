"""The reader against the generator, and what makes entries count once, later, or not at all."""
import json
import tempfile
import unittest
from collections import Counter
from pathlib import Path

import clients
import make_projects
import reader
from sample import Sample


def counts(found):
    return {k: found["input"][k] for k in ("duplicates", "ignored", "later", "filtered")}


class AgainstTheGenerator(unittest.TestCase):
    def test_statuses_and_rows(self):
        for seed in (2, 3, 6):
            project = make_projects.Project(seed)
            project.make()
            unique = {json.dumps(e, sort_keys=True): e for e in project.entries}.values()
            marked = [e for e in unique if "firebase-log-type" in e["labels"] and e.get("jsonPayload", {}).get("message", "").startswith("Callable")]
            with tempfile.TemporaryDirectory() as folder:
                log = reader.read([str(make_projects.write(Path(folder), seed) / "log.json.gz")])
            written = Counter((e["jsonPayload"]["verifications"]["app"], e["jsonPayload"]["verifications"]["auth"]) for e in marked)
            read = Counter((v.app, v.auth) for v in log.verifications if v.labelled and v.message.startswith("Callable"))
            self.assertEqual(written, read)
            self.assertEqual(sum("httpRequest" in e for e in unique), sum(r.shows_client for r in log.rows))
            self.assertEqual(log.duplicates, sum("verifications" in e.get("jsonPayload", {}) for e in project.entries) - sum("verifications" in e.get("jsonPayload", {}) for e in unique))


class Once(unittest.TestCase):
    def sample(self):
        return Sample().days(3, 0, valid=5, missing=1)

    def entry(self, s, n=0):
        return [e for e in s.project.entries if "firebase-log-type" in e["labels"]][n]

    def altered(self, **changes):
        s = self.sample()
        copy = json.loads(json.dumps(self.entry(s)))
        copy["insertId"] += "x"
        for key, value in changes.items():
            copy[key] = {**copy[key], **value} if isinstance(value, dict) else value
        s.project.entries.append(copy)
        return s

    def test_copies(self):
        s = self.sample()
        s.project.entries.append(dict(self.entry(s)))
        self.assertEqual(counts(s.report())["duplicates"], 1)

    def test_one_execution_counts_once(self):
        s = self.altered()
        self.assertEqual(s.function()["verifications"], 24)
        self.assertEqual(counts(s.report())["ignored"], 1)

    def test_other_execution(self):
        s = self.altered(labels={"execution_id": "another"})
        self.assertEqual(s.function()["verifications"], 25)

    def test_other_message(self):
        s = self.altered(labels={"execution_id": "another"}, jsonPayload={"message": "got"})
        self.assertEqual(counts(s.report())["ignored"], 1)

    def test_retimed_and_undated(self):
        """Later than what is seen by its stamp, seen by its receipt; too old a stamp is none."""
        for stamp, seen in (("2026-10-14T00:59:00Z", 24), ("2026-10-14T01:01:00Z", 25)):
            s = self.altered(labels={"execution_id": "another"}, timestamp=stamp, receiveTimestamp="2026-10-14T00:00:00Z")
            self.assertEqual(s.function("--as-of", "2026-10-14T00:30:00Z")["verifications"], seen - 6)
        s = self.altered(labels={"execution_id": "another"}, receiveTimestamp="2026-10-13T12:00:00Z")
        self.assertEqual(s.function()["verifications"], 24)

    def test_later_and_filtered(self):
        s = self.sample()
        self.assertEqual(counts(s.report("--as-of", "2026-10-13"))["later"], 6)
        self.assertEqual(counts(s.report("--since", "2026-10-12"))["filtered"], 6)
        self.assertEqual(counts(s.report("--until", "2026-10-13"))["filtered"], 6)

    def test_join_by_trace_alone(self):
        s = self.sample()
        for e in s.project.entries:
            e.pop("spanId", None)
        self.assertEqual(s.function()["clients"]["joined"], 24)


class Clients(unittest.TestCase):
    def test_kinds(self):
        for agent, referer, kind in (
                ("", "", "none"), ("com.a.b/1 iPhone/18.0 hw/sim", "", "iosSimulator"), ("com.a.b/1 MacOSX/14.4.0", "", "macos"), ("App/1 CFNetwork/1410 Darwin/22.6.0", "", "ios"),
                ("Mozilla/5.0 (compatible; X)", "", "tool"), (make_projects.WEBVIEW, "", "androidWebView"), (make_projects.CHROME, "http://localhost:1/", "webLocal"),
                (make_projects.CHROME, "https://a--pr-12345678.web.app/", "webLocal"), (make_projects.CHROME, "https://a.web.app/", "web"), ("okhttp/4.12.0", "", "android"),
                ("Dalvik/2.1.0", "", "android"), ("node", "", "node"), ("Google-Cloud-Scheduler", "", "google"), ("curl/8", "", "tool"), ("axios/1.7", "", "server"), ("Dart/3.7", "", "dart"), ("x", "", "other")):
            self.assertEqual(clients.client(agent, referer).kind, kind, agent)

    def test_versions(self):
        for a, b, order in (("2.0.0-beta", "2.0.0", -1), ("1.0b2", "1.0", -1), ("v3.1", "3.1.0", 0), ("3.10", "3.9", 1), ("10" * 20, "9" * 30, 1)):
            self.assertEqual(clients.compare_versions(a, b), order, (a, b))

    def test_browsers(self):
        for agent, name in ((make_projects.FIREFOX, "firefox"), (make_projects.SAFARI, "safari"), (make_projects.TELEGRAM, "webview"), (make_projects.CHROME + " Edg/139", "edge")):
            self.assertEqual(clients.client(agent, "").browser, name)


if __name__ == "__main__":
    unittest.main()
