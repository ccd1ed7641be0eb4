#!/usr/bin/env python3
"""Counts a folder of logs on a Spark cluster and writes one callcheck snapshot.

    python3 spark.py --callcheck ./callcheck --master 'local[*]' --output logs.snapshot logs/
    spark-submit spark.py --callcheck ./callcheck --list 'gcloud storage ls --recursive' \\
        --fetch 'gcloud storage cat' --output logs.snapshot gs://BUCKET/
    callcheck logs.snapshot

Spark gets the names of the objects, not the objects: names of a Cloud Storage sink have colons, which Hadoop's paths do
not allow. The objects of one hour, of all logs and sinks, go to one task. Each task runs `callcheck snapshot` and hands
the snapshot on as its result, so a task that runs twice does no harm: a source counts once.

An object that is damaged or missing is a problem in the snapshot, which callcheck shows. A missing callcheck fails the
job. On a cluster without a shared file system, give --list and --fetch.

Needs pyspark (PyPI) and Java 17 or newer on the machine that starts the job, and on the workers Python 3 of the same
minor version (PYSPARK_PYTHON) and a Linux that runs the given callcheck.
"""

import argparse
import os
import re
import shlex
import subprocess
import sys
import tempfile

# callcheck has written its snapshot: 65 damaged data, 66 a missing input.
WRITTEN = (0, 65, 66)

# LOG/2026/10/14/08:00:00_08:59:59_S0.json, as a sink names its objects.
SINK_HOUR = re.compile(r"(\d{4}/\d{2}/\d{2}/\d{2}):\d{2}:\d{2}_")


def listed(folder, command):
    """The names of all objects of a folder; what a listing command prints, or the files of a directory."""
    if command:
        text = subprocess.run(shlex.split(command) + [folder], check=True, stdout=subprocess.PIPE, text=True).stdout
        return sorted(line for line in text.splitlines() if line and line[-1] not in "/:")
    return sorted(
        os.path.abspath(os.path.join(parent, name))
        for parent, _, names in os.walk(folder)
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
    """Where an object is stored in a separate folder."""
    return os.path.join(*(part for part in name.split("://", 1)[-1].split("/") if part not in ("", ".", "..")))


def snapshot(callcheck, inputs, folder):
    """The bytes of the snapshot of some inputs, named as seen from a folder."""
    with tempfile.NamedTemporaryFile(suffix=".snapshot") as file:
        command = [callcheck, "snapshot", "--quiet", "--jobs", "1", "--output", file.name, "--", *inputs]
        status = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL).returncode
        if status not in WRITTEN:
            raise RuntimeError(f"callcheck snapshot ended with {status}")
        with open(file.name, "rb") as written:
            return written.read()


def counted(callcheck, names, fetch):
    """The snapshot of the objects of one group, fetched first where a command says how."""
    with tempfile.TemporaryDirectory() as folder:
        if not fetch:
            return snapshot(callcheck, names, folder)
        # Objects keep their names, so that problems name them.
        local = [place(name) for name in names]
        for name, path in zip(names, local):
            target = os.path.join(folder, path)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "wb") as file:
                if subprocess.run(shlex.split(fetch) + [name], stdout=file).returncode:
                    # callcheck reports it as missing.
                    os.remove(target)
        return snapshot(callcheck, local, folder)


def merged(callcheck, snapshots):
    """One snapshot of several."""
    snapshots = list(snapshots)
    if len(snapshots) < 2:
        return snapshots
    with tempfile.TemporaryDirectory() as folder:
        names = [f"{number}.snapshot" for number in range(len(snapshots))]
        for name, content in zip(names, snapshots):
            with open(os.path.join(folder, name), "wb") as file:
                file.write(content)
        return [snapshot(callcheck, names, folder)]


def parsed(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", help="a directory, or what --list can list")
    parser.add_argument("--callcheck", required=True, help="the program, which is sent to the workers")
    parser.add_argument("--output", required=True, help="the snapshot to write")
    parser.add_argument("--master", help="a Spark master (default: spark-submit's)")
    parser.add_argument("--list", help="a command that prints the names of a folder's objects, one a line")
    parser.add_argument("--fetch", help="a command that prints the bytes of an object")
    parser.add_argument("--fan-in", type=int, default=32, help="how many snapshots are merged at once (default: 32)")
    return parser.parse_args(arguments)


def main(arguments):
    options = parsed(arguments)
    if not os.access(options.callcheck, os.X_OK):
        sys.exit(f"spark.py: {options.callcheck} is not a program")
    groups = grouped(listed(options.folder, options.list))
    if not groups:
        sys.exit(f"spark.py: {options.folder} holds no objects")

    from pyspark import SparkConf, SparkContext, SparkFiles

    conf = SparkConf().setAppName("callcheck")
    if options.master:
        conf.setMaster(options.master)
    context = SparkContext(conf=conf)
    context.addFile(options.callcheck)
    name, fetch, fan_in = os.path.basename(options.callcheck), options.fetch, max(2, options.fan_in)

    def program():
        return SparkFiles.get(name)

    def stage(text):
        print(f"spark.py: {text}", file=sys.stderr, flush=True)
        context.setJobDescription(text)

    stage(f"{sum(map(len, groups))} objects in {len(groups)} groups: counting")
    parts = context.parallelize(groups, len(groups)).map(lambda group: counted(program(), group, fetch)).persist()
    count = parts.count()
    while count > fan_in:
        stage(f"merging {count} snapshots")
        parts = parts.repartition((count + fan_in - 1) // fan_in)
        parts = parts.mapPartitions(lambda snapshots: merged(program(), snapshots)).persist()
        count = parts.count()
    stage(f"merging the last {count}")
    whole = merged(os.path.abspath(options.callcheck), parts.collect())[0]
    context.stop()
    with open(options.output + ".tmp", "wb") as file:
        file.write(whole)
    os.replace(options.output + ".tmp", options.output)
    print(f"spark.py: wrote {options.output}, {len(whole)} bytes", file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1:])
