"""One comparison on many random projects: its options, its folders, and what it prints."""

import argparse
import tempfile
from collections import Counter
from pathlib import Path


def summary_lines(tally):
    for group in dict.fromkeys(kind for kind, _ in tally):
        met = sorted((str(name), count) for (kind, name), count in tally.items() if kind == group)
        yield f"{group}: " + ", ".join(f"{name} {count}" for name, count in met)


def run_campaign(description, compare, projects, noun="projects"):
    """Asks `compare(callcheck, folder, seed, index, tally)` for its lines about each project; returns 1 if there are any.

    Prints how many differ, the tally by group, then every line.
    """
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("--callcheck", required=True)
    parser.add_argument("--projects", type=int, default=projects)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, help="one project of the seed")
    parser.add_argument("--keep", type=Path, help="write the projects here and leave them")
    arguments = parser.parse_args()
    callcheck = str(Path(arguments.callcheck).resolve())
    indices = range(arguments.projects) if arguments.only is None else [arguments.only]
    tally, differing, lines = Counter(), 0, []
    for index in indices:
        with tempfile.TemporaryDirectory() as scratch:
            folder = (arguments.keep or Path(scratch)) / f"p{index:04d}"
            found = compare(callcheck, folder, arguments.seed, index, tally)
        differing += bool(found)
        lines += found
    print(f"{len(indices)} {noun}: " + (f"{differing} differ" if differing else "all agree"))
    print(*summary_lines(tally), *lines, sep="\n")
    return 1 if lines else 0
