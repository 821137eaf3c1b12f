// Sorts by a click on a heading, numbers by their value; hides rows in which a word of the search is missing, and by a
// click on a cell of the matrix all rows but those of its two collections.
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
    const words = search.value.toLowerCase().split(/\s+/);
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
