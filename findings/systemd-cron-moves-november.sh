#!/usr/bin/env bash
# Under systemd-cron, November's job runs in October and the nightly one on Sundays.
#
# Version:  systemd-cron 1.15.19-5 (Debian 12), its generator of timers; cronsim 2.8 (PyPI) for what Debian's cron does.
# Guess:    a package that provides cron runs each line when cron does, as its crontab(5) says: names of months, 0-7 for
#           the days of a week and, if both day fields are given, either of them. A line that it cannot translate is
#           reported and does not run.
# Behaviour: `nov` becomes month 10 and `dec` 11; only `oct` has no timer. 0-7 is Sunday alone, 5-7 is every day. Both
#           day fields have to match. 5-7 and `oct` are reported as garbled, the others are not.
# Output seen:
#   crontab       cron, days of 2027  systemd-cron
#   30 3 * * 0-7  365, from 1 Jan     OnCalendar=Sun *-*-* 3:30:00
#   30 3 * * 5-7  157, from 1 Jan     OnCalendar= *-*-* 3:30:00, garbled time
#   30 3 1 * 1    61, from 1 Jan      OnCalendar=Mon *-*-1 3:30:00
#   30 3 1 oct *  1, from 1 Oct       no timer, garbled time
#   30 3 1 nov *  1, from 1 Nov       OnCalendar=*-10-1 3:30:00
#   30 3 1 dec *  1, from 1 Dec       OnCalendar=*-11-1 3:30:00
# Why it hurts: a nightly export runs once a week, and of a log that is kept for less time than that, days are lost; a
#           report for the 1st and for Mondays comes one to three times a year. The timers are listed as active and their
#           runs succeed; nothing asks for those that are not there. The lines were right under the cron before.
set -euo pipefail
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; chmod 755 "$work"; cd "$work"
{ apt-get download -q systemd-cron=1.15.19-5 >/dev/null 2>&1 && dpkg -x systemd-cron_*.deb root &&
  python3 -m venv env && env/bin/pip install --quiet --no-compile --disable-pip-version-check cronsim==2.8; } || exit 2

cat > run.py <<'PY'
import contextlib, datetime, glob, io, itertools, os
from cronsim import CronSim

# Its main() reads this machine's crontabs; the functions that it calls are given others.
generator = {"__name__": "generator", "TARGET_DIR": "units", "TIMERS_DIR": "units"}
with open("root/lib/systemd/system-generators/systemd-crontab-generator") as file:
    exec(compile(file.read(), "generator", "exec"), generator)
os.mkdir("units")

print("crontab       cron, days of 2027  systemd-cron")
for number, when in enumerate((
    "30 3 * * 0-7", "30 3 * * 5-7", "30 3 1 * 1", "30 3 1 oct *", "30 3 1 nov *", "30 3 1 dec *",
)):
    with open(f"job{number}", "w") as file:
        file.write(f"{when} root /usr/local/bin/report --all\n")
    said = io.StringIO()
    with contextlib.redirect_stderr(said):
        for job in generator["parse_crontab"](f"job{number}"):
            generator["generate_timer_unit"](job, itertools.count())
    timer = ["no timer"]
    for name in glob.glob(f"units/cron-job{number}-*.timer"):
        with open(name) as file:
            timer = [line.strip() for line in file if line.startswith("OnCalendar=")]
    if "garbled time" in said.getvalue():
        timer.append("garbled time")
    days = list(itertools.takewhile(lambda time: time.year == 2027, CronSim(when, datetime.datetime(2027, 1, 1))))
    print(f"{when:<13} {f'{len(days)}, from {days[0].day} {days[0]:%b}':<19} {', '.join(timer)}")
PY
seen=$(LC_ALL=C env/bin/python run.py 2>errors) || { cat errors >&2; exit 2; }
printf '%s\n' "$seen"
diff - <(printf '%s\n' "$seen") <<'TEXT' || exit 1
crontab       cron, days of 2027  systemd-cron
30 3 * * 0-7  365, from 1 Jan     OnCalendar=Sun *-*-* 3:30:00
30 3 * * 5-7  157, from 1 Jan     OnCalendar= *-*-* 3:30:00, garbled time
30 3 1 * 1    61, from 1 Jan      OnCalendar=Mon *-*-1 3:30:00
30 3 1 oct *  1, from 1 Oct       no timer, garbled time
30 3 1 nov *  1, from 1 Nov       OnCalendar=*-10-1 3:30:00
30 3 1 dec *  1, from 1 Dec       OnCalendar=*-11-1 3:30:00
TEXT
