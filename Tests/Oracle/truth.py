"""python truth.py --callcheck PATH [--histories 500] [--seed 1]

How often is what a program says of enforcement true? Asks it about random histories, of which it is known, and prints tables.
Targets: what is enforced is called off in at most 2 %, what is not is called on in at most 0.5 %, partly enforced is called off in at
most 16 %; the state of a canary does not change from request to request; a good switch needs action in at most 2 % within seven days;
an outage of everybody is a lock-out within 20 requests up to 100 requests a day, and within an hour above."""
import argparse
import json
import subprocess
import tempfile
from collections import Counter
from pathlib import Path

import numpy

from histories import KINDS, Manner, Phase, Traffic, history
from moments import DAY, HOUR, parse, text

STATES = ("on", "partly", "off", "unknown")
REVISION = "00007-aaa"
FEW = 100                                # requests a day: up to them a delay is counted in requests, above in hours


class Program:
    def __init__(self, path, folder):
        self.path, self.folder, self.written = path, folder, None

    def __call__(self, made, as_of=None):
        if self.written is not made:
            (self.folder / "log.json").write_text(made.log())
            (self.folder / "policy.yaml").write_text(made.policy)
            self.written = made
        options = ["--as-of", text(as_of)] if as_of else []
        options += ["--policy", "policy.yaml"] if made.policy else []
        answer = subprocess.run([self.path, "--format", "json", *options, "log.json"], cwd=self.folder, capture_output=True, text=True, check=True)
        return json.loads(answer.stdout)["functions"][0]


def states(ask, rng, number):
    """Truth -> what is said, and how far the switch is off."""
    said, hours = Counter(), []
    for _ in range(number):
        made = history(rng, str(rng.choice(KINDS)))
        found = ask(made)["enforcement"] or {"state": "unknown", "since": None}
        said[made.kind, made.state, found["state"]] += 1
        if made.state == found["state"] == "on" and found["since"] and made.kind != "always":
            first = next(request.t for request in made.requests if request.t >= made.switch)
            hours.append(abs(parse(found["since"]) - first) / HOUR)
    return said, hours


def flips(ask, rng, number):
    """Of canaries with a share of 10 to 90 %: those whose state is not the same at each of ten of the last 30 requests."""
    changed = Counter()
    for _ in range(number):
        share = float(rng.choice([0.1, 0.3, 0.5, 0.7, 0.9]))
        made = history(rng, "canary", Traffic(100, 0.2), Manner(), 10, lambda end, share=share: (Phase(end - 3 * DAY, REVISION, True, share),))
        answers = {ask(made, request.t)["enforcement"]["state"] for request in made.requests[-30::3]}
        changed[share, len(answers) > 1] += 1
    return changed


def good_switches(ask, rng, number):
    """Of switches after which fewer than 0.5 % of the signed-in requests are refused: those that need action, within 7 days."""
    acts = 0
    for _ in range(number):
        traffic = Traffic(rng.choice([50, 150, 400]), rng.choice([0, 0.001, 0.003, 0.005]), signed_in=0.95)
        made = history(rng, "on", traffic, Manner(), 21, lambda end: (Phase(end - 7 * DAY, REVISION, True),))
        if rng.random() < 0.5:
            made.policy = f"functions:\n  - match: '*'\n    enforced: {text(made.switch)}\n"
        acts += any(ask(made, made.switch + hours * HOUR)["readiness"]["lockout"] is not None for hours in (1, 3, 8, 24, 48, 96, 167))
    return acts


def outages(ask, rng, number):
    """Of outages of everybody, after a switch: requests a day, and how many requests and hours until they are a lock-out."""
    delays = []
    for _ in range(number):
        signed_in, per_day = float(rng.choice([0, 0.6, 1])), int(rng.choice([10, 60, 200, 1000]))
        traffic = Traffic(per_day, 0.002, signed_in=signed_in, bad_auth=0, outage=int(rng.choice([2, 20, 40])) * HOUR)
        made = history(rng, "on", traffic, Manner(), 15, lambda end: (Phase(end - 5 * DAY, REVISION, True),))
        begin = made.requests[-1].t - traffic.outage
        # What is judged: people who are signed in, but where people sign up.
        after = [request.t for request in made.requests if request.t >= begin and (request.auth == "VALID" or not signed_in)]
        after = after[: 25 if per_day <= FEW else 80]
        place = next((place for place, t in enumerate(after, 1) if ask(made, t)["readiness"]["lockout"]), None)
        if place:
            delays.append((per_day, place, (after[place - 1] - begin) / HOUR))
        elif len(after) >= 25:
            delays.append((per_day, numpy.inf, numpy.inf))
    return delays


def print_states(said, hours):
    by_truth = {truth: Counter() for truth in STATES[:3]}
    for (_, truth, word), number in said.items():
        by_truth[truth][word] += number
    print("| truth | " + " | ".join(f"said {state}" for state in STATES) + " |\n|---|---:|---:|---:|---:|")
    for truth, words in by_truth.items():
        print(f"| {truth} | " + " | ".join(str(words[state]) for state in STATES) + " |")
    for truth, word, most in (("on", "off", "2 %"), ("off", "on", "0.5 %"), ("partly", "off", "16 %")):
        number = by_truth[truth].total()
        print(f"{truth}, called {word}: {by_truth[truth][word] / max(number, 1):.1%} of {number} (at most {most})")
    print(f"the switch is right to the hour in {sum(h <= 1 for h in hours)} of {len(hours)}")


def print_outages(delays):
    some, many = ([delay for delay in delays if (delay[0] > FEW) is above] for above in (False, True))
    requests, hours = [place for _, place, _ in some], [hours for _, _, hours in many]
    late = [place for _, place, hours in many if hours > 1]
    print(f"outages of up to {FEW} requests a day: a lock-out after {numpy.median(requests):g} requests at the median, at most {max(requests):g};"
          f" more than 20 in {sum(place > 20 for place in requests)} of {len(requests)}")
    print(f"outages of more: a lock-out after {60 * numpy.median(hours):.0f} minutes at the median; more than an hour in {len(late)} of {len(hours)}"
          + (f", which was at most {max(late):g} requests" if late else ""))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--callcheck", type=Path, required=True)
    parser.add_argument("--histories", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    rng = numpy.random.default_rng(args.seed)
    few = max(20, args.histories // 10)
    with tempfile.TemporaryDirectory() as scratch:
        ask = Program(str(args.callcheck.resolve()), Path(scratch))
        said, hours = states(ask, rng, args.histories)
        print_states(said, hours)
        print("canaries, by their share, that change their state from request to request:")
        changed = flips(ask, rng, few)
        for share in sorted({share for share, _ in changed}):
            print(f"   {share:.0%}: {changed[share, True]} of {changed[share, True] + changed[share, False]}")
        print(f"good switches that need action: {good_switches(ask, rng, few)} of {few} (at most 2 %)")
        print_outages(outages(ask, rng, few))
        for (kind, truth, word), number in sorted(said.items()):
            if truth != word:
                print("  ", kind, truth, word, number)


if __name__ == "__main__":
    main()
