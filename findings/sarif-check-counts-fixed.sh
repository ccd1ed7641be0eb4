#!/usr/bin/env bash
# A gate on SARIF fails for what was suppressed or fixed.
#
# Version:  sarif-tools 3.0.5 (PyPI), `sarif --check error summary`.
# Guess:    the gate counts open results: not those with an accepted suppression, and not those whose baselineState is
#           `absent`, which SARIF 2.1.0 defines as present in the earlier run and gone in this one.
# Behaviour: it counts both as errors and ends with 1, as `sarif csv` lists both without a word on their state.
# Output seen:
#   open error:       error: 1, exit status 1
#   suppressed error: error: 1, exit status 1
#   fixed error:      error: 1, exit status 1
#   note only:        error: 0, exit status 0
# Why it hurts: the day a problem is fixed the pipeline turns red, and nothing that a reviewer accepts turns it green.
#           Tools that write a baseline (`unchanged`, `new`, `absent`) for a gate on what is new get a gate on history,
#           so people stop writing the baseline or raise the level of the gate.
set -euo pipefail
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; cd "$work"
{ python3 -m venv env && env/bin/pip install --quiet --no-compile --disable-pip-version-check sarif-tools==3.0.5; } || exit 2

gate() {  # title, result
  cat > report.sarif <<JSON
{"version": "2.1.0", "\$schema": "https://json.schemastore.org/sarif-2.1.0.json", "runs": [{
  "tool": {"driver": {"name": "gate", "rules": [{"id": "too-many-refused"}]}}, "results": [$2]}]}
JSON
  local status=0
  env/bin/sarif --check error summary report.sarif > summary 2>&1 || status=$?
  printf '%-17s %s, exit status %s\n' "$1" "$(grep -o '^error: [0-9]*' summary)" "$status"
}
result='"ruleId": "too-many-refused", "message": {"text": "18 of 129"}'
seen=$(
  gate "open error:" "{$result, \"level\": \"error\"}"
  gate "suppressed error:" "{$result, \"level\": \"error\", \"suppressions\": [{\"kind\": \"external\", \"status\": \"accepted\"}]}"
  gate "fixed error:" "{$result, \"level\": \"error\", \"baselineState\": \"absent\"}"
  gate "note only:" "{$result, \"level\": \"note\"}"
)
printf '%s\n' "$seen"
diff - <(printf '%s\n' "$seen") <<'TEXT' || exit 1
open error:       error: 1, exit status 1
suppressed error: error: 1, exit status 1
fixed error:      error: 1, exit status 1
note only:        error: 0, exit status 0
TEXT
