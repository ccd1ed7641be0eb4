"""Codes that advise and never change the verdict."""

from bounds import proportions_differ
from instants import day_of
from rule import EMPTY, period_of, window_days


def advice(judgement, signed_in, as_of):
    """The advice codes that hold; `signed_in` is the twin's judgement."""
    subject, verdict, codes = judgement.subject, judgement.verdict, set()
    undecided = verdict in ("wait", "investigate") or (
        verdict == "insufficient" and "too-few-requests" in judgement.codes
    )
    if undecided and signed_in.verdict == "enforce":
        codes.add("anonymous-only")
    if verdict in ("wait", "investigate") and clean_streak(subject, judgement.window) >= 2:
        codes.add("clean-since")
    if verdict == "enforce" and period_of(subject, window_days(28, as_of, subject.start)).unstable:
        codes.add("recent-trouble")
    if shifted_to_invalid(subject, judgement.window.days):
        codes.add("shifted-to-invalid")
    seen = [subject.days[day] for day in judgement.window.days if day in subject.days]
    if seen and not any(cell.passed for cell in seen) and "passes-not-seen" not in judgement.codes:
        codes.add("all-refused")
    stretch = range(judgement.first_day or 0, day_of(as_of) + 1)
    if (
        verdict == "enforce"
        and judgement.window.admitted >= 300
        and not any(day in subject.project.failed[subject.generation] for day in stretch)
    ):
        codes.add("failures-unproven")
    if set().union(*(cell.severities for cell in subject.days.values())) == {"INFO"}:
        codes.add("sdk-3")
    return codes


def last_blocked(subject, window):
    """Instant of the newest blocked request of a period, or None."""
    cells = (subject.days.get(day, EMPTY) for day in window.days)
    return max((cell.last_blocked for cell in cells if cell.last_blocked is not None), default=None)


def clean_streak(subject, window):
    """Active days after the day of the newest blocked request; all of them without one."""
    newest = last_blocked(subject, window)
    return sum(1 for day in window.active if newest is None or day > day_of(newest))


def shifted_to_invalid(subject, days):
    """The share of INVALID moved between the first half of the days (the shorter) and the rest; the rate did not."""
    middle = len(days) // 2
    first, second = period_of(subject, days[:middle]), period_of(subject, days[middle:])
    if 0 in (first.blocked, second.blocked):
        return False
    return proportions_differ(first.refused, first.blocked, second.refused, second.blocked) and not proportions_differ(
        first.blocked, first.admitted, second.blocked, second.admitted
    )
