"""What sent a request: the kind of its client, with app and version or browser, as user agent and referer claim."""

import re
from collections import defaultdict
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import urlsplit

APPLE = ("ios", "iosExtension", "macos")
PEOPLE = (*APPLE, "android", "androidWebView", "web")
OWN = ("iosSimulator", "webLocal", "node", "server", "google", "tool", "none", "other")  # these may be left out
PAGES = ("web", "androidWebView")  # these have a site
PLATFORMS = (*PEOPLE, *OWN[2:])  # judged on signed-in requests

APPLE_FORM = re.compile(
    r"(?P<app>\S+?)(?:/(?P<version>[^ /]+))? "
    r"(?P<model>iPhone|iPad|iPod_touch|iPod_Touch|Apple_TV|Apple_Watch|Apple_Vision[^/]*|MacOSX)/[0-9.]+"
    r"(?: hw/(?P<machine>\S+))?"
)
SYSTEM_FORM = re.compile(r".* CFNetwork/\S+ Darwin/\S+")
PROGRAMS = re.compile(r"bot|crawl|spider|headless|compatible;", re.IGNORECASE)
BROWSERS = (
    ("edge", r"Edg"),
    ("opera", r"OPR"),
    ("samsung", r"SamsungBrowser"),
    ("firefox", r"Firefox|FxiOS"),
    ("chrome", r"Chrome|CriOS"),
    ("safari", r"Version/.*Safari"),
)
NAMED = (
    ("android", ("okhttp/",)),
    (
        "google",
        ("Google-Cloud-Scheduler", "Google-Cloud-Tasks", "APIs-Google", "GoogleStackdriverMonitoring-UptimeChecks"),
    ),
    ("tool", ("curl/", "PostmanRuntime/")),
    ("server", ("axios/", "Go-http-client/", "python-requests/", "Python-urllib/")),
)
LOCAL = ("localhost", "127.0.0.1", "::1")
HOST = re.compile(r"[a-z0-9-]+(\.[a-z0-9-]+)+", re.ASCII)


class Client(NamedTuple):
    kind: str
    app: str = None  # of the Apple kinds
    version: str = None
    browser: str = None  # of `web`
    site: str = None  # of pages


@lru_cache(maxsize=None)
def client_from(agent, referer=None):
    """The first kind that applies; whether an app is another one's extension its project has to tell."""
    if not agent:
        return Client("none")
    apple = APPLE_FORM.fullmatch(agent)
    if apple:
        kind = "iosSimulator" if apple["machine"] == "sim" else "macos" if apple["model"] == "MacOSX" else "ios"
        return Client(kind, apple["app"], apple["version"] or "")
    if SYSTEM_FORM.fullmatch(agent):
        return Client("ios")
    if PROGRAMS.search(agent):
        return Client("tool")
    if "; wv)" in agent:
        return Client("androidWebView", site=site_from(referer))
    if agent.startswith("Mozilla/"):
        if is_local(referer):
            return Client("webLocal")
        return Client("web", browser=browser_from(agent), site=site_from(referer))
    if agent == "node":
        return Client("node")
    return Client(next((kind for kind, starts in NAMED if agent.startswith(starts)), "other"))


def host_from(referer):
    """As a URL names it, in lower case; None where that is no URL."""
    try:
        return urlsplit(referer or "").hostname
    except ValueError:
        return None


def is_local(referer):
    host = host_from(referer)
    return host is not None and (host in LOCAL or host.endswith(".local"))


def site_from(referer):
    """A name with a dot. An address, of which the last part is a number, is none; a dot at its end changes nothing."""
    host = (host_from(referer) or "").removesuffix(".")
    is_name = len(host) <= 253 and HOST.fullmatch(host) and not host.split(".")[-1].isdigit()
    return host if is_name else None


def browser_from(agent):
    return next((browser for browser, form in BROWSERS if re.search(form, agent)), "other")


def tell_clients(functions):
    """Gives each verification with a row its client. An extension's identifier is another one's of the project, a dot
    and more; only one that a valid token speaks for counts, or one forged row would turn apps into extensions."""
    genuine = defaultdict(set)
    for function in functions:
        for row in function.verifications:
            if row.status is None:
                continue
            row.client = client_from(row.agent, row.referer)
            if row.client.app and row.client.app.count(".") >= 2 and is_genuine(row):
                genuine[function.project].add(row.client.app)
    for function in functions:
        apps = genuine[function.project]
        for row in function.verifications:
            if row.client and row.client.kind == "ios" and row.client.app and is_extension(row.client.app, apps):
                row.client = row.client._replace(kind="iosExtension")


def is_genuine(row):
    return row.app == "VALID" and row.auth != "INVALID"


def is_extension(app, apps):
    pieces = app.split(".")
    return any(".".join(pieces[:length]) in apps for length in range(3, len(pieces)))


def version_order(version):
    """Sorts versions: piece by piece as whole numbers, a missing piece is 0, and equal ones by their bytes."""
    numbers = [int(re.match(r"[0-9]*", piece)[0] or 0) for piece in version.split(".")]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return numbers, version.encode()


def app_name(app):
    """As `accept-platforms` takes it: an identifier without a dot could be a kind."""
    return app if "." in app else f"app:{app}"


def is_accepted(client, accepted):
    """Whether the policy takes it upon itself that such clients are refused."""
    names = {client.kind}
    if client.browser:
        names.add(f"{client.kind}/{client.browser}")
    names.add(client.site)
    if client.app:
        names |= {app_name(client.app), f"{app_name(client.app)}@{client.version}"}
    return bool(names & set(accepted))
