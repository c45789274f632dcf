// One run, one page. `nodes`, `edges` and `network` are pyvis's globals; the steps' text
// is already in the page. A step shows its scene: its people on seats of a small grid, its
// deeds as labelled ties. "all" shows every noun where the whole run keeps it.
(() => {
  "use strict";
  const run = JSON.parse(document.getElementById("run").textContent);
  const $ = (id) => document.getElementById(id);
  const last = run.steps.length - 1;
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const off = new Set(), also = new Set();
  let now = 0, chosen = null, line = null, focused = true;
  let active = new Set(), near = new Set(), theme = {}, lanes = null;

  // ---- small helpers ---------------------------------------------------------------
  const make = (tag, { dataset = {}, ...props } = {}, ...children) => {
    const element = Object.assign(document.createElement(tag), props);
    Object.assign(element.dataset, dataset);
    element.append(...children);
    return element;
  };
  const bdi = (text) => make("bdi", { textContent: text });
  const step = () => run.steps[now];
  const clock = () => now + run.first;
  const alive = (life, k) => life.some(([a, b]) => a <= k && (b === null || k < b));
  const gone = (life, k) => life.some(([, b]) => b === k);
  const born = (life, k) => life.some(([a]) => a === k);
  const nameOf = (id) => {
    const names = run.nodes[id].names.filter(([k]) => k <= clock());
    return (names.at(-1) || run.nodes[id].names[0])[1];
  };
  const short = (text, most) => {
    const letters = Array.from(text);
    return letters.length > most ? letters.slice(0, most - 1).join("") + "…" : text;
  };
  const looks = {};
  for (const button of document.querySelectorAll(".kind")) {
    const path = button.querySelector("path"), text = button.querySelector("text");
    looks[button.dataset.kind] = {
      path: new Path2D(path.getAttribute("d")), colour: path.getAttribute("fill"),
      letter: text.textContent, ink: text.getAttribute("fill"),
    };
  }

  // ---- the graph -------------------------------------------------------------------
  const readTheme = () => {
    const style = getComputedStyle(document.body);
    for (const name of ["ink", "soft", "rule", "card", "accent", "retire", "paper", "sans"]) {
      theme[name] = style.getPropertyValue("--" + name).trim();
    }
  };
  const mood = (id) => {
    const life = run.nodes[id].life, k = clock();
    if (gone(life, k)) return "retired";
    if (born(life, k)) return "added";
    if (step().changed.includes(id)) return "changed";
    return "";
  };
  const picked = (id) => id === chosen || also.has(id);
  // Far out, what this step touches stays legible: sizes have a floor on the screen.
  const zoom = (id) => {
    const floor = active.has(id) || picked(id) ? 0.62 : 0.36;
    return Math.max(1, floor / network.getScale());
  };
  // What is drawn: a path with a fill and an edge; text, with a halo where it crosses lines.
  const disc = (x, y, r) => {
    const path = new Path2D();
    path.arc(x, y, r, 0, 2 * Math.PI);
    return path;
  };
  const rounded = (x, y, w, h, r) => {
    const path = new Path2D();
    path.roundRect(x, y, w, h, r);
    return path;
  };
  const trace = (ctx, path, { fill, edge, width = 1, dash = [] }) => {
    Object.assign(ctx, { fillStyle: fill, strokeStyle: edge, lineWidth: width });
    ctx.setLineDash(dash);
    if (fill) ctx.fill(path);
    if (edge) ctx.stroke(path);
    ctx.setLineDash([]);
  };
  const write = (ctx, text, x, y, { font, ink, halo = 0 }) => {
    Object.assign(ctx, { font, fillStyle: ink, strokeStyle: theme.card, lineWidth: halo,
      lineJoin: "round" });
    if (halo) ctx.strokeText(text, x, y);
    ctx.fillText(text, x, y);
  };
  const font = (size, weight = 400) => `${weight} ${size}px ${theme.sans}`;
  const edgeOf = (how, plain) => ({ edge: how === "retired" ? theme.retire : theme.ink,
    width: how === "added" ? 3 : plain, dash: how === "retired" ? [4, 3] : [] });
  const sign = (ctx, how, x, y) => {
    const text = { added: "+", retired: "−" }[how];
    if (!text) return;
    trace(ctx, disc(x, y, 6.5), { fill: how === "added" ? theme.accent : theme.retire });
    write(ctx, text, x, y + 0.5, { font: "700 12px sans-serif", ink: theme.paper });
  };
  const caption = (ctx, text, y, strong) => write(ctx, text, 0, y,
    { font: font(12, strong ? 600 : 400), ink: strong ? theme.ink : theme.soft, halo: 3 });
  const pill = (ctx, text, how) => {
    ctx.font = `italic ${font(12)}`;
    const w = ctx.measureText(text).width + 18;
    if (how === "changed") trace(ctx, rounded(-w / 2 - 4, -14, w + 8, 28, 14), edgeOf(how, 1.4));
    trace(ctx, rounded(-w / 2, -10, w, 20, 10), { fill: theme.card, ...edgeOf(how, 1.4) });
    write(ctx, text, 0, 0.5, { font: `italic ${font(12)}`, ink: theme.ink });
    sign(ctx, how, w / 2, -9);
  };
  const shape = (ctx, look, how) => {
    const gone = how === "retired";
    trace(ctx, look.path, { fill: gone ? theme.card : look.colour, ...edgeOf(how, 1) });
    if (how === "changed") trace(ctx, disc(0, 0, 15), { edge: theme.ink, width: 1.6 });
    write(ctx, look.letter, 0, 0.5,
      { font: "700 11px sans-serif", ink: gone ? theme.retire : look.ink });
    sign(ctx, how, 11, -10);
  };
  // Everything at a noun or a tie is drawn around its place, at the size of the screen.
  const around = (ctx, x, y, size, draw) => {
    ctx.save();
    ctx.translate(x, y);
    ctx.scale(size, size);
    ctx.textAlign = "center";
    ctx.textBaseline = "middle";
    draw();
    ctx.restore();
  };
  // ---- the scene -------------------------------------------------------------------
  const seats = Array.from({ length: 30 }, (_, n) => [n % 6 + (n / 6 & 1) / 2, n / 6 | 0]);
  const seat = new Map(), unfolded = new Set(), boxes = new Map();
  const home = new Map(nodes.get().map(({ id, x, y }) => [id, { x, y }]));
  const tall = () => $("mynetwork").clientWidth < 520;
  // Seats spread over the frame, so far as that leaves who meets beside each other.
  const unit = { x: 150, y: 125 };
  const place = ([column, row]) => tall()
    ? { x: unit.x * row, y: unit.y * column } : { x: unit.x * column, y: unit.y * row };
  const spread = () => {
    const box = $("mynetwork"), taken = [...seat.values()];
    const wide = (of) => Math.max(...taken.map(of)) - Math.min(...taken.map(of)) || 1;
    const [across, down] = taken.length ? [wide(([c]) => c), wide(([, r]) => r)] : [1, 1];
    const [x, y] = tall() ? [down, across] : [across, down];
    unit.x = Math.max(60, Math.min(240, (box.clientWidth - room()[0]) / x));
    unit.y = Math.max(70, Math.min(tall() ? 240 : 170, (box.clientHeight - room()[1]) / y));
  };
  const room = () => [tall() ? 104 : 150, 120];
  const met = (id) => Object.entries(run.deeds).filter(([, [from, to, , , owner, life]]) =>
    (from === id || to === id || owner === id) && from !== to && alive(life, clock()));
  const sit = (id, near) => {
    if (seat.has(id)) return true;
    const taken = new Set([...seat.values()].map(String));
    const far = ([x, y]) => Math.hypot(x - near[0], y - near[1]);
    const [best] = seats.filter((one) => !taken.has(String(one)))
      .sort((a, b) => far(a) - far(b));
    if (best) seat.set(id, best);
    return Boolean(best);
  };
  // Whom somebody met before sits down too, the latest first, a few at a time.
  const unfold = (id) => {
    if (run.nodes[id].kind !== "verb phrase") sit(id, [2.75, 2]);
    const middle = seat.get(id) || [2.75, 2];
    let more = 8;
    for (const [key, [from, to]] of met(id).reverse()) {
      const fresh = [from, to].filter((end) => !seat.has(end));
      if (more < fresh.length || !fresh.every((end) => sit(end, middle))) continue;
      more -= fresh.length;
      unfolded.add(key);
    }
  };
  const enter = () => {
    seat.clear();
    unfolded.clear();
    boxes.clear();
    for (const [id, where] of Object.entries(step().seats)) seat.set(id, where);
  };
  // Ties of one pair are one line that says them all.
  const ties = () => {
    const found = new Map();
    for (const key of new Set([...step().ties, ...unfolded])) {
      const [from, to, label, kind, owner] = run.deeds[key];
      if (from === to || ![from, to].every((end) => seat.has(end) && shown(end))) continue;
      const id = `${from}>${to}`, fresh = step().ties.includes(key);
      if (!found.has(id)) found.set(id, { id, from, to, kind, fresh, said: [], owners: [] });
      const tie = found.get(id);
      if (tie.kind === "setting") tie.kind = kind;
      tie.fresh ||= fresh;
      tie.owners.push(owner);
      if (kind !== "setting" || !tie.said.length) tie.said.push(label.split("\n"));
    }
    return found;
  };
  // vis ends a line at the size a noun had before: a change of it is drawn twice.
  let drawnTies = new Map(), stale = false;
  const tieLook = (tie, all) => {
    const lit = tie.owners.some(picked) || tie.owners.includes(line);
    const quiet = ["setting", "relation"].includes(tie.kind);
    const both = all.has(`${tie.to}>${tie.from}`);
    const color = tie.kind === "merged" ? theme.retire
      : quiet || !tie.fresh ? theme.soft : theme.accent;
    return {
      id: "tie " + tie.id, from: tie.from, to: tie.to, label: " ",
      width: lit ? 4 : quiet || !tie.fresh ? 1.2 : 2.2,
      dashes: { unsure: [7, 5], setting: [2, 5], relation: [2, 5], merged: [6, 5] }[tie.kind]
        || false,
      arrows: { to: { enabled: tie.kind !== "setting", scaleFactor: 0.6 } },
      color: { color, hover: color, highlight: color, opacity: 1, inherit: false },
      smooth: both ? { enabled: true, type: "curvedCW", roundness: 0.22 } : false,
    };
  };
  const stage = () => {
    const all = focused ? ties() : new Map();
    const gone = [...drawnTies.keys()].filter((id) => !all.has(id));
    drawnTies = all;
    edges.remove(gone.map((id) => "tie " + id));
    for (const id of gone) sent.delete("tie " + id);
    send(edges, [...all.values()].map((tie) => tieLook(tie, all)));
    $("nobody").hidden = !focused || seat.size > 0;
  };
  const wrapped = (ctx, text, wide, most) => {
    const lines = [""];
    for (const word of text.split(" ")) {
      const more = lines.at(-1) ? lines.at(-1) + " " + word : word;
      if (!lines.at(-1) || ctx.measureText(more).width <= wide) lines[lines.length - 1] = more;
      else lines.push(word);
    }
    const kept = lines.slice(0, most);
    if (lines.length > most) kept[most - 1] += " …";
    return kept.map((one) => {
      let cut = Array.from(one);
      while (cut.length > 2 && ctx.measureText(cut.join("")).width > wide * 1.25) {
        cut = [...cut.slice(0, -2), "…"];
      }
      return cut.join("");
    });
  };
  const widest = (ctx, rows) => Math.max(0, ...rows.map(([text, font]) => {
    ctx.font = font;
    return ctx.measureText(text).width;
  }));
  // What it is, and what it did with nobody: [text, new].
  const badges = (id) => {
    const k = clock(), tied = step().ties.map((key) => run.deeds[key])
      .filter(([from, to]) => from === id || to === id);
    const told = (text, a) => a === k && tied.length && text.includes(" (effect)"); // by its tie
    const states = run.nodes[id].facts.filter(([field, text, a, b]) => field === "state"
      && a <= k && (b === null || k < b) && !told(text, a)).map(([, text, a]) =>
      [text.replace(" (effect)", "").split(", as ")[0], a === k]);
    const own = tied.filter(([from, to]) => from === to).map(([, , text]) => [text, true]);
    const all = [...own, ...states.filter(([, news]) => news)];
    // "seems to thicken" has said "thickens"
    const bare = (text) => " " + text.replace(/^plans (not )?to | …$/g, "$1").replace(/e?s?\b/g, "") + " ";
    const fresh = all.filter(([text], n) => !all.some(([other], m) => m !== n
      && bare(other).includes(bare(text)) && (other.length > text.length || m < n)));
    return fresh.length ? fresh.slice(0, 3) : states.slice(-1);
  };
  const chip = (ctx, lines, fresh, y) => {
    const w = widest(ctx, lines.map((text) => [text, font(11)])) + 12;
    trace(ctx, rounded(-w / 2, y - 8, w, 2 + 14 * lines.length, 8),
      { fill: fresh ? theme.ink : theme.card, edge: fresh ? theme.ink : theme.soft });
    lines.forEach((text, n) => write(ctx, text, 0, y + 14 * n + 0.5,
      { font: font(11), ink: fresh ? theme.paper : theme.soft }));
    return y + 5 + 14 * lines.length;
  };
  const wide = () => Math.max(76, Math.min(150, unit.x - 14));
  // Shape, name and badges are one box around the noun's place: ties end at its border.
  const actor = (ctx, id, x, y) => {
    const k = 1 / network.getScale(), how = mood(id), kind = run.nodes[id].kind;
    const pale = !step().seats[id] || step().before.includes(id);
    const look = pale ? { ...looks[kind], colour: theme.rule, ink: theme.soft } : looks[kind];
    ctx.font = font(12, 600);
    const names = wrapped(ctx, nameOf(id), wide(), 3);
    ctx.font = font(11);
    const chips = badges(id).map(([text, fresh]) => [wrapped(ctx, text, wide() - 12, 2), fresh]);
    const said = chips.flatMap(([lines]) => lines);
    const w = Math.max(40, widest(ctx, names.map((text) => [text, font(12, 600)])) + 6,
      widest(ctx, said.map((text) => [text, font(11)])) + 14);
    const h = 38 + 15 * names.length + 14 * said.length + 5 * chips.length;
    const own = network.body.nodes[id].shape;
    if (Math.abs(own.width - w * k) + Math.abs(own.height - h * k) > 1) stale = true;
    Object.assign(own, { width: w * k, height: h * k });
    const draw = () => around(ctx, x, y, k, () => {
      ctx.fillStyle = theme.card; // a line goes on to the middle: names stay readable
      ctx.fillRect(4 - w / 2, 4 - h / 2, w - 8, h - 8);
      const top = 18 - h / 2;
      if (picked(id)) trace(ctx, disc(0, top, 24), { fill: theme.rule });
      around(ctx, 0, top, 1.25, () => shape(ctx, look, how));
      names.forEach((text, n) => caption(ctx, text, top + 26 + 15 * n, !pale));
      chips.reduce((y, [lines, fresh]) => chip(ctx, lines, fresh, y),
        top + 29 + 15 * names.length);
    });
    boxes.set(id, { x: x - w * k / 2, y: y - h * k / 2, w: w * k, h: h * k });
    return { drawNode: draw, nodeDimensions: { width: w * k, height: h * k } };
  };
  const overlap = (a, b) =>
    Math.max(0, Math.min(a.x + a.w, b.x + b.w) - Math.max(a.x, b.x))
    * Math.max(0, Math.min(a.y + a.h, b.y + b.h) - Math.max(a.y, b.y));
  // What a tie says stands where it covers least of what else is to be read.
  const say = (ctx, tie, taken) => {
    const k = 1 / network.getScale(), edge = network.body.edges["tie " + tie.id];
    if (!edge) return;
    const most = tall() ? 92 : 130, lines = [], loud = font(12, 600), quiet = font(11);
    for (const [verb, ...marks] of tie.said.slice(0, 3)) {
      ctx.font = loud;
      for (const text of wrapped(ctx, verb, most, 2)) lines.push([text, loud]);
      for (const text of marks) lines.push([short(text, most / 5), quiet]);
    }
    if (tie.said.length > 3) lines.push([`and ${tie.said.length - 3} more`, quiet]);
    const w = widest(ctx, lines), h = lines.length * 14;
    const left = network.DOMtoCanvas({ x: 4, y: 0 }).x;
    const end = network.DOMtoCanvas({ x: $("mynetwork").clientWidth - 4, y: 0 }).x;
    const asides = [[0, 0], [0, -h / 2 - 2], [0, h / 2 + 2], [-w / 2 - 4, 0], [w / 2 + 4, 0]];
    const spots = [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74].flatMap((t) => {
      const { x, y } = edge.edgeType.getPoint(t);
      return asides.map(([right, down]) => ({
        x: Math.max(left, Math.min(x + (right - w / 2) * k, end - w * k)),
        y: y + (down - h / 2) * k, w: w * k, h: h * k,
        cost: Math.abs(t - 0.5) * 60 + (right || down ? 25 : 0) }));
    });
    for (const spot of spots) {
      for (const box of taken) spot.cost += overlap(spot, box) / (k * k);
    }
    const [best] = spots.sort((a, b) => a.cost - b.cost);
    taken.push(best);
    around(ctx, best.x + best.w / 2, best.y, k, () => lines.forEach(([text, font], n) =>
      write(ctx, text, 0, 14 * n + 7, { font, halo: 4,
        ink: tie.fresh && font === loud ? theme.ink : theme.soft })));
  };
  network.on("afterDrawing", (ctx) => {
    if (!focused) return;
    const taken = [...boxes].filter(([id]) => seat.has(id) && shown(id)).map(([, box]) => box);
    for (const tie of drawnTies.values()) say(ctx, tie, taken);
    if (stale) requestAnimationFrame(() => network.redraw());
    stale = false;
  });
  const paint = ({ ctx, id, x, y }) => {
    if (focused && seat.has(id)) return actor(ctx, id, x, y);
    const kind = run.nodes[id].kind, how = mood(id), size = zoom(id);
    const strong = active.has(id) || picked(id) || near.has(id);
    const draw = () => around(ctx, x, y, size, () => {
      ctx.globalAlpha = strong || !(active.size || chosen) ? 1 : 0.6;
      if (picked(id)) trace(ctx, disc(0, 0, 22), { fill: theme.rule });
      const name = short(nameOf(id), 26);
      if (kind === "verb phrase") pill(ctx, name, how);
      else shape(ctx, looks[kind], how);
      if (kind !== "verb phrase" && (strong || network.getScale() > 0.55)) {
        caption(ctx, name, 22, strong);
      }
    });
    return { drawNode: draw, nodeDimensions: { width: 30 * size, height: 30 * size } };
  };
  const shown = (id) => {
    const node = run.nodes[id], k = clock();
    if (off.has(node.kind) || !(alive(node.life, k) || gone(node.life, k))) return false;
    return !focused || seat.has(id);
  };
  const edgeLook = (id, edge) => {
    const k = clock(), added = born(edge.life, k), retired = gone(edge.life, k);
    const touched = id === line || (chosen && (edge.from === chosen || edge.to === chosen));
    const said = touched || (added && step().added.length < 25);
    const prefix = added ? "+ " : retired ? "− " : "";
    return {
      id, hidden: false,
      width: id === line ? 5 : added ? 3 : touched ? 2 : 1,
      dashes: retired ? [6, 5] : edge.kind === "relation" ? [2, 4] : false,
      label: said || retired ? prefix + edge.label : " ",
      color: { color: retired ? theme.retire : added ? theme.accent : theme.soft,
        opacity: added || touched || retired ? 1 : 0.45, inherit: false },
      font: { size: Math.min(Math.max(10, 8 / network.getScale()), 20), color: theme.ink, strokeWidth: 3, strokeColor: theme.card },
    };
  };
  // Only what is different is sent: a book has thousands of nouns, a step a handful.
  const sent = new Map();
  const send = (set, items) => {
    const news = items.filter((item) => {
      const text = JSON.stringify(item), old = sent.get(item.id);
      sent.set(item.id, text);
      return text !== old;
    });
    if (news.length) set.update(news);
  };
  const linesOf = (id) => Object.values(run.edges).filter(({ from, to, life }) =>
    (from === id || to === id) && alive(life, clock()));
  const ends = (id) => id ? [run.edges[id].from, run.edges[id].to] : [];
  const repaint = () => {
    spread();
    lanes?.show(clock(), [...also, ...(chosen ? [chosen] : [])]);
    const { added, changed, retired, touched } = step();
    active = new Set([...added, ...changed, ...retired, ...touched]);
    near = new Set(chosen ? linesOf(chosen).flatMap(({ from, to }) => [from, to]) : ends(line));
    const there = new Set(Object.keys(run.nodes).filter(shown));
    send(nodes, Object.keys(run.nodes).map((id) => there.has(id)
      ? { id, hidden: false, ...(focused ? place(seat.get(id)) : home.get(id)) }
      : { id, hidden: true }));
    stage();
    send(edges, Object.entries(run.edges).map(([id, edge]) => {
      const seen = !focused && there.has(edge.from) && there.has(edge.to)
        && (alive(edge.life, clock()) || gone(edge.life, clock()));
      return seen ? edgeLook(id, edge) : { id, hidden: true };
    }));
    network.redraw();
  };
  // Our own fit: vis knows no size of a noun that it has not drawn yet.
  const frame = (spots) => {
    const box = $("mynetwork"), [wide, high] = focused ? room() : [170, 110];
    const [left, right, top, bottom] = [["x", Math.min], ["x", Math.max], ["y", Math.min],
      ["y", Math.max]].map(([axis, end]) => end(...spots.map((spot) => spot[axis])));
    const fits = [(box.clientWidth - wide) / (right - left || 1),
      (box.clientHeight - high) / (bottom - top || 1)];
    const scale = Math.max(0.01, Math.min(focused ? 1 : 1.3, ...fits));
    return { scale, position: { x: (left + right) / 2, y: (top + bottom) / 2 + 8 } };
  };
  // A scene is always whole in the frame; all of a run stands still.
  const fit = (glide = !still) => {
    const there = focused ? [...seat.keys()].filter(shown) : Object.keys(run.nodes);
    const spots = there.map((id) => focused ? place(seat.get(id)) : home.get(id));
    if (spots.length) network.moveTo({ ...frame(spots), animation: glide && { duration: 300 } });
    // vis leaves out what stood outside until now, and learns where it is by the next
    if (!glide) setTimeout(() => network.redraw(), 60);
  };

  // ---- the details -----------------------------------------------------------------
  const cite = ([k, sentence]) => {
    const place = run.steps[k - run.first];
    return make("button", { type: "button", className: "cite", disabled: !place,
      textContent: place ? place.label.split(" of ")[0] : "earlier",
      onclick: () => { go(k - run.first); light(`s${k}-${sentence}`); } });
  };
  const quote = (place) => {
    const sentence = $(`s${place[0]}-${place[1]}`);
    return make("blockquote", {}, bdi(sentence ? sentence.textContent.trim() : "…"),
      " ", cite(place));
  };
  const factLine = ([, text, first, end, cites, why]) => {
    const k = clock(), lost = end === k, fresh = first === k;
    const word = make(lost ? "del" : fresh ? "ins" : "span", {}, bdi(text));
    const line = make("div", {}, lost ? "− " : fresh ? "+ " : "", word, " ");
    if (why) line.append(make("small", { textContent: `(${why}) ` }));
    line.append(...cites.filter(([s]) => s <= k).slice(-3).map(cite));
    return line;
  };
  const factList = (facts) => {
    const rows = new Map();
    for (const fact of facts) {
      if (!rows.has(fact[0])) rows.set(fact[0], make("dd"));
      rows.get(fact[0]).append(factLine(fact));
    }
    return make("dl", {}, ...[...rows].flatMap(([field, lines]) =>
      [make("dt", { textContent: field }), lines]));
  };
  const nounButton = (id) => {
    const kind = run.nodes[id].kind, badge = make("span", { ariaHidden: true,
      className: "badge b-" + kind.replace(" ", "-"), textContent: looks[kind].letter });
    return make("button", { type: "button", className: "noun", dataset: { node: id } },
      badge, bdi(nameOf(id)));
  };
  const tied = (id) => {
    const found = linesOf(id);
    const items = found.map(({ from, to, label }) => from === id
      ? make("li", {}, `${label} → `, nounButton(to))
      : make("li", {}, `← ${label} of `, nounButton(from)));
    return folded(`Tied to ${found.length}`, items, found.length < 9);
  };
  const cards = (id) => {
    const found = [...document.querySelectorAll(`.step .card[data-ids="${CSS.escape(id)}"]`)]
      .filter((card) => Number(card.closest(".step").dataset.step) <= clock());
    return folded(`Decisions about it: ${found.length}`, found.map((card) => card.cloneNode(true)));
  };
  const folded = (title, items, open = true, tag = "ul") => items.length ? make("details",
    { open }, make("summary", { textContent: title }), make(tag, {}, ...items)) : "";
  const headed = (title, life, ...said) => {
    const k = clock(), state = alive(life, k) ? "" : gone(life, k)
      ? "retired in this step" : "not there at this step";
    return [make("h3", {}, bdi(title)), make("p", { className: "quiet",
      textContent: [...said, state].filter(Boolean).join(" · ") })];
  };
  const details = () => {
    if (line) {
      const { from, to, label, life } = run.edges[line];
      $("details").replaceChildren(...headed(label, life, "a line"),
        make("p", {}, nounButton(from), " ", bdi(label), " → ", nounButton(to)));
    }
    if (!chosen) return;
    const node = run.nodes[chosen], k = clock();
    const held = node.facts.filter(([, , a, b]) => a <= k && (b === null || k <= b));
    const mentions = held.filter(([field]) => field === "mention");
    const places = [...new Set(mentions.flatMap((m) => m[4])
      .filter(([s]) => s <= k).map(String))].map((s) => s.split(",").map(Number));
    const many = places.length, latest = many > 12 ? ", the latest 12" : "";
    $("details").replaceChildren(...headed(nameOf(chosen), node.life, node.kind, chosen),
      factList(held.filter(([field]) => field !== "mention" && field !== "kind")),
      tied(chosen), cards(chosen),
      folded(`Mentioned in ${many} sentence${many > 1 ? "s" : ""}${latest}`,
        places.slice(-12).map(quote), true, "div"));
  };

  // ---- what is lit, where we are ---------------------------------------------------
  const light = (sentences, asked) => {
    const wanted = new Set(asked ? [asked] : chosen ? [chosen, ...also] : ends(line));
    for (const [anchor, face] of Object.entries(run.faces)) {
      if (wanted.has(face)) wanted.add(anchor);
    }
    for (const { dataset } of document.querySelectorAll("[data-lit]")) delete dataset.lit;
    for (const mark of document.querySelectorAll(".step[data-now] mark[data-ids]")) {
      if (mark.dataset.ids.split(" ").some((id) => wanted.has(id))) mark.dataset.lit = "";
    }
    for (const sentence of [sentences].flat()) if ($(sentence)) $(sentence).dataset.lit = "";
  };
  const hint = $("details").firstElementChild;
  const missing = (noun) => make("p", { className: "quiet",
    textContent: `${noun} is not drawn on this page. ${run.limit}` });
  const drawn = (noun) => run.faces[noun] || noun;
  const select = (nouns, lines) => {
    const known = nouns.map(drawn).filter((id) => Object.hasOwn(run.nodes, id));
    chosen = known.pop() ?? null;
    line = lines.findLast((id) => Object.hasOwn(run.edges, id)) ?? null;
    also.clear();
    for (const id of known) if (id !== chosen) also.add(id);
    const lost = nouns.length && !chosen;
    if (lost) $("details").replaceChildren(missing(nouns[0]));
    else if (!chosen && !line) $("details").replaceChildren(hint);
    repaint();
    details();
    light();
    tell();
  };
  const choose = (noun, more) => {
    const id = drawn(noun);
    if (!run.nodes[id]) return;
    if (focused) unfold(id);
    select(more && chosen ? [...also, chosen, noun] : [noun], []);
    if (focused) fit();
  };
  // A step that has no scene on this page still has its text, and a command.
  const visit = (noun, k) => {
    if (k >= run.first) {
      if (k !== clock()) go(k - run.first);
      if (noun || chosen || line) select(noun ? [noun] : [], []);
      return;
    }
    $("details").replaceChildren(make("h3", { textContent: `Step ${k + 1}` }),
      make("blockquote", {}, bdi(run.texts[k])), make("p", { className: "quiet",
        textContent: `Its scene: python -m gswlab step RUN ${k + 1} --out step.html` }));
    lanes.show(k, noun ? [noun] : []);
  };
  const go = (to) => {
    now = Math.min(Math.max(to, 0), last);
    $("time").value = now;
    $("time").ariaValueText = step().label;
    $("line").textContent = step().line;
    const text = document.querySelector(`.step[data-step="${clock()}"] .text`);
    $("said").textContent = text ? text.textContent : "";
    for (const article of document.querySelectorAll(".step")) {
      article.toggleAttribute("data-now", Number(article.dataset.step) === clock());
    }
    $("back").disabled = now === 0;
    $("next").disabled = now === last;
    enter();
    repaint();
    if (focused) fit();
    point();
    details();
    light();
    tell();
  };
  // The strip of the gauge, where the run has one, follows the slider.
  const point = () => {
    const beat = $("beat");
    if (!beat) return;
    const { edge, wide, last: beats } = beat.parentNode.dataset;
    const x = Number(edge) + ((Number(wide) - 2 * Number(edge)) * now) / Number(beats);
    beat.setAttribute("x1", x);
    beat.setAttribute("x2", x);
  };
  const fold = (text) => text.normalize("NFKC").toLowerCase();
  const cast = () => {
    const wanted = fold($("search").value.trim());
    lanes?.filter(([, name, kind]) => !off.has(kind) && fold(name).includes(wanted));
    return wanted;
  };
  const search = () => {
    const wanted = cast();
    const found = !wanted ? [] : Object.keys(run.nodes).filter((id) =>
      run.nodes[id].names.some(([, name]) => fold(name).includes(wanted))
      || run.nodes[id].facts.some((f) => f[0] === "also called"
        && fold(f[1]).includes(wanted)));
    const rank = (id) => active.has(id) * 2 + alive(run.nodes[id].life, clock());
    found.sort((a, b) => rank(b) - rank(a));
    $("found").hidden = !wanted;
    $("found").replaceChildren(...found.slice(0, 12).map((id) =>
      make("li", {}, nounButton(id))));
    if (wanted && !found.length) {
      $("found").append(make("li", { className: "quiet", textContent: "No such name." }));
    }
  };
  const pick = (noun) => {
    const id = drawn(noun), node = run.nodes[id];
    $("found").hidden = true;
    if (!node) $("details").replaceChildren(missing(noun));
    else if (!alive(node.life, clock()) && !gone(node.life, clock())) {
      go(Math.max(node.life[0][0] - run.first, 0));
    }
    if (node) choose(id);
  };

  // ---- a panel around the page -----------------------------------------------------
  // A page in a frame speaks after it was greeted, to what it is framed by, and says no
  // more than which step is shown and which ids are selected.
  let greeted = false, heard = "";
  const state = () => ({ step: clock(), nouns: [...also, ...(chosen ? [chosen] : [])],
    lines: line ? [line] : [] });
  const tell = () => {
    if (!greeted || JSON.stringify(state()) === heard) return;
    heard = JSON.stringify(state());
    parent.postMessage({ gswlab: "page", still, ...state() }, "*");
  };
  const strings = (value) =>
    Array.isArray(value) && value.every((one) => typeof one === "string");
  const listen = ({ source, data }) => {
    if (source !== parent || parent === window || data?.gswlab !== "panel") return;
    const { step: to, nouns, lines } = data;
    if (!Number.isInteger(to) || !strings(nouns) || !strings(lines)) return;
    greeted = false;
    document.body.classList.add("framed");
    const there = to >= run.first && to <= run.first + last;
    if (there && to !== clock()) go(to - run.first);
    const mine = state();
    if (JSON.stringify([nouns.map(drawn), lines])
      !== JSON.stringify([mine.nouns, mine.lines])) select(nouns, lines);
    greeted = true;
    heard = JSON.stringify(state());
    parent.postMessage({ gswlab: "page", still, step: to, nouns, lines }, "*");
  };

  // ---- wiring ----------------------------------------------------------------------
  if (last < 0) {
    $("line").textContent = "This run has no step yet.";
    return;
  }
  document.body.classList.add("js");
  readTheme();
  $("book").hidden = !run.book?.cast.length;
  if (!$("book").hidden) lanes = storyline(run.book, { $, make, bdi, theme, still, pick: visit });
  nodes.update(Object.keys(run.nodes).map((id) =>
    ({ id, shape: "custom", ctxRenderer: paint })));
  $("time").oninput = (event) => go(Number(event.target.value));
  $("back").onclick = () => go(now - 1);
  $("next").onclick = () => go(now + 1);
  $("fit").onclick = () => fit();
  for (const name of ["focus", "all"]) {
    $(name).onclick = () => {
      focused = name === "focus";
      $("focus").ariaPressed = focused;
      $("all").ariaPressed = !focused;
      repaint();
      fit();
    };
  }
  $("search").oninput = search;
  $("search").onkeydown = (event) => {
    const first = $("found").querySelector("button");
    if (event.key === "Enter" && first) pick(first.dataset.node);
    if (event.key === "Escape") $("found").hidden = true;
  };
  for (const button of document.querySelectorAll(".kind")) {
    button.onclick = () => {
      const kind = button.dataset.kind;
      if (!off.delete(kind)) off.add(kind);
      button.ariaPressed = !off.has(kind);
      cast();
      repaint();
    };
  }
  // An answer: to the step that read its text, its sentences and who it is lit.
  for (const button of document.querySelectorAll(".ask")) {
    button.onclick = () => {
      const cites = button.dataset.cites.split(" "), names = button.dataset.nouns.split(" ");
      const at = cites.map((one) => Number(one.slice(1).split("-")[0]) - run.first);
      go(at.includes(now) ? now : at[0]);
      select(names.filter((id) => seat.has(drawn(id))), []);
      light(cites);
    };
  }
  document.addEventListener("click", (event) => {
    const target = event.target.closest("[data-node], mark[data-ids]");
    if (!target) return;
    if (target.dataset.node) pick(target.dataset.node);
    else choose(target.dataset.ids.split(" ").find((id) => run.nodes[drawn(id)]));
  });
  // A name under the pointer or the keyboard's focus lights its words in the text.
  for (const kind of ["mouseover", "focusin", "mouseout", "focusout"]) {
    document.addEventListener(kind, (event) => {
      const noun = event.target.closest(".reading [data-node]");
      if (noun) light(null, kind.endsWith("r") || kind.endsWith("n") ? noun.dataset.node : null);
    });
  }
  document.addEventListener("keydown", (event) => {
    const mark = event.target.closest("mark[data-ids]");
    if (mark && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      mark.click();
    }
    if (event.target.closest("input, select, textarea")) return;
    if (event.key === "Escape") { enter(); select([], []); fit(); }
    if (event.key === "ArrowRight") go(now + 1);
    else if (event.key === "ArrowLeft") go(now - 1);
  });
  for (const mark of document.querySelectorAll("mark[data-ids][class*='k-']")) {
    Object.assign(mark, { tabIndex: 0, role: "button" });
  }
  network.on("click", ({ nodes: [id], edges: [edge], event }) => {
    const { ctrlKey, metaKey, shiftKey } = event.srcEvent || {};
    const tie = drawnTies.get(String(edge).slice(4));
    if (id) choose(id, ctrlKey || metaKey || shiftKey);
    else if (tie) select(tie.owners.filter((one) => run.nodes[one]), []);
    else if (edge) select([], [edge]);
  });
  addEventListener("message", listen);
  dark.addEventListener("change", () => { readTheme(); repaint(); });
  go(run.start || 0);
  fit(false);
  // A page that nobody sees yet has no room to draw in: it is fitted once it has.
  new ResizeObserver((_, waiting) => {
    if (!$("mynetwork").clientWidth) return;
    waiting.disconnect();
    fit(false);
  }).observe($("mynetwork"));
})();
