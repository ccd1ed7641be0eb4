"""Prints how engines write the times of a log that they have read: engine and version, form, value.

`engines.tsv` is what these print, each package alone in a venv (duckdb twice), with the locale C and TZ=UTC:

    for package in duckdb==1.5.6 duckdb==2.0.1 polars==2.1.0 pandas==3.1.1 chdb==4.4.0 daft==0.7.26 \\
        datafusion==55.0.0 pyspark==4.3.0
    do python3 -m venv env --clear && env/bin/pip install "$package" && env/bin/python make.py "${package%=*=*}"; done
"""

import glob
import json
import os
import sys
import tempfile

TIMES = ["2026-10-14T00:43:17.078869Z", "2026-10-14T23:59:59.500123Z"]


def duckdb():
    import duckdb

    for zone in ("UTC", "America/New_York", "Asia/Kolkata"):
        connection = duckdb.connect()
        connection.execute(f"SET timezone = '{zone}'")
        connection.execute("COPY (FROM 'log.json') TO 'out.json' (FORMAT json)")
        yield duckdb.__version__, f"COPY, {zone}", "out.json"


def polars():
    import polars

    read = polars.read_ndjson("log.json")
    read.write_ndjson("out.json")
    yield polars.__version__, "text", "out.json"
    time = polars.col("timestamp").str.to_datetime(time_zone="UTC")
    read.with_columns(time).write_ndjson("out.json")
    yield polars.__version__, "Datetime with a zone", "out.json"
    read.with_columns(time.dt.replace_time_zone(None)).write_ndjson("out.json")
    yield polars.__version__, "Datetime", "out.json"


def pandas():
    import warnings

    import pandas

    warnings.simplefilter("ignore")
    read = pandas.read_json("log.json", lines=True)
    for form, options in [("default", {})] + [
        (f"{form} {unit}", {"date_format": form, "date_unit": unit}) for form in ("epoch", "iso") for unit in ("ms", "us", "ns")
    ]:
        read.to_json("out.json", orient="records", lines=True, **options)
        yield pandas.__version__, form, "out.json"
    with open("out.json", "w") as file:
        file.writelines(json.dumps({"timestamp": str(time)}) + "\n" for time in read["timestamp"])
    yield pandas.__version__, "str()", "out.json"


def chdb():
    import chdb

    with open("out.json", "w") as file:
        file.write(str(chdb.query("SELECT * FROM file('log.json', JSONEachRow)", "JSONEachRow")))
    yield chdb.__version__, "JSONEachRow", "out.json"


def daft():
    import daft

    daft.read_json("log.json").write_json("out")
    yield daft.__version__, "write_json", glob.glob("out/*")[0]


def datafusion():
    import datafusion

    datafusion.SessionContext().read_json("log.json").write_json("out")
    yield datafusion.__version__, "write_json", glob.glob("out/*")[0]


def pyspark():
    import pyspark
    from pyspark.sql import SparkSession

    session = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
    for form, schema in (("text", "timestamp string"), ("timestamp", "timestamp timestamp")):
        session.read.schema(schema).json("log.json").coalesce(1).write.json(form)
        yield pyspark.__version__, form, glob.glob(f"{form}/part-*")[0]


os.chdir(tempfile.mkdtemp())
with open("log.json", "w") as log:
    log.writelines(json.dumps({"timestamp": time}) + "\n" for time in TIMES)
for version, form, name in globals()[sys.argv[1]]():
    with open(name) as file:
        for time, line in zip(TIMES, file):
            print(f"{sys.argv[1]} {version}", form, time, line.strip().split(":", 1)[1].strip().removesuffix("}"), sep="\t")
