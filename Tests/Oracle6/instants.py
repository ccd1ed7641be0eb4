"""Instants are integers, nanoseconds since 1970 in UTC; days are integers, days since 1970."""

import re
from datetime import UTC, date, datetime

SECOND = 10**9
HOUR = 3600 * SECOND
DAY = 24 * HOUR
EPOCH = date(1970, 1, 1).toordinal()
RFC_3339 = re.compile(r"(.{16}(?::\d\d)?)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)")


def day_of(instant):
    return instant // DAY


def start_of(day):
    return day * DAY


def hour_of(instant):
    return instant % DAY // HOUR


def day_from(text):
    """The day of a date written YYYY-MM-DD."""
    return date.fromisoformat(text).toordinal() - EPOCH


def day_text(day):
    return date.fromordinal(day + EPOCH).isoformat()


def instant_text(instant, digits=None):
    """RFC 3339 in UTC; the fraction without trailing zeros, or cut to the given number of digits."""
    whole = datetime.fromtimestamp(instant // SECOND, UTC).strftime("%Y-%m-%dT%H:%M:%S")
    fraction = f"{instant % SECOND:09d}"
    fraction = fraction.rstrip("0") if digits is None else fraction[:digits]
    return f"{whole}.{fraction}Z" if fraction else f"{whole}Z"


def instant_from(text):
    """The instant of an RFC 3339 text, with at most nine digits of a second, or without seconds."""
    whole, fraction, zone = RFC_3339.fullmatch(text).groups()
    seconds = int(datetime.fromisoformat(whole + zone).timestamp())
    return seconds * SECOND + int((fraction or "").ljust(9, "0"))


def weekday_of(day):
    """0 for Monday; 1970 began on a Thursday."""
    return (day + 3) % 7
