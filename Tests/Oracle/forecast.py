"""When a function will say enforce, if the last days go on."""
import math

import bounds
from moments import DAY, day, day_text
from rule import STREAMS, Rule, night, nights
from window import Cells, window

HELD = STREAMS + ("platform-refused", "release-refused", "policy-contradicted", "failing-now", "callers-unknown", "platforms-not-seen")
NIGHTS = 60


def _rates(case, judged):
    """(kind, rate): the last three days; then both trends, where both fall."""
    o, a, f = case.options, judged.admission, case.function
    S = f.project.S * DAY
    counted = [q for q in f.visible if q.t >= S and a.counts(q)]
    cells = Cells.of(counted, o.since)
    last = day(case.T)
    three = [cells.days[d] for d in range(last - 2, last + 1) if d in cells.days]
    n = sum(c[0] for c in three)
    if n:
        yield "steady", sum(c[1] for c in three) / n
    fits = []
    for length in (7, 14):
        w = window(length, case.T, o.since)
        points = [(d, c[0], c[1]) for d, c in sorted(cells.days.items()) if w.first <= d <= last and c[0] > 0]
        blocked = sum(b for _, _, b in points)
        if len(points) < 5 or not 0 < blocked < sum(n for _, n, _ in points):
            return
        fit = bounds.logistic_slope(points)
        if fit is None:
            return
        slope, error, intercept = fit
        share = lambda d: 1 / (1 + math.exp(-(intercept + slope * d)))
        square = sum((b - n * share(d)) ** 2 / (n * share(d) * (1 - share(d))) for d, n, b in points)
        error *= math.sqrt(max(1.0, min(blocked, square / (len(points) - 2))))
        fits.append((slope, error, lambda d, i=intercept, s=slope: 1 / (1 + math.exp(-(i + s * d)))))
    if all(slope < 0 and slope / error < -bounds.quantile(o.confidence) for slope, error, _ in fits):
        yield "trend", lambda d: max(share(d) for _, _, share in fits)


def _volume(case, judged):
    """Admitted requests a day in the newest seven."""
    o, f = case.options, case.function
    first = day(case.T) - 6
    S = f.project.S * DAY
    begin = max(first * DAY, o.since or 0)
    n = sum(q.t >= max(begin, S) and judged.admission.counts(q) for q in f.visible)
    start = next(t for t in f.project.traffic.at if t >= S)
    return n / max(1.0, (case.T - max(begin, start, f.first)) / DAY)


def _date(case, judged, rate, volume, held, earlier):
    o, last = case.options, day(case.T)
    cells, run = {}, earlier
    for d in range(last + 1, last + 1 + NIGHTS):
        share = rate(d) if callable(rate) else rate
        cells[d] = [volume, volume * share, 0]
        codes = {c: v for c, v in held.items() if c != "platform-silent" or v[2] + d - last < 14}
        if Rule(case, night(d), filled=dict(cells), admission=judged.admission, held={c: v[:2] for c, v in codes.items()}).judge().enforce:
            run += 1
            if run >= o.safe_nights:
                return d
        else:
            run = 0
    return None


def forecast(case, judged):
    """None, or {"date", "kind", "reason"}; the date is null where a reason of T stays."""
    if judged.verdict not in ("wait", "investigate", "insufficient") or any(c in judged.reasons for c in ("no-traffic", "stale", "export-old")) or judged.admission is None:
        return None
    plain = Rule(case, case.T).judge()
    for code in HELD:
        if code in plain.reasons:
            return {"date": None, "kind": None, "reason": code}
    volume = _volume(case, plain)
    if not volume:
        return {"date": None, "kind": None, "reason": None}
    held = {}
    if "platform-silent" in plain.reasons:
        silent = max(plain.platforms.silent().values())
        held["platform-silent"] = (*plain.reasons["platform-silent"], silent)
    earlier = nights(case, plain)
    for kind, rate in _rates(case, plain):
        found = _date(case, plain, rate, volume, held, earlier)
        if found is not None:
            return {"date": day_text(found), "kind": kind, "reason": None}
    return {"date": None, "kind": None, "reason": None}
