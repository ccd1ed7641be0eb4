"""Runs samples/recipes/count-elsewhere.py, and compares with the table and the queries that the page shows.

    python3 -m pip install -r Tests/Engines/requirements.txt
    python3 Tests/Engines/test_counting.py --callcheck .build/release/callcheck
"""

import argparse
import os
import re
import subprocess
import sys

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))
SCRIPT = os.path.join(ROOT, "samples/recipes/count-elsewhere.py")
PAGE = os.path.join(ROOT, "Sources/callcheck/Documentation.docc/count-it.md")


def code(text):
    """A query without its layout and the names that the script fills in."""
    names = {"{files}": "unpacked", "{FUNCTION}": "scanreceipt", "{DAY}": "2026-10-14",
             "{LABEL}": "callable-request-verification"}
    for name, value in names.items():
        text = text.replace(name, value)
    return re.sub(r"\s+", "", text)


parser = argparse.ArgumentParser()
parser.add_argument("--callcheck", required=True)
program = os.path.abspath(parser.parse_args().callcheck)
table = subprocess.run(
    [sys.executable, SCRIPT, "--callcheck", program], check=True, stdout=subprocess.PIPE, text=True).stdout
with open(PAGE, encoding="utf-8") as file:
    page = file.read()
with open(SCRIPT, encoding="utf-8") as file:
    script = code(file.read())
if table not in page:
    sys.exit(f"{PAGE} shows another table than\n{table}")
for query in re.findall(r"```sql\n(.*?)```", page, re.DOTALL):
    for clause in re.split(r"\bWHERE\b|\bAND\b|\bFROM \(", query):
        if code(clause).rstrip(")") not in script:
            sys.exit(f"{SCRIPT} runs no query with {clause}")
if len(page.split()) > 1_200:
    sys.exit(f"{PAGE} has more than 1,200 words")
print(table, end="")
