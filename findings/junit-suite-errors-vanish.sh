#!/usr/bin/env bash
# A suite that reports an error without a test case passes, and merging writes that there was none.
#
# Version:  junitparser 5.0.3 (PyPI), `junitparser verify` and `junitparser merge`.
# Guess:    `verify` fails when a report says errors="1", and when no report was found or no test ran; `merge` adds up
#           the suites' counts.
# Behaviour: only failure and error elements inside test cases count. A suite's own errors="1" with its system-err, an
#           empty report, and a pattern that matches no file all pass with status 0; `merge` recounts the cases and
#           writes errors="0".
# Output seen:
#   verify, a failed case:      status 1
#   verify, a suite's error:    status 0
#   verify, no tests:           status 0
#   verify --glob, no files:    status 0
#   merged: tests="1" failures="0" errors="0"
# Why it hurts: a gate that writes its own report puts an error that belongs to no case (the log cannot be read) on the
#           suite; a job that crashed before it wrote leaves no file. Both are green, and the merged report that people
#           look at afterwards confirms it.
set -euo pipefail
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; cd "$work"
{ python3 -m venv env && env/bin/pip install --quiet --no-compile --disable-pip-version-check junitparser==5.0.3; } || exit 2

cat > failed.xml <<'XML'
<testsuites><testsuite name="gate" tests="1" failures="1" errors="0">
<testcase classname="gate" name="rateDriver"><failure message="18 of 129 refused"/></testcase></testsuite></testsuites>
XML
cat > error.xml <<'XML'
<testsuites tests="1" failures="0" errors="1"><testsuite name="gate" tests="1" failures="0" errors="1">
<testcase classname="gate" name="addMessage"/><system-err>set-up of rateDriver: no log</system-err></testsuite></testsuites>
XML
echo '<testsuites tests="0"><testsuite name="gate" tests="0"/></testsuites>' > empty.xml

verify() {  # title, arguments
  local title=$1 status=0; shift
  env/bin/junitparser verify "$@" >/dev/null 2>&1 || status=$?
  printf '%-27s status %s\n' "$title" "$status"
}
seen=$(
  verify "verify, a failed case:" failed.xml
  verify "verify, a suite's error:" error.xml
  verify "verify, no tests:" empty.xml
  verify "verify --glob, no files:" --glob 'reports/*.xml'
  env/bin/junitparser merge error.xml merged.xml
  printf 'merged: %s\n' "$(grep -o -m1 '<testsuites tests="[0-9]*" failures="[0-9]*" errors="[0-9]*"' merged.xml | sed 's/<testsuites //')"
)
printf '%s\n' "$seen"
diff - <(printf '%s\n' "$seen") <<'TEXT' || exit 1
verify, a failed case:      status 1
verify, a suite's error:    status 0
verify, no tests:           status 0
verify --glob, no files:    status 0
merged: tests="1" failures="0" errors="0"
TEXT
