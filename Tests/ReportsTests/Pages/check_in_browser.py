#!/usr/bin/env python3
"""Opens a page in a headless Chromium and lists what is wrong with it: `check_in_browser.py PAGE FUNCTIONS [FOLDER]`.

FUNCTIONS is how many functions the page shows. With FOLDER, pictures of the page are left there to be looked at.
Prints a JSON object with `problems`, one sentence each.
"""

import json
import os
import re
import shutil
import sys

from devtools import Browser

SIZES = {"desktop": (1200, 900, False), "phone": (360, 740, True)}
# Each is wide enough for the whole page.
WIDTHS = [320, 390, 768, 1024, 1280, 1920]
PHONE = 390

# Elements with their own text whose colour is too close to that of their background (WCAG 2.2, 1.4.3).
CONTRAST = """
(() => {
  const parts = (text) => text.match(/[\\d.]+/g).map(Number);
  const luminance = ([r, g, b]) => {
    const linear = [r, g, b].map((v) => v / 255).map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  };
  const behind = (element) => {
    for (let place = element; place; place = place.parentElement) {
      const color = parts(getComputedStyle(place).backgroundColor);
      if (color.length === 3 || color[3] === 1) return color;
    }
    return [255, 255, 255];
  };
  const found = new Set();
  for (const element of document.querySelectorAll("body *")) {
    if (element.closest("[hidden], .hidden, defs, title, desc, script, option")) continue;
    if (![...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim())) continue;
    const style = getComputedStyle(element);
    const color = element instanceof SVGElement ? style.fill : style.color;
    const [one, other] = [luminance(parts(color)), luminance(behind(element))];
    const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    if (ratio < 4.5) found.add(`${element.tagName} ${element.getAttribute("class")}: ${ratio.toFixed(2)}`);
  }
  return [...found];
})()
"""

# Marks of charts and their legend whose colour is too close to that of their background (WCAG 2.2, 1.4.11).
MARKS = """
(() => {
  const parts = (text) => text.match(/[\\d.]+/g).map(Number);
  const luminance = ([r, g, b]) => {
    const linear = [r, g, b].map((v) => v / 255).map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  };
  const style = getComputedStyle(document.body);
  const behind = [style.backgroundColor, getComputedStyle(document.querySelector(".card")).backgroundColor];
  const found = new Set();
  for (const mark of document.querySelectorAll("defs rect:not(.s-ink), .s-valid, .outline, .limit, .bound, .dots, .bad")) {
    const style = getComputedStyle(mark);
    const color = luminance(parts(style.fill === "none" ? style.stroke : style.fill));
    for (const other of behind.map((text) => luminance(parts(text)))) {
      const ratio = (Math.max(color, other) + 0.05) / (Math.min(color, other) + 0.05);
      if (ratio < 3) found.add(`${mark.getAttribute("class")}: ${ratio.toFixed(2)}`);
    }
  }
  return [...found];
})()
"""

# What does not fit the screen, with everything unfolded, and what a reader without headings cannot tell.
LAYOUT = """
(() => {
  for (const details of document.querySelectorAll("details")) details.open = true;
  const found = new Set();
  const width = (element) => element.getBoundingClientRect().width;
  const text = document.createRange();
  for (const cell of document.querySelectorAll("main th, main td")) {
    if (width(cell) === 0) continue;
    text.selectNodeContents(cell);
    const [box, inner] = [cell.getBoundingClientRect(), text.getBoundingClientRect()];
    if (box.left < 0 || box.right > innerWidth + 0.5 || inner.right > box.right + 1) {
      found.add(`does not fit: ${cell.textContent.trim().slice(0, 40)}`);
    }
  }
  for (const box of document.querySelectorAll("main table, pre")) {
    const isCut = box.scrollWidth > box.clientWidth + 2;
    if (isCut || box.getBoundingClientRect().right > box.parentElement.getBoundingClientRect().right + 1) {
      found.add(`wider than its place: ${box.textContent.trim().slice(0, 40)}`);
    }
  }
  const heads = [...document.querySelectorAll("#table thead th")];
  for (const row of document.querySelectorAll("#table tbody tr:not([hidden])")) {
    heads.forEach((head, index) => {
      const cell = row.cells[index];
      if (!cell.textContent || cell.tagName === "TH" || index === 0) return;
      const name = head.textContent.trim();
      const label = getComputedStyle(cell, "::before").content;
      const isTitled = width(head) > 0 && cell.getBoundingClientRect().left < head.getBoundingClientRect().right
        && head.getBoundingClientRect().left < cell.getBoundingClientRect().right && label === "none";
      if (width(cell) === 0) found.add(`${name} is not shown`);
      else if (!isTitled && !label.includes(name)) found.add(`${name} is not named, but ${label}`);
    });
  }
  return [...found];
})()
"""

SHOWN = "[...document.querySelectorAll('#table tbody tr')].filter(row => !row.hidden).length"
CARDS = "[...document.querySelectorAll('#cards article')].filter(card => !card.hidden).length"


def column(key):
    return f"[...document.querySelectorAll('#table tbody tr')].map(row => row.dataset.{key})"


class Check:
    def __init__(self, browser, page, count):
        self.browser, self.page, self.count, self.problems, self.place = browser, page, count, [], ""

    def expect(self, isRight, what):
        if not isRight:
            self.problems.append(f"{self.place}: {what}")

    def quiet(self):
        """Nothing was complained of, and nothing was asked for but the page."""
        for event in self.browser.events:
            method, parameters = event.get("method"), event.get("params", {})
            if method in ("Log.entryAdded", "Runtime.consoleAPICalled", "Runtime.exceptionThrown"):
                self.expect(False, f"the console says {json.dumps(parameters)[:300]}")
            if method == "Page.javascriptDialogOpening":
                self.expect(False, "a dialog was opened")
            if method == "Network.requestWillBeSent" and parameters["type"] != "Document":
                self.expect(False, f"asked for {parameters['request']['url']}")

    def appearance(self):
        run = self.browser.run
        width = run("innerWidth")
        self.expect(run("document.documentElement.scrollWidth") <= width, "wider than the screen")
        for problem in run(CONTRAST):
            self.expect(False, f"hard to read: {problem}")
        for problem in run(MARKS) if run("document.querySelector('.card') !== null") else []:
            self.expect(False, f"hard to see: {problem}")
        small = run("Math.min(...[...document.querySelectorAll('.chart text')].slice(0, 20)"
                    ".map(text => text.getBoundingClientRect().height))")
        self.expect(small is None or small > 8, f"a label of a chart is {small} pixels high")

    def layout(self, width):
        run = self.browser.run
        for problem in run(LAYOUT):
            self.expect(False, problem)
        self.expect(run("document.scrollingElement.scrollWidth") <= width, "wider than the screen")
        if self.count > 1 and width >= 768:
            kind = run("getComputedStyle(document.getElementById('table')).display")
            self.expect(kind == "table", f"the table is a {kind}")

    def equivalents(self):
        nodes = self.browser.call("Accessibility.getFullAXTree")["nodes"]
        named = [node for node in nodes if node.get("role", {}).get("value") in ("image", "img") and not node["ignored"]]
        for node in named:
            self.expect(node.get("name", {}).get("value", "").startswith("Requests by day"), "a chart without a name")
            self.expect("udged" in node.get("description", {}).get("value", ""), "a chart without a description")
        charts = self.browser.run("document.querySelectorAll('svg.chart').length")
        self.expect(len(named) == charts, f"{len(named)} of {charts} charts can be heard of")
        tables = self.browser.run("document.querySelectorAll('.card table.days').length")
        self.expect(tables == charts, f"{tables} tables for {charts} charts")
        roles = {node.get("role", {}).get("value") for node in nodes}
        wanted = ["banner", "main", "contentinfo", "heading"] + ["article"] * (self.count > 0) + ["table", "rowheader"] * (self.count > 1)
        for role in wanted:
            self.expect(role in roles, f"nothing has the role {role}")

    def choosing(self):
        run = self.browser.run

        def choose(field, value):
            if field == "chip":
                run(f"document.querySelector('.chip[data-verdict={json.dumps(rows[0][0])}]').click()")
                return
            run(f"(() => {{ const field = document.getElementById('{field}'); field.value = {json.dumps(value)};"
                " field.dispatchEvent(new Event('input', {bubbles: true})); })()")

        self.expect(run("!document.getElementById('controls').hidden"), "nothing to choose with")
        self.expect(run(SHOWN) == self.count, f"{run(SHOWN)} of {self.count} functions shown")
        rows = list(zip(*(run(column(key)) for key in ("verdict", "project", "region"))))
        names = run("[...document.querySelectorAll('#table tbody th')].map(cell => cell.textContent.toLowerCase())")
        text = re.sub(r"[^a-z].*", "", names[0]) or "a"
        cases = [
            ("chip", rows[0][0], sum(row[0] == rows[0][0] for row in rows)),
            ("by-text", text.upper(), sum(text in name for name in names)),
        ]
        for field, index in (("by-project", 1), ("by-region", 2)):
            if run(f"document.getElementById('{field}') !== null"):
                cases.append((field, rows[0][index], sum(row[index] == rows[0][index] for row in rows)))
        for field, value, wanted in cases:
            choose(field, value)
            self.expect(run(SHOWN) == wanted, f"{field} = {value!r} shows {run(SHOWN)} functions, not {wanted}")
            self.expect(run(CARDS) == wanted, f"{field} = {value!r} shows {run(CARDS)} cards, not {wanted}")
            said = run("document.getElementById('shown').textContent")
            self.expect(said.startswith(f"{wanted} "), f"{said!r} is printed for {wanted} functions")
            chosen = run("location.search")
            self.browser.load(self.page + chosen)
            self.expect(run(SHOWN) == wanted, f"{chosen} shows {run(SHOWN)} functions, not {wanted}")
            choose(field, "")
        choose("by-text", "no function has this name")
        self.expect(run(SHOWN) == 0, "a name that nobody has shows something")
        run("document.getElementById('clear').click()")
        self.expect(run(SHOWN) == self.count, "clearing does not show everything again")
        self.expect(run("location.search") == "", "the address keeps what was cleared")

    def ordering(self):
        run = self.browser.run
        original = run(column("card"))
        for key in ("requests", "rate"):
            click = f"document.querySelector('th[data-sort={key}] button').click()"
            for way, sign in (("descending", -1), ("ascending", 1)):
                run(click)
                self.expect(run(f"document.querySelector('th[data-sort={key}]').ariaSort") == way, f"{key} is not {way}")
                values = run(column(key))
                known = [float(value) for value in values if value != ""]
                self.expect(known == sorted(known, key=lambda value: sign * value), f"{key} is not sorted {way}")
                self.expect("" not in values[:len(known)], f"an unknown {key} is not last")
                cards = run("[...document.querySelectorAll('#cards article')].map(card => card.id)")
                self.expect(cards == run(column("card")), "cards are in another order than rows")
            run(click)
            self.expect(run(column("card")) == original, f"{key}: the first order does not come back")
        run("document.querySelector('th[data-sort=ready] button').click()")
        days = run(column("ready"))
        known = [day for day in days if day]
        self.expect(days[:len(known)] == sorted(known), "days are not sorted")
        run("document.querySelector('th[data-sort=name] button').click()")
        names = run("[...document.querySelectorAll('#table tbody th a')].map(name => name.textContent)")
        ordered = run(f"{json.dumps(names)}.sort((a, b) => a.localeCompare(b, 'en', {{numeric: true}}))")
        self.expect(names == ordered, "names are not sorted")


def main(page, count, folder=None):
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    with Browser(program) as browser:
        check = Check(browser, page, count)
        for size, (width, height, phone) in SIZES.items():
            for scheme in ("light", "dark"):
                check.place = f"{size}, {scheme}"
                browser.open(page, width, height, scheme, phone)
                dark = browser.run("getComputedStyle(document.body).backgroundColor") == "rgb(15, 19, 23)"
                check.expect(dark == (scheme == "dark"), "the other scheme")
                check.appearance()
                if folder:
                    browser.screenshot(os.path.join(folder, f"{size}-{scheme}.png"))
                if scheme == "light":
                    check.equivalents()
                    if count > 1:
                        check.choosing()
                        check.ordering()
                check.quiet()
        for width in WIDTHS:
            check.place = f"{width} pixels wide"
            browser.open(page, width, 800, "light", phone=width <= PHONE)
            check.layout(width)
        if folder:
            browser.pdf(os.path.join(folder, "print.pdf"))
        check.place = "without script"
        browser.open(page, 1200, 900, "light", script=False)
        seen = browser.call("Accessibility.getFullAXTree")["nodes"]
        roles = [node.get("role", {}).get("value") for node in seen if not node["ignored"]]
        check.expect(roles.count("article") == count, f"{roles.count('article')} of {count} functions are there")
        check.expect("searchbox" not in roles, "a field that does nothing")
        check.quiet()
    print(json.dumps({"problems": check.problems}))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), *sys.argv[3:4])
