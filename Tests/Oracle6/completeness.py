"""Does the log hold what was logged? Missing passes, silent days, an old export, failures that do not arrive."""

from fractions import Fraction
from statistics import median

from instants import DAY, HOUR, day_of


def is_blind(look, window):
    """Whether passes are missing from the log, rather than refused by App Check."""
    cells = {day: cell for day, cell in look.cells(window).items() if cell.verifications}
    hidden = [day for day, cell in cells.items() if cell.passed == 0 and not passes_shown(look, day)]
    if cells and all(cell.passed == 0 for cell in cells.values()) and 2 * len(hidden) >= len(cells):
        return True
    return any(cells[day].verifications >= 10 for day in hidden)


def passes_shown(look, day):
    """Would a pass of this day have been seen? Another function's was, or the day is not half as small as others."""
    if day in look.subject.shown_by_others:
        return True
    days = look.subject.days
    usual = [days[other].verifications for other in look.traffic() if days[other].passed]
    return bool(usual) and 2 * days[day].verifications >= median(usual)


def is_stale(look):
    traffic = look.traffic()
    if not traffic:
        return False
    silence = look.today - traffic[-1]
    longest = max((later - earlier for earlier, later in zip(traffic, traffic[1:])), default=1)
    return silence > 3 and silence > 2 * longest


def is_old(look, clock):
    """The project's log ends too long before the clock; days on which it rests are not held against it."""
    last = look.project.last_covered(look.today)
    if last is None:
        return False
    between = range(last + 1, day_of(clock))
    quiet = sum(is_excused(look, day, day_of(clock) - 1) for day in between)
    return clock - look.project.newest[last] > 36 * HOUR + quiet * DAY


def has_gap(look, window):
    """A day of the window on which the whole project is silent without an excuse; none excuses one on which requests
    arrived. One lost day alone is passed over."""
    return any(
        not is_quiet_before(look, day) if day < look.start else is_missing(look, day) and not is_passed_over(look, day)
        for day in window
    )


def is_quiet_before(look, day):
    """A day before the stretch is empty, and may be one that the policy names."""
    return day < look.start and look.project.is_quiet(day) and not look.project.is_proven_gap(day)


def is_missing(look, day):
    """Whether a day of the stretch is empty, and no habit or volume explains it."""
    if not look.start <= day <= look.today or day in look.project.covered_set:
        return False
    return look.project.is_proven_gap(day) or not is_excused(look, day, look.today)


def is_passed_over(look, day):
    """Whether it alone is missing of the fourteen days that end with it and the fourteen that begin with it."""
    if look.project.is_proven_gap(day):
        return False
    return not any(is_missing(look, other) for other in range(day - 13, day + 14) if other != day)


def passed_over(look, window):
    """Empty days of the window that every output names: those that alone are missing, and those that the policy names."""
    return [
        day
        for day in window
        if is_quiet_before(look, day)
        or look.start <= day <= look.today
        and day not in look.project.covered_set
        and not look.project.is_proven_gap(day)
        and (is_passed_over(look, day) if is_missing(look, day) else look.project.is_quiet(day))
    ]


def is_excused(look, day, end):
    """Why an empty day of the stretch (which ends with `end`) says nothing against the log."""
    project, start = look.project, look.start
    covered = project.covered_set
    if project.is_quiet(day):
        return True
    for other in (day - 7, day + 7):
        between = range(min(day, other) + 1, max(day, other))
        if start <= other <= end and other not in covered and sum(d in covered for d in between) >= 4:
            return True
    expected = expected_in_silence(look, day, end)
    return expected is not None and expected <= 7


def expected_in_silence(look, day, end):
    """Verifications that the run of empty days around a day would usually have had; None when that is not known."""
    project, start = look.project, look.start
    first = last = day
    while first - 1 >= start and first - 1 not in project.covered_set:
        first -= 1
    while last + 1 <= end and last + 1 not in project.covered_set:
        last += 1
    expected = Fraction(0)
    for empty in range(first, last + 1):
        # Days that a forecast filled have no volume: the volumes up to the true as-of count.
        same_weekday = [
            project.volumes[other]
            for other in range(start + (empty - start) % 7, look.today + 1, 7)
            if other in project.volumes
        ]
        if len(same_weekday) < 2:
            return None
        expected += Fraction(sum(same_weekday), len(same_weekday))
    return expected


def failures_codes(look, window):
    """Whether the project's failures of the function's generation may be missing from the log: failures-*."""
    project, generation, today = look.project, look.subject.generation, look.today
    # Only gen 2 writes to the stderr log; a gen 1 function's failures never come that way.
    failed = project.failed.get(generation, {})
    seen = {*failed, *(project.stderr if generation == 2 else ())}
    in_stretch = [day for day in window if day >= look.start]
    codes = set()
    if generation == 2 and not any(day in seen for day in in_stretch):
        codes.add("failures-not-seen")
    recent = look.window(look.settings.window)
    run = 0
    while run < len(recent) and today - run not in seen:
        run += 1
    if run > 0:
        length = run - 1 + Fraction(look.as_of % DAY, DAY)
        if length * usual_failures(failed, range(look.start, today - run + 1)) > 7:
            codes.add("failures-stopped")
    late = 0
    while late < len(in_stretch) and in_stretch[late] not in seen:
        late += 1
    if 0 < late < len(in_stretch) and late * usual_failures(failed, in_stretch[late:]) > 7:
        codes.add("failures-late")
    return frozenset(codes)


def usual_failures(failed, days):
    """The mean by day, in which the busiest quarter of the days counts no more than the others."""
    counts = [failed.get(day, 0) for day in days]
    if not counts:
        return 0
    most = sorted(counts)[(3 * len(counts) + 3) // 4 - 1]
    return Fraction(sum(min(count, most) for count in counts), len(counts))
