#!/usr/bin/env python3
"""Makes the compressed fixtures beside it from log.json, with gzip, pigz and Python's zlib and gzip modules.

Every file but entropy.json.gz holds the bytes of log.json and nothing else, whatever it is wrapped in. The file names
say what is special.
Run it in its folder: python3 make.py
"""

import gzip
import io
import json
import os
import random
import struct
import subprocess
import zlib

log = open("log.json", "rb").read()
lines = log.splitlines(keepends=True)
FHCRC, FEXTRA, FNAME, FCOMMENT = 2, 4, 8, 16


def write(name, data):
    assert zlib.decompress(data) == log if name.endswith(".zz") else gzip.decompress(data) == log, name
    with open(name, "wb") as file:
        file.write(data)


def tool(*command):
    """What a tool writes for log.json, read from a file of that name whose time is fixed."""
    os.utime("log.json", (1_790_000_000, 1_790_000_000))
    return subprocess.run(command, check=True, capture_output=True).stdout


def deflate(data, level=6, strategy=zlib.Z_DEFAULT_STRATEGY, flush=None):
    """Raw DEFLATE data; with `flush`, a flush of that kind after every line."""
    packer = zlib.compressobj(level, zlib.DEFLATED, -15, 9, strategy)
    parts = [packer.compress(data)] if flush is None else [
        packer.compress(line) + packer.flush(flush) for line in data.splitlines(keepends=True)
    ]
    return b"".join(parts) + packer.flush()


def member(data, flags=0, body=None):
    """One gzip member with the optional header fields of RFC 1952 that `flags` asks for."""
    header = struct.pack("<BBBBLBB", 0x1F, 0x8B, 8, flags, 1_790_000_000, 0, 3)
    if flags & FEXTRA:
        # Two subfields, the second with bytes that look like the start of a member.
        extra = b"AB" + struct.pack("<H", 3) + b"xyz" + b"CD" + struct.pack("<H", 4) + b"\x1f\x8b\x08\x00"
        header += struct.pack("<H", len(extra)) + extra
    if flags & FNAME:
        header += "caf\xe9 log.json".encode("latin-1") + b"\0"
    if flags & FCOMMENT:
        header += b"line one\nline two\0"
    if flags & FHCRC:
        header += struct.pack("<H", zlib.crc32(header) & 0xFFFF)
    body = deflate(data) if body is None else body
    return header + body + struct.pack("<LL", zlib.crc32(data), len(data) & 0xFFFFFFFF)


# gzip and pigz
for level in (1, 6, 9):
    write(f"gzip-{level}.gz", tool("gzip", f"-{level}c", "log.json"))
write("gzip-without-name.gz", tool("gzip", "-nc", "log.json"))
write("gzip-rsyncable.gz", tool("gzip", "--rsyncable", "-c", "log.json"))
write("pigz.gz", tool("pigz", "-p2", "-c", "log.json"))
write("pigz-independent-blocks.gz", tool("pigz", "-p2", "-i", "-b128", "-c", "log.json"))
write("pigz-zopfli.gz", tool("pigz", "-11", "-c", "log.json"))
write("pigz-huffman-only.gz", tool("pigz", "-H", "-c", "log.json"))
write("pigz-stored.gz", tool("pigz", "-0", "-c", "log.json"))
write("pigz-comment.gz", tool("pigz", "-C", "a comment", "-c", "log.json"))
write("pigz-zlib.zz", tool("pigz", "-zc", "log.json"))

# cat a.gz b.gz, the halves made by different tools, cut inside a line
half = len(log) // 2
first = subprocess.run(["gzip", "-c"], input=log[:half], check=True, capture_output=True).stdout
second = subprocess.run(["pigz", "-nc"], input=log[half:], check=True, capture_output=True).stdout
write("cat.gz", first + second)

# Python
buffer = io.BytesIO()
with gzip.GzipFile("log.json", "wb", 9, buffer, 1_790_000_000) as file:
    file.write(log)
write("python-gzip.gz", buffer.getvalue())
write("python-zlib-1.zz", zlib.compress(log, 1))
write("python-zlib-6.zz", zlib.compress(log, 6))
write("python-zlib-9.zz", zlib.compress(log, 9))
write("python-zlib-small-window.zz", (lambda c: c.compress(log) + c.flush())(zlib.compressobj(6, zlib.DEFLATED, 9)))

# Block types and flushes
write("blocks-stored.gz", member(log, body=deflate(log, level=0)))
write("blocks-fixed-huffman.gz", member(log, body=deflate(log, strategy=zlib.Z_FIXED)))
write("blocks-run-length.gz", member(log, body=deflate(log, strategy=zlib.Z_RLE)))
write("flush-sync.gz", member(log, body=deflate(log, flush=zlib.Z_SYNC_FLUSH)))
write("flush-full.gz", member(log, body=deflate(log, flush=zlib.Z_FULL_FLUSH)))

# Header fields
for name, flags in (("extra", FEXTRA), ("name", FNAME), ("comment", FCOMMENT), ("header-check", FHCRC),
                    ("all-fields", FEXTRA | FNAME | FCOMMENT | FHCRC), ("text-flag", 1)):
    write(f"header-{name}.gz", member(log, flags))

# Members
empty = member(b"")
write("members-one-a-line.gz", b"".join(member(line) for line in lines))
write("members-one-a-byte-then-rest.gz", b"".join(member(log[i:i + 1]) for i in range(40)) + member(log[40:]))
write("members-empty-around.gz", empty + member(log[:half]) + empty * 3 + member(log[half:]) + empty)
write("members-all-fields.gz", b"".join(member(line, FEXTRA | FNAME | FCOMMENT | FHCRC) for line in lines))
step = -(-len(log) // 1000)
pieces = [log[i:i + step] for i in range(0, len(log), step)]
write("members-1000.gz", b"".join(map(member, pieces)) + empty * (1000 - len(pieces)))
write("padding-behind.gz", member(log) + bytes(1000))
write("padding-one-zero.gz", member(log) + bytes(1))
with open("padding-between.gz", "wb") as file:  # Python's own gzip stops here, so it is not checked
    file.write(member(log[:half]) + bytes(7) + member(log[half:]) + bytes(600))

# Trailer and header at the end of a 512 byte block, as tapes and archives leave them
body = member(log)
write("padding-to-block.gz", body + bytes(-len(body) % 512))

# A log with the entropy of a real one, for flipping bits in: four verifications among twelve entries
random.seed(2026)


def digits(count, alphabet="0123456789abcdef"):
    return "".join(random.choice(alphabet) for _ in range(count))


def entry(index):
    service = random.choice(["addmessage", "delete-user", "scan-receipt"])
    time = f"2026-10-14T{index:02}:{random.randrange(60):02}:{random.randrange(60):02}.{digits(6, '0123456789')}Z"
    common = {
        "insertId": digits(24), "logName": "projects/demo/logs/run.googleapis.com%2Fstdout", "timestamp": time,
        "resource": {"type": "cloud_run_revision", "labels": {
            "service_name": service, "project_id": "demo", "location": "us-central1"}},
        "trace": "projects/demo/traces/" + digits(32),
    }
    if index % 3:
        return common | {"severity": "INFO", "textPayload": f"{service} did {digits(random.randrange(5, 60))}"}
    return common | {
        "severity": "DEBUG", "spanId": digits(19, "123456789"),
        "labels": {"execution_id": digits(12), "firebase-log-type": "callable-request-verification"},
        "jsonPayload": {"message": "Callable request verification passed", "verifications": {
            "app": random.choice(["VALID", "MISSING"]), "auth": "VALID"}},
    }


entries = "".join(json.dumps(entry(index), separators=(",", ":")) + "\n" for index in range(12)).encode()
with open("entropy.json.gz", "wb") as file:
    file.write(member(entries, FHCRC, deflate(entries, 9)))
