# SPDX-License-Identifier: GPL-3.0-or-later
"""The looks of the HTML report, and what makes its table sortable: nothing in it is loaded from elsewhere."""

# What a browser may do with the page, should a name ever get past the escaping: show it, and nothing else.
POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'"

STYLE = """
:root { color-scheme: light dark; --ink: #1c2430; --quiet: #667085; --paper: #f5f6f8; --card: #ffffff;
  --line: #dfe3e8; --fault: #c62f2f; --fault-soft: #fdecec; --near: #9a6a00; --near-soft: #fdf3dc;
  --calm: #2f6f4f; --calm-soft: #e6f3ec; --a: #ed8521; --b: #3882e6; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ee; --quiet: #98a2b3; --paper: #14181f; --card: #1d232d;
  --line: #313946; --fault: #ff8a80; --fault-soft: #3c2023; --near: #f0c060; --near-soft: #38301c;
  --calm: #86d3a8; --calm-soft: #1d3328; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, "Segoe UI", Roboto,
  "Noto Sans", sans-serif; }
main { max-width: 1180px; margin: 0 auto; padding: 32px 24px 64px; }
h1 { font-size: 26px; line-height: 1.25; margin: 0 0 4px; }
h2 { font-size: 18px; margin: 40px 0 12px; }
.quiet { color: var(--quiet); }
.chips { display: flex; flex-wrap: wrap; gap: 8px; margin: 20px 0 0; padding: 0; list-style: none; }
.chip, .tag { border-radius: 999px; padding: 3px 12px; font-weight: 600; white-space: nowrap; }
.tag { font-size: 13px; padding: 1px 9px; }
.duplicate, .contained, .penetrating, .coplanar { background: var(--fault-soft); color: var(--fault); }
.within_clearance { background: var(--near-soft); color: var(--near); }
.touching, .separated, .none { background: var(--calm-soft); color: var(--calm); }
.accepted, .new, .gone { background: var(--line); color: var(--ink); }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(340px, 1fr)); gap: 20px; }
figure { margin: 0; background: var(--card); border: 1px solid var(--line); border-radius: 10px; overflow: hidden; }
figure:target { outline: 3px solid var(--b); }
figure img { display: block; width: 100%; height: auto; }
figcaption { padding: 12px 16px 14px; }
figcaption p { margin: 6px 0 0; }
.names { font-weight: 600; overflow-wrap: anywhere; }
.a::before, .b::before { content: ""; display: inline-block; width: 11px; height: 11px; border-radius: 3px;
  margin-right: 6px; background: var(--a); }
.b::before { background: var(--b); }
.sheet { overflow-x: auto; background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: 8px 14px; border-bottom: 1px solid var(--line); }
tbody tr:last-child td { border-bottom: 0; }
td { overflow-wrap: anywhere; }
th { white-space: nowrap; font-size: 13px; color: var(--quiet); font-weight: 600; }
th button { all: unset; cursor: pointer; }
th button:focus-visible { outline: 2px solid var(--b); }
th[aria-sort="ascending"] button::after { content: " \\25B2"; }
th[aria-sort="descending"] button::after { content: " \\25BC"; }
.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
tr.is-accepted td { color: var(--quiet); }
a { color: inherit; }
input { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: 8px;
  padding: 6px 12px; width: min(100%, 320px); margin: 0 0 12px; }
.matrix { width: auto; } .matrix td { text-align: center; }
.matrix button { border: 0; font: inherit; font-size: 13px; font-weight: 600; cursor: pointer; }
.matrix button[aria-pressed="true"] { outline: 2px solid var(--b); }
.histogram { display: block; width: 100%; max-width: 860px; height: auto; overflow: visible; }
.histogram .bar { fill: var(--fault); } .histogram .base { stroke: var(--line); }
.histogram text { font-size: 12px; fill: var(--quiet); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 4px 20px; margin: 0; }
dt { color: var(--quiet); } dd { margin: 0; overflow-wrap: anywhere; }
@media print { input { display: none; } body { background: none; } figure { break-inside: avoid; } }
"""

# Sorts by a click on a heading, numbers by their value; hides rows in which a word of the search is missing, and by a
# click on a cell of the matrix all rows but those of its two collections.
SCRIPT = """
"use strict";
(() => {
  const table = document.querySelector("table.pairs");
  if (!table) return;
  const body = table.tBodies[0], heads = [...table.tHead.rows[0].cells];
  const key = (row, column) => row.cells[column].dataset.sort ?? row.cells[column].textContent.trim();
  const compare = (a, b) => {
    const numbers = a !== "" && b !== "" && Number.isFinite(+a) && Number.isFinite(+b);
    return numbers ? a - b : a.localeCompare(b, undefined, { numeric: true });
  };
  heads.forEach((head, column) => head.querySelector("button").addEventListener("click", () => {
    const down = head.getAttribute("aria-sort") === "ascending";
    heads.forEach((other) => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const rows = [...body.rows].sort((a, b) => (down ? -1 : 1) * compare(key(a, column), key(b, column)));
    body.append(...rows);
  }));
  const search = document.querySelector("input[type=search]");
  const cells = [...document.querySelectorAll("table.matrix button")];
  const filter = () => {
    const words = search.value.toLowerCase().split(/\\s+/);
    const cell = cells.find((one) => one.getAttribute("aria-pressed") === "true");
    for (const row of body.rows) {
      const text = row.textContent.toLowerCase();
      const between = !cell || row.dataset.between === cell.dataset.between;
      row.hidden = !between || !words.every((word) => text.includes(word));
    }
  };
  search.hidden = false;
  search.addEventListener("input", filter);
  cells.forEach((cell) => cell.addEventListener("click", () => {
    const pressed = cell.getAttribute("aria-pressed") === "true";
    cells.forEach((other) => other.setAttribute("aria-pressed", "false"));
    cell.setAttribute("aria-pressed", String(!pressed));
    filter();
  }));
})();
"""
