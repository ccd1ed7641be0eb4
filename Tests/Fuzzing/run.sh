#!/usr/bin/env bash
# Fuzzes each target for some seconds (60 unless told otherwise): bash Tests/Fuzzing/run.sh [SECONDS [TARGET...]]
#
# Starts from samples, the tests' fixtures and what was found before. An input that breaks something is kept in
# Tests/Fuzzing/FailCases/TARGET, where `swift test` replays it from then on; grown corpora stay in .build.
set -euo pipefail
cd "$(dirname "$0")"
seconds=${1:-60}
shift || true
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(FuzzLog FuzzGzip FuzzRecord FuzzPolicy FuzzRows)

# The backtrace that Swift prints of a crash would wait for a debugger that never comes.
export SWIFT_BACKTRACE=enable=no

# Coverage is asked for by name: with two sanitizers the compiler leaves it out of Swift code, and the fuzzer is blind.
swift build -c release --sanitize fuzzer --sanitize address \
    -Xswiftc -sanitize-coverage=edge,trace-cmp,inline-8bit-counters,pc-table

for target in "${targets[@]}"; do
    seeds=.build/seeds/$target
    mkdir -p ".build/corpus/$target" "$seeds" "FailCases/$target"
    case $target in
    FuzzPolicy)
        cp ../../samples/policy.yaml "$seeds"
        ;;
    FuzzRows)
        swift run --package-path ../.. callcheck store add -q .build/seeds.db ../../samples/real-entries.json
        python3 - .build/seeds.db "$seeds" <<'END'
import sqlite3, sys
for number, bytes in sqlite3.connect(sys.argv[1]).execute("SELECT id, bytes FROM parts"):
    open(f"{sys.argv[2]}/part{number}", "wb").write(bytes)
END
        ;;
    FuzzRecord)
        # One record a file.
        split -l 1 -a 4 ../../samples/real-entries.json "$seeds/entry-"
        for file in "$seeds"/*; do printf %s "$(cat "$file")" > "$file"; done
        ;;
    *)
        find ../LogStreamTests/Fixtures ../CommandTests/Inputs ../../samples -type f -size -32k -exec cp --backup=numbered -t "$seeds" {} +
        ;;
    esac
done

fuzz() {
    target=$1
    words=log
    if [ "$target" = FuzzPolicy ]; then words=policy; fi
    status=0
    ".build/release/$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 -max_len=4096 -close_fd_mask=1 \
        -print_final_stats=1 -dict="Dictionaries/$words.dict" -artifact_prefix="FailCases/$target/" \
        ".build/corpus/$target" ".build/seeds/$target" "FailCases/$target" >".build/$target.log" 2>&1 || status=$?
    printf '\n== %s, %s s\n' "$target" "$seconds"
    tail -n 20 ".build/$target.log"
    # A machine that is gone tomorrow leaves nothing but what it printed.
    if [ "$status" -ne 0 ]; then
        grep -a -m 1 'Fatal error' ".build/$target.log" || true
        found=$(grep -ao 'FailCases/[^ ]*$' ".build/$target.log" | tail -n 1)
        if [ -f "$found" ]; then printf 'base64 -d | gunzip, of %s:\n' "$found"; gzip -9c "$found" | base64 -w 120; fi
    fi
    edges=$(grep -o 'cov: [0-9]*' ".build/$target.log" | tail -n 1 | tr -dc 0-9)
    if [ "${edges:-0}" -lt 1000 ]; then
        printf 'run.sh: %s reached %s edges of the program; it must be built with coverage to find anything.\n' \
            "$target" "${edges:-0}" >&2
        return 1
    fi
    return "$status"
}
export -f fuzz
export seconds
# Two at a time: one uses one core.
printf '%s\n' "${targets[@]}" | xargs -P 2 -I {} bash -c 'fuzz {}'
