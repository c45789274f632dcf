// Answers, the text, what a sentence became: all of it is in the page already. A choice
// lights and shows; nothing is fetched and no text is written but this page's own words.
(() => {
  "use strict";
  const $ = (id) => document.getElementById(id);
  const all = (query) => [...document.querySelectorAll(query)];
  const body = document.body, sentences = all(".s");
  let here = 0;
  body.classList.add("js");

  const say = (text) => { $("line").textContent = text; };
  const show = (element) => element.scrollIntoView({ block: "nearest" });
  const unlit = () => {
    for (const element of all("[data-lit]")) delete element.dataset.lit;
    for (const button of all(".ask[aria-pressed]")) {
      button.setAttribute("aria-pressed", "false");
      button.closest(".answer").toggleAttribute("data-now", false);
    }
  };
  const answer = (n) => {
    const button = document.querySelector(`#a${n} .ask`);
    const off = button.getAttribute("aria-pressed") === "true";
    unlit();
    if (off) return say("Nothing is lit.");
    button.setAttribute("aria-pressed", "true");
    button.closest(".answer").toggleAttribute("data-now", true);
    const lit = new Set();
    for (const mark of all("#reading mark[data-ids]")) {
      if (!mark.dataset.ids.split(" ").includes(`x${n}`)) continue;
      mark.dataset.lit = "";
      lit.add(mark.closest(".s"));
    }
    for (const sentence of lit) sentence.dataset.lit = "";
    const [first] = lit;
    if (first) first.scrollIntoView({ block: "center" });
    say(`${lit.size} sentence${lit.size === 1 ? "" : "s"} lit.`);
    show(button);
  };
  const choose = (n, focus) => {
    const chosen = sentences[n];
    if (!chosen) return;
    sentences[here].tabIndex = -1;
    sentences[here].removeAttribute("aria-current");
    here = n;
    chosen.tabIndex = 0;
    chosen.setAttribute("aria-current", "true");
    for (const part of all(".became[data-now]")) part.toggleAttribute("data-now", false);
    const told = $(`b${chosen.id.slice(1)}`);
    told.toggleAttribute("data-now", true);
    $("what").querySelector(".first").hidden = true;
    $("what").scrollTop = 0;
    if (focus) chosen.focus({ preventScroll: true });
    show(chosen);
    const nouns = told.querySelectorAll(":scope > ul > li").length;
    say(`Sentence ${n + 1} of ${sentences.length}: `
      + (nouns ? `it became part of ${nouns}.` : "it left no trace."));
  };
  const moves = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1,
    Home: -Infinity, End: Infinity };

  $("reading").addEventListener("click", (event) => {
    const at = sentences.indexOf(event.target.closest(".s"));
    if (at >= 0) choose(at, true);
  });
  $("reading").addEventListener("keydown", (event) => {
    const at = sentences.indexOf(event.target.closest(".s"));
    if (at < 0) return;
    if (event.key === "Enter" || event.key === " ") choose(at, true);
    else if (event.key in moves) {
      const to = at + moves[event.key];
      choose(Math.min(Math.max(to, 0), sentences.length - 1), true);
    } else return;
    event.preventDefault();
  });
  body.addEventListener("click", (event) => {
    const ask = event.target.closest(".ask"), link = event.target.closest("a[href^='#s']");
    if (ask) answer(Number(ask.dataset.answer));
    if (!link) return;
    event.preventDefault();
    choose(sentences.indexOf($(link.getAttribute("href").slice(1))), true);
  });
  const fold = (text) => text.normalize("NFKC").toLowerCase();
  $("find").oninput = () => {
    const wanted = fold($("find").value.trim()), found = all(".answer");
    for (const part of found) {
      part.hidden = !fold(part.querySelector(".ask").textContent).includes(wanted);
    }
    const shown = found.filter((part) => !part.hidden).length;
    say(`${shown} of ${found.length} answers shown.`);
  };
  $("heat").onclick = () => {
    const on = body.toggleAttribute("data-heat");
    $("heat").setAttribute("aria-pressed", on);
    say(on ? "Shaded by how much rests on each character." : "Not shaded.");
  };
  $("lost").onclick = () => {
    const bare = sentences.map((s, n) => [s, n]).filter(([s]) => "bare" in s.dataset);
    if (!bare.length) return say("Every sentence left a trace.");
    const [, next] = bare.find(([, n]) => n > here) || bare[0];
    choose(next, true);
  };
  $("clear").onclick = () => { unlit(); say("Nothing is lit."); };
  if (all(".answer").length === 1) answer(0);
})();
