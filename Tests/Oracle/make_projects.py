"""Generates small projects: a gzipped export, its policy file, and a description with the raw counts.

    python3 make_projects.py FOLDER [--projects 200] [--seed 1]

Each project is a folder: `export.json.gz`, `policy.yaml` when there is one, `description.json.gz`. One in three sits
on a threshold of the rule; the others are random. The same seed gives the same projects.
"""

import argparse
import gzip
import json
from pathlib import Path

import numpy

import boundaries
import boundaries_policy
from instants import DAY, HOUR, SECOND, start_of
from log_entries import ExportWriter
from profiles import generate, random_profile
from project_options import FAR_FUTURE, choose_options, policy_options, policy_text

CASES = boundaries.CASES + boundaries_policy.CASES
NAMES = (
    "addMessage",
    "deleteAccount",
    "scanReceipt",
    "admin_panel",
    "adminReport",
    "logAppError",
    "getCarouselAds",
    "signUp",
    "run_signal_generation",
    "checkout",
    "updateHolidays",
    "ejectRequest",
    "listOrders",
    "sendInvite",
    "syncCart",
    "rateItem",
)
REGIONS = ("us-central1", "europe-west1", "asia-east2")


def random_project(rng):
    days = int(rng.choice([rng.integers(3, 10), rng.integers(8, 22), rng.integers(20, 37), rng.integers(36, 61)]))
    today = 20_700 + int(rng.integers(0, 28))
    end = start_of(today) + int(
        rng.choice([DAY - 1, rng.integers(1, DAY), rng.integers(HOUR, DAY // 2), DAY // 2 - 1, DAY // 2])
    )
    first = today - days + 1
    count = int(rng.choice([1, 2, 3, 4, 6, 8, 12]))
    budget = min(2500.0, 12_000 / days) * rng.uniform(0.2, 1)
    weights = rng.lognormal(0, 1.5, count)
    rates = numpy.clip(budget * weights / weights.sum(), 0.3, None)
    projects = ["demo-prod"] if rng.random() < 0.85 else ["demo-prod", "demo-stage"]
    project = {
        "functions": [],
        "stderr": {},
        "asOf": None,
        "flags": {},
        "policy": {"policy": {}, "functions": []},
        "options": [],
    }
    taken = set()
    for rate in rates:
        identity = _identity(rng, projects, taken)
        profile = random_profile(rng, days, float(rate))
        project["functions"].append({**identity, "verifications": generate(profile, rng, first, end)})
        if identity["generation"] == 1 and rng.random() < 0.15:
            _moved_to_generation_2(rng, project, identity, profile, first, end, days)
    for name in projects:
        _weather(rng, project, name, first, days)
    project["functions"] = [function for function in project["functions"] if function["verifications"]]
    if not project["functions"]:
        return random_project(rng)
    _strays(rng, project)
    choose_options(rng, project, first, today)
    return project


def _identity(rng, projects, taken):
    while True:
        name, region = str(rng.choice(NAMES)), str(rng.choice(REGIONS, p=[0.8, 0.15, 0.05]))
        project, generation = str(rng.choice(projects)), int(rng.choice([1, 2]))
        key = (project, region, name.lower().replace("_", "-"), generation)
        if key not in taken:
            taken.add(key)
            taken.add((*key[:3], 3 - generation))
            service = None if generation == 1 else name.lower().replace("_", "-")
            shown = name if generation == 1 else name.lower() if rng.random() < 0.6 else service
            return {"project": project, "region": region, "name": shown, "service": service, "generation": generation}


def _moved_to_generation_2(rng, project, identity, profile, first, end, days):
    """The gen 1 function's callers go over to a gen 2 function of the same name, wholly or in part."""
    moved = max(1, days - int(rng.integers(3, 20)))
    name = identity["name"].lower()
    successor = {**identity, "name": name, "service": name.replace("_", "-"), "generation": 2}
    rows = project["functions"][-1]["verifications"]
    profile.starts = moved
    project["functions"].append({**successor, "verifications": generate(profile, rng, first, end)})
    if rng.random() < 0.7:
        project["functions"][-2]["verifications"] = [row for row in rows if row[0] < start_of(first + moved)]


def _weather(rng, project, name, first, days):
    """What befalls a whole project: silent days, a stderr stream that is missing or stops, other stderr records."""
    functions = [function for function in project["functions"] if function["project"] == name]
    silent = set()
    if rng.random() < 0.2:
        silent |= {first + int(rng.integers(days)) for _ in range(int(rng.integers(1, 3)))}
    if rng.random() < 0.15:
        weekday = int(rng.integers(7))
        silent |= {day for day in range(first + int(rng.integers(10)), first + days) if day % 7 == weekday}
    if rng.random() < 0.15:
        start = first + int(rng.integers(days))
        silent |= set(range(start, start + int(rng.integers(2, 8))))
    lost = int(rng.choice([10**6] * 6 + [0, days - 3, days - 8])) + first  # gen 2's failures from this day on
    for function in functions:
        function["verifications"] = [
            row
            for row in function["verifications"]
            if row[0] // DAY not in silent
            and not (function["generation"] == 2 and row[0] // DAY >= lost and "INVALID" in row[1:3])
        ]
    noisy = rng.random() < 0.5
    project["stderr"][name] = [
        start_of(day) + int(rng.integers(DAY))
        for day in range(first, min(first + days, lost))
        if noisy and day not in silent and rng.random() < 0.9
    ]


def _strays(rng, project):
    """Entries without a time, after the as-of's day, decades ahead, weeks before all others, and with odd statuses."""
    for function in project["functions"]:
        rows = function["verifications"]
        severity = next((row[3] for row in rows if row[3] != "WARNING"), None)
        if severity is None:
            continue
        if rng.random() < 0.1:
            rows += [[None, "VALID", "VALID", severity], [None, "MISSING", "VALID", severity]]
        if rng.random() < 0.08:
            rows.append([FAR_FUTURE, "MISSING", "VALID", severity])
        if rng.random() < 0.04:
            rows.append([rows[0][0] - int(rng.integers(2, 40)) * DAY, "MISSING", "VALID", severity])
        if rng.random() < 0.1:
            rows.append([rows[0][0] + SECOND, "OTHER", str(rng.choice(["VALID", "MISSING", "OTHER"])), severity])


def write_project(folder, seed, index):
    """Makes project number `index` of a seed in a folder; returns its description."""
    rng = numpy.random.default_rng([seed, index])
    if index % 3 == 0:
        make = CASES[index // 3 % len(CASES)]
        project, kind = make(rng).project, make.__name__
    else:
        project, kind = random_project(rng), "random"
    writer = ExportWriter(rng)
    duplicate_share = float(rng.choice([0, 0.01, 0.2]))
    for function in project["functions"]:
        writer.function(function, duplicate_share, project.get("dedupe", True))
    for name, instants in project["stderr"].items():
        for instant in instants:
            writer.stderr(name, instant)
    for function in project["functions"][:1]:
        writer.decoys(function["project"], next(row[0] for row in function["verifications"] if row[0] is not None))
    folder.mkdir(parents=True, exist_ok=True)
    project["records"] = writer.write(folder / "export.json.gz")
    project.update(name=folder.name, kind=kind, seed=seed, index=index, duplicates=writer.duplicates)
    text = policy_text(project["policy"])
    if text:
        (folder / "policy.yaml").write_text(text, encoding="utf-8")
    project["options"] += policy_options(project)
    with gzip.open(folder / "description.json.gz", "wt", encoding="utf-8") as file:
        json.dump(project, file)
    return project


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--projects", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    for index in range(arguments.projects):
        write_project(arguments.folder / f"p{index:04d}", arguments.seed, index)


if __name__ == "__main__":
    main()
