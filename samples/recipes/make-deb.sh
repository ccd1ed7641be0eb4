#!/usr/bin/env bash
# Makes a Debian package, a tarball of the same files for other systems, and their checksums. Neither needs Swift to be
# installed; both need the C library of the system they are made on, or a newer one.
#
#   make-deb.sh OUTDIR
#
# Needs what building callcheck needs, and dpkg-dev and python3. DEBFULLNAME and DEBEMAIL are the maintainer's.
set -euo pipefail

[ $# -eq 1 ] || { echo "usage: make-deb.sh OUTDIR" >&2; exit 64; }
mkdir -p "$1"
out=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The commit is built, as `git archive` writes it, which adds the commit to the version. Without git: the files here.
source=$PWD/.build/package-source
rm -rf "$source" && mkdir -p "$source"
if [ -e .git ] && commit=$(git rev-parse HEAD); then
    git archive "$commit" Package.swift Sources Tests | tar --extract --directory "$source"
else
    cp -r --preserve=timestamps Package.swift Sources Tests "$source"
fi

# Half of the static binary would be ICU's data: locales, time zones, collations. Foundation brings it along for GRDB and
# Yams; callcheck uses none of it. If the linker finds these tables, which are empty, like ICU's own stub of them, it
# leaves the others in their archive.
runtime=$(swiftc -print-target-info | python3 -c 'import json, sys; print(json.load(sys.stdin)["paths"]["runtimeResourcePath"])')
tables=$(nm --defined-only "${runtime}_static/linux/lib_FoundationICU.a" 2>&1 | sed -n 's/.* \(icudt[0-9]*_dat\)$/\1/p')
cat > "$source/Sources/CChecksum/tables.c" <<END
#include <stdint.h>
const struct {
    uint16_t header_size;
    uint8_t magic[2];
    uint16_t info_size, reserved;
    uint8_t is_big_endian, charset, character_size, unused, format[4], format_version[4], data_version[4], padding[8];
    uint32_t count, unused_too[3];
} $tables __attribute__((aligned(16))) = {32, {0xda, 0x27}, 20, 0, 0, 0, 2, 0, "ToCP", {1}, {0}, {0}, 0, {0}};
END

# Names that nobody can link to need not be kept either.
build=(-c release --product callcheck --static-swift-stdlib --package-path "$source" --scratch-path .build/package
    -Xlinker --no-export-dynamic)
swift build "${build[@]}"
built=$(swift build "${build[@]}" --show-bin-path)/callcheck

version=$("$built" --version | cut -d' ' -f1)
# Debian sorts 0.3.0~dev before 0.3.0.
debian=${version/-/\~}-1
architecture=$(dpkg --print-architecture)
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}
export SOURCE_DATE_EPOCH

root=$work/root
doc=$root/usr/share/doc/callcheck
umask 022
mkdir -p "$root/DEBIAN" "$doc/examples"

install -D "$built" "$root/usr/bin/callcheck"
strip --remove-section=.comment --remove-section=.note "$root/usr/bin/callcheck"

"$built" --experimental-dump-help \
    | python3 samples/recipes/manual.py "$version" "$(date -u -d "@$SOURCE_DATE_EPOCH" +%F)" "$root/usr/share/man/man1"
completions=$root/usr/share/bash-completion/completions/callcheck
mkdir -p "${completions%/*}" "$root/usr/share/zsh/vendor-completions" "$root/usr/share/fish/vendor_completions.d"
"$built" --generate-completion-script bash | sed '1{/^#!/d}' > "$completions"
"$built" --generate-completion-script zsh > "$root/usr/share/zsh/vendor-completions/_callcheck"
"$built" --generate-completion-script fish > "$root/usr/share/fish/vendor_completions.d/callcheck.fish"

install -m 644 samples/policy.yaml samples/recipes/{alerts.yaml,callcheck-failed@.service,callcheck-report.service} \
    samples/recipes/{callcheck-report.timer,crontab,enforce.yaml,grafana.json,nightly.sh,slack.jq} "$doc/examples"
install -m 644 CHANGELOG.md "$doc/changelog"

maintainer="${DEBFULLNAME:-callcheck maintainers} <${DEBEMAIL:-callcheck@users.noreply.github.com}>"
cat > "$doc/changelog.Debian" <<END
callcheck ($debian) unstable; urgency=medium

  * Version $version; see changelog.gz.

 -- $maintainer  $(date -u -R -d "@$SOURCE_DATE_EPOCH")
END
{
    printf 'callcheck is under the Apache License 2.0: /usr/share/common-licenses/Apache-2.0\n'
    printf '\nThe program contains the Swift runtime, which is under the Apache License 2.0 with a runtime library exception\n'
    printf '(https://www.swift.org/LICENSE.txt), and these packages:\n'
    for package in .build/package/checkouts/*/; do
        printf '\n%s\n\n' "== $(basename "$package")"
        if grep -q 'Apache License' "$package"LICENSE*; then
            printf '    Apache License 2.0\n\n'
            sed -n '/Runtime Library Exception/,$ s/^/    /p' "$package"LICENSE*
        else
            sed 's/^/    /' "$package"LICENSE*
        fi
    done
} > "$doc/copyright"
mkdir -p "$root/usr/share/lintian/overrides"
cat > "$root/usr/share/lintian/overrides/callcheck" <<END
# Yams contains libyaml as source, and links it statically.
callcheck: embedded-library libyaml *
END
find "$root/usr/share" \( -name '*.1' -o -name 'changelog*' \) -exec gzip -9n {} +

mkdir "$work/debian"
printf 'Source: callcheck\n\nPackage: callcheck\nArchitecture: any\n' > "$work/debian/control"
depends=$(cd "$work" && dpkg-shlibdeps -O root/usr/bin/callcheck | sed -n 's/^shlibs:Depends=//p')
cat > "$root/DEBIAN/control" <<END
Package: callcheck
Version: $debian
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $(du -sk "$root/usr" | cut -f1)
Depends: $depends
Section: utils
Priority: optional
Description: shows when Firebase App Check can be enforced
 callcheck reads exports of the log of callable Cloud Functions and shows for
 each function whether App Check enforcement can be switched on, and who would
 be refused. It also stops pipelines and reports every night.
END
(cd "$root" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum > DEBIAN/md5sums)
find "$root" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +

deb=callcheck_${debian}_$architecture.deb
archive=callcheck-$version-linux-$architecture.tar.gz
dpkg-deb --root-owner-group -Zxz --build "$root" "$out/$deb"
tar --create --sort=name --owner=0 --group=0 --numeric-owner --directory "$root/usr" \
    --transform "s,^\.,callcheck-$version," . | gzip -9n > "$out/$archive"
(cd "$out" && sha256sum "$deb" "$archive" | tee SHA256SUMS)
