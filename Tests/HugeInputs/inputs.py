"""The huge inputs: what they are, how they are made, and what they may cost."""

import base64
import gzip
import json
import struct
import zlib
from dataclasses import dataclass, field
from datetime import datetime, timedelta

MEGA = 1_000_000
BLOCK = 1 << 20


class Member:
    """A gzip member in which a stretch of bytes can be repeated at no cost.

    After a full flush a block refers to nothing before it, so its compressed bytes may be written any number of times.
    """

    def __init__(self, file):
        self.file = file
        self.check = 0
        self.length = 0
        file.write(bytes([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]))

    def write(self, stretch, times=1):
        packer = zlib.compressobj(9, zlib.DEFLATED, -15)
        packed = packer.compress(stretch) + packer.flush(zlib.Z_FULL_FLUSH)
        for _ in range(times):
            self.file.write(packed)
            self.check = zlib.crc32(stretch, self.check)
        self.length += len(stretch) * times

    def close(self):
        self.file.write(b"\x03\x00" + struct.pack("<II", self.check, self.length & 0xFFFFFFFF))
        return self.length


def packed(*stretches):
    """A writer of one member: (bytes, times at full size) each; times of None is once."""

    def write(path, scale):
        with open(path, "wb") as file:
            member = Member(file)
            for stretch, times in stretches:
                member.write(stretch, 1 if times is None else max(1, int(times * scale)))
            return member.close()

    return write


def plain(make):
    """A writer of what a generator of bytes gives."""

    def write(path, scale):
        length = 0
        with open(path, "wb") as file:
            for piece in make(scale):
                file.write(piece)
                length += len(piece)
        return length

    return write


def entry(name="addMessage", project="demo", time="2026-10-14T12:00:00Z", number=0, labels=None, **more):
    """A verification of generation 1."""
    return {
        "insertId": f"id-{number}",
        "jsonPayload": {
            "message": "Callable request verification passed",
            "verifications": {"app": "VALID", "auth": "VALID"},
        },
        "resource": {
            "type": "cloud_function",
            "labels": {"function_name": name, "project_id": project, "region": "us-central1"},
        },
        "timestamp": time,
        "labels": {**(labels or {}), "firebase-log-type": "callable-request-verification"},
        "logName": f"projects/{project}/logs/cloudfunctions.googleapis.com%2Fcloud-functions",
        **more,
    }


def row(number, service="addmessage"):
    """A request of which the log has no verification."""
    return {
        "insertId": f"row-{number}",
        "httpRequest": {
            "requestMethod": "POST", "status": 200, "userAgent": f"com.example.app/1.{number % 50} iPhone/18.5",
            "remoteIp": f"203.0.{number // 250 % 250}.{number % 250}",
        },
        "resource": {
            "type": "cloud_run_revision",
            "labels": {"service_name": service, "project_id": "demo", "location": "us-central1"},
        },
        "timestamp": (datetime(2026, 10, 1) + timedelta(seconds=number // 2)).isoformat() + "Z",
        "trace": f"projects/demo/traces/{number:032x}",
        "spanId": f"{number:016x}",
        "logName": "projects/demo/logs/run.googleapis.com%2Frequests",
    }


def line(value):
    return json.dumps(value, separators=(",", ":")).encode() + b"\n"


def many(count, of):
    """A generator of the lines of `count` entries, by their number."""

    def make(scale):
        for start in range(0, int(count * scale), 1000):
            yield b"".join(line(of(number)) for number in range(start, min(start + 1000, int(count * scale))))

    return make


def empty_members(path, scale):
    member = zlib.compressobj(9, zlib.DEFLATED, 31).flush()
    count = int(10 * MEGA * scale)
    path.write_bytes(member * count)
    return len(member) * count


def nested_gzip(path, scale):
    data = line(entry())
    for _ in range(max(2, int(1000 * scale))):
        packer = zlib.compressobj(9, zlib.DEFLATED, 31)
        data = packer.compress(data) + packer.flush()
    path.write_bytes(data)
    return len(data)


def many_labels(scale):
    """One record that is as long as a record may be."""
    labels = {f"k{number}": "" for number in range(int(MEGA * scale))}
    yield line(entry(labels=labels))


def nested_messages(scale):
    """A Pub/Sub message in whose data there is a Pub/Sub message, and so on: each level is a third longer."""
    data = line(entry())
    while len(data) < 12 * MEGA * scale:
        data = line({"message": {"data": base64.b64encode(data).decode()}})
    yield data


def day(number):
    """A time on another day for each number, over all years there are."""
    year, rest = 1 + number % 9999, number // 9999
    return f"{year:04}-{1 + rest % 12:02}-{1 + rest // 12 % 28:02}T12:00:00Z"


def users(path, scale):
    """Google Analytics rows of ten million users over 17 days, each of whom has events on two of them."""
    count, days, length = int(10 * MEGA * scale), 17, 0
    with gzip.open(path, "wb", compresslevel=1) as file:
        for day in range(days):
            row = (
                f'{{"event_date":"202610{day + 1:02}","event_name":"AppAttestSuccess","user_pseudo_id":"%08x",'
                '"platform":"IOS","app_info":{"id":"com.example.app","version":"1.4"},'
                '"device":{"operating_system_version":"18.5"}}\n'
            )
            here = [*range(day, count, days), *range((day + 5) % days, count, days)]
            for start in range(0, len(here), 10_000):
                length += file.write("".join(row % number for number in here[start : start + 10_000]).encode())
    return length


def twenty_seconds_later(number):
    """A time 20 seconds after that of the number before: a million are more than seven months."""
    return (datetime(2024, 1, 1) + timedelta(seconds=20 * number)).isoformat() + "Z"


@dataclass
class Case:
    name: str
    what: str
    write: object
    options: list = field(default_factory=list)
    # The arguments before the options.
    command: list = field(default_factory=lambda: ["--format", "csv"])
    # 65 where there is no record at all.
    status: int = 0
    # MiB beyond the base: twice the longest record of more than 1 MiB, 16 to 24 bytes a verification, 24 bytes a row, 16 bytes a user of a rollout, and for 100,000 functions and projects their counts, verdicts and names.
    extra_mib: int = 0


ONE = line(entry())
# Twice the longest record that is read unless told otherwise.
LINE = 32

CASES = [
    Case("zeros", "zero bytes", packed((bytes(BLOCK), 10_000)), status=65),
    Case("line-feeds", "empty lines", packed((b"\n" * BLOCK, 4000)), status=65),
    Case(
        "long-line", "one line", packed((b'{"a":"', None), (b"x" * BLOCK, 4000), (b'"}\n', None)), extra_mib=LINE
    ),
    Case(
        "long-verification",
        "one line that is a verification",
        packed((ONE[:-2] + b',"a":"', None), (b"x" * BLOCK, 4000), (b'"}\n', None)),
        extra_mib=LINE,
    ),
    Case("long-number", "one number", packed((b'{"a":', None), (b"1" * BLOCK, 1000), (b"}\n", None)), extra_mib=LINE),
    Case(
        "long-number-read",
        "one number, `--set max-record-bytes=2G --strict`",
        packed((b'{"a":', None), (b"1" * BLOCK, 1000), (b"}\n", None)),
        ["--set", "max-record-bytes=2G", "--strict"],
        extra_mib=3000,
    ),
    Case("brackets", "opening brackets", packed((b"[" * BLOCK, 1000)), status=65),
    Case("braces", "opening braces with keys", packed((b'{"a":' * (BLOCK // 5), 1000)), extra_mib=LINE),
    Case("quotes", "quotation marks", packed((b'["' + b'"' * BLOCK, 1000))),
    Case("backslashes", "backslashes in a string", packed((b'["', None), (b"\\" * BLOCK, 1000)), extra_mib=LINE),
    Case(
        "array", "one array of empty objects", packed((b"[{}", None), (b",{}" * (BLOCK // 3), 1000), (b"]", None)),
        status=65),
    Case("values-on-a-line", "a line of many values", packed((b"{}" * (BLOCK // 2), 1000), (b"\n", None)), status=65),
    Case("page", "one page of entries", packed((b'{"entries":[' + ONE, None), ((b"," + ONE) * 1000, 2000), (b"]}", None))),
    Case("copies", "one entry again and again", packed((ONE * 2000, 2000))),
    Case("gzip-members", "empty gzip members", empty_members, status=65),
    Case("gzip-in-gzip", "gzip in gzip, 1,000 times", nested_gzip, status=65),
    Case("labels", "a record with a million labels", plain(many_labels), extra_mib=33),
    Case("messages", "a Pub/Sub message in a message in …", plain(nested_messages), extra_mib=64),
    Case(
        "functions", "100,000 functions", plain(many(MEGA // 10, lambda n: entry(f"f{n}", number=n))), extra_mib=450
    ),
    Case(
        "projects", "100,000 projects", plain(many(MEGA // 10, lambda n: entry(project=f"p{n}", number=n))), extra_mib=450
    ),
    Case(
        "watched", "`callcheck watch`, a million entries of seven months",
        plain(many(MEGA, lambda n: entry(time=twenty_seconds_later(n), number=n))), command=["watch", "--format", "csv"],
        extra_mib=24),
    Case(
        "verifications", "two million verifications of one function",
        plain(many(2 * MEGA, lambda n: entry(time=twenty_seconds_later(n), number=n, trace=f"projects/demo/traces/{n:032x}"))),
        extra_mib=46),
    Case("rows", "two million rows of requests without a verification", plain(many(2 * MEGA, row)), extra_mib=56),
    Case(
        "other-services", "ten million rows of 200 services that are no functions",
        packed((ONE, None), (b"".join(line(row(n, f"service-{n % 200}")) for n in range(2000)), 5000)), extra_mib=32),
    Case("days", "a million different days", plain(many(MEGA, lambda n: entry(time=day(n), number=n))), extra_mib=24),
    Case("users", "ten million users of a rollout", users, command=["app-attest", "--format", "json"], extra_mib=153),
]
