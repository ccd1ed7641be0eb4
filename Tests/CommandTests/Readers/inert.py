"""Reads an output of callcheck and prints what in it is not inert: inert.py FORMAT FUNCTIONS [NAMES] < OUTPUT

FUNCTIONS is how many functions it must show, or `any`. NAMES is a file with names in JSON, each of which must come back
as it is from among those of the functions. Names of the log all hold the letters `zq`. Several outputs may follow one
another. Nothing is printed when all is well.
"""

import csv
import io
import json
import re
import sys
import unicodedata
from html import unescape
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.append(str(Path(__file__).parents[2] / "ReportsTests" / "Pages"))
import check_markup

MARK = "zq"
# What no output may hold: controls, format characters, separators, surrogates, private and unassigned code points.
HOSTILE = {"Cc", "Cf", "Zl", "Zp", "Cs", "Co", "Cn"}
FORMULA = tuple("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")


def unspelled(text):
    """The name behind one in which what must not be printed is spelled out."""
    return re.sub(r"<U\+([0-9A-F]{4,6})>", lambda spelling: chr(int(spelling[1], 16)), text)


def characters(text, allowed="\n"):
    for number, line in enumerate(text.split("\n"), 1):
        for character in line:
            if unicodedata.category(character) in HOSTILE and character not in allowed:
                yield f"line {number}: U+{ord(character):04X}"
        if line and unicodedata.category(line[0]) in ("Mn", "Me"):
            yield f"line {number} begins with a combining mark"


def lines(text):
    """Notes and errors: one line each, for a terminal."""
    yield from characters(text)


def table(text):
    yield from characters(text)
    yield MARK in text


def unique(pairs):
    keys = [key for key, _ in pairs]
    if len(keys) != len(set(keys)):
        raise ValueError("a key stands twice in an object")
    return dict(pairs)


def read_json(text):
    yield from characters(text)
    decoder = json.JSONDecoder(object_pairs_hook=unique)
    shown = 0
    while text.strip():
        text = text.lstrip()
        value, end = decoder.raw_decode(text)
        text = text[end:]
        # A list of inputs holds at most a number of functions.
        rows = value["functions"] if isinstance(value.get("functions"), list) else []
        shown += sum(MARK in row["function"] + row["project"] + row["region"] for row in rows)
        yield {row["function"] for row in rows}
    yield shown


def read_csv(text):
    # Line breaks inside a quoted cell are allowed.
    yield from (complaint for complaint in characters(text, "\n\r") if "combining" not in complaint)
    rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    for row in rows:
        if len(row) != len(rows[0]):
            yield f"{len(row)} cells, not {len(rows[0])}"
        for cell in row:
            start = cell.lstrip(" ")
            if start.startswith(FORMULA) and cell != "-" and not re.fullmatch(r"-?[0-9.e-]+", cell):
                yield f"a formula: {cell!r}"
    yield sum(MARK in "".join(row[:3]) for row in rows)
    yield {unspelled(re.sub("^'(?= *[=+@\t\r\n\uff1d-])", "", row[2])) for row in rows if len(row) > 2}


def markdown(text):
    yield from characters(text)
    is_fenced = False
    columns = None
    rows = set()
    for line in text.split("\n"):
        if line.startswith("```"):
            is_fenced = not is_fenced
            continue
        if is_fenced:
            if "`" in line:
                yield f"a fence could end: {line!r}"
            continue
        # A pipe ends a cell even inside code, unless a backslash precedes it.
        cells = re.split(r"(?<!\\)\|", line)
        if line.startswith("|"):
            columns = columns or len(cells)
            if len(cells) != columns:
                yield f"{len(cells)} cells, not {columns}: {line!r}"
        else:
            columns = None
        spans = line.split("`")
        if len(spans) % 2 == 0:
            yield f"code without an end: {line!r}"
        if MARK in "".join(spans[::2]):
            yield f"a name outside of code: {line!r}"
        rows.update(part for part in spans[1::2] if MARK in part)
    yield len(rows) > 0


ROW = re.compile(r'<th role="rowheader" scope="row"><(?:a [^>]*|span)>(.*?)</(?:a|span)>')


def html(text):
    yield from characters(text)
    pages = text.split("<!DOCTYPE html>")
    if pages.pop(0):
        yield "something in front of the page"
    headings = []
    for page in pages:
        parsed = check_markup.Page(page)
        yield from parsed.problems
        # A page of several functions has a row for each, and a card for the most important ones.
        headings += [unescape(name) for name in ROW.findall(page)] or parsed.headings
    yield len(headings)
    yield {unspelled(heading) for heading in headings}


SAMPLE = re.compile(r'([a-z_]+)(?:\{(.*)\})? (-?[0-9][0-9.e+-]*)')
LABEL = re.compile(r'([a-z]+)="((?:[^"\\]|\\["\\n])*)"(?:,(?=[a-z])|$)')
ESCAPES = {"\\\\": "\\", '\\"': '"', "\\n": "\n"}


def prometheus(text):
    """The text format, version 0.0.4: a comment or one sample in each line."""
    yield from characters(text)
    functions = set()
    shown = 0
    for line in text.split("\n")[:-1]:
        if re.match("# (HELP|TYPE) callcheck_[a-z_]+ [^\\\\]+$", line):
            continue
        sample = SAMPLE.fullmatch(line)
        found = LABEL.findall(sample[2] or "") if sample else []
        if sample is None or LABEL.sub("", sample[2] or ""):
            yield f"no sample: {line!r}"
            continue
        labels = unique([(name, re.sub(r'\\.', lambda pair: ESCAPES[pair[0]], value)) for name, value in found])
        if labels.get("verdict") == "enforce":
            shown += MARK in labels["function"] + labels["project"] + labels["region"]
            functions.add(unspelled(labels["function"]))
    yield shown
    yield functions


READERS = {
    "lines": lines, "table": table, "json": read_json, "csv": read_csv, "markdown": markdown, "html": html,
    "prometheus": prometheus}


def main():
    name, functions, *names = sys.argv[1:]
    missing = set(json.loads(Path(names[0]).read_text())) if names else set()
    text = sys.stdin.buffer.read().decode("utf-8")
    try:
        for found in READERS[name](text):
            if isinstance(found, str):
                print(found)
            elif isinstance(found, set):
                missing -= found
            elif functions != "any" and found is not True and found != int(functions):
                print(f"{found} functions, not {functions}")
    except ValueError as error:
        print(f"no {name}: {error}")
    except csv.Error as error:
        print(f"no {name}: {error}")
    for missed in sorted(missing):
        print(f"a name that did not come back: {missed!r}")


main()
