#!/usr/bin/env python3
"""Opens every page of the site in Chromium, as a reader would, and follows its links.

    check.py SITE

Each page must show its own text, and every link within the site must lead to a page that is there, places in it included.
"""
import functools
import html.parser
import http.server
import pathlib
import subprocess
import sys
import threading
import urllib.parse


class Page(html.parser.HTMLParser):
    """The links, the places and the headings of a page as it is shown."""

    def __init__(self, text):
        super().__init__()
        self.links, self.places, self.text = set(), set(), ""
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.places |= {attributes.get("id")}
        if tag == "a" and attributes.get("href"):
            self.links.add(attributes["href"])

    def handle_data(self, data):
        self.text += data


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def shown(address):
    command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=20000", "--dump-dom", address]
    return Page(subprocess.run(command, check=True, capture_output=True, text=True, timeout=120).stdout)


def main():
    site = pathlib.Path(sys.argv[1])
    handler = functools.partial(Quiet, directory=site)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    root = f"http://127.0.0.1:{server.server_port}"
    pages, waiting, wrong = {}, ["/documentation/callcheck/"], []
    while waiting:
        path = waiting.pop()
        pages[path] = page = shown(root + path)
        if len(page.text) < 500 or "can’t be found" in page.text:
            wrong.append(f"{path} shows nothing")
        for link in page.links:
            target = urllib.parse.urlsplit(urllib.parse.urljoin(root + path, link))
            if target.netloc == urllib.parse.urlsplit(root).netloc:
                place = target.path.rstrip("/") + "/"
                if not (site / place.strip("/") / "index.html").is_file():
                    wrong.append(f"{path} links to {target.path}, which is not there")
                elif place.startswith("/documentation/") and place not in pages and place not in waiting:
                    waiting.append(place)
    for path, page in pages.items():
        for link in page.links:
            target = urllib.parse.urlsplit(urllib.parse.urljoin(root + path, link))
            place = pages.get(target.path.rstrip("/") + "/")
            if target.fragment and place and urllib.parse.unquote(target.fragment) not in place.places:
                wrong.append(f"{path} links to #{target.fragment} of {target.path}, which is not there")
    written = {f"/{file.parent.relative_to(site)}/" for file in site.glob("documentation/**/index.html")}
    wrong += [f"nothing links to {path}" for path in sorted(written - set(pages))]
    if wrong:
        sys.exit("\n".join(wrong))
    print(f"{len(pages)} pages, {sum(len(page.links) for page in pages.values())} links")


main()
