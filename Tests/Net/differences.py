"""What two recorded answers do not agree in, and the table of the differences that were asked for."""

import json
import math
import re
from dataclasses import dataclass, field
from typing import NamedTuple

TOLERANCE = 1e-9  # relative: what the numbers are held to elsewhere
ABSENT = object()
ABSENT_TEXT = "absent"
SHOWN = 100  # characters of a value that are printed
# Elements of a list are found by what they are about, so that one more does not move all others.
IDENTITIES = (
    ("project", "region", "function", "generation"),
    ("project", "service"),
    ("scope", "of", "code"),
    ("source", "kind", "record"),
    ("kind", "app", "version", "os"),
    ("app", "version", "os"),
    *((name,) for name in ("code", "of", "date", "name", "kind", "browser", "device", "source", "app")),
)


class Difference(NamedTuple):
    file: str
    key: str
    old: str
    new: str


def differences(old, new, key=""):
    """(key, old, new) for each smallest part of the JSON that differs; a part that is missing is `ABSENT`."""
    if isinstance(old, dict) and isinstance(new, dict):
        yield from _members(old, new, key, ".")
    elif isinstance(old, list) and isinstance(new, list):
        before, after = _by_identity(old), _by_identity(new)
        yield from _members(before, after, key, "[]")
        # Where an element is new or gone, the others keep their order.
        order = [[name for name in names if name in others] for names, others in ((before, after), (after, before))]
        if order[0] != order[1]:
            yield f"{key}[order]", *order
    elif not _equal(old, new):
        yield key, old, new


def _members(old, new, key, style):
    for name in old | new:
        inner = f"{key}[{name}]" if style == "[]" else f"{key}.{name}" if key else name
        yield from differences(old.get(name, ABSENT), new.get(name, ABSENT), inner)


def _by_identity(elements):
    found = {}
    for index, element in enumerate(elements):
        name, number = _identity(element, index), 2
        while name in found:
            name, number = f"{_identity(element, index)}#{number}", number + 1
        found[name] = element
    return found


def _identity(element, index):
    if isinstance(element, dict):
        names = next((names for names in IDENTITIES if all(name in element for name in names)), None)
        return "/".join(str(element[name]) for name in names) if names else str(index)
    return str(index) if isinstance(element, list) else str(element)


def _equal(old, new):
    if isinstance(old, bool) or isinstance(new, bool):
        return old is new
    if isinstance(old, float) or isinstance(new, float):
        numbers = isinstance(old, (int, float)) and isinstance(new, (int, float))
        return numbers and math.isclose(old, new, rel_tol=TOLERANCE)
    return old == new


def text_of(value):
    return ABSENT_TEXT if value is ABSENT else json.dumps(value, ensure_ascii=False)


def shortened(text):
    return text if len(text) <= SHOWN else text[:SHOWN] + "…"


@dataclass
class Expected:
    """One line of the table: `file | key | old -> new | paragraph`; `*` means any text, no third column any values."""

    line: int
    patterns: tuple
    paragraph: str
    matches: int = field(default=0, compare=False)

    def covers(self, difference):
        return all(pattern.fullmatch(text) for pattern, text in zip(self.patterns, difference))


class BadTable(Exception):
    pass


def read_table(text):
    rows = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        columns = [column.strip() for column in line.split(" | ")]
        values = columns.pop(2) if len(columns) == 4 else "* -> *"
        if len(columns) != 3 or not all(columns) or values.count(" -> ") != 1:
            raise BadTable(f"line {number} is not: file | key | old -> new | paragraph")
        file, key, paragraph = columns
        rows.append(Expected(number, tuple(map(_pattern, (file, key, *values.split(" -> ")))), paragraph))
    return rows


def _pattern(text):
    return re.compile(".*".join(map(re.escape, text.strip().split("*"))), re.DOTALL)


def sort_out(found, table):
    """[(difference, its line of the table, or None)]; the first line that covers a difference has it."""
    sorted_out = []
    for difference in found:
        row = next((row for row in table if row.covers(difference)), None)
        if row:
            row.matches += 1
        sorted_out.append((difference, row))
    return sorted_out
