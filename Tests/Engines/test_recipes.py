"""Runs samples/recipes/spark.py and beam.py for real, and compares with one run over the same objects.

    python3 -m pip install -r Tests/Engines/requirements.txt
    python3 Tests/Engines/test_recipes.py --callcheck .build/release/callcheck
"""

import argparse
import gzip
import json
import lzma
import os
import runpy
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))
CALLCHECK = None
WAY_OUT = b". A store keeps it as it was read: make a new one from the whole logs"


def lines_of(sample):
    with gzip.open(os.path.join(ROOT, "samples", sample), "rt", encoding="utf-8") as file:
        return [line for line in file if line.strip()]


def write_objects(folder):
    """Sink objects of two logs by the hour, late ones, and copies of some entries in a second sink."""
    objects = {}
    for number, line in enumerate(lines_of("one-day-gen2-stdout-and-stderr.json.gz")):
        entry = json.loads(line)
        time = entry.get("timestamp") or entry["receiveTimestamp"]
        log = entry["logName"].rsplit("/", 1)[-1].replace("%2F", "/")
        hour = f"{time[0:4]}/{time[5:7]}/{time[8:10]}/{time[11:13]}"
        name = f"{time[11:13]}:00:00_{time[11:13]}:59:59_S0.json"
        if number % 9 == 0:
            name = name.replace("_S0", "_A0:1616681700")
        objects.setdefault(f"{log}/{hour[:-3]}/{name}", []).append(line)
        if number % 5 == 0:
            second = f"second-sink/{hour[:-3]}/{name}"
            # Objects of the same bytes are one source to a store, and two to a run over them.
            objects.setdefault(second, [json.dumps({"textPayload": second}) + "\n"]).append(line)
    for name, lines in objects.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(lines)
    return sorted(objects)


def summary(*inputs):
    """What callcheck says of inputs, without what may differ."""
    # A report on a store is about today unless it is told otherwise, and a log is judged as of its own end.
    run = subprocess.run([CALLCHECK, "-f", "json", "-q", "--as-of", "2026-10-15", *inputs], stdout=subprocess.PIPE)
    # What stores alone add to a message about damage.
    report = json.loads(run.stdout.replace(WAY_OUT, b""))
    del report["input"]["bytesRead"]
    for problem in report["input"]["problems"]:
        # A store says besides what it takes to be rid of it.
        problem["detail"] = problem["detail"].removesuffix(". A store keeps it as it was read: make a new one from the whole logs")
    return run.returncode, report


class Recipes(unittest.TestCase):
    maxDiff = 2000

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.logs = os.path.join(self.folder, "logs")
        self.objects = write_objects(self.logs)
        self.output = os.path.join(self.folder, "all.db")

    def run_recipe(self, recipe, *options, callcheck=None):
        command = [sys.executable, os.path.join(ROOT, "samples/recipes", recipe), "--output", self.output]
        command += ["--callcheck", callcheck or CALLCHECK, *options, self.logs]
        environment = dict(os.environ, PYSPARK_PYTHON=sys.executable)
        return subprocess.run(command, env=environment, stderr=subprocess.PIPE, text=True)

    def spark(self, *options, callcheck=None):
        return self.run_recipe(
            "spark.py", "--master", "local-cluster[2,1,1024]", "--fan-in", "4", *options, callcheck=callcheck)

    def beam(self, *options, callcheck=None):
        return self.run_recipe("beam.py", "--fan-in", "4", *options, callcheck=callcheck)

    def assert_equal_to_one_run(self, run, status=0):
        self.assertEqual(run.returncode, status, run.stderr[-3000:])
        self.assertEqual(summary(self.output), summary(self.logs))
        self.assertEqual(summary(self.output)[0], status)

    def assert_says_once(self, run, name):
        """Each problem is printed once, however often stores were merged."""
        said = [line for line in run.stderr.splitlines() if line.startswith("callcheck: ")]
        self.assertEqual(len(said), 1, run.stderr[-3000:])
        self.assertIn(name, said[0])

    def damage_one(self):
        path = os.path.join(self.logs, self.objects[3])
        with open(path, "rb") as file:
            packed = gzip.compress(file.read(), mtime=0)
        with open(path, "wb") as file:
            file.write(packed[: len(packed) * 2 // 3])
        return path

    def pack_one(self):
        """An object that is no log, in an hour of its own, and an empty one."""
        path = os.path.join(self.logs, "2026/10/14/09:00:00_09:59:59_S0.json.xz")
        os.makedirs(os.path.dirname(path))
        with open(path, "wb") as file:
            file.write(lzma.compress(b"{}\n"))
        open(os.path.join(self.logs, "2026/10/14/10:00:00_10:59:59_S0.json"), "wb").close()
        return path

    def assert_names_what_is_no_log(self, recipe):
        lost = self.pack_one()
        run = recipe()
        self.assertEqual(run.returncode, 65, run.stderr[-3000:])
        self.assertEqual(run.stderr.count(f"py: {lost}: xz data"), 1, run.stderr[-3000:])
        os.remove(lost)
        self.assertEqual(summary(self.output)[1]["functions"], summary(self.logs)[1]["functions"])

    def make_deep_folder(self):
        """A folder that nobody can list, not even root: its path is too long."""
        place = os.open(self.logs, os.O_RDONLY)
        for _ in range(20):
            os.mkdir("n" * 250, dir_fd=place)
            inner = os.open("n" * 250, os.O_RDONLY, dir_fd=place)
            os.close(place)
            place = inner
        os.close(place)

    def script(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n" + text)
        os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)
        return path

    def killing(self):
        """A callcheck that kills the task that runs it, once."""
        mark = os.path.join(self.folder, "killed")
        program = self.script("killing-callcheck", f'''
            if mkdir "{mark}" 2>/dev/null; then kill -9 "$PPID"; fi
            exec "{CALLCHECK}" "$@"
            ''')
        return program, mark

    def test_spark(self):
        self.assert_equal_to_one_run(self.spark())

    def test_spark_with_a_task_killed_and_an_object_damaged(self):
        damaged = self.damage_one()
        program, mark = self.killing()
        run = self.spark(callcheck=program)
        self.assert_equal_to_one_run(run, status=65)
        self.assert_says_once(run, damaged)
        self.assertTrue(os.path.exists(mark))

    def test_spark_with_an_object_that_is_no_log(self):
        self.assert_names_what_is_no_log(self.spark)

    def test_spark_with_a_bucket(self):
        """Two objects' names differ by a slash alone, one is there at the second attempt, and one never."""
        hour = "2026/10/14/08:00:00_08:59:59_S0.json"
        late, gone = f"late/{hour}", f"gone/{hour}"
        names = [*self.objects, f"stdout//{hour}", late, gone]
        objects = os.path.join(self.folder, "objects")
        os.mkdir(objects)
        for name in names:
            if name == gone:
                continue
            with open(os.path.join(self.logs, name if name in self.objects else self.objects[0]), encoding="utf-8") as file:
                content = file.read()
            if name not in self.objects:
                # Other entries than those of that object.
                content = content.replace('"insertId":"', f'"insertId":"{len(name)}')
            with open(os.path.join(objects, name.replace("/", "|")), "w", encoding="utf-8") as file:
                file.write(content)
        listing = "\n".join(f"s3://bucket/{name}" for name in names)
        lister = self.script("list", f"cat <<'END'\n{listing}\nEND\n")
        fetch = self.script("fetch", f'''
            case $1 in */late/*) if mkdir "{self.folder}/tried" 2>/dev/null; then echo half; exit 1; fi ;; esac
            exec cat "{objects}/$(printf %s "${{1#s3://bucket/}}" | tr / '|')"
            ''')
        run = self.spark("--list", lister, "--fetch", fetch)
        self.assertEqual(run.returncode, 66, run.stderr[-3000:])
        self.assertEqual(run.stderr.count(f"spark.py: bucket/{gone} cannot be read"), 1)
        found, wanted = summary(self.output)[1], summary(objects)[1]
        self.assertEqual(found["functions"], wanted["functions"])
        self.assertEqual(found["input"]["records"], wanted["input"]["records"])

    def test_places_of_objects(self):
        names = ["a/b", "a//b", "/a/b", "a/./b", "a/../b", "a/%2F/b", "a/%2E/b", "a/%2E%2E/b"]
        for recipe in ("spark.py", "beam.py"):
            place = runpy.run_path(os.path.join(ROOT, "samples/recipes", recipe))["place"]
            places = [os.path.normpath(place(f"gs://bucket/{name}")) for name in names]
            self.assertEqual(len(set(places)), len(names), places)
            self.assertTrue(all(path.startswith("bucket/") for path in places), places)

    def test_objects_without_a_place(self):
        """One in what is an object, and one whose name is too long for a file: missing, and the job goes on."""
        fetched = runpy.run_path(os.path.join(ROOT, "samples/recipes/spark.py"))["fetched"]
        path = self.script("object", "")
        for name in (path + "/inner", path + "s/" + "n" * 300):
            self.assertFalse(fetched("echo", "gs://bucket/object", name))
        self.assertTrue(os.path.exists(path))

    def test_folder_that_cannot_be_listed(self):
        self.make_deep_folder()
        for recipe in (self.spark, self.beam):
            run = recipe()
            self.assertEqual(run.returncode, 1, run.stderr[-3000:])
            self.assertIn("File name too long", run.stderr)
            self.assertFalse(os.path.exists(self.output))

    def test_beam(self):
        self.assert_equal_to_one_run(self.beam())

    def test_beam_with_an_object_damaged(self):
        damaged = self.damage_one()
        run = self.beam()
        self.assert_equal_to_one_run(run, status=65)
        self.assert_says_once(run, damaged)

    def test_beam_with_an_object_that_is_no_log(self):
        self.assert_names_what_is_no_log(self.beam)

    def test_beam_with_a_worker_killed(self):
        # Beam's local runner ends the job, Dataflow runs the task again: either way nothing is there twice.
        program, mark = self.killing()
        workers = ("--direct_running_mode=multi_processing", "--direct_num_workers=2")
        self.assertNotEqual(self.beam(*workers, callcheck=program).returncode, 0)
        self.assertTrue(os.path.exists(mark))
        self.assertFalse(os.path.exists(self.output))
        self.assert_equal_to_one_run(self.beam(*workers, callcheck=program))

    def test_without_callcheck(self):
        for recipe in (self.spark, self.beam):
            self.assertNotEqual(recipe(callcheck=os.path.join(self.folder, "missing")).returncode, 0)
            self.assertFalse(os.path.exists(self.output))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--callcheck", required=True)
    known, rest = parser.parse_known_args()
    CALLCHECK = os.path.abspath(known.callcheck)
    unittest.main(argv=[sys.argv[0], *rest], verbosity=2)
