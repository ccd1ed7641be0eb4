"""Rows and lines belong to verifications: by trace and span, else by a trace that is alone, else by the execution."""
from collections import defaultdict

from moments import day, HOUR


def _near(a, b):
    return abs(day(a.time) - day(b.time)) <= 1


def _take(verification, row):
    verification.row, row.verification = row, verification


def join(verifications, rows, lines):
    dated = [v for v in verifications if v.time is not None]
    for generation_one in (True, False):
        by_key = defaultdict(list)
        key = (lambda x: x.execution and (x.of, x.execution[1])) if generation_one else (lambda x: x.trace and x.span is not None and (x.of, x.trace, x.span))
        for row in sorted(rows, key=lambda r: r.time):
            if (row.of.generation == 1) == generation_one and key(row):
                by_key[key(row)].append(row)
        for v in sorted(dated, key=lambda v: v.time):
            if (v.of.generation == 1) == generation_one and key(v):
                row = next((r for r in by_key.get(key(v), ()) if r.verification is None and _near(v, r)), None)
                if row:
                    _take(v, row)
    by_trace = defaultdict(lambda: ([], []))
    for v in dated:
        if v.trace and v.of.generation == 2:
            by_trace[(v.of, v.trace)][0].append(v)
    for row in rows:
        if row.trace and row.of.generation == 2:
            by_trace[(row.of, row.trace)][1].append(row)
    for entries, answers in by_trace.values():
        for v in entries:
            alone = [w for w in entries if _near(v, w)], [r for r in answers if _near(v, r)]
            if v.row is None and len(alone[0]) == len(alone[1]) == 1 and alone[1][0].verification is None:
                _take(v, alone[1][0])
    _by_span_alone(dated, rows)
    _lines(dated, lines)


def _by_span_alone(dated, rows):
    """Python's entries have a span and no trace: exactly one row and one verification within five minutes."""
    spans = defaultdict(lambda: ([], []))
    for v in dated:
        if v.trace is None and v.span is not None and v.row is None:
            spans[(v.of, v.span)][0].append(v)
    for row in rows:
        if row.span is not None and (row.of, row.span) in spans:
            spans[(row.of, row.span)][1].append(row)
    for entries, answers in spans.values():
        if len(entries) == len(answers) == 1 and answers[0].verification is None and abs(entries[0].time - answers[0].time) <= HOUR // 12:
            _take(entries[0], answers[0])


def _lines(dated, lines):
    by_execution, by_trace = defaultdict(list), defaultdict(list)
    for v in dated:
        if v.execution:
            by_execution[(v.of, v.execution)].append(v)
        if v.trace:
            by_trace[(v.of, v.trace)].append(v)
    for line in lines:
        found = by_execution.get((line.of, line.execution)) if line.execution else by_trace.get((line.of, line.trace)) if line.trace else None
        for v in found or ():
            if _near(v, line):
                if line.kind == "cause":
                    v.caused = True
                else:
                    v.allowed = True
