"""Rows of the request log, and the SDK's line that lets a request go, for functions of a random project.

`status`, `agent` and `referer` of a verification are its row's; `unjoined` are rows without a verification; `allowing`
the instants of the line.
"""

from agents import said_by
from callers import random_callers
from instants import DAY, SECOND

ANSWERS = (200, 200, 200, 204, 400, 500, 302)


def add_request_rows(rng, project):
    if rng.random() < 0.3:
        return
    for function in project["functions"]:
        # Of forged entries and of text nothing is known but themselves.
        rows = function["verifications"]
        if function["generation"] == 2 and rng.random() < 0.85 and not any(len(row) > 4 for row in rows):
            _answer(rng, function)


def _answer(rng, function):
    rows = [row for row in function["verifications"] if row[0] is not None]
    days = sorted({row[0] // DAY for row in rows})
    if not days:
        return

    def day_within(share):
        return days[int(share * (len(days) - 1))]

    rows_from = day_within(float(rng.choice([0, 0, 0, 0.3, 0.8])))
    coverage = float(rng.choice([1, 1, 1, 1, 0.97, 0.95, 0.9, 0.5]))
    on_from = [*[None] * 5, days[0], day_within(rng.uniform(0, 1)), day_within(rng.uniform(0.5, 1))][rng.integers(8)]
    off_from = day_within(rng.uniform(0.5, 1)) if rng.random() < 0.15 else 10**9
    own_refusals = float(rng.choice([0, 0, 0, 0.02, 1]))
    hang_ups = float(rng.choice([0, 0, 0.03, 0.06]))
    leaks = float(rng.choice([0, 0, 0, 0, 0.02]))
    lines = float(rng.choice([0, 0.5, 1]))
    stray_line = rng.random() < 0.05
    caller_of = random_callers(rng, days)
    function["allowing"] = []
    for row in rows:
        instant, app, auth = row[:3]
        is_on = on_from is not None and on_from <= instant // DAY < off_from
        refusable = app != "VALID" and auth != "INVALID"
        if refusable and ((app == "INVALID" and not is_on and rng.random() < lines) or stray_line):
            function["allowing"].append(instant + SECOND // 1000)
            stray_line = False
        if instant // DAY < rows_from or rng.random() >= coverage:
            continue
        if auth == "INVALID":
            status = 401
        elif refusable and is_on and rng.random() >= leaks:
            status = 499 if rng.random() < hang_ups else 401
        else:
            status = 401 if rng.random() < own_refusals else int(rng.choice(ANSWERS))
        row.append({"status": status, **said_by(caller_of(row))})
    if rng.random() < 0.35:
        count = int(rng.choice([1, 1, 3, 20]))
        # On days without anything of the project, too.
        function["unjoined"] = [
            [int(rng.integers(days[0], days[-1] + 1)) * DAY + int(rng.integers(DAY)), int(rng.choice([200, 200, 401, 500]))]
            for _ in range(count)
        ]
