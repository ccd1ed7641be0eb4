#!/usr/bin/env python3
"""Reads a page as a parser does, and lists what is wrong with its markup: `check_markup.py PAGE`.

Prints a JSON object: `problems`, one sentence each; `headings`, the text of each function's heading; `policy`, the
content of its Content-Security-Policy; `hashes`, what its style sheets and scripts hash to.
"""

import base64
import hashlib
import json
import re
import sys
from html.parser import HTMLParser

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
ALLOWED = set(
    """html head meta title style body script a svg title desc defs pattern rect circle path text header main footer
    section article figure div p span b strong em small code pre ul li dl dt dd h1 h2 h3 h4 table caption thead tbody tr th td
    details summary time label input select option button""".split())
REFERENCES = ("aria-labelledby", "aria-describedby", "aria-controls", "for", "data-card")


class Page(HTMLParser):
    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.problems, self.open, self.ids, self.references = [], [], {}, []
        self.headings, self.hashes, self.policy, self.words = [], {}, None, []
        self.code = ""
        self.feed(text)
        self.close()
        for tag in self.open:
            self.problems.append(f"<{tag}> is never closed")
        for attribute, name in self.references:
            if name not in self.ids:
                self.problems.append(f"{attribute} refers to {name!r}, which is not there")

    def handle_starttag(self, tag, attributes):
        self.note(tag, attributes)
        if tag not in VOID:
            self.open.append(tag)
            self.words.append("")

    def handle_startendtag(self, tag, attributes):
        self.note(tag, attributes)
        if "svg" not in self.open:
            self.problems.append(f"<{tag}/> is no way to close an element of HTML")

    def handle_endtag(self, tag):
        if not self.open or self.open[-1] != tag:
            self.problems.append(f"</{tag}> at {self.getpos()} where {self.open[-3:]} is open")
            return
        self.open.pop()
        words = self.words.pop()
        if self.words and tag not in ("style", "script"):
            self.words[-1] += words
        if tag == "h3" and "article" in self.open:
            self.headings.append(words)
        if tag in ("style", "script"):
            self.code += words
            digest = base64.b64encode(hashlib.sha256(words.encode()).digest()).decode()
            self.hashes.setdefault(tag, []).append(digest)

    def handle_data(self, data):
        if self.words:
            self.words[-1] += data

    def handle_comment(self, data):
        self.problems.append(f"a comment at {self.getpos()}")

    def note(self, tag, attributes):
        if tag not in ALLOWED:
            self.problems.append(f"<{tag}> at {self.getpos()} is none of ours")
        names = [name for name, _ in attributes]
        values = dict(attributes)
        if len(names) != len(values):
            self.problems.append(f"<{tag}> has an attribute twice: {names}")
        if values.get("http-equiv") == "Content-Security-Policy":
            self.policy = values["content"]
        for name, value in attributes:
            if name == "style" or name.startswith("on") or name in ("src", "srcset", "action", "formaction"):
                self.problems.append(f"<{tag} {name}> may not be")
            if name == "id":
                if value in self.ids:
                    self.problems.append(f"id {value!r} twice")
                self.ids[value] = tag
            if name.endswith("href"):
                if not value.startswith("#"):
                    self.problems.append(f"{name} leads away: {value!r}")
                self.references.append((name, value[1:]))
            if name in REFERENCES:
                self.references += [(name, part) for part in value.split()]
            if value and value.startswith("url("):
                self.references.append((name, value[5:-1]))
        if tag == "svg" and values.get("aria-hidden") != "true" and not (
                values.get("role") == "img" and values.get("aria-labelledby")):
            self.problems.append("a drawing without a text in its place")
        if tag == "th" and "scope" not in values:
            self.problems.append("a heading cell without a scope")


def main(path):
    with open(path, encoding="utf-8", newline="") as file:
        text = file.read()
    page = Page(text)
    if not text.startswith('<!DOCTYPE html>\n<html lang="en">'):
        page.problems.append("no document type, or no language")
    for landmark in ("header", "main", "footer"):
        if f"<{landmark}>" not in text:
            page.problems.append(f"no <{landmark}>")
    # Addresses in the style sheet or the script would be loaded as well.
    for address in re.findall(r"(?:https?:)?//[a-z][^\s\"'<]*\.[a-z]+|@import|url\((?!#)[^)]*\)", page.code):
        page.problems.append(f"an address: {address}")
    print(json.dumps({
        "problems": page.problems, "headings": page.headings, "policy": page.policy, "hashes": page.hashes}))


if __name__ == "__main__":
    main(sys.argv[1])
