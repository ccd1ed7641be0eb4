"""Entries that the SDK did not write, or wrote twice, put among those of a random project.

What clients can bring into a function's log: lines without the label, the label with the function's own message, and
whole copies of an entry that share the execution of a real one.
"""

from instants import DAY, SECOND

MILLISECOND = SECOND // 1000
STATUSES = (
    ("VALID", "VALID"),
    ("MISSING", "VALID"),
    ("INVALID", "VALID"),
    ("MISSING", "MISSING"),
    ("VALID", "MISSING"),
)


def forge(rng, project):
    for number, function in enumerate(project["functions"]):
        rows = _forgeable(function)
        if not rows:
            continue
        if rng.random() < 0.12:
            _unlabelled(rng, function, rows)
        if rng.random() < 0.1:
            _other_message(rng, function, rows)
        if rng.random() < 0.15:
            _repeated(rng, function, rows, number)
        if rng.random() < 0.1:
            _other_severity(rng, function)


def _forgeable(function):
    """Labelled rows before the function's last day: which instant is the newest stays as it is."""
    rows = [row for row in function["verifications"] if len(row) == 4 and row[0] is not None]
    newest = max((row[0] // DAY for row in rows), default=0)
    return [row for row in rows if row[0] // DAY < newest]


def _some(rng, rows, most):
    count = int(rng.choice([1, 3, most]))
    return [rows[i] for i in rng.choice(len(rows), min(count, len(rows)), replace=False)]


def _severity(app, auth, severity):
    return "WARNING" if "INVALID" in (app, auth) else severity


def _statuses(rng):
    return STATUSES[rng.integers(len(STATUSES))]


def _unlabelled(rng, function, rows):
    """`console.log(req.data)`: a few, or around a tenth of the labelled ones, or many."""
    share = float(rng.choice([0, 0.09, 0.1, 0.11, 0.5]))
    count = max(1, int(share * len(function["verifications"])) + int(rng.integers(-1, 2)))
    statuses = _statuses(rng)
    as_text, apart = bool(rng.random() < 0.5), bool(rng.random() < 0.5)
    for i in range(count):
        app, auth = statuses if rng.random() < 0.8 else _statuses(rng)
        extra = {"labelled": False, "text": as_text, "forged": True, **({"apart": True} if apart else {})}
        instant = rows[i % len(rows)][0] + MILLISECOND
        function["verifications"].append([instant, app, auth, _severity(app, auth, "INFO"), extra])


def _other_message(rng, function, rows):
    """`logger.info("got", req.data)`: the label and the statuses are the client's, the message is not the SDK's."""
    for row in _some(rng, rows, 60):
        app, auth = _statuses(rng)
        extra = {"own_message": False, "forged": True}
        function["verifications"].append([row[0] + 2 * MILLISECOND, app, auth, "INFO", extra])


def _repeated(rng, function, rows, number):
    """A second entry of an execution: later, or at the same instant; or of the same id in another instance; or of two
    handlers of which one names the execution, and both the request."""
    for i, row in enumerate(_some(rng, rows, 40)):
        if len(row) > 4:
            continue
        kind = str(rng.choice(["execution", "trace", "instance", "handlers"], p=[0.5, 0.2, 0.1, 0.2]))
        insert_ids = [f"ff{number:04x}{i:06x}{letter}" for letter in "ab"]
        if rng.random() < 0.5:
            insert_ids.reverse()
        key = (
            {"trace": f"projects/{function['project']}/traces/ff{number:04x}{i:08x}", "span": str(10**6 * number + i)}
            if kind in ("trace", "handlers")
            else {"execution": f"ff{number:04x}{i:06x}", "instance": "0069c7f0f0f0"}
        )
        row.append({**key, "insert_id": insert_ids[0]})
        if kind == "instance":
            key["instance"] = "0069c7aaaaaa"
        if kind == "handlers" and function["generation"] == 2:
            (row[4] if rng.random() < 0.5 else key).update(execution=f"ff{number:04x}{i:06x}", instance="0069c7f0f0f0")
        for _ in range(int(rng.choice([1, 1, 5]))):
            app, auth = _statuses(rng)
            later = int(rng.choice([0, MILLISECOND, 40 * MILLISECOND]))
            function["verifications"].append(
                [row[0] + later, app, auth, _severity(app, auth, row[3]), {**key, "insert_id": insert_ids[1]}]
            )
            insert_ids[1] += "x"


def _other_severity(rng, function):
    """An update of the SDK changes the severity of passes on one day or two; a forger's shows on more."""
    days = sorted({row[0] // DAY for row in function["verifications"] if row[0] is not None and row[3] != "WARNING"})
    chosen = set(days[-int(rng.integers(1, 6)) :])
    for row in function["verifications"]:
        if row[0] is not None and row[0] // DAY in chosen and len(row) == 4 and row[3] != "WARNING":
            row[3] = str(rng.choice(["DEBUG", "INFO"]))


def separate(function):
    """Takes out all but one entry of an execution with the same instant and statuses: of an `insertId` only eight bits
    are kept, so that such entries may pass for copies, which count where copies are asked for."""
    seen, rows = set(), []
    for row in function["verifications"]:
        extra = row[4] if len(row) > 4 else {}
        key = (*row[:3], extra.get("instance"), extra.get("execution"), extra.get("trace"), extra.get("span"))
        if not {"execution", "trace"} & extra.keys() or key not in seen:
            rows.append(row)
        seen.add(key)
    function["verifications"] = rows
