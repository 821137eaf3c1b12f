// A click on an outcome hides its files or shows them again; the search hides others by itself.
"use strict";
(() => {
  for (const button of document.querySelectorAll("button[data-outcome]"))
    button.addEventListener("click", () => {
      const shown = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", shown);
      for (const row of document.querySelectorAll(`tr[data-outcome="${button.dataset.outcome}"]`))
        row.style.display = shown ? "" : "none";
    });
})();
