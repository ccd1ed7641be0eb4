#!/usr/bin/env bash
# Makes a static site of the pages about callcheck, for any web server.
#
#   make-site.sh OUTDIR [BASE]
#
# The site works below https://HOST/BASE; without one, at the root of a host.
set -euo pipefail

[ $# -eq 1 ] || [ $# -eq 2 ] || { echo "usage: make-site.sh OUTDIR [BASE]" >&2; exit 64; }
mkdir -p "$1"
out=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."

# DocC has its own form of links between pages, regardless of folders.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r Sources/callcheck/Documentation.docc "$work"
find "$work" -name '*.md' -exec sed -i -z -E 's/\]\((\.\.\/|Internals\/)?([a-z-]+)\.md(#[a-z-]+)?\)/](doc:\2)/g' {} +

docc convert "$work/Documentation.docc" --warnings-as-errors --fallback-display-name callcheck \
    --fallback-bundle-identifier callcheck --transform-for-static-hosting --hosting-base-path "${2:-/}" --output-path "$out"

# The root of the site is the page that lists all others.
cat > "$out/index.html" <<'END'
<!DOCTYPE html>
<html lang="en">
<title>callcheck</title>
<meta charset="utf-8">
<meta http-equiv="refresh" content="0; url=documentation/callcheck/">
<a href="documentation/callcheck/">callcheck</a>
</html>
END
