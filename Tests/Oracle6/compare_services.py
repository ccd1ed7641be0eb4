"""Compares what the program says of services with the oracle, on random histories.

    python3 compare_services.py --callcheck .build/release/callcheck [--projects 100] [--seed 1] [--keep FOLDER] [--only INDEX]

Every verdict, date, count and reason code of `readiness` and `enforcement` must be equal, every other number within 1e-7.
Prints how often each was met, then every difference; exit status 1 when there is one.
"""

import sys

import numpy

from campaign import run_campaign
from compare import ABSENT, LIMIT, differences, run, show
from service_histories import as_of, write_history
from services import service_rows

COMPARED = ("verifications", "app", "daily", "readiness", "enforcement", "apps")


def key(row):
    return f"{row['project']}/{row['service']}"


def compare_history(callcheck, folder, seed, index, tally):
    """The lines to print about one history."""
    project = write_history(folder, numpy.random.default_rng([seed, index]))
    expected = service_rows(list(project["sources"].values()), project["flags"], as_of(project))
    for row in expected:
        found = row["enforcement"]
        tally["services", "services"] += 1
        tally["verdicts", row["readiness"]["verdict"]] += 1
        tally["twins", row["readiness"]["signedIn"]["verdict"]] += 1
        tally["forecasts", (row["readiness"]["forecast"] or {"kind": "none"})["kind"]] += 1
        tally["states", f"{found['state']} by {found['by']}"] += 1
        tally.update(("codes", reason["code"]) for reason in row["readiness"]["reasons"])
    project["inputs"] = sorted(project["sources"])
    if not expected:
        tally["services", "empty answers"] += 1
        return []
    actual, failure = run(callcheck, folder, project)
    if failure:
        lines = [f"  {failure}"]
    else:
        given = {key(row): row for row in actual["services"]}
        lines = [f"  rows: expected {key(row)}" for row in expected if key(row) not in given]
        lines += [f"  rows: not expected {name}" for name in given.keys() - {key(row) for row in expected}]
        lines += [
            f"  {path}: expected {show(wanted)}, got {show(got)}"
            for row in expected
            if key(row) in given
            for name in COMPARED
            for path, wanted, got in differences(row[name], given[key(row)].get(name, ABSENT), f"{key(row)}.{name}")
        ]
    for line in lines:
        tally["differences", line.split(":")[0].split(".", 3)[-1]] += 1
    if len(lines) > LIMIT:
        lines[LIMIT:] = [f"  and {len(lines) - LIMIT} more"]
    if lines:
        options = " ".join(project["options"] + project["inputs"])
        lines.insert(0, f"{folder.name}: --seed {seed} --only {index}: callcheck --format json {options}")
    return lines


if __name__ == "__main__":
    sys.exit(run_campaign(__doc__, compare_history, 100, "histories"))
