#!/usr/bin/env bash
# Of a table of functions, csvkit makes counts true and false, names dates, and the status NONE nothing.
#
# Version:  csvkit 2.2.0, agate 1.14.2 (PyPI), csvjson and csvsql; the same guesses serve in2csv and csvjoin.
# Guess:    a column of whole numbers is numbers, a column of names is text, an empty cell is null.
# Behaviour: columns are guessed from all cells. One that has only 0 and 1 is boolean; one in which every name can be
#           read as a date (May, Sat, Now) is dates; `none`, `n/a` and `na` are null wherever they are,
#           even with -I, which turns the guesses off.
# Output seen:
#   quiet day: {"function": "0001-05-01", "auth": null, "refused": true}
#   busy day:  {"function": "may", "auth": null, "refused": 1.0}
#   -I:        {"function": "may", "auth": null, "refused": "1"}
#   column of the quiet day: refused BOOLEAN, of the busy day: refused FLOAT
# Why it hurts: on a quiet day no function refused more than one request, so the day's column of counts has another type
#           than yesterday's: sums end with an error or count `true` as a text, and rows of two days do not join. A
#           function's name becomes a day of the year 1, and "without a token" is the same as "not measured".
set -euo pipefail
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; cd "$work"
{ python3 -m venv env && env/bin/pip install --quiet --no-compile --disable-pip-version-check \
  csvkit==2.2.0 agate==1.14.2; } || exit 2

printf 'function,auth,refused\nmay,none,1\nsat,VALID,0\n' > quiet.csv
printf 'function,auth,refused\nmay,none,1\nsat,VALID,0\naddMessage,VALID,2\n' > busy.csv
first() { env/bin/csvjson --stream "$@" 2>/dev/null | head -n 1; }
column() { env/bin/csvsql --no-constraints --dialect sqlite "$1" 2>/dev/null | grep -o 'refused [A-Z]*'; }
seen=$(
  echo "quiet day: $(first quiet.csv)"
  echo "busy day:  $(first busy.csv)"
  echo "-I:        $(first -I quiet.csv)"
  echo "column of the quiet day: $(column quiet.csv), of the busy day: $(column busy.csv)"
)
printf '%s\n' "$seen"
diff - <(printf '%s\n' "$seen") <<'TEXT' || exit 1
quiet day: {"function": "0001-05-01", "auth": null, "refused": true}
busy day:  {"function": "may", "auth": null, "refused": 1.0}
-I:        {"function": "may", "auth": null, "refused": "1"}
column of the quiet day: refused BOOLEAN, of the busy day: refused FLOAT
TEXT
