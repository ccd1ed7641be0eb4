"use strict";
// Lets a reader choose and order the functions. Everything can be read without it.
(() => {
  const table = document.getElementById("table");
  const controls = document.getElementById("controls");
  if (!table || !controls) return;
  const byId = (id) => document.getElementById(id);
  const body = table.tBodies[0];
  const cards = byId("cards");
  // More rows than that are slow to lay out.
  const most = 500;
  // More cards than that are not printed.
  const few = 10;
  const number = (text) => text === "" ? null : Number(text);
  const items = Array.from(body.rows, (row, index) => ({
    row, card: row.dataset.card ? byId(row.dataset.card) : null, index,
    text: row.cells[1].textContent.toLowerCase(),
    verdict: row.dataset.verdict, project: row.dataset.project, region: row.dataset.region,
    name: row.cells[1].firstElementChild.textContent,
    requests: Number(row.dataset.requests), rate: number(row.dataset.rate), ready: row.dataset.ready || null,
  }));
  let order = items;

  const chips = Array.from(document.querySelectorAll(".chip"));
  const fields = ["by-text", "by-project", "by-region"].map(byId).filter(Boolean);
  const value = (id) => byId(id)?.value ?? "";
  const filter = () => {
    const text = value("by-text").trim().toLowerCase();
    const verdicts = chips.filter((chip) => chip.ariaPressed === "true").map((chip) => chip.dataset.verdict);
    let found = 0;
    for (const item of order) {
      const isFound = item.text.includes(text)
        && (verdicts.length === 0 || verdicts.includes(item.verdict))
        && ["project", "region"].every((key) => ["", item[key]].includes(value("by-" + key)));
      if (isFound) found += 1;
      item.row.hidden = !isFound || found > most;
      if (item.card) item.card.hidden = !isFound;
    }
    const all = items.length.toLocaleString("en");
    const some = found === items.length ? `${all} functions` : `${found.toLocaleString("en")} of ${all} functions`;
    cards.classList.toggle("many", found > few);
    byId("shown").textContent = found > most ? `${some}, the first ${most} are shown` : some;
  };

  // What is not known comes last, whichever way the others are ordered.
  const compare = (left, right) =>
    typeof left === "string" ? left.localeCompare(right, "en", { numeric: true }) : left - right;
  const sort = (key, direction) => {
    order = items.slice().sort((a, b) => {
      if (key === null || a[key] === b[key]) return a.index - b.index;
      if (a[key] === null) return 1;
      if (b[key] === null) return -1;
      return direction * compare(a[key], b[key]);
    });
    body.append(...order.map((item) => item.row));
    cards.append(...order.map((item) => item.card).filter(Boolean));
    filter();
  };

  const heads = Array.from(table.tHead.rows[0].cells).filter((head) => head.dataset.sort);
  const sortBy = (chosen, direction) => {
    for (const head of heads) head.removeAttribute("aria-sort");
    chosen?.setAttribute("aria-sort", direction);
    sort(chosen ? chosen.dataset.sort : null, direction === "descending" ? -1 : 1);
  };

  // What is chosen is part of the address, so that it can be sent and printed.
  const remember = () => {
    const query = new URLSearchParams();
    for (const field of fields) if (field.value) query.set(field.id, field.value);
    for (const chip of chips) if (chip.ariaPressed === "true") query.append("verdict", chip.dataset.verdict);
    const sorted = heads.find((head) => head.ariaSort);
    if (sorted) query.set(sorted.ariaSort, sorted.dataset.sort);
    const text = query.toString();
    history.replaceState(null, "", (text ? "?" + text : location.pathname) + location.hash);
  };
  const recall = () => {
    const query = new URLSearchParams(location.search);
    for (const field of fields) field.value = query.get(field.id) ?? "";
    for (const chip of chips) chip.ariaPressed = String(query.getAll("verdict").includes(chip.dataset.verdict));
    const direction = ["ascending", "descending"].find((key) => query.has(key));
    sortBy(heads.find((head) => direction && head.dataset.sort === query.get(direction)), direction);
  };

  for (const head of heads) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    // People look for the largest number.
    const first = head.classList.contains("number") ? "descending" : "ascending";
    const second = first === "ascending" ? "descending" : "ascending";
    button.addEventListener("click", () => {
      const old = head.ariaSort;
      const next = old === null ? first : old === first ? second : null;
      sortBy(next && head, next);
      remember();
    });
  }

  const choose = () => {
    filter();
    remember();
  };
  for (const field of fields) field.addEventListener("input", choose);
  for (const chip of chips) {
    chip.addEventListener("click", () => {
      chip.ariaPressed = String(chip.ariaPressed !== "true");
      choose();
    });
  }
  byId("clear").addEventListener("click", () => {
    for (const field of fields) field.value = "";
    for (const chip of chips) chip.ariaPressed = "false";
    choose();
  });
  // A link to a function that is filtered away shows it again.
  addEventListener("hashchange", () => {
    const target = items.find((item) => item.card && "#" + item.card.id === location.hash);
    if (target?.card.hidden) byId("clear").click();
  });
  controls.hidden = false;
  recall();
})();
