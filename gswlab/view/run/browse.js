// Everything is in the page: a filter hides. In a panel a link says which answer it is of.
(() => {
  "use strict";
  document.body.classList.add("js");
  const fold = (text) => text.normalize("NFKC").toLowerCase();
  for (const part of document.querySelectorAll(".group")) {
    const fields = [...part.querySelectorAll("[data-by]")], out = part.querySelector("output");
    const rows = [...part.querySelectorAll(".asked > li")];
    const texts = rows.map((row) => fold(row.firstElementChild.textContent));
    const sift = () => {
      const want = Object.fromEntries(fields.map((field) => [field.dataset.by, field.value]));
      const of = (data, name) => !want[name] || data[name] === want[name];
      let shown = 0;
      rows.forEach((row, n) => {
        const fits = ({ dataset }) => ["run", "verdict", "blame"].every((name) => of(dataset, name));
        row.hidden = !of(row.dataset, "asked") || !of(row.dataset, "differ")
          || !texts[n].includes(fold(want.words.trim()))
          || ![...row.querySelectorAll(".one")].some(fits);
        shown += !row.hidden;
      });
      out.textContent = `${shown} of ${rows.length} questions`;
    };
    for (const field of fields) field.addEventListener("input", sift);
    sift();
  }
  if (parent !== window) document.body.addEventListener("click", (event) => {
    const at = event.target.closest("a[data-at]")?.dataset.at.split(" ");
    if (!at) return;
    event.preventDefault();
    const told = { step: Number(at[0]), nouns: [at[1]], lines: [], still: false };
    parent.postMessage({ gswlab: "page", ...told }, "*");
  });
})();
