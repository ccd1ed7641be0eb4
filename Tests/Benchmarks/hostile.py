#!/usr/bin/env python3
"""Measures how fast hostile texts are read, and prints the slowest ten.

    swift build -c release
    python3 Tests/Benchmarks/hostile.py [--callcheck PROGRAM] [--sizes 1,4,16] [NAME...]

Each text is read at each size (in megabytes of the source). Figures are processor time, without that of an empty run,
and megabytes a second of the source, then of what the largest unpacks to; what takes over 60 s is stopped. Time grows in
proportion to the size where the speed stays the same. An intact text that is packed as tightly is measured as well.
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
        "intact members": repeated(packed(b'{"insertId":1}\n' * 3000)),
        "cut members": repeated(HEADER + body[:-6], packed(ENTRY)), "empty members": repeated(packed(b"")),
    }  # fmt: skip
    return found


def measured(program, file):
    """The processor time of a run, and how many bytes it unpacked; None for one that was stopped."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [program, "--quiet", "--jobs", "1", "--format", "json", file]
    try:
        answer = subprocess.run(command, capture_output=True, timeout=LONGEST).stdout
    except subprocess.TimeoutExpired:
        return None
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    taken = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return taken, json.loads(answer)["input"]["bytesDecompressed"]


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
        start = min(measured(options.callcheck, file)[0] for _ in range(5))
        for name, text in texts().items():
            if options.names and not any(part in name for part in options.names):
                continue
            speeds, plain = [], 0
            for size in options.sizes.split(","):
                data = text(int(size) * 1_000_000)
                file.write_bytes(data)
                found = measured(options.callcheck, file)
                if not found:
                    speeds.append(0)
                    break
                taken = max(found[0] - start, 0.001)
                speeds.append(len(data) / 1e6 / taken)
                plain = found[1] / 1e6 / taken
            rows.append((speeds[-1], name, speeds, plain))
    print(f"MB/s at {options.sizes} MB, without {start * 1000:.0f} ms for the start; the slowest ten of {len(rows)}")
    for _, name, speeds, plain in sorted(rows)[:10]:
        print(f"{name:32}" + "".join(f"{speed:10.1f}" for speed in speeds) + f"{plain:10.0f} plain")


if __name__ == "__main__":
    main()
