// The lanes of a book on a canvas: its cast down the side, chapters or days across. Only
// what is in sight is drawn, so a lane more, or a thousand, costs a frame nothing.
const storyline = (book, { $, make, bdi, theme, still, pick }) => {
  const ROW = 24, TOP = 22, TOUCH = 10, COLOURS = ["#0072b2", "#e69f00", "#009e73",
    "#cc79a7", "#56b4e9", "#d55e00", "#b8a800"], ELSEWHERE = "#8a8a90";
  const lanes = $("lanes"), plot = $("plot"), tall = $("tall"), list = $("cast");
  const ctx = plot.getContext("2d");
  const { columns, places, cast, meets } = book;
  const total = Math.max(1, ...cast.map(([, , , steps]) => steps.at(-1) + 1),
    columns.length ? columns.at(-1)[3] + 1 : 1);
  const ends = columns.map((_, n) => columns[n + 1]?.[3] ?? total);
  const column = (k) => {
    let low = 0, high = columns.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (columns[middle][3] <= k) low = middle; else high = middle - 1;
    }
    return low;
  };
  let rows = cast.map((_, n) => n), now = 0, chosen = new Set(), waiting = false, byDay = false;
  let starts = [], sorted = [], left = 0, scale = 1, drawnRows = "", spots = [];

  // ---- where is what ---------------------------------------------------------------
  const order = () => {
    sorted = columns.map((_, n) => n);
    let day = "";
    const days = columns.map(([, one]) => (day = one ?? day));
    if (byDay) sorted.sort((a, b) => days[a] < days[b] ? -1 : days[a] > days[b] ? 1 : a - b);
    let at = 0;
    for (const n of sorted) {
      starts[n] = at;
      at += ends[n] - columns[n][3];
    }
  };
  const spot = (k) => { const n = column(k); return starts[n] + k - columns[n][3]; };
  const across = (at) => (at - left) * scale;
  const size = () => [plot.clientWidth, plot.clientHeight];
  const whole = () => { left = 0; scale = size()[0] / total; };
  const keep = () => {
    const [wide] = size();
    scale = Math.max(wide / total, Math.min(scale, 90));
    left = Math.max(0, Math.min(left, total - wide / scale));
  };
  const home = (row) => TOP + row * ROW + ROW / 2 - lanes.scrollTop;
  // A lane's presences, a piece a column, by where the piece begins.
  const pieces = new Map();
  const parts = (lane) => {
    if (!pieces.has(lane)) {
      const found = new Map();
      for (const k of cast[lane][3]) {
        const n = column(k);
        if (!found.has(n)) found.set(n, []);
        found.get(n).push(spot(k));
      }
      pieces.set(lane, [...found].sort((a, b) => a[1][0] - b[1][0]));
    }
    return pieces.get(lane);
  };
  const colour = (n) => {
    const place = columns[n][2];
    return place === null ? ELSEWHERE : COLOURS[place] ?? ELSEWHERE;
  };

  // ---- drawing ---------------------------------------------------------------------
  // Who meets in a column touches: their pieces move together, the others give way.
  const bent = (n, there) => {
    const group = new Map(there.map(([lane]) => [lane, lane]));
    const root = (lane) => { while (group.get(lane) !== lane) lane = group.get(lane); return lane; };
    for (let k = columns[n][3]; k < ends[n]; k++) {
      for (const [a, b] of meets[k] || []) {
        if (group.has(a) && group.has(b)) group.set(root(a), root(b));
      }
    }
    const bundles = new Map();
    for (const [lane, y] of there) {
      const to = root(lane);
      if (!bundles.has(to)) bundles.set(to, []);
      bundles.get(to).push([lane, y]);
    }
    const places = new Map();
    let floor = -Infinity;
    // the rows are ranked: the others come to the first of them
    for (const bundle of bundles.values()) {
      let y = Math.max(bundle[0][1], floor);
      for (const [lane] of bundle) { places.set(lane, y); y += TOUCH; }
      floor = y + 4;
    }
    return places;
  };
  const inSight = () => {
    const [, high] = size(), from = Math.max(0, Math.floor((lanes.scrollTop - TOP) / ROW) - 1);
    return rows.slice(from, from + Math.ceil(high / ROW) + 3).map((lane, n) => [lane, from + n]);
  };
  const axis = (wide) => {
    ctx.fillStyle = theme.card;
    ctx.fillRect(0, 0, wide, TOP);
    ctx.font = `11px ${theme.sans}`;
    ctx.textBaseline = "middle";
    ctx.textAlign = "left";
    let free = -Infinity;
    for (const n of sorted) {
      const x = across(starts[n]), room = (ends[n] - columns[n][3]) * scale;
      if (x + room < 0 || x > wide) continue;
      const [label, day] = columns[n], said = byDay ? day || "–" : label;
      if (x < free) continue;
      ctx.fillStyle = theme.rule;
      ctx.fillRect(x, TOP - 6, 1, 6);
      ctx.fillStyle = theme.soft;
      ctx.fillText(said, x + 3, TOP / 2);
      free = x + ctx.measureText(said).width + 14;
    }
  };
  const band = (x, y, w, fill, lit) => {
    ctx.fillStyle = fill;
    if (w < 4) { ctx.fillRect(x, y - 4.5, Math.max(w, 1), 9); return; }
    ctx.beginPath();
    ctx.roundRect(x, y - 4.5, w, 9, 4);
    ctx.fill();
    if (!lit) return;
    ctx.strokeStyle = theme.ink;
    ctx.lineWidth = 2;
    ctx.stroke();
  };
  const draw = () => {
    waiting = false;
    const [wide, high] = size();
    if (!wide || !cast.length) return;
    keep();
    const dpr = devicePixelRatio || 1;
    if (plot.width !== Math.round(wide * dpr)) plot.width = Math.round(wide * dpr);
    if (plot.height !== Math.round(high * dpr)) plot.height = Math.round(high * dpr);
    ctx.setTransform(dpr, 0, 0, dpr, 0, 0);
    ctx.clearRect(0, 0, wide, high);
    const sight = inSight(), end = left + wide / scale, there = new Map();
    for (const [lane, row] of sight) {
      for (const [n, at] of parts(lane)) {
        if (at.at(-1) + 1 < left || at[0] > end) continue;
        if (!there.has(n)) there.set(n, []);
        there.get(n).push([lane, home(row)]);
      }
    }
    const ys = new Map();
    for (const [n, here] of there) {
      const roomy = (ends[n] - columns[n][3]) * scale >= 26;
      ys.set(n, roomy ? bent(n, here) : new Map(here));
    }
    spots = [];
    for (const [lane, row] of sight) {
      const base = home(row), lit = chosen.has(cast[lane][0]);
      const seen = parts(lane).filter(([n]) => ys.get(n)?.has(lane));
      ctx.beginPath();
      let x = 0, y = base;
      ctx.moveTo(x, y);
      for (const [n, at] of seen) {
        const to = ys.get(n).get(lane), x0 = across(at[0]), bend = Math.min(18, (x0 - x) / 2);
        if (bend > 0) {
          // back to its own row in between, where there is room for that
          ctx.bezierCurveTo(x + bend / 2, y, x + bend / 2, base, x + bend, base);
          ctx.lineTo(x0 - bend, base);
          ctx.bezierCurveTo(x0 - bend / 2, base, x0 - bend / 2, to, x0, to);
        } else ctx.lineTo(x0, to);
        x = across(at.at(-1) + 1);
        y = to;
        ctx.lineTo(x, y);
      }
      ctx.bezierCurveTo(x + 9, y, x + 9, base, x + 18, base);
      ctx.lineTo(wide, base);
      ctx.strokeStyle = lit ? theme.ink : theme.rule;
      ctx.lineWidth = lit ? 2 : 1;
      ctx.stroke();
      for (const [n, at] of seen) {
        const x0 = across(at[0]), x1 = across(at.at(-1) + 1), to = ys.get(n).get(lane);
        ctx.globalAlpha = chosen.size && !lit ? 0.45 : 1;
        band(x0, to, x1 - x0 - (scale > 4 ? 1.5 : 0), colour(n), lit);
        ctx.globalAlpha = 1;
        spots.push([x0, x1, to, lane, n]);
        if (scale < 6) continue;
        ctx.fillStyle = "#ffffff";
        for (const one of at) {
          ctx.beginPath();
          ctx.arc(across(one + 0.5), to, 1.8, 0, 7);
          ctx.fill();
        }
      }
    }
    for (const n of ys.keys()) {
      if (scale < 3) break;
      for (let k = columns[n][3]; k < ends[n]; k++) {
        for (const [a, b] of meets[k] || []) {
          const [ya, yb] = [ys.get(n).get(a), ys.get(n).get(b)];
          if (ya === undefined || yb === undefined) continue;
          ctx.fillStyle = theme.ink;
          ctx.fillRect(across(spot(k) + 0.5) - 1, Math.min(ya, yb), 2, Math.abs(ya - yb));
        }
      }
    }
    axis(wide);
    ctx.fillStyle = theme.accent;
    ctx.fillRect(across(spot(now)), 0, Math.max(2, Math.min(scale, 3)), high);
    label(sight);
  };
  const label = (sight) => {
    const key = `${sight.map(([lane]) => lane)} ${sight[0]?.[1]} ${[...chosen]}`;
    if (key === drawnRows) return;
    drawnRows = key;
    list.replaceChildren(...sight.map(([lane, row]) => {
      const [id, name, kind, steps] = cast[lane];
      const title = `${name}, ${kind}, in ${steps.length} steps`;
      const props = { type: "button", title, ariaPressed: chosen.has(id), dataset: { lane } };
      return make("li", { style: `top: ${TOP + row * ROW}px` },
        make("button", props, bdi(name), make("small", { textContent: steps.length })));
    }));
  };
  const redraw = () => {
    if (!waiting) requestAnimationFrame(draw);
    waiting = true;
  };

  // ---- under the hand --------------------------------------------------------------
  // Larger about the pointer, else about the step that is shown, else the middle.
  const middle = () => {
    const x = across(spot(now) + 0.5), [wide] = size();
    return x > 0 && x < wide ? x : wide / 2;
  };
  const zoom = (by, x = middle()) => {
    const at = left + x / scale;
    scale *= by;
    keep();
    left = at - x / scale;
    redraw();
  };
  const under = (event) => {
    const box = plot.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const far = ([x0, x1, to]) => Math.hypot(Math.max(x0 - x, 0, x - x1), 2 * (to - y));
    const near = spots.filter((one) => far(one) < 28).sort((a, b) => far(a) - far(b))[0];
    const at = left + x / scale, n = near ? near[4]
      : sorted.findLast((one) => starts[one] <= at) ?? 0;
    const aim = columns[n][3] + Math.max(0, at - starts[n]);
    const steps = near ? cast[near[3]][3].filter((k) => column(k) === n) : [];
    const far2 = (k) => Math.abs(k + 0.5 - aim);
    const k = steps.sort((a, b) => far2(a) - far2(b))[0]
      ?? Math.min(Math.floor(aim), ends[n] - 1);
    return { lane: near?.[3], n, k };
  };
  let held = null, calm = false;
  plot.onpointerdown = (event) => {
    held = { x: event.clientX, left, moved: false };
    plot.setPointerCapture(event.pointerId);
  };
  plot.onpointermove = (event) => {
    if (held) {
      held.moved ||= Math.abs(event.clientX - held.x) > 4;
      if (held.moved) left = held.left - (event.clientX - held.x) / scale;
      redraw();
      return;
    }
    const { lane, n, k } = under(event), [name, day, place] = columns[n];
    $("under").textContent = [lane === undefined ? "" : cast[lane][1], `step ${k + 1}`,
      ends[n] - columns[n][3] > 1 ? `chapter ${name}` : "", day, places[place]]
      .filter(Boolean).join(" · ");
  };
  plot.onpointerup = (event) => {
    const moved = held?.moved;
    held = null;
    if (moved) return;
    const { lane, k } = under(event);
    calm = true; // what is under the hand stays there
    pick(lane === undefined ? null : cast[lane][0], k);
    calm = false;
  };
  plot.onpointercancel = () => { held = null; };
  plot.addEventListener("wheel", (event) => {
    const sideways = Math.abs(event.deltaX) > Math.abs(event.deltaY);
    if (!sideways && !event.ctrlKey && !event.metaKey && !event.shiftKey) return;
    event.preventDefault();
    if (event.ctrlKey || event.metaKey) {
      zoom(Math.exp(-event.deltaY / 200), event.clientX - plot.getBoundingClientRect().left);
    } else { left += (event.deltaX || event.deltaY) / scale; redraw(); }
  }, { passive: false });
  lanes.addEventListener("scroll", redraw);
  list.onclick = ({ target }) => {
    const button = target.closest("[data-lane]");
    if (!button) return;
    const [id, , , steps] = cast[button.dataset.lane];
    pick(id, steps.includes(now) ? now : steps.find((k) => k > now) ?? steps[0]);
  };
  $("nearer").onclick = () => zoom(1.6);
  $("farther").onclick = () => zoom(1 / 1.6);
  $("whole").onclick = () => { whole(); redraw(); };
  $("days").hidden = !columns.some(([, day]) => day);
  $("days").onclick = ({ currentTarget: button }) => {
    byDay = !byDay;
    button.ariaPressed = byDay;
    order();
    pieces.clear();
    redraw();
  };
  const sized = (many) => { tall.style.height = `${TOP + Math.max(many, 1) * ROW + 6}px`; };
  const reveal = (id) => {
    const row = rows.findIndex((lane) => cast[lane][0] === id), high = lanes.clientHeight;
    const y = home(row);
    if (row >= 0 && (y < TOP + ROW / 2 || y > high - ROW / 2)) {
      lanes.scrollTo({ top: TOP + row * ROW - high / 2, behavior: still ? "auto" : "smooth" });
    }
  };
  order();
  sized(rows.length);
  places.slice(0, COLOURS.length).forEach((name, n) => {
    $("places").append(make("span", {}, make("i", { style: `background: ${COLOURS[n]}` }), name));
  });
  new ResizeObserver(() => {
    if (scale < size()[0] / total || !plot.dataset.sized) whole();
    plot.dataset.sized = "";
    redraw();
  }).observe(plot);
  return {
    redraw,
    // Where the reader is, and who is chosen; a step out of sight is brought into it.
    show: (k, ids) => {
      const fresh = ids.at(-1) && !chosen.has(ids.at(-1)), [wide] = size();
      now = k;
      chosen = new Set(ids);
      const x = across(spot(k));
      if (x < 0 || x > wide - 8) left = spot(k) - wide / scale / 2;
      if (fresh && !calm) reveal(ids.at(-1));
      redraw();
    },
    filter: (wanted) => {
      rows = cast.map((_, n) => n).filter((n) => wanted(cast[n]));
      sized(rows.length);
      redraw();
    },
  };
};
