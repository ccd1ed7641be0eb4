#!/usr/bin/env python3
"""Measures what a store costs, and checks that it answers as its logs do.

    swift build -c release
    python3 Tests/HugeInputs/stores.py [--callcheck PROGRAM] [--against PROGRAM] [--scale 1]

At full size: 7 days of a million verifications of 40 functions in hourly files, then an hour, then the rest of a day; and
400 days of 2,000 verifications in daily files. `--against` measures another callcheck beside it, each in turn. Ends with
1 when a store does not say what its logs say, or is larger than it may be.
"""

import argparse
import gzip
import json
import os
import random
import statistics
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

ENTRY = (
    '{{"insertId":"{id:x}","jsonPayload":{{"message":"Callable request verification passed","verifications":'
    '{{"app":"{app}","auth":"VALID"}}}},"resource":{{"type":"cloud_run_revision","labels":{{"service_name":"f{function}",'
    '"project_id":"demo","location":"us-central1"}}}},"timestamp":"{time}","receiveTimestamp":"{time}","severity":"DEBUG",'
    '"labels":{{"firebase-log-type":"callable-request-verification"}},'
    '"logName":"projects/demo/logs/run.googleapis.com%2Fstdout"}}\n'
)
LARGEST = 14  # bytes for each verification
FIRST = datetime(2025, 9, 15, tzinfo=UTC)


def write(path, start, seconds, count):
    """A file of verifications, evenly spread."""
    draw = random.Random(str(start))
    lines = []
    for number in range(count):
        moment = start + timedelta(seconds=number * seconds / count)
        stamp = f"{moment:%Y-%m-%dT%H:%M:%S}.{draw.randrange(10**9):09}Z"
        app = "VALID" if draw.random() < 0.98 else "MISSING"
        lines.append(ENTRY.format(id=draw.getrandbits(80), app=app, function=draw.randrange(40), time=stamp))
    path.write_bytes(gzip.compress("".join(lines).encode(), 1))
    return path


def run(program, *arguments):
    """Runs a command: (seconds, MiB, output)."""
    with tempfile.TemporaryFile() as output:
        started = time.monotonic()
        child = os.fork()
        if child == 0:
            os.dup2(output.fileno(), 1)
            os.execv(program, [program, *map(str, arguments)])
        _, status, usage = os.wait4(child, 0)
        seconds = time.monotonic() - started
        if os.waitstatus_to_exitcode(status) not in (0, 1, 2):
            raise SystemExit(f"{arguments[:3]}: status {os.waitstatus_to_exitcode(status)}")
        output.seek(0)
        return seconds, usage.ru_maxrss / 1024, output.read()


def copy(store, name):
    """A copy of a store, which the step to measure may change."""
    other = store.with_name(name)
    for ending in ("-wal", "-shm"):
        other.with_name(other.name + ending).unlink(missing_ok=True)
    other.write_bytes(store.read_bytes())
    return other


def functions(program, *arguments):
    page = json.loads(run(program, "-q", "-f", "json", *arguments)[2])["functions"]
    for function in page:
        if function["clients"]:
            function["clients"]["blockedAddresses"] = None
    return page


def main():
    parser = argparse.ArgumentParser(description="Costs of a store.")
    parser.add_argument("--callcheck", default=".build/release/callcheck")
    parser.add_argument("--against")
    parser.add_argument("--scale", type=float, default=1.0)
    arguments = parser.parse_args()
    programs = [str(Path(name).resolve()) for name in (arguments.callcheck, arguments.against) if name]
    hourly, daily = max(50, int(42_000 * arguments.scale)), max(50, int(2_000 * arguments.scale))
    wrong, steps = [], {}
    with tempfile.TemporaryDirectory(prefix="callcheck-stores-") as name:
        folder = Path(name)
        hours = [write(folder / f"h{h:03}.gz", FIRST + timedelta(hours=h), 3600, hourly) for h in range(8 * 24)]
        days = [write(folder / f"d{d:03}.gz", FIRST + timedelta(days=d), 86_400, daily) for d in range(400)]
        for index, program in enumerate(programs):
            week, year = folder / f"week-{index}.db", folder / f"year-{index}.db"
            steps.setdefault("7 days, into a new store", []).append([run(program, "store", "add", "-q", week, *hours[:168])])
            size = week.stat().st_size / (168 * hourly)
            if index == 0 and size > LARGEST and arguments.scale >= 0.5:
                wrong.append(f"{size:.1f} bytes a verification")
            print(f"{program}: {size:.1f} bytes a verification", flush=True)
            run(program, "store", "add", "-q", "--set", "retention=400d", year, *days)
            if index == 0:
                for store, logs in ((week, hours[:168]), (year, days)):
                    if functions(program, "--store", store) != functions(program, *logs):
                        wrong.append(f"{store.name} does not say what its logs say")
        for step in ("the first hour of the next day", "the last hour", "the 24 hours in one run", "check of a week",
                     "report on 400 days"):
            for index, program in enumerate(programs):
                week, year = folder / f"week-{index}.db", folder / f"year-{index}.db"
                found = []
                for _ in range(5):
                    store = copy(week, "copy.db")
                    if step == "the last hour":
                        run(program, "store", "add", "-q", store, *hours[168:191])
                    found.append(run(program, *{
                        "the first hour of the next day": ["store", "add", "-q", store, hours[168]],
                        "the last hour": ["store", "add", "-q", store, hours[191]],
                        "the 24 hours in one run": ["store", "add", "-q", store, *hours[168:]],
                        "check of a week": ["check", "-q", "--as-of", "2025-09-21", "--store", store],
                        "report on 400 days": ["report", "-q", "--as-of", "2026-10-19", "--store", year],
                    }[step]))
                steps.setdefault(step, []).append(found)
    print("| step | s | MiB |" + (" s, the other | MiB | ratio |" if arguments.against else ""))
    print("|---|---|---|" + ("---|---|---|" if arguments.against else ""))
    for step, found in steps.items():
        cells, medians = [], []
        for runs in found:
            medians.append(statistics.median(seconds for seconds, _, _ in runs))
            cells += [f"{medians[-1]:.2f}", f"{max(memory for _, memory, _ in runs):.0f}"]
        if arguments.against:
            cells.append(f"{medians[0] / medians[1]:.2f}")
        print(f"| {step} | " + " | ".join(cells) + " |")
    for text in wrong:
        print(text, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
