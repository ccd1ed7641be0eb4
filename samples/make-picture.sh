#!/usr/bin/env bash
# Takes the picture in README.md, samples/report.png, of the page that callcheck writes today. Needs chromium and python3.
#
#   make-picture.sh [--check] [CALLCHECK]
#
# CALLCHECK is the program; without it, the one in the PATH. The picture carries the checksum of the page. With --check,
# nothing is written, and the exit status is 1 if the page has changed since the picture was taken.
set -euo pipefail

check=
if [ "${1:-}" = --check ]; then check=yes && shift; fi
[ $# -le 1 ] || { echo "usage: make-picture.sh [--check] [CALLCHECK]" >&2; exit 64; }
callcheck=$(realpath "$(command -v "${1:-callcheck}")")
cd "$(dirname "$0")"

work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
# As on the day after the log ended: how long ago that was is different every day.
SOURCE_DATE_EPOCH=1792044000 "$callcheck" --quiet --config /dev/null --output "$work/page.html" four-weeks-one-project.json.gz
sum=$(sha256sum < "$work/page.html" | cut -d' ' -f1)

if [ -n "$check" ]; then
    grep -q "$sum" report.png || { echo "The page has changed: run samples/make-picture.sh." >&2; exit 1; }
    exit
fi

chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --blink-settings=preferredColorScheme=1 \
    --window-size=1160,1180 --screenshot="$work/page.png" "$work/page.html" 2> "$work/errors" \
    || { cat "$work/errors" >&2; exit 1; }

# The same picture, compressed as far as it goes, with the checksum as its comment.
python3 - "$work/page.png" "$sum" > "$work/report.png" << 'END'
import struct, sys, zlib

def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

picture = open(sys.argv[1], "rb").read()
position, header, data = 8, b"", b""
while position < len(picture):
    length, kind = struct.unpack(">I4s", picture[position:position + 8])
    body = picture[position + 8:position + 8 + length]
    if kind == b"IHDR":
        header = body
    elif kind == b"IDAT":
        data += body
    position += 12 + length
comment = b"Comment\0SHA-256 of the page: " + sys.argv[2].encode()
sys.stdout.buffer.write(
    picture[:8] + chunk(b"IHDR", header) + chunk(b"tEXt", comment)
    + chunk(b"IDAT", zlib.compress(zlib.decompress(data), 9)) + chunk(b"IEND", b""))
END
mv "$work/report.png" report.png
