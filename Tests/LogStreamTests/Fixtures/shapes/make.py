#!/usr/bin/env python3
"""Writes one and the same log in every shape that it was seen in: 40 requests VALID, 6 MISSING, 4 INVALID.

Also written: `shapes.tsv`, which says of each file whether it is read and what it is, in the words of the
documentation, and `log.ndjson`, a log of another project that passes. All values are invented; the shapes are those
that the programs write.
"""

import base64
import csv
import io
import json

PROJECT, REGION, FUNCTION = "shapes-demo", "us-central1", "getThing"
STATUSES = ["INVALID" if n % 12 == 5 else "MISSING" if n % 8 == 3 else "VALID" for n in range(50)]
MARK = "callable-request-verification"
ESCAPED = MARK.replace("-", "\\u002d")


def entries():
    """What Cloud Logging has of each request: its row, why a token was refused, the verification."""
    found = []
    for number, app in enumerate(STATUSES):
        time = f"2026-10-05T{number // 4:02}:{number % 4 * 15:02}:00"
        trace, span = f"{number + 1:032x}", number + 1001
        resource = {"type": "cloud_run_revision", "labels": {
            "configuration_name": FUNCTION.lower(), "location": REGION, "project_id": PROJECT,
            "revision_name": f"{FUNCTION.lower()}-00001-abc", "service_name": FUNCTION.lower()}}
        labels = {"deployment-callable": "true", "execution_id": f"exec{number:08}",
                  "goog-drz-cloudfunctions-id": FUNCTION.lower(), "goog-managed-by": "cloudfunctions",
                  "instanceId": "0069c766a024"}

        def entry(place, stream, severity, payload, more=None):
            return {
                "insertId": f"{number:02}{place:02}c751b2b3be6c60c", **payload, "labels": {**labels, **(more or {})},
                "logName": f"projects/{PROJECT}/logs/run.googleapis.com%2F{stream}",
                "receiveTimestamp": f"{time}.{place:03}900Z", "resource": resource, "severity": severity,
                "spanId": f"{span:016x}" if stream == "requests" else str(span),
                "timestamp": f"{time}.{place:03}000Z", "trace": f"projects/{PROJECT}/traces/{trace}"}

        request = {"remoteIp": f"203.0.113.{number + 1}", "requestMethod": "POST", "requestSize": "827",
                   "requestUrl": f"https://{REGION}-{PROJECT}.cloudfunctions.net/{FUNCTION}", "status": 200,
                   "userAgent": "com.example.shapes/1.0 iPhone/18.6 hw/iPhone15_3"}
        found.append(entry(0, "requests", "INFO", {"httpRequest": request}))
        refused = app == "INVALID"
        if refused:
            found.append(entry(4, "stderr", "WARNING", {"textPayload": (
                "Failed to validate AppCheck token. FirebaseAppCheckError: Decoding App Check token failed. Make sure "
                "you passed the entire string JWT which represents the Firebase App Check token.")}))
        message = "failed: AppCheck token was rejected." if refused else "passed"
        found.append(entry(
            5, "stderr" if refused else "stdout", "WARNING" if refused else "DEBUG",
            {"jsonPayload": {"message": f"Callable request verification {message}",
                             "verifications": {"app": app, "auth": "VALID"}}}, {"firebase-log-type": MARK}))
        if refused:
            found.append(entry(6, "stderr", "WARNING", {"textPayload": (
                "Allowing request with invalid AppCheck token because enforcement is disabled")}))
    return found


LOG = entries()
VERIFICATIONS = [entry for entry in LOG if "firebase-log-type" in entry["labels"]]
COLUMNS = {name: [entry[name] for entry in VERIFICATIONS] for name in VERIFICATIONS[0]}
SHAPES = []


def write(name, outcome, what, text, encoding="utf-8"):
    """`outcome`: read, unread, or lost, where nothing tells any more how many requests there are.

    `what`: the row of the documentation; empty for one more of the shape before, or of a kind that has a row.
    """
    SHAPES.append((name, outcome, what))
    with open(name, "w", encoding=encoding, newline="") as file:
        file.write(text)


def lines(values):
    return "".join(json.dumps(value) + "\n" for value in values)


def get(entry, path):
    for key in path.split("."):
        entry = entry.get(key) if isinstance(entry, dict) else None
    return entry


def project(entry, *paths):
    found = {}
    for path in paths:
        if (value := get(entry, path)) is not None:
            *outer, last = path.split(".")
            place = found
            for key in outer:
                place = place.setdefault(key, {})
            place[last] = value
    return found


def without(entry, *keys):
    return {key: member for key, member in entry.items() if key not in keys}


def flat(value, prefix=""):
    found = {}
    for key, member in value.items():
        found |= flat(member, f"{prefix}{key}.") if isinstance(member, dict) else {prefix + key: member}
    return found


def rows(entries, columns):
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    for entry in entries:
        writer.writerow(flat(entry))
    return text.getvalue()


def gcloud_csv(entries, columns):
    """As the Cloud SDK's csv_printer.py writes it; `columns` are paths by heading."""
    def quoted(field):
        return f'"{field.replace(chr(34), chr(34) * 2)}"' if any(c in field for c in ';",\n') else field

    def cell(value):
        if isinstance(value, dict):
            return ";".join(quoted(f"{key}={member}") for key, member in sorted(value.items()))
        return quoted(str(value)) if value is not None else ""

    return "".join(",".join(row) + "\n" for row in [
        list(columns), *([cell(get(entry, path)) for path in columns.values()] for entry in entries)])


def yaml(value, indent=0):
    text = ""
    for key, member in sorted(value.items()):
        text += f"{' ' * indent}{key}:" + (
            "\n" + yaml(member, indent + 2) if isinstance(member, dict) else f" {member}\n")
    return text


def lower(value):
    if not isinstance(value, dict):
        return value
    return {key if "-" in key else key.lower(): lower(member) for key, member in value.items()}


def node(entry):
    metadata = {key: member for key, member in entry.items() if key not in ("jsonPayload", "textPayload")}
    kind = next((key for key in ("jsonPayload", "textPayload") if key in entry), "none")
    metadata |= {"payload": kind, "timestamp": entry["timestamp"][:23] + "Z",
                 "receiveTimestamp": {"seconds": "1791187200", "nanos": 0}}
    if kind == "jsonPayload":
        metadata["jsonPayload"] = {"fields": {}}
    return {"metadata": metadata} | ({"data": entry[kind]} if kind in entry else {})


def python(entry):
    return {
        "log_name": entry["logName"], "labels": entry["labels"], "insert_id": entry["insertId"],
        "severity": entry["severity"], "http_request": entry.get("httpRequest"),
        "timestamp": entry["timestamp"].replace("T", " ").replace("Z", "+00:00"),
        "resource": [entry["resource"]["type"], entry["resource"]["labels"]], "trace": entry["trace"],
        "span_id": entry["spanId"], "trace_sampled": False, "source_location": None, "operation": None,
        "logger": "Logger", "payload": entry.get("jsonPayload", entry.get("textPayload")),
        "received_timestamp": entry["receiveTimestamp"]}


def otlp(entry):
    def attributes(values):
        return [{"key": key, "value": {"stringValue": value} if isinstance(value, str) else
                 {"kvlistValue": {"values": attributes(value)}}} for key, value in values.items()]

    body = entry.get("jsonPayload")
    record = {"timeUnixNano": "1791187200000000000", "severityText": entry["severity"],
              "body": {"kvlistValue": {"values": attributes(body)}} if body else
              {"stringValue": entry.get("textPayload", "")},
              "attributes": attributes({"log.record.uid": entry["insertId"], **entry["labels"]})}
    return {"resourceLogs": [{"resource": {"attributes": attributes(entry["resource"]["labels"])},
                              "scopeLogs": [{"scope": {}, "logRecords": [record]}]}]}


def console(entry):
    payload = entry.get("jsonPayload")
    text = json.dumps(payload, separators=(",", ":")) if payload else entry["textPayload"]
    return f"{entry['timestamp']} {entry['severity'][0]} {FUNCTION.lower()}: {text}"


CONSOLE = [console(entry) for entry in LOG if "httpRequest" not in entry]

write("sink.ndjson", "read", "a sink's files", lines(LOG))
write("escapes.ndjson", "read", "the same, the label spelled with escapes", lines(LOG).replace(MARK, ESCAPED))
write("gcloud.json", "read", "`gcloud logging read --format=json`", json.dumps(LOG, indent=2, sort_keys=True) + "\n")
write("pages.json", "read", "pages of `entries.list`", lines([{"entries": LOG[:9], "nextPageToken": "EAE4"}, {"entries": LOG[9:]}]))
write("concatenated.json", "read", "entries without line feeds between them", "".join(json.dumps(entry) for entry in LOG))
write("powershell.json", "read", "PowerShell's `ConvertTo-Json`", json.dumps(LOG, indent=4), "utf-8-sig")
write("projection.json", "read", "`--format='json(timestamp,labels,resource,jsonPayload)'`", json.dumps([
    project(entry, "timestamp", "labels", "resource", "jsonPayload") for entry in VERIFICATIONS], indent=2))
write("projection-statuses.json", "read", "the same with `jsonPayload.verifications` alone", json.dumps([project(
    entry, "timestamp", "insertId", "labels", "resource.labels", "jsonPayload.verifications")
    for entry in VERIFICATIONS], indent=2))
write("subscription-bigquery.ndjson", "read", "a Pub/Sub subscription's rows in BigQuery", lines({
    "subscription_name": "projects/1/subscriptions/s", "message_id": str(number), "attributes": "{}",
    "publish_time": entry["receiveTimestamp"].replace("T", " ").replace("Z", " UTC"), "data": json.dumps(entry)}
    for number, entry in enumerate(LOG)))
write("pubsub.ndjson", "read", "Pub/Sub messages", lines({
    "message": {"data": base64.b64encode(json.dumps(entry).encode()).decode(), "messageId": str(number)},
    "subscription": "s"} for number, entry in enumerate(LOG)))
write("lower-case.ndjson", "unread", "keys in lower case (Athena, Hive, Glue)", lines(lower(entry) for entry in LOG))
write("node.json", "read", "`getEntries` of the library for Node", json.dumps([node(entry) for entry in LOG]))
write("python.ndjson", "unread", "`entry._asdict()` of the library for Python", lines(python(entry) for entry in LOG))
write("explorer.csv", "unread", "CSV, downloaded from Logs Explorer", rows(VERIFICATIONS, sorted({key for entry in LOG for key in flat(entry)})))
write("gcloud.csv", "unread", "`gcloud logging read --format='csv(…)'` with labels and payload", gcloud_csv(VERIFICATIONS, {
    "timestamp": "timestamp", "insert_id": "insertId", "log_name": "logName", "labels": "labels",
    "labels_resource": "resource.labels", "json_payload": "jsonPayload", "text_payload": "textPayload",
    "http_request": "httpRequest", "trace": "trace", "span_id": "spanId"}))
write("cells.csv", "unread", "CSV of one cell, an entry in JSON", "".join(
    '"' + json.dumps(entry).replace('"', '""') + '"\n' for entry in VERIFICATIONS))
write("sink-grep.txt", "unread", "a sink's files through `grep -H`", "".join(
    f"day.json:{json.dumps(entry)}\n" for entry in VERIFICATIONS))
write("functions-log.txt", "read", "`firebase functions:log`", "\n".join(CONSOLE) + "\n")
write("functions-log-grep.txt", "unread", "the same through `grep -n`", "".join(
    f"{number}:{line}\n" for number, line in enumerate(CONSOLE, 1)))
write("functions-log-compose.txt", "unread", "the same behind a compose prefix", "".join(
    f"functions-1  | {line}\n" for line in CONSOLE))
write("functions-log-pasted.txt", "read", "the same, pasted into Markdown", "# Log\n\n```\n" + "\n".join(CONSOLE) + "\n```\n")
write("splunk-raw.ndjson", "read", "Splunk's events as they are (`{\"data\": ENTRY}`)", lines(
    {"data": entry, "publish_time": 1.7e9, "attributes": {"logging.googleapis.com/timestamp": entry["timestamp"]}}
    for entry in LOG))
write("splunk-export.ndjson", "unread", "Splunk's export", lines({"preview": False, "offset": number, "result": {
    "_raw": json.dumps({"data": entry}), "sourcetype": "google:gcp:pubsub:message"}}
    for number, entry in enumerate(LOG)))
write("logcli.ndjson", "unread", "Loki's `logcli -o jsonl`", lines({
    "labels": {"job": "gcplog"}, "line": json.dumps(entry), "timestamp": entry["timestamp"]} for entry in LOG))
write("logcli-escapes.ndjson", "unread", "the same, the label spelled with escapes", lines({
    "labels": {"job": "gcplog"}, "line": json.dumps(entry).replace(MARK, ESCAPED), "timestamp": entry["timestamp"]}
    for entry in LOG))
write("elasticdump.ndjson", "unread", "`elasticdump` of Filebeat's index", lines({
    "_index": ".ds-logs-gcp", "_id": entry["insertId"], "_score": 1, "_source": {
        "@timestamp": entry["timestamp"], "message": json.dumps(entry), "input": {"type": "gcp-pubsub"}}}
    for entry in LOG))
write("datadog.ndjson", "unread", "Datadog's archive", lines({
    "_id": entry["insertId"], "date": entry["timestamp"], "service": FUNCTION.lower(), "source": "gcp.cloud.run",
    "attributes": {"data": entry, "publishTime": entry["receiveTimestamp"]},
    "message": json.dumps(entry.get("jsonPayload", {}))} for entry in LOG))
write("vector.ndjson", "unread", "Vector's `gcp_pubsub` source", lines({
    "attributes": {}, "message": json.dumps(entry), "message_id": str(number), "source_type": "gcp_pubsub",
    "timestamp": entry["receiveTimestamp"]} for number, entry in enumerate(LOG)))
write("mcp.json", "unread", "a result of the Model Context Protocol", json.dumps(
    {"content": [{"type": "text", "text": json.dumps({"entries": LOG})}]}))
write("flat.ndjson", "unread", "objects made flat (`json_normalize` of pandas)", lines(flat(entry) for entry in LOG))
write("otlp.ndjson", "unread", "OTLP, of OpenTelemetry's collector", lines(otlp(entry) for entry in LOG))
write("time-series.json", "lost", "Cloud Monitoring's `timeSeries` of a log-based metric", json.dumps({"timeSeries": [{
    "metric": {"type": "logging.googleapis.com/user/callable_verifications", "labels": {"app": app, "auth": "VALID"}},
    "resource": {"type": "cloud_run_revision", "labels": {"service_name": FUNCTION.lower(), "project_id": PROJECT}},
    "metricKind": "DELTA", "valueType": "INT64", "points": [{
        "interval": {"startTime": "2026-10-05T00:00:00Z", "endTime": "2026-10-06T00:00:00Z"},
        "value": {"int64Value": str(STATUSES.count(app))}}]} for app in ("VALID", "MISSING", "INVALID")]}, indent=1))
write("renamed.ndjson", "lost", "fields under other names (`jq '{ts, fn, app, auth}'`)", lines({
    "ts": entry["timestamp"], "fn": FUNCTION.lower(), **entry["jsonPayload"]["verifications"]}
    for entry in VERIFICATIONS))
write("renamed-timestamp.ndjson", "lost", "", lines({
    "timestamp": entry["timestamp"], "fn": FUNCTION.lower(), **entry["jsonPayload"]["verifications"]}
    for entry in VERIFICATIONS))
write("bare-entries.ndjson", "lost", "a projection that keeps keys of an entry, and not its label and payload", lines({
    **without(entry, "labels", "jsonPayload"), **entry["jsonPayload"]["verifications"]} for entry in VERIFICATIONS))
write("payload-elsewhere.ndjson", "unread", "", lines({
    **without(entry, "labels", "jsonPayload"), "payload": entry["jsonPayload"]} for entry in VERIFICATIONS))
# `to_json()` of pandas, with orient="split" and "values"; `to_pydict()` of pyarrow; JSONColumns, JSONCompact and
# JSONCompactEachRow of ClickHouse.
write("columns.json", "unread", "tables by columns, rows as lists, lists of pairs (pandas, pyarrow, polars, ClickHouse)", json.dumps(
    {name: {str(number): cell for number, cell in enumerate(cells)} for name, cells in COLUMNS.items()}))
write("column-lists.json", "unread", "", json.dumps(COLUMNS))
write("split.json", "unread", "", json.dumps(
    {"columns": list(COLUMNS), "data": list(zip(*COLUMNS.values()))}))
write("rows.json", "unread", "", json.dumps(list(zip(*COLUMNS.values())), indent=1))
write("compact-rows.ndjson", "unread", "", lines(zip(*COLUMNS.values())))
write("compact-objects.ndjson", "unread", "", lines(
    zip(COLUMNS["labels"], COLUMNS["jsonPayload"], COLUMNS["resource"], COLUMNS["timestamp"])))
write("pairs.ndjson", "unread", "", lines(
    [[name, entry.get(name)] for name in COLUMNS] for entry in VERIFICATIONS))
write("deeper.ndjson", "unread", "", lines(
    {"timestamp": entry["timestamp"], "jsonPayload": entry} for entry in VERIFICATIONS))
write("no-statuses.json", "unread", "`--format='json(timestamp,labels)'`", json.dumps([
    project(entry, "timestamp", "labels", "resource", "jsonPayload.message") for entry in VERIFICATIONS], indent=2))
write("message-alone.json", "unread", "`--format='json(resource,jsonPayload.message)'`", json.dumps([
    project(entry, "timestamp", "resource", "jsonPayload.message") for entry in VERIFICATIONS], indent=2))
write("python-objects.txt", "unread", "Python's `print(entry.to_api_repr())`", "".join(repr(entry) + "\n" for entry in VERIFICATIONS))
write("gcloud.yaml", "unread", "`gcloud logging read` without `--format`", "".join("---\n" + yaml(entry) for entry in VERIFICATIONS))
write("table.txt", "lost", "`--format='table(…)'`", "TIMESTAMP                    SERVICE_NAME  APP      AUTH\n" + "".join(
    f"{entry['timestamp']}  {FUNCTION.lower()}      {entry['jsonPayload']['verifications']['app']:8} VALID\n"
    for entry in VERIFICATIONS))
write("value.txt", "lost", "`--format='value(…)'`", "".join(
    f"{entry['timestamp']}\t{FUNCTION.lower()}\t{entry['jsonPayload']['verifications']['app']}\tVALID\n"
    for entry in VERIFICATIONS))
write("utf16.json", "unread", "UTF-16, as `>` in PowerShell writes it", json.dumps(LOG, indent=2), "utf-16")

with open("log.ndjson", "w") as file:
    file.write(lines({
        "insertId": f"{day}-{number}", "timestamp": f"2026-{9 + day // 30:02}-{day % 30 + 1:02}T{number + 8:02}:00:00Z",
        "resource": {"type": "cloud_function", "labels": {
            "function_name": "passes", "region": REGION, "project_id": "shapes-passing"}}, "severity": "DEBUG",
        "labels": {"firebase-log-type": MARK}, "logName": "projects/shapes-passing/logs/cloud-functions",
        "jsonPayload": {"message": "Callable request verification passed",
                        "verifications": {"app": "VALID", "auth": "VALID"}}}
        for day in range(7, 35) for number in range(15)))

with open("shapes.tsv", "w") as file:
    file.writelines("\t".join(shape) + "\n" for shape in SHAPES)
