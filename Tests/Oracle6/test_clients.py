"""Kinds of clients, browsers and versions, from user agents as they are sent."""

import unittest

from agents import ANDROID, BROWSERS, SITE, WEB_VIEW, apple
from clients import client_from, is_accepted, tell_clients, version_order
from tally import FunctionInput, Verification


class KindTests(unittest.TestCase):
    def test_kinds(self):
        for agent, kind in (
            (None, "none"),
            ("", "none"),
            (apple(), "ios"),
            (apple(machine="sim"), "iosSimulator"),
            (apple(model="MacOSX"), "macos"),
            (apple(model="Apple_TV"), "ios"),
            ("Example/412 CFNetwork/1410.0.3 Darwin/22.6.0", "ios"),
            ("Mozilla/5.0 (compatible; Googlebot/2.1)", "tool"),
            (BROWSERS["chrome"].replace("Chrome", "HeadlessChrome"), "tool"),
            (WEB_VIEW, "androidWebView"),
            (BROWSERS["safari"], "web"),
            (ANDROID, "android"),
            ("node", "node"),
            ("Google-Cloud-Tasks", "google"),
            ("GoogleStackdriverMonitoring-UptimeChecks(https://cloud.google.com/monitoring)", "google"),
            ("curl/8.5.0", "tool"),
            ("Go-http-client/2.0", "server"),
            ("an okhttp/4.12.0", "other"),
            ("Dart/3.7 (dart:io)", "dart"),
        ):
            self.assertEqual(client_from(agent, SITE).kind, kind, agent)

    def test_pages_of_a_developer(self):
        for referer, kind in (
            ("http://localhost:5000/", "webLocal"),
            ("http://127.0.0.1/", "webLocal"),
            ("http://[::1]:8080/a", "webLocal"),
            ("http://mac.local/", "webLocal"),
            ("https://my-app--pull-12-k3j5h7g1.web.app/", "webLocal"),
            ("https://my-app.web.app/", "web"),
            ("https://localhost.example.com/", "web"),
            ("https://notlocal/", "web"),
            (None, "web"),
        ):
            self.assertEqual(client_from(BROWSERS["chrome"], referer).kind, kind, referer)

    def test_sites(self):
        for referer, site in (
            ("https://Parents.Academy.example:8443/a?b#c", "parents.academy.example"),
            ("https://shop.example./", "shop.example"),
            ("https://me:secret@shop.example/", "shop.example"),
            ("android-app://org.mail/", "org.mail"),
            ("https://203.0.113.7/", None),
            ("https://[2001:db8::1]/", None),
            ("https://[broken/", None),
            ("https://intranet/", None),
            ("https://shop_1.example/", None),
            ("https://m\u00fcller.example/", None),
            ("https://" + "a" * 250 + ".example/", None),
            ("shop.example", None),
            (None, None),
        ):
            for agent in (BROWSERS["firefox"], WEB_VIEW):
                self.assertEqual(client_from(agent, referer).site, site, referer)
        self.assertIsNone(client_from("curl/8.5.0", SITE).site)

    def test_browsers(self):
        for name, browser in (
            *((name, name) for name in ("chrome", "edge", "opera", "samsung", "firefox", "safari")),
            ("firefoxOnIos", "firefox"),
            ("chromeOnIos", "chrome"),
            ("inApp", "webview"),
            ("facebook", "facebook"),
            ("instagram", "instagram"),
            ("googleApp", "google-app"),
            ("line", "line"),
            ("operaOnIos", "opera"),
            ("electron", "electron"),
        ):
            self.assertEqual(client_from(BROWSERS[name], SITE).browser, browser)

    def test_app_and_version(self):
        self.assertEqual(client_from(apple("com.a.b", "1.2"))[1:3], ("com.a.b", "1.2"))
        self.assertEqual(client_from(apple("com.a.b", None))[1:3], ("com.a.b", ""))

    def test_extensions_of_apps_with_a_valid_token(self):
        for app, other, status, kind in (
            ("com.example.app.Share", "com.example.app", "VALID", "iosExtension"),
            ("com.example.app.Share", "com.example.app", "MISSING", "ios"),
            ("com.example.apps", "com.example.app", "VALID", "ios"),
            ("com.example.app", "com.example", "VALID", "ios"),
        ):
            rows = [
                Verification(1, "MISSING", "VALID", "DEBUG", status=200, agent=apple(app)),
                Verification(2, status, "VALID", "DEBUG", status=200, agent=apple(other)),
            ]
            tell_clients([FunctionInput("p", "r", "f", "f", 2, rows)])
            self.assertEqual(rows[0].client.kind, kind, (app, other, status))


class VersionTests(unittest.TestCase):
    def test_order(self):
        versions = [
            *("", "0.9", "1.0b2", "1.0b10", "v1", "1.9", "1.9.1", "v1.10", "2.0.0-alpha", "2.0.0-beta", "2.0.0", "2.0.1-rc1"),
            *("2.0.1", "99999999999999999999", "100000000000000000000"),
        ]
        self.assertEqual(sorted(reversed(versions), key=version_order), versions)
        for one, other in (("3.1", "3.1.0"), ("v3", "3.0.0"), ("2.0-beta", "2-beta")):
            self.assertEqual(version_order(one) == version_order(other), one != "2.0-beta", (one, other))


class AcceptedTests(unittest.TestCase):
    def test_what_a_name_covers(self):
        app, runner = client_from(apple(version="3.1")), client_from(apple("Runner", "1"))
        for client, name, accepted in (
            (app, "ios", True),
            (app, "com.example.app", True),
            (app, "com.example.app@3.1", True),
            (app, "com.example.app@3.1.0", True),
            (app, "com.example.app@3.2", False),
            (app, "com.example.*", True),
            (app, "iphone", True),
            (app, "com.example", False),
            (runner, "app:Runner", True),
            (runner, "app:Runner@1", True),
            (client_from(BROWSERS["edge"]), "web", True),
            (client_from(BROWSERS["edge"]), "web/edge", True),
            (client_from(BROWSERS["edge"]), "web/chrome", False),
        ):
            self.assertEqual(is_accepted(client, (name,)), accepted, name)


if __name__ == "__main__":
    unittest.main()
