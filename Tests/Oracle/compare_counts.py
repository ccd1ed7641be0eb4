"""Runs the queries of `callcheck export counts` and compares the program on their results with the program on the log.

    python compare_counts.py --callcheck PATH [--projects N] [--seed S] [--only N]

BigQuery is not at hand: sqlglot translates the printed SQL to DuckDB's dialect, and DuckDB runs it over the entries of
random projects, once as Log Analytics shows them and once as a sink's tables hold them. What the translation cannot
show is whether BigQuery itself takes the text. Verdicts, reasons and numbers of every function must be equal; only what
counts cannot know is left out: how many entries were discarded, revisions, and the last hour. Prints differences; exit
status 1 when there is one.
"""

import argparse
import copy
import csv
import gzip
import json
import re
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

import duckdb
import sqlglot

import make_projects
from compare import arguments_of, by_name, differences
from moments import HOUR, end_of, text

TABLES = ("run_googleapis_com_stdout", "run_googleapis_com_stderr", "cloudfunctions_googleapis_com_cloud_functions")
COLUMNS = (
    "project", "region", "function", "id", "generation", "labelled", "severity", "day", "hour", "app", "auth", "count", "first", "last", "row_count")
VIEW = (
    "log_name VARCHAR, log_id VARCHAR, insert_id VARCHAR, severity VARCHAR, timestamp TIMESTAMPTZ, receive_timestamp TIMESTAMPTZ,"
    " resource STRUCT(type VARCHAR, labels JSON), labels JSON, json_payload JSON, text_payload VARCHAR, trace VARCHAR, span_id VARCHAR")
TABLE = (
    "logName VARCHAR, insertId VARCHAR, severity VARCHAR, timestamp TIMESTAMPTZ, receiveTimestamp TIMESTAMPTZ, resource JSON,"
    " labels JSON, jsonPayload JSON, textPayload VARCHAR, trace VARCHAR, spanId VARCHAR")
BOUNDS = ("--since", "--until")
YEARS = 10
USAGE = 64
FORMATS = ("csv", "json", "ndjson")


@cache
def queries(callcheck):
    """The SQL for Log Analytics and for a sink's tables, in DuckDB's dialect."""
    script = subprocess.run(
        [callcheck, "export", "counts", "--project", "demo-prod", "--days", str(365 * YEARS)],
        check=True, capture_output=True, text=True).stdout
    found = re.findall(r"<<'SQL'\n(.*?)\nSQL\n", script, re.DOTALL)
    return [sqlglot.transpile(sql, read="bigquery", write="duckdb")[0] for sql in found]


def entries(folder):
    """The entries of a project, with times as both shapes keep them: to the microsecond."""
    with gzip.open(folder / "log.json.gz", "rt", encoding="utf-8") as file:
        for line in file:
            entry = json.loads(line)
            yield {**entry, **{key: re.sub(r"(\.\d{6})\d+", r"\1", entry[key]) for key in ("timestamp", "receiveTimestamp")}}


def renamed(value):
    """As BigQuery calls what users named."""
    if isinstance(value, dict):
        return {re.sub(r"[^0-9a-z]", "_", key.lower()).lstrip("_"): renamed(inner) for key, inner in value.items()}
    return value


def database(logged, folder):
    """The entries as Log Analytics shows them, and as a sink's tables hold them."""
    views, rows = [], {table: [] for table in TABLES}
    for entry in logged:
        log = entry["logName"].rsplit("/", 1)[-1].replace("%2F", "/")
        views.append({"log_id": log} | {re.sub("[A-Z]", lambda match: "_" + match[0].lower(), key): entry[key] for key in entry})
        table = re.sub(r"[./-]", "_", log)
        if table in rows:
            named = {key: renamed(entry[key]) for key in ("labels", "jsonPayload") if key in entry}
            rows[table].append({**entry, **named})
    base = duckdb.connect()
    base.execute("SET timezone = 'UTC'")
    base.execute("CREATE SCHEMA callable_logs")
    base.execute("CREATE SCHEMA callable_verifications")
    load(base, "callable_logs._AllLogs", VIEW, views, folder)
    for table in TABLES:
        load(base, f"callable_verifications.{table}", TABLE, rows[table], folder)
    return base


def load(base, table, columns, rows, folder):
    base.execute(f"CREATE TABLE {table} ({columns})")
    if rows:
        path = folder / f"{table}.ndjson"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        types = {name: kind for name, kind, *_ in base.execute(f"DESCRIBE {table}").fetchall()}
        base.execute(f"INSERT INTO {table} FROM read_json('{path}', format = 'newline_delimited', columns = {types})")


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
    found = json.loads(subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout)
    found = {key: found[key] for key in ("asOf", "policy", "totals", "functions")}
    for function in found["functions"]:
        del function["discarded"]
    return found


def unlike(of_log, of_counts):
    """(function, path, of the log, of the counts)."""
    logged, counted = by_name(of_log["functions"]), by_name(of_counts["functions"])
    found = [("-", key, of_log[key], of_counts[key]) for key in ("asOf", "policy", "totals") if of_log[key] != of_counts[key]]
    found += [(name, "present", name in logged, name in counted) for name in sorted(logged.keys() ^ counted.keys())]
    for name in sorted(logged.keys() & counted.keys()):
        for function in (logged[name], counted[name]):
            # Counts name no revisions, of which a log says at least from when to when they answered.
            enforcement = function["enforcement"] or {}
            enforcement.pop("revisions", None)
            if enforcement.get("state") == "unknown" and not enforcement["by"]:
                function["enforcement"] = None
            # Without --as-of the last hour is seldom a whole one.
            for part in (function["aftermath"] or {}, function["readiness"]["lockout"] or {}):
                for key in ("requestsLastHour", "refusedLastHour", "lastHour"):
                    part.pop(key, None)
        found += [(name, *d) for d in differences(logged[name], counted[name])]
    return found


def options_of(folder):
    """Without bounds, which count whole days of counts. Counts are of whole hours, and so is what is asked: as of the end
    of one, and enforced at the beginning of one."""
    policy = folder / "policy.yaml"
    if policy.exists():
        policy.write_text(re.sub(r"(enforced: \S+T\d\d):\d\d:\d\d", r"\1:00:00", policy.read_text()))
    options, rest = [], iter(arguments_of(folder))
    for option in rest:
        if option in BOUNDS:
            next(rest)
        elif option == "--as-of":
            options += [option, text(end_of(next(rest)) // HOUR * HOUR + HOUR - 1)]
        else:
            options.append(option)
    return options


def compare_project(callcheck, folder, number):
    """Its functions, and the lines to print about it."""
    make_projects.write(folder, number)
    options = options_of(folder)
    logged = list(entries(folder))
    if not logged:                       # nothing was called by the end
        return 0, []
    (folder / "log.json").write_text("".join(json.dumps(entry) + "\n" for entry in logged))
    try:
        expected = report(callcheck, folder, options, "log.json")
    except subprocess.CalledProcessError as error:
        if error.returncode == USAGE:    # the policies of some projects are wrong
            return 0, []
        raise
    if not expected["functions"]:        # the result would be empty, which is no input
        return 0, []
    base = database(logged, folder)
    lines = []
    for query, sql in enumerate(queries(callcheck)):
        name = f"counts-{query}"
        save(base.execute(sql).fetchall(), folder / name, FORMATS[(number + query) % len(FORMATS)])
        try:
            found = unlike(copy.deepcopy(expected), report(callcheck, folder, options, name))
        except subprocess.CalledProcessError as error:
            found = [("-", "run", "a report", f"exit status {error.returncode}: {error.stderr.strip()[-400:]}")]
        lines += [
            f"p{number:04d}, query {query + 1}: {function}: {path}: log {json.dumps(wanted)}, counts {json.dumps(given)}"
            for function, path, wanted, given in found[:12]]
    return len(expected["functions"]), lines


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--callcheck", required=True)
    parser.add_argument("--projects", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", type=int, help="the number of one project")
    args = parser.parse_args(argv)
    callcheck = str(Path(args.callcheck).resolve())
    numbers = [args.only] if args.only is not None else range(args.seed, args.seed + args.projects)
    functions = differ = 0
    for number in numbers:
        with tempfile.TemporaryDirectory() as scratch:
            count, lines = compare_project(callcheck, Path(scratch) / "project", number)
        functions, differ = functions + count, differ + bool(lines)
        print("\n".join(lines), end="\n" if lines else "", flush=True)
    print(f"{len(numbers)} projects, {functions} functions: " + (f"{differ} differ" if differ else "all agree"))
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
