#!/usr/bin/env bash
# A SELECT changes the SQLite file that it reads.
#
# Version:  pyturso 0.8.3 (PyPI), an engine that is compatible with SQLite's file format.
# Guess:    counting rows leaves the bytes of the file as they are.
# Behaviour: opening it turns a file in rollback mode into one in WAL mode: bytes 18 and 19 of the header change, and a
#           -wal file stays beside it after close.
# Output seen:
#   before:       journal bytes 1 1, files: store.db
#   SELECT gives: 100
#   after:        journal bytes 2 2, files: store.db, store.db-wal
#   same check sum: False
# Why it hurts: a store that is checked by its hash, kept in version control or delivered as an artifact is a different
#           file after somebody looked at it. In WAL mode it can no longer be opened in a folder without write access,
#           and its -wal has to travel with it from now on.
set -euo pipefail
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; cd "$work"
{ python3 -m venv env && env/bin/pip install --quiet --no-compile --disable-pip-version-check pyturso==0.8.3; } || exit 2

cat > run.py <<'PY'
import hashlib, os, sqlite3
import turso

store = sqlite3.connect("store.db")
store.execute("CREATE TABLE entries(id INTEGER)")
store.executemany("INSERT INTO entries VALUES (?)", [(n,) for n in range(100)])
store.commit()
store.close()

def show(title):
    with open("store.db", "rb") as file:
        content = file.read()
    names = ", ".join(sorted(name for name in os.listdir() if name.startswith("store.db")))
    print(f"{title:<13} journal bytes {content[18]} {content[19]}, files: {names}")
    return hashlib.sha256(content).digest()

before = show("before:")
reader = turso.connect("store.db")
print("SELECT gives:", *reader.execute("SELECT count(*) FROM entries").fetchone())
reader.close()
print("same check sum:", show("after:") == before)
PY
seen=$(env/bin/python run.py 2>errors) || { cat errors >&2; exit 2; }
printf '%s\n' "$seen"
diff - <(printf '%s\n' "$seen") <<'TEXT' || exit 1
before:       journal bytes 1 1, files: store.db
SELECT gives: 100
after:        journal bytes 2 2, files: store.db, store.db-wal
same check sum: False
TEXT
