"""Compares `callcheck summarize --format json` with the oracle on generated projects.

    python3 compare.py --callcheck .build/release/callcheck [--projects 200] [--seed 1] [--keep FOLDER] [--only INDEX]

Every verdict, date, count and reason code must be equal, every other number within 1e-8 (relative, or absolute near
zero).
Prints how often each verdict and code was met, then every difference; exit status 1 when there is one.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

from instants import instant_from
from make_projects import write_project
from verdict_oracle import summary

TOLERANCE = 1e-8
LIMIT = 12  # differences printed of one project
INSTANTS = {"asOf", "first", "last", "lastBlocked"}
ABSENT = object()


def differences(expected, actual, path=""):
    """(path, expected, actual) wherever the two do not agree; keys that only `actual` has are not looked at."""
    name = path.rsplit(".", 1)[-1]
    if path == "functions":
        yield from _rows(expected, actual, path)
    elif name == "reasons":
        yield from _reasons(expected, actual, path)
    elif name == "forecast" and expected is None:
        # "null" may be the whole object or its date.
        if not (actual is None or (isinstance(actual, dict) and actual.get("date", ABSENT) is None)):
            yield path, expected, actual
    elif isinstance(expected, dict) and isinstance(actual, dict):
        for key, value in expected.items():
            yield from differences(value, actual.get(key, ABSENT), f"{path}.{key}" if path else key)
    elif isinstance(expected, list) and isinstance(actual, list) and len(expected) == len(actual):
        for index, pair in enumerate(zip(expected, actual)):
            yield from differences(*pair, f"{path}[{index}]")
    elif not _equal(expected, actual, name):
        yield path, expected, actual


def _equal(expected, actual, name):
    if name in INSTANTS and isinstance(expected, str) and isinstance(actual, str):
        return instant_from(expected) == instant_from(actual)
    if isinstance(expected, bool) or isinstance(actual, bool):
        return expected is actual
    if isinstance(expected, (int, float)) and isinstance(actual, (int, float)):
        return abs(expected - actual) <= TOLERANCE * max(1e-3, abs(expected), abs(actual))
    return expected == actual


def _rows(expected, actual, path):
    def key(row):
        return "{project}/{region}/{function}/{generation}".format(**row)

    if not isinstance(actual, list):
        yield path, "a list", actual
        return
    if [key(row) for row in expected] != [key(row) for row in actual]:
        yield path, [key(row) for row in expected], [key(row) for row in actual]
    found = {key(row): row for row in actual}
    for row in expected:
        if key(row) in found:
            yield from differences(row, found[key(row)], key(row))


def _reasons(expected, actual, path):
    """Codes as a set, and the values the contract defines (the least k of too-few-requests)."""
    if not isinstance(actual, list):
        yield path, [reason["code"] for reason in expected], actual
        return
    codes, found = {r["code"] for r in expected}, {r["code"] for r in actual}
    if codes != found or len(actual) != len(found):
        yield f"{path} codes", sorted(codes), sorted(r["code"] for r in actual)
    values = {r["code"]: r.get("value", ABSENT) for r in actual}
    for reason in expected:
        if (
            reason["value"] is not None
            and reason["code"] in found
            and not _equal(reason["value"], values[reason["code"]], "")
        ):
            yield f"{path} {reason['code']}", reason["value"], values[reason["code"]]


def expected_input(description):
    """The counts of `input` that follow from the description when nothing is selected by name."""
    verifications = [row for function in description["functions"] for row in function["verifications"]]
    if description.get("select") or description.get("since") or description.get("until"):
        return {"records": description["records"], "duplicates": description["duplicates"]}
    return {
        "records": description["records"],
        "verifications": len(verifications),
        "duplicates": description["duplicates"],
        "filtered": 0,
        "ignored": 0,
        "malformed": 0,
        "oversized": 0,
        "undated": sum(row[0] is None for row in verifications),
    }


def run(callcheck, folder, description):
    """The program's JSON, or None and its words."""
    command = [callcheck, "summarize", "--format", "json", *description["options"], "export.json.gz"]
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=600, check=False)
    if result.returncode != 0:
        return None, f"exit status {result.returncode}: {result.stderr.strip()[-600:]}"
    try:
        return json.loads(result.stdout), None
    except json.JSONDecodeError as error:
        return None, f"no JSON: {error}"


def compare_project(callcheck, folder, seed, index, tally):
    """The lines to print about one project; counts what was met in `tally`."""
    description = write_project(folder, seed, index)
    description["clock"] = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    expected = {**summary(description), "input": expected_input(description)}
    for row in expected["functions"]:
        answer = row["readiness"]
        tally["functions", "functions"] += 1
        tally["verdicts", answer["verdict"]] += 1
        tally["twins", answer["signedIn"]["verdict"]] += 1
        tally["forecasts", (answer["forecast"] or {"kind": "none"})["kind"]] += 1
        for reason in answer["reasons"]:
            tally["codes", reason["code"]] += 1
    actual, failure = run(callcheck, folder, description)
    found = (
        [f"  {failure}"]
        if failure
        else [
            f"  {path}: expected {_show(wanted)}, got {_show(given)}"
            for path, wanted, given in differences(expected, actual)
        ]
    )
    if len(found) > LIMIT:
        found[LIMIT:] = [f"  and {len(found) - LIMIT} more"]
    if found:
        found.insert(
            0,
            f"{folder.name} ({description['kind']}): callcheck summarize --format json "
            f"{' '.join(description['options'])} export.json.gz",
        )
    return found


def _show(value):
    return "nothing" if value is ABSENT else json.dumps(value)


def summary_lines(tally):
    for group in ("verdicts", "twins", "forecasts", "codes"):
        met = sorted((name, count) for (kind, name), count in tally.items() if kind == group)
        yield f"{group}: " + ", ".join(f"{name} {count}" for name, count in met)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--callcheck", required=True)
    parser.add_argument("--projects", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, help="one project of the seed")
    parser.add_argument("--keep", type=Path, help="write the projects here and leave them")
    arguments = parser.parse_args()
    callcheck = str(Path(arguments.callcheck).resolve())
    indices = range(arguments.projects) if arguments.only is None else [arguments.only]
    tally, failed, lines = Counter(), 0, []
    with tempfile.TemporaryDirectory() as scratch:
        for index in indices:
            folder = (arguments.keep or Path(scratch)) / f"p{index:04d}"
            found = compare_project(callcheck, folder, arguments.seed, index, tally)
            failed += bool(found)
            lines += found
            if not arguments.keep:
                for file in folder.iterdir():
                    file.unlink()
    print(
        f"{len(indices)} projects, {tally['functions', 'functions']} functions: "
        + (f"{failed} projects differ" if failed else "all agree")
    )
    print(*summary_lines(tally), sep="\n")
    print(*lines, sep="\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
