"""Limits and wishes: defaults, `policy:`, flags, then the matching entries in file order."""
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase

import yaml_subset
from clients import IGNORABLE
from moments import DAY, day_number, is_date, parse, weekday

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


class Usage(Exception):
    """Ends with 64."""


@dataclass(frozen=True)
class Options:
    max_refused: float = 0.01
    confidence: float = 0.95
    min_days: int = 7
    window: int = 7
    max_window: int = 28
    safe_nights: int = 7
    quiet_days: tuple = ()
    max_per_week: int | None = None
    ignore_clients: frozenset = frozenset()
    accept_platforms: tuple = ()
    require_callers: bool = False
    count_machines: bool = False
    assume_complete: str = ""
    requires_auth: bool = False
    exempt: str | None = None
    enforced: str | None = None
    since: int | None = None
    expired: tuple = ()

    def quiet(self, number):
        return any(q == WEEKDAYS[weekday(number)] or is_date(q) and day_number(q) == number for q in self.quiet_days)

    def accepts(self, name):
        return any(fnmatchcase(name, pattern) for pattern in self.accept_platforms)


def _list(value):
    return [str(v).strip() for v in (value if isinstance(value, list) else str(value).split(","))]


def _rate(value):
    text = str(value)
    if text.endswith("%"):
        return float(text[:-1]) / 100
    if "." not in text:
        raise Usage(f"a rate needs % or a decimal point: {text}")
    return float(text)


def _days(value):
    return int(str(value).removesuffix("d"))


def _truth(value):
    return value if isinstance(value, bool) else {"true": True, "false": False}[str(value).lower()]


def _kinds(value):
    names = frozenset(_list(value))
    if names - IGNORABLE:
        raise Usage("ignore-clients names kinds of one's own; see accept-platforms")
    return names


_PARSERS = {
    "max-refused": _rate, "confidence": _rate, "min-days": _days, "window": _days, "max-window": _days, "safe-nights": int,
    "quiet-days": lambda v: tuple(d.lower() for d in _list(v)), "max-per-week": lambda v: None if v is None else int(v), "ignore-clients": _kinds,
    "accept-platforms": lambda v: tuple(_list(v)), "require-callers": _truth, "count-machines": _truth,
    "assume-complete": lambda v: {"true": "all", "false": ""}.get(str(v).lower(), str(v)), "requires-auth": _truth,
    "exempt": str, "enforced": str, "since": lambda v: parse(str(v))}
_OF_ENTRIES = {"match", "region", "project", "until"}


def apply(options, settings):
    changed = {}
    for key, value in settings.items():
        if key in _OF_ENTRIES:
            continue
        if key not in _PARSERS:
            raise Usage(f"unknown key {key}")
        changed[key.replace("-", "_")] = _PARSERS[key](value)
    return replace(options, **changed)


def folded(name):
    return name.lower().replace("_", "-")


@dataclass
class Policy:
    base: Options = field(default_factory=Options)
    entries: list = field(default_factory=list)

    def of(self, project, region, names, as_of):
        options = self.base
        for entry in self.entries:
            fits = any(fnmatchcase(folded(name), folded(str(entry.get("match", "*")))) for name in names)
            fits = fits and fnmatchcase(project, str(entry.get("project", "*"))) and fnmatchcase(region, str(entry.get("region", "*")))
            if not fits:
                continue
            until = entry.get("until")
            if until is not None and as_of is not None and as_of >= parse(str(until)) + (DAY if is_date(str(until)) else 0):
                options = replace(options, expired=options.expired + (str(entry.get("match")),))
                continue
            options = apply(options, entry)
        return options


def policy(text, flags):
    """flags: a mapping of keys, of `--set` and of flags alike."""
    loaded = yaml_subset.load(text) if text else {}
    if set(loaded) - {"policy", "functions"}:
        raise Usage("unknown key in the policy")
    return Policy(apply(apply(Options(), loaded.get("policy") or {}), flags), loaded.get("functions") or [])
