"""Compares what the program says of enforcement with the oracle, and the ways of asking it with each other.

    python3 compare_enforcement.py --callcheck .build/release/callcheck [--projects 50] [--seed 1] [--only INDEX]

Each project is a random history of switches, asked about in five ways: the log as one file; its records spread over
three; a store of two of these beside the third; a store that took them in turn; and a union of stores of single days.
Prints every difference with what makes its project again.
"""

import re
import subprocess
import sys
from datetime import UTC, datetime

import numpy

from campaign import run_campaign
from compare import ABSENT, LIMIT, differences, run, show
from histories import random_history
from instants import DAY
from log_entries import ExportWriter
from project_options import policy_options, policy_text
from verdict_oracle import summary

PARTS = ("part0.json", "part1.json", "part2.json")


def write_history(folder, seed, index):
    """Writes a project's log whole, in parts and by days; returns its description."""
    rng = numpy.random.default_rng([seed, index, 1])
    project = random_history(rng)
    project["clock"] = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    folder.mkdir(parents=True, exist_ok=True)
    writer = ExportWriter(rng)
    for function in project["functions"]:
        writer.function(function, 0, True)
    for name, instants in project["stderr"].items():
        for instant in instants:
            writer.stderr(name, instant)
    project["stderr"] = writer.stderr_instants
    project["newest"] = writer.readable_instants
    parts, days = {name: [] for name in PARTS}, {}
    for record in writer.records:
        # Records without an `insertId` of several sources may be one log in two shapes: they stay in one.
        place = rng.integers(3) if re.search(r'"insertId": ?"[^"]', record[1]) else 0
        parts[PARTS[place]].append(record)
        days.setdefault(f"day{record[0] // DAY}.json", []).append(record)
    for name, records in {"whole.json": writer.records, **parts, **days}.items():
        (folder / name).write_text("".join(f"{text}\n" for _, text in records), encoding="utf-8")
    text = policy_text(project["policy"])
    if text:
        (folder / "policy.yaml").write_text(text, encoding="utf-8")
    project["options"] += policy_options(project)
    project["days"] = sorted(days)
    return project


def prepare(callcheck, folder, project):
    """Makes stores; returns the inputs of each way."""
    for left_over in folder.glob("*.db*"):
        left_over.unlink()

    def make(*arguments):
        command = [callcheck, *arguments]
        subprocess.run(command, cwd=folder, capture_output=True, check=True, timeout=600, text=True)

    make("store", "add", "two.db", *PARTS[:2])
    for name in PARTS:
        make("store", "add", "all.db", name)
    for name in project["days"]:
        make("store", "add", f"{name}.db", name)
    make("store", "add", "days.db", *(f"{name}.db" for name in project["days"]))
    return {
        "one file": ["whole.json"],
        "three files": PARTS,
        "store and file": ["two.db", PARTS[2]],
        "store": ["--store", "all.db"],
        "union": ["days.db"],
    }


def of_enforcement(answer):
    """What is compared with the oracle."""
    kept = ("project", "region", "function", "generation", "readiness", "enforcement", "aftermath")
    return {"functions": [{name: row[name] for name in kept} for row in answer["functions"]]}


def compare_history(callcheck, folder, seed, index, tally):
    """The lines to print about one project."""
    project = write_history(folder, seed, index)
    expected = of_enforcement(summary(project))
    for row in expected["functions"]:
        found = row["enforcement"] or {"state": None, "by": None}
        tally["states", f"{found['state']} by {found['by']}"] += 1
        tally["verdicts", row["readiness"]["verdict"]] += 1
        for reason in row["readiness"]["reasons"]:
            tally["codes", reason["code"]] += 1
        tally["codes", "locked out"] += row["readiness"]["lockout"] is not None
    first, lines = None, []
    try:
        ways = prepare(callcheck, folder, project)
    except subprocess.CalledProcessError as error:
        return [f"{folder.name}: --seed {seed} --only {index}: {' '.join(error.cmd)}: {error.stderr.strip()}"]
    for way, inputs in ways.items():
        actual, failure = run(callcheck, folder, {**project, "inputs": list(inputs)})
        if failure:
            lines.append(f"  {way}: {failure}")
            continue
        actual = comparable(actual)
        if first is None:
            first = actual
            found = [("the oracle", *each) for each in differences(expected, actual)]
        else:
            found = [("one file", *each) for each in unequal(by_name(reasons_by_code(first)), by_name(reasons_by_code(actual)))]
        lines += [
            f"  {way}: {path}: got {show(given)}, {other} says {show(wanted)}" for other, path, wanted, given in found
        ][:LIMIT]
    if lines:
        lines.insert(0, f"{folder.name}: --seed {seed} --only {index}: {' '.join(project['options'])}")
    return lines


def unequal(first, other, path=""):
    """(path, first, other) wherever two answers of the program are not the same."""
    if isinstance(first, dict) and isinstance(other, dict):
        for name in sorted(first.keys() | other.keys()):
            yield from unequal(first.get(name, ABSENT), other.get(name, ABSENT), f"{path}.{name}")
    elif isinstance(first, list) and isinstance(other, list) and len(first) == len(other):
        for index, pair in enumerate(zip(first, other)):
            yield from unequal(*pair, f"{path}[{index}]")
    elif first != other:
        yield path.removeprefix("."), first, other


def comparable(answer):
    """Without what depends on the way by contract: how it was read."""
    for row in answer["functions"]:
        ((row["enforcement"] or {}).get("revisions") or []).sort(key=lambda revision: revision["name"])
    return {name: answer[name] for name in ("asOf", "policy", "totals", "functions")}


def reasons_by_code(answer):
    """The same answer, in which a reason that only one way gives leaves the others comparable."""
    rows = [
        {**row, "readiness": {**row["readiness"], "reasons": {r["code"]: r for r in row["readiness"]["reasons"]}}}
        for row in answer["functions"]
    ]
    return {**answer, "functions": rows}


def by_name(answer):
    return {**answer, "functions": {"{project}/{region}/{function}/{generation}".format(**r): r for r in answer["functions"]}}


if __name__ == "__main__":
    sys.exit(run_campaign(__doc__, compare_history, 50, "histories"))
