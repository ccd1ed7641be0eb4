"""How often is what is said of enforcement true? Random histories, of which it is known.

    python3 truth.py --callcheck PATH [--histories 500] [--seed 1]

Asks the program, and prints a table. Targets: what is enforced is called off in at most 2 %, what is not is called on in
at most 0.5 %, partly enforced is called off in at most 16 %; the state of a canary does not change from request to
request; a good switch needs action in at most 2 % within seven days; an outage of everybody is a lock-out within 20
requests.
"""

import argparse
import json
import subprocess
import tempfile
from collections import Counter
from pathlib import Path

import numpy

from histories import KINDS, Traffic, history
from instants import DAY, HOUR, instant_from, instant_text
from log_entries import ExportWriter
from project_options import policy_options, policy_text
from request_rows import Manner
from switches import Phase

STATES = ("on", "partly", "off", "unknown")


class Program:
    def __init__(self, path, folder):
        self.path, self.folder, self.written = path, folder, None

    def __call__(self, made, as_of=None):
        log = self.folder / "log.json"
        if self.written is not made:
            writer = ExportWriter(numpy.random.default_rng(1))
            for function in made.project["functions"]:
                writer.function(function, 0, True)
            for name, instants in made.project["stderr"].items():
                for instant in instants:
                    writer.stderr(name, instant)
            log.write_text("".join(f"{text}\n" for _, text in writer.records), encoding="utf-8")
            self.written = made
        (self.folder / "policy.yaml").write_text(policy_text(made.project["policy"]) or "", encoding="utf-8")
        options = ["--as-of", instant_text(as_of)] if as_of else []
        command = [self.path, "--format", "json", *options, *policy_options(made.project), log.name]
        answer = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=True)
        return json.loads(answer.stdout)["functions"][0]


def states(ask, rng, number):
    """Truth -> what is said, and how far the switch is off."""
    said, hours, by_kind = Counter(), [], Counter()
    for _ in range(number):
        made = history(rng, str(rng.choice(KINDS)))
        found = ask(made)["enforcement"] or {"state": "unknown", "since": None}
        said[made.state, found["state"]] += 1
        by_kind[made.kind, made.state, found["state"]] += 1
        if made.state == found["state"] == "on" and found["since"] and made.kind != "always":
            first = next(row[0] for row in made.rows if row[0] >= made.switch)
            hours.append(abs(instant_from(found["since"]) - first) / HOUR)
    return said, hours, by_kind


def flips(ask, rng, number):
    """Of canaries with a share of 10 to 90 %: those whose state is not the same at each of ten of the last 30 requests."""
    changed = Counter()
    for _ in range(number):
        share = float(rng.choice([0.1, 0.3, 0.5, 0.7, 0.9]))
        made = history(
            rng,
            "canary",
            Traffic(per_day=100, lacking=0.2),
            Manner(),
            days=10,
            phases=lambda end: (Phase(end - 3 * DAY, "00007-aaa", True, share=share),),
        )
        answers = [ask(made, row[0])["enforcement"]["state"] for row in made.rows[-30::3]]
        changed[share, "changes" if len(set(answers)) > 1 else "stays"] += 1
    return changed


def good_switches(ask, rng, number):
    """Of switches after which fewer than 0.5 % of the signed-in requests are refused: those that need action, within 7 days."""
    acts = 0
    for _ in range(number):
        traffic = Traffic(float(rng.choice([50, 150, 400])), float(rng.choice([0, 0.001, 0.003, 0.005])), signed_in=0.95)
        made = history(rng, "on", traffic, Manner(), days=21, phases=lambda end: (Phase(end - 7 * DAY, "00007-aaa", True),))
        made.project["policy"]["functions"] = [{"match": "*", "enforced": instant_text(made.switch)}] * int(rng.integers(2))
        days = [made.switch + hours * HOUR for hours in (1, 3, 8, 24, 48, 96, 167)]
        acts += any(ask(made, day)["readiness"]["lockout"] is not None for day in days)
    return acts


def outages(ask, rng, number):
    """Of outages of everybody, after a switch: how many requests until they are a lock-out."""
    needed = []
    for _ in range(number):
        signed_in = float(rng.choice([0, 0.6, 1]))
        made = history(
            rng,
            "on",
            Traffic(float(rng.choice([10, 60, 200])), 0.002, signed_in=signed_in, bad_auth=0),
            Manner(),
            days=15,
            phases=lambda end: (Phase(end - 5 * DAY, "00007-aaa", True),),
        )
        rows = made.rows
        begin = rows[-1][0] - int(rng.choice([2, 20, 40])) * HOUR
        after = [row for row in rows if row[0] >= begin]
        for row in after:
            row[1], row[4]["status"] = "MISSING", 401
        # What is judged: people who are signed in, but where people sign up.
        after = [row for row in after if row[2] == "VALID" or not signed_in][:25]
        place = next((i for i, row in enumerate(after, 1) if ask(made, row[0])["readiness"]["lockout"]), None)
        if place is not None or len(after) == 25:
            needed.append(place)
    return needed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--histories", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--callcheck", type=Path, required=True)
    arguments = parser.parse_args()
    rng = numpy.random.default_rng(arguments.seed)
    with tempfile.TemporaryDirectory() as scratch:
        ask = Program(str(arguments.callcheck.resolve()), Path(scratch))
        said, hours, by_kind = states(ask, rng, arguments.histories)
        print("| truth | " + " | ".join(f"said {state}" for state in STATES) + " |\n|---|---:|---:|---:|---:|")
        for truth in STATES[:3]:
            print(f"| {truth} | " + " | ".join(str(said[truth, state]) for state in STATES) + " |")
        number = {truth: sum(n for (t, _), n in said.items() if t == truth) for truth in STATES}
        for truth, word, most in (("on", "off", "2 %"), ("off", "on", "0.5 %"), ("partly", "off", "16 %")):
            share = said[truth, word] / number[truth]
            print(f"{truth}, called {word}: {share:.1%} of {number[truth]} (at most {most})")
        print(f"the switch is right to the hour in {sum(h <= 1 for h in hours)} of {len(hours)}")
        few = max(20, arguments.histories // 10)
        print("canaries, by their share, that change their state from request to request:")
        changed = flips(ask, rng, few)
        for share in sorted({share for share, _ in changed}):
            print(f"   {share:.0%}: {changed[share, 'changes']} of {changed[share, 'changes'] + changed[share, 'stays']}")
        print(f"good switches that need action: {good_switches(ask, rng, few)} of {few} (at most 2 %)")
        needed = outages(ask, rng, few)
        late = sum(n is None or n > 20 for n in needed)
        print(f"outages that are no lock-out within 20 requests: {late} of {len(needed)}; needed at the median {numpy.median([n or 99 for n in needed]):g}")
        for key, number in sorted(by_kind.items()):
            if key[1] != key[2]:
                print("  ", *key, number)


if __name__ == "__main__":
    main()
