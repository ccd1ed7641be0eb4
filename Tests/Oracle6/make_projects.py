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
import boundaries_callers
import boundaries_data
import boundaries_enforcement
import boundaries_policy
import boundaries_recent
import boundaries_rows
from forgeries import forge
from instants import DAY, HOUR, SECOND, start_of, weekday_of
from log_entries import ExportWriter
from profiles import generate, random_profile
from project_options import FAR_FUTURE, choose_options, policy_options, policy_text
from request_rows import add_request_rows
from sdk_lines import write_functions_log

MODULES = (
    *(boundaries, boundaries_policy, boundaries_data, boundaries_rows, boundaries_enforcement, boundaries_callers),
    boundaries_recent,
)
CASES = [case for module in MODULES for case in module.CASES]
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
        prints_text = identity["generation"] == 2 and rng.random() < 0.12
        if prints_text:
            profile.severity = "INFO"
        rows = generate(profile, rng, first, end)
        if prints_text:
            rows = _as_text(rng, rows)
        project["functions"].append({**identity, "verifications": rows})
        if identity["generation"] == 1 and rng.random() < 0.15:
            _moved_to_generation_2(rng, project, identity, profile, first, end, days)
    for name in projects:
        _weather(rng, project, name, first, days)
    if rng.random() < 0.08:
        _of_unknown_project(rng, project, days, first, end)
    project["functions"] = [function for function in project["functions"] if function["verifications"]]
    if not project["functions"]:
        return random_project(rng)
    _outages(rng, project, end)
    forge(rng, project)
    _strays(rng, project, first)
    _unjudged(rng, project)
    add_request_rows(rng, project)
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


def _as_text(rng, rows):
    """What the Python SDK prints; at its default level no passes."""
    passes_logged = rng.random() < 0.6
    return [[*row, {"labelled": False, "text": True}] for row in rows if passes_logged or row[3] == "WARNING"]


def _of_unknown_project(rng, project, days, first, end):
    """A function that only `firebase functions:log` speaks of."""
    rows = generate(random_profile(rng, days, float(rng.uniform(1, 60))), rng, first, end)
    # A line that names no project belongs to the only function of its name.
    taken = {function["name"].lower().replace("_", "-") for function in project["functions"]}
    name = str(rng.choice([name for name in NAMES if name.lower().replace("_", "-") not in taken]))
    extra = {"labelled": False, "text": bool(rng.random() < 0.3)}
    # This text has no word for a status outside the three that every reader must take alike.
    rows = [[*row, dict(extra)] for row in rows if "OTHER" not in row[1:3]]
    project["functions"].append(
        {"project": "-", "region": "-", "name": name, "service": None, "generation": None, "verifications": rows}
    )


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
    """What befalls a whole project: silences, a stderr stream that is missing or stops, other stderr records."""
    functions = [function for function in project["functions"] if function["project"] == name]
    silent = _silent_days(rng, first, days)
    lost = int(rng.choice([10**6] * 6 + [0, days - 3, days - 8])) + first  # gen 2's failures from this day on
    back = int(rng.choice([10**6, 10**6, lost + 2]))
    lost_days = {*range(lost, max(lost, min(back, first + days)))}
    lost_days |= set(range(first, first + int(rng.choice([0] * 6 + [days // 3, days - 5]))))  # begun later
    for function in functions:
        function["verifications"] = [
            row
            for row in function["verifications"]
            if row[0] // DAY not in silent
            and not (function["generation"] == 2 and row[0] // DAY in lost_days and "INVALID" in row[1:3])
        ]
    noisy = rng.random() < 0.5
    project["stderr"][name] = [
        start_of(day) + int(rng.integers(DAY))
        for day in range(first, first + days)
        if noisy and day not in silent and day not in lost_days and rng.random() < 0.9
    ]


def _outages(rng, project, end):
    """In the last hours next to nobody has a token that is taken, or none at all."""
    for function in project["functions"]:
        if rng.random() >= 0.12:
            continue
        since = end - int(rng.choice([HOUR // 2, 2 * HOUR, 6 * HOUR, 30 * HOUR]))
        app, share = str(rng.choice(["MISSING", "INVALID"])), float(rng.choice([1, 1, 0.9, 0.8, 0.7]))
        for row in function["verifications"]:
            if row[0] > since and "INVALID" not in row[1:3] and rng.random() < share:
                row[1], row[3] = app, "WARNING" if app == "INVALID" else row[3]


def _silent_days(rng, first, days):
    """Single days, weekdays on which everybody rests, and pauses around the length that ends a stretch."""
    silent = set()
    if rng.random() < 0.2:
        silent |= {first + int(rng.integers(days)) for _ in range(int(rng.integers(1, 3)))}
    if rng.random() < 0.25:
        resting = {int(day) for day in rng.choice(7, int(rng.choice([1, 2, 2, 5])), replace=False)}
        begin = first + int(rng.choice([0, rng.integers(min(10, days))]))
        silent |= {day for day in range(begin, first + days) if weekday_of(day) in resting}
    if rng.random() < 0.2:
        begin = first + int(rng.integers(days))
        silent |= set(range(begin, begin + int(rng.choice([2, 3, 4, 5, 9]))))
    return silent


def _strays(rng, project, first):
    """Entries without a time, after the as-of's day, decades ahead, long before all others, with odd statuses."""
    for function in project["functions"]:
        if function["project"] == "-":
            continue
        rows = function["verifications"]
        example = next((row for row in rows if row[3] != "WARNING"), None)
        if example is None:
            continue

        def add(instant, app, auth, severity=example[3], extra=example[4:]):
            labelled = [{"labelled": False, "text": True}] if extra and not extra[0].get("labelled", True) else []
            rows.append([instant, app, auth, severity, *labelled])

        if rng.random() < 0.1:
            for _ in range(int(rng.integers(1, 6))):
                add(None, "VALID", "VALID")
                add(None, "MISSING", "VALID")
        if rng.random() < 0.03:
            add(None, "INVALID", str(rng.choice(["VALID", "INVALID"])), "WARNING")
        if rng.random() < 0.08:
            add(FAR_FUTURE, "MISSING", "VALID")
        if rng.random() < 0.08:
            add(
                start_of(int(rng.choice([1, first - 30, first - 21, first - 4, first - 5]))) + 5 * HOUR,
                "VALID",
                "VALID",
            )
        if rng.random() < 0.1:
            add(example[0] + SECOND, "OTHER", str(rng.choice(["VALID", "MISSING", "OTHER"])))


def _unjudged(rng, project):
    """Records that cannot be read as verifications."""
    for kind in ("malformed", "oversized", "unexpected"):
        if rng.random() < 0.04:
            project[kind] = int(rng.choice([1, 1, 3, 20]))
    if project.get("oversized"):
        project["options"] += ["--set", "max-record-bytes=4096"]


def write_exports(project, folder, rng, duplicate_share):
    """Writes the inputs of a project; what they hold beside its plan joins its description."""
    project["inputs"] = ["export.json.gz"]
    project["records"] = 0
    writer = ExportWriter(rng)
    exported = [function for function in project["functions"] if function["project"] != "-"]
    unknown = [function for function in project["functions"] if function["project"] == "-"]
    for function in exported:
        writer.function(function, duplicate_share, project.get("dedupe", True))
    for name, instants in project["stderr"].items():
        for instant in instants:
            writer.stderr(name, instant)
    for function in exported[:1]:
        instants = [row[0] for row in function["verifications"] if row[0] is not None]
        writer.decoys(function["project"], instants[0])
        for problem in ("malformed", "oversized", "unexpected"):
            for i in range(project.get(problem, 0)):
                writer.unjudged(function, instants[(7 * i) % len(instants)], problem)
    if unknown:
        project["inputs"].append("functions-log.txt")
        project["records"] += write_functions_log(folder / "functions-log.txt", unknown)
    project["records"] += writer.write(folder / "export.json.gz")
    if writer.apart:
        project["inputs"].append("projection.json")
        (folder / "projection.json").write_text("".join(f"{text}\n" for text in writer.apart), encoding="utf-8")
        project["records"] += len(writer.apart)
        project["newestApart"] = writer.apart_instants
    project["stderr"] = writer.stderr_instants
    project["newest"] = writer.readable_instants


def write_project(folder, seed, index):
    """Makes project number `index` of a seed in a folder; returns its description."""
    rng = numpy.random.default_rng([seed, index])
    if index % 3 == 0:
        make = CASES[index // 3 % len(CASES)]
        project, kind = make(rng).project, make.__name__
        if rng.random() < 0.6:  # seven nights hide most thresholds: a single look shows them
            project["flags"].setdefault("confirm", 1)
    else:
        project, kind = random_project(rng), "random"
    folder.mkdir(parents=True, exist_ok=True)
    write_exports(project, folder, rng, duplicate_share=float(rng.choice([0, 0.01, 0.2])))
    project.update(name=folder.name, kind=kind, seed=seed, index=index)
    text = policy_text(project["policy"])
    if text:
        (folder / "policy.yaml").write_text(text, encoding="utf-8")
    project["options"] += policy_options(project)
    with gzip.open(folder / "description.json.gz", "wt", encoding="utf-8") as file:
        file.write(json.dumps(project))
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
