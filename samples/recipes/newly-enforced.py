#!/usr/bin/env python3
"""Names of the functions whose source turns on App Check enforcement in a change, for `callcheck check --function-list`.

    python3 newly-enforced.py origin/main > names.txt || exit
    [ ! -s names.txt ] || callcheck check --store history.db --function-list names.txt

Compares HEAD with where it left the branch that is named, in Git. What is recognized:

    exports.NAME = onCall({ enforceAppCheck: true, … }, …)                    also `export const NAME =`
    exports.NAME = functions.runWith({ enforceAppCheck: true, … }).https.onCall(…)
    @https_fn.on_call(enforce_app_check=True, …)                              and below it `def NAME(`

Of an option that is set in any other way (setGlobalOptions, a constant, a parameter) it cannot tell which functions it is
for: it names the place and ends with 3. Status 0: all names were printed, or there is none. Status 1: Git failed.
"""

import re
import subprocess
import sys

NODE, PYTHON = (".js", ".cjs", ".mjs", ".ts", ".cts", ".mts"), (".py",)
COMMENTS = {NODE: r"/\*.*?\*/|(?<![:'\"`\w])//[^\n]*", PYTHON: r"(?m)(?:^|(?<=\s))#[^\n]*"}
OPTION = {NODE: r"\benforceAppCheck\b", PYTHON: r"\benforce_app_check\b"}
OFF = {NODE: r"\s*:\s*false\b", PYTHON: r"\s*=\s*False\b"}
ON = {NODE: r"\s*:\s*true\b", PYTHON: r"\s*=\s*True\b"}
EXPORTED = r"(?:\bexports\.|\bexport\s+(?:const|let|var)\s+)(\w+)\s*(?::[^=]*)?=(?!=)"
CALL = r"\s*[\w.\s]*\b(?:onCall|runWith)\s*(?:<[^(]*>)?\(\s*\{[^{}]*"
DECORATOR = r"@[\w.]*\bon_call\(([^()]|\([^()]*\))*\)\s*(?:@[^\n]*\s*)*(?:async\s+)?def\s+(\w+)\s*\("


def git(*words):
    return subprocess.run(["git", *words], check=True, capture_output=True, text=True, errors="replace").stdout


def blank(match):
    return re.sub(r"[^\n]", " ", match[0])


def node_name(text, place):
    """The name whose declaration the option at this place belongs to."""
    declared = list(re.finditer(EXPORTED, text[:place]))
    between = text[declared[-1].end() : place] if declared else ""
    while (closed := re.sub(r"(\{[^{}]*)\{[^{}]*\}", r"\1", between)) != between:
        between = closed
    return declared[-1][1] if re.fullmatch(CALL, between) else None


def python_name(text, place):
    found = (match for match in re.finditer(DECORATOR, text) if match.start() < place < match.start(2))
    return next((match[2] for match in found), None)


def enforced(path, text):
    """Names that are enforced, and the lines of which nobody can tell: number and text."""
    language = NODE if path.endswith(NODE) else PYTHON
    text = re.sub(COMMENTS[language], blank, text, flags=re.DOTALL)
    names, unclear = set(), []
    for option in re.finditer(OPTION[language], text):
        if re.match(OFF[language], text[option.end() :]):
            continue
        name = (node_name if language is NODE else python_name)(text, option.start())
        if name and re.match(ON[language], text[option.end() :]):
            names.add(name)
        else:
            number = text.count("\n", 0, option.start())
            unclear.append((number + 1, text.split("\n")[number].strip()))
    return names, unclear


def main(branch):
    base = git("merge-base", branch, "HEAD").strip()
    before, after, told = set(), set(), True
    for line in git("diff", "--name-status", "--no-renames", "-z", base, "HEAD").split("\0")[1::2]:
        if not line.endswith(NODE + PYTHON):
            continue
        versions = []
        for commit in (base, "HEAD"):
            exists = git("ls-tree", commit, "--", line)
            versions.append(enforced(line, git("show", f"{commit}:{line}") if exists else ""))
        (old, old_unclear), (new, new_unclear) = versions
        before, after = before | old, after | new
        known = [text for _, text in old_unclear]
        for number, text in new_unclear:
            if text not in known:
                print(f"{line}:{number}: cannot tell which functions this is for; name them yourself", file=sys.stderr)
                told = False
    print("".join(f"{name}\n" for name in sorted(after - before)), end="")
    return 0 if told else 3


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    try:
        sys.exit(main(sys.argv[1]))
    except subprocess.CalledProcessError as failure:
        print(failure.stderr.strip(), file=sys.stderr)
        sys.exit(1)
