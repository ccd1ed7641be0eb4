#!/usr/bin/env python3
"""Counts a folder of logs with Apache Beam and writes one callcheck snapshot.

    python3 beam.py --callcheck ./callcheck --output logs.snapshot logs/
    python3 beam.py --callcheck callcheck --output gs://BUCKET/logs.snapshot gs://BUCKET/logs/ \\
        --runner DataflowRunner --project PROJECT --region us-central1 --temp_location gs://BUCKET/temp \\
        --sdk_container_image REGION-docker.pkg.dev/PROJECT/callcheck/beam:latest
    callcheck logs.snapshot

On Dataflow the workers find callcheck in their image: the SDK's (apache/beam_python3.11_sdk) with the program copied to
/usr/local/bin. Give the name that it has there, and --no-check, as it need not be on this machine. Options that this
script does not know go to Beam.

The objects of one hour, of all logs and sinks, go to one task, which runs `callcheck snapshot` and hands the snapshot
on; a task that runs twice does no harm: a source counts once. An object that is damaged or missing is a problem in the
snapshot, which callcheck shows. A missing callcheck fails the job.

Needs apache-beam (PyPI); for gs:// apache-beam[gcp].
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

import apache_beam as beam
from apache_beam.io import fileio
from apache_beam.io.filesystems import FileSystems
from apache_beam.options.pipeline_options import PipelineOptions, SetupOptions

# callcheck has written its snapshot: 65 damaged data, 66 a missing input.
WRITTEN = (0, 65, 66)

# LOG/2026/10/14/08:00:00_08:59:59_S0.json, as a sink names its objects.
SINK_HOUR = re.compile(r"(\d{4}/\d{2}/\d{2}/\d{2}):\d{2}:\d{2}_")


def hour(name):
    """What the objects have in common whose entries may be copies of each other."""
    found = SINK_HOUR.search(name)
    return found.group(1) if found else name


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


class Count(beam.DoFn):
    """The snapshot of the objects of one hour."""

    def __init__(self, callcheck):
        self.callcheck = callcheck

    def process(self, group):
        names = sorted(group[1])
        with tempfile.TemporaryDirectory() as folder:
            if not any("://" in name for name in names):
                yield snapshot(self.callcheck, names, folder)
                return
            # Objects keep their names, so that problems name them.
            local = [place(name) for name in names]
            for name, path in zip(names, local):
                target = os.path.join(folder, path)
                os.makedirs(os.path.dirname(target), exist_ok=True)
                try:
                    # Compressed objects stay so: callcheck sees damage better than Beam does.
                    with FileSystems.open(name, compression_type="uncompressed") as source, open(target, "wb") as file:
                        shutil.copyfileobj(source, file)
                except OSError:
                    # callcheck reports it as missing.
                    if os.path.exists(target):
                        os.remove(target)
            yield snapshot(self.callcheck, local, folder)


class Merge(beam.CombineFn):
    """One snapshot of all, merged in groups of this size."""

    def __init__(self, callcheck, fan_in):
        self.callcheck = callcheck
        self.fan_in = max(2, fan_in)

    def create_accumulator(self):
        return []

    def add_input(self, accumulator, content):
        accumulator.append(content)
        return self.merged(accumulator) if len(accumulator) >= self.fan_in else accumulator

    def merge_accumulators(self, accumulators):
        whole = self.create_accumulator()
        for accumulator in accumulators:
            for content in accumulator:
                whole = self.add_input(whole, content)
        return whole

    def extract_output(self, accumulator):
        return self.merged(accumulator)[0] if accumulator else b""

    def merged(self, snapshots):
        if len(snapshots) < 2:
            return snapshots
        with tempfile.TemporaryDirectory() as folder:
            names = [f"{number}.snapshot" for number in range(len(snapshots))]
            for name, content in zip(names, snapshots):
                with open(os.path.join(folder, name), "wb") as file:
                    file.write(content)
            return [snapshot(self.callcheck, names, folder)]


def write(content, output):
    if not content:
        raise RuntimeError("the folder holds no objects")
    with FileSystems.create(output, mime_type="application/octet-stream") as file:
        file.write(content)


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", help="a directory, or gs://BUCKET/FOLDER")
    parser.add_argument("--callcheck", required=True, help="the program, as the workers find it")
    parser.add_argument("--output", required=True, help="the snapshot to write")
    parser.add_argument("--fan-in", type=int, default=32, help="how many snapshots are merged at once (default: 32)")
    parser.add_argument("--no-check", action="store_true", help="do not look for callcheck on this machine")
    options, rest = parser.parse_known_args(arguments)
    callcheck = options.callcheck
    if not options.no_check:
        callcheck = shutil.which(callcheck) or sys.exit(f"beam.py: {callcheck} is not a program")
        callcheck = os.path.abspath(callcheck)
    folder = options.folder if "://" in options.folder else os.path.abspath(options.folder)

    beam_options = PipelineOptions(rest)
    beam_options.view_as(SetupOptions).save_main_session = True
    with beam.Pipeline(options=beam_options) as pipeline:
        (
            pipeline
            | "List" >> fileio.MatchFiles(folder.rstrip("/") + "/**")
            | "Hour" >> beam.Map(lambda found: (hour(found.path), found.path))
            | "Group" >> beam.GroupByKey()
            | "Spread" >> beam.Reshuffle()
            | "Count" >> beam.ParDo(Count(callcheck))
            | "Merge" >> beam.CombineGlobally(Merge(callcheck, options.fan_in))
            | "Write" >> beam.Map(write, options.output)
        )


if __name__ == "__main__":
    main(sys.argv[1:])
