"""The verdicts of a project, recomputed from its raw verifications by the verdict's contract alone.

python3 verdict_oracle.py description.json[.gz]     prints what `callcheck --format json` must say
"""

import gzip
import json
import sys
from dataclasses import replace

from clients import tell_clients
from evidence import evidence_of
from history import History
from instants import DAY, day_of, instant_from, instant_text
from look import Subject
from policy import SHOWN, base_settings, quiet_days, settings_of
from provenance import discard_forged, severity_mixed_days
from readiness import function_row
from rule import judge_confirmed
from tally import STATUSES, FunctionInput, days_of, firsts_of, is_left_out, project_counts, verification_from

VERDICTS = ("enforce", "wait", "investigate", "insufficient", "blind", "exempt", "enforced", "superseded")
UNKNOWN = "-"


def summary(description):
    """The part of `callcheck.report/4` that follows from the verifications and the policy."""
    functions = [function_input(function) for function in description["functions"]]
    counts = input_counts(description, functions)
    evident = {function.project for function in functions if has_evidence(function)}
    newest_day = _newest_day(functions, description)
    for function in functions:
        function.verifications = [row for row in function.verifications if _inside(row.instant, description)]
    tell_clients(functions)
    functions = sorted((function for function in functions if function.verifications), key=lambda f: f.key)
    stderr = {
        project: [i for i in instants if _inside(i, description)]
        for project, instants in description.get("stderr", {}).items()
    }
    as_of = as_of_instant(description, functions)
    # Only these two commands hold the log's end against the clock.
    clock = (
        instant_from(description["clock"])
        if description.get("command") in ("check", "report") and not description.get("asOf")
        else None
    )
    projects = project_counts(functions, stderr, quiet_days(description))
    for function in functions:
        projects[function.project].unlogged |= {
            day for day, rows in evidence_of(function, lambda i: _inside(i, description)).items() if rows.unlogged
        }
    unjudged = sum(description.get(kind, 0) for kind in ("malformed", "oversized", "unexpected"))
    judged = []
    for function in functions:
        subject = subject_of(function, functions, projects[function.project], description, unjudged, newest_day)
        judged.append((function, subject, judge_confirmed(subject, as_of, clock)))
    base = base_settings(description)
    rows = [
        function_row(*each, as_of, clock, each[0].project in evident)
        for each in judged
        if _selected(each[0], description)
    ]
    return {
        "schema": "callcheck.report/4",
        "gate": None,
        # Null when nothing is dated, --as-of or not.
        "asOf": instant_text(as_of) if any(row.instant is not None for f in functions for row in f.verifications) else None,
        "policy": {
            **{name: shown(getattr(base, name)) for name in SHOWN},
            # How the JSON says that it was lifted in part is not in the contract.
            **({"assumeComplete": base.assumeComplete} if base.assumeComplete != "failures" else {}),
        },
        "input": counts,
        "totals": {
            "app": {status: sum(row["app"][status] for row in rows) for status in STATUSES},
            "verdicts": {verdict: sum(row["readiness"]["verdict"] == verdict for row in rows) for verdict in VERDICTS},
        },
        "functions": rows,
    }


def shown(value):
    return list(value) if isinstance(value, tuple) else value


def function_input(description):
    """A function's verifications without those that its SDK did not write."""
    rows = [verification_from(row) for row in description["verifications"]]
    if description["generation"] != 2:
        rows = [replace(row, revision=None) for row in rows]
    function = FunctionInput(**{**description, "verifications": rows})
    discard_forged(function)
    return function


def has_evidence(function):
    """Rows, or lines of executions."""
    return bool(function.unjoined or function.lines or any(row.has_row for row in function.verifications))


def input_counts(description, functions):
    """What becomes of the records: ignored, else duplicate, else filtered, else a verification."""
    kept = [row for function in functions for row in function.verifications]
    inside = [row for row in kept if _inside(row.instant, description)]
    return {
        **({"records": description["records"]} if "records" in description else {}),
        "verifications": len(inside),
        "duplicates": sum(row.copies for row in kept) + sum(function.duplicates for function in functions),
        "filtered": len(kept) - len(inside),
        "ignored": sum(sum(function.discarded.values()) for function in functions),
        "malformed": description.get("malformed", 0),
        "oversized": description.get("oversized", 0),
        "unexpected": description.get("unexpected", 0),
        "undated": sum(row.instant is None for row in inside),
    }


def as_of_instant(description, functions):
    """--as-of, else the newest dated verification not later than the clock and a day."""
    if description.get("asOf"):
        return instant_from(description["asOf"])
    limit = instant_from(description["clock"]) + DAY
    return max(
        row.instant
        for function in functions
        for row in function.verifications
        if row.instant is not None and row.instant <= limit
    )


def subject_of(function, functions, counts, description, unjudged, newest_day):
    """The function as the rule sees it."""
    settings = settings_of(function, description)
    rows = function.verifications
    since = max((day for day in (settings.since, _since_option(description)) if day is not None), default=None)
    successors = [
        other
        for other in functions
        if function.generation == 1
        and other.generation == 2
        and (other.project, other.region, other.normalised) == (function.project, function.region, function.normalised)
    ]
    ignored = settings.ignoreClients
    undated = sum(row.instant is None and row.auth != "INVALID" and row.app != "VALID" for row in rows)
    return Subject(
        settings=settings,
        project=counts,
        generation=function.generation,
        days=days_of(rows, settings.requiresAuth, ignored),
        signed_in_days=days_of(rows, True, ignored),
        firsts=firsts_of(rows),
        since=since,
        successor_days={day for other in successors for day in firsts_of(other.verifications)},
        shown_by_others=shown_by_others(function, counts),
        attributed=function.project != UNKNOWN,
        mixed_share=function.mixed_share,
        severity_mixed=severity_mixed_days(rows),
        uncounted=undated + unjudged,
        newest_day=newest_day,
        evidence=evidence_of(function, lambda instant: _inside(instant, description)),
        history=History(function),
        requires_auth=settings.requiresAuth,
        requests=sorted(
            (row for row in rows if row.instant and row.auth != "INVALID" and not is_left_out(row, ignored)),
            key=lambda row: row.instant,
        ),
    )


def _newest_day(functions, description):
    """The day of the newest verification that does not claim to be of the future: see as_of_instant. Records that could
    not be judged are in the export; lines of unknown projects are a separate source next to it."""
    limit = instant_from(description["clock"]) + DAY
    rows = [row for other in functions if other.project != UNKNOWN for row in other.verifications]
    return max((day_of(row.instant) for row in rows if row.instant and row.instant <= limit), default=None)


def shown_by_others(function, counts):
    """Days on which another labelled function of the project and generation has a pass. An unlabelled function has
    its own log level, of which other functions show nothing."""
    if not function.labelled:
        return set()
    return {
        day
        for (generation, day), keys in counts.labelled_passes.items()
        if generation == function.generation and keys - {function.key}
    }


def _since_option(description):
    return day_of(instant_from(description["since"])) if description.get("since") else None


def _inside(instant, description):
    """Inside --since (inclusive) and --until (exclusive); undated ones are in no interval."""
    since, until = description.get("since"), description.get("until")
    if instant is None:
        return since is None and until is None
    return (since is None or instant >= instant_from(since)) and (until is None or instant < instant_from(until))


def _selected(function, description):
    patterns = description.get("select")
    return not patterns or any(function.matches(pattern) for pattern in patterns)


if __name__ == "__main__":
    opener = gzip.open if sys.argv[1].endswith(".gz") else open
    with opener(sys.argv[1], "rt", encoding="utf-8") as file:
        json.dump(summary(json.load(file)), sys.stdout, indent=1)
    print()
