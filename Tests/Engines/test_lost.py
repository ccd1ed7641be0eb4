"""What libraries lose or change of a log on the way to a count, compared with the table of count-it.md.

    python3 -m pip install -r Tests/Engines/requirements.txt
    python3 Tests/Engines/test_lost.py --callcheck .build/release/callcheck
"""

import argparse
import collections
import gzip
import importlib.metadata
import json
import os
import subprocess
import sys
import tempfile

import duckdb
import pandas
import polars
import ua_parser
from google.cloud.logging_v2.types import LogEntry

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))
SAMPLE = os.path.join(ROOT, "samples/one-day-gen2-stdout-and-stderr.json.gz")
PAGE = os.path.join(ROOT, "Sources/callcheck/Documentation.docc/count-it.md")


def version(name):
    return importlib.metadata.version(name)


def cast(entries):
    spans = [str(int(entry["spanId"], 16)) for entry in entries if "spanId" in entry]
    with open("spans.json", "w", encoding="utf-8") as file:
        file.writelines(json.dumps({"spanId": span}) + "\n" for span in spans)
    pandas.read_json("spans.json", lines=True).to_json("spans", orient="records", lines=True)
    with open("spans", encoding="utf-8") as file:
        kept = sum(json.loads(line)["spanId"] == span for line, span in zip(file, spans))
    yield f"pandas {version('pandas')}", "`read_json`, `to_json`: a `spanId` in decimal", f"{kept} of {len(spans):,} are the same"
    duckdb.sql("COPY (SELECT timestamp FROM read_json('log.json')) TO 'times' (FORMAT json)")
    with open("times", encoding="utf-8") as file:
        digits = max(len(json.loads(line)["timestamp"].split(".")[-1].split("+")[0]) for line in file)
    yield f"DuckDB {version('duckdb')}", "`read_json`: digits of a second", f"{digits}, 9 were logged"


def to_bytes(entries):
    """DuckDB keeps payloads of different shapes as JSON, and Parquet has a type for that."""
    duckdb.sql("""COPY (SELECT json->'jsonPayload' AS payload FROM read_json_objects('log.json'))
        TO 'log.parquet' (FORMAT parquet)""")
    kind = polars.read_parquet("log.parquet").schema["payload"]
    yield f"DuckDB {version('duckdb')}, polars {version('polars')}", "a JSON column through Parquet", f"`{kind}`, not text"


def own_json(entries):
    read = [LogEntry.from_json(json.dumps(entry)) for entry in entries]
    written = [json.loads(LogEntry.to_json(entry)) for entry in read]
    for name, library in (("to_json", written), ("to_dict", map(LogEntry.to_dict, read))):
        with open(name, "w", encoding="utf-8") as file:
            file.writelines(json.dumps(entry) + "\n" for entry in library)
    passes = sum(entry.get("severity") == "DEBUG" for entry in entries)
    found = sum(entry["severity"] == "DEBUG" for entry in written)
    [number] = {entry["severity"] for entry, was in zip(written, entries) if was.get("severity") == "DEBUG"}
    yield (
        f"google-cloud-logging {version('google-cloud-logging')}", "`LogEntry.to_json`: entries at DEBUG",
        f"{found} of {passes}: the severity is {number}")


def agents():
    """A hundred requests each; the last are those of a site that sends no tokens."""
    app = "com.example.demo/4.2.1 iPhone/18.5 hw/iPhone14_7"
    browser = (
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 "
        "(KHTML, like Gecko) Chrome/139.0.0.0 Safari/537.36")
    for status, agent, site in (
            ("VALID", app, None), ("VALID", "okhttp/4.12.0", None), ("VALID", browser, "www.example.com"),
            ("VALID", browser, "blog.example.com"), ("MISSING", browser, "shop.example.com")):
        yield from [(status, agent, site)] * 100


def callers(entries):
    found = collections.defaultdict(collections.Counter)
    for status, agent, _ in agents():
        result = ua_parser.parse(agent)
        system = result.os.family if result.os else "no system"
        found[f"{result.user_agent.family}, {system}"][status] += 1
    names = list(found)
    parser = f"ua-parser {version('ua-parser')}"
    yield parser, "an app on iOS", names[0]
    yield parser, "an app on Android", names[1]
    shares = found[names[2]]
    yield parser, "a site that sends no tokens", f"{shares['MISSING']} of {shares.total()} requests of {names[2].split(',')[0]}"


def told(program, path):
    run = subprocess.run([program, "--json", "-q", path], stdout=subprocess.PIPE)
    report = json.loads(run.stdout)
    return [(one["function"], one["appByAuth"], one["clients"], one["readiness"]["verdict"]) for one in report["functions"]]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--callcheck", required=True)
    program = os.path.abspath(parser.parse_args().callcheck)
    with open(PAGE, encoding="utf-8") as file:
        page = file.read()
    with gzip.open(SAMPLE, "rt", encoding="utf-8") as file:
        entries = [json.loads(line) for line in file]
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        with open("log.json", "w", encoding="utf-8") as file:
            file.writelines(json.dumps(entry) + "\n" for entry in entries)
        rows = [f"| {' | '.join(row)} |" for part in (cast, to_bytes, own_json, callers) for row in part(entries)]
        print("\n".join(rows))
        other = [name for name in ("to_json", "to_dict") if told(program, name) != told(program, "log.json")]
        os.chdir("/")
    missing = [row for row in rows if row not in page]
    if missing:
        sys.exit("not in count-it.md:\n" + "\n".join(missing))
    if other:
        sys.exit(f"callcheck reads {', '.join(other)} otherwise than the log")


main()
