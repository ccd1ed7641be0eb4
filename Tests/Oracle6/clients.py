"""What sent a request: the kind of its client, with app and version or browser, as user agent and referer claim."""

import re
from collections import defaultdict
from functools import cmp_to_key, lru_cache
from itertools import zip_longest
from typing import NamedTuple
from urllib.parse import urlsplit

from globs import matches

APPLE = ("ios", "iosExtension", "macos")
PEOPLE = (*APPLE, "android", "androidWebView", "web", "dart")
OWN = ("iosSimulator", "webLocal", "node", "server", "google", "tool", "none", "other")  # these may be left out
PLATFORMS = (*PEOPLE, *OWN[2:])  # judged on signed-in requests

APPLE_FORM = re.compile(
    r"(?P<app>\S+?)(?:/(?P<version>[^ /]+))? "
    r"(?P<model>iPhone|iPad|iPod_touch|iPod_Touch|Apple_TV|Apple_Watch|Apple_Vision[^/]*|MacOSX)/(?P<os>[0-9.]+)"
    r"(?: hw/(?P<machine>\S+))?"
)
SYSTEM_FORM = re.compile(r".* CFNetwork/\S+ Darwin/\S+")
PROGRAMS = re.compile(r"bot|crawl|spider|headless|compatible;", re.IGNORECASE)
BROWSERS = (
    ("electron", r"Electron/"),
    ("facebook", r"FBAN|FBAV"),
    ("instagram", r"Instagram"),
    ("google-app", r"GSA/"),
    ("line", r"Line/"),
    ("edge", r"Edg"),
    ("opera", r"OPR|OPiOS"),
    ("samsung", r"SamsungBrowser"),
    ("firefox", r"Firefox|FxiOS"),
    ("chrome", r"Chrome|CriOS"),
    ("safari", r"Version/.*Safari"),
    ("webview", r"AppleWebKit(?!.*Safari)"),
)
DEVICES = (("iPhone", "iphone"), ("iPad", "ipad"), ("Apple_TV", "appletv"), ("Apple_Watch", "watch"), ("MacOSX", "mac"))
NAMED = (
    ("android", ("okhttp/", "Dalvik/")),
    ("dart", ("Dart/",)),
    (
        "google",
        ("Google-Cloud-Scheduler", "Google-Cloud-Tasks", "APIs-Google", "GoogleStackdriverMonitoring-UptimeChecks"),
    ),
    ("tool", ("curl/", "PostmanRuntime/")),
    ("server", ("axios/", "Go-http-client/", "python-requests/", "Python-urllib/")),
)
LOCAL = ("localhost", "127.0.0.1", "::1")
PREVIEW = re.compile(r"[a-z0-9-]+--[a-z0-9-]+-[a-z0-9]{8}\.web\.app")  # a channel of one's own hosting
HOST = re.compile(r"[a-z0-9-]+(\.[a-z0-9-]+)+", re.ASCII)


class Client(NamedTuple):
    kind: str
    app: str = None  # of the Apple kinds
    version: str = None
    browser: str = None  # of `web`
    site: str = None  # of pages
    device: str = None  # of the Apple form
    os: str = None
    is_mobile: bool = False  # of `web`


@lru_cache(maxsize=None)
def client_from(agent, referer=None):
    """The first kind that applies; whether an app is another one's extension its project has to tell."""
    if not agent:
        return Client("none")
    apple = APPLE_FORM.fullmatch(agent)
    if apple:
        kind = "iosSimulator" if apple["machine"] == "sim" else "macos" if apple["model"] == "MacOSX" else "ios"
        device = next((name for model, name in DEVICES if apple["model"] == model), None)
        device = "vision" if apple["model"].startswith("Apple_Vision") else device
        return Client(kind, apple["app"], apple["version"] or "", device=device, os=apple["os"])
    if SYSTEM_FORM.fullmatch(agent):
        return Client("ios")
    if PROGRAMS.search(agent):
        return Client("tool")
    if "; wv)" in agent:
        return Client("androidWebView", site=site_from(referer))
    if agent.startswith("Mozilla/"):
        if is_local(referer):
            return Client("webLocal")
        is_mobile = "Mobile" in agent or "Android" in agent
        return Client("web", browser=browser_from(agent), site=site_from(referer), is_mobile=is_mobile)
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
    return host is not None and (host in LOCAL or host.endswith(".local") or bool(PREVIEW.fullmatch(host)))


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
    return row.app == "VALID"


def is_extension(app, apps):
    pieces = app.split(".")
    return any(".".join(pieces[:length]) in apps for length in range(3, len(pieces)))


NOTHING = (1, 0)


def version_pieces(version):
    """Runs of digits, as whole numbers, and of letters, below nothing; missing pieces are 0, and 0 at the end is missing."""
    found = re.findall(r"[0-9]+|[A-Za-z]+", re.sub(r"^[vV](?=[0-9])", "", version))
    pieces = [(1, int(piece)) if piece.isdigit() else (0, piece.encode()) for piece in found]
    while pieces and pieces[-1] == NOTHING:
        pieces.pop()
    return tuple(pieces)


@cmp_to_key
def version_order(version, other):
    for one, two in zip_longest(version_pieces(version), version_pieces(other), fillvalue=NOTHING):
        if one != two:
            return -1 if one < two else 1
    return 0


def app_name(app):
    """As `accept-platforms` takes it: an identifier without a dot could be a kind."""
    return app if "." in app else f"app:{app}"


def names_of(client):
    """Dimension -> the name of a client in it, as `accept-platforms` takes it."""
    names = {"kind": client.kind}
    if client.kind in APPLE:
        names["app"] = app_name(client.app) if client.app else "CFNetwork"
        names["device"] = client.device
    if client.kind == "web":
        names["browser"] = f"web/{client.browser}"
        names["mobile browser"] = f"web/{client.browser}-mobile" if client.is_mobile else None
    names["site"] = client.site
    return {dimension: name for dimension, name in names.items() if name}


def is_accepted(client, accepted):
    """Whether the policy takes it upon itself that such clients are refused."""
    if not accepted:
        return False
    names = names_of(client).values()
    if any(name in accepted or any("*" in p and matches(name, p) for p in accepted) for name in names):
        return True
    versions = (name.split("@", 1) for name in accepted if "@" in name) if client.app else ()
    return any(
        app == app_name(client.app) and version_pieces(version) == version_pieces(client.version) for app, version in versions
    )
