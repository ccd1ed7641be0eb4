#!/usr/bin/env python3
"""Runs callcheck on inputs that nobody would write by accident, and prints its processor time and its resident memory.

    swift build -c release
    python3 Tests/HugeInputs/measure.py [--callcheck PROGRAM] [--scale 1] [NAME...]

Each input is made once in half the size and once in full, on the fly: linear time shows as a ratio near 2, bounded
memory as one that does not grow. What is compressed is made without compressing it in full: the same DEFLATE block
again and again. Ends with 1 when a run ended otherwise than it should, took more memory than its bound, or more than
three times as long for twice as much.
"""

import argparse
import os
import sys
import tempfile
from pathlib import Path

import inputs

# MiB for records up to 1 MiB; a case says what comes on top.
BASE_MIB = 48
RATIO = 3.0
# Below this the start of the program is most of what is measured.
SHORTEST_SECONDS = 0.2


def make(case, path, scale):
    """Writes an input and returns how long it is when plain.

    It writes in a separate process: the memory of the process that starts a program counts as the program's, so this
    one must stay small.
    """
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writer, str(case.write(path, scale)).encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as length:
        plain = int(length.read())
    os.waitpid(child, 0)
    return plain


def run(program, case, path):
    """Runs the program on a file: (status, seconds of processor time, MiB, output)."""
    with tempfile.TemporaryFile() as output:
        child = os.fork()
        if child == 0:
            os.dup2(output.fileno(), 1)
            os.dup2(output.fileno(), 2)
            os.execv(program, [program, *case.command, *case.options, str(path)])
        _, status, usage = os.wait4(child, 0)
        seconds = usage.ru_utime + usage.ru_stime
        output.seek(0)
        return os.waitstatus_to_exitcode(status), seconds, usage.ru_maxrss / 1024, output.read()


def measure(program, case, scale, folder, is_timed):
    """Measures one input in half and in full size; returns what was wrong."""
    wrong = []
    figures = []
    for part in (0.5, 1.0):
        path = folder / f"{case.name}.json"
        plain = make(case, path, part * scale)
        size = path.stat().st_size
        status, seconds, memory, output = run(program, case, path)
        path.unlink()
        figures.append((plain, size, seconds, memory))
        if status != case.status:
            wrong.append(f"status {status}, not {case.status}: {output[-400:].decode(errors='replace')}")
        if memory > BASE_MIB + case.extra_mib:
            wrong.append(f"{memory:.0f} MiB, above {BASE_MIB + case.extra_mib}")
    (_, _, half, less), (plain, size, seconds, memory) = figures
    ratio = seconds / max(half, SHORTEST_SECONDS)
    if is_timed and ratio > RATIO:
        wrong.append(f"{ratio:.1f} times as long for twice as much")
    rate = plain / seconds / 1e6
    print(
        f"| {case.what} | {size / 1e6:,.1f} | {plain / 1e6:,.0f} | {seconds:.1f} | {rate:,.0f} | {seconds / half:.1f}"
        f" | {less:.0f} | {memory:.0f} | {BASE_MIB + case.extra_mib} |",
        flush=True,
    )
    return [f"{case.name}: {text}" for text in wrong]


def main():
    parser = argparse.ArgumentParser(description="Time and memory of callcheck on huge inputs.")
    parser.add_argument("--callcheck", default=".build/release/callcheck")
    parser.add_argument("--scale", type=float, default=1.0, help="1 is the full size; 0.01 is done in seconds")
    parser.add_argument("--memory-only", action="store_true", help="do not judge times, for builds without optimisation")
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these: " + ", ".join(c.name for c in inputs.CASES))
    arguments = parser.parse_args()
    program = str(Path(arguments.callcheck).resolve())
    cases = [case for case in inputs.CASES if not arguments.names or case.name in arguments.names]
    if not cases or not os.access(program, os.X_OK):
        parser.error("no such input" if not cases else f"no program {program}; build it first")
    print("| input | MB on disk | MB plain | s | MB/s plain | s, full / half | MiB, half | MiB, full | bound |")
    print("|---|---|---|---|---|---|---|---|---|", flush=True)
    wrong = []
    with tempfile.TemporaryDirectory(prefix="callcheck-huge-") as folder:
        for case in cases:
            wrong += measure(program, case, arguments.scale, Path(folder), not arguments.memory_only)
    for text in wrong:
        print(text, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
