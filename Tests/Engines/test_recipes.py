"""Runs samples/recipes/spark.py and beam.py for real, and compares with one pass over the same objects.

    python3 -m pip install -r Tests/Engines/requirements.txt
    python3 Tests/Engines/test_recipes.py --callcheck .build/release/callcheck
"""

import argparse
import gzip
import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))
CALLCHECK = None


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
            # Objects of the same bytes are one source to a snapshot, and two to a pass over them.
            objects.setdefault(second, [json.dumps({"textPayload": second}) + "\n"]).append(line)
    for name, lines in objects.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(lines)
    return sorted(objects)


def summary(*inputs):
    """What callcheck says of inputs, without what may differ."""
    run = subprocess.run([CALLCHECK, "-f", "json", "-q", *inputs], stdout=subprocess.PIPE)
    report = json.loads(run.stdout)
    del report["input"]["bytesRead"]
    for function in report["functions"]:
        if function["clients"]:
            function["clients"]["blockedAddresses"] = None
    return run.returncode, report


class Recipes(unittest.TestCase):
    maxDiff = 2000

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.logs = os.path.join(self.folder, "logs")
        self.objects = write_objects(self.logs)
        self.output = os.path.join(self.folder, "all.snapshot")

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

    def assert_equal_to_one_pass(self, run, status=0):
        self.assertEqual(run.returncode, 0, run.stderr[-3000:])
        self.assertEqual(summary(self.output), summary(self.logs))
        self.assertEqual(summary(self.output)[0], status)

    def damage_one(self):
        path = os.path.join(self.logs, self.objects[3])
        with open(path, "rb") as file:
            packed = gzip.compress(file.read(), mtime=0)
        with open(path, "wb") as file:
            file.write(packed[: len(packed) * 2 // 3])

    def killing(self):
        """A callcheck that kills the task that runs it, once."""
        program = os.path.join(self.folder, "killing-callcheck")
        mark = os.path.join(self.folder, "killed")
        with open(program, "w", encoding="utf-8") as file:
            file.write(f'#!/bin/sh\nif mkdir "{mark}" 2>/dev/null; then kill -9 "$PPID"; fi\n')
            file.write(f'exec "{CALLCHECK}" "$@"\n')
        os.chmod(program, os.stat(program).st_mode | stat.S_IXUSR)
        return program, mark

    def test_spark(self):
        self.assert_equal_to_one_pass(self.spark())

    def test_spark_with_a_task_killed_and_an_object_damaged(self):
        self.damage_one()
        program, mark = self.killing()
        self.assert_equal_to_one_pass(self.spark(callcheck=program), status=65)
        self.assertTrue(os.path.exists(mark))

    def test_spark_with_commands(self):
        run = self.spark("--list", "sh -c 'find \"$0\" -type f'", "--fetch", "cat")
        self.assertEqual(run.returncode, 0, run.stderr[-3000:])
        found, wanted = summary(self.output)[1], summary(self.logs)[1]
        self.assertEqual(found["functions"], wanted["functions"])
        self.assertEqual(found["input"], wanted["input"])

    def test_beam(self):
        self.assert_equal_to_one_pass(self.beam())

    def test_beam_with_an_object_damaged(self):
        self.damage_one()
        self.assert_equal_to_one_pass(self.beam(), status=65)

    def test_beam_with_a_worker_killed(self):
        # Beam's local runner ends the job, Dataflow runs the task again: either way nothing is there twice.
        program, mark = self.killing()
        workers = ("--direct_running_mode=multi_processing", "--direct_num_workers=2")
        self.assertNotEqual(self.beam(*workers, callcheck=program).returncode, 0)
        self.assertTrue(os.path.exists(mark))
        self.assertFalse(os.path.exists(self.output))
        self.assert_equal_to_one_pass(self.beam(*workers, callcheck=program))

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
