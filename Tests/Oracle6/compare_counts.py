"""Runs the queries of `callcheck export counts` and compares the program on their results with the program on the log.

    python3 compare_counts.py --callcheck .build/release/callcheck [--projects 20] [--seed 1] [--only INDEX]

BigQuery is not at hand: sqlglot translates the printed SQL to DuckDB's dialect, and DuckDB runs it over the entries of
generated projects, once as Log Analytics shows them and once as a sink's tables hold them. What the translation cannot
show is whether BigQuery itself takes the text. Verdicts, reasons and numbers of every function must be equal; only what
counts cannot know is left out: how many entries were discarded, and segments of persons, for which addresses are
needed. Prints every difference; exit status 1 when there is one.
"""

import copy
import csv
import gzip
import json
import re
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from functools import cache

import duckdb
import sqlglot
from campaign import run_campaign
from compare import differences, show
from make_projects import write_project

TABLES = ("run_googleapis_com_stdout", "run_googleapis_com_stderr", "cloudfunctions_googleapis_com_cloud_functions")
COLUMNS = "project region function id generation labelled severity day hour app auth count first last row_count".split()
# Bounds within days count whole days of counts, and copies of entries do not count at all.
UNLIKE = ("--since", "--until")
YEARS = 10
FORMATS = ("csv", "json", "ndjson")


@cache
def queries(callcheck):
    """The SQL for Log Analytics and for a sink's tables, in DuckDB's dialect."""
    script = subprocess.run(
        [callcheck, "export", "counts", "--project", "demo-prod", "--days", str(365 * YEARS)],
        check=True, capture_output=True, text=True).stdout
    found = re.findall(r"<<'SQL'\n(.*?)\nSQL\n", script, re.DOTALL)
    return [sqlglot.transpile(text, read="bigquery", write="duckdb")[0] for text in found]


def stamp(text):
    """A time as both shapes keep it: to the microsecond, in UTC."""
    match = re.fullmatch(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.(\d+))?Z", text or "")
    return match and f"{match[1]} {match[2]}.{(match[3] or '')[:6]:<06}"


def entries(folder):
    """The entries of a project that Cloud Logging could hold: with a time and an id, and in JSON."""
    oldest = (datetime.now(UTC) - timedelta(days=365 * YEARS - 2)).strftime("%Y")
    with gzip.open(folder / "export.json.gz", "rt", encoding="utf-8", errors="replace") as file:
        for number, line in enumerate(file):
            try:
                entry = json.loads(line)
            except ValueError:
                continue
            if not isinstance(entry, dict) or "logName" not in entry or len(line) > 4000:
                continue
            time = stamp(entry.get("timestamp"))
            if not time or time[:4] < oldest:
                continue
            entry["timestamp"] = time.replace(" ", "T") + "Z"
            received = stamp(entry.get("receiveTimestamp"))
            entry.pop("receiveTimestamp", None)
            if received:
                entry["receiveTimestamp"] = received.replace(" ", "T") + "Z"
            entry["insertId"] = entry.get("insertId") or f"made-up-{number}"
            yield entry


def renamed(value):
    """As BigQuery calls what users named."""
    if isinstance(value, dict):
        return {re.sub(r"[^0-9a-z]", "_", key.lower()).lstrip("_"): renamed(inner) for key, inner in value.items()}
    return value


def database(logged):
    """The entries as Log Analytics shows them, and as a sink's tables hold them."""
    base = duckdb.connect()
    base.execute("SET timezone = 'UTC'")
    base.execute("CREATE SCHEMA callable_logs")
    base.execute(
        "CREATE TABLE callable_logs._AllLogs (log_name VARCHAR, log_id VARCHAR, insert_id VARCHAR, severity VARCHAR,"
        " timestamp TIMESTAMPTZ, receive_timestamp TIMESTAMPTZ, resource STRUCT(type VARCHAR, labels JSON),"
        " labels JSON, json_payload JSON, text_payload VARCHAR, trace VARCHAR, span_id VARCHAR)")
    base.execute("CREATE SCHEMA callable_verifications")
    for table in TABLES:
        base.execute(
            f"CREATE TABLE callable_verifications.{table} (logName VARCHAR, insertId VARCHAR, severity VARCHAR,"
            " timestamp TIMESTAMPTZ, receiveTimestamp TIMESTAMPTZ, resource JSON, labels JSON, jsonPayload JSON,"
            " textPayload VARCHAR, trace VARCHAR, spanId VARCHAR)")
    views, rows = [], {table: [] for table in TABLES}
    for entry in logged:
        log = entry["logName"].rsplit("/", 1)[-1].replace("%2F", "/")
        resource, labels, payload = entry.get("resource", {}), entry.get("labels", {}), entry.get("jsonPayload")
        times = entry["timestamp"], entry.get("receiveTimestamp")
        rest = entry.get("textPayload"), entry.get("trace"), entry.get("spanId")
        views.append((
            entry["logName"], log, entry["insertId"], entry.get("severity"), *times, resource.get("type"),
            json.dumps(resource.get("labels", {})), json.dumps(labels), payload and json.dumps(payload), *rest))
        table = re.sub(r"[./-]", "_", log)
        if table in rows:
            rows[table].append((
                entry["logName"], entry["insertId"], entry.get("severity"), *times, json.dumps(resource),
                json.dumps(renamed(labels)), payload and json.dumps(renamed(payload)), *rest))
    insert = "(?, ?, ?, ?, ?, ?, {'type': ?, 'labels': ?::JSON}, ?, ?, ?, ?, ?)"
    load(base, "callable_logs._AllLogs", insert, views)
    for table in TABLES:
        load(base, f"callable_verifications.{table}", "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows[table])
    return base


def load(base, table, insert, rows):
    base.execute("BEGIN")
    if rows:
        base.executemany(f"INSERT INTO {table} VALUES {insert}", rows)
    base.execute("COMMIT")


def save(rows, path, form):
    """The result as bq writes it: null is empty or null, and numbers are text."""
    texts = [[None if cell is None else str(cell) for cell in row] for row in rows]
    objects = [dict(zip(COLUMNS, row)) for row in texts]
    with open(path, "w", encoding="utf-8", newline="") as file:
        if form == "csv":
            csv.writer(file).writerows([COLUMNS, *([cell or "" for cell in row] for row in texts)])
        elif form == "json":
            json.dump(objects, file)
        else:
            file.writelines(json.dumps(row) + "\n" for row in objects)


def report(callcheck, folder, options, name):
    """What callcheck says of an input; without what counts cannot know."""
    command = [callcheck, "--format", "json", "--set", "callers=none", "-q", *options, name]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        raise RuntimeError(f"{name}: exit status {run.returncode}: {run.stderr.strip()[-400:]}")
    found = json.loads(run.stdout)
    found = {key: found[key] for key in ("asOf", "policy", "totals", "functions")}
    for function in found["functions"]:
        del function["discarded"]
    return found


def unlike(of_log, of_counts):
    """Differences. Counts know no addresses, so their segments are of requests and not of persons: where one of the two
    fails now, the verdicts may differ."""
    for log, counts in zip(of_log["functions"], of_counts["functions"]):
        said = log["enforcement"]
        if said and said["state"] == "unknown" and not (counts["enforcement"] or {}).get("revisions"):
            # Counts name no revisions, of which a log says at least from when to when they answered.
            log["enforcement"] = counts["enforcement"]
        for function in (log, counts):
            del function["readiness"]["segments"]
            function["readiness"]["reasons"] = [r for r in function["readiness"]["reasons"] if r["code"] != "raised-share"]
        if log["readiness"]["failingSince"] or counts["readiness"]["failingSince"]:
            counts["readiness"] = log["readiness"]
    return differences(of_log, of_counts)


def options_of(description):
    options, rest = [], iter(description["options"])
    for option in rest:
        if option in UNLIKE:
            next(rest)
        else:
            options.append(option)
    if "dedupe=false" in options:
        place = options.index("dedupe=false")
        del options[place - 1 : place + 1]
    return options


def compare_project(callcheck, folder, seed, index, tally):
    """The lines to print about one project."""
    description = write_project(folder, seed, index)
    options = options_of(description)
    logged = list(entries(folder))
    with open(folder / "log.json", "w", encoding="utf-8") as file:
        file.writelines(json.dumps(entry) + "\n" for entry in logged)
    base = database(logged)
    expected = report(callcheck, folder, options, "log.json")
    tally["functions", "functions"] += len(expected["functions"])
    lines = []
    for number, query in enumerate(queries(callcheck)):
        name = f"counts-{number}"
        save(base.execute(query).fetchall(), folder / name, FORMATS[(index + number) % len(FORMATS)])
        try:
            found = list(unlike(copy.deepcopy(expected), report(callcheck, folder, options, name)))
        except RuntimeError as error:
            found = [("run", "a report", str(error))]
        lines += [
            f"  {folder.name}, query {number + 1}: {path}: log {show(wanted)}, counts {show(given)}"
            for path, wanted, given in found[:12]]
    return lines


if __name__ == "__main__":
    sys.exit(run_campaign(__doc__, compare_project, 20))
