#!/usr/bin/env bash
# A restored backup is overwritten, on the next open, by what it was restored to undo.
#
# Version:  apsw 3.54.1.0 (PyPI), which is SQLite 3.54.1, the newest there is.
# Guess:    the write-ahead log knows its database: beside a file that was put back from a backup it is foreign (salts,
#           check sums) and is ignored or reported.
# Behaviour: the log's salts are checked against each other, not against the database. The next open plays it into the
#           restored file; integrity_check says ok.
# Output seen:
#   backup alone:             1000 entries, 0 spoiled, ok
#   restored beside its -wal: 500 entries, 500 spoiled, ok
#   -wal removed first:       1000 entries, 0 spoiled, ok
# Why it hurts: a job was killed after it had damaged the store, so its -wal is still there. Somebody copies last night's
#           file back, sees the right size and a passing check, and has the damage again. It happens whenever a backup
#           has fewer files than the folder that it goes to.
set -euo pipefail
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; cd "$work"
{ python3 -m venv env && env/bin/pip install --quiet --no-compile --disable-pip-version-check apsw==3.54.1.0; } || exit 2

cat > run.py <<'PY'
import os, shutil
import apsw

def show(title):
    store = apsw.Connection("store.db")
    entries, spoiled = next(store.execute("SELECT count(*), total(text = 'spoiled') FROM entries"))
    print(f"{title:<25} {entries} entries, {spoiled:.0f} spoiled,", *next(store.execute("PRAGMA integrity_check")))
    store.close()

if os.fork() == 0:  # the job that is killed
    store = apsw.Connection("store.db")
    store.execute("PRAGMA journal_mode = wal").fetchall()
    store.execute("CREATE TABLE entries(id INTEGER, text TEXT)")
    store.executemany("INSERT INTO entries VALUES (?, 'as logged')", [(n,) for n in range(1000)])
    store.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    store.execute("VACUUM INTO 'backup.db'")
    store.execute("DELETE FROM entries WHERE id % 2")
    store.execute("UPDATE entries SET text = 'spoiled'")
    os._exit(1)
os.wait()
shutil.copy("store.db-wal", "left-over")

def restore(wal):
    for name in ("store.db", "store.db-wal", "store.db-shm"):
        if os.path.exists(name):
            os.remove(name)
    shutil.copy("backup.db", "store.db")
    if wal:
        shutil.copy("left-over", "store.db-wal")

os.rename("store.db", "damaged.db")
restore(wal=False); show("backup alone:")
restore(wal=True); show("restored beside its -wal:")
restore(wal=False); show("-wal removed first:")
PY
seen=$(env/bin/python run.py 2>errors) || { cat errors >&2; exit 2; }
printf '%s\n' "$seen"
diff - <(printf '%s\n' "$seen") <<'TEXT' || exit 1
backup alone:             1000 entries, 0 spoiled, ok
restored beside its -wal: 500 entries, 500 spoiled, ok
-wal removed first:       1000 entries, 0 spoiled, ok
TEXT
