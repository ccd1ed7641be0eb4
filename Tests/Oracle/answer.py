"""One function's answer, key by key, as CONTRACT.md names them."""
import lockout as after_the_switch
import whatif
from dataclasses import replace
from collections import defaultdict

from forecast import forecast
from moments import DAY, day, day_text, text
from rule import Case, confirmed


TOLD_OF_THE_TWIN = ("admitted", "blocked", "blockedRate", "blockedRateUpper", "blockedRateLower")


def wanted(keys):
    """Whether a part is asked for: all where no keys are given."""
    return lambda part: not keys or any(f"{key}.".startswith(f"{part}.") or f"{part}.".startswith(f"{key}.") for key in keys)


def readiness(case, judged, count, wants=wanted(None)):
    """The keys of `readiness`, and the word of `aftermath`. What is slow is left out where nobody wants it."""
    e, o = case.enforcement, case.options
    admission = judged.admission
    found = {
        "verdict": judged.verdict, "window": {"from": day_text(judged.window.first), "to": day_text(day(case.T))},
        **numbers_of(judged), "ageDays": judged.age, "cleanStreak": 0, "lastBlocked": None, "uncounted": judged.uncounted, "leftOut": judged.left_out,
        "programs": judged.programs, "admission": "signedIn" if admission and admission.signed_in_only else "all",
        "admissionBy": admission.by if admission else None, "failingSince": text(judged.failing_since),
        "platforms": judged.platforms.listed() if judged.platforms else [], "safeNights": count,
        "safeSince": day_text(day(case.T) - count + 1) if count else None, "lockout": None, "segments": segments(judged.segments),
        "forecast": None, **splits(case, judged)}
    if wants("readiness.signedIn"):
        twin, _ = confirmed(case, twin=True)
        found["signedIn"] = {"verdict": twin.verdict, **{k: numbers_of(twin)[k] for k in TOLD_OF_THE_TWIN}}
    reasons = dict(judged.reasons)
    if o.exempt is not None:
        found["verdict"], reasons = "exempt", {"exempt": (None, None)}
    elif e.enforced:
        found["verdict"], reasons = "enforced", enforced_reasons(case)
    after_wanted = any(map(wants, ("readiness.lockout", "readiness.reasons", "readiness.failingSince", "aftermath")))
    if after_wanted and e.since is not None and (e.state in ("on", "partly") or e.by == "policy"):
        after = after_the_switch.After(case)
        found["lockout"] = after.answer()
        found["aftermath"] = {"verdict": after.aftermath(found["lockout"] is not None)}
        if e.enforced and o.exempt is None and "platform-silent" in judged.reasons:
            reasons["platform-silent"] = judged.reasons["platform-silent"]
        if e.enforced:
            found["failingSince"] = text(after.unit.instant(after.unit.begin)) if after.unit.alarm else None
        if found["lockout"]:
            reasons["lockout"] = (found["lockout"]["lower"], o.max_refused)
        if after_the_switch.silent_since(case) and e.enforced and o.exempt is None:
            reasons["silent-since"] = (None, None)
    if found["verdict"] == judged.verdict and wants("readiness.forecast"):
        found["forecast"] = forecast(case, judged)
    found["reasons"] = [{"code": code, "value": value, "limit": limit} for code, (value, limit) in reasons.items()]
    return found


def numbers_of(judged):
    n = judged.n
    rate = n.b / n.n if n.n else None
    return {"admitted": n.n, "blocked": n.b, "blockedRate": rate, "blockedRateUpper": n.upper, "blockedRateLower": n.lower,
            "blockedPerDay": n.b / judged.observed, "blockedPerDayUpper": n.upper * n.n / judged.observed, "dispersion": n.phi, "activeDays": n.active,
            "observedDays": judged.observed, "perWeekUpper": judged.per_week}


def splits(case, judged):
    """Blocked requests of the window by token and auth, the last of them and the clean days since."""
    out = {"tokenRefused": 0, "signedInNoToken": 0, "anonymousNoToken": 0}
    counted = counted_in(case, judged)
    blocked = [q for q in counted if q.blocked]
    for q in blocked:
        out["tokenRefused"] += q.app == "INVALID"
        out["signedInNoToken"] += (q.app, q.auth) == ("MISSING", "VALID")
        out["anonymousNoToken"] += (q.app, q.auth) == ("MISSING", "MISSING")
    last = blocked[-1].t if blocked else None
    out["lastBlocked"] = text(last)
    active = [q for q in requests_in(case, judged) if judged.admission.of_people(q)] if judged.admission and judged.admission.partly else counted
    out["cleanStreak"] = len({day(q.t) for q in active if last is None or day(q.t) > day(last)})
    return out


def requests_in(case, judged):
    S = case.function.project.S
    return [q for q in case.function.visible if judged.window.holds(q.t) and q.t >= S * DAY]


def counted_in(case, judged):
    return [q for q in requests_in(case, judged) if judged.admission.counts(q)] if judged.admission else []


def segments(u):
    if u is None:
        return []
    out = []
    for i, (begin, end, m, r) in enumerate(u.segments):
        inside = {q.address for q in u.counted if q.blocked and u.instant(begin) <= q.t < u.instant(end) and q.address is not None}
        out.append({"from": text(u.instant(begin)), "to": text(u.instant(end)) if i + 1 < len(u.segments) else None, "requests": m, "blocked": r,
                    "addresses": len(inside), "raised": bool(u.raised(u.segments[i]))})
    return out


def enforced_reasons(case):
    e = case.enforcement
    if e.by == "log":
        return {"enforced-by-log": (None, None)}
    out = {"enforced": (None, None)}
    if e.unclear:
        out["switch-unclear"] = (None, None)
    if e.by_policy_alone and not any(_ordinary(case, at).enforce for at in (e.since, case.T)):
        out["policy-unconfirmed"] = (None, None)
    return out


def _ordinary(case, at):
    """As if nothing were written, as of an instant."""
    plain = replace(case.enforcement, by=None, by_policy_alone=False)
    return confirmed(Case(case.function, case.options, plain, at))[0]


def clients(case, judged, world):
    counted = counted_in(case, judged)
    if case.function.project.name not in world.has_rows:
        return None
    joined = [q for q in counted if q.client]
    tally = {"kind": defaultdict(lambda: [0, 0]), "browser": defaultdict(lambda: [0, 0]), "device": defaultdict(lambda: [0, 0])}
    for q in joined:
        for what, name in (("kind", q.client.kind), ("browser", q.client.browser), ("device", q.client.device)):
            if name:
                tally[what][name][0] += 1
                tally[what][name][1] += q.blocked
    rows = lambda what: [{what: name, "admitted": n, "blocked": b} for name, (n, b) in sorted(tally[what].items())]
    addresses = {q.address for q in joined if q.blocked and q.address is not None}
    known = any(r.address for r in case.function.rows)
    S = case.function.project.S
    unlogged = sum(200 <= r.status < 300 and judged.window.holds(r.time) and S is not None and day(r.time) >= S for r in case.function.loose_rows)
    return {"joined": len(joined), "blocked": sum(q.blocked for q in counted), "blockedJoined": sum(q.blocked for q in joined),
            "blockedAddresses": min(65, len(addresses)) if known else None, "unlogged": unlogged,
            "kinds": rows("kind"), "browsers": rows("browser"), "devices": rows("device")}


def enforcement(e):
    listed = [{"name": r.name, "state": r.state, "requests": len(r.requests), "refused": r.refused, "served": r.served,
               "first": text(r.requests[0][1].t), "last": text(r.requests[-1][1].t)} for r in e.revisions if r.name is not None]
    return {"state": e.state, "since": text(e.since), "by": e.by, "planned": text(e.planned), "mayStream": e.may_stream,
            "refused": sum(r.refused for r in e.revisions), "served": sum(r.served for r in e.revisions), "revisions": sorted(listed, key=lambda r: (r["first"], r["name"]))}


def function(case, world, keys=None):
    """Suspects and what-ifs, which run the rule a dozen times, only where they are named."""
    f, wants = case.function, wanted(keys)
    judged, count = confirmed(case)
    found = readiness(case, judged, count, wants)
    aftermath = found.pop("aftermath", None)
    if keys and (wants("readiness.suspects") or wants("readiness.whatIf")):
        found["suspects"], found["whatIf"] = [s[3] for s in whatif.suspects(judged)], whatif.tried(case, judged)
    return {"project": f.of.project, "region": f.of.region, "function": f.name, "generation": f.of.generation, "verifications": f.verifications,
            "readiness": found, "enforcement": enforcement(case.enforcement), "clients": clients(case, judged, world), "aftermath": aftermath}
