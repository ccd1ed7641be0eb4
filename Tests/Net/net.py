"""Records the JSON that the program prints for many logs, and compares a later build with it.

    python3 net.py record FOLDER --callcheck OLD [--cases CASES] [--projects 60] [--seed 51]
    python3 net.py compare FOLDER [--callcheck NEW] [--answers ANSWERS] [--without COMMAND] [--expected TABLE]

The logs are the samples, those that the scripts in CASES write, and random projects, which need numpy. `record` makes
them and keeps them in FOLDER, outside the repository; `compare` asks about the same ones. Each log is given to report,
check, explain for some of its functions, and `store add`, whose store is reported again.

Each difference is printed with its file, its key, both values, and the paragraph of the contract or the rule that asks
for it, as `expected.txt` has it. Exit status 1 when there is a difference without one, or a line of the table that
matches nothing.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from differences import BadTable, Difference, differences, read_table, shortened, sort_out, text_of
from inputs import gather

TABLE = Path(__file__).with_name("expected.txt")
COMMANDS = ("report", "check", "explain", "store", "app-attest")
OF_READING = ("callers=", "dedupe=", "max-record-bytes=")  # settings that `store add` needs
STORE = "history.db"
PATIENCE = 600  # seconds


def pairs(options):
    return list(zip(options[::2], options[1::2], strict=True))


def questions(item, without):
    """(name, arguments) of each run for an item, in order."""
    inputs, options = item["inputs"], item["options"]
    if item["command"] == "app-attest":
        everything = [("app-attest", ["app-attest", *options, *inputs])]
    else:
        of_reading = [word for pair in pairs(options) if pair[1].startswith(OF_READING) for word in pair]
        no_selection = [word for pair in pairs(options) if pair[0] != "--function" for word in pair]
        everything = [
            ("report", ["report", *options, *inputs]),
            ("check", ["check", *options, *inputs]),
            *((f"explain-{name}", ["explain", name, *no_selection, *inputs]) for name in item["functions"]),
            ("store-add", ["store", "add", STORE, *of_reading, *inputs]),
            ("store-report", ["report", *options, "--store", STORE]),
        ]
    return [(name, arguments) for name, arguments in everything if not name.startswith(tuple(without))]


def ask(callcheck, folder, arguments):
    """What the program answers, with its status; where it prints no JSON, what it says instead."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "TZ": "UTC", "LC_ALL": "C.UTF-8"}
    run = subprocess.run(
        [callcheck, *arguments, "--jobs", "1", "--format", "json"], cwd=folder, env=environment,
        capture_output=True, text=True, timeout=PATIENCE, check=False)
    answer = {"status": run.returncode, "answer": None, "messages": None}
    try:
        answer["answer"] = json.loads(run.stdout)
    except json.JSONDecodeError:
        answer["messages"] = [line for line in run.stderr.splitlines() if line.startswith(("Error:", "callcheck:"))]
    return answer


def answer_all(callcheck, inputs, item, answers, without):
    """Writes the answers about one item; they come from a copy, in which a store can lie."""
    target = answers / item["name"]
    target.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        policies = [value for name, value in pairs(item["options"]) if name == "--policy"]
        for name in [*item["inputs"], *policies]:
            shutil.copy(inputs / item["folder"] / name, folder)
        for name, arguments in questions(item, without):
            answer = ask(callcheck, folder, arguments)
            if name == "store-report" and answer["answer"]:
                del answer["answer"]["input"]["bytesRead"]  # of the store, whose bytes are no promise
            text = json.dumps(answer, indent=1, ensure_ascii=False) + "\n"
            (target / f"{name.replace('/', '%')}.json").write_text(text, encoding="utf-8")


def record(callcheck, inputs, answers, workers, without=()):
    items = json.loads((inputs / "inputs.json").read_text(encoding="utf-8"))
    answers.mkdir(parents=True)
    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(lambda item: answer_all(callcheck, inputs, item, answers, without), items))
    return items


def compare(old, new, without):
    """Every difference between two folders of answers."""
    files = {}
    for folder in (old, new):
        for path in folder.rglob("*.json"):
            if path.is_file() and not path.name.startswith(tuple(without)):
                files.setdefault(str(path.relative_to(folder).with_suffix("")), []).append(path)
    for name, paths in sorted(files.items()):
        if len(paths) == 1:
            values = ("recorded", "absent") if paths[0].is_relative_to(old) else ("absent", "recorded")
            yield Difference(name, "", *values)
            continue
        answers = (json.loads(path.read_text(encoding="utf-8")) for path in paths)
        for key, *values in differences(*answers):
            yield Difference(name, key.removeprefix("answer."), *map(text_of, values))


def print_differences(found, table):
    """True when all were asked for and each line of the table is of use."""
    sorted_out = sort_out(found, table)
    for difference, row in sorted_out:
        old, new = shortened(difference.old), shortened(difference.new)
        print(f"{difference.file} | {difference.key} | {old} -> {new} | {row.paragraph if row else 'NOT EXPECTED'}")
    unexpected = sum(row is None for _, row in sorted_out)
    unused = [row for row in table if not row.matches]
    for row in unused:
        print(f"{TABLE.name}:{row.line} matches no difference: {row.paragraph}")
    for paragraph, count in Counter(row.paragraph for _, row in sorted_out if row).most_common():
        print(f"{count} differences: {paragraph}")
    print(f"{len(sorted_out)} differences, {unexpected} of them not expected; {len(unused)} unused lines of the table")
    return not unexpected and not unused


def main():
    parser = argparse.ArgumentParser(
        description=__doc__.splitlines()[0], epilog=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    recording = commands.add_parser("record", help="record what a build answers")
    comparing = commands.add_parser("compare", help="compare another build with the recording")
    for command in (recording, comparing):
        command.add_argument("folder", type=Path, help="the recording: inputs and answers")
        command.add_argument("--callcheck", type=Path, required=command is recording, help="the program")
        command.add_argument("--workers", type=int, default=2, help="how many runs at once")
        command.add_argument(
            "--without", action="append", default=[], choices=COMMANDS, help="a command that one build lacks")
    recording.add_argument("--cases", type=Path, help="a folder of scripts that write logs")
    recording.add_argument("--projects", type=int, default=60, help="how many random projects")
    recording.add_argument("--seed", type=int, default=51, help="the seed of the projects")
    comparing.add_argument(
        "--expected", type=Path, default=TABLE, help="the table of differences; /dev/null: there is none to expect")
    comparing.add_argument("--answers", type=Path, help="keeps the new answers here; without --callcheck, reads them")
    arguments = parser.parse_args()
    callcheck = arguments.callcheck and str(arguments.callcheck.resolve(strict=True))
    inputs, answers = arguments.folder.resolve() / "inputs", arguments.folder.resolve() / "answers"

    if arguments.command == "record":
        print(f"{arguments.projects} random projects of seed {arguments.seed}")
        gather(inputs, callcheck, arguments.cases, arguments.projects, arguments.seed)
        items = record(callcheck, inputs, answers, arguments.workers, arguments.without)
        count = sum(path.is_file() for path in answers.rglob("*.json"))
        print(f"{len(items)} inputs, {count} answers in {arguments.folder}")
        return 0
    with tempfile.TemporaryDirectory() as scratch:
        later = arguments.answers or Path(scratch) / "answers"
        if callcheck:
            record(callcheck, inputs, later, arguments.workers, arguments.without)
        for command in arguments.without:
            print(f"{command} is not compared")
        try:
            table = read_table(arguments.expected.read_text(encoding="utf-8"))
        except BadTable as error:
            parser.error(f"{arguments.expected}: {error}")
        return 0 if print_differences(list(compare(answers, later, arguments.without)), table) else 1


if __name__ == "__main__":
    sys.exit(main())
