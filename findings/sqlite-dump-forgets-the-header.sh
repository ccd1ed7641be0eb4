#!/usr/bin/env bash
# A store that went through .dump is not the same store: version, application id and row ids are gone.
#
# Version:  sqlite3 and libsqlite3-0 3.40.1-2+deb12u2 (Debian 12).
# Guess:    `sqlite3 old.db .dump | sqlite3 new.db` gives the same database, since it is the usual way to move one
#           across versions.
# Behaviour: PRAGMA user_version and application_id are 0 afterwards, and rows of a table without INTEGER PRIMARY KEY are
#           numbered anew. `.clone` does the same. VACUUM INTO and .backup keep all three.
# Output seen:
#   original:    user_version 7, application_id 1128353867, row ids 6..10
#   .dump:       user_version 0, application_id 0, row ids 1..5
#   .clone:      user_version 0, application_id 0, row ids 1..5
#   VACUUM INTO: user_version 7, application_id 1128353867, row ids 6..10
#   .backup:     user_version 7, application_id 1128353867, row ids 6..10
# Why it hurts: programs keep their schema's version in user_version and recognise their file by application_id. After
#           the move a migration starts at version 0 on tables that are there, or the file is no longer recognised;
#           and whatever remembered a row's number now names another entry. Queries on the data show no difference.
set -euo pipefail
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; chmod 755 "$work"; cd "$work"
{ apt-get download -q sqlite3=3.40.1-2+deb12u2 libsqlite3-0=3.40.1-2+deb12u2 >/dev/null 2>&1 &&
  for package in *.deb; do dpkg -x "$package" root; done; } || exit 2
LD_LIBRARY_PATH=$(dirname "$(find "$work/root" -name libsqlite3.so.0)")
export LD_LIBRARY_PATH
sqlite() { root/usr/bin/sqlite3 -batch "$@"; }

sqlite store.db "PRAGMA user_version = 7; PRAGMA application_id = 1128353867; CREATE TABLE entries(time TEXT);
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10) INSERT INTO entries SELECT i FROM n;
  DELETE FROM entries WHERE rowid <= 5;"
sqlite store.db .dump | sqlite dumped.db
sqlite store.db '.clone cloned.db' >/dev/null
sqlite store.db "VACUUM INTO 'vacuumed.db'"
sqlite store.db '.backup backed-up.db'
show() {  # title, file
  printf '%-12s %s\n' "$1" "$(sqlite "$2" "SELECT 'user_version ' || (SELECT user_version FROM pragma_user_version)
    || ', application_id ' || (SELECT application_id FROM pragma_application_id)
    || ', row ids ' || min(rowid) || '..' || max(rowid) FROM entries")"
}
seen=$(show original: store.db; show .dump: dumped.db; show .clone: cloned.db; show "VACUUM INTO:" vacuumed.db
  show .backup: backed-up.db)
printf '%s\n' "$seen"
diff - <(printf '%s\n' "$seen") <<'TEXT' || exit 1
original:    user_version 7, application_id 1128353867, row ids 6..10
.dump:       user_version 0, application_id 0, row ids 1..5
.clone:      user_version 0, application_id 0, row ids 1..5
VACUUM INTO: user_version 7, application_id 1128353867, row ids 6..10
.backup:     user_version 7, application_id 1128353867, row ids 6..10
TEXT
