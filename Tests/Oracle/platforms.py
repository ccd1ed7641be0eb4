"""Would all of a platform be refused, or all of the newest release, or people nobody knows? Told from request rows.

Each function says which codes hold at a look, with the values that the contract gives them.
"""

from collections import defaultdict
from dataclasses import dataclass, field
from statistics import NormalDist

from bounds import dispersion_of, lower_bound
from clients import APPLE, PEOPLE, PLATFORMS, app_name, is_accepted, version_order

LISTED, CONFIDENCE = 20, 0.99


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

    def is_refused_on(self, days):
        """At least half of its requests on some days are blocked, and there is at least one."""
        found = [counts for day, counts in self.days.items() if day in days]
        admitted = sum(admitted for admitted, _ in found)
        return admitted > 0 and 2 * sum(blocked for _, blocked in found) >= admitted


class Judged:
    """The requests of the last four weeks that are looked at, as they are judged: signed-in ones, or all, by the window
    that was chosen."""

    def __init__(self, look, window, signed_in=None):
        self.settings, self.today = look.settings, look.today
        self.recent = look.window(look.settings.window)
        self.signed_in = judged_on_signed_in(window) if signed_in is None else signed_in
        self.requests = [
            (day, client, blocked, number)
            for day, cell in look.cells(look.window(look.settings.maxWindow)).items()
            if nearly_all_have_rows(cell)
            for (client, with_auth, blocked), number in cell.clients.items()
            if with_auth or not self.signed_in
        ]
        self.total = sum(number for _, _, _, number in self.requests)

    def counts(self, names_of, accepted=(), days=None):
        """By name, the requests of clients that have one and are not accepted."""
        found = defaultdict(Counts)
        for day, client, blocked, number in self.requests:
            if not is_accepted(client, accepted) and (days is None or day in days):
                for name in names_of(client):
                    found[name].add(day, blocked, number)
        return found

    @property
    def platforms_of(self):
        """If signed-in requests are judged, more kinds are platforms than those that people use."""
        return platforms_of(PLATFORMS if self.signed_in else PEOPLE)

    def asked(self, counts):
        """Those that are large enough to be asked, and neither cured nor gone."""
        least, days = (10, 2) if self.signed_in else (max(20, self.settings.maxBlocked / 4 * self.total), 3)
        return {
            name
            for name, c in counts.items()
            if c.blocked >= least and c.blocked_days >= days and c.is_refused_on(self.recent)
        }


def bound(counts):
    """The lower bound of a platform's rate."""
    return lower_bound(counts.blocked, counts.admitted, 1, CONFIDENCE)


def judged_on_signed_in(window):
    return 2 * window.signed_in >= window.admitted


def nearly_all_have_rows(cell):
    return cell.with_row >= cell.verifications - 1 or 20 * cell.with_row >= 19 * cell.verifications


def platforms_of(kinds):
    """A client's names: its kind, and the app, or the browser and the site."""

    def names_of(client):
        if client.kind not in kinds:
            return []
        names = [client.kind]
        if client.kind in APPLE and client.app:
            names.append(app_name(client.app))
        if client.kind == "web":
            names.append(f"web/{client.browser}")
        return [*names, client.site] if client.site else names

    return names_of


def refused_platforms(judged):
    """Name -> lower bound of what is listed as refused."""
    limit = max(0.5, judged.settings.maxBlocked)
    counts = judged.counts(judged.platforms_of, judged.settings.acceptPlatforms)
    refused = {name: bound(counts[name]) for name in judged.asked(counts)}
    return {name: lower for name, lower in refused.items() if lower > limit}


def app_of(client):
    return [client.app] if client.kind in APPLE and client.app else []


def release_of(judged, app):
    """The highest version with a share of the last three days, on which there is a lower one; else None."""
    recent = defaultdict(int)
    for day, client, _, number in judged.requests:
        if app_of(client) == [app] and day > judged.today - 3:
            recent[client.version] += number
    total = sum(recent.values())
    sizable = [version for version, number in recent.items() if 20 * number >= total]
    if not sizable:
        return None
    release = max(sizable, key=version_order)
    is_newer = any(version and version_order(version) < version_order(release) for version in recent)
    return release if is_newer else None


def releases(judged):
    """App -> its release."""
    found = {app: release_of(judged, app) for app in judged.counts(app_of)}
    return {app: version for app, version in found.items() if version is not None}


def release_counts(judged, found, accepted=()):
    """App -> requests of its release."""

    def release(client):
        return [client.app] if client.kind in APPLE and found.get(client.app, 0) == client.version else []

    return judged.counts(release, accepted)


def is_worse(judged, app, version, counts):
    """Is more of a release refused than of its app's other versions, on the days on which it was seen? Where these are
    refused as well it is an outage."""

    def other(client):
        return [app] if app_of(client) == [app] and client.version != version else []

    others = judged.counts(other, judged.settings.acceptPlatforms, counts.days)[app]
    if not others.admitted:
        return True
    pooled = (counts.blocked + others.blocked) / (counts.admitted + others.admitted)
    variance = pooled * (1 - pooled) * (1 / counts.admitted + 1 / others.admitted)
    difference = counts.blocked / counts.admitted - others.blocked / others.admitted
    return variance > 0 and difference / variance**0.5 > NormalDist().inv_cdf(judged.settings.confidence)


def large_releases(counts):
    return {app for app, c in counts.items() if c.blocked >= 5 and c.blocked_days >= 2}


def refused_releases(judged):
    """Name -> lower bound of the newest releases of which too much is refused."""
    found = releases(judged)
    counts = release_counts(judged, found, judged.settings.acceptPlatforms)
    settings, refused = judged.settings, {}
    for app in large_releases(counts):
        lower = release_bound(counts[app])
        if lower > max(0.1, settings.maxBlocked) and is_worse(judged, app, found[app], counts[app]):
            refused[f"{app_name(app)}@{found[app]}"] = lower
    return refused


def release_bound(counts):
    """The lower bound of a release's rate, with the dispersion of the release's days."""
    return lower_bound(counts.blocked, counts.admitted, dispersion_of(list(counts.days.values())), CONFIDENCE)


def shown_platforms(judged):
    """`readiness.platforms`: those with blocked requests, releases too, before anything is accepted."""
    counts, found = judged.counts(judged.platforms_of), releases(judged)
    rows = [(name, c, bound(c)) for name, c in counts.items()]
    of_releases = release_counts(judged, found)
    rows += [(f"{app_name(app)}@{found[app]}", c, release_bound(c)) for app, c in of_releases.items()]
    rows = sorted((-c.blocked, name, c.admitted, lower) for name, c, lower in rows if c.blocked)
    return [
        {"name": name, "admitted": admitted, "blocked": -blocked, "blockedRateLower": lower}
        for blocked, name, admitted, lower in rows[:LISTED]
    ]


def callers_unknown(look, window):
    """The share of the blocked requests that have a row, when it is less than half; else None."""
    known = sum(cell.known for cell in look.cells(window.days).values())
    return known / window.blocked if window.blocked and 2 * known < window.blocked else None


def caller_codes(look, window):
    """Codes that hold because of who would be refused."""
    judged = Judged(look, window)
    codes = {}
    for code, refused in (
        ("platform-refused", refused_platforms(judged)),
        ("release-refused", refused_releases(judged)),
    ):
        if refused:
            codes[code] = max(refused.values())
    unknown = callers_unknown(look, window)
    if look.settings.requireCallers and unknown is not None:
        codes["callers-unknown"] = unknown
    return codes


def refused_anonymously(look, window):
    """Platforms that only all requests together show: a few requests under a browser's name anybody can send."""
    judged = Judged(look, window)
    if look.subject.requires_auth or not judged.signed_in:
        return set()
    return refused_platforms(Judged(look, window, signed_in=False)).keys() - refused_platforms(judged).keys()
