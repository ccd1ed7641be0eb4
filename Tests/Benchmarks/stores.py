#!/usr/bin/env python3
"""Measures what a store costs beside its logs, and whether each target is met.

    swift build -c release
    python3 Tests/Benchmarks/stores.py [--callcheck PROGRAM] [--against PROGRAM] [--scale 1] [--rounds 5] [--only WORD]

At full size: 90 days of 100,000 verifications with their request rows, which are 12 GB of plain log; 90 days of 2,000;
and 4,000 files of two days in turn. Logs are made once for each size, and kept in --folder. `--against` reads the logs
with another callcheck in turn. Each step runs once more than it is measured. Ends with 1 when a store does not say what
its logs say.
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
import zlib
from concurrent.futures import ProcessPoolExecutor
from datetime import date, timedelta
from pathlib import Path

FIRST, DAYS = date(2026, 6, 1), 90
DAY, NUMBER = "2026-01-01", "@@@@"  # what differs from one file to the next
COMMON = (
    '{{"insertId":"{kind}{number}{id:016x}","resource":{{"type":"cloud_run_revision","labels":{{"service_name":"f{function}",'
    '"project_id":"demo","location":"us-central1","revision_name":"f{function}-00007-abc",'
    '"configuration_name":"f{function}"}}}},"timestamp":"{time}Z","receiveTimestamp":"{time}Z",'
    '"trace":"projects/demo/traces/{number}{trace:028x}","spanId":"{span}","logName":"projects/demo/logs/'
    'run.googleapis.com%2F{log}",'
)
VERIFICATION = COMMON + (
    '"jsonPayload":{{"message":"Callable request verification passed","verifications":{{"app":"{app}","auth":"{auth}"}}}},'
    '"severity":"DEBUG","labels":{{"firebase-log-type":"callable-request-verification","execution_id":"{number}{id:08x}",'
    '"goog-managed-by":"cloudfunctions","instanceId":"00f852394eac7286846a9e14cd1f579a773049c3c68c0f731d411940d883"}}}}\n'
)
ROW = COMMON + (
    '"severity":"INFO","httpRequest":{{"requestMethod":"POST","requestUrl":"https://us-central1-demo.cloudfunctions.net/'
    'f{function}","requestSize":"1532","responseSize":"712","latency":"0.141s","protocol":"HTTP/2","status":{status},'
    '"userAgent":"{agent}","remoteIp":"203.0.113.{address}"}},"labels":{{"goog-managed-by":"cloudfunctions"}}}}\n'
)
AGENTS = [f"com.example.app/4.{minor} iPhone/{os}.1 hw/iPhone14_2" for minor in range(12) for os in (17, 18)]
AGENTS += ["okhttp/4.12.0"] * 12


def clock(nanoseconds):
    second = min(nanoseconds // 10**9, 86_399)
    return f"{DAY}T{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}.{nanoseconds % 10**9:09}"


def template(pairs, functions, seed):
    """The lines of a day, in the order of time."""
    draw = random.Random(seed)
    lines = []
    for place in range(pairs):
        start, span = place * 86_400 * 10**9 // pairs + draw.randrange(10**9), draw.getrandbits(63)
        # The row has the time at which the request came, some milliseconds before its token is verified.
        checked = start + int(draw.expovariate(1 / 20e6))
        signed_in = draw.random() < 0.7
        values = {
            "number": NUMBER, "function": int(functions * draw.random() ** 2), "trace": draw.getrandbits(112),
            "id": draw.getrandbits(64),
            "app": "VALID" if draw.random() < 0.97 else "MISSING", "auth": "VALID" if signed_in else "MISSING",
            "status": 200 if signed_in or draw.random() < 0.98 else 401, "agent": draw.choice(AGENTS),
            "address": draw.randrange(250),
        }
        lines.append(ROW.format(kind="r", log="requests", time=clock(start), **values | {"span": f"{span:016x}"}))
        lines.append(VERIFICATION.format(kind="v", log="stdout", time=clock(checked), **values | {"span": span}))
    return "".join(lines).encode()


def write(job):
    path, lines, day, number = job
    lines = lines.replace(DAY.encode(), str(day).encode()).replace(NUMBER.encode(), f"{number:04x}".encode())
    path.write_bytes(gzip.compress(lines, 6, mtime=0))


def daily(folder, pairs, functions):
    """Makes a folder with a file for each day, unless it is there."""
    lines = template(pairs, functions, pairs)
    made = folder.with_name(f"{folder.name}-{pairs}-{zlib.crc32(lines):08x}")
    if not made.exists():
        partial = made.with_name(made.name + ".partial")
        partial.mkdir(parents=True, exist_ok=True)
        with ProcessPoolExecutor(2) as pool:
            jobs = [(partial / f"{day:03}.json.gz", lines, FIRST + timedelta(days=day), day) for day in range(DAYS)]
            list(pool.map(write, jobs))
        partial.rename(made)
    return sorted(made.iterdir())


def alternating(folder, files):
    """Files of two days in turn."""
    made = folder.with_name(f"{folder.name}-{files}")
    if not made.exists():
        partial = made.with_name(made.name + ".partial")
        partial.mkdir(parents=True, exist_ok=True)
        lines = template(20, 5, 1)
        for number in range(files):
            write((partial / f"{number:05}.json.gz", lines, FIRST + timedelta(days=number % 2), number))
        partial.rename(made)
    return sorted(made.iterdir())


def run(program, *arguments):
    """Runs a command: (wall seconds, processor seconds, MiB, output)."""
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
        return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, output.read()


class Table:
    """The steps of the targets, each beside what it is compared with, in turns."""

    def __init__(self, rounds):
        self.rounds = rounds
        print(f"| step | wall s | processor s | MiB | beside | wall | processor | MiB | target |\n|{'---|' * 9}")

    def compare(self, title, ours, beside, other, target):
        found, others = [], []
        for turn in range(self.rounds + 1):
            pair = (ours(), other() if other else None)
            if turn > 0:
                found.append(pair[0])
                others.append(pair[1])
        cells = [statistics.median(value[place] for value in found) for place in range(3)]
        text = f"| {title} | {cells[0]:.2f} | {cells[1]:.2f} | {cells[2]:.0f} | {beside} |"
        if other:
            ratios = [statistics.median(one[place] / two[place] for one, two in zip(found, others)) for place in range(3)]
            text += "".join(f" {ratio:.2f} |" for ratio in ratios)
        else:
            text += " | | |"
        print(text, target, "|", flush=True)


def functions(program, *arguments):
    # A report on a store is about today unless it is told otherwise, and a log is judged as of its own end.
    end = str(FIRST + timedelta(days=DAYS))
    return json.loads(run(program, "-q", "-f", "json", "--as-of", end, *arguments)[3])["functions"]


def main():
    parser = argparse.ArgumentParser(description="Costs of a store.")
    parser.add_argument("--callcheck", default=".build/release/callcheck")
    parser.add_argument("--against")
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "callcheck-benchmarks")
    parser.add_argument("--only", default="", choices=["", "busy", "quiet", "files"])
    arguments = parser.parse_args()
    program = str(Path(arguments.callcheck).resolve())
    table, wrong = Table(arguments.rounds), []
    with tempfile.TemporaryDirectory(prefix="callcheck-stores-") as name:
        folder = Path(name)

        def added(logs, name="new.db"):
            """What `store add` of logs into a new store takes."""
            for path in folder.glob(name + "*"):
                path.unlink()
            return run(program, "store", "add", "-q", folder / name, *logs)

        for kind, pairs, count in (("busy", 100_000, 20), ("quiet", 2_000, 17)):
            if arguments.only not in ("", kind):
                continue
            pairs = max(50, int(pairs * arguments.scale))
            logs = daily(arguments.folder / kind, pairs, count)
            added(logs, f"{kind}.db")
            store = folder / f"{kind}.db"
            size = store.stat().st_size / (len(logs) * pairs)
            print(f"| {kind}: bytes a pair | | {size:.1f} | | | | | | 34 |", flush=True)
            if functions(program, store) != functions(program, *logs):
                wrong.append(f"{store.name} does not say what its logs say")
            part = logs[:6] if kind == "busy" else logs
            table.compare(
                f"{kind}: report on the store", lambda: run(program, "-q", store), "on the logs",
                lambda: run(program, "-q", *logs), "wall 0.20, 100 MiB" if kind == "busy" else "processor 0.15 s")
            table.compare(
                f"{kind}: store add of {len(part)} days", lambda: added(part), "report on the logs",
                lambda: run(program, "-q", *part), "processor 1.20")
            if arguments.against:
                other = str(Path(arguments.against).resolve())
                table.compare(
                    f"{kind}: report on {len(part)} days of logs", lambda: run(program, "-q", *part), "by the other",
                    lambda: run(other, "-q", *part), "processor 1.03, MiB 1.10")
        if arguments.only in ("", "files"):
            logs = alternating(arguments.folder / "files", max(50, int(4_000 * arguments.scale)))
            shuffled = random.Random(1).sample(logs, len(logs))
            ordered = logs[::2] + logs[1::2]
            table.compare(
                f"files: store add of {len(logs)}, shuffled", lambda: added(shuffled), "in order",
                lambda: added(ordered), "processor 1.30")
    for text in wrong:
        print(text, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
