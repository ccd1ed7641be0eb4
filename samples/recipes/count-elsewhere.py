#!/usr/bin/env python3
"""Counts one thing with six tools: the requests without a token that scanReceipt got on 14 October.

    python3 -m pip install -r Tests/Engines/requirements.txt
    samples/recipes/count-elsewhere.py --callcheck .build/release/callcheck

It makes a part of a Cloud Storage sink's folder, and asks each tool with the query that most people type, of the folder
as it is and of its files unpacked, and with the query that is right. jq, gzip and Java must be installed.
"""

import argparse
import glob
import gzip
import json
import os
import shutil
import subprocess
import tempfile

FUNCTION, DAY, LABEL = "scanreceipt", "2026-10-14", "callable-request-verification"
numbers = iter(range(1, 10_000))


def entry(time, payload, labels=None, service=FUNCTION):
    return {
        "insertId": f"{next(numbers):024x}",
        "logName": "projects/demo-prod/logs/run.googleapis.com%2Fstdout",
        "resource": {"type": "cloud_run_revision", "labels": {
            "service_name": service, "location": "us-central1", "project_id": "demo-prod"}},
        "timestamp": f"2026-10-{time}Z",
        "labels": {"goog-managed-by": "cloudfunctions"} | (labels or {}),
        "jsonPayload": payload,
    }


def requests(count, app, hour, service=FUNCTION):
    """What the SDK writes for each request."""
    payload = {"message": "Callable request verification passed", "verifications": {"app": app, "auth": "VALID"}}
    return [entry(f"{hour}:{n:02}:07.25", payload, {"firebase-log-type": LABEL}, service) for n in range(count)]


def own(count, payload, hour):
    """What the function writes itself."""
    return [entry(f"{hour}:{n // 60:02}:{n % 60:02}.5", payload) for n in range(count)]


def lines(entries):
    return "".join(json.dumps(each, separators=(",", ":")) + "\n" for each in entries).encode()


def make_log(folder):
    """Six objects of the sink; 46 requests without a token are the answer."""
    padded = requests(5, "MISSING", "14T13")
    objects = {
        # The day before, and another function.
        "13/23:00:00_23:59:59_S0.json": lines(
            own(120, {"message": "receipt stored", "bytes": 48213}, "13T23") + requests(6, "MISSING", "13T23")),
        "14/09:00:00_09:59:59_S0.json": lines(requests(9, "MISSING", "14T09", "ratedriver")),
        # Some lines of the function itself have a key of the same name that means something else.
        "14/00:00:00_00:59:59_S0.json": lines(
            own(8, {"message": "profile", "verifications": {"app": "MISSING", "email": "VALID"}}, "14T00")
            + requests(30, "VALID", "14T00") + requests(20, "MISSING", "14T00")),
        # Two gzip members, as a tool writes that appends.
        "14/12:00:00_12:59:59_S0.json.gz": gzip.compress(lines(requests(10, "VALID", "14T12") + requests(10, "MISSING", "14T12")), mtime=0)
        + gzip.compress(lines(requests(7, "MISSING", "14T12") + requests(3, "VALID", "14T12")), mtime=0),
        # Zeros to the end of a block, as a tape leaves it.
        "14/13:00:00_13:59:59_S0.json.gz": gzip.compress(lines(padded), mtime=0).ljust(4096, b"\0"),
        # What came late: an addendum in the next day's folder, with three copies from a second sink.
        "15/00:00:00_00:59:59_A0:1792022460.json": lines(
            requests(4, "MISSING", "14T23") + padded[:3] + requests(2, "MISSING", "15T00")),
    }
    for name, content in objects.items():
        path = os.path.join(folder, "run.googleapis.com/stdout/2026/10", name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content)


def unpack(folder, copy):
    """The same entries in plain files, with names that Spark takes."""
    for name in glob.glob(f"{folder}/**/*.json*", recursive=True):
        plain = name.replace(folder, copy, 1).replace(":", "_").removesuffix(".gz")
        os.makedirs(os.path.dirname(plain), exist_ok=True)
        with open(plain, "wb") as file:
            subprocess.run(["gzip", "-dc", name] if name.endswith(".gz") else ["cat", name], stdout=file, check=True)


def answer(query):
    """A number, or that there is none."""
    try:
        return query()
    except Exception:
        return "stops"


def shell(command):
    return int(subprocess.run(["bash", "-c", command], check=True, capture_output=True, text=True).stdout)


def jq():
    version = subprocess.run(["jq", "--version"], check=True, capture_output=True, text=True).stdout.strip()
    wanted = f'.jsonPayload.verifications.app == "MISSING" and .resource.labels.service_name == "{FUNCTION}"'
    right = f'{wanted} and .labels["firebase-log-type"] == "{LABEL}" and (.timestamp | startswith("{DAY}"))'
    right = f"[inputs | select({right})] | unique_by([.timestamp, .insertId]) | length"
    return (
        f"jq {version.removeprefix('jq-')}",
        lambda files: shell(f"zcat -f {files}/*/*/2026/10/14/* | jq -c 'select({wanted})' | wc -l"),
        lambda files: shell(f"find {files} -type f | sort | xargs cat | jq -n '{right}'"),
    )


def duckdb():
    import duckdb

    def ask(query):
        return duckdb.connect().execute(query).fetchall()[0][0]

    return (
        f"DuckDB {duckdb.__version__}",
        lambda files: ask(f"""
            SELECT count(*) FROM read_json('{files}/**/*.json*') WHERE jsonPayload.verifications.app = 'MISSING'
            AND resource.labels.service_name = '{FUNCTION}' AND timestamp::DATE = '{DAY}'"""),
        lambda files: ask(f"""
            SELECT count(DISTINCT (json->>'timestamp', json->>'insertId')) FROM read_json_objects('{files}/**/*.json*')
            WHERE (json->'labels'->>'firebase-log-type') = '{LABEL}'
            AND (json->>'$.jsonPayload.verifications.app') = 'MISSING'
            AND (json->>'$.resource.labels.service_name') = '{FUNCTION}' AND (json->>'timestamp') LIKE '{DAY}%'"""),
    )


def polars():
    import polars
    from polars import col

    def wanted(frame):
        app = col("jsonPayload").struct.field("verifications").struct.field("app")
        service = col("resource").struct.field("labels").struct.field("service_name")
        return frame.filter((app == "MISSING") & (service == FUNCTION) & col("timestamp").str.starts_with(DAY))

    def right(files):
        read = polars.scan_ndjson(f"{files}/**/*.json*", infer_schema_length=None)
        label = col("labels").struct.field("firebase-log-type")
        return wanted(read.filter(label == LABEL)).unique(["timestamp", "insertId"]).collect().height

    return (
        f"polars {polars.__version__}",
        lambda files: wanted(polars.scan_ndjson(f"{files}/**/*.json*")).collect().height,
        right,
    )


def spark():
    import pyspark
    from pyspark.sql import SparkSession

    session = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
    session.sparkContext.setLogLevel("OFF")

    def wanted(files, day):
        return session.read.json(f"{files}/*/*/*/*/*/*").where(f"""jsonPayload.verifications.app = 'MISSING'
            AND resource.labels.service_name = '{FUNCTION}' AND {day}""")

    return (
        f"Spark {pyspark.__version__}",
        lambda files: wanted(files, f"date(timestamp) = '{DAY}'").count(),
        lambda files: wanted(files, f"timestamp LIKE '{DAY}%'").where(f"labels.`firebase-log-type` = '{LABEL}'")
        .dropDuplicates(["timestamp", "insertId"]).count(),
    )


def bigquery():
    """The sink's other form: rows whose labels BigQuery has renamed, in its dialect, which DuckDB runs here."""
    import duckdb
    import sqlglot

    def ask(files, query):
        connection = duckdb.connect()
        connection.execute("SET timezone = 'UTC'")
        connection.execute(f"""CREATE VIEW stdout AS SELECT timestamp, insertId, resource, jsonPayload,
            {{'firebase_log_type': labels."firebase-log-type"}} AS labels FROM read_json('{files}/**/*.json*')""")
        return connection.execute(sqlglot.transpile(query, read="bigquery", write="duckdb")[0]).fetchall()[0][0]

    where = f"""jsonPayload.verifications.app = 'MISSING' AND resource.labels.service_name = '{FUNCTION}'
        AND DATE(timestamp) = '{DAY}'"""
    return (
        "BigQuery's SQL",
        lambda files: ask(files, f"SELECT COUNT(*) FROM stdout WHERE {where}") if files == "unpacked" else "",
        lambda files: ask(files, f"""SELECT COUNT(*) FROM (SELECT DISTINCT timestamp, insertId FROM stdout
            WHERE {where} AND labels.firebase_log_type = '{LABEL}')"""),
    )


def callcheck(program):
    def count(files):
        run = subprocess.run([program, "--json", "-q", files], check=True, capture_output=True)
        found = [function for function in json.loads(run.stdout)["functions"] if function["function"] == FUNCTION]
        return next(day["MISSING"] for day in found[0]["daily"] if day["date"] == DAY)

    return "callcheck", count, count


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--callcheck", default=shutil.which("callcheck"), help="the program (default: the one of PATH)")
    program = parser.parse_args().callcheck or parser.error("there is no callcheck on PATH: --callcheck names it")
    program = os.path.abspath(program)
    os.environ["TZ"] = "America/New_York"  # A laptop's; Cloud Logging's days are those of UTC.
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        make_log("logs")
        unpack("logs", "unpacked")
        print("| tool | the folder as it is | unpacked | the query that is right |")
        print("|---|---|---|---|")
        for tool in (jq, duckdb, polars, spark, bigquery, lambda: callcheck(program)):
            name, typed, right = tool()
            row = [name, *(answer(lambda: typed(files)) for files in ("logs", "unpacked")), right("unpacked")]
            print("| " + " | ".join(map(str, row)) + " |", flush=True)
        os.chdir("/")


main()
