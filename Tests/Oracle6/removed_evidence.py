"""Less evidence never passes what the whole log refuses.

    python3 removed_evidence.py --callcheck .build/release/callcheck [--projects 40] [--seed 1] [--keep FOLDER] [--only INDEX]

Each project's log is asked whole, and once with each kind of evidence taken out. A function that `check` then passes
must not be against the whole log: locked out, with too many blocked, or with a platform or release that would be refused.
Prints every one that is, with what is said beside its pass; exit status 1 when there is one.

Policies say nothing of `enforced`: where the signs are taken out that is what remains, and passes.
"""

import gzip
import json
import subprocess
import sys

import numpy

from campaign import run_campaign
from histories import KINDS, Traffic, any_client, history, mostly_one, random_history
from log_entries import REQUESTS, STDERR, STDOUT, ExportWriter
from make_projects import CASES, random_project, write_exports
from project_options import policy_options, policy_text

PASSING = ("enforce", "exempt", "enforced", "superseded")
BESIDE = ("callers-unknown", "platforms-not-seen", "failures-unproven", "text-only", "sdk-3", "signed-out-refused")


def log_is(name):
    return lambda entry: entry.get("logName", "").endswith(name)


def is_verification(entry):
    payload = entry.get("jsonPayload")
    return "firebase-log-type" in entry.get("labels", {}) or (isinstance(payload, dict) and "verifications" in payload)


def is_success(entry):
    return 200 <= entry.get("httpRequest", {}).get("status", 0) < 300


def is_line(entry):
    return "httpRequest" not in entry and not is_verification(entry) and "Callable request" not in entry.get("textPayload", "")


def without(*names, inside=None):
    """An entry without some of its members."""

    def change(entry):
        place = entry if inside is None else entry.get(inside, {})
        return {**entry, **({inside: drop(place)} if inside else drop(entry))}

    def drop(members):
        return {name: value for name, value in members.items() if name not in names}

    return change


def without_revision(entry):
    resource = entry.get("resource", {})
    labels = {name: value for name, value in resource.get("labels", {}).items() if name != "revision_name"}
    return {**entry, "resource": {**resource, "labels": labels}}


def removals(day):
    """Name -> what becomes of an entry: None when it is taken out."""

    def taken(is_taken):
        return lambda entry: None if is_taken(entry) else entry

    return {
        "rows": taken(log_is(REQUESTS)),
        "rows of successes": taken(lambda entry: log_is(REQUESTS)(entry) and is_success(entry)),
        "rows of failures": taken(lambda entry: log_is(REQUESTS)(entry) and not is_success(entry)),
        "stderr": taken(log_is(STDERR)),
        "stdout": taken(log_is(STDOUT)),
        "lines": taken(is_line),
        "labels": without("labels"),
        "the label": without("firebase-log-type", inside="labels"),
        "revisions": without_revision,
        "traces": without("trace", "spanId"),
        "executions": without("execution_id", "instanceId", inside="labels"),
        f"day {day}": taken(lambda entry: entry.get("timestamp", entry.get("receiveTimestamp", "")).startswith(day)),
        "below WARNING": taken(lambda entry: entry.get("severity", "DEFAULT") in ("DEFAULT", "DEBUG", "INFO", "NOTICE")),
    }


def nearly_safe(rng):
    """Much traffic and few blocked requests, which are mostly of one client or refused since a switch."""

    def pick(*choices):
        return float(rng.choice(choices))

    traffic = Traffic(
        per_day=pick(60, 150, 300),
        lacking=pick(0.002, 0.005, 0.01, 0.03),
        invalid=pick(0, 0.3, 1),
        signed_in=pick(0, 0.9, 1),
    )
    claims_of = mostly_one(rng) if rng.random() < 0.8 else any_client
    kind = str(rng.choice([*KINDS, "off", "off"]))
    return history(rng, kind, traffic, days=int(rng.choice([15, 30])), generation=int(rng.choice([1, 2, 2, 2])), claims_of=claims_of).project


def project_of(rng, index):
    kind = ("nearly safe", "nearly safe", "history", "threshold", "random")[index % 5]
    if kind == "nearly safe":
        made = nearly_safe(rng)
    elif kind == "history":
        made = random_history(rng)
    elif kind == "threshold":
        made = CASES[index // 5 * 7 % len(CASES)](rng).project
    else:
        made = random_project(rng)
    made["policy"]["functions"] = [
        {name: value for name, value in entry.items() if name != "enforced"} for entry in made["policy"]["functions"]
    ]
    made["flags"]["confirm"] = 1 if rng.random() < 0.8 else 7
    return made, kind


def write_whole(folder, rng, index):
    """A project's log, policy and options."""
    project, kind = project_of(rng, index)
    folder.mkdir(parents=True)
    if kind in ("nearly safe", "history"):
        writer = ExportWriter(rng)
        for function in project["functions"]:
            writer.function(function, 0, True)
        for name, instants in project["stderr"].items():
            for instant in instants:
                writer.stderr(name, instant)
        writer.write(folder / "export.json.gz")
        project["inputs"] = ["export.json.gz"]
    else:
        write_exports(project, folder, rng, duplicate_share=0)
    text = policy_text(project["policy"])
    if text:
        (folder / "policy.yaml").write_text(text, encoding="utf-8")
    options = project["options"] + policy_options(project)
    place = options.index("--as-of") if "--as-of" in options else None
    if place is not None:
        del options[place : place + 2]
    return project, kind, options


def lines_of(folder):
    with gzip.open(folder / "export.json.gz", "rt", encoding="utf-8") as file:
        return file.read().splitlines()


def write_changed(path, lines, change):
    """The log without what a removal takes out of it; what is no entry stays as it is."""
    kept = []
    for line in lines:
        try:
            entry = json.loads(line)
        except ValueError:
            entry = None
        if not isinstance(entry, dict):
            kept.append(line)
            continue
        entry = change(entry)
        if entry is not None:
            kept.append(json.dumps(entry))
    path.write_text("".join(f"{line}\n" for line in kept), encoding="utf-8")


def asked(callcheck, folder, command, options, inputs):
    """The JSON, or None where nothing could be said."""
    words = [callcheck, *command, "--format", "json", "-q", *options, *inputs]
    result = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=600, check=False)
    try:
        return json.loads(result.stdout)
    except json.JSONDecodeError:
        return None


def by_id(answer):
    return {"{project}/{region}/{function}".format(**row).lower().replace("_", "-"): row for row in answer["functions"]}


def folded(names):
    return {name.lower().replace("_", "-") for name in names}


def check_project(callcheck, folder, seed, index, tally):
    """The lines to print about one project."""
    rng = numpy.random.default_rng([seed, index, 2])
    project, kind, options = write_whole(folder, rng, index)
    beside = [name for name in project["inputs"] if name != "export.json.gz"]
    as_of = project["asOf"] or asked(callcheck, folder, ["report"], options, project["inputs"])["asOf"]
    options += ["--as-of", as_of]
    whole = asked(callcheck, folder, ["check"], options, project["inputs"])
    rows, against = by_id(whole), folded(whole["gate"]["against"])
    tally["functions", kind] += len(rows)
    tally["against the whole log", kind] += len(against)
    lines = lines_of(folder)
    days = sorted({line.split('"timestamp":"')[1][:10] for line in lines if '"timestamp":"2026' in line})
    found = []
    for name, change in removals(days[int(rng.integers(len(days)))]).items():
        write_changed(folder / "less.json", lines, change)
        answer = asked(callcheck, folder, ["check"], options, ["less.json", *beside])
        if answer is None:
            continue
        undecided = folded(answer["gate"]["against"]) | folded(answer["gate"]["undecided"])
        for of, row in by_id(answer).items():
            if of in undecided or row["readiness"]["verdict"] not in PASSING:
                continue
            short = name.split(" 2026")[0]
            tally["passes", short] += 1
            if of not in against or of not in rows:
                tally["passes of what the whole log does not pass either", short] += (
                    of in folded(whole["gate"]["undecided"])
                )
                continue
            tally["violations", short] += 1
            because, said = rows[of]["readiness"], row["readiness"]
            numbers = "{verdict} {blocked} of {admitted}"
            found.append(
                f"--seed {seed} --only {index} ({kind}), without {name}: {of} passes ({numbers.format(**said)}; beside it "
                f"{', '.join(r['code'] for r in said['reasons'] if r['code'] in BESIDE) or 'nothing'}); the whole log: "
                f"{numbers.format(**because)}, {', '.join(r['code'] for r in because['reasons'])}; {' '.join(options)}"
            )
    return found


if __name__ == "__main__":
    sys.exit(run_campaign(__doc__, check_project, 40))
