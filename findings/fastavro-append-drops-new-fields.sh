#!/usr/bin/env bash
# A field that is new since yesterday is not in the file that it was appended to.
#
# Version:  fastavro 1.13.1 (PyPI), writer() on a file opened with "a+b".
# Guess:    appending with a schema that is not the file's is an error, or the new field is added.
# Behaviour: the schema that is passed is ignored: records are written with the one in the file's header, and what it
#           does not know is left out, without a warning. A field that it has and the records lack becomes its default.
# Output seen:
#   field added:   {'app': 'VALID', 'count': 3} {'app': 'MISSING', 'count': 1}
#   field renamed: {'app': 'VALID', 'count': 3} {'app': 'UNKNOWN', 'count': 1}
#   the same, in a new file: {'appCheck': 'MISSING', 'count': 1, 'revision': 'f-2'}
# Why it hurts: a job that appends each hour to a day's file gets a new release at noon. Until midnight everything that
#           the release added is lost, and a field that was renamed is a default: a status that was MISSING counts as
#           whatever the old schema falls back to. The first file of the next day is right, so tests on new files pass.
set -euo pipefail
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; cd "$work"
{ python3 -m venv env && env/bin/pip install --quiet --no-compile --disable-pip-version-check fastavro==1.13.1; } || exit 2

cat > run.py <<'PY'
import fastavro

def schema(status, *more):
    fields = [{"name": status, "type": "string", "default": "UNKNOWN"}, {"name": "count", "type": "long"}]
    return fastavro.parse_schema({"type": "record", "name": "entry", "fields": fields + [
        {"name": name, "type": ["null", "string"], "default": None} for name in more]})

def append(title, name, schema, record):
    with open(name, "a+b") as file:
        fastavro.writer(file, schema, [record], validator=True)
    with open(name, "rb") as file:
        print(title, *fastavro.reader(file))

for title, name, new, record in (
    ("field added:  ", "added.avro", schema("app", "revision"), {"app": "MISSING", "count": 1, "revision": "f-2"}),
    ("field renamed:", "renamed.avro", schema("appCheck"), {"appCheck": "MISSING", "count": 1}),
):
    with open(name, "wb") as file:
        fastavro.writer(file, schema("app"), [{"app": "VALID", "count": 3}])
    append(title, name, new, record)
append("the same, in a new file:", "new.avro", schema("appCheck", "revision"),
       {"appCheck": "MISSING", "count": 1, "revision": "f-2"})
PY
seen=$(env/bin/python run.py 2>errors) || { cat errors >&2; exit 2; }
printf '%s\n' "$seen"
diff - <(printf '%s\n' "$seen") <<'TEXT' || exit 1
field added:   {'app': 'VALID', 'count': 3} {'app': 'MISSING', 'count': 1}
field renamed: {'app': 'VALID', 'count': 3} {'app': 'UNKNOWN', 'count': 1}
the same, in a new file: {'appCheck': 'MISSING', 'count': 1, 'revision': 'f-2'}
TEXT
