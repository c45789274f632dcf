// A table of sentences by memories: rows and columns are only shown and hidden.
(() => {
  "use strict";
  const $ = (id) => document.getElementById(id);
  const rows = [...document.querySelectorAll("#grid tbody tr")];
  const fold = (text) => text.normalize("NFKC").toLowerCase();
  const texts = rows.map((row) => fold(row.textContent));
  const say = (text) => { $("line").textContent = text; };
  let here = null;
  document.body.classList.add("js");

  const enter = (cell) => {
    if (!cell) return;
    if (here) here.tabIndex = -1;
    here = cell;
    here.tabIndex = 0;
  };
  const filter = () => {
    const wanted = fold($("filter").value.trim()), part = $("part").value;
    const differs = pressed($("differs"));
    let shown = 0;
    rows.forEach((row, n) => {
      row.hidden = !texts[n].includes(wanted) || (part && row.dataset.part !== part)
        || (differs && !("differs" in row.dataset));
      shown += !row.hidden;
    });
    say(`${shown} of ${rows.length} sentences shown.`);
    const first = rows.find((row) => !row.hidden);
    if (!here || here.closest("tr").hidden) enter(first && first.cells[0]);
  };
  const visible = (cells) => [...cells].filter((cell) => !cell.hidden);
  const move = (cell, key) => {
    const row = cell.closest("tr"), shown = rows.filter((each) => !each.hidden);
    const at = shown.indexOf(row), cells = visible(row.cells), column = cells.indexOf(cell);
    const to = { ArrowDown: [at + 1, column], ArrowUp: [at - 1, column],
      ArrowRight: [at, column + 1], ArrowLeft: [at, column - 1],
      Home: [at, 0], End: [at, cells.length - 1] }[key];
    const next = shown[to[0]] && visible(shown[to[0]].cells)[to[1]];
    if (!next) return;
    enter(next);
    next.focus();
    next.scrollIntoView({ block: "nearest", inline: "nearest" });
  };

  $("filter").oninput = filter;
  $("part").onchange = filter;
  const pressed = (button) => button.getAttribute("aria-pressed") === "true";
  const press = (button) => {
    button.setAttribute("aria-pressed", !pressed(button));
    return pressed(button);
  };
  $("differs").onclick = () => { press($("differs")); filter(); };
  for (const button of document.querySelectorAll(".column")) {
    button.onclick = () => {
      const on = press(button);
      const column = Number(button.dataset.column) + 1;
      for (const row of document.querySelectorAll("#grid tr")) row.cells[column].hidden = !on;
      say(`${button.textContent} is ${on ? "shown" : "hidden"}.`);
    };
  }
  $("grid").addEventListener("keydown", (event) => {
    const cell = event.target.closest("td, tbody th");
    if (!cell || cell !== event.target) return;
    if (event.key === "Enter" || event.key === " ") {
      const more = cell.querySelector("details");
      if (more) more.open = !more.open;
    } else if (/^(Arrow|Home|End)/.test(event.key)) move(cell, event.key);
    else return;
    event.preventDefault();
  });
  $("grid").addEventListener("focusin", (event) => {
    const cell = event.target.closest("td, tbody th");
    if (cell) enter(cell);
  });
  enter(rows[0] && rows[0].cells[0]);
})();
