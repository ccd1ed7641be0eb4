"""The verdicts of a project, recomputed from its raw verifications by the verdict's contract alone.

python3 verdict_oracle.py description.json[.gz]     prints what `callcheck --format json` must say
"""

import gzip
import json
import sys
from collections import defaultdict
from dataclasses import replace

from clients import tell_clients
from enforcement import ALLOWING, Enforcement, is_cause, lines_by_execution, word_at
from evidence import unlogged_of
from instants import DAY, day_of, instant_from, instant_text
from look import Subject
from policy import SHOWN, base_settings, quiet_days, settings_of
from provenance import discard_forged, ignore_forged, severity_mixed_days
from readiness import function_row
from rule import judge_confirmed
from tally import STATUSES, FunctionInput, days_of, firsts_of, project_counts, verification_from

VERDICTS = ("enforce", "wait", "investigate", "insufficient", "blind", "exempt", "enforced", "superseded")
UNKNOWN = "-"


def summary(description):
    """The part of `callcheck.report/5` that follows from the verifications and the policy."""
    as_of = as_of_instant(description)

    def is_inside(instant):
        return _inside(instant, description) and (instant is None or instant <= as_of)

    functions, later = [], []
    for given in description["functions"]:
        function = function_input(given)
        kept = [row for row in function.verifications if row.instant is None or row.instant <= as_of]
        after = [row for row in function.verifications if row.instant and row.instant > as_of]
        function.verifications = kept
        discard_forged(function)
        after = ignore_forged(function, after)
        later += [_inside(row.instant, description) for row in after]
        function.duplicates += sum(row.copies for row in after)
        functions.append(function)
    counts = input_counts(description, functions, later)
    since = instant_from(description["since"]) if description.get("since") else None
    for function in functions:
        rows = (row for row in function.verifications if since is not None and (row.instant or since) < since)
        function.before = [row for row in rows if _inside(row.instant, {**description, "since": None})]
    tell_clients(functions)
    for function in functions:
        function.verifications = [row for row in function.verifications if is_inside(row.instant)]
    with_rows = {f.project for f in functions if f.generation == 2 and (f.unjoined or any(r.status for r in f.verifications))}
    # The line with which an execution of generation 1 finishes says something of its own function alone.
    evident = with_rows | {f.project for f in functions if any(not isinstance(what, int) for _, _, what in f.lines)}
    everything = functions
    functions = sorted((function for function in functions if function.verifications), key=lambda f: f.key)
    stderr = {
        project: [i for i in instants if is_inside(i)] for project, instants in description.get("stderr", {}).items()
    }
    # Only `check`, and `report` with a store, hold the log's end against the clock.
    clock = instant_from(description["clock"]) if description.get("command") == "check" and not description.get("asOf") else None
    projects = project_counts(functions, stderr, quiet_days(description))
    unlogged = with_unlogged(functions, projects, is_inside)

    def is_known(instant):
        """`--since` hides nobody who is refused."""
        return _inside(instant, {**description, "since": None}) and (instant is None or instant <= as_of)

    whole = [replace(function, verifications=function.before + function.verifications) for function in everything]
    projects_whole = project_counts(whole, {}, quiet_days(description))
    unlogged_whole = with_unlogged(whole, projects_whole, is_known)
    allowing = days_of_allowing(whole)
    newest = max((instant for instant in instants_of_source(description) if instant <= as_of), default=None)
    judged = []
    for function in functions:
        counts_of_project = projects[function.project]
        start = counts_of_project.stretch_start(day_of(as_of))
        start_whole = projects_whole[function.project].stretch_start(day_of(as_of))
        is_read = any(start_whole <= day <= day_of(as_of) for day in allowing[function.project])
        subject = subject_of(function, functions, counts_of_project, start, description, as_of)
        subject.unlogged, subject.unlogged_whole = unlogged[function.key], unlogged_whole[function.key]
        subject.project_whole = projects_whole[function.project]
        subject.unread += sum(description.get(kind, 0) for kind in ("malformed", "oversized", "unexpected"))
        subject.newest_day = None if newest is None else day_of(newest)
        apart = max((instant for instant in description.get("newestApart", ()) if instant <= as_of), default=None)
        subject.newest_day_apart = None if apart is None else day_of(apart)
        enforcement = Enforcement(function, start_whole, as_of, is_read)
        subject = with_days(subject, function, enforcement, as_of)
        judged.append((function, subject, judge_confirmed(subject, as_of, clock)))
    base = base_settings(description)
    rows = [
        function_row(*each, as_of, clock, each[0].project in evident, each[0].project in with_rows)
        for each in judged
        if _selected(each[0], description)
    ]
    is_dated = any(row.instant is not None for function in functions for row in function.verifications)
    if not is_dated:
        for row in rows:
            row["readiness"].update(window=None, uncounted=0)
    return {
        "schema": "callcheck.report/5",
        "gate": None,
        # Null when nothing is dated, --as-of or not.
        "asOf": instant_text(as_of) if is_dated else None,
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
    rows = [verification_from(row) for row in description["verifications"]]
    if description["generation"] != 2:
        rows = [replace(row, revision=None) for row in rows]
    return FunctionInput(**{**description, "verifications": rows})


def input_counts(description, functions, later):
    """What becomes of the records: ignored, else duplicate, else filtered, else a verification."""
    kept = [row for function in functions for row in function.verifications]
    inside = [row for row in kept if _inside(row.instant, description)]
    return {
        **({"records": description["records"]} if "records" in description else {}),
        "verifications": len(inside),
        "duplicates": sum(row.copies for row in kept) + sum(function.duplicates for function in functions),
        "filtered": len(kept) - len(inside) + later.count(False),
        "later": later.count(True),
        "ignored": sum(sum(function.discarded.values()) for function in functions),
        "malformed": description.get("malformed", 0),
        "oversized": description.get("oversized", 0),
        "unexpected": description.get("unexpected", 0),
        "undated": sum(row.instant is None for row in inside),
    }


def as_of_instant(description):
    """--as-of, else the newest dated verification not later than the clock and a day."""
    if description.get("asOf"):
        return instant_from(description["asOf"])
    limit = instant_from(description["clock"]) + DAY
    functions = [function_input(function) for function in description["functions"]]
    for function in functions:
        function.verifications = [row for row in function.verifications if row.instant is None or row.instant <= limit]
        discard_forged(function)
    return max(
        row.instant
        for function in functions
        for row in function.verifications
        if row.instant is not None and _inside(row.instant, description)
    )


def instants_of_source(description):
    """Of the source in which records could not be read; lines of unknown projects are another one beside it."""
    if "newest" in description:
        return description["newest"]
    functions = (function for function in description["functions"] if function["project"] != UNKNOWN)
    return [row[0] for function in functions for row in function["verifications"] if row[0]]


def with_unlogged(functions, projects, is_seen):
    """Function -> its requests that only rows and lines show; they join the counts of the projects."""
    found = {function.key: unlogged_of(function, is_seen) for function in functions}
    for function in functions:
        if function.generation == 2:
            projects[function.project].answered += found[function.key].answered
            projects[function.project].crashed += found[function.key].crashed
    return found


def days_of_allowing(functions):
    """Project -> days on which a line let an invalid token go: those of its verification."""
    found = defaultdict(set)
    for function in functions:
        let_go = {execution for _, execution, what in function.lines if what == ALLOWING}
        found[function.project] |= {day_of(r.instant) for r in function.verifications if r.instant and r.execution in let_go}
    return found


def subject_of(function, functions, counts, start, description, as_of):
    """The function as the rule sees it, but for its days."""
    settings = settings_of(function, description, day_of(as_of))
    rows = function.verifications
    since = max((day for day in (settings.since, _since_option(description)) if day is not None), default=None)
    successors = [
        other
        for other in functions
        if function.generation == 1
        and other.generation == 2
        and (other.project, other.region, other.normalised) == (function.project, function.region, function.normalised)
    ]
    return Subject(
        settings=settings,
        project=counts,
        generation=function.generation,
        start=start,
        days={},
        signed_in_days={},
        firsts=firsts_of(rows),
        since=since,
        successor_days={day for other in successors for day in firsts_of(other.verifications)},
        shown_by_others=shown_by_others(function, counts),
        attributed=function.project != UNKNOWN,
        mixed_share=function.mixed_share,
        severity_mixed=severity_mixed_days(rows),
        uncounted=function.uncounted_apart,
        unread=sum(row.instant is None and row.auth != "INVALID" and row.app != "VALID" for row in rows),
        rows=sorted((row for row in (*function.before, *rows) if row.instant), key=lambda row: row.instant),
    )


def with_days(subject, function, enforcement, as_of):
    """The subject with its days, from which partly enforced functions leave out what is refused already."""
    rows, ignored = function.verifications, subject.settings.ignoreClients
    lines = lines_by_execution(function)

    def cause_of(row):
        causes = [what for instant, what in lines.get(row.execution, ()) if is_cause(what) and instant <= row.instant]
        return causes[-1].partition(":")[2] or "placeholder" if causes else None

    def days(requires_auth):
        return days_of(rows, requires_auth, ignored, is_refused_already, cause_of)



    word = word_at(enforcement, subject.settings.enforced, as_of, lambda row: False)
    in_stretch = set(map(id, enforcement.rows))

    def is_refused_already(row):
        return word.is_partly and id(row) in in_stretch and enforcement.is_on(row)

    counted = set(map(id, rows))
    signed_out = defaultdict(lambda: [0, 0, 0])
    for row in enforcement.rows:
        if row.auth == "MISSING" and id(row) in counted and not enforcement.is_on(row):
            answer = enforcement.answer(row)
            found = signed_out[day_of(row.instant)]
            found[0] += 1
            found[1] += answer is not None
            found[2] += answer is not None and 200 <= answer < 400
    return replace(
        subject,
        days=days(False),
        signed_in_days=days(True),
        signed_out=dict(signed_out),
        enforcement=enforcement,
    )


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
