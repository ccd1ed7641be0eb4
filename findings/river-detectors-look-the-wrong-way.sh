#!/usr/bin/env bash
# Two drift detectors for errors: one never sees an outage, the other calls a single error one.
#
# Version:  river 0.26.1 (PyPI), drift.binary.FHDDM and DDM, as they come; "1 indicates error/failure".
# Guess:    both report that errors rose from 0 to 100%, FHDDM within its window of 100; neither says anything about one
#           error in 6,001 requests, or about a share that is steadily 1%.
# Behaviour: FHDDM compares with the highest share of ones so far and alarms when it falls: it is silent in the outage
#           and alarms when it ends. DDM's least share is 0 ± 0 after clean requests, so that the first error is a drift.
#           HDDM_A does what one would guess.
# Output seen:
#   FHDDM  1%, every hundredth:      alarms: 0
#   FHDDM  outage from 3000 to 4000: alarms: 1, first at 4026
#   FHDDM  one error at 3000:        alarms: 0
#   DDM    1%, every hundredth:      alarms: 30, first at 50
#   DDM    outage from 3000 to 4000: alarms: 1, first at 3000
#   DDM    one error at 3000:        alarms: 1, first at 3000
#   HDDMA  1%, every hundredth:      alarms: 0
#   HDDMA  outage from 3000 to 4000: alarms: 1, first at 3003
#   HDDMA  one error at 3000:        alarms: 0
# Why it hurts: all detectors have one interface, and the page of each says that a one is an error, so they are swapped
#           like parts. With FHDDM the pager rings when people are served again. Tests on a stream that changes in
#           both ways pass, because an alarm comes.
set -euo pipefail
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; cd "$work"
{ python3 -m venv env && env/bin/pip install --quiet --no-compile --disable-pip-version-check river==0.26.1; } || exit 2

cat > run.py <<'PY'
from river.drift import binary

usual = [int(number % 100 == 50) for number in range(3000)]
streams = {
    "1%, every hundredth:": usual,
    "outage from 3000 to 4000:": [0] * 3000 + [1] * 1000 + [0] * 3000,
    "one error at 3000:": [0] * 3000 + [1] + [0] * 3000,
}
for kind in (binary.FHDDM, binary.DDM, binary.HDDMA):
    for title, requests in streams.items():
        detector, drifts = kind(), []
        for number, refused in enumerate(requests):
            detector.update(refused)
            if detector.drift_detected:
                drifts.append(number)
        print(f"{kind.__name__:<6} {title:<25} alarms: {len(drifts)}" + (f", first at {drifts[0]}" if drifts else ""))
PY
seen=$(env/bin/python run.py 2>errors) || { cat errors >&2; exit 2; }
printf '%s\n' "$seen"
diff - <(printf '%s\n' "$seen") <<'TEXT' || exit 1
FHDDM  1%, every hundredth:      alarms: 0
FHDDM  outage from 3000 to 4000: alarms: 1, first at 4026
FHDDM  one error at 3000:        alarms: 0
DDM    1%, every hundredth:      alarms: 30, first at 50
DDM    outage from 3000 to 4000: alarms: 1, first at 3000
DDM    one error at 3000:        alarms: 1, first at 3000
HDDMA  1%, every hundredth:      alarms: 0
HDDMA  outage from 3000 to 4000: alarms: 1, first at 3003
HDDMA  one error at 3000:        alarms: 0
TEXT
