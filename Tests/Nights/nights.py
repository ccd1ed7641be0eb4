"""Runs nightly.sh on nights on which much goes wrong, and asks promtool which alerts fire on which night.

    apt-get install -y faketime jq prometheus
    python3 Tests/Nights/nights.py --callcheck .build/release/callcheck [--scale 0.1] [--write]

The table in Documentation.docc/Internals/nights.md must be what it finds; --write replaces it. Exit status 1 if it
is another one.
"""

import argparse
import contextlib
import datetime
import difflib
import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from zoneinfo import ZoneInfo

from buckets import Function, instant, objects

ROOT = Path(__file__).resolve().parents[2]
RECIPES = ROOT / "samples/recipes"
PAGE = ROOT / "Sources/callcheck/Documentation.docc/Internals/nights.md"
NIGHTS = 70
# The job runs at 4 o'clock in Berlin, which is 2 o'clock UTC until the clock changes, then 3.
ZONE, WINTER = "Europe/Berlin", datetime.datetime(2026, 10, 25, 1, tzinfo=datetime.timezone.utc)
SHOP, MAPS = "shop-demo", "maps-demo"
BUCKETS = {SHOP: "shop-callable-verifications", MAPS: "maps-callable-verifications"}
HOUR = datetime.timedelta(hours=1)
# When alerts are looked at: hours after the job's time.
LOOKS = (2, 8, 23)
GCLOUD = """#!/bin/sh
set -eu
case "$1 $2 $3" in
"storage objects list")
    if [ "gs://$(cat denied 2>&1)" = "$4" ]; then exit 1; fi
    cd "${4#gs://}"
    find . -type f -printf '%P\\t%s\\n' | jq -R -n '[inputs / "\\t" | {name: .[0], size: .[1]}]'
    ;;
"storage cp "*)
    shift 2
    for folder; do :; done
    printf '%s\\n' "$@" | sed '$d; s|^gs://||' | xargs cp -t "$folder"
    ;;
esac
"""


class World:
    """The functions, what happens to their log, and the machine that reads it."""

    def __init__(self, folder, callcheck, scale):
        self.folder, self.scale, self.made, self.late = folder, scale, {}, {}
        order = Function(SHOP, "createOrder", 1200, missing=0.002)
        order.enforced, order.outages, order.bots = [(36.5, 1000)], [(40.375, 40.625)], [(65.25, 67.75)]
        message = Function(SHOP, "sendMessage", 600, missing=0.15, invalid=10)
        message.enforced = [(48.375, 49.375)]
        photo = Function(SHOP, "newPhoto", 600, days=(30, 1000))
        report = Function(SHOP, "oldReport", 600, days=(1, 33))
        self.functions = [order, message, photo, report, Function(MAPS, "listPlaces", 600)]
        programs = folder / "bin"
        programs.mkdir()
        (programs / "gcloud").write_text(GCLOUD, encoding="utf-8")
        (programs / "gcloud").chmod(0o755)
        (programs / "callcheck").symlink_to(callcheck)
        for bucket in BUCKETS.values():
            (folder / bucket).mkdir()
        self.disk = folder / "disk"
        self.disk.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16m", "none", self.disk], check=True)
        self.environment = {
            "PATH": f"{programs}:{os.environ['PATH']}",
            "HOME": str(folder),
            "TZ": ZONE,
            "BUCKET": " ".join(BUCKETS.values()),
            "LOGS": "logs",
            "STORE": "disk/history.db",
            "REPORTS": "disk/reports",
            "POLICY": "policy.yaml",
        }
        self.enforce()

    def enforce(self, **entries):
        """Writes the policy: functions, and since which day they are enforced."""
        lines = [f"  - {{match: {name}, enforced: {instant(day):%Y-%m-%dT%H:%MZ}}}\n" for name, day in entries.items()]
        text = "".join(["functions:\n", *lines] if lines else ["functions: []\n"])
        (self.folder / "policy.yaml").write_text(text, encoding="utf-8")

    def put(self, project, name, content):
        path = self.folder / BUCKETS[project] / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)

    def arrive(self, night):
        """Puts the objects of a day and of the hour after it into the buckets, except lost and late ones."""
        for day in (night, night + 1):
            if day not in self.made:
                self.made[day] = list(objects(self.functions, day, self.scale))
            for (project, log, hour), name, text in self.made[day]:
                if day > night and hour > 0 or is_lost(day, project, log):
                    continue
                if day == night and (arrival := delay(day, project, hour)):
                    self.late.setdefault(arrival, []).append((project, name, text.encode()))
                else:
                    self.put(project, name, text.encode())
        del self.made[night]
        for found in self.late.pop(night, []):
            self.put(*found)

    def run(self, time):
        """Runs the job at a time, and returns its status."""
        command = ["faketime", "-f", f"@{time.astimezone(ZoneInfo(ZONE)):%Y-%m-%d %H:%M:%S}", RECIPES / "nightly.sh"]
        done = subprocess.run(command, cwd=self.folder, env=self.environment, capture_output=True, text=True)
        if os.environ.get("NIGHTS_VERBOSE"):
            print(time, done.returncode, done.stderr.strip(), sep="\n    ", file=sys.stderr, flush=True)
        return done.returncode

    def metrics(self):
        """The samples in the folder that node_exporter reads."""
        found = {}
        for path in sorted((self.disk / "reports").glob("*.prom")):
            for line in path.read_text(encoding="utf-8").splitlines():
                if not line.startswith("#"):
                    series, _, value = line.rpartition(" ")
                    found[series.rstrip()] = value
        return found

    # What happens before the job of a night.

    def cut_a_file(self):
        self.cut = max((self.folder / BUCKETS[SHOP]).rglob("stdout/**/21:*.json"))
        self.whole = self.cut.read_bytes()
        self.cut.write_bytes(self.whole[: len(self.whole) // 2])

    def restore_the_file(self):
        self.cut.write_bytes(self.whole)
        self.make_a_new_store()

    def make_a_new_store(self):
        """Removes the store, so that the job fetches all objects again: nothing in it is repaired."""
        (self.disk / "history.db").unlink()

    def damage_an_archive(self):
        self.archive = self.folder / BUCKETS[MAPS] / "archive.json.gz"
        text = "".join(text for key, _, text in objects(self.functions, 27, self.scale) if key[0] == MAPS)
        self.whole = gzip.compress(text.encode(), mtime=0)
        self.archive.write_bytes(self.whole[: len(self.whole) // 2])

    def restore_the_archive(self):
        self.archive.write_bytes(self.whole)
        self.make_a_new_store()

    def switch_on(self):
        self.enforce(createOrder=36.5)

    def switch_on_another(self):
        self.enforce(createOrder=36.5, sendMessage=48.375)

    def correct_the_policy(self):
        self.enforce(createOrder=36.5)

    def fill_the_disk(self):
        with contextlib.suppress(OSError), open(self.disk / "zeros", "wb", buffering=0) as file:
            while file.write(bytes(1024)):
                pass

    def empty_the_disk(self):
        (self.disk / "zeros").unlink()

    def deny_a_bucket(self):
        (self.folder / "denied").write_text(BUCKETS[MAPS], encoding="utf-8")

    def allow_the_bucket(self):
        (self.folder / "denied").unlink()


def is_lost(day, project, log):
    """Whether an object never arrives."""
    return (
        day == 20 and project == SHOP
        or 60 <= day <= 62 and project == MAPS
        or 67 <= day <= 69 and project == SHOP and log != "stdout"
    )


def delay(day, project, hour):
    """The night on which a late object arrives."""
    return day + 1 if day == 8 and hour >= 15 or day == 12 and project == SHOP else None


# Night, what happened, what is done before the job runs.
EVENTS = (
    (8, "The files of nine hours arrive a night late.", None),
    (12, "shop-demo: all files of the day arrive a night late.", None),
    (16, "The machine does not run the job.", None),
    (20, "shop-demo: the sink loses the day, for good.", None),
    (24, "shop-demo: a file is cut.", World.cut_a_file),
    (25, "It is replaced, and the store is made anew.", World.restore_the_file),
    (27, "maps-demo: a compressed file is cut.", World.damage_an_archive),
    (29, "It is replaced, and the store is made anew.", World.restore_the_archive),
    (30, "newPhoto is new.", None),
    (33, "oldReport is no longer called.", None),
    (36, "createOrder is enforced at noon, without harm.", World.switch_on),
    (40, "createOrder: for six hours nobody has a token.", None),
    (48, "sendMessage is enforced, and refuses old apps.", World.switch_on_another),
    (49, "It is rolled back.", None),
    (51, "The policy is corrected.", World.correct_the_policy),
    (54, "The clock changes: the job runs 25 hours after the last one.", None),
    (56, "The disk of the store and the reports is full.", World.fill_the_disk),
    (57, "It is emptied.", World.empty_the_disk),
    (58, "maps-demo: the bucket cannot be read.", World.deny_a_bucket),
    (59, "It can again.", World.allow_the_bucket),
    (60, "maps-demo: the sink has stopped.", None),
    (63, "It writes again.", None),
    (65, "createOrder: scripts on one server call it without any token, for two and a half days.", None),
    (67, "shop-demo: stderr and requests no longer arrive.", None),
)


def simulate(world):
    """Runs all nights: (hours since the first, status, metrics) of each, the status None where the job did not run."""
    nights, start = [], None
    for night in range(1, NIGHTS + 1):
        actions = [action for number, _, action in EVENTS if number == night and action]
        for action in actions:
            if action is not World.cut_a_file:
                action(world)
        world.arrive(night)
        # Before the job has read it.
        if World.cut_a_file in actions:
            world.cut_a_file()
        time = instant(night + 1) + datetime.timedelta(hours=2)
        if time >= WINTER:
            time += datetime.timedelta(hours=1)
        start = start or time
        status = None if night == 16 else world.run(time)
        nights.append((round((time - start) / HOUR), status, world.metrics()))
    return start, nights


def series(nights, start):
    """The samples of each hour, as promtool takes them; its clock begins with the first night."""
    wanted = set(re.findall(r"callcheck_[a-z_]+", (RECIPES / "alerts.yaml").read_text(encoding="utf-8")))
    names = {name for _, _, metrics in nights for name in metrics if re.match(r"\w+", name)[0] in wanted}
    ends = [hours for hours, _, _ in nights[1:]] + [nights[-1][0] + 24]
    for name in sorted(names):
        values = []
        for (hours, _, metrics), end in zip(nights, ends, strict=True):
            value = metrics.get(name)
            if value is not None and "_timestamp_seconds" in name:
                value = f"{float(value) - start.timestamp():.0f}"
            values += [f"_x{end - hours}" if value is None else f"{value}x{end - hours - 1}"]
        yield {"series": name, "values": " ".join(values)}


def firing(nights, start, folder):
    """The alerts that fire between one night and the next, by night."""
    shutil.copy(RECIPES / "alerts.yaml", folder)
    looks = [hours + look for hours, _, _ in nights for look in LOOKS]
    group = {"interval": "1h", "input_series": list(series(nights, start))}
    # promtool prints what it does not expect.
    group["promql_expr_test"] = [{"expr": 'ALERTS{alertstate="firing"}', "eval_time": f"{look}h"} for look in looks]
    test = {"rule_files": ["alerts.yaml"], "evaluation_interval": "1h", "tests": [group]}
    (folder / "test.yaml").write_text(json.dumps(test), encoding="utf-8")
    done = subprocess.run(["promtool", "test", "rules", "test.yaml"], cwd=folder, capture_output=True, text=True)
    found = [set() for _ in nights]
    answers = re.findall(r"time: (\w+),\s+exp: *\S+\s+got: *(\{.*)", done.stdout + done.stderr)
    if not answers:
        sys.exit(done.stdout + done.stderr)
    for time, got in answers:
        units = {"w": 168, "d": 24, "h": 1}
        hours = sum(int(number) * units[unit] for number, unit in re.findall(r"(\d+)([wdh])", time))
        index = max(index for index, night in enumerate(nights) if night[0] <= hours)
        found[index] |= {text_of(labels) for labels in re.findall(r"\{(.*?)\} 1E", got)}
    return found


def text_of(labels):
    """An alert as the table shows it: its name and what it is about; pages are bold."""
    found = dict(re.findall(r'(\w+)="((?:[^"\\]|\\.)*)"', labels))
    about = [found[name] for name in ("project", "code", "cause", "kind") if name in found]
    name = found["alertname"].removeprefix("AppCheck") + (f" ({', '.join(about)})" if about else "")
    return f"**{name}**" if found["severity"] == "page" else name


def table(nights, alerts):
    """Nights on which something happens, or other alerts fire than the night before."""
    rows, before = [], set()
    for night, ((_, status, _), now) in enumerate(zip(nights, alerts, strict=True), 1):
        words = " ".join(text for day, text, _ in EVENTS if day == night)
        if words or now != before or status not in (0, None) and now:
            shown = "none" if status is None else status
            rows.append(f"| {night} | {words} | {shown} | {', '.join(sorted(now)) or 'none'} |")
        before = now
    return "\n".join(["| night | what happens | status | alerts |", "|---|---|---|---|", *rows]) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--callcheck", type=Path, required=True)
    parser.add_argument("--scale", type=float, default=0.1, help="of the requests; default 0.1")
    parser.add_argument("--write", action="store_true", help="write the table into the page")
    arguments = parser.parse_args()
    if os.environ.get("NIGHTS_MOUNTS") != "own":
        # The small disk is mounted where no other program sees it.
        command = ["unshare", "--map-root-user", "--mount", sys.executable, *sys.argv]
        os.execvpe("unshare", command, {**os.environ, "NIGHTS_MOUNTS": "own"})
    with tempfile.TemporaryDirectory() as name:
        world = World(Path(name), arguments.callcheck.resolve(), arguments.scale)
        try:
            start, nights = simulate(world)
        finally:
            subprocess.run(["umount", world.disk], check=True)
        found = table(nights, firing(nights, start, world.folder))
    page = PAGE.read_text(encoding="utf-8")
    shown = re.search(r"^\| night .*?\n(?=\n|\Z)", page, re.MULTILINE | re.DOTALL)
    if arguments.write:
        PAGE.write_text(page.replace(shown[0], found), encoding="utf-8")
    elif shown[0] != found:
        sys.stdout.writelines(difflib.unified_diff(shown[0].splitlines(True), found.splitlines(True), "page", "found"))
        sys.exit(f"{PAGE.name} shows other alerts; write it anew with --write")


if __name__ == "__main__":
    main()
