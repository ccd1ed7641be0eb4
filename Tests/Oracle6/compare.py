"""Compares `callcheck --format json` with the oracle on generated projects.

    python3 compare.py --callcheck .build/release/callcheck [--projects 200] [--seed 1] [--keep FOLDER] [--only INDEX]

Every verdict, date, count and reason code must be equal, every other number within 1e-7 (relative, or absolute near
zero).
Prints how often each verdict and code was met, then every difference; exit status 1 when there is one.
"""

import json
import re
import subprocess
import sys
from collections import defaultdict
from datetime import UTC, datetime

from campaign import run_campaign
from instants import instant_from
from make_projects import write_project
from rule import DECIDING
from verdict_oracle import summary

TOLERANCE = 1e-7
MISTAKEN = 3  # repetitions of a project that may pass for copies
LIMIT = 40  # differences printed of one project
INSTANTS = {"asOf", "first", "last", "lastBlocked", "since", "failingSince", "planned"}
ABSENT = object()
OF_CLIENTS = {"already-failing", "not-an-app", "valid-from-tools"}  # advice on user agents, which are not looked at here


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


def _key(row):
    return "{project}/{region}/{function}/{generation}".format(**row)


def _equal(expected, actual, name):
    if name in INSTANTS and all(isinstance(text, str) and "T" in text for text in (expected, actual)):
        return instant_from(expected) == instant_from(actual)
    if isinstance(expected, bool) or isinstance(actual, bool):
        return expected is actual
    if isinstance(expected, (int, float)) and isinstance(actual, (int, float)):
        return abs(expected - actual) <= TOLERANCE * max(1e-3, abs(expected), abs(actual))
    return expected == actual


def _rows(expected, actual, path):
    if not isinstance(actual, list):
        yield path, "a list", actual
        return
    if [_key(row) for row in expected] != [_key(row) for row in actual]:
        yield path, [_key(row) for row in expected], [_key(row) for row in actual]
    found = {_key(row): row for row in actual}
    for row in expected:
        if _key(row) in found:
            yield from differences(row, found[_key(row)], _key(row))


def alike(expected, actual):
    """What the contract leaves open: the order of some lists, and, as only eight bits of an `insertId` are kept,
    which few repetitions at one instant with the statuses of the real one pass for its copies."""
    for answer in (expected, actual):
        for name in ("ignoreClients", "acceptPlatforms"):
            if isinstance(answer.get("policy", {}).get(name), list):
                answer["policy"][name].sort()
        for row in answer["functions"]:
            for name in ("kinds", "browsers", "devices"):
                (row.get("clients") or {}).get(name, []).sort(key=json.dumps)
            ((row["enforcement"] or {}).get("revisions") or []).sort(key=lambda revision: revision["name"])
    copies = actual["input"]["duplicates"] - expected["input"]["duplicates"]
    if 0 < copies <= MISTAKEN and actual["input"]["ignored"] == expected["input"]["ignored"] - copies:
        actual["input"].update((name, expected["input"][name]) for name in ("duplicates", "ignored"))
        wanted = {_key(row): row["discarded"]["repeated"] for row in expected["functions"]}
        for row in actual["functions"]:
            found = row["discarded"]
            if 0 < wanted.get(_key(row), 0) - found["repeated"] <= MISTAKEN:
                found["repeated"] = wanted[_key(row)]


def _reasons(expected, actual, path):
    """Codes as a set, and the values the contract defines (the least k of too-few-requests)."""
    if not isinstance(actual, list):
        yield path, [reason["code"] for reason in expected], actual
        return
    actual = [reason for reason in actual if reason["code"] not in OF_CLIENTS]
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
    limits = {r["code"]: r.get("limit", ABSENT) for r in actual}
    for reason in expected:
        if reason["limit"] is not None and reason["code"] in found:
            if not _equal(reason["limit"], limits[reason["code"]], ""):
                yield f"{path} limit of {reason['code']}", reason["limit"], limits[reason["code"]]


def unsaid(actual):
    """Reasons of functions that are no findings: these are all that is said anywhere."""
    said = defaultdict(set)
    for finding in actual["findings"]:
        said[json.dumps(finding["of"])].add(finding["code"])
    for row in actual["functions"]:
        codes = {reason["code"] for reason in row["readiness"]["reasons"]}
        of = {key: row[key] for key in ("project", "region", "function", "generation")}
        found = said[json.dumps(of)] | said[json.dumps({"project": row["project"]})]
        if codes - found:
            yield f"{_key(row)}.findings", sorted(codes), sorted(codes & found)


def run(callcheck, folder, description):
    """The program's JSON, or None and its words."""
    command = [callcheck, "--format", "json", *description["options"], *description["inputs"]]
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
    expected = summary(description)
    if description.get("select"):
        # What is not selected is filtered too, and the contract does not say what of it is undated.
        for name in ("verifications", "filtered", "undated"):
            del expected["input"][name]
    for row in expected["functions"]:
        answer = row["readiness"]
        tally["functions", "functions"] += 1
        tally["verdicts", answer["verdict"]] += 1
        tally["twins", answer["signedIn"]["verdict"]] += 1
        tally["forecasts", (answer["forecast"] or {"kind": "none"})["kind"]] += 1
        codes = {reason["code"] for reason in answer["reasons"]}
        tally.update(("codes", code) for code in codes)
        # Without it the verdict would be another one.
        deciding = [code for code in codes & DECIDING if code != "mostly-invalid"]
        if len(deciding) == 1 and answer["verdict"] != "enforce":
            tally["decided alone", deciding[0]] += 1
        for name in ("machines", "leftOut", "uncounted", "passedOver"):
            tally["numbers", name] += bool(answer[name])
        tally["numbers", f"admission by {answer['admissionBy']}"] += 1
        tally["lock-outs", "all"] += answer["lockout"] is not None
        if answer["lockout"]:
            for name in ("failingNow", "platforms"):
                tally["lock-outs", name] += bool(answer["lockout"][name])
        if row["enforcement"]:
            tally["enforcement", f"{row['enforcement']['state']} by {row['enforcement']['by']}"] += 1
        tally["aftermath", (row["aftermath"] or {"verdict": "none"})["verdict"]] += 1
    for name in ("ignored", "duplicates", "filtered", "undated", "malformed", "oversized", "unexpected"):
        tally["input", name] += expected["input"].get(name, 0)
    actual, failure = run(callcheck, folder, description)
    if actual:
        alike(expected, actual)
    found = (
        [f"  {failure}"]
        if failure
        else [
            f"  {path}: expected {show(wanted)}, got {show(given)}"
            for path, wanted, given in (*differences(expected, actual), *unsaid(actual))
        ]
    )
    for line in found:
        tally["differences", re.sub(r"^  \S*/\d\.|\[\d+\]|:.*", "", line, flags=re.DOTALL).strip()] += 1
    if len(found) > LIMIT:
        found[LIMIT:] = [f"  and {len(found) - LIMIT} more"]
    if found:
        found.insert(
            0,
            f"{folder.name} ({description['kind']}): callcheck --format json "
            f"{' '.join(description['options'] + description['inputs'])}",
        )
    return found


def show(value):
    return "nothing" if value is ABSENT else json.dumps(value)


if __name__ == "__main__":
    sys.exit(run_campaign(__doc__, compare_project, 200))
