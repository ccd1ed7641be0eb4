"""Clauses on a function's last requests, or on too few requests for a share to mean anything."""

from dataclasses import dataclass

from scipy.special import gammaincinv

from instants import SECOND, day_of, hour_of
from platforms import judged_on_signed_in

NEWEST, MOST = 20, 15


@dataclass
class Failing:
    blocked: int  # of the newest requests judged
    since: int  # instant of the first of them


def failing_now(look, window):
    """Whether next to all of the newest requests are blocked, at an hour at which others are not; else None."""
    subject, signed_in = look.subject, judged_on_signed_in(window)
    first = max(look.today - 1, look.start, look.today - 1 if subject.since is None else subject.since)
    judged = [
        row
        for row in subject.requests
        if row.instant <= look.as_of
        and day_of(row.instant) >= first
        and (row.auth == "VALID" or not (signed_in or subject.requires_auth))
    ]
    blocked = [row for row in judged[-NEWEST:] if row.app != "VALID"]
    if len(blocked) < MOST or blocked[-1].instant - blocked[0].instant < 1800 * SECOND:
        return None
    hours = {hour_of(row.instant) for row in blocked}
    week = look.cells(range(look.today - 7, look.today)).values()
    if sum(bool(hours & cell.valid_hours) for cell in week) < 4:
        return None
    return Failing(len(blocked), blocked[0].instant)


def per_week_upper(blocked, dispersion, confidence, observed):
    """The most requests a week that would be refused: a Poisson bound; None when the function was not there."""
    if observed == 0:
        return None
    return 7 * dispersion * float(gammaincinv(blocked / dispersion + 1, confidence)) / observed


def few_a_week(look, window, recent):
    """The bound when it is within `max-per-week`, and neither the window nor its last days hold half of all refused."""
    most = look.settings.maxPerWeek
    observed = look.observed_days(window.days)
    if most is None or observed == 0 or 2 * window.blocked >= window.admitted:
        return None
    bound = per_week_upper(window.blocked, window.dispersion, look.settings.confidence, observed)
    if bound > most:
        return None
    if recent.blocked == 0:
        return bound
    in_recent = look.observed_days(recent.days)
    if 2 * recent.blocked >= recent.admitted or 7 * recent.blocked > most * in_recent:
        return None
    return bound
