// Prices over time, their terms, and the plane of cost against gain, as SVG.
const charts = (() => {
  "use strict";
  const { draw } = scenes, EDGE = { left: 40, right: 12, top: 10, bottom: 20 };
  const SHAPES = {
    integrate: (x, y, r) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`,
    "explore on": (x, y, r) => `M${x} ${y - r * 1.2}l${r * 1.15} ${r * 2.1}h${-2.3 * r}z`,
    redundant: (x, y, r) => `M${x - r} ${y - r}h${2 * r}v${2 * r}h${-2 * r}z`,
  };
  const named = (kind) => kind.split(" ")[0];
  const nice = (low, high) => {
    const span = high - low || 1, power = 10 ** Math.floor(Math.log10(span / 4));
    const unit = [1, 2, 5, 10].map((n) => n * power).find((n) => span / n <= 5) || power;
    const ticks = [];
    for (let n = Math.ceil(low / unit); n * unit <= high + 1e-9; n += 1) ticks.push(n * unit);
    return ticks;
  };
  const scale = (low, high, from, to) => (value) =>
    from + (high === low ? 0.5 : (value - low) / (high - low)) * (to - from);
  const range = (values) => {
    const low = Math.min(0, ...values), high = Math.max(0.1, ...values);
    const room = (high - low) * 0.07;
    return [low - room, high + room];
  };
  const label = (text, props) => {
    const element = draw("text", props);
    element.textContent = text;
    return element;
  };
  // Axes of a chart of what size the page gives it; y has ticks, x is left to the caller.
  const frame = (svg, [low, high]) => {
    const width = svg.clientWidth || 640, height = svg.clientHeight || 210;
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const y = scale(low, high, height - EDGE.bottom, EDGE.top), axis = draw("g");
    for (const tick of nice(low, high)) {
      axis.append(draw("line", { class: "axis", x1: EDGE.left, x2: width - EDGE.right,
        y1: y(tick), y2: y(tick) }), label(String(Number(tick.toFixed(4))),
      { x: EDGE.left - 5, y: y(tick) + 4, "text-anchor": "end" }));
    }
    svg.replaceChildren(axis);
    return { width, height, y };
  };
  const across = (count, width) => scale(0, Math.max(count - 1, 1), EDGE.left + 6, width - EDGE.right - 6);
  const under = (svg, prices, x, height) => {
    const marks = nice(0, Math.max(prices.length - 1, 1)).filter(Number.isInteger);
    for (const n of marks.filter((mark) => prices[mark])) {
      svg.append(label(String(prices[n].beat), { x: x(n), y: height - 5, "text-anchor": "middle" }));
    }
  };
  const curve = (name, values, x, y) => draw("path", { class: `curve ${name}`,
    d: values.map((value, n) => `${n ? "L" : "M"}${x(n)} ${y(value)}`).join("") });
  // A threshold may change from price to price: it is drawn as steps.
  const threshold = (values, x, y) => draw("path", { class: "threshold", d: values.map((value, n) =>
    value === null ? "" : `M${x(n - 0.5)} ${y(value)}H${x(n + 0.5)}`).join("") });

  const timeline = (svg, now, { chosen, brush }) => {
    const finite = now.flatMap((p) => [p.g0, p.best, p.ag, p.dg]).filter((v) => v !== null);
    const { width, height, y } = frame(svg, range(finite)), x = across(now.length, width);
    if (brush) {
      const [a, b] = brush, wide = Math.max(x(b + 0.5) - x(a - 0.5), 4);
      svg.append(draw("rect", { class: "brush", x: x(a - 0.5), width: wide, y: 0, height }));
    }
    svg.append(threshold(now.map((p) => p.ag), x, y), threshold(now.map((p) => p.dg), x, y),
      curve("g0", now.map((p) => p.g0), x, y), curve("gmin", now.map((p) => p.best), x, y));
    now.forEach((p, n) => {
      const size = now.length > 150 ? 2.6 : 4;
      if (p.acts.ag) svg.append(draw("path", { class: "case explore", d: SHAPES["explore on"](x(n), y(p.g0), size) }));
      if (p.acts.dg) svg.append(draw("path", { class: "case integrate", d: SHAPES.integrate(x(n), y(p.best), size) }));
    });
    const end = now.at(-1);
    if (end) {
      for (const [text, at, dy] of [["θAG", end.ag, -4], ["θDG", end.dg, 12]]) {
        if (at !== null) svg.append(label(text, { x: width - EDGE.right, y: y(at) + dy, "text-anchor": "end" }));
      }
    }
    if (chosen !== null) svg.append(draw("line", { class: "here", x1: x(chosen), x2: x(chosen), y1: 4, y2: height - 16 }));
    under(svg, now, x, height);
    return (at) => Math.min(Math.max(Math.round((at - x(0)) / (x(1) - x(0))), 0), now.length - 1);
  };

  const terms = (svg, now, prices, { chosen }) => {
    const at = now.map((p, n) => prices[n].terms[p.hop]);
    const { width, height, y } = frame(svg, range(at.flat())), x = across(now.length, width);
    ["cost", "gain", "shorter"].forEach((name, n) =>
      svg.append(curve(name, at.map((term) => term[n]), x, y)));
    if (chosen !== null) svg.append(draw("line", { class: "here", x1: x(chosen), x2: x(chosen), y1: 4, y2: height - 16 }));
    under(svg, now, x, height);
  };

  const plane = (svg, now, prices, { chosen, brush }) => {
    const spots = now.map((p, n) => [p.hop, 0].map((hop) => {
      const [cost, gain, shorter] = prices[n].terms[hop];
      return [gain + prices[n].gamma * shorter, cost];
    }));
    const gains = spots.flat().map(([gain]) => gain), costs = spots.flat().map(([, cost]) => cost);
    const [low, high] = range(gains), [least, most] = range(costs);
    const { width, height, y } = frame(svg, [least, most]);
    const x = scale(low, high, EDGE.left, width - EDGE.right);
    const one = now[chosen ?? 0];
    if (one) {
      const line = (f) => [[low, f + one.lam * low], [high, f + one.lam * high]];
      const area = (upper, lower, name) => {
        const [a, b] = upper, [d, c] = lower, inside = (v) => Math.min(Math.max(v, least - 9), most + 9);
        svg.append(draw("path", { class: `zone ${name}`, "clip-path": "url(#room)",
          d: `M${x(a[0])} ${y(inside(a[1]))}L${x(b[0])} ${y(inside(b[1]))}L${x(c[0])} ${y(inside(c[1]))}L${x(d[0])} ${y(inside(d[1]))}z` }));
      };
      svg.append(draw("clipPath", { id: "room" }, draw("rect", { x: EDGE.left, y: EDGE.top,
        width: width - EDGE.left - EDGE.right, height: height - EDGE.top - EDGE.bottom })));
      const roof = [[low, most + 9], [high, most + 9]], ground = [[low, least - 9], [high, least - 9]];
      const dg = one.dg ?? least - 9, ag = Math.max(one.ag ?? most + 9, dg);
      area(line(dg), ground, "integrate");
      area(line(ag), line(dg), "redundant");
      area(roof, line(ag), "explore");
      const levels = [...new Set([one.dg, 0, one.ag, ...nice(-1, 1)])].filter((f) => f !== null);
      for (const f of levels) {
        const [[ax, ay], [bx, by]] = line(f), strong = f === one.dg || f === one.ag;
        svg.append(draw("line", { class: strong ? "threshold" : "level", "clip-path": "url(#room)",
          x1: x(ax), y1: y(ay), x2: x(bx), y2: y(by) }));
        if (by > least && by < most) {
          const name = f === one.ag ? "F = θAG" : f === one.dg ? "F = θDG" : f === 0 ? "F = 0" : "";
          if (name) svg.append(label(name, { x: x(high) - 3, y: y(by) - 3, "text-anchor": "end" }));
        }
      }
    }
    const inside = (n) => !brush || (n >= brush[0] && n <= brush[1]);
    const order = now.map((_, n) => n).sort((a, b) => (a === chosen) - (b === chosen));
    for (const n of order) {
      const [[gain, cost], [gain0, cost0]] = spots[n];
      if (n === chosen && now[n].hop) {
        svg.append(draw("path", { class: "tie", d: `M${x(gain0)} ${y(cost0)}L${x(gain)} ${y(cost)}` }),
          draw("circle", { class: "tie", cx: x(gain0), cy: y(cost0), r: 4 }));
      }
      const name = `case ${named(now[n].kind)}${inside(n) ? "" : " dim"}${n === chosen ? " chosen" : ""}`;
      svg.append(draw("path", { class: name, "data-price": n,
        d: SHAPES[now[n].kind](x(gain), y(cost), n === chosen ? 6 : 4) }));
    }
    const names = nice(low, high);
    for (const tick of names) svg.append(label(String(Number(tick.toFixed(4))), { x: x(tick), y: height - 5, "text-anchor": "middle" }));
    svg.append(label("cost ↑", { x: 4, y: 12 }), label("gain + γ shorter →", { x: width - EDGE.right, y: height - 24, "text-anchor": "end" }));
  };
  return { timeline, terms, plane, SHAPES };
})();
