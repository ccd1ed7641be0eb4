"""python compare.py --callcheck PATH [--projects N] [--seed S] [--only N] [--services] [--keys K,…] [--codes C,…] [--keep FOLDER]

Runs a program as `PATH check LOG --format json [arguments]` on random projects and compares its answers with the oracle's."""
import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import make_projects
import make_services
import verdict_oracle
from options import Usage

KEYS = ("readiness.verdict,readiness.window,readiness.admitted,readiness.blocked,readiness.blockedRate,readiness.blockedRateUpper,readiness.blockedRateLower,readiness.blockedPerDay,"
        "readiness.blockedPerDayUpper,readiness.dispersion,readiness.activeDays,readiness.ageDays,readiness.observedDays,readiness.signedInNoToken,readiness.anonymousNoToken,"
        "readiness.tokenRefused,readiness.lastBlocked,readiness.cleanStreak,readiness.uncounted,readiness.leftOut,readiness.programs,readiness.admission,readiness.admissionBy,"
        "readiness.perWeekUpper,readiness.failingSince,readiness.platforms,readiness.safeNights,readiness.safeSince,readiness.lockout,readiness.segments,readiness.signedIn,"
        "readiness.reasons,readiness.forecast,enforcement.state,enforcement.since,enforcement.by,enforcement.planned,enforcement.mayStream,enforcement.refused,enforcement.served,"
        "enforcement.revisions,clients.joined,clients.blocked,clients.blockedJoined,clients.blockedAddresses,clients.unlogged,clients.kinds,clients.browsers,clients.devices,"
        "aftermath.verdict").split(",")
KEYS_OF_SERVICES = ("verifications,app,apps,readiness.verdict,readiness.window,readiness.admitted,readiness.blocked,readiness.blockedRate,readiness.blockedRateUpper,readiness.blockedRateLower,"
                    "readiness.dispersion,readiness.activeDays,readiness.ageDays,readiness.observedDays,readiness.signedInNoToken,readiness.anonymousNoToken,readiness.tokenRefused,"
                    "readiness.failingSince,readiness.safeNights,readiness.safeSince,readiness.lockout,readiness.segments,readiness.signedIn,readiness.reasons,"
                    "enforcement.state,enforcement.since,enforcement.by,enforcement.refused,enforcement.served").split(",")


def close(a, b):
    if isinstance(a, bool) or isinstance(b, bool) or not isinstance(a, (int, float)) or not isinstance(b, (int, float)):
        return a == b
    return a == b or abs(a - b) <= 1e-7 * max(abs(a), abs(b)) or abs(a - b) < 1e-12


def at(answer, path):
    for step in path.split("."):
        answer = answer.get(step) if isinstance(answer, dict) else None
    return answer


NAMED = ("name", "kind", "browser", "device", "app")


def keyed(found):
    """Lists of named things are compared by name, since equal counts may stand in either order."""
    if isinstance(found, list) and found and isinstance(found[0], dict):
        key = next((k for k in NAMED if k in found[0]), None)
        return {x.get(key): x for x in found} if key else found
    return dict.fromkeys(found) if isinstance(found, list) and found and isinstance(found[0], str) else found


def differences(ours, theirs, path=""):
    """Ours decides which keys of objects are looked at."""
    listed = isinstance(ours, list) and isinstance(theirs, list)
    a, b = keyed(ours), keyed(theirs)
    if listed and isinstance(a, dict) and isinstance(b, dict):
        if a.keys() != b.keys():
            return [(path, sorted(map(str, a.keys() - b.keys())), sorted(map(str, b.keys() - a.keys())))]
        return [d for k in a if a[k] is not None for d in differences(a[k], b[k], f"{path}[{k}]")]
    if isinstance(ours, dict) and isinstance(theirs, dict):
        return [d for key in ours for d in differences(ours[key], theirs.get(key), f"{path}.{key}")]
    if isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        return [d for i, (a, b) in enumerate(zip(ours, theirs)) for d in differences(a, b, f"{path}[{i}]")]
    return [] if close(ours, theirs) else [(path, ours, theirs)]


def reasons(found, codes):
    """By code; values and limits only where both give a number."""
    return {r["code"]: r for r in found or [] if not codes or r["code"] in codes}


# Of services: what no sentence of the rule says when to list, and what alone stands beside *enforced* and *exempt*.
ADVICE = {"raised-share", "app-fell"}
SETTLED = {"exempt", "enforced", "enforced-by-log", "policy-unconfirmed", "lockout"}


def compare_reasons(ours, theirs, codes):
    a, b = reasons(ours, codes), reasons(theirs, codes)
    out = [(f"readiness.reasons {code}", code in a, code in b) for code in sorted(a.keys() ^ b.keys())]
    for code in sorted(a.keys() & b.keys()):
        for field in ("value", "limit"):
            x, y = a[code].get(field), b[code].get(field)
            if isinstance(x, (int, float)) and isinstance(y, (int, float)) and not close(x, y):
                out.append((f"readiness.reasons {code} {field}", x, y))
    return out


def by_name(answers):
    keys = ("project", "region", "function", "generation", "service")
    return {" ".join(str(a[k]) for k in keys if a.get(k) is not None): a for a in answers or []}


def nothing_to_say(key, value, ours, theirs):
    """A part that ours leaves out, or that theirs gives as null where ours holds no sign of anything."""
    part = key.split(".")[0]
    if value is None and ours.get(part) is None:
        return True
    silent = at(ours, "enforcement.state") == "unknown" and not at(ours, "enforcement.refused") and not at(ours, "enforcement.served")
    return part == "enforcement" and theirs.get(part) is None and silent


def compare_answers(ours, theirs, keys, codes, part="functions"):
    out = []
    a, b = by_name(ours.get(part)), by_name(theirs.get(part))
    unheard = {name for name in b.keys() - a.keys() if not b[name].get("verifications")}         # nothing of it by T
    out += [(name, "present", name in a, name in b) for name in sorted((a.keys() ^ b.keys()) - unheard)]
    for name in sorted(a.keys() & b.keys()):
        for key in keys:
            x, y = at(a[name], key), at(b[name], key)
            if nothing_to_say(key, x, a[name], b[name]):
                continue
            if key == "readiness.forecast":
                x, y = at(a[name], key + ".date"), at(b[name], key + ".date")
            if key == "readiness.reasons" and part == "services":
                only = SETTLED if at(a[name], "readiness.verdict") in ("exempt", "enforced") else None
                x, y = ([r for r in found or [] if r["code"] not in ADVICE and (only is None or r["code"] in only)] for found in (x, y))
            found = compare_reasons(x, y, codes) if key == "readiness.reasons" else differences(x, y, key)
            out += [(name, *d) for d in found]
    return out


def arguments_of(folder):
    written = (folder / "arguments").read_text().split("\n")[:-1]
    policy = folder / "policy.yaml"
    return written + (["--policy", str(policy)] if policy.exists() else [])


def logs_of(folder):
    """The log, and the counts and modes of other services where there are any."""
    return sorted(str(p) for p in folder.glob("*.json*"))


def run(program, folder):
    done = subprocess.run([program, "check", *logs_of(folder), "--format", "json", *arguments_of(folder)], capture_output=True, text=True)
    try:
        return json.loads(done.stdout), ""
    except json.JSONDecodeError:
        return None, f"status {done.returncode}: {done.stderr.strip()[:400]}"


def tally(ours, verdicts, codes):
    for f in ours["functions"] + ours["services"]:
        verdicts[f["readiness"]["verdict"]] += 1
        codes.update(r["code"] for r in f["readiness"]["reasons"])


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--callcheck", required=True)
    parser.add_argument("--projects", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", type=int, help="the number of one project")
    parser.add_argument("--keys", help="dotted paths, comma-separated")
    parser.add_argument("--codes", help="the codes of reasons to compare")
    parser.add_argument("--services", action="store_true", help="projects of other services alone")
    parser.add_argument("--keep", type=Path)
    args = parser.parse_args(argv)
    maker, part, all_keys = (make_services, "services", KEYS_OF_SERVICES) if args.services else (make_projects, "functions", KEYS)
    keys = args.keys.split(",") if args.keys else all_keys
    codes = set(args.codes.split(",")) if args.codes else None
    numbers = [args.only] if args.only is not None else range(args.seed, args.seed + args.projects)
    verdicts, met, differ = Counter(), Counter(), []
    with tempfile.TemporaryDirectory() as temporary:
        for number in numbers:
            folder = maker.write((args.keep or Path(temporary)) / f"p{number:04d}", number)
            theirs, error = run(args.callcheck, folder)
            try:
                asked = ["--only", ",".join((*keys, "readiness.verdict", "readiness.reasons", "enforcement"))]
                ours = verdict_oracle.report(verdict_oracle.arguments([*logs_of(folder), *arguments_of(folder), *asked]))
            except Usage as usage:
                differ += [] if theirs is None else [(number, "-", "usage", str(usage), "an answer")]
                continue
            except Exception as fault:   # one project must not end the run
                differ.append((number, "-", "the oracle failed", repr(fault), "an answer" if theirs else "none"))
                continue
            tally(ours, verdicts, met)
            if theirs is None and not ours["functions"] and not ours["services"]:
                continue                 # nothing was logged: the program ends with 65
            found = [("-", "no answer", "", error)] if theirs is None else compare_answers(ours, theirs, keys, codes, part)
            differ += [(number, *d) for d in found]
    print("verdicts: " + ", ".join(f"{k} {v}" for k, v in sorted(verdicts.items())))
    print("codes: " + ", ".join(f"{k} {v}" for k, v in sorted(met.items())))
    for number, name, key, ours, theirs in differ:
        print(f"p{number:04d} {name}: {key}: oracle {json.dumps(ours)}, program {json.dumps(theirs)}")
    projects = len({d[0] for d in differ})
    print(f"{len(numbers)} projects: " + (f"{projects} differ" if projects else "all agree"))
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
