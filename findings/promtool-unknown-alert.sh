#!/usr/bin/env bash
# A rule test for an alert that does not exist passes.
#
# Version:  prometheus 2.42.0+ds-5+deb12u1 (Debian 12), `promtool test rules`.
# Guess:    a test that names an alert which no rule file defines is an error, as is a pattern of rule files that matches
#           nothing.
# Behaviour: both pass with SUCCESS and status 0; for the pattern there is a warning on standard error.
# Output seen:
#   LockOut fires, none expected:  status 1
#   Lockout, none expected:        status 0
#   no rule file matches:          status 0
# Why it hurts: "this alert stays silent for a good switch" is the test that people write against false pages. Once the
#           alert is renamed, or its file moves, that test can no longer fail, and CI goes on saying that the alert is
#           covered. Only tests that expect the alert to fire notice.
set -euo pipefail
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; chmod 755 "$work"; cd "$work"
{ apt-get download -q prometheus=2.42.0+ds-5+deb12u1 >/dev/null 2>&1 && dpkg -x prometheus_*.deb root; } || exit 2

cat > rules.yaml <<'YAML'
groups:
  - name: gate
    rules:
      - alert: LockOut
        expr: refused_requests > 0
YAML
test() {  # title, rule files, alert's name
  cat > test.yaml <<YAML
rule_files: ["$2"]
tests:
  - interval: 1m
    input_series:
      - series: refused_requests{function="rateDriver"}
        values: 18x5
    alert_rule_test:
      - eval_time: 3m
        alertname: $3
        exp_alerts: []
YAML
  local status=0
  root/usr/bin/promtool test rules test.yaml >/dev/null 2>&1 || status=$?
  printf '%-30s status %s\n' "$1" "$status"
}
seen=$(
  test "LockOut fires, none expected:" rules.yaml LockOut
  test "Lockout, none expected:" rules.yaml Lockout
  test "no rule file matches:" 'rules/*.yaml' LockOut
)
printf '%s\n' "$seen"
diff - <(printf '%s\n' "$seen") <<'TEXT' || exit 1
LockOut fires, none expected:  status 1
Lockout, none expected:        status 0
no rule file matches:          status 0
TEXT
