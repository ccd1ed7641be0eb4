"""Policy values of one function: defaults, then `policy:`, then flags, then matching entries in file order."""

from dataclasses import dataclass, fields, replace
from typing import NamedTuple

from globs import matches
from instants import day_from, instant_from, start_of, weekday_of

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


class Enforced(NamedTuple):
    """What an entry says of when enforcement was switched on."""

    instant: int  # of a date its beginning
    exact: bool  # else a date


@dataclass(frozen=True)
class Settings:
    maxBlocked: float = 0.01
    confidence: float = 0.95
    window: int = 7
    maxWindow: int = 28
    minDays: int = 7
    confirm: int = 7
    requiresAuth: bool = False
    assumeComplete: object = False  # True, False or "failures"
    exempt: str = None
    enforced: Enforced = None
    since: int = None  # a day
    maxPerWeek: float = None
    ignoreClients: tuple = ()
    acceptPlatforms: tuple = ()
    requireCallers: bool = False
    countMachines: bool = False


SHOWN = (
    *("maxBlocked", "confidence", "window", "maxWindow", "minDays", "confirm", "requiresAuth"),
    *("maxPerWeek", "ignoreClients", "acceptPlatforms", "requireCallers", "countMachines"),
)
NAMES = {f.name for f in fields(Settings)}


def base_settings(description):
    """What holds for every function: the JSON's `policy` object."""
    values = dict((description.get("policy") or {}).get("policy", {}))
    values.update(description.get("flags", {}))
    return Settings(**{name: value for name, value in values.items() if name in NAMES})


def settings_of(function, description, today):
    """What holds for one function (a `FunctionInput`) on a day; an entry may expire."""
    settings = base_settings(description)
    for entry in (description.get("policy") or {}).get("functions", []):
        place = (entry.get("region", "*"), function.region), (entry.get("project", "*"), function.project)
        if "until" in entry and day_from(entry["until"]) < today:
            continue
        if function.matches(entry["match"]) and all(matches(name, pattern) for pattern, name in place):
            values = {name: value for name, value in entry.items() if name in NAMES}
            for name, read in (("enforced", enforced_from), ("since", day_from)):
                if name in values:
                    values[name] = read(values[name])
            settings = replace(settings, **values)
    return settings


def enforced_from(text):
    """A date or an instant."""
    is_date = len(text) == len("2026-10-20")
    return Enforced(start_of(day_from(text)) if is_date else instant_from(text), not is_date)


def quiet_days(description):
    """Whether the policy's quiet-days (weekdays or dates) name a day."""
    named = ((description.get("policy") or {}).get("policy") or {}).get("quietDays", [])
    weekdays = {WEEKDAYS.index(name) for name in named if name in WEEKDAYS}
    dates = {day_from(name) for name in named if name not in WEEKDAYS}
    return lambda day: weekday_of(day) in weekdays or day in dates
