#!/usr/bin/env python3
"""Puts the store through what happens to stores: kill -9, several writers, full disks, damaged bytes.

Each trial ends with the same question: do the functions of `check --store` have the counts that `report` gives for
the same entries, and the same callers? Or, where the store was damaged: is there a clear error, and never another number?

    endurance.py --callcheck .build/release/callcheck --kills 200 --damages 300
"""

import argparse
import gzip
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path


class Trials:
    def __init__(self, callcheck, folder, seed):
        self.callcheck = callcheck
        self.folder = Path(folder)
        self.random = random.Random(seed)

    def run(self, *arguments, check=None, **options):
        """Runs a command; fails when its status is not one of those that may be."""
        done = subprocess.run(
            [self.callcheck, *map(str, arguments)], capture_output=True, text=True, timeout=600, **options)
        if check is not None and done.returncode not in check:
            raise AssertionError(f"{arguments}: status {done.returncode}\n{done.stdout}{done.stderr}")
        return done

    def functions(self, *arguments, may_be_damaged=False):
        """The counts of each function, as `check` prints them; a store keeps no addresses. None of a damaged store."""
        damaged = {74} if may_be_damaged else set()
        done = self.run("check", "-q", "-f", "json", "--as-of", "2026-10-20", *arguments, check={0, 1, 2, 65} | damaged)
        if done.returncode == 74:
            # The report says that nothing could be read, and standard error why.
            if not done.stderr.startswith("callcheck: ") or json.loads(done.stdout)["functions"]:
                raise AssertionError(done.stdout + done.stderr)
            return None
        keys = ("function", "verifications", "first", "last", "appByAuth", "daily", "causes", "enforcement", "clients")
        return [{key: function[key] for key in keys} for function in json.loads(done.stdout)["functions"]]

    def write(self, name, entries, level=6):
        path = self.folder / name
        path.write_bytes(gzip.compress("".join(entries).encode(), level, mtime=0))
        return path

    def entry(self, number, days=10):
        """One request: its verification and, for most requests, the row of the request log after it."""
        second = self.random.randrange(days * 86400)
        day, rest = divmod(second, 86400)
        stamp = f"2026-10-{10 + day:02}T{rest // 3600:02}:{rest // 60 % 60:02}:{rest % 60:02}.{number % 1000000:06}Z"
        statuses = {key: self.random.choice(["VALID", "VALID", "VALID", "MISSING", "INVALID"]) for key in ("app", "auth")}
        failed = "INVALID" in statuses.values()
        shared = {
            "timestamp": stamp, "receiveTimestamp": stamp, "trace": f"projects/demo/traces/{number:032x}",
            "resource": {"type": "cloud_run_revision", "labels": {
                "service_name": f"f{self.random.randrange(6)}", "project_id": "demo", "location": "us-central1"}},
        }
        verification = shared | {
            "insertId": f"id-{number}", "severity": "WARNING" if failed else "DEBUG", "spanId": f"{number + 1}",
            "logName": f"projects/demo/logs/run.googleapis.com%2Fstd{'err' if failed else 'out'}",
            "labels": {"firebase-log-type": "callable-request-verification"},
            "jsonPayload": {
                "message": "Callable request verification " + ("failed: a token was rejected." if failed else "passed"),
                "verifications": statuses},
        }
        row = shared | {
            "insertId": f"row-{number}", "spanId": f"{number + 1:016x}",
            "logName": "projects/demo/logs/run.googleapis.com%2Frequests",
            "httpRequest": {
                "requestMethod": "POST", "status": self.random.choice([200, 200, 401]),
                "remoteIp": f"203.0.113.{self.random.randrange(90)}",
                "userAgent": self.random.choice([
                    "okhttp/4.12.0", "curl/8.1", "com.example.app/1.2 iPhone/17.1 hw/iPhone14_3"])},
        }
        entries = [verification] if number % 10 == 0 else [verification, row]
        return "".join(json.dumps(entry) + "\n" for entry in entries)

    def nights(self, count, size):
        """Files that overlap by half."""
        entries = [self.entry(number) for number in range((count + 1) * size // 2)]
        entries.sort(key=lambda entry: json.loads(entry.splitlines()[0])["timestamp"])
        return [self.write(f"night-{n:02}.json.gz", entries[n * size // 2:n * size // 2 + size]) for n in range(count)]

    # Trials

    def kills(self, count):
        """kill -9 at any instant, then once more: the counts are exact."""
        nights = self.nights(6, 1500)
        truth = self.functions(*nights)
        store = self.folder / "killed.db"
        started = time.monotonic()
        self.run("store", "add", store, *nights, check={0})
        whole = time.monotonic() - started
        remove(store)
        killed = 0
        for trial in range(count):
            process = subprocess.Popen(
                [self.callcheck, "store", "add", "-q", store, *nights],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                process.wait(self.random.random() * whole * 1.1)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                process.wait()
                killed += 1
            if trial % 3 == 2:  # Now and then a killed run is killed once more before it may end.
                continue
            self.run("store", "add", store, *nights, check={0})
            expect(self.functions("--store", store), truth, f"trial {trial} of kills")
            remove(store)
        self.run("store", "add", store, *nights, check={0})
        expect(self.functions("--store", store), truth, "after the last kill")
        return f"{count} runs, {killed} of them killed"

    def together(self, count):
        """Several writers at once, on a store that none of them has seen: the counts are exact."""
        nights = self.nights(6, 1500)
        truth = self.functions(*nights)
        for trial in range(count):
            store = self.folder / f"together-{trial}.db"
            processes = []
            for _ in range(4):
                order = self.random.sample(nights, len(nights))
                processes.append(subprocess.Popen(
                    [self.callcheck, "store", "add", store, *order], stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE, text=True))
            added = 0
            for process in processes:
                output, errors = process.communicate(timeout=600)
                if process.returncode != 0:
                    raise AssertionError(f"status {process.returncode}: {errors}")
                added += int(re.split(r"  +", output.splitlines()[-1].strip())[1].replace(",", ""))
            expect(self.functions("--store", store), truth, f"trial {trial} of four at once")
            expect(added, sum(function["verifications"] for function in truth), "what the four say they added")
        return f"{count} times four at once"

    def names(self, count):
        """One file by several names, eight runs at once, some killed: what a run confirmed stays, or status 74."""
        nights = self.nights(8, 800)
        truth = self.functions(*nights)
        refused = killed = 0
        for trial in range(count):
            names, mounted = self.named(trial)
            try:
                started = time.monotonic()
                runs = [
                    (night, subprocess.Popen(
                        [self.callcheck, "store", "add", "-q", names[number % len(names)], night],
                        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True))
                    for number, night in enumerate(self.random.sample(nights, 8))]
                victims = runs[:trial % 4]
                while victims and time.monotonic() - started < 1:
                    time.sleep(self.random.random() * 0.1)
                    victims.pop()[1].send_signal(signal.SIGKILL)
                confirmed = []
                for night, run in runs:
                    errors = run.communicate(timeout=600)[1]
                    if run.returncode not in (0, 74, -signal.SIGKILL):
                        raise AssertionError(f"status {run.returncode}: {errors}")
                    refused += run.returncode == 74
                    killed += run.returncode < 0
                    if run.returncode == 0:
                        confirmed.append(str(night))
                # What was interrupted under one name is finished under that name.
                statuses = [self.run("store", "compact", name, check={0, 74}).returncode for name in names * 2]
                expect(statuses[len(names):], [0] * len(names), f"trial {trial}: the names of a store")
                for name in names:
                    listed = json.loads(self.run("store", "list", name, "-f", "json", check={0}).stdout)["inputs"]
                    missing = set(confirmed) - {row["name"] for row in listed}
                    expect(missing, set(), f"trial {trial}: confirmed and gone")
                self.run("store", "add", names[trial % len(names)], *nights, check={0})
                for name in names:
                    expect(self.functions("--store", name), truth, f"trial {trial}: all nights by one name")
            finally:
                for name in mounted:
                    subprocess.run(["umount", str(name)], check=True)
        return f"{count} times eight at once, {killed} killed, {refused} refused"

    def named(self, trial):
        """A store by two names, by three where mounts are allowed: the names, and those that are mounts."""
        folders = [self.folder / f"{trial}-{kind}" for kind in ("file", "link", "mount")]
        for folder in folders:
            folder.mkdir()
        names = [folder / "store.db" for folder in folders]
        names[0].touch()
        names[1].hardlink_to(names[0])
        names[2].touch()
        done = subprocess.run(["mount", "--bind", names[0], names[2]], capture_output=True)
        return (names, names[2:]) if done.returncode == 0 else (names[:2], [])

    def limits(self):
        """Files may grow no further: a clear error, and the store is as it was."""
        nights = self.nights(4, 4000)
        store = self.folder / "full.db"
        self.run("store", "add", store, nights[0], check={0})
        before = self.functions("--store", store)
        met = 0
        for blocks in (64, 128, 160, 200, 240, 300):
            done = subprocess.run(
                ["bash", "-c", f'ulimit -f {blocks}; exec "$@"', "-", self.callcheck, "store", "add", store,
                 *nights[1:]], capture_output=True, text=True, timeout=600)
            if done.returncode == 0:
                continue
            met += 1
            expect(done.returncode, 74, "status of a run that may not write")
            if "Sources/" in done.stderr or not done.stderr.startswith("callcheck: "):
                raise AssertionError(done.stderr)
            counts = sum(function["verifications"] for function in self.functions("--store", store))
            if counts < sum(function["verifications"] for function in before):
                raise AssertionError("something that was in the store is gone")
        self.run("store", "add", store, *nights, check={0})
        expect(self.functions("--store", store), self.functions(*nights), "after the limit is lifted")
        if met == 0:
            raise AssertionError("no run met the limit")
        return f"{met} runs met the limit"

    def damages(self, count):
        """Bytes of the store change: a clear error or the right counts, never others and never a crash."""
        nights = self.nights(4, 3000)
        store = self.folder / "sound.db"
        self.run("store", "add", store, *nights[:2], check={0})
        two, all_of_them = self.functions(*nights[:2]), self.functions(*nights)
        sound = store.read_bytes()
        refused = 0
        for trial in range(count):
            broken = bytearray(sound)
            kind = trial % 4
            if kind == 0:
                broken[self.random.randrange(len(broken))] ^= 1 << self.random.randrange(8)
            elif kind == 1:
                start = self.random.randrange(len(broken))
                for place in range(start, min(start + 64, len(broken))):
                    broken[place] = self.random.randrange(256)
            elif kind == 2:
                page = self.random.randrange(len(broken) // 4096)
                broken[page * 4096:(page + 1) * 4096] = bytes(4096)
            else:
                del broken[self.random.randrange(len(broken)):]
            path = self.folder / "broken.db"
            remove(path)
            path.write_bytes(broken)
            functions = self.functions("--store", path, may_be_damaged=True)
            refused += functions is None
            if functions is not None:
                expect(functions, two, f"damage {trial} and check")
            done = self.run("store", "add", path, nights[1], nights[2], nights[3])
            if done.returncode == 0:
                if len(broken) == 0:
                    continue  # An empty file is a store to be.
                functions = self.functions("--store", path, may_be_damaged=True)
                if functions is not None:
                    expect(functions, all_of_them, f"damage {trial} and store add")
            else:
                expect(done.returncode, 74, f"damage {trial}: {done.stderr}")
        return f"{count} stores with damaged bytes, {refused} refused"

    def unions(self, count):
        """Stores of some nights each, merged in any order and more than once: as one run over all nights."""
        nights = self.nights(6, 1500)
        truth = self.functions(*nights)
        for trial in range(count):
            parts = [self.folder / f"part-{trial}-{number}.db" for number in range(3)]
            for number, part in enumerate(parts):
                self.run("store", "add", part, *nights[number::2], check={0})
            whole = self.folder / f"union-{trial}.db"
            order = self.random.sample(parts, 3) + [self.random.choice(parts)]
            self.run("store", "add", whole, *dict.fromkeys(order[:2]), check={0})
            self.run("store", "add", whole, *order[2:], check={0})
            expect(self.functions("--store", whole), truth, f"union {trial}")
            expect(self.functions(*parts), truth, f"union {trial}, in one run")
            expect(self.functions(parts[0], *nights), truth, f"part 0 of union {trial} beside its logs")
        return f"{count} unions of three stores"

    def oddities(self):
        """What is no file, and names that no file can have: a clear error at once, and nothing is left."""
        night = self.nights(1, 100)[0]
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        long = self.folder / ("n" * 250)
        for path in (pipe, "/dev/null", long):
            for arguments in (["store", "add", path, night], ["check", "--store", path], ["store", "list", path]):
                done = subprocess.run(
                    [self.callcheck, *map(str, arguments)], capture_output=True, text=True, timeout=20)
                expect(done.returncode in (66, 74), True, f"{arguments}: {done.returncode} {done.stderr}")
        expect(os.path.lexists(long), False, "an empty file with a long name")
        expect(self.run("store", "add", ":memory:", night).returncode, 64, "a store in memory")
        return "pipes, devices and long names are refused"

    def damaged(self, count):
        """Damaged exports beside whole ones, in any order, more than once: as one run over all of them."""
        entries = [self.entry(number) for number in range(4000)]
        for trial in range(count):
            intact, later = self.write("intact.json.gz", entries[:3000]), self.write("later.json.gz", entries[2500:])
            data = bytearray(intact.read_bytes())
            broken = self.folder / "broken.json.gz"
            if trial % 3 == 0:
                data = data[:self.random.randrange(100, len(data))]
            else:
                data[self.random.randrange(20, len(data) - 8)] ^= 1 << self.random.randrange(8)
            broken.write_bytes(data)
            store = self.folder / "damaged.db"
            remove(store)
            order = self.random.sample([broken, intact, later], 3)
            for path in order + order[:1]:
                self.run("store", "add", store, path, check={65 if path == broken else 0})
            expect(self.functions("--store", store), self.functions(broken, intact, later), f"damage {trial}")
        return f"{count} damaged exports beside whole ones"


def expect(found, wanted, what):
    if found != wanted:
        raise AssertionError(f"{what}: {str(found)[:300]} instead of {str(wanted)[:300]}")


def remove(store):
    for ending in ("", "-wal", "-shm", "-journal"):
        Path(f"{store}{ending}").unlink(missing_ok=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--callcheck", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kills", type=int, default=4)
    parser.add_argument("--together", type=int, default=1)
    parser.add_argument("--names", type=int, default=4)
    parser.add_argument("--damages", type=int, default=8)
    parser.add_argument("--damaged", type=int, default=3)
    parser.add_argument("--unions", type=int, default=1)
    parser.add_argument("--only", help="one kind of trial")
    arguments = parser.parse_args()
    trials = {
        "kills": lambda it: it.kills(arguments.kills), "together": lambda it: it.together(arguments.together),
        "names": lambda it: it.names(arguments.names),
        "limits": lambda it: it.limits(), "damages": lambda it: it.damages(arguments.damages),
        "damaged": lambda it: it.damaged(arguments.damaged), "unions": lambda it: it.unions(arguments.unions),
        "oddities": lambda it: it.oddities(),
    }
    callcheck = os.path.abspath(arguments.callcheck)
    failed = False
    for name, trial in trials.items():
        if arguments.only not in (None, name):
            continue
        with tempfile.TemporaryDirectory(prefix="callcheck-") as folder:
            try:
                print(f"{name}: {trial(Trials(callcheck, folder, arguments.seed))}", flush=True)
            except (AssertionError, subprocess.TimeoutExpired) as error:
                failed = True
                print(f"{name}: FAILED: {error}", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
