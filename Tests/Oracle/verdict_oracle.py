"""python verdict_oracle.py LOG... [options]: the verdicts of version 7 as JSON, computed from the text alone."""
import argparse
import json
import sys
import time
from dataclasses import replace
from pathlib import Path

import coverage
import enforcement
import model
import options
import reader
import services
from answer import function
from moments import DAY, HOUR, day, end_of, is_date, parse, text
from platforms import check_names
from rule import Case


def arguments(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("logs", nargs="+")
    for name in ("--policy", "--as-of", "--since", "--until", "--only"):
        parser.add_argument(name)
    parser.add_argument("--requires-auth", action="store_true")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    return parser.parse_args(argv)


def flags(args):
    found = dict(item.split("=", 1) for item in args.set)
    if args.requires_auth:
        found["requires-auth"] = True
    return found


def too_old(project, quiet, clock):
    """36 hours, and 24 more for each excused day in between."""
    newest = project.traffic.at[-1] if project.traffic.at else None
    if newest is None:
        return False
    cover = coverage.Coverage(project, clock, quiet)
    excused = sum(cover.excused(d) for d in range(day(newest) + 1, day(clock)))
    return clock - newest > 36 * HOUR + excused * DAY


def limits(args):
    """-> (as of, since, until), the last one exclusive."""
    until = end_of(args.until) + 1 if args.until and is_date(args.until) else parse(args.until) if args.until else None
    return end_of(args.as_of) if args.as_of else None, parse(args.since) if args.since else None, until


def cases(args, clock=None):
    """-> (world, policy, the cases of all functions in the order of the output)"""
    clock = clock or time.time_ns()
    policy = options.policy(Path(args.policy).read_text("utf-8") if args.policy else "", flags(args))
    as_of, since, until = limits(args)
    world = model.build(reader.read(args.logs), as_of, since, until, clock, policy.base.quiet)
    found = []
    for name in sorted(world.projects):
        project = world.projects[name]
        old = as_of is None and too_old(project, policy.base.quiet, clock)
        for f in sorted(project.functions, key=lambda f: (f.of.region, f.name, f.of.generation or 0)):
            o = policy.of(name, f.of.region, {f.name, f.of.service}, world.T)
            check_names(o.accept_platforms)
            o = replace(o, since=max((t for t in (since, o.since) if t is not None), default=None))
            if o.since is not None and o.since > world.T:
                raise options.Usage("since is later than the end of the log")
            found.append(Case(f, o, enforcement.analyse(f, o, world.T), world.T, old))
    return world, policy, found


def only(found, keys):
    """The dotted paths of an answer that were asked for, beside its name."""
    out = {k: found[k] for k in ("project", "region", "function", "generation", "service") if k in found}
    for key in keys:
        value, place = found, out
        path = key.split(".")
        for i, step in enumerate(path):
            if not isinstance(value, dict) or step not in value:
                break
            value = value[step]
            if i + 1 < len(path):
                place = place.setdefault(step, {})
            else:
                place[step] = value
    return out


def report(args, clock=None):
    world, policy, found = cases(args, clock)
    keys = args.only.split(",") if args.only else None
    limit = (lambda answer: only(answer, keys)) if keys else (lambda answer: answer)
    return {"asOf": text(world.T),
            "input": {"records": world.log.records, "duplicates": world.log.duplicates, "filtered": world.filtered, "later": world.later, "ignored": world.ignored,
                      "verifications": sum(c.function.verifications for c in found)},
            "functions": [limit(function(case, world, keys)) for case in found if case.function.requests],
            "services": [limit(answer) for answer in services.report(world.log, policy, *limits(args))]}


if __name__ == "__main__":
    try:
        print(json.dumps(report(arguments()), indent=1))
    except options.Usage as error:
        sys.exit(f"{error} (64)")
