"""Instants are whole nanoseconds since 1970, so that no boundary is lost to floating point."""
import re
from datetime import date, datetime, timedelta, timezone

SECOND = 10**9
HOUR = 3600 * SECOND
DAY = 24 * HOUR
EARLIEST = 1451606400 * SECOND          # 2016-01-01: stamps before it are no time

_STAMP = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?\s*(Z|z|UTC|[+-]\d\d:\d\d)?)?$")


def parse(text):
    """An instant of RFC 3339, or of a date (its first nanosecond); None for anything else."""
    match = _STAMP.match(text.strip()) if isinstance(text, str) else None
    if not match:
        return None
    year, month, day, hour, minute, second, fraction, zone = match.groups()
    try:
        whole = datetime(int(year), int(month), int(day), int(hour or 0), int(minute or 0), int(second or 0), tzinfo=timezone.utc)
    except ValueError:
        return None
    seconds = (whole - datetime(1970, 1, 1, tzinfo=timezone.utc)) // timedelta(seconds=1)
    if zone and zone[0] in "+-":
        offset = int(zone[1:3]) * 3600 + int(zone[4:6]) * 60
        seconds -= offset if zone[0] == "+" else -offset
    return seconds * SECOND + int((fraction or "").ljust(9, "0") or 0)


def is_date(text):
    return bool(re.fullmatch(r"\d{4}-\d\d-\d\d", text.strip()))


def end_of(text):
    """For `--as-of` and `--until`: a date is the whole day."""
    instant = parse(text)
    return instant + DAY - 1 if instant is not None and is_date(text) else instant


def day(instant):
    return instant // DAY


def day_text(number):
    return (date(1970, 1, 1) + timedelta(days=number)).isoformat()


def day_number(text):
    return (date.fromisoformat(text) - date(1970, 1, 1)).days


def weekday(number):
    return (number + 3) % 7              # 1970-01-01 was a Thursday; Monday is 0


def text(instant):
    if instant is None:
        return None
    seconds, fraction = divmod(instant, SECOND)
    stamp = datetime.fromtimestamp(seconds, timezone.utc).strftime("%Y-%m-%dT%H:%M:%S")
    return stamp + (f".{fraction:09d}".rstrip("0") if fraction else "") + "Z"
