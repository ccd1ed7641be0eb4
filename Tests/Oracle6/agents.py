"""User agents as clients really send them, for generated rows: what a row says beside its status."""

SAFARI = "AppleWebKit/605.1.15 (KHTML, like Gecko)"
IPHONE = f"Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) {SAFARI}"
CHROME = (
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Safari/537.36"
)
BROWSERS = {
    "chrome": CHROME,
    "edge": f"{CHROME} Edg/139.0.0.0",
    "opera": f"{CHROME} OPR/120.0.0.0",
    "samsung": "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 "
    "Chrome/130.0.0.0 Mobile Safari/537.36",
    "firefox": "Mozilla/5.0 (X11; Linux x86_64; rv:141.0) Gecko/20100101 Firefox/141.0",
    "firefoxOnIos": f"{IPHONE} FxiOS/141.0 Mobile/15E148 Safari/605.1.15",
    "chromeOnIos": f"{IPHONE} CriOS/139.0.0.0 Mobile/15E148 Safari/604.1",
    "safari": f"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) {SAFARI} Version/18.5 Safari/605.1.15",
    "inApp": f"{IPHONE} Mobile/15E148",
    "facebook": f"{IPHONE} Mobile/15E148 [FBAN/FBIOS;FBAV/480.0.0.28.109;FBDV/iPhone15,2]",
    "instagram": f"{IPHONE} Mobile/15E148 Instagram 340.0.0.21.111",
    "googleApp": f"{IPHONE} GSA/345.0 Mobile/15E148 Safari/604.1",
    "line": f"{IPHONE} Safari Line/14.16.0",
    "operaOnIos": f"{IPHONE} Version/18.5 Mobile/15E148 Safari/604.1 OPiOS/5.1",
    "electron": "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Desk/3.2 "
    "Chrome/130.0.0.0 Electron/33.2.0 Safari/537.36",
}
ANDROID = "okhttp/4.12.0"
DART = "Dart/3.7 (dart:io)"
WEB_VIEW = (
    "Mozilla/5.0 (Linux; Android 15; Pixel 8 Build/BP1A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 "
    "Chrome/139.0.0.0 Mobile Safari/537.36"
)
SITE = "https://app.example.com/"
PARENTS = "https://Parents.Academy.example:8443/lesson?id=1"
OTHER_PAGES = (PARENTS, "https://203.0.113.7/", "https://intranet/", "https://shop.example./", "android-app://org.mail/")
OWN = (
    "node",
    "curl/8.5.0",
    "PostmanRuntime/7.43.0",
    "axios/1.7.9",
    "Go-http-client/2.0",
    "python-requests/2.32.3",
    "Google-Cloud-Scheduler",
    "Google-Cloud-Tasks",
    "GoogleStackdriverMonitoring-UptimeChecks(https://cloud.google.com/monitoring)",
    "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/139.0.0.0 Safari/537.36",
    "something of our own",
)


def apple(app="com.example.app", version="3.1.0", model="iPhone", machine="iPhone15_2"):
    """The form of the SDK for Apple's platforms; on a Mac without the machine."""
    name = f"{app}/{version}" if version else app
    return f"{name} MacOSX/14.4.0" if model == "MacOSX" else f"{name} {model}/18.2 hw/{machine}"


def said_by(client):
    """What a row says of a client: a browser's name, an agent, an (agent, referer), or None for one that is silent."""
    if client in BROWSERS:
        return {"agent": BROWSERS[client], "referer": SITE}
    if isinstance(client, tuple):
        return {"agent": client[0], "referer": client[1]}
    return {} if client is None else {"agent": client}
