#!/usr/bin/env bash
# Makes the file system of an image from a package of callcheck: the program, the libraries it needs, and nothing else.
#
#   container-root.sh PACKAGE.deb DIRECTORY
set -euo pipefail

[ $# -eq 2 ] || { echo "usage: container-root.sh PACKAGE.deb DIRECTORY" >&2; exit 64; }
root=$2
mkdir -p "$root"/{dev,etc,proc,sys,work}
dpkg-deb --fsys-tarfile "$1" | tar --extract --directory "$root" ./usr/bin ./usr/share/doc/callcheck/copyright

# The loader looks for libraries at the same paths as here; it is a link itself, so links are followed.
ldd "$root/usr/bin/callcheck" | grep -o '/[^ ]*' | while read -r library; do
    install -D --mode 755 "$library" "$root$library"
done

echo 'callcheck:x:65532:65532::/work:/nonexistent' > "$root/etc/passwd"
echo 'callcheck:x:65532:' > "$root/etc/group"
