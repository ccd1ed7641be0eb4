#!/usr/bin/env bash
# A writer that fails halfway leaves a gzip file that passes every check.
#
# Version:  isal 1.9.1, zlib-ng 1.1.0, pgzip 0.4.0, mgzip 0.2.5, bgzip 0.5.1 (PyPI), in Python's `with`.
# Guess:    an exception in the middle leaves a stream without its trailer: `gzip -t` refuses it, and the next step stops.
# Behaviour: leaving the block closes the stream properly, trailer, length and check sum. `gzip -t` is content with the
#           first part of the log.
# Output seen:
#   isal igzip            gzip -t: 0, lines: 60000 of 100000
#   isal igzip_threaded   gzip -t: 0, lines: 60000 of 100000
#   zlib-ng gzip_ng       gzip -t: 0, lines: 60000 of 100000
#   pgzip                 gzip -t: 0, lines: 60000 of 100000
#   mgzip                 gzip -t: 0, lines: 60000 of 100000
#   bgzip                 gzip -t: 0, lines: 60000 of 100000
# Why it hurts: an export that times out on page 60 of 100 inside `with open(...)` leaves its name in the folder that the
#           nightly job reads. Format, check sum and length are right and days are missing. Only a rename after the
#           last byte, or a count that is kept elsewhere, shows the difference.
set -euo pipefail
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; cd "$work"
{ python3 -m venv env && env/bin/pip install --quiet --no-compile --disable-pip-version-check \
  isal==1.9.1 zlib-ng==1.1.0 pgzip==0.4.0 mgzip==0.2.5 bgzip==0.5.1; } || exit 2

cat > run.py <<'PY'
import gzip, subprocess
import bgzip, mgzip, pgzip
from isal import igzip, igzip_threaded
from zlib_ng import gzip_ng

writers = {
    "isal igzip": lambda name: igzip.open(name, "wb"),
    "isal igzip_threaded": lambda name: igzip_threaded.open(name, "wb", threads=1),
    "zlib-ng gzip_ng": lambda name: gzip_ng.open(name, "wb"),
    "pgzip": lambda name: pgzip.open(name, "wb", thread=2),
    "mgzip": lambda name: mgzip.open(name, "wb", thread=2),
    "bgzip": lambda name: bgzip.BGZipWriter(open(name, "wb")),
}
for title, opened in writers.items():
    name = title.replace(" ", "-") + ".json.gz"
    try:
        with opened(name) as file:
            for number in range(100_000):
                if number == 60_000:
                    raise TimeoutError("page 60")
                file.write(b'{"insertId": "%06d"}\n' % number)
    except TimeoutError:
        pass
    status = subprocess.run(["gzip", "-t", name], stderr=subprocess.DEVNULL).returncode
    lines = gzip.open(name).read().count(b"\n")
    print(f"{title:<21} gzip -t: {status}, lines: {lines} of 100000")
PY
seen=$(env/bin/python run.py 2>errors) || { cat errors >&2; exit 2; }
printf '%s\n' "$seen"
diff - <(printf '%s\n' "$seen") <<'TEXT' || exit 1
isal igzip            gzip -t: 0, lines: 60000 of 100000
isal igzip_threaded   gzip -t: 0, lines: 60000 of 100000
zlib-ng gzip_ng       gzip -t: 0, lines: 60000 of 100000
pgzip                 gzip -t: 0, lines: 60000 of 100000
mgzip                 gzip -t: 0, lines: 60000 of 100000
bgzip                 gzip -t: 0, lines: 60000 of 100000
TEXT
