// One trace, one page: the slider moves time, the knobs weigh what was recorded again.
(() => {
  "use strict";
  const run = JSON.parse(document.getElementById("run").textContent);
  const $ = (id) => document.getElementById(id);
  const last = run.beats.length - 1;
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const knobs = { lam: null, ag: null, dg: null };
  let beat = 0, chosen = null, brush = null, timer = null, spot = () => 0;
  // In a maze one gate acts on a price: what the other says of it moves nothing.
  const acting = (p, n) => {
    const { gate, beat: at } = run.prices[n];
    return { ...p, beat: at, acts: { ag: p.fires.ag && gate !== "dg", dg: p.fires.dg && gate !== "ag" } };
  };
  const weighed = (said) => run.prices.map((price) => gauge.priced(price, said)).map(acting);
  let now = weighed({});
  const recorded = now;
  const scene = scenes.of($("scene"), run.scene);
  const num = (value) => (value === null ? "none" : value.toFixed(3));
  const make = (tag, props = {}, ...children) => {
    const element = Object.assign(document.createElement(tag), props);
    element.append(...children);
    return element;
  };

  // ---- what is looked at --------------------------------------------------------------
  const row = (tag, cells) => make("tr", {}, ...cells.map((cell) =>
    make(tag, { textContent: cell, ...(tag === "th" && { scope: "col" }) })));
  const hops = (price, one, was) => make("table", {}, make("thead", {}, row("th",
    ["hop", "cost", "gain", "shorter", "F recorded", "F now"])), make("tbody", {},
  ...price.terms.map((term, hop) => row("td", [hop === one.hop ? `${hop} best` : hop,
    ...term.map(num), num(was.series[hop]), num(one.series[hop])]))));
  const also = (more) => (more ? [make("p", { className: "quiet" }, make("bdi", { textContent: more }))] : []);
  const details = () => {
    if (chosen === null) {
      $("details").replaceChildren(make("p", { className: "quiet", textContent:
        run.prices.length ? "No edit was priced up to this step." : "Nothing was priced in this run: its moves come from no gauge." }));
      return;
    }
    const price = run.prices[chosen], one = now[chosen], was = recorded[chosen];
    const says = (p) => `AG ${p.fires.ag ? "fires" : "does not"} (g0 ${num(p.g0)} against ${num(p.ag)}), `
      + `DG ${p.fires.dg ? "fires" : "does not"} (g_min ${num(p.best)} against ${num(p.dg)}): ${p.kind}`;
    $("details").replaceChildren(
      make("h3", { textContent: `Price ${chosen + 1} of ${now.length}: ${run.beats[price.beat]}` }),
      make("p", {}, "Edit: ", make("bdi", { textContent: $("price-rows").rows[chosen].cells[2].textContent })),
      make("p", {}, "Recorded: ", says(was), `. What was done: ${price.action}`,
        price.gate ? ` (here ${price.gate.toUpperCase()} acts)` : "", price.reason ? `: ${price.reason.replace(/\.$/, "")}` : "", "."),
      ...also(price.more), ...(turned() ? [make("p", {}, "Now: ", says(one), ".")] : []), hops(price, one, was));
  };
  const turned = () => Object.values(knobs).some((value) => value !== null);
  const counted = (list, gate) => list.filter((p) => p.acts[gate]).length;
  const whatIf = () => {
    const differ = now.filter((p, n) => p.acts.ag !== recorded[n].acts.ag || p.acts.dg !== recorded[n].acts.dg).length;
    const count = (gate) => `${gate.toUpperCase()} fires ${counted(now, gate)}`
      + (turned() ? ` (recorded ${counted(recorded, gate)})` : "");
    $("what-if").textContent = `${count("ag")}, ${count("dg")}`
      + (turned() ? `; ${differ} of ${now.length} prices fall otherwise. The path stays the recorded one.` : "");
  };

  // ---- drawing ------------------------------------------------------------------------
  const said = (p) => [num(p.g0), num(p.best), p.kind];
  const table = () => now.forEach((p, n) => said(p).forEach((text, k) => {
    const cell = [...$("price-rows").rows[n].cells].at(k - 3);
    cell.textContent = text;
    cell.classList.toggle("moved", text !== said(recorded[n])[k]);
  }));
  const listed = () => {
    const rows = $("price-rows").rows;
    [...rows].forEach((line, n) => {
      line.hidden = Boolean(brush) && (n < brush[0] || n > brush[1]);
      line.toggleAttribute("aria-current", n === chosen);
    });
    const many = brush ? brush[1] - brush[0] + 1 : rows.length;
    $("rows").textContent = brush ? `${many} of ${rows.length}, the brushed ones` : "all";
    $("brushed").textContent = brush ? `${many} brushed, steps ${run.prices[brush[0]].beat} to ${run.prices[brush[1]].beat}` : "";
  };
  const picture = () => {
    const view = { chosen, brush };
    if (now.length) {
      spot = charts.timeline($("prices"), now, view);
      charts.terms($("terms"), now, run.prices, view);
      charts.plane($("plane"), now, run.prices, view);
    }
    scene.show(beat, now, chosen !== null ? run.prices[chosen] : null);
    details();
    listed();
  };
  const go = (to, price) => {
    beat = Math.min(Math.max(to, 0), last);
    const before = run.prices.findLastIndex((p) => p.beat <= beat);
    chosen = price ?? (before < 0 ? null : before);
    $("time").value = beat;
    const text = `${run.beats[beat]}: ${scene.told(beat)}`;
    $("time").setAttribute("aria-valuetext", text);
    $("line").textContent = text;
    $("back").disabled = beat === 0;
    $("next").disabled = beat === last;
    picture();
  };
  const pick = (n) => go(run.prices[n].beat, n);
  const weigh = () => {
    now = weighed(knobs);
    for (const name of ["lam", "ag", "dg"]) {
      const first = recorded[0]?.[name] ?? 0, value = knobs[name];
      $(name).value = value ?? first;
      $(`${name}-told`).textContent = value === null
        ? (recorded.every((p) => p[name] === first) ? num(first) : "varies") : num(value);
    }
    table();
    whatIf();
    picture();
  };

  // ---- time, brush, dips --------------------------------------------------------------
  const stop = () => {
    clearInterval(timer);
    timer = null;
    $("play").textContent = "play";
    $("play").setAttribute("aria-pressed", "false");
  };
  const play = () => {
    if (timer) { stop(); return; }
    if (beat === last) go(0);
    // Asked to keep still, the page shows one picture a second and nothing glides.
    const wait = still.matches ? Math.max(1000, Number($("pace").value)) : Number($("pace").value);
    timer = setInterval(() => { if (beat === last) stop(); else go(beat + 1); }, wait);
    $("play").textContent = "pause";
    $("play").setAttribute("aria-pressed", "true");
  };
  const brushing = (a, b) => {
    brush = [Math.min(a, b), Math.max(a, b)];
    const inside = now.map((p) => p.best).slice(brush[0], brush[1] + 1);
    pick(brush[0] + inside.indexOf(Math.min(...inside)));
  };
  const isDip = (n) => now[n].best < (now[n - 1]?.best ?? Infinity) && now[n].best <= (now[n + 1]?.best ?? Infinity);
  const dip = (way) => {
    let n = (chosen ?? -1) + way;
    while (now[n] && !isDip(n)) n += way;
    if (now[n]) pick(n);
  };

  document.body.classList.toggle("bare", !run.prices.length);
  if (last < 0) { $("line").textContent = "This trace has no step yet."; return; }
  $("time").oninput = (event) => go(Number(event.target.value));
  $("back").onclick = () => go(beat - 1);
  $("next").onclick = () => go(beat + 1);
  $("play").onclick = play;
  $("pace").onchange = () => { if (timer) { stop(); play(); } };
  for (const name of ["lam", "ag", "dg"]) {
    $(name).oninput = (event) => { knobs[name] = Number(event.target.value); weigh(); };
  }
  $("recorded").onclick = () => { Object.assign(knobs, { lam: null, ag: null, dg: null }); weigh(); };
  $("dip-back").onclick = () => dip(-1);
  $("dip-next").onclick = () => dip(1);
  $("clear").onclick = () => { brush = null; picture(); };
  let from = null;
  const chart = $("prices"), at = (event) => spot(event.clientX - chart.getBoundingClientRect().left);
  if (now.length) {
    chart.onpointerdown = (event) => { chart.setPointerCapture(event.pointerId); from = at(event); brush = null; pick(from); };
    chart.onpointermove = (event) => { if (from !== null && at(event) !== from) brushing(from, at(event)); };
    chart.onpointerup = chart.onpointercancel = () => { from = null; };
    chart.onkeydown = (event) => {
      const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!way) return;
      event.preventDefault();
      event.stopPropagation();
      const here = chosen ?? 0, to = Math.min(Math.max(here + way, 0), now.length - 1);
      if (!event.shiftKey) { brush = null; pick(to); return; }
      const [a, b] = brush || [here, here];
      brushing(way < 0 ? Math.max(a - 1, 0) : a, way > 0 ? Math.min(b + 1, now.length - 1) : b);
    };
    $("plane").onclick = $("price-rows").onclick = (event) => {
      const mark = event.target.closest("[data-price]");
      if (mark) pick(Number(mark.dataset.price));
    };
  }
  document.addEventListener("keydown", (event) => {
    if (event.target.closest("input, select, button, textarea, summary")) return;
    if (event.key === "ArrowRight") go(beat + 1);
    else if (event.key === "ArrowLeft") go(beat - 1);
    else if (event.key === " ") { event.preventDefault(); play(); }
  });
  new ResizeObserver(() => picture()).observe($("prices"));
  weigh();
  go(0);
})();
