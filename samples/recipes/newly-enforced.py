#!/usr/bin/env python3
"""The functions for which a change turns on App Check enforcement, as `callcheck check --function @FILE` reads them.

    python3 newly-enforced.py origin/main > names.txt || exit
    [ ! -s names.txt ] || callcheck check --store history.db --function @names.txt

Prints a line for each: the name, a tab, and FILE:LINE, where the option is set. Compares HEAD with the commit where it
left the named branch, in Git. Three forms are recognized:

    exports.NAME = onCall({ enforceAppCheck: VALUE, … }, …)                   also `export const NAME =`
    exports.NAME = functions.runWith({ enforceAppCheck: VALUE, … }).https.onCall(…)
    @https_fn.on_call(enforce_app_check=VALUE, …)                             and below it `def NAME(`

VALUE is true, `process.env.NAME === "true"`, or a constant or parameter (`defineBoolean`, `BoolParam`) that any file
declares, with or without `.value()`. Its value may come from any .env file in Git, including .env.local. A function is
printed if the change turns on enforcement with any of these files, or without them.

In Python, only `.value` reads a parameter: `enforce_app_check=BoolParam(…)` is always on, even if the parameter is false
(firebase-functions 0.6.0).

Status 0: all names were printed, or there are none. Status 3: the change also turns on enforcement for functions that
cannot be named (setGlobalOptions, shared options, options in other files than sources), or may turn it on (other
expressions, computed options, parameters without a value, files that cannot be read); messages say where. Also 3,
without names: a change that takes over 30 seconds to read. Status 1: Git failed.
"""

import collections
import functools
import os
import re
import signal
import subprocess
import sys

SECONDS = 30
NODE, PYTHON = (".js", ".cjs", ".mjs", ".jsx", ".ts", ".cts", ".mts", ".tsx"), (".py",)
PROSE = (".md", ".mdx", ".rst", ".txt", ".adoc", ".html")
STRING = r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|`(?:\\.|[^`\\])*`'
COMMENTS = {NODE: rf"({STRING})|/\*.*?\*/|(?<![:\\])//[^\n]*", PYTHON: rf"({STRING})|#[^\n]*"}
ARGUMENTS = rf"\((?:{STRING}|[^()\"'`]|\((?:{STRING}|[^()\"'`])*\))*\)"
VALUE = rf"(?:{STRING}|{ARGUMENTS}|[^,;){{}}\"'`])*"
LINE = rf"(?:{STRING}|{ARGUMENTS}|[^,;){{}}\"'`\n])*"

# The option with its value, or alone: then a variable has its name. NO_OPTION comes before the variable itself.
OPTION = rf"\b(enforceAppCheck|enforce_app_check)\b[\"']?(?:\s*\??:\s*({VALUE})|\s*=(?![=>])\s*({LINE}))?"
NO_OPTION = r"(?:\b(?:import|export|const|let|var|type)|module\.exports\s*=)\s*(?:\{[^{}]*)?$"
# The function that it belongs to.
EXPORTED = r"(?:\bexports\.|\bexport\s+(?:const|let|var)\s+)(\w+)\s*(?::[^=]*)?=(?!=)"
CALL = r"(?:[\w.\s]|\([^(){}]*\))*\b(?:onCall|runWith)\s*(?:<[^(]*>)?\(\s*\{[^{}]*"
DECORATOR = r"@[\w.]*\bon_call\(([^()]|\([^()]*\))*\)\s*(?:@[^\n]*\s*)*(?:async\s+)?def\s+(\w+)\s*\("

# An option whose name is known when it runs.
COMPUTED = rf"\b(?:onCall|runWith|setGlobalOptions)\s*(?:<[^(]*>)?\(\s*\{{(?:{STRING}|[^{{}}\"'`])*?(?<=[{{,])\s*\[[^\]]*\]\s*:"

# What a value can be.
ON, OFF = ("true", "True"), ("false", "False", "None", "null", "undefined", "boolean")
VARIABLE = r"process\.env\.(\w+) ?([!=])==? ?[\"'](\w*)[\"']"
PARAMETER = rf"[\w.]*\b(?:defineBoolean|BoolParam)\s*({ARGUMENTS})"
# What gives NAME its value: an assignment, an import under another name (two forms), a property.
DECLARED = [
    rf"(?<![\w$])NAME\s*(?::[^=;,(){{}}\n]*)?=(?![=>])\s*({LINE})",
    r"\b(\w+)\s+as\s+NAME\b",
    r"\b(\w+)\s*:\s*NAME\b[^{}]*\}\s*=(?![=>])",
    rf"\b(?!enforce_?[aA]pp_?[cC]heck\b)NAME[\"']?\s*:\s*((?:true|false|True|False)\b|{PARAMETER})",
]
ENV_FILE = r"(?:^|/)\.env(?:\.[^/]*)?$"
# As firebase-tools reads them: a value in quotes may have several lines.
QUOTED = r"""\s*'(?:\\'|[^'])*'|\s*"(?:\\"|[^"])*\""""
ENV_LINE = rf"(?m)^\s*(?:export)?\s*([\w./]+)\s*=[\f\t\v]*({QUOTED}|[^#\n]*)?\s*(?:#[^\n]*)?$"


def git(*words, fine=(0,)):
    done = subprocess.run(["git", *words], capture_output=True, encoding="utf-8", errors="surrogateescape")
    if done.returncode not in fine:
        sys.exit(done.stderr.strip() or f"git {words[0]} ended with status {done.returncode}")
    return done.stdout


def language(path):
    return PYTHON if path.endswith(PYTHON) else NODE


def blank(match):
    return match[1] or re.sub(r"[^\n]", " ", match[0])


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


class Commit:
    """The sources of a commit and the variables of its .env files."""

    def __init__(self, name):
        self.name = name
        files = git("ls-tree", "-r", "-z", "--name-only", name).split("\0")
        self.env = {file: self.variables(file) for file in files if re.search(ENV_FILE, file)}

    def show(self, path):
        return git("show", f"{self.name}:{path}")

    def variables(self, path):
        return {name: value.strip().strip("\"'") for name, value in re.findall(ENV_LINE, self.show(path))}

    @functools.cache
    def text(self, path):
        return re.sub(COMMENTS[language(path)], blank, self.show(path), flags=re.DOTALL)

    @functools.cache
    def files_with(self, *words, elsewhere=False):
        """Sources that hold one of these words, or with `elsewhere` all files but prose, whatever Git takes for binary."""
        files = [":!*" + ending for ending in PROSE] if elsewhere else ["*" + ending for ending in NODE + PYTHON]
        words = [option for word in words for option in ("-e", word)]
        found = git("grep", "--no-color", "-alzwF", *words, self.name, "--", *files, fine=(0, 1))
        return sorted(entry.partition(":")[2] for entry in found.split("\0") if entry)

    def is_unreadable(self, path):
        """True for a source, or a .env file, in UTF-16 or encrypted."""
        is_read = path.endswith(NODE + PYTHON) or re.search(ENV_FILE, path)
        text = self.show(path) if is_read else ""
        return text.startswith("\0GITCRYPT\0") or 4 * text.count("\0") > len(text) > 0

    @functools.cache
    def declarations(self, name, path):
        """What the name is set to, in this file, or else in others: each value with its file."""
        for files in ([path], [file for file in self.files_with(name) if language(file) is language(path)]):
            for pattern in DECLARED:
                pattern = pattern.replace("NAME", name)
                found = {(match[1].strip(), file) for file in files for match in re.finditer(pattern, self.text(file))}
                # `exports.NAME = NAME` and `const NAME = require("./file").NAME` give it none.
                if found := {(value, file) for value, file in found if value.split(".")[-1] != name}:
                    return found
        return set()

    def value(self, text, path, env, followed=(), is_read=False):
        """True or False. If that is unclear: the text and what is known of its parts, to see whether they change."""
        text, reads = re.subn(r"\.value\b(?:\(\))?", "", text)
        is_read = is_read or reads > 0
        text = " ".join(re.sub(r"\bas (?:boolean|const)\b", "", text).split())
        if text in ON + OFF:
            return text in ON
        if compared := re.fullmatch(VARIABLE, text):
            return (env.get(compared[1]) == compared[3]) == (compared[2] == "=")
        known = set()
        if parameter := re.fullmatch(PARAMETER, text):
            if language(path) is PYTHON and not is_read:
                return True  # The object itself, which is never false.
            name = re.match(r"\( ?(?:name ?= ?)?[\"'](\w+)|", parameter[1])[1]
            default = re.search(r"\bdefault ?[:=] ?([\w.]+)", re.sub(STRING, "", parameter[1]))
            if name in env:
                return env[name].lower() == "true"
            if name and default:
                return self.value(default[1], path, env, followed, is_read=True)
        elif text not in followed and len(followed) < 5:
            followed = *followed, text
            if re.fullmatch(r"\w+(?:\.\w+)*", text):
                found = self.declarations(text.split(".")[-1], path)
                known = {self.value(*declared, env, followed, is_read) for declared in found}
                if len(known) == 1:
                    return known.pop()
            else:
                # `flag.equals("on")` has the part `flag`, and `isOn()` has none.
                names = re.findall(r"(?<![\w.])[A-Za-z_]\w*(?:\.\w+)*", re.sub(rf"\.?\w+ ?\(|{STRING}", "(", text))
                known = {(name, self.value(name, path, env, followed, is_read)) for name in names}
        # A function that is called here may read such a variable.
        hidden = [] if parameter else [name for name in env if "APPCHECK" in name.upper().replace("_", "")]
        variables = {name for name in re.findall(r"\w+", text) + hidden if name in env}
        return text, frozenset(known | {(name, env[name]) for name in variables})

    def options(self):
        """Every place that sets the option: file, line number, the function or None, the line, the value's text."""
        for path in self.files_with("enforceAppCheck", "enforce_app_check", elsewhere=True):
            text = self.text(path)
            for option in re.finditer(OPTION, text):
                if not re.search(NO_OPTION, text[: option.start()]):
                    name = (node_name if language(path) is NODE else python_name)(text, option.start())
                    number = text.count("\n", 0, option.start())
                    line = text.split("\n")[number].strip()
                    yield path, number + 1, name, line, option[2] or option[3] or option[1]

    def enforcement(self, environments):
        """Where functions are enforced, by name and .env files, and places to report, each with its message."""
        enforced, unclear = {}, []
        for path, number, name, line, text in self.options():
            for files in environments:
                env = {key: value for file in files for key, value in self.env.get(file, {}).items()}
                value = self.value(text, path, env)
                if name and value is True:
                    enforced.setdefault((name, files), f"{path}:{number}")
                elif value is not False:
                    message = "turns on enforcement for functions that cannot be named. Add them to the list by hand."
                    if value is not True:
                        message = f"may turn on enforcement. If so, add {name or 'its functions'} to the list by hand."
                    unclear.append(((path, name or line, files, value), f"{path}:{number}: {message}"))
        for path in self.files_with("onCall", "runWith", "setGlobalOptions"):
            for call in re.finditer(COMPUTED, text := self.text(path)):
                number = text.count("\n", 0, call.end()) + 1
                message = "has a computed option, which may turn on enforcement. If so, add its functions to the list by hand."
                unclear.append(((path, call[0], (), None), f"{path}:{number}: {message}"))
        return enforced, unclear


def main(branch):
    os.chdir(git("rev-parse", "--show-toplevel").rstrip("\n"))
    base = git("merge-base", branch, "HEAD", fine=(0, 1)).strip()
    if not base:
        sys.exit(f"{branch} and HEAD have no common commit here. Fetch all history (actions/checkout: fetch-depth: 0).")
    commits = Commit(base), Commit("HEAD")
    # Without any .env file, and with each of them on top of the .env next to it.
    files = sorted({path for commit in commits for path in commit.env})
    environments = [()] + [(path[: path.rfind("/") + 1] + ".env", path) for path in files]
    (before, known), (after, unclear) = (commit.enforcement(environments) for commit in commits)
    places = {key[0]: place for key, place in after.items() if key not in before}
    print("".join(f"{name}\t{place}\n" for name, place in sorted(places.items())), end="")
    known, messages = collections.Counter(key for key, _ in known), {}
    for key, message in unclear:
        known[key] -= 1
        # Not new if it was the same before, or the function was enforced already.
        if known[key] < 0 and key[1:3] not in before:
            messages[message] = True
    for path in git("diff", "--name-only", "--no-renames", "--diff-filter=d", "-z", base, "HEAD").split("\0"):
        if path and commits[1].is_unreadable(path):
            messages[f"{path}: cannot be read (UTF-16, or encrypted). If it turns on enforcement, list the functions by hand."] = True
    print("".join(f"{message}\n" for message in messages), end="", file=sys.stderr)
    return 3 if messages else 0


def give_up(*_):
    print(f"Reading the change took over {SECONDS} seconds. List the functions by hand.", file=sys.stderr)
    sys.exit(3)


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    # A source can be written so that a search in it never ends.
    signal.signal(signal.SIGALRM, give_up)
    signal.alarm(SECONDS)
    sys.exit(main(sys.argv[1]))
