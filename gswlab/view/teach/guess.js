// You decide, then the reconciler, then gold. Nothing is kept but in this page: rows go
// out by copy or download and come in from a file, and no request is ever made.
(() => {
  "use strict";
  const cases = JSON.parse(document.getElementById("run").textContent);
  const $ = (id) => document.getElementById(id);
  const articles = [...document.querySelectorAll(".case")];
  const said = new Map(); // annotator, then alignment: decision
  let now = 0;

  const make = (tag, ...children) => {
    const element = document.createElement(tag);
    element.append(...children);
    return element;
  };
  const name = () => {
    const typed = $("annotator").value.trim();
    return typed && typed !== "reconciler" && typed !== "gold" ? typed : "me";
  };
  const mine = () => {
    if (!said.has(name())) said.set(name(), new Map());
    return said.get(name());
  };

  // ---- rows in and out -------------------------------------------------------------
  const rows = () => [...said.keys()].sort().flatMap((annotator) =>
    cases.filter((one) => said.get(annotator).has(one.row.alignment)).map((one) => {
      const decision = said.get(annotator).get(one.row.alignment);
      return JSON.stringify({ ...one.row, decision, annotator }) + "\n";
    })).join("");
  const read = (text) => {
    const known = new Map(cases.map((one) => [one.row.alignment, one]));
    let taken = 0, refused = 0;
    for (const line of text.split("\n").filter((each) => each.trim())) {
      let row = {};
      try { row = JSON.parse(line) || {}; } catch { refused += 1; continue; }
      const here = known.get(row.alignment);
      const fits = here && ["same", "different", "unsure"].includes(row.decision)
        && typeof row.annotator === "string" && row.annotator.trim()
        && JSON.stringify(row.spans) === JSON.stringify(here.row.spans);
      if (!fits) { refused += 1; continue; }
      if (!said.has(row.annotator)) said.set(row.annotator, new Map());
      said.get(row.annotator).set(row.alignment, row.decision);
      taken += 1;
    }
    $("done").textContent = `${taken} row${taken === 1 ? "" : "s"} read`
      + (refused ? `, ${refused} refused: not of these cases` : "");
  };

  // ---- agreement -------------------------------------------------------------------
  const pair = (one, other) => {
    const both = [...one.keys()].filter((id) => other.has(id)
      && one.get(id) !== "unsure" && other.get(id) !== "unsure");
    const agreed = both.filter((id) => one.get(id) === other.get(id)).length;
    const share = (map) => both.filter((id) => map.get(id) === "same").length / both.length;
    const [a, b] = [share(one), share(other)];
    const chance = a * b + (1 - a) * (1 - b);
    const kappa = (agreed / both.length - chance) / (1 - chance);
    return [both.length, agreed, both.length && chance < 1 ? kappa.toFixed(2) : "–"];
  };
  const score = () => {
    // Only what its annotator decided is held against the others: no case is given away.
    const all = [...said].filter(([, map]) => map.size)
      .sort(([a], [b]) => (a < b ? -1 : 1));
    const fixed = ["reconciler", "gold"].map((key) => [key, new Map(
      cases.filter((one) => one[key]).map((one) => [one.row.alignment, one[key]]))]);
    const lines = all.flatMap(([one, mapped], at) =>
      [...all.slice(at + 1), ...fixed].filter(([, map]) => map.size)
        .map(([other, map]) => [one, other, ...pair(mapped, map)]));
    $("score").replaceChildren(...lines.map((cells) =>
      make("tr", ...cells.map((cell) => make("td", make("bdi", String(cell)))))));
  };

  // ---- the case on screen ----------------------------------------------------------
  const show = (announce = "") => {
    const id = cases[now].row.alignment, decision = mine().get(id);
    articles.forEach((article, at) => {
      article.toggleAttribute("data-now", at === now);
      const decided = mine().has(article.dataset.id);
      article.toggleAttribute("data-decided", decided);
      article.querySelector(".reveal").open = decided;
    });
    for (const button of document.querySelectorAll("[data-decision]")) {
      button.setAttribute("aria-pressed", button.dataset.decision === decision);
    }
    $("at").value = now + 1;
    $("at").setAttribute("aria-valuetext", `case ${now + 1} of ${cases.length}`);
    $("line").textContent = announce
      || `case ${now + 1} of ${cases.length}, ${mine().size} decided`;
    $("back").disabled = now === 0;
    $("next").disabled = now === cases.length - 1;
    $("rows").value = rows();
    score();
  };
  const go = (to) => { now = Math.min(Math.max(to, 0), cases.length - 1); show(); };
  const decide = (decision) => {
    const one = cases[now];
    mine().set(one.row.alignment, decision);
    const gold = one.gold ? `, gold: ${one.gold}` : "";
    show(`case ${now + 1}: you said ${decision}, the reconciler: ${one.reconciler}${gold}`);
  };

  // ---- wiring ----------------------------------------------------------------------
  if (!cases.length) return;
  document.body.classList.add("js");
  $("at").max = cases.length;
  $("at").oninput = (event) => go(Number(event.target.value) - 1);
  $("back").onclick = () => go(now - 1);
  $("next").onclick = () => go(now + 1);
  for (const button of document.querySelectorAll("[data-decision]")) {
    button.onclick = () => decide(button.dataset.decision);
  }
  $("annotator").onchange = () => show();
  $("copy").onclick = () => {
    $("rows").select();
    $("done").textContent = document.execCommand("copy") ? "copied"
      : "selected: copy with the keyboard";
  };
  $("download").onclick = () => {
    const link = make("a");
    link.href = URL.createObjectURL(new Blob([rows()], { type: "application/jsonl" }));
    link.download = "annotations.jsonl";
    link.click();
    URL.revokeObjectURL(link.href);
    $("done").textContent = "annotations.jsonl";
  };
  $("file").onchange = async (event) => {
    const [file] = event.target.files;
    if (!file) return;
    read(await file.text());
    show();
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input, textarea, select")) return;
    const decision = { s: "same", d: "different", u: "unsure" }[event.key.toLowerCase()];
    if (decision) decide(decision);
    else if (event.key === "ArrowRight") go(now + 1);
    else if (event.key === "ArrowLeft") go(now - 1);
  });
  go(0);
})();
