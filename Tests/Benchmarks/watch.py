#!/usr/bin/env python3
"""Measures what `callcheck watch` costs: memory for each function, and processor time for each refresh.

    swift build -c release
    python3 Tests/Benchmarks/watch.py [--callcheck PROGRAM] [--functions 20000] [--refreshes 20]

Memory is the difference of two peaks, of a log with so many functions and of one with a tenth of them. Refreshes are
those of a terminal on which 40 functions are watched, while one request a second is added to four weeks of log: each
refresh judges all functions anew, and resolves the entries of the two newest days.
"""

import argparse
import json
import os
import pty
import statistics
import subprocess
import sys
import threading
import time
from datetime import timedelta
from pathlib import Path

from stores import DAY, FIRST, NUMBER, template

DAYS = 28
WATCHED = 40
PAIRS = (1_000, 10_000, 100_000)  # requests a day
TICKS = os.sysconf("SC_CLK_TCK")


def entry(function, day, number):
    return json.dumps({
        "insertId": f"i{number}", "timestamp": f"{FIRST + timedelta(days=day)}T12:00:00Z", "severity": "DEBUG",
        "logName": "projects/demo/logs/cloudfunctions.googleapis.com%2Fcloud-functions",
        "labels": {"firebase-log-type": "callable-request-verification"},
        "resource": {
            "type": "cloud_function",
            "labels": {"function_name": f"f{function}", "project_id": "demo", "region": "us-central1"}},
        "jsonPayload": {
            "message": "Callable request verification passed", "verifications": {"app": "VALID", "auth": "VALID"}},
    }).encode() + b"\n"


def peak(program, command, functions, days):
    """KB of resident memory at most, for a log on a pipe."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(reader, 0)
        os.close(writer)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.execv(program, [program, command, "-q", "-f", "csv"])
    os.close(reader)
    with os.fdopen(writer, "wb") as log:
        for day in range(days):
            log.writelines(entry(function, day, day * functions + function) for function in range(functions))
    _, status, usage = os.wait4(child, 0)
    if os.waitstatus_to_exitcode(status) != 0:
        raise SystemExit(f"{command}: status {os.waitstatus_to_exitcode(status)}")
    return usage.ru_maxrss


class Screen:
    """A terminal on which a log is watched."""

    def __init__(self, program):
        self.terminal, slave = pty.openpty()
        self.watch = subprocess.Popen(
            [program, "watch"], stdin=subprocess.PIPE, stdout=slave, stderr=slave, start_new_session=True,
            env=dict(os.environ, TERM="xterm", LC_ALL="C.UTF-8"))
        os.close(slave)
        self.shown = 0
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        while True:
            try:
                part = os.read(self.terminal, 1 << 16)
            except OSError:
                return
            if not part:
                return
            self.shown += len(part)

    def seconds(self):
        """Processor time until now."""
        fields = Path(f"/proc/{self.watch.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def write(self, lines):
        self.watch.stdin.write(lines)
        self.watch.stdin.flush()

    def rest(self):
        """Waits until nothing has been done for two seconds."""
        before = None
        while before != (before := (self.seconds(), self.shown)):
            time.sleep(2)


def refreshes(program, pairs, count):
    """(seconds of processor time for a refresh, KB of resident memory)."""
    screen = Screen(program)
    lines = template(pairs, WATCHED, pairs)

    def day(number):
        date = FIRST + timedelta(days=number)
        return lines.replace(DAY.encode(), str(date).encode()).replace(NUMBER.encode(), f"{number:04x}".encode())

    for number in range(DAYS - 1):
        screen.write(day(number))
    newest = day(DAYS - 1).splitlines(keepends=True)
    screen.write(b"".join(newest[:-2 * count]))
    screen.rest()
    costs = []
    for place in range(len(newest) - 2 * count, len(newest), 2):
        before = (screen.seconds(), screen.shown)
        screen.write(newest[place] + newest[place + 1])
        screen.rest()
        if screen.shown == before[1]:
            raise SystemExit("an entry was added, and nothing was shown")
        costs.append(screen.seconds() - before[0])
    status = Path(f"/proc/{screen.watch.pid}/status").read_text()
    resident = int(status.split("VmHWM:")[1].split()[0])
    screen.watch.stdin.close()
    screen.watch.wait()
    return statistics.mean(costs), resident


def main():
    parser = argparse.ArgumentParser(description="Costs of watch.")
    parser.add_argument("--callcheck", default=".build/release/callcheck")
    parser.add_argument("--functions", type=int, default=20_000)
    parser.add_argument("--refreshes", type=int, default=20)
    arguments = parser.parse_args()
    program = str(Path(arguments.callcheck).resolve())
    print(f"| {arguments.functions} functions | watch, kB a function | report | target |\n|---|---|---|---|")
    less = arguments.functions // 10
    for days in (1, DAYS):
        cells = []
        for command in ("watch", "report"):
            more = peak(program, command, arguments.functions, days) - peak(program, command, less, days)
            cells.append(f"{more / (arguments.functions - less):.2f}")
        print(f"| one request on each of {days} days | {cells[0]} | {cells[1]} | 5 |", flush=True)
    print(f"\n| {WATCHED} functions, {DAYS} days | processor s a refresh | MiB | target |\n|---|---|---|---|")
    for pairs in PAIRS:
        seconds, resident = refreshes(program, pairs, arguments.refreshes)
        print(f"| {pairs:,} requests a day | {seconds:.3f} | {resident / 1024:.0f} | 0.2 s |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
