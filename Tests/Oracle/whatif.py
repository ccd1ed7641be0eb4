"""Nothing is offered that was not tried: the rule, run with each change at T and with its nights."""
from dataclasses import replace

from clients import compare_versions
from moments import day, day_text, text
from rule import confirmed

MOST = 12


def suspects(judged):
    """Units that would be refused, with their people, most blocked first."""
    found = []
    if judged.platforms is None:
        return found
    units = {name: unit for name, unit in judged.refused}
    for app, unit in judged.platforms.units["app"].items():
        versions = {}
        for q in unit:
            if q.client.version:
                versions.setdefault(f"{app}@{q.client.version}", []).append(q)
        units.update({name: own for name, own in versions.items() if name not in units and judged.platforms.refusal.holds(own)})
    for name, unit in units.items():
        looked = [q for q in unit if q.t >= judged.platforms.begin]
        blocked = [q for q in looked if q.blocked]
        people = {(q.address, q.kind_and_app, q.auth) for q in blocked}
        u = judged.platforms.refusal.segments(unit)
        over = next((s for s in reversed(u.segments[:-1]) if u.raised(s)), None)
        found.append((name, unit, people, {
            "name": name, "admitted": len(looked), "blocked": len(blocked), "addresses": len({q.address for q in blocked if q.address is not None}),
            "since": text(u.instant(u.begin)) if u.begin is not None else text(u.instant(over[0])) if over else None,
            "until": text(u.instant(over[1])) if u.begin is None and over else None}))
    return sorted(found, key=lambda s: (-len(s[2]), s[0]))[:10]


def _of(name):
    """Whether a request belongs to a named version of a bundle."""
    app, _, version = name.partition("@")
    return lambda q: q.client is not None and q.client.app == app and q.client.version is not None and compare_versions(q.client.version, version) == 0


def _changes(case, judged, named):
    """(words, the case, what is removed, twin) in the order in which they are tried."""
    only_one = judged.platforms is not None and len(judged.platforms.units["kind"]) == 1
    for place, (name, unit, _, _) in enumerate(named):
        ids = {id(q) for q in unit}
        yield place < 3, f"without {name}", case, lambda q, ids=ids: id(q) in ids, False
        if not (only_one and name in judged.platforms.units["kind"]) and not name.startswith("small "):
            accepting = replace(case.options, accept_platforms=case.options.accept_platforms + (name,))
            yield place < 3, f"accept-platforms: {name}", replace(case, options=accepting), None, False
        if "@" in name:
            app, own = name.partition("@")[0], _of(name)
            yield place < 3, f"other versions of {app} only", case, lambda q, app=app, own=own: q.client is not None and q.client.app == app and not own(q), False
    u = judged.segments
    if u is not None and len(u.segments) > 1 and u.clean:
        begin = u.instant(u.segments[-1][0])
        yield True, f"since: {day_text(day(begin))}", replace(case, options=replace(case.options, since=begin)), None, False
    for n in (1, 2, 3):
        yield True, f"max-per-week: {n}", replace(case, options=replace(case.options, max_per_week=n)), None, False
    yield False, "requires-auth", case, None, True
    yield False, "count-machines: true", replace(case, options=replace(case.options, count_machines=True)), None, False


def tried(case, judged):
    """What makes the verdict enforce, else the one change that takes most away; [] where neither does anything."""
    if judged.verdict not in ("wait", "investigate", "insufficient") or judged.admission is None:
        return []
    changes = list(_changes(case, judged, suspects(judged)))
    best = None
    for _, words, changed, remove, twin in ([c for c in changes if c[0]] + [c for c in changes if not c[0]])[:MOST]:
        found, _ = confirmed(changed, twin, remove)
        rate = found.n.b / found.n.n if found.n.n else None
        told = {"change": words, "verdict": found.verdict, "blockedRate": rate, "date": None, "remains": [name for name, _ in found.refused]}
        if found.enforce:
            return [told]
        if rate is not None and (best is None or rate < best["blockedRate"]):
            best = told
    now = judged.n.b / judged.n.n if judged.n.n else 0
    return [best] if best and best["blockedRate"] < now else []
