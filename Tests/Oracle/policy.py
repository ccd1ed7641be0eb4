"""Policy values of one function: defaults, then `policy:`, then flags, then matching entries in file order."""

from dataclasses import dataclass, fields, replace

from instants import day_from


@dataclass(frozen=True)
class Settings:
    maxBlocked: float = 0.01
    confidence: float = 0.95
    window: int = 7
    maxWindow: int = 28
    minDays: int = 7
    requiresAuth: bool = False
    confirm: int = 7
    assumeComplete: bool = False
    quietDays: tuple = ()  # weekdays (0 for Monday) and dates, as the policy file has them
    exempt: str = None
    enforced: int = None  # a day
    since: int = None  # a day


SHOWN = ("maxBlocked", "confidence", "window", "maxWindow", "minDays", "requiresAuth", "confirm", "assumeComplete")
NAMES = {f.name for f in fields(Settings)}


WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


def is_quiet(day, settings):
    """Whether the policy expects nothing on a day; 1970-01-01 was a Thursday."""
    return WEEKDAYS[(day + 3) % 7] in settings.quietDays or any(
        text not in WEEKDAYS and day_from(text) == day for text in settings.quietDays
    )


def base_settings(description):
    """What holds for every function: the JSON's `policy` object."""
    values = dict((description.get("policy") or {}).get("policy", {}))
    values.update(description.get("flags", {}))
    return Settings(**values)


def settings_of(function, description):
    """What holds for one function (a `FunctionInput`)."""
    settings = base_settings(description)
    for entry in (description.get("policy") or {}).get("functions", []):
        if function.matches(entry["match"]) and entry.get("region") in (None, function.region):
            values = {name: value for name, value in entry.items() if name in NAMES}
            for name in ("enforced", "since"):
                if name in values:
                    values[name] = day_from(values[name])
            settings = replace(settings, **values)
    return settings
