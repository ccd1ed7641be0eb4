"""The other services: their counts, from pages of the metric to `services[]` of the JSON.

python3 services.py ANSWER.json...     prints what `callcheck --format json` must say of them
"""

import json
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from pathlib import Path

from advice import bad_days, clean_streak
from bounds import dispersion_of, lower_bound
from instants import HOUR, SECOND, day_of, hour_of, instant_from, instant_text, start_of
from look import Subject, window_days
from platforms import Counts, is_judged_on_signed_in
from policy import base_settings
from readiness import daily_row, readiness
from recent import Failing
from rule import OfFunctions, judge_confirmed
from tally import STATUSES, Day, ProjectCounts, firsts_of

METRIC = "firebaseappcheck.googleapis.com/services/verification_count"
UNKNOWN_ORIGIN, OUTDATED = "MISSING_UNKNOWN_ORIGIN", "MISSING_OUTDATED_CLIENT"
WITHOUT_TWIN = ("firebasestorage.googleapis.com", "maps-backend.googleapis.com", "places.googleapis.com")
AI_LOGIC, FOR_EVERYBODY = "firebaseml.googleapis.com", instant_from("2026-11-02T00:00:00Z")
LATE = 6 * HOUR  # how long the newest hours may take to arrive
NEWEST, LEAST = 20, 10
FOUR_WEEKS = 28
APP_OF = {"VALID": "VALID", "CONSUMED": "VALID", "INVALID": "INVALID", OUTDATED: "MISSING", UNKNOWN_ORIGIN: "MISSING"}


@dataclass(frozen=True)
class Count:
    """Requests of a period that are alike."""

    project: str
    service: str
    security: str
    result: str
    app_id: str
    instant: int  # the period's start
    end: int
    number: int

    @property
    def app(self):
        """Its status as it is shown; a valid token that was refused is none of the others."""
        return "OTHER" if self.is_refused and self.is_verified else APP_OF.get(self.security, "OTHER")

    @property
    def is_verified(self):
        return APP_OF.get(self.security) == "VALID"

    @property
    def auth(self):
        unsigned = self.security == UNKNOWN_ORIGIN and self.service not in WITHOUT_TWIN
        return "MISSING" if unsigned else "VALID"

    @property
    def is_refused(self):
        return self.result == "DENY"

    @property
    def is_served(self):
        """ALLOW of anything else says nothing of enforcement."""
        return not self.is_refused and self.security in ("INVALID", OUTDATED)

    @property
    def blocked(self):
        return self.is_refused or self.app != "VALID"

    @property
    def begin(self):
        """Services enter as hours and days."""
        return self.instant // HOUR * HOUR

    @property
    def hour(self):
        """Hours since 1970; None of a period that is longer than one."""
        return self.instant // HOUR if self.end - self.instant <= HOUR else None


@dataclass
class Metrics:
    """What the answers hold: counts, each once, and what was not read to its end."""

    counts: list = field(default_factory=list)
    open_projects: set = field(default_factory=set)
    modes: dict = field(default_factory=dict)  # service -> (mode, updateTime)


def read(sources):
    """Metrics of lists of JSON values, one list for each source."""
    found, numbers = Metrics(), {}
    for values in sources:
        pages = [page for value in values for page in (value if isinstance(value, list) else [value])]
        projects, last = set(), {}
        for page in pages:
            configured = services_of(page)
            if configured is not None:
                found.modes.update(configured)
                continue
            last = page
            for series in page.get("timeSeries", ()):
                for count in counts_of(series):
                    key = replace(count, number=0)
                    numbers[key] = max(numbers.get(key, 0), count.number)
                    projects.add(count.project)
        broken = any(page.get(name) for page in pages for name in ("executionErrors", "unreachable"))
        if broken or last.get("nextPageToken"):
            found.open_projects |= projects
    found.counts = sorted((replace(key, number=number) for key, number in numbers.items()), key=lambda c: c.instant)
    return found


def counts_of(series):
    if series["metric"]["type"] != METRIC:
        return
    labels, resource = series["metric"]["labels"], series["resource"]["labels"]
    for point in series["points"]:
        begin, end = (instant_from(point["interval"][name]) for name in ("startTime", "endTime"))
        if begin % SECOND:
            begin -= begin % SECOND  # a microsecond after the end of the one before
        number = int(point["value"]["int64Value"])
        yield Count(
            resource["resource_container"],
            resource["service_id"],
            *(labels[name] for name in ("security", "result", "app_id")),
            begin,
            end,
            number,
        )


def services_of(page):
    """Service -> (mode, updateTime), where a page is an answer about modes."""
    page = page.get("result", page)
    listed = page if isinstance(page, list) else page.get("services")
    if listed is None:
        return None
    return {
        entry["name"].rsplit("/", 1)[-1]: (entry.get("enforcementMode", "OFF"), instant_from(entry["updateTime"]))
        for entry in listed
    }


def as_of_counts(counts, typed):
    """The end of the newest whole hour six hours before the last one, to the nanosecond before; of days, of the last
    one that ended by then. What is typed moves it no later, and never into an hour."""
    limit = max(count.end for count in counts) // HOUR * HOUR - LATE
    if all(count.hour is None for count in counts):
        limit = max((count.end for count in counts if count.end <= limit), default=limit)
    return (limit if typed is None else min(limit, (typed + 1) // HOUR * HOUR)) - 1


class HoursOfDay:
    """The one dimension of platforms: requests by the hour of the day."""

    seen = True

    def __init__(self, counts, recent, settings):
        self.recent, self.settings = recent, settings
        self.hours = defaultdict(Counts)
        for day, hour, blocked, number in counts:
            self.hours[hour].add(day, blocked, number)

    def is_refused(self, counts):
        return (
            counts.blocked >= LEAST
            and counts.blocked_days >= 3
            and counts.lower > max(0.5, self.settings.maxBlocked)
            and counts.is_refused_on(self.recent)
        )

    def refused(self):
        return {hour: counts for hour, counts in self.hours.items() if self.is_refused(counts)}

    def shown(self):
        """Hours have no name that the policy could accept."""
        return []


def platforms_of(look, window):
    days = look.window(look.settings.maxWindow)
    signed_in = look.signed_in or is_judged_on_signed_in(window)
    hours = [
        (day_of(count.instant), hour_of(count.instant), count.blocked, count.number)
        for count in look.subject.counts
        if count.hour is not None
        and count.instant <= look.as_of
        and day_of(count.instant) in days
        and day_of(count.instant) >= look.start
        and (count.auth == "VALID" or not signed_in)
    ]
    return HoursOfDay(hours, look.window(look.settings.window), look.settings)


def callers_in_doubt(_, look, window, least):
    """Which app the refused ones belong to no count says."""
    return {"callers-unknown": window.blocked} if window.blocked else {}


def failing_now(counts, as_of, is_blocked, earlier):
    """Whether three quarters of the newest whole hours' requests are blocked, which was not so before."""
    end = (as_of + 1) // HOUR
    by_hour = defaultdict(list)
    for count in counts:
        if count.hour is not None:
            by_hour[count.hour].append(count)
    judged, total, hour = [], 0, end - 1
    while total < NEWEST and hour >= end - 24:
        judged += by_hour[hour]
        total += sum(count.number for count in by_hour[hour])
        hour -= 1
    blocked = [count for count in judged if is_blocked(count)]
    number = sum(count.number for count in blocked)
    if number < LEAST or 4 * number < 3 * total:
        return None
    hours = {count.hour for count in judged}

    def was_so(days):
        then = [count for count in earlier if count.hour is not None and any(count.hour + 24 * back in hours for back in days)]
        requests = sum(count.number for count in then)
        return requests >= LEAST and 2 * sum(count.number for count in then if count.blocked) >= requests

    if was_so(range(1, 8)) or was_so([7]):
        return None
    return Failing(number, min(count.hour for count in blocked) * HOUR)


# Enforcement


@dataclass
class Signs:
    """Of a period: requests that were refused, and those that were let through without a token that counts."""

    refused: int = 0
    served: int = 0
    valid: int = 0
    valid_refused: int = 0

    def add(self, other):
        for name in ("refused", "served", "valid", "valid_refused"):
            setattr(self, name, getattr(self, name) + getattr(other, name))

    @property
    def is_on(self):
        return self.refused > self.served

    @property
    def is_off(self):
        return self.served >= max(1, self.refused)


class Enforcement:
    """Of one service, by the hours of its signs."""

    def __init__(self, counts, mode):
        self.counts, self.mode = counts, mode
        self.periods, self.lengths = defaultdict(Signs), {}
        for count in counts:
            begin = count.begin
            self.lengths[begin] = max(HOUR, count.end - count.instant)
            valid = count.number * count.is_verified
            self.periods[begin].add(
                Signs(count.number * count.is_refused, count.number * count.is_served, valid, valid * count.is_refused)
            )

    def signs(self, as_of, since=0):
        """(begin, signs) of the periods with any, up to an instant."""
        return [(begin, s) for begin, s in sorted(self.periods.items()) if since <= begin <= as_of and s.refused + s.served]

    def newest(self, since, as_of):
        """Of the newest 24 hours with any sign."""
        total, hours, first = Signs(), 0, None
        for begin, signs in reversed(self.signs(as_of, since)):
            if hours < 24:
                total.add(signs)
                hours, first = hours + self.lengths[begin] // HOUR, begin
        # Valid ones are those of all hours from then on: hours are not chosen by what is refused of them.
        found = [signs for begin, signs in self.periods.items() if first is not None and first <= begin <= as_of]
        total.valid = sum(signs.valid for signs in found)
        return total

    def state(self, as_of):
        total = self.newest(0, as_of)
        if total.refused >= 3 and total.is_on and 2 * total.valid_refused <= total.valid:
            return "on"
        return "off" if total.is_off else "unknown"

    def switch(self, as_of):
        """The first period of the newest run of those in which more were refused than served."""
        found = None
        for begin, signs in reversed(self.signs(as_of)):
            if signs.is_on:
                found = begin
            elif found is not None:
                break
        return found

    def numbers(self, begin, end):
        found = [s for at, s in self.periods.items() if begin <= at <= end]
        return sum(s.refused for s in found), sum(s.served for s in found)


@dataclass
class Word:
    state: str
    since: int = None
    by: str = None
    planned: int = None
    codes: tuple = ()

    is_partly = False

    @property
    def is_enforced(self):
        return bool({"enforced", "enforced-by-log"} & set(self.codes))


def word_of(subject, look, as_of):
    """What signs and mode say."""
    enforcement = subject.enforcement
    state = enforcement.state(as_of)
    since = enforcement.switch(as_of) if state == "on" else None
    mode = enforcement.mode
    if mode and mode[1] > as_of:
        mode = None  # Nothing after T is seen.
    if subject.service == AI_LOGIC:
        # It is enforced for everybody; the first sign of it may be later.
        mode = ("ENFORCED", since or FOR_EVERYBODY)
    if mode is None:
        return Word(state, since, "log" if since else None, codes=("enforced-by-log",) if state == "on" else ())
    name, changed = mode
    begin = min(changed, as_of)
    if name != "ENFORCED":
        contradicted = enforcement.newest(begin, as_of).is_on
        return Word("off", by="mode", codes=("policy-contradicted",) if contradicted else ())
    contradicted = enforcement.newest(begin, as_of).is_off
    return Word("on", begin, "mode", codes=("policy-contradicted",) if contradicted else ("enforced",))


@dataclass
class Lockout:
    requests: int
    refused: int
    lower: float
    last_hour: tuple
    failing: object
    platforms: dict = field(default_factory=dict)  # hours have no names


def lockout_of(look, word):
    if word.since is None:
        return None
    settings, subject = look.settings, look.subject
    judged = [count for count in subject.counts if count.auth == "VALID" and count.instant <= look.as_of]
    since = [count for count in judged if count.instant >= word.since]
    recent = window_days(settings.window, look.as_of)
    rows = [count for count in since if day_of(count.instant) in recent]
    days = defaultdict(lambda: [0, 0])
    for count in rows:
        days[day_of(count.instant)][0] += count.number
        days[day_of(count.instant)][1] += count.number * count.is_refused
    requests, refused = (sum(numbers) for numbers in zip(*days.values())) if days else (0, 0)
    lower = lower_bound(refused, requests, dispersion_of(list(days.values())), settings.confidence)
    failing = failing_now(since, look.as_of, lambda count: count.is_refused, judged)
    four_weeks = window_days(FOUR_WEEKS, look.as_of)
    hours = HoursOfDay(
        [
            (day_of(count.instant), hour_of(count.instant), count.is_refused, count.number)
            for count in since
            if count.hour is not None and day_of(count.instant) in four_weeks
        ],
        recent,
        settings,
    ).refused()
    if not ((lower > settings.maxBlocked and refused >= 2) or failing or hours):
        return None
    newest = (look.as_of + 1) // HOUR * HOUR - HOUR
    hour = [count for count in rows if count.instant >= newest]
    last = sum(count.number for count in hour), sum(count.number for count in hour if count.is_refused)
    return Lockout(requests, refused, lower, last, failing)


# The rule


class OfServices(OfFunctions):
    """What the rule asks of a service in its own way."""

    word_of = staticmethod(word_of)
    lockout_of = staticmethod(lockout_of)
    platforms_of = staticmethod(platforms_of)
    callers_in_doubt = staticmethod(callers_in_doubt)

    @staticmethod
    def is_blind(look, days):
        return False

    @staticmethod
    def has_gap(look, days):
        return False

    @staticmethod
    def is_stale(look):
        """Silent for two days or more when others of its project count."""
        traffic = look.traffic()
        newest = max((day for day in look.subject.days_of_others if day <= look.today), default=0)
        return bool(traffic) and newest - traffic[-1] >= 2

    @staticmethod
    def passed_over(look, days):
        return []

    @staticmethod
    def failing_before(judgement):
        look = judgement.look
        if judgement.word.state == "on":
            return None
        signed_in = look.signed_in or is_judged_on_signed_in(judgement.window)
        judged = [
            count
            for count in look.subject.counts
            if count.instant <= look.as_of and day_of(count.instant) >= look.start and (count.auth == "VALID" or not signed_in)
        ]
        return failing_now(judged, look.as_of, lambda count: count.blocked, judged)

    @staticmethod
    def advice(judgement, signed_in, _, failing):
        codes, verdict = {}, judgement.verdict
        look, window = judgement.look, judgement.window
        undecided = verdict in ("wait", "investigate") or (verdict == "insufficient" and "too-few-requests" in judgement.codes)
        if undecided and signed_in.verdict == "enforce":
            codes["anonymous-only"] = None
        if verdict in ("wait", "investigate") and clean_streak(look, window) >= 2:
            codes["clean-since"] = None
        if not any(cell.passed for cell in look.cells(window.days).values()):
            codes["all-refused"] = None
        if verdict == "enforce":
            codes["debug-tokens"] = None
            others = any(c.security != "VALID" or c.is_refused for c in look.subject.counts if day_of(c.instant) >= look.start)
            if window.admitted >= 300 and not others:
                codes["failures-unproven"] = None
        bad = bad_days(judgement)
        if bad:
            codes["bad-day"] = max(bad.values())
        if failing:
            codes["failing-now"] = failing.blocked
        return codes


@dataclass
class ServiceSubject(Subject):
    service: str = None
    counts: list = ()
    days_of_others: set = frozenset()
    is_open: bool = False  # its pull was not read to the end

    def uncounted_at(self, look, window):
        """u; None where it cannot be known."""
        return None if self.is_open else 0

    def without_day(self, look, window):
        return 0

    def failures(self, look, window):
        return frozenset()

    def callers(self, look, window):
        if self.forecast_from:
            return self.forecast_from.callers
        hours = platforms_of(look, window).refused()
        codes = {"platform-refused": max(counts.lower for counts in hours.values())} if hours else {}
        if look.settings.requireCallers:
            codes.update(callers_in_doubt(None, look, window, 0.5))
        return codes


def days_of_counts(counts, requires_auth):
    days = defaultdict(Day)
    for count in counts:
        number, blocked, signed_in = count.number, count.blocked, count.auth == "VALID"
        day = days[day_of(count.instant)]
        day.verifications += number
        day.passed += number * (count.app != "INVALID")
        if requires_auth and not signed_in:
            continue
        day.admitted += number
        day.signed_in += number * signed_in
        if not blocked:
            continue
        day.blocked += number
        day.hours.add(hour_of(count.instant))
        day.refused += number * (count.app == "INVALID")
        if count.app == "MISSING":
            day.signed_in_no_token += number * signed_in
            day.anonymous_no_token += number * (not signed_in)
        day.last_blocked = max(day.last_blocked or 0, count.begin)
    return dict(days)


def service_rows(sources, policy=None, typed=None):
    """`services` of the JSON; `sources`: a list of JSON values for each."""
    metrics = read(sources)
    settings = base_settings({"flags": policy or {}})
    names = defaultdict(list)
    for count in metrics.counts:
        if count.number:
            names[count.project, count.service].append(count)
    rows = []
    for project in sorted({count.project for count in metrics.counts}):
        as_of = as_of_counts([count for count in metrics.counts if count.project == project], typed)
        seen = {
            service: [count for count in counts if count.end - 1 <= as_of]
            for (name, service), counts in names.items()
            if name == project
        }
        for service in sorted(seen):
            rows.append(service_row(project, service, seen, metrics, settings, as_of))
    return rows


def service_row(project, service, seen, metrics, settings, as_of):
    counts = seen[service]
    days = Counter()
    for count in (count for counts in seen.values() for count in counts):
        days[day_of(count.instant)] += count.number
    coverage = ProjectCounts(volumes=days)
    subject = ServiceSubject(
        settings=settings,
        project=coverage,
        generation=None,
        start=coverage.stretch_start(day_of(as_of)),
        days=days_of_counts(counts, False),
        signed_in_days=days_of_counts(counts, True),
        firsts=firsts_of([replace(count, instant=count.begin) for count in counts]),
        enforcement=Enforcement(counts, metrics.modes.get(service)),
        clauses=OfServices,
        service=service,
        counts=counts,
        days_of_others={day_of(count.instant) for name in seen if name != service for count in seen[name]},
        is_open=project in metrics.open_projects,
    )
    judgement = judge_confirmed(subject, as_of)
    return {
        "project": project,
        "service": service,
        "verifications": sum(count.number for count in counts),
        "app": {status: sum(count.number for count in counts if count.app == status) for status in STATUSES},
        "daily": daily(counts, judgement.look),
        "readiness": readiness(None, subject, judgement, as_of, None),
        "enforcement": enforcement_row(subject, judgement, as_of),
        "apps": apps(counts),
    }


def enforcement_row(subject, judgement, as_of):
    word = judgement.word
    begin = start_of(judgement.window.days[0]) if word.since is None else word.since
    refused, served = subject.enforcement.numbers(begin, as_of)
    return {
        "state": word.state,
        "since": None if word.since is None else instant_text(word.since),
        "by": word.by,
        "planned": None,
        "mayStream": False,
        "refused": refused,
        "served": served,
        "revisions": [],
    }


def daily(counts, look):
    numbers = defaultdict(Counter)
    for count in counts:
        numbers[day_of(count.instant)][count.app] += count.number
    return [daily_row(day, numbers[day], look) for day in sorted(numbers)]


def apps(counts):
    numbers = Counter()
    for count in counts:
        if count.security == "VALID" and count.app_id != "UNKNOWN":
            numbers[count.app_id] += count.number
    return [{"app": app, "requests": number} for app, number in sorted(numbers.items(), key=lambda p: (-p[1], p[0]))]


def values_of(text):
    """JSON values, one after another."""
    decoder, place, found = json.JSONDecoder(), 0, []
    while place < len(text):
        if text[place].isspace():
            place += 1
            continue
        value, place = decoder.raw_decode(text, place)
        found.append(value)
    return found


if __name__ == "__main__":
    answers = [values_of(Path(name).read_text(encoding="utf-8")) for name in sys.argv[1:]]
    json.dump(service_rows(answers), sys.stdout, indent=1)
    print()
