"""Would all of a platform be refused, or the newest release, or people nobody knows? Told from request rows."""

from collections import defaultdict
from dataclasses import dataclass, field
from statistics import NormalDist

from bounds import dispersion_of, lower_bound
from clients import APPLE, PEOPLE, PLATFORMS, app_name, is_accepted, names_of, version_order, version_pieces

LISTED, CONFIDENCE = 20, 0.99
TOGETHER = {"mobile": "mobile browser"}
SMALL = 20  # judged requests; units with fewer are asked together


@dataclass
class Counts:
    """Requests of one platform or version, by day: [admitted, blocked]."""

    days: dict = field(default_factory=lambda: defaultdict(lambda: [0, 0]))

    def add(self, day, blocked, number):
        self.days[day][0] += number
        self.days[day][1] += number * blocked

    @property
    def admitted(self):
        return sum(admitted for admitted, _ in self.days.values())

    @property
    def blocked(self):
        return sum(blocked for _, blocked in self.days.values())

    @property
    def blocked_days(self):
        return sum(blocked > 0 for _, blocked in self.days.values())

    @property
    def lower(self):
        return lower_bound(self.blocked, self.admitted, 1, CONFIDENCE)

    @property
    def lower_of_days(self):
        return lower_bound(self.blocked, self.admitted, dispersion_of(list(self.days.values())), CONFIDENCE)

    def is_refused_on(self, days):
        """At least half of its requests on some days are blocked, and there is at least one."""
        found = [counts for day, counts in self.days.items() if day in days]
        admitted = sum(admitted for admitted, _ in found)
        return admitted > 0 and 2 * sum(blocked for _, blocked in found) >= admitted


@dataclass
class Platforms:
    """Requests with a row that are looked at, of those the judged ones: (day, client, blocked, number)."""

    requests: list
    signed_in: bool  # only signed-in ones are judged: then more kinds are platforms than those that people use
    recent: range  # the last W days
    today: int
    settings: object
    seen: bool = True  # else rows were kept of passes and failures alike by no means

    def counts(self, names, accepted=(), days=None):
        found = defaultdict(Counts)
        for day, client, blocked, number in self.requests if self.seen else ():
            if (days is None or day in days) and not is_accepted(client, accepted):
                for name in names(client):
                    found[name].add(day, blocked, number)
        return found

    def dimensions(self, accepted=()):
        """(dimension, name) -> counts."""
        kinds = PLATFORMS if self.signed_in else PEOPLE
        return self.counts(lambda client: names_of(client).items() if client.kind in kinds else (), accepted)

    def is_refused(self, counts):
        least, days = (10, 1) if self.signed_in else (20, 3)
        return (
            counts.blocked >= least
            and counts.blocked_days >= days
            and counts.lower > max(0.5, self.settings.maxBlocked)
            and counts.is_refused_on(self.recent)
        )

    def units(self, accepted=()):
        """Name -> counts, small ones of a dimension together as well."""
        found = self.dimensions(accepted)
        small = defaultdict(list)
        for (dimension, _), counts in found.items():
            if counts.admitted < SMALL and not self.is_refused(counts):
                small[dimension].append(counts)
        named = {name: counts for (_, name), counts in found.items()}
        for dimension, several in small.items():
            if len(several) > 1:
                together = named[f"small {TOGETHER.get(dimension, dimension)}s"] = Counts()
                for counts in several:
                    for day, (admitted, blocked) in counts.days.items():
                        together.days[day][0] += admitted
                        together.days[day][1] += blocked
        return named

    def refused(self, accepted=None):
        """Name -> counts of what is refused."""
        accepted = self.settings.acceptPlatforms if accepted is None else accepted
        return {name: counts for name, counts in self.units(accepted).items() if self.is_refused(counts)}

    # Releases

    def release_of(self, app):
        """The highest version with a share of the last three days, on which there is a lower one; else None."""
        recent = defaultdict(int)
        for day, client, _, number in self.requests:
            if app_of(client) == [app] and day > self.today - 3:
                recent[client.version] += number
        total, same = sum(recent.values()), defaultdict(int)
        for version, number in recent.items():
            same[version_pieces(version)] += number
        sizable = [version for version in recent if 20 * same[version_pieces(version)] >= total]
        if not sizable:
            return None
        release = max(sorted(sizable), key=version_order)
        is_newer = any(version and version_order(version) < version_order(release) for version in recent)
        return release if is_newer else None

    def releases(self, accepted=()):
        """App -> (version, counts of it, counts of the others on its days)."""
        found = {}
        for app in self.counts(app_of):
            version = self.release_of(app)
            if version is None:
                continue

            def named(client):
                if app_of(client) != [app]:
                    return []
                return ["release" if version_pieces(client.version) == version_pieces(version) else "other"]

            counts = self.counts(named, accepted)
            days = set(counts["release"].days)
            found[app] = version, counts["release"], self.counts(named, accepted, days)["other"]
        return found

    def refused_releases(self):
        limit = max(0.1, self.settings.maxBlocked)
        return {
            f"{app_name(app)}@{version}": counts.lower_of_days
            for app, (version, counts, others) in self.releases(self.settings.acceptPlatforms).items()
            if counts.lower_of_days > limit and is_worse(counts, others, self.settings.confidence)
        }

    def shown(self):
        """`readiness.platforms`: those with blocked requests, releases too."""
        accepted = self.settings.acceptPlatforms
        rows = [(name, c, c.lower) for name, c in self.units(accepted).items() if c.blocked]
        for app, (version, c, _) in self.releases(accepted).items():
            rows += [(f"{app_name(app)}@{version}", c, c.lower_of_days)] * (c.blocked > 0)
        return listed(rows)


def listed(rows):
    """Most blocked first; `rows`: (name, counts, lower bound)."""
    return [
        {"name": name, "admitted": c.admitted, "blocked": c.blocked, "blockedRateLower": lower}
        for name, c, lower in sorted(rows, key=lambda row: (-row[1].blocked, row[0]))[:LISTED]
    ]


def app_of(client):
    return [client.app] if client.kind in APPLE and client.app else []


def is_worse(counts, others, confidence):
    """Is more of a release refused than of its app's other versions? Where these are as well it is an outage."""
    if not others.admitted:
        return True
    pooled = (counts.blocked + others.blocked) / (counts.admitted + others.admitted)
    variance = pooled * (1 - pooled) * (1 / counts.admitted + 1 / others.admitted)
    difference = counts.blocked / counts.admitted - others.blocked / others.admitted
    return variance > 0 and difference / variance**0.5 > NormalDist().inv_cdf(confidence)


def platforms_of(look, window):
    """What the rule looks at before a switch."""
    cells = look.cells(look.window(look.settings.maxWindow))
    signed_in = is_judged_on_signed_in(window)
    requests = [
        (day, client, blocked, number)
        for day, cell in cells.items()
        for (client, with_auth, blocked, _), number in cell.clients.items()
        if with_auth or not signed_in
    ]
    totals = [sum(getattr(cell, name) for cell in cells.values()) for name in ("admitted", "known", "blocked", "known_blocked")]
    return Platforms(
        requests, signed_in, look.window(look.settings.window), look.today, look.settings, rows_are_fair(*totals)
    )


def is_judged_on_signed_in(window):
    return 2 * window.signed_in >= window.admitted


def rows_are_fair(admitted, known, blocked, known_blocked):
    """Whether valid requests have a row about as often as blocked ones: no less than half, no more than twice as often."""
    valid, known_valid = admitted - blocked, known - known_blocked
    if not valid or not blocked:
        return True
    # Shares of valid and of blocked ones, each times both numbers: no division, so no rounding.
    share, blocked_share = known_valid * blocked, known_blocked * valid
    return blocked_share <= 2 * share and share <= 2 * blocked_share


def known_shares(look, window):
    """(of the requests, of the blocked ones) the share with a known caller; 1 of none."""
    cells = look.cells(window.days).values()
    known = sum(cell.known - look.leaving(cell) for cell in cells)
    known_blocked = sum(cell.known_blocked for cell in cells)
    return (
        known / window.admitted if window.admitted else 1,
        known_blocked / window.blocked if window.blocked else 1,
    )


def caller_codes(look, window):
    """Codes that hold because of who would be refused, with their values."""
    platforms, codes = platforms_of(look, window), {}
    lower = {name: counts.lower for name, counts in platforms.refused().items()}
    for code, refused in (("platform-refused", lower), ("release-refused", platforms.refused_releases())):
        if refused:
            codes[code] = max(refused.values())
    if look.settings.requireCallers:
        codes.update(callers_in_doubt(platforms, look, window, 0.5))
    return codes


def callers_in_doubt(platforms, look, window, least):
    codes = {}
    if min(known_shares(look, window)) < least:
        codes["callers-unknown"] = min(known_shares(look, window))
    if not platforms.seen:
        codes["platforms-not-seen"] = None
    return codes
