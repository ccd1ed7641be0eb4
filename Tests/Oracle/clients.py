"""Who a request row shows: kind, app, version, device, browser, site and build, from agent and referer."""
import re
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import urlsplit

PROGRAMS = frozenset("tool google iosSimulator webLocal node server none".split())
MAY_HIDE_PEOPLE = frozenset("node server none".split())
PEOPLE = frozenset("ios iosExtension macos android androidWebView web dart".split())
SIGNED_IN_ONLY = frozenset("server node none other google tool".split())
IGNORABLE = frozenset("iosSimulator webLocal node server google tool none other".split())
KINDS = PEOPLE | PROGRAMS | {"other"}
APPLE = frozenset("ios iosExtension macos".split())

_APPLE = re.compile(r"^(?:(\S+?)(?:/([^ /]+))?) (iPhone|iPad|iPod_touch|iPod_Touch|Apple_TV|Apple_Watch|Apple_Vision[^/]*|MacOSX)/([0-9.]+)(?: hw/(\S+))?$")
_TOOL = re.compile(r"bot|crawl|spider|headless|compatible;", re.I)
_PREVIEW = re.compile(r"^[a-z0-9-]+--[a-z0-9-]+-[a-z0-9]{8}\.web\.app$")
_GOOGLE = ("Google-Cloud-Scheduler", "Google-Cloud-Tasks", "APIs-Google", "GoogleHC/", "GoogleStackdriverMonitoring-UptimeChecks")
_TOOLS = ("curl/", "PostmanRuntime/", "Wget/", "HTTPie/", "insomnia/")
_SERVERS = ("axios/", "Go-http-client/", "python-requests/", "Python-urllib/", "python-httpx/", "aiohttp/", "Java/", "Apache-HttpClient/", "Ruby", "PHP")
_NODES = ("node", "undici", "node-fetch/", "got ", "Deno/", "Bun/")
_BROWSERS = (
    ("electron", r"Electron/"), ("facebook", r"FBAN|FBAV"), ("instagram", r"Instagram"), ("google-app", r"GSA/"), ("line", r"Line/"),
    ("edge", r"Edg/|EdgA/|EdgiOS/"), ("opera", r"OPR/|OPiOS/"), ("samsung", r"SamsungBrowser"), ("firefox", r"Firefox|FxiOS"),
    ("chrome", r"Chrome|CriOS"), ("safari", r"Version/.*Safari"))
_FAMILIES = (("iphone", "iPhone"), ("ipad", "iPad"), ("iphone", "iPod"), ("appletv", "Apple_TV"), ("watch", "Apple_Watch"), ("vision", "Apple_Vision"), ("mac", "MacOSX"))


@dataclass(frozen=True)
class Client:
    kind: str
    app: str | None = None
    version: str | None = None
    device: str | None = None
    browser: str | None = None
    mobile: bool = False
    site: str | None = None
    build: str | None = None
    nameless: bool = False               # neither agent nor referer


def browser(agent):
    for name, pattern in _BROWSERS:
        if re.search(pattern, agent):
            return name
    return "webview" if "AppleWebKit" in agent and "Safari" not in agent else "other"


def host(referer):
    """Lower case; only letters, digits, dots and hyphens make a site."""
    if not referer:
        return None
    try:
        name = urlsplit(referer).hostname
    except ValueError:
        return None
    return name.lower() if name and re.fullmatch(r"[a-z0-9.-]+", name.lower()) else None


def _local(referer):
    try:
        name = (urlsplit(referer or "").hostname or "").lower()
    except ValueError:
        return False
    return name in ("localhost", "127.0.0.1", "::1") or name.endswith(".local") or bool(_PREVIEW.match(name))


def _named(agent, names):
    return any(agent.startswith(name) for name in names)


@lru_cache(maxsize=None)
def client(agent, referer, extensions=frozenset()):
    """The first form that applies; `extensions` are the identifiers of app extensions."""
    site, bare = host(referer), not agent and not referer
    if not agent:
        return Client("none", nameless=bare)
    apple = _APPLE.match(agent)
    if apple:
        app, version, model, _, machine = apple.groups()
        device = next(name for name, begin in _FAMILIES if model.startswith(begin))
        kind = ("iosSimulator" if machine == "sim" else "macos" if model == "MacOSX" else "iosExtension" if app in extensions else "ios")
        return Client(kind, app, version, device)
    if re.search(r"CFNetwork/\S+ Darwin/", agent):
        return Client("ios")
    if _TOOL.search(agent):
        return Client("tool")
    if "; wv)" in agent:
        return Client("androidWebView", site=site)
    if agent.startswith("Mozilla/"):
        if _local(referer):
            return Client("webLocal")
        return Client("web", browser=browser(agent), mobile="Mobile" in agent or "Android" in agent, site=site)
    if agent.startswith("okhttp/"):
        number = re.match(r"okhttp/(\d+)\.(\d+)", agent)
        return Client("android", build=f"okhttp@{number[1]}.{number[2]}" if number else None)
    if agent.startswith("Dalvik/"):
        return Client("android")
    if agent.startswith("Dart/"):
        return Client("dart")
    for kind, names in (("node", _NODES), ("google", _GOOGLE), ("tool", _TOOLS), ("server", _SERVERS)):
        if _named(agent, names):
            return Client(kind)
    return Client("other")


def extensions(apps, valid_apps):
    """Identifiers that continue, after a dot, one of at least three pieces that has a joined VALID request."""
    bases = {app for app in valid_apps if app.count(".") >= 2}
    return frozenset(app for app in apps if any(app.startswith(base + ".") for base in bases))


def version_key(text):
    """Comparable: a missing piece is 0, letters lie below nothing."""
    pieces = re.findall(r"\d+|[A-Za-z]+", text[1:] if text[:1] in "vV" else text)
    key = [(1, int(piece), b"") if piece.isdigit() else (0, 0, piece.encode()) for piece in pieces]
    while key and key[-1] == (1, 0, b""):
        key.pop()
    return tuple(key) + ((1, 0, b""),)


def compare_versions(left, right):
    a, b = version_key(left), version_key(right)
    zero = (1, 0, b"")
    for i in range(max(len(a), len(b))):
        x, y = a[i] if i < len(a) else zero, b[i] if i < len(b) else zero
        if x != y:
            return -1 if x < y else 1
    return 0
