#!/usr/bin/env python3
"""Measures how fast hostile texts are read, and prints the slowest ten.

    swift build -c release
    python3 Tests/Benchmarks/hostile.py [--callcheck PROGRAM] [--sizes 1,4,16] [NAME...]

Each text is read at each size (in megabytes of the source). Figures are processor time, without that of an empty run,
and megabytes a second of the source; what takes over 60 s is stopped. Time grows in proportion to the size where the
speed stays the same.
"""

import argparse
import base64
import gzip
import json
import resource
import subprocess
import tempfile
import zlib
from pathlib import Path

ENTRY = json.dumps({
    "insertId": "i", "timestamp": "2026-10-14T12:00:00Z", "logName": "projects/demo/logs/run.googleapis.com%2Fstdout",
    "labels": {"firebase-log-type": "callable-request-verification"},
    "resource": {"type": "cloud_run_revision", "labels": {"service_name": "f", "location": "us-central1"}},
    "jsonPayload": {"message": "Callable request verification passed",
                    "verifications": {"app": "VALID", "auth": "VALID"}},
}).encode() + b"\n"  # fmt: skip
LABEL = b'"labels":{"firebase-log-type":"callable-request-verification"}'
HEADER = b"\x1f\x8b\x08\0\0\0\0\0\0\x03"
LONGEST = 60


def fill(unit, size):
    return unit * (size // len(unit))


def packed(data):
    return gzip.compress(data, 9, mtime=0)


def message(data):
    inner = {"data": base64.b64encode(data).decode(), "messageId": "1", "publishTime": "2026-10-14T12:00:00Z"}
    return json.dumps({"message": inner}).encode() + b"\n"


def deflated(data):
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()


def texts():
    """By name: a text of so many bytes, or about as many."""

    def repeated(unit, before=b"", after=b""):
        return lambda size: before + fill(unit, size) + after

    def nested(unit):
        return lambda size: unit * 500 + fill(b"[],", max(size - 500 * len(unit), 0)) + b"1 1\n"

    inner = {
        "zeros": bytes(512 << 10), "spaces": b" " * (15 << 20), "entries": ENTRY * 2000, "brackets": b"[" * 600_000,
        "labels": b"{" + LABEL[:-1] + b"," * 8000, "packed twice": packed(bytes(10_000_000)), "one entry": ENTRY,
    }  # fmt: skip
    body = deflated(b'{"insertId":1}\n' * 3000)
    lines = {
        "opened objects": b'{"insertId":[\n', "open strings": b'{"insertId":"\n', "half strings": b'{"insertId":"a\n',
        "bad lines": b"{" + LABEL + b"\n", "cut entries": ENTRY[: len(ENTRY) // 2] + b"\n", "colons": b'{"a":',
        "escapes": b'{"\\u006cabels":{"firebase-log-typ\\u0065":"callable-request-verificatio\\u006e"}}\n',
        "pages": b'{"nextPageToken":"a","entries":[]}\n', "nested pages": b'{"entries":[',
        "control characters": b'{"insertId":"\x01"}\n',
        "python": b'{"verifications":{"app":"MISSING","auth":"VALID"},"message":"Callable request verification failed\n',
    }  # fmt: skip
    found = {name: repeated(unit) for name, unit in lines.items()}
    found |= {f"message of {name}": repeated(message(packed(data))) for name, data in inner.items()}
    found |= {
        "500 open lists": nested(b'{"insertId":[\n{"insertId":1},\n'),
        "500 open lists with labels": nested(b'{"insertId":[\n{"insertId":1,' + LABEL + b"},\n"),
        "lists in lists": repeated(b'{"logName":[{"insertId":1},', b"["),
        "open arrays": repeated(b'{"insertId":"a","x":[', b"["),
        "closing brackets": repeated(b"]}", b'[{"insertId":1'),
        "keys in a string": repeated(b'{"insertId":', b'[{"insertId":"'),
        "quotes": repeated(b'"', b"["), "backslashes": repeated(b"\\", b'[{"insertId":"'),
        "commas": repeated(b",", b"["), "digits": repeated(b"1", b'{"insertId":', b"}\n"),
        "repeated keys": repeated(LABEL + b",", b"{", b'"a":1}\n'),
        "console lines": repeated(b"2026-10-14T12:00:00.000Z D f: {\n", b"2026-10-14T12:00:00.000Z D f: hi\n"),
        "false gzip headers": repeated(HEADER, packed(ENTRY)),
        "members with a wrong checksum": repeated(HEADER + body + bytes(8), packed(ENTRY)),
        "cut members": repeated(HEADER + body[:-6], packed(ENTRY)), "empty members": repeated(packed(b"")),
    }  # fmt: skip
    return found


def processor_time(program, file):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [program, "--quiet", "--jobs", "1", "--format", "csv", file]
    try:
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=LONGEST)
    except subprocess.TimeoutExpired:
        return None
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--callcheck", default=".build/release/callcheck")
    parser.add_argument("--sizes", default="1,4,16")
    parser.add_argument("names", nargs="*", metavar="NAME", help="the texts whose names hold this; all without any")
    options = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "text")
        file.write_bytes(ENTRY)
        start = min(processor_time(options.callcheck, file) for _ in range(5))
        for name, text in texts().items():
            if options.names and not any(part in name for part in options.names):
                continue
            speeds = []
            for size in options.sizes.split(","):
                data = text(int(size) * 1_000_000)
                file.write_bytes(data)
                taken = processor_time(options.callcheck, file)
                speeds.append(len(data) / 1e6 / max(taken - start, 0.001) if taken else 0)
                if not taken:
                    break
            rows.append((speeds[-1], name, speeds))
    print(f"MB/s at {options.sizes} MB, without {start * 1000:.0f} ms for the start; the slowest ten of {len(rows)}")
    for _, name, speeds in sorted(rows)[:10]:
        print(f"{name:32}" + "".join(f"{speed:10.1f}" for speed in speeds))


if __name__ == "__main__":
    main()
