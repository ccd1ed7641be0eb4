#!/usr/bin/env bash
# Tries what make-deb.sh made: the package by Debian's own rules and in a Debian 12 without Swift, the image without an
# engine. Needs root.
#
#   check.sh DIRECTORY
set -euo pipefail

packages=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."
package=$(echo "$packages"/callcheck_*.deb)
sample=samples/four-weeks-one-project.json.gz
work=$(mktemp -d)
trap 'umount --quiet "$work"/*/proc; rm -rf --one-file-system "$work"' EXIT
fail() { echo "check.sh: $*" >&2; exit 1; }

(cd "$packages" && sha256sum --check SHA256SUMS)
lintian --fail-on error "$package"

dpkg-deb --extract "$package" "$work/files"
share=$work/files/usr/share
program=$work/files/usr/bin/callcheck
bytes=$(stat --format %s "$program")
echo "the program has $bytes bytes"
[ "$bytes" -lt 37000000 ] || fail "the program has grown, or holds the tables of ICU"
"$program" --version | grep -E '^[0-9]+\.[0-9]+\.[0-9]+(-dev)? \(commit [0-9a-f]{7,}, libz [0-9.]+' || fail "no commit"

# Each command has a page, and every page is sound.
commands=$("$program" --experimental-dump-help | jq -r '.command | .. | .commandName? // empty | select(. != "help")' | wc -l)
[ "$(find "$share/man/man1" -name 'callcheck*.1.gz' | wc -l)" -eq "$commands" ] || fail "not $commands manual pages"
for page in "$share"/man/man1/*.gz; do
    for heading in NAME SYNOPSIS OPTIONS EXAMPLES 'EXIT STATUS' FILES ENVIRONMENT; do
        zgrep -q "^\.SH $heading$" "$page" || fail "$page lacks $heading"
    done
    warnings=$(LC_ALL=C.UTF-8 man --warnings --encoding=UTF-8 --local-file "$page" 2>&1 >/dev/null)
    [ -z "$warnings" ] || fail "$page: $warnings"
done

# Each shell reads its completions, and bash completes the functions of a history.
bash -n "$share/bash-completion/completions/callcheck"
zsh -n "$share/zsh/vendor-completions/_callcheck"
fish --no-execute "$share/fish/vendor_completions.d/callcheck.fish"
"$program" store add "$work/history.db" --quiet "$sample" >"$work/added.txt"
PATH=${program%/*}:$PATH bash -c '
    source "$1"
    COMP_WORDS=(callcheck explain --store "$2" adm) COMP_CWORD=4 COMP_LINE="callcheck explain --store $2 adm"
    COMP_POINT=${#COMP_LINE}
    _callcheck callcheck adm "$2"
    [ "${COMPREPLY[*]}" = admingeneratereport ]' bash "$share/bash-completion/completions/callcheck" "$work/history.db" \
    || fail "bash does not complete functions"

# What the program says here, it must say everywhere; its hints name the files as it was given them.
says() {
    "$@" --as-of 2026-10-14 work/four-weeks-one-project.json.gz
    "$@" report --policy work/policy.yaml --store work/history.db
}
put() { mkdir -p "$1/work" && cp "$sample" samples/policy.yaml "$work/history.db" "$1/work"; }
put "$work"
(cd "$work" && says "$program") >"$work/expected"

samples/recipes/container-root.sh "$package" "$work/image"
put "$work/image"
# The arguments are in /proc, which every engine mounts: without it a gate must not pass.
image() { chroot --userspec=65532:65532 "$work/image" /usr/bin/callcheck "$@"; }
status=0
image check --function deleteaccount --as-of 2026-10-14 work/four-weeks-one-project.json.gz || status=$?
[ $status -eq 74 ] || fail "without /proc, check ends with $status"
mount --types proc proc "$work/image/proc"
chown -R 65532:65532 "$work/image/work"
says image >"$work/found"
cmp "$work/expected" "$work/found"

# The mirror and the proxy of this machine, with the libraries that the package asks for.
# shellcheck disable=SC2016 # apt-get fills them in.
mirror=$(apt-get indextargets --format '$(SITE) $(CODENAME)' 2>/dev/null | sed -n 's/ bookworm$//p' | head -n 1)
eval "$(apt-config shell http_proxy Acquire::http::Proxy)"
export http_proxy
libraries=$(dpkg-deb --field "$package" Depends | sed 's/ ([^)]*)//g; s/, /,/g')
debootstrap --variant=minbase --include="$libraries" bookworm "$work/debian" "${mirror:-http://deb.debian.org/debian}" \
    >"$work/debootstrap.log" || { tail "$work/debootstrap.log"; exit 1; }
put "$work/debian"
cp "$package" "$work/debian/srv"
debian() { chroot "$work/debian" "$@"; }
mount --types proc proc "$work/debian/proc"
debian dpkg --install "/srv/${package##*/}"
says debian callcheck >"$work/found"
cmp "$work/expected" "$work/found"
debian dpkg --purge callcheck
