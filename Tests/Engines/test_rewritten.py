"""Rewrites one log with each engine, and compares what callcheck says of it before and after.

    python3 Tests/Engines/test_rewritten.py --callcheck .build/release/callcheck

Engines that are not installed are left out. Each one's answer must be in the table of Internals/formats.md.
"""

import argparse
import gzip
import importlib.metadata
import importlib.util
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))
SAMPLE = os.path.join(ROOT, "samples/one-day-gen2-stdout-and-stderr.json.gz")
PAGE = os.path.join(ROOT, "Sources/callcheck/Documentation.docc/Internals/formats.md")


def duckdb():
    import duckdb

    def through_parquet():
        connection = duckdb.connect()
        connection.execute("COPY (FROM 'log.json') TO 'log.parquet'")
        connection.execute("COPY (FROM 'log.parquet') TO 'copy' (FORMAT json)")

    yield "COPY … (FORMAT json)", lambda: duckdb.connect().execute("COPY (FROM 'log.json') TO 'copy' (FORMAT json)")
    yield "to Parquet and back", through_parquet


def polars():
    import polars

    yield "read_ndjson, write_ndjson", lambda: polars.read_ndjson("log.json").write_ndjson("copy")
    yield "the same with infer_schema_length=None", lambda: polars.read_ndjson(
        "log.json", infer_schema_length=None).write_ndjson("copy")


def pandas():
    import pandas

    def rewrite(**options):
        pandas.read_json("log.json", lines=True, **options).to_json("copy", orient="records", lines=True)

    yield "read_json, to_json", rewrite
    yield "the same with dtype=False, convert_dates=False", lambda: rewrite(dtype=False, convert_dates=False)


def chdb():
    import chdb

    def rewrite():
        with open("copy", "w", encoding="utf-8") as file:
            file.write(str(chdb.query("SELECT * FROM file('log.json', JSONEachRow)", "JSONEachRow")))

    yield "JSONEachRow", rewrite


def daft():
    import daft

    yield "read_json, write_json", lambda: daft.read_json("log.json").write_json("copy")


def datafusion():
    import datafusion

    yield "read_json, write_json", lambda: datafusion.SessionContext().read_json("log.json").write_json("copy")


def pyspark():
    from pyspark.sql import SparkSession

    session = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
    folder = os.getcwd()
    yield "read.json, write.json", lambda: session.read.json(f"{folder}/log.json").write.json(f"{folder}/copy")


def told(program, path):
    """What callcheck says of a log, as far as it matters here."""
    run = subprocess.run([program, "--json", "-q", path], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    report = json.loads(run.stdout)
    functions = report["functions"]
    return {
        "requests": [(one["function"], one["app"]) for one in functions],
        "days": [one["daily"] for one in functions],
        "verdicts": [(one["function"], one["readiness"]["verdict"]) for one in functions],
        "clients": [one["clients"] for one in functions],
        "warnings": sorted(problem["kind"] for problem in report["input"]["problems"]),
    }


def result(rewrite, program, before):
    subprocess.run(["rm", "-rf", "copy"], check=True)
    try:
        rewrite()
    except Exception as error:
        print(repr(error)[:300], file=sys.stderr)
        return "none"
    after = told(program, "copy")
    lost = [name for name in before if name != "warnings" and before[name] != after[name]]
    kinds = "".join(f"; `{kind}`" for kind in sorted(set(after["warnings"]) - set(before["warnings"])))
    return ("other " + ", ".join(lost) if lost else "the same") + kinds


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--callcheck", required=True)
    program = os.path.abspath(parser.parse_args().callcheck)
    missing = []
    with open(PAGE, encoding="utf-8") as file:
        page = file.read().splitlines()
    for engine in (duckdb, polars, pandas, chdb, daft, datafusion, pyspark):
        if importlib.util.find_spec(engine.__name__) is None:
            continue
        version = importlib.metadata.version(engine.__name__)
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            with gzip.open(SAMPLE) as packed, open("log.json", "wb") as plain:
                plain.write(packed.read())
            before = told(program, "log.json")
            for how, rewrite in engine():
                answer = result(rewrite, program, before)
                print(f"{engine.__name__} {version}, {how}: {answer}", flush=True)
                if not any(line.startswith(f"| {answer}") and f"{engine.__name__} {version}" in line for line in page):
                    missing.append(f"{engine.__name__} {version}, {how}: {answer}")
            os.chdir("/")
    if missing:
        sys.exit("not in formats.md:\n" + "\n".join(missing))


main()
