"""Which verifications the SDK did not write: they are discarded before anything is counted."""

from collections import defaultdict
from math import inf

from instants import day_of


def discard_forged(function):
    """Takes out what the contract discards, whole input seen; counts it, copies included, on the function."""
    rows = function.verifications
    sdk_rows = [row for row in rows if row.labelled and row.own_message]
    function.labelled = bool(sdk_rows)
    kept, unlabelled = [], 0
    repeated = _repeated(sdk_rows if function.labelled else [row for row in rows if row.own_message])
    for row in rows:
        if function.labelled and not row.labelled:
            reason = "unlabelled"
            unlabelled += 1
        elif not row.own_message:
            reason = "otherMessage"
        elif id(row) in repeated:
            reason = "repeated"
        else:
            kept.append(row)
            continue
        if reason == "repeated":
            function.duplicates += row.copies
            function.discarded[reason] += 1
        else:
            function.discarded[reason] += 1 + row.copies
            # Beside the SDK's own lines what clients write says nothing; in a source without any it may be a projection.
            if row.apart and row.auth != "INVALID" and row.app != "VALID":
                function.uncounted_apart[row.auth == "VALID"] += 1
    function.mixed_share = 10 * unlabelled > sum(row.labelled for row in kept)
    function.verifications = kept


def ignore_forged(function, rows):
    """Takes out of later ones what has another message than the SDK's: it enters nothing."""
    kept = []
    for row in rows:
        if row.own_message:
            kept.append(row)
        else:
            reason = "unlabelled" if function.labelled and not row.labelled else "otherMessage"
            function.discarded[reason] += 1 + row.copies
    return kept


def _repeated(rows):
    """Identities of all rows of an execution but the earliest within neighbouring days."""
    by_execution, by_span = defaultdict(list), defaultdict(list)
    for row in rows:
        if row.execution is not None:
            by_execution[row.instance, row.execution].append(row)
        if row.span is not None:
            by_span[row.trace, row.span].append(row)
    repeated = set()
    for several, others in ((by_execution, lambda row, other: True), (by_span, _one_names_no_execution)):
        for same in several.values():
            same.sort(key=_order)
            for place, row in enumerate(same):
                if any(others(row, other) and _repeats(row, other) for other in same[:place]):
                    repeated.add(id(row))
    return repeated


def _one_names_no_execution(row, other):
    return row.execution is None or other.execution is None


def _repeats(row, earlier):
    """Entries at one nanosecond with different statuses all count: nothing shows which is the real one."""
    if row.instant is not None and row.instant == earlier.instant:
        return (row.app, row.auth) == (earlier.app, earlier.auth) and not _copies(row, earlier)
    days = [day_of(received) for received in (row.instant or row.received, earlier.instant or earlier.received) if received]
    return not days if len(days) < 2 else abs(days[0] - days[1]) <= 1


def _order(row):
    """Dated ones first."""
    return (inf if row.instant is None else row.instant, row.received or inf, row.insert_id)


def _copies(row, other):
    """With dedupe=false copies of an entry count: one verification read twice, not two of one execution."""
    return bool(row.insert_id) and row.instant is not None and _entry(row) == _entry(other)


def _entry(row):
    return (row.instant, row.insert_id, row.app, row.auth)


def severity_mixed_days(verifications):
    """Days on which labelled passes are at DEBUG and at another severity."""
    severities = defaultdict(set)
    for row in verifications:
        if row.labelled and row.passed and row.instant is not None:
            severities[day_of(row.instant)].add(row.severity == "DEBUG")
    return {day for day, seen in severities.items() if len(seen) == 2}
