"""Runs what the page on JSON and tables shows, and compares it with the output that the page shows.

    python3 -m pip install -r Tests/Engines/requirements.txt
    python3 Tests/Engines/test_tables.py --callcheck .build/release/callcheck [--write]
"""

import argparse
import contextlib
import difflib
import io
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import duckdb

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "Sources/callcheck/Documentation.docc/json-to-table.md"
BLOCK = re.compile(r"```(sh|sql|python)\n(.*?)```\n(?:\n```text\n(.*?)```\n)?", re.DOTALL)


def table(found):
    """A result as aligned text."""
    rows = [found.columns, *([str(cell) for cell in row] for row in found.fetchall())]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows)
    return "\n".join(lines) + "\n"


def run(language, code, names, folder):
    if language == "sql":
        return table(duckdb.sql(code))
    if language == "sh":
        path = f"{folder / 'bin'}:{os.environ['PATH']}"
        return subprocess.run(code, shell=True, check=True, stdout=subprocess.PIPE, text=True, env={**os.environ, "PATH": path}).stdout
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(code, names)
    return printed.getvalue()


parser = argparse.ArgumentParser()
parser.add_argument("--callcheck", type=Path, required=True)
parser.add_argument("--write", action="store_true", help="write the output into the page")
arguments = parser.parse_args()
program, names = arguments.callcheck.resolve(), {}
page = PAGE.read_text(encoding="utf-8")


def again(match):
    language, code, shown = match.groups()
    printed = run(language, code, names, folder)
    output = "" if shown is None else f"\n```text\n{printed}```\n"
    return f"```{language}\n{code}```\n{output}"


with tempfile.TemporaryDirectory() as made:
    folder = Path(made)
    (folder / "bin").mkdir()
    (folder / "bin/callcheck").symlink_to(program)
    (folder / "samples").symlink_to(ROOT / "samples")
    os.chdir(folder)
    found = BLOCK.sub(again, page)
    os.chdir(ROOT)
if arguments.write:
    PAGE.write_text(found, encoding="utf-8")
elif found != page:
    sys.stdout.writelines(difflib.unified_diff(page.splitlines(True), found.splitlines(True), "page", "found"))
    sys.exit(f"{PAGE.name} shows other output; write it anew with --write")
