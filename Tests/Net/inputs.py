"""Gathers what both programs are asked about: samples, cases, random projects."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
SAMPLES = TESTS.parent / "samples"
TEMPLATE = "rollout-template.json"
ROLLOUTS = (  # for app-attest: a percentage, the day it began, and what there is by then
    (1, "2026-09-01", ["rollout-events-at-1.json.gz"]),
    (10, "2026-09-14", ["rollout-events-at-1.json.gz", "rollout-events-at-10.json.gz"]),
    (50, "2026-09-22", ["rollout-events-at-10.json.gz", "rollout-events-at-50.json.gz", "rollout-log-at-50.json.gz"]),
    (100, "2026-09-29", ["rollout-events-at-50.json.gz", "rollout-events-at-100.json.gz"]),
)
EXPLAINED = 3  # functions of a log that are explained


def gather(folder, callcheck, cases, projects, seed):
    """Makes the folder of inputs, with a list of them in `inputs.json`."""
    folder.mkdir(parents=True)
    items = [*_samples(folder), *_cases(folder, cases, callcheck), *_projects(folder, projects, seed)]
    for item in items:
        _ask(folder / item["folder"], callcheck, item)
    (folder / "inputs.json").write_text(json.dumps(items, indent=1) + "\n", encoding="utf-8")
    return items


def _item(name, folder, inputs, options=(), command="report"):
    return {"name": name, "folder": folder, "inputs": inputs, "options": list(options), "command": command}


def _samples(folder):
    shutil.copytree(SAMPLES, folder / "samples", ignore=shutil.ignore_patterns("recipes", "*.png", "*.sh", "*.md"))
    for path in sorted((folder / "samples").iterdir()):
        if path.suffix != ".yaml" and "-events" not in path.name and "-template" not in path.name:
            yield _item(f"samples/{path.name}", "samples", [path.name])
    weeks = "four-weeks-one-project.json.gz"
    yield _item("samples/four-weeks-and-policy", "samples", [weeks], ["--policy", "policy.yaml"])
    template = (folder / "samples" / TEMPLATE).read_text(encoding="utf-8")
    for percent, since, rows in ROLLOUTS:
        name = f"template-at-{percent}.json"
        (folder / "samples" / name).write_text(template.replace("<= 1\"", f"<= {percent}\""), encoding="utf-8")
        yield _item(f"samples/rollout-at-{percent}", "samples", [*rows, name], ["--since", since], "app-attest")
    rows = ["app-attest-events.json.gz", "app-attest-template.json"]
    yield _item("samples/app-attest", "samples", rows, command="app-attest")


def _cases(folder, cases, callcheck):
    """The logs that a case's scripts write, each by itself, and with the policy of the case or of the log."""
    if not cases:
        return
    copy = folder / "cases"
    shutil.copytree(cases, copy, ignore=shutil.ignore_patterns("__pycache__", "faults"))
    given = {path for path in copy.rglob("*") if path.is_file()}
    tools = folder / ".tools"  # some scripts ask the program about what they wrote
    tools.mkdir()
    (tools / "callcheck").symlink_to(callcheck)
    environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "PYTHONDONTWRITEBYTECODE": "1"}
    scripts = [path for path in sorted(given) if path.suffix == ".py" and _writes_logs(path)]
    for script in scripts:
        command = [sys.executable, script.name]
        subprocess.run(command, cwd=script.parent, env=environment, check=True, stdout=subprocess.DEVNULL)
    shutil.rmtree(tools)
    for path in sorted(copy.rglob("*")):
        if path.is_file() and path not in given and not _is_policy(path):
            place = str(path.parent.relative_to(folder))
            name = f"{place}/{path.name}"
            yield _item(name, place, [path.name])
            for policy in (path.with_suffix(".yaml"), path.with_name("policy.yaml")):
                if policy.is_file() and _is_policy(policy):
                    yield _item(f"{name}-and-policy", place, [path.name], ["--policy", policy.name])


def _writes_logs(script):
    """A library is imported, not run."""
    return script.with_name("make.py").exists() or re.match(r"w\d+_", script.name)


def _is_policy(path):
    return path.suffix == ".yaml" and path.read_text(encoding="utf-8").startswith(("policy:", "functions:"))


def _projects(folder, projects, seed):
    """The oracle's random projects, a third of them on thresholds of the rule."""
    made = folder / "projects"
    generator = TESTS / "Oracle" / "make_projects.py"
    command = [sys.executable, generator, made, "--projects", str(projects), "--seed", str(seed)]
    subprocess.run(command, cwd=generator.parent, check=True)
    for path in sorted(made.iterdir()):
        options = (path / "arguments").read_text(encoding="utf-8").splitlines()
        options += ["--policy", "policy.yaml"] if (path / "policy.yaml").exists() else []
        inputs = sorted(each.name for each in path.glob("*.json*"))
        yield _item(f"projects/{path.name}", f"projects/{path.name}", inputs, options)


def _ask(folder, callcheck, item):
    """Fixes the time of the answer and the functions to explain, so that the clock and later builds change neither."""
    if item["command"] != "report":
        return
    # With the name of a command, some builds answer as of now, not as of the log's end.
    command = [callcheck, "--format", "json", *item["options"], *item["inputs"]]
    printed = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False).stdout
    answer = json.loads(printed) if printed else {"asOf": None, "functions": []}
    if answer["asOf"] and "--as-of" not in item["options"]:
        item["options"] += ["--as-of", answer["asOf"]]
    spellings = Counter(row["function"].lower().replace("_", "-") for row in answer["functions"])
    names = [row["function"] for row in answer["functions"]]
    names = [name for name in names if spellings[name.lower().replace("_", "-")] == 1]
    item["functions"] = names[:: -(-len(names) // EXPLAINED) or 1]
