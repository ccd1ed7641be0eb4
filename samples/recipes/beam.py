#!/usr/bin/env python3
"""Reads a folder of logs with Apache Beam and makes one callcheck store of them.

    python3 beam.py --callcheck ./callcheck --output logs.db logs/
    python3 beam.py --callcheck callcheck --output gs://BUCKET/logs.db gs://BUCKET/logs/ \\
        --runner DataflowRunner --project PROJECT --region us-central1 --temp_location gs://BUCKET/temp \\
        --sdk_container_image REGION-docker.pkg.dev/PROJECT/callcheck/beam:latest
    callcheck logs.db

On Dataflow the workers find callcheck in their image: the SDK's (apache/beam_python3.11_sdk) with the program copied to
/usr/local/bin. Give the name that it has there, and --no-check, as it need not be on this machine. Options that this
script does not know go to Beam.

The objects of one hour, of all logs and sinks, go to one task, which runs `callcheck store add` and hands the store on;
a task that runs twice does no harm: a source counts once. The last task adds all stores to one.

A store keeps 90 days: for older logs, add --set retention=400d.

A folder that cannot be listed and a missing callcheck fail the job. Otherwise this script ends as `callcheck store add`
would on all objects, and prints which are no log (65), or could not be read or fetched in three attempts (66); the store
has what could be read. The last task prints which are damaged (65).

Needs apache-beam (PyPI); for gs:// apache-beam[gcp].
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

import apache_beam as beam
from apache_beam.io import fileio
from apache_beam.io.filesystems import FileSystems
from apache_beam.options.pipeline_options import PipelineOptions, SetupOptions

# callcheck has written its store: 65 is damaged data.
DAMAGED, MISSING = 65, 66
WRITTEN = (0, DAMAGED)

# Seconds before each attempt to fetch an object.
ATTEMPTS = (0, 2, 10)

# LOG/2026/10/14/08:00:00_08:59:59_S0.json, as a sink names its objects.
SINK_HOUR = re.compile(r"(\d{4}/\d{2}/\d{2}/\d{2}):\d{2}:\d{2}_")


def failed(error):
    raise error


def listed(folder):
    """The names of the files of a directory."""
    return [
        os.path.join(parent, name)
        for parent, _, names in os.walk(folder, onerror=failed)
        for name in names
        if not name.startswith(".")]


def hour(name):
    """What the objects have in common whose entries may be copies of each other."""
    found = SINK_HOUR.search(name)
    return found.group(1) if found else name


def place(name):
    """Where an object is stored in a separate folder; two objects never share a place."""
    names = {"": "%2F", ".": "%2E", "..": "%2E%2E"}
    parts = name.split("://", 1)[-1].replace("%", "%25").split("/")
    return os.path.join(*(names.get(part, part) for part in parts))


def store(program, inputs, folder, prints=False):
    """The bytes of a store of some inputs, named as seen from a folder, what of them is no log, and the exit status.

    The program is callcheck and its options. Its messages are printed, or are those of the error.
    """
    with tempfile.TemporaryDirectory() as made:
        path, report = os.path.join(made, "part.db"), os.path.join(made, "added.json")
        command = [program[0], "store", "add", path, "--quiet", "--output", report, *program[1:], "--", *inputs]
        run = subprocess.run(
            command, cwd=folder, stdin=subprocess.DEVNULL, stderr=None if prints else subprocess.PIPE, text=True)
        if run.returncode not in WRITTEN or not os.path.exists(path):
            raise RuntimeError(f"callcheck store add ended with {run.returncode}: {run.stderr or 'see above'}")
        with open(report, encoding="utf-8") as file:
            added = json.load(file)["inputs"]
        # A store says nothing more of such an object. An empty one lacks nothing.
        lost = [
            f"{each['source']}: {problem['detail']}"
            for each in added
            for problem in each["problems"]
            if problem["kind"] == "unsupported-format" and each["counts"]["bytesRead"] > 0]
        with open(path, "rb") as written:
            return written.read(), lost, run.returncode


def fetched(name, path):
    """Writes an object to a path; False when no attempt was successful."""
    for seconds in ATTEMPTS:
        time.sleep(seconds)
        try:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            # Compressed objects stay so: callcheck sees damage better than Beam does.
            with FileSystems.open(name, compression_type="uncompressed") as source, open(path, "wb") as file:
                shutil.copyfileobj(source, file)
            return True
        except OSError as error:
            print(f"beam.py: {name}: {error}", file=sys.stderr)
    if os.path.isfile(path):
        os.remove(path)
    return False


def merged(program, part, ends=False):
    """One of several stores, with what is missing, or no log. In the end, callcheck prints what is damaged."""
    stores, missing, lost, _ = part
    if not stores or not ends and len(stores) < 2:
        return part
    with tempfile.TemporaryDirectory() as folder:
        names = [f"part-{number}.db" for number in range(len(stores))]
        for name, content in zip(names, stores):
            with open(os.path.join(folder, name), "wb") as file:
                file.write(content)
        content, _, status = store(program, names, folder, prints=ends)
        return [content], missing, lost, status


class Count(beam.DoFn):
    """The store of the objects of one hour, and what is missing, or no log."""

    def __init__(self, program):
        self.program = [*program, "--jobs", "1"]

    def process(self, group):
        with tempfile.TemporaryDirectory() as folder:
            found, missing = [], []
            for name in sorted(group[1]):
                # Objects keep their names, so that problems name them.
                path = place(name) if "://" in name else name
                is_there = fetched(name, os.path.join(folder, path)) if "://" in name else os.access(name, os.R_OK)
                (found if is_there else missing).append(path)
            content, lost, status = store(self.program, found, folder) if found else (None, [], 0)
            yield [content] if found else [], missing, lost, status


class Merge(beam.CombineFn):
    """Few stores of many, merged in groups of this size."""

    def __init__(self, program, fan_in):
        self.program = program
        self.fan_in = max(2, fan_in)

    def create_accumulator(self):
        return [], [], [], 0

    def add_input(self, accumulator, part):
        whole = *(one + other for one, other in zip(accumulator[:3], part)), 0
        return merged(self.program, whole) if len(whole[0]) >= self.fan_in else whole

    def merge_accumulators(self, accumulators):
        whole = self.create_accumulator()
        for accumulator in accumulators:
            whole = self.add_input(whole, accumulator)
        return whole

    def extract_output(self, accumulator):
        return accumulator


def write(part, program, output):
    """Writes the store, and for the script how to end, and what to say."""
    if not part[0] and not part[1]:
        raise RuntimeError("the folder holds no objects")
    stores, missing, lost, status = merged(program, part, ends=True)
    for whole in stores:
        with FileSystems.create(output, mime_type="application/octet-stream") as file:
            file.write(whole)
    said = [f"{name} cannot be read" for name in missing] + lost
    with FileSystems.create(output + ".outcome", mime_type="application/json") as file:
        file.write(json.dumps([MISSING if missing else DAMAGED if lost else status, said]).encode())


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", help="a directory, or gs://BUCKET/FOLDER")
    parser.add_argument("--callcheck", required=True, help="the program, as the workers find it")
    parser.add_argument("--output", required=True, help="the store to write")
    parser.add_argument("--fan-in", type=int, default=32, help="how many stores are merged at once (default: 32)")
    parser.add_argument("--set", action="append", default=[], help="KEY=VALUE: a setting of callcheck, for all runs")
    parser.add_argument("--no-check", action="store_true", help="do not look for callcheck on this machine")
    options, rest = parser.parse_known_args(arguments)
    callcheck = options.callcheck
    if not options.no_check:
        callcheck = shutil.which(callcheck) or sys.exit(f"beam.py: {callcheck} is not a program")
        callcheck = os.path.abspath(callcheck)
    program = [callcheck, *(f"--set={setting}" for setting in options.set)]
    if "://" in options.folder:
        objects = fileio.MatchFiles(options.folder.rstrip("/") + "/**") | beam.Map(lambda found: found.path)
    else:
        # Beam passes over folders that it cannot list.
        try:
            objects = beam.Create(listed(os.path.abspath(options.folder)))
        except OSError as error:
            sys.exit(f"beam.py: {error}")

    beam_options = PipelineOptions(rest)
    beam_options.view_as(SetupOptions).save_main_session = True
    with beam.Pipeline(options=beam_options) as pipeline:
        (
            pipeline
            | "List" >> objects
            | "Hour" >> beam.Map(lambda name: (hour(name), name))
            | "Group" >> beam.GroupByKey()
            | "Spread" >> beam.Reshuffle()
            | "Count" >> beam.ParDo(Count(program))
            | "Merge" >> beam.CombineGlobally(Merge(program, options.fan_in))
            | "Write" >> beam.Map(write, program, options.output)
        )
    with FileSystems.open(options.output + ".outcome") as file:
        status, said = json.loads(file.read())
    FileSystems.delete([options.output + ".outcome"])
    print("".join(f"beam.py: {line}\n" for line in said), end="", file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
