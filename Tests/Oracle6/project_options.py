"""As-of, interval, selection and policy of a random project; the policy file's text and the command's options."""

from clients import OWN
from forgeries import separate
from instants import DAY, HOUR, day_text, instant_from, instant_text, start_of
from policy import WEEKDAYS

LISTS = ("ignoreClients", "acceptPlatforms")
PLATFORMS = (
    *("web", "web/firefox", "web/chrome", "ios", "android", "iosExtension", "macos", "androidWebView"),
    *("com.example.app", "com.example.app@3.1.0", "com.example.app@3.1.2", "com.example.app.Share"),
    *("app:Runner", "org.other", "dart", "web/electron", "parents.academy.example", "*.example", "com.example.*"),
)
KEYS = {
    "maxBlocked": "max-refused",
    "confidence": "confidence",
    "window": "window",
    "maxWindow": "max-window",
    "minDays": "min-days",
    "confirm": "safe-nights",
    "quietDays": "quiet-days",
    "requiresAuth": "requires-auth",
    "enforced": "enforced",
    "since": "since",
    "exempt": "exempt",
    "region": "region",
    "project": "project",
    "maxPerWeek": "max-per-week",
    "ignoreClients": "ignore-clients",
    "acceptPlatforms": "accept-platforms",
    "requireCallers": "require-callers",
    "countMachines": "count-machines",
    "until": "until",
}
FAR_FUTURE = start_of(47_500) + 5 * HOUR  # 2100: no clock is near


def choose_options(rng, project, first, today):
    """Adds as-of, interval, selection and policy to a project, as data and as the command's options."""

    def chance(probability):
        return rng.random() < probability

    kind = str(rng.choice(["none", "date", "instant", "earlier"], p=[0.4, 0.2, 0.2, 0.2]))
    if kind == "date":
        project["asOf"] = instant_text(start_of(today + 1) - 1)
        project["options"] += ["--as-of", day_text(today)]
    elif kind != "none":
        back = 0 if kind == "instant" else int(rng.integers(1, max(2, (today - first) // 3)))
        project["asOf"] = instant_text(
            start_of(today - back) + int(rng.choice([rng.integers(DAY), DAY // 2 - 1, DAY // 2]))
        )
        project["options"] += ["--as-of", project["asOf"]]
    if chance(0.08) and kind == "none":
        until = today - int(rng.integers(0, 3))
        project["until"] = instant_text(start_of(until + 1))
        project["options"] += ["--until", day_text(until)]
    last = _day_judged(project)
    if chance(0.12) and last > first:
        since, text = _since(rng, project, first, last)
        project["since"] = instant_text(since)
        project["options"] += ["--since", text]
    if chance(0.1):
        project["select"] = [str(rng.choice(_patterns_that_match(project)))]
        project["options"] += ["--function", project["select"][0]]
    if chance(0.3):
        project["policy"]["policy"] = _random_values(rng)
    if chance(0.15):
        project["policy"]["policy"]["quietDays"] = _quiet_days(rng, first, today)
    if chance(0.3):
        project["flags"] = _random_values(rng)
    if chance(0.3):
        project["flags"]["confirm"] = int(rng.choice([1, 1, 2, 3]))
    for values, share in ((project["policy"]["policy"], 0.25), (project["flags"], 0.25)):
        if chance(share):
            values.update(_of_callers(rng))
    if chance(0.1):
        project["flags"]["requiresAuth"] = True
    if chance(0.25):
        project["flags"]["assumeComplete"] = True if chance(0.7) else "failures"
    for _ in range(int(rng.choice([0, 0, 1, 3]))):
        project["policy"]["functions"].append(_random_entry(rng, project, last))
    project["dedupe"] = not chance(0.05)
    for function in project["functions"]:
        if not project["dedupe"]:
            separate(function)


def _random_values(rng):
    values = {
        "maxBlocked": float(rng.choice([0.005, 0.02, 0.05, 0.2])),
        "confidence": float(rng.choice([0.8, 0.9, 0.99])),
        "window": int(rng.choice([3, 5, 10, 14])),
        "maxWindow": int(rng.choice([7, 14, 20, 42])),
        "minDays": int(rng.choice([2, 10, 14])),
        "confirm": int(rng.choice([1, 2, 5, 10])),
    }
    chosen = {name: values[name] for name in rng.choice(list(values), int(rng.integers(1, 3)), replace=False)}
    if chosen.get("window", 7) > chosen.get("maxWindow", 28):
        del chosen["maxWindow"]  # such a pair is an error
    return chosen


def _of_callers(rng):
    """Limits, kinds and platforms that depend on who calls, or on how few do."""
    values = {
        "maxPerWeek": float(rng.choice([0.5, 1, 2, 3, 10])),
        "ignoreClients": [str(kind) for kind in rng.choice(OWN, int(rng.integers(1, 4)), replace=False)],
        "acceptPlatforms": [str(name) for name in rng.choice(PLATFORMS, int(rng.integers(1, 4)), replace=False)],
        "requireCallers": bool(rng.random() < 0.8),
        "countMachines": bool(rng.random() < 0.8),
    }
    return {name: values[name] for name in rng.choice(list(values), int(rng.integers(1, 3)), replace=False)}


def _quiet_days(rng, first, today):
    """Weekdays and dates on which the project may rest, in no order."""
    days = [str(name) for name in rng.choice(WEEKDAYS, int(rng.integers(0, 3)), replace=False)]
    days += sorted({day_text(int(day)) for day in rng.integers(first, today + 1, int(rng.integers(1, 4)))})
    return days


def _random_entry(rng, project, last):
    function = project["functions"][rng.integers(len(project["functions"]))]
    entry = {
        "match": str(rng.choice([function["name"], "*", "admin*", "*s*", function["name"].replace("_", "-").upper()]))
    }
    if rng.random() < 0.3:
        entry["region"] = str(rng.choice([function["region"], f"{function['region'][:3]}*", "*-central1"]))
    if rng.random() < 0.1:
        entry["project"] = str(rng.choice(["demo-*", "*-prod", "demo-stage"]))
    kinds = ["exempt", "enforced", "since", "requiresAuth", "maxBlocked", "maxPerWeek", "acceptPlatforms"]
    kind = str(rng.choice(kinds, p=[0.06, 0.14, 0.22, 0.16, 0.16, 0.13, 0.13]))
    enforced = last - int(rng.integers(-3, 12))
    entry[kind] = {
        "exempt": "must work when App Check is down",
        "enforced": day_text(enforced) if rng.random() < 0.6 else f"{day_text(enforced)}T{rng.integers(24):02}:30Z",
        "since": day_text(last - int(rng.integers(2, 15))),
        "requiresAuth": bool(rng.random() < 0.8),
        "maxBlocked": float(rng.choice([0.02, 0.05])),
        "maxPerWeek": int(rng.choice([1, 3, 20])),
        "acceptPlatforms": [str(name) for name in rng.choice(PLATFORMS, 2, replace=False)],
    }[kind]
    if rng.random() < 0.1:
        entry["until"] = day_text(last + int(rng.choice([-1, 0, 30])))
    return entry


def _day_judged(project):
    """The as-of's day. No `since` is later than it: the contract does not say what a window without days is."""
    if project["asOf"]:
        return instant_from(project["asOf"]) // DAY
    limit = instant_from(project["until"]) if "until" in project else FAR_FUTURE
    rows = (row for function in project["functions"] for row in function["verifications"])
    return max((row[0] for row in rows if row[0] is not None and row[0] < limit), default=0) // DAY


def _since(rng, project, first, last):
    """An instant before the as-of's day, and how --since says it: a date, an instant, or an age back from --as-of."""
    if project["asOf"] and rng.random() < 0.4:
        days = int(rng.integers(1, last - first + 1))
        return instant_from(project["asOf"]) - days * DAY, f"{days}d"
    since = start_of(int(rng.integers(first, last))) + int(rng.choice([0, rng.integers(DAY)]))
    if project["asOf"] and rng.random() < 0.1:  # so late that there may be no request after it
        since = instant_from(project["asOf"]) - int(rng.integers(1, HOUR))
    return since, instant_text(since) if since % DAY else day_text(since // DAY)


def _patterns_that_match(project):
    """Globs for --function; one that matches nothing would add a row."""
    since = instant_from(project["since"]) if "since" in project else 0
    until = instant_from(project["until"]) if "until" in project else FAR_FUTURE + DAY
    found = {"*"}
    for function in project["functions"]:
        if any(row[0] is not None and since <= row[0] < until for row in function["verifications"]):
            found |= {f"{function['name'][0]}*", f"*{function['name'][2:4]}*", function["name"].upper()}
    return sorted(found)


def policy_text(policy):
    """The policy file, or None when there is nothing to say."""
    lines = []
    if policy["policy"]:
        values = (f"{KEYS[name]}: {_value(name, value)}" for name, value in policy["policy"].items())
        lines.append("policy: {" + ", ".join(values) + "}")
    if policy["functions"]:
        lines.append("functions:")
    for entry in policy["functions"]:
        lines.append(f'  - match: "{entry["match"]}"')
        lines += [f"    {KEYS[name]}: {_value(name, value)}" for name, value in entry.items() if name != "match"]
    return "\n".join(lines) + "\n" if lines else None


def _value(name, value):
    if name in ("region", "project"):
        return f'"{value}"'
    if name in ("maxBlocked", "confidence"):
        return f"{value * 100:g}%" if round(value * 1000) % 2 == 0 else f"{value:g}"
    if name in ("window", "maxWindow"):
        return f"{value}d"
    if name in ("quietDays", *LISTS):
        return "[" + ", ".join(f'"{name}"' if "*" in name else name for name in value) + "]"
    return str(value).lower() if isinstance(value, bool) else value


def policy_options(project):
    """The command-line options of a project's policy file and settings."""
    flags, options = project["flags"], []
    if policy_text(project["policy"]):
        options += ["--policy", "policy.yaml"]
    for name in (*KEYS, "assumeComplete"):
        if name in flags:
            text = ",".join(flags[name]) if name in LISTS else _value(name, flags[name])
            options += ["--set", f"{KEYS.get(name, 'assume-complete')}={text}"]
    return options + ["--set", "dedupe=false"] * (not project.get("dedupe", True))
