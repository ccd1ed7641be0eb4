#!/usr/bin/env python3
"""Writes a manual page for each command, from what the program says of itself.

    callcheck --experimental-dump-help | manual.py VERSION DATE DIRECTORY

The table of environment variables is the one of reference.md.
"""
import json
import pathlib
import re
import sys

REFERENCE = pathlib.Path(__file__).parents[2] / "Sources/callcheck/Documentation.docc/reference.md"

FILES = [
    ("callcheck.yml", "Settings. callcheck looks in the working directory and above it, up to the root of the repository."),
    ("history.db", "A store: the SQLite database that callcheck store add writes. It can have any name, given with --store. "
     "SQLite keeps a journal next to it while it is open."),
    ("/usr/share/doc/callcheck/examples", "A unit and a timer for systemd, a policy, a dashboard."),
]

VARIABLES = [
    ("NO_COLOR", "If it is not empty, there is no colour except with --color always."),
    ("COLUMNS", "The width of tables."),
    ("LC_ALL, LC_CTYPE, LANG", "Whether the terminal supports UTF-8. Nothing else depends on the locale."),
    ("TERM", "A terminal called dumb gets neither colour nor progress."),
]


def escaped(text):
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("`", "")
    return "\n".join("\\&" + line if line[:1] in (".", "'") else line for line in text.split("\n"))


def section(name, *blocks):
    blocks = [block for block in blocks if block]
    return f".SH {name}\n" + "\n".join(blocks) + "\n" if blocks else ""


def entries(pairs):
    return "\n".join(f".TP\n.B {escaped(term)}\n{escaped(text)}" for term, text in pairs)


def variables():
    rows = re.findall(r"^\| `(CALLCHECK_\w+)` \| `([^`]+)` \|$", REFERENCE.read_text(), re.MULTILINE)
    assert rows, "reference.md has no table of environment variables"
    return [(name, f"The same as {option}, which takes precedence.") for name, option in rows] + VARIABLES


def parts(discussion):
    """The text, the examples, and the exit statuses, which are indented like them."""
    said, examples, statuses, block = [], [], {}, []
    for line in discussion.split("\n") + [""]:
        if line.startswith("  "):
            block.append(line[2:])
            continue
        numbers = [re.match(r"(\d+) +(.*)", text) for text in block]
        if numbers and numbers[0]:
            for text, number in zip(block, numbers):
                if number:
                    code = number[1]
                statuses[code] = number[2] if number else f"{statuses[code]} {text.strip()}"
        elif any(re.search(r"(^ *|\| )callcheck\b", line) for line in block):
            examples += block + [""]
        elif block:
            said.append(".nf\n" + escaped("\n".join(block)) + "\n.fi")
        block = []
        if line and line != "EXIT STATUS":
            # A colon announces a list, which has a separate section.
            said.append(escaped(re.sub(":$", ".", line)))
    return "\n.PP\n".join(said), "\n".join(examples).strip("\n"), statuses


def named(argument):
    value = f"<{argument['valueName']}>"
    if argument["kind"] == "positional":
        return value
    dashes = {"short": "-", "long": "--", "longWithSingleDash": "-"}
    names = ", ".join(dashes[name["kind"]] + name["name"] for name in argument["names"])
    return names if argument["kind"] == "flag" else f"{names} {value}"


def described(argument):
    text = argument["abstract"]
    if values := argument.get("allValues"):
        text += f" One of: {', '.join(values)}."
    if (default := argument.get("defaultValue")) and "default" not in text.lower():
        text += f" The default is {default}."
    return text


def page(command, above, root_statuses, all_pages, version, date):
    words = above + [command["commandName"]]
    name = "-".join(words)
    said, examples, own_statuses = parts(command.get("discussion", ""))
    judges = words[-1] == "check" or not above
    statuses = {
        code: text if judges else text.split("; check:")[0] for code, text in root_statuses.items()
        if judges or not text.startswith("check:")
    } | own_statuses
    # What has no description is there to be refused with a hint.
    arguments = [argument for argument in command.get("arguments", []) if argument.get("abstract")]
    positional = [a for a in arguments if a["kind"] == "positional"]
    synopsis = [".B " + escaped(" ".join(words))]
    commands = [sub for sub in command.get("subcommands", []) if sub["commandName"] != "help"]
    if commands and not positional:
        synopsis.append("<command>")
    synopsis.append("[options]")
    for argument in positional:
        value = named(argument) + ("..." if argument["isRepeating"] else "")
        synopsis.append(f"[{value}]" if argument["isOptional"] else value)
    groups = {}
    for argument in arguments:
        title = "" if argument["kind"] == "positional" else argument.get("sectionTitle", "")
        groups.setdefault(title, []).append((named(argument), described(argument)))
    options = [(f".SS {title}\n" if title else "") + entries(pairs) for title, pairs in sorted(groups.items())]
    also = [other for other in all_pages if other != name and (not above or other == "callcheck" or name in other)]
    text = "".join([
        f'.TH {escaped(name.upper())} 1 {date} "callcheck {version}" "User Commands"\n',
        section("NAME", f"{escaped(name)} \\- {escaped(command['abstract'].rstrip('.'))}"),
        section("SYNOPSIS", "\n".join([synopsis[0], escaped(" ".join(synopsis[1:]))])),
        section("DESCRIPTION", said),
        section("COMMANDS", entries((sub["commandName"], sub["abstract"]) for sub in commands)),
        section("OPTIONS", *options),
        section("EXIT STATUS", entries(sorted(statuses.items(), key=lambda pair: int(pair[0])))),
        section("EXAMPLES", examples and ".nf\n" + escaped(examples) + "\n.fi"),
        section("FILES", entries(FILES)),
        section("ENVIRONMENT", entries(variables())),
        section("SEE ALSO", ",\n".join(f".BR {escaped(other)} (1)" for other in also)),
    ])
    return f"{name}.1", text


def tree(command, above=()):
    yield command, list(above)
    for sub in command.get("subcommands", []):
        if sub["commandName"] != "help":
            yield from tree(sub, [*above, command["commandName"]])


def main():
    version, date, directory = sys.argv[1:]
    root = json.load(sys.stdin)["command"]
    statuses = parts(root["discussion"])[2]
    assert "64" in statuses, "the help has no exit statuses"
    commands = list(tree(root))
    names = ["-".join([*above, command["commandName"]]) for command, above in commands]
    target = pathlib.Path(directory)
    target.mkdir(parents=True, exist_ok=True)
    for command, above in commands:
        file, text = page(command, above, statuses, names, version, date)
        (target / file).write_text(text)


main()
