#!/usr/bin/env python3
"""Reads a folder of logs on a Spark cluster and makes one callcheck store of them.

    python3 spark.py --callcheck ./callcheck --master 'local[*]' --output logs.db logs/
    spark-submit spark.py --callcheck ./callcheck --list 'gcloud storage ls --recursive' \\
        --fetch 'gcloud storage cat' --output logs.db gs://BUCKET/
    callcheck logs.db

Spark gets the names of the objects, not the objects: names of a Cloud Storage sink have colons, which Hadoop's paths do
not allow. The objects of one hour, of all logs and sinks, go to one task. Each task runs `callcheck store add` and hands
the store on as its result, so a task that runs twice does no harm: a source counts once. The driver adds all stores to
one.

A store keeps 90 days: for older logs, add --set retention=400d.

A folder that cannot be listed and a missing callcheck fail the job. Otherwise it ends as `callcheck store add` would on
all objects, and prints which are damaged or no log (65), or could not be read or fetched in three attempts (66); the
store has what could be read. On a cluster without a shared file system, give --list and --fetch.

Needs pyspark (PyPI) and Java 17 or newer on the machine that starts the job, and on the workers Python 3 of the same
minor version (PYSPARK_PYTHON) and a Linux that runs the given callcheck.
"""

import argparse
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time

# callcheck has written its store: 65 is damaged data.
DAMAGED, MISSING = 65, 66
WRITTEN = (0, DAMAGED)

# Seconds before each attempt to fetch an object.
ATTEMPTS = (0, 2, 10)

# LOG/2026/10/14/08:00:00_08:59:59_S0.json, as a sink names its objects.
SINK_HOUR = re.compile(r"(\d{4}/\d{2}/\d{2}/\d{2}):\d{2}:\d{2}_")


def failed(error):
    raise error


def listed(folder, command):
    """The names of all objects of a folder; what a listing command prints, or the files of a directory."""
    if command:
        text = subprocess.run(shlex.split(command) + [folder], check=True, stdout=subprocess.PIPE, text=True).stdout
        return sorted(line for line in text.splitlines() if line and line[-1] not in "/:")
    return sorted(
        os.path.abspath(os.path.join(parent, name))
        for parent, _, names in os.walk(folder, onerror=failed)
        for name in names
        if not name.startswith("."))


def grouped(names):
    """The names by the hour of their entries, so that copies meet; each of the others by itself."""
    groups = {}
    for name in names:
        hour = SINK_HOUR.search(name)
        groups.setdefault(hour.group(1) if hour else name, []).append(name)
    return [groups[key] for key in sorted(groups)]


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


def fetched(command, name, path):
    """Writes an object to a path; False when no attempt was successful."""
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        for seconds in ATTEMPTS:
            time.sleep(seconds)
            with open(path, "wb") as file:
                if subprocess.run(shlex.split(command) + [name], stdout=file).returncode == 0:
                    return True
        os.remove(path)
    except OSError as error:
        # Buckets have names that are too long for a file, and objects in what is an object.
        print(f"spark.py: {name}: {error}", file=sys.stderr)
    return False


def counted(program, names, fetch):
    """The store of the objects of one group, fetched first where a command says how, and what is missing, or no log."""
    with tempfile.TemporaryDirectory() as folder:
        found, missing = [], []
        for name in names:
            # Objects keep their names, so that problems name them.
            path = place(name) if fetch else name
            is_there = fetched(fetch, name, os.path.join(folder, path)) if fetch else os.access(name, os.R_OK)
            (found if is_there else missing).append(path)
        if not found:
            return [], missing, [], 0
        content, lost, status = store([*program, "--jobs", "1"], found, folder)
        return [content], missing, lost, status


def merged(program, parts, ends=False):
    """One of several stores, with what is missing, or no log. In the end, callcheck prints what is damaged."""
    stores, missing, lost = [], [], []
    for part in parts:
        stores += part[0]
        missing += part[1]
        lost += part[2]
    if not stores or not ends and len(stores) < 2:
        return stores, missing, lost, 0
    with tempfile.TemporaryDirectory() as folder:
        names = [f"part-{number}.db" for number in range(len(stores))]
        for name, content in zip(names, stores):
            with open(os.path.join(folder, name), "wb") as file:
                file.write(content)
        content, _, status = store(program, names, folder, prints=ends)
        return [content], missing, lost, status


def parsed(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", help="a directory, or what --list can list")
    parser.add_argument("--callcheck", required=True, help="the program, which is sent to the workers")
    parser.add_argument("--output", required=True, help="the store to write")
    parser.add_argument("--master", help="a Spark master (default: spark-submit's)")
    parser.add_argument("--list", help="a command that prints the names of a folder's objects, one a line")
    parser.add_argument("--fetch", help="a command that prints the bytes of an object")
    parser.add_argument("--fan-in", type=int, default=32, help="how many stores are merged at once (default: 32)")
    parser.add_argument("--set", action="append", default=[], help="KEY=VALUE: a setting of callcheck, for all runs")
    return parser.parse_args(arguments)


def main(arguments):
    options = parsed(arguments)
    if not os.access(options.callcheck, os.X_OK):
        sys.exit(f"spark.py: {options.callcheck} is not a program")
    try:
        groups = grouped(listed(options.folder, options.list))
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"spark.py: {error}")
    if not groups:
        sys.exit(f"spark.py: {options.folder} holds no objects")

    from pyspark import SparkConf, SparkContext, SparkFiles

    conf = SparkConf().setAppName("callcheck")
    if options.master:
        conf.setMaster(options.master)
    context = SparkContext(conf=conf)
    context.addFile(options.callcheck)
    name, fetch, fan_in = os.path.basename(options.callcheck), options.fetch, max(2, options.fan_in)
    settings = [f"--set={setting}" for setting in options.set]

    def program():
        return [SparkFiles.get(name), *settings]

    def stage(text):
        print(f"spark.py: {text}", file=sys.stderr, flush=True)
        context.setJobDescription(text)

    stage(f"{sum(map(len, groups))} objects in {len(groups)} groups: counting")
    parts = context.parallelize(groups, len(groups)).map(lambda group: counted(program(), group, fetch)).persist()
    count = parts.count()
    while count > fan_in:
        stage(f"merging {count} stores")
        parts = parts.repartition((count + fan_in - 1) // fan_in)
        parts = parts.mapPartitions(lambda found: [merged(program(), found)]).persist()
        count = parts.count()
    stage(f"merging the last {count}")
    stores, missing, lost, status = merged([os.path.abspath(options.callcheck), *settings], parts.collect(), ends=True)
    context.stop()
    for line in [f"{name} cannot be read" for name in missing] + lost:
        print(f"spark.py: {line}", file=sys.stderr)
    if not stores:
        sys.exit(MISSING)
    whole = stores[0]
    with open(options.output + ".tmp", "wb") as file:
        file.write(whole)
    os.replace(options.output + ".tmp", options.output)
    print(f"spark.py: wrote {options.output}, {len(whole)} bytes", file=sys.stderr)
    return MISSING if missing else DAMAGED if lost else status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
