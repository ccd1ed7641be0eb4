"""A stub of gcloud and bq: answers the commands that fetch, from log.ndjson, in the shape of each tool.

Cloud Logging gives entries. A BigQuery sink's tables have users' keys in lower case with underscores; an extract writes
integers as text and leaves out what is null. A query in Log Analytics prints one array in which all is text, columns of
type JSON too. Neither has more than microseconds.
"""

import csv
import gzip
import json
import re
import shutil
import sys
from collections import Counter, defaultdict
from pathlib import Path

BUCKETS = Path("buckets")
HTTP = """request_method request_url request_size status response_size user_agent remote_ip server_ip referer latency
    cache_lookup cache_hit cache_validated_with_origin_server cache_fill_bytes protocol""".split()
COUNTED = "project region function id generation labelled severity day hour app auth count first last row_count".split()
TEXT_STATUS = r"'%s': '([A-Z]+)'"


def entries(filter_text):
    """All that was logged; rows of requests only where they are asked for."""
    for line in Path("log.ndjson").read_text().splitlines():
        entry = json.loads(line)
        if "httpRequest" not in entry or "run.googleapis.com/requests" in filter_text:
            yield entry


def log_of(entry):
    return entry["logName"].rsplit("/", 1)[-1].replace("%2F", "/")


def renamed(value, name):
    """A value with other names for all keys, and all integers as text."""
    if isinstance(value, dict):
        return {name(key): renamed(inner, name) for key, inner in value.items()}
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def column(key):
    return re.sub("[^a-z0-9]", "_", key.lower()).lstrip("_")


def snake(key):
    return re.sub("[A-Z]", lambda letter: "_" + letter[0].lower(), key)


def sink_row(entry):
    """A row of a sink's table, as `bq extract` writes it."""
    row = {key: renamed(value, column if key in ("labels", "jsonPayload") else str) for key, value in entry.items()}
    for name in ("timestamp", "receiveTimestamp"):
        row[name] = entry[name].replace("T", " ").replace("Z", " UTC")
    text = json.dumps(row, separators=(",", ":"), ensure_ascii=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def analytics_row(entry, columns):
    """A row of a query in Log Analytics, as `bq query --format=json` prints it."""
    row = {snake(key): value for key, value in entry.items()}
    for name in ("labels", "json_payload"):
        row[name] = json.dumps(row[name]) if name in row else None
    row["resource"] = {"labels": json.dumps(entry["resource"]["labels"]), "type": entry["resource"]["type"]}
    if "http_request" in row:
        request = renamed(row["http_request"], snake)
        seconds, nanos = request["latency"].rstrip("s").split(".")
        request["latency"] = {"nanos": str(int(nanos)), "seconds": seconds}
        row["http_request"] = {name: request.get(name) for name in HTTP}
    return {name: row.get(name) for name in columns}


def counts():
    """The result of a query that counts: verifications by hour and status, and the standard error of each day."""
    counted, times, errors = Counter(), defaultdict(list), Counter()
    for entry in entries(""):
        labels, resource, payload = entry.get("labels", {}), entry["resource"], entry.get("jsonPayload", {})
        place, text, time = resource["labels"], entry.get("textPayload", ""), entry["timestamp"]
        if entry["logName"].endswith("run.googleapis.com%2Fstderr"):
            errors[place["project_id"], time[:10]] += 1
        labelled = "firebase-log-type" in labels
        if labelled or text.startswith("Callable request verification"):
            statuses = payload.get("verifications") or {
                name: re.search(TEXT_STATUS % name, text)[1] for name in ("app", "auth")
            }
            generation = 1 if resource["type"] == "cloud_function" else 2
            severity = entry.get("severity") if entry.get("severity") in ("DEBUG", "INFO") else "OTHER"
            name = place.get("service_name") or place["function_name"]
            region = place.get("location") or place["region"]
            row = (place["project_id"], region, name, labels.get("goog-drz-cloudfunctions-id"), generation,
                   str(labelled).lower(), severity, time[:10], int(time[11:13]), statuses["app"], statuses["auth"])
            counted[row] += 1
            times[row].append(time)
    rows = [(*row, count, min(times[row]), max(times[row])) for row, count in counted.items()]
    rows += [(project, *[None] * 3, 2, "false", None, day, *[None] * 3, count, None, None)
             for (project, day), count in errors.items()]
    return [(*row, len(rows)) for row in rows]


def print_array(rows, end):
    print("[\n" + ",\n".join("  " + json.dumps(row, indent=2).replace("\n", "\n  ") for row in rows) + end)


def gcloud(words):
    match words:
        case ["logging", "read", conditions, *_]:
            print_array(sorted(entries(conditions), key=lambda entry: entry["timestamp"], reverse=True), "\n]")
        case ["logging", "tail", conditions, *_]:
            print_array(entries(conditions), "")  # it ends when somebody stops it
        case ["logging", "sinks", "create", _, _, destination, conditions] if destination.startswith("storage."):
            for entry in entries(conditions):
                day, hour = entry["timestamp"][:10].replace("-", "/"), entry["timestamp"][11:13]
                file = BUCKETS / destination.split("/")[1] / log_of(entry) / day / f"{hour}:00:00_{hour}:59:59_S0.json"
                file.parent.mkdir(parents=True, exist_ok=True)
                with file.open("a") as lines:
                    lines.write(json.dumps(entry, separators=(",", ":")) + "\n")
        case ["storage", "rsync", source, target, "--recursive"]:
            shutil.copytree(BUCKETS / source.removeprefix("gs://"), target, dirs_exist_ok=True)
        case ["logging", "sinks", "describe", *_]:
            print("serviceAccount:sink@example.iam.gserviceaccount.com")


def bq(words):
    if words[0] == "extract":
        table, target = words[-2].split(".")[1], words[-1].removeprefix("gs://").replace("*", "0" * 12)
        rows = [sink_row(entry) for entry in entries("run.googleapis.com/requests")
                if column(log_of(entry)) == table]
        file = BUCKETS / target
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(gzip.compress("".join(row + "\n" for row in rows).encode()))
    elif "--format=json" in words:
        columns = re.search("SELECT(.*?)FROM", words[-1], re.DOTALL)[1]
        columns = [name.split()[-1] for name in re.sub(r"\([^)]*\)", "", columns).split(",")]
        print(json.dumps([analytics_row(entry, columns) for entry in entries(words[-1])]))
    elif "--format=csv" in words:
        assert "callable_" in sys.stdin.read()
        csv.writer(sys.stdout, lineterminator="\n").writerows([COUNTED, *counts()])


{"gcloud": gcloud, "bq": bq}[sys.argv[1]](sys.argv[2:])
