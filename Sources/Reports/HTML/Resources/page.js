"use strict";
// Lets a reader choose and order the functions. Everything can be read without it.
(() => {
  const table = document.getElementById("table");
  const controls = document.getElementById("controls");
  if (!table || !controls) return;
  const byId = (id) => document.getElementById(id);
  const body = table.tBodies[0];
  const cards = byId("cards");
  const items = Array.from(body.rows, (row, index) => ({
    row, card: byId(row.dataset.card), index,
    text: row.cells[1].textContent.toLowerCase(),
    verdict: row.dataset.verdict, project: row.dataset.project, region: row.dataset.region,
    name: row.cells[1].firstElementChild.textContent,
    requests: Number(row.dataset.requests),
    rate: row.dataset.rate === "" ? null : Number(row.dataset.rate),
    ready: row.dataset.ready === "" ? null : row.dataset.ready,
  }));

  const fields = ["by-text", "by-verdict", "by-project", "by-region", "by-requests", "by-rate"].map(byId).filter(Boolean);
  const value = (id) => byId(id)?.value ?? "";
  const filter = () => {
    const text = value("by-text").trim().toLowerCase();
    const requests = Number(value("by-requests"));
    const rate = value("by-rate") === "" ? null : Number(value("by-rate")) / 100;
    let shown = 0;
    for (const item of items) {
      const isShown = item.text.includes(text)
        && ["verdict", "project", "region"].every((key) => ["", item[key]].includes(value("by-" + key)))
        && item.requests >= requests
        && (rate === null || (item.rate !== null && item.rate >= rate));
      item.row.hidden = !isShown;
      item.card.hidden = !isShown;
      if (isShown) shown += 1;
    }
    byId("shown").textContent = shown === items.length ? `${shown} functions` : `${shown} of ${items.length} functions`;
  };

  // What is not known comes last, whichever way the others are ordered.
  const compare = (left, right) =>
    typeof left === "string" ? left.localeCompare(right, "en", { numeric: true }) : left - right;
  const sort = (key, direction) => {
    const sorted = items.slice().sort((a, b) => {
      if (key === null || a[key] === b[key]) return a.index - b.index;
      if (a[key] === null) return 1;
      if (b[key] === null) return -1;
      return direction * compare(a[key], b[key]);
    });
    body.append(...sorted.map((item) => item.row));
    cards.append(...sorted.map((item) => item.card));
  };

  const heads = Array.from(table.tHead.rows[0].cells).filter((head) => head.dataset.sort);
  for (const head of heads) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    // Numbers are asked for the largest first.
    const first = head.classList.contains("number") ? "descending" : "ascending";
    const second = first === "ascending" ? "descending" : "ascending";
    button.addEventListener("click", () => {
      const old = head.getAttribute("aria-sort");
      const next = old === null ? first : old === first ? second : null;
      for (const other of heads) other.removeAttribute("aria-sort");
      if (next !== null) head.setAttribute("aria-sort", next);
      sort(next === null ? null : head.dataset.sort, next === "descending" ? -1 : 1);
    });
  }

  for (const field of fields) field.addEventListener("input", filter);
  byId("clear").addEventListener("click", () => {
    for (const field of fields) field.value = "";
    filter();
  });
  // A link to a function that is filtered away shows it again.
  addEventListener("hashchange", () => {
    const target = items.find((item) => "#" + item.card.id === location.hash);
    if (target?.card.hidden) byId("clear").click();
  });
  controls.hidden = false;
  filter();
})();
