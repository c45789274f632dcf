// Prices over time, their terms, and the plane of cost against gain, as SVG.
const charts = (() => {
  "use strict";
  const { draw, SHAPES } = scenes, EDGE = { left: 40, right: 12, top: 10, bottom: 20 };
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
  // A chart over time: what it draws, the price looked at, the steps below.
  const timed = (svg, prices, values, chosen, drawn) => {
    const { width, height, y } = frame(svg, range(values.filter((value) => value !== null)));
    const x = scale(0, Math.max(prices.length - 1, 1), EDGE.left + 6, width - EDGE.right - 6);
    svg.append(...drawn(x, y, width, height));
    if (chosen !== null) svg.append(draw("line", { class: "here", x1: x(chosen), x2: x(chosen), y1: 4, y2: height - 16 }));
    for (const n of nice(0, Math.max(prices.length - 1, 1)).filter((mark) => prices[mark])) {
      svg.append(label(String(prices[n].beat), { x: x(n), y: height - 5, "text-anchor": "middle" }));
    }
    return x;
  };
  const curve = (name, values, x, y) => draw("path", { class: `curve ${name}`,
    d: values.map((value, n) => `${n ? "L" : "M"}${x(n)} ${y(value)}`).join("") });
  // A threshold may change from price to price: it is drawn as steps.
  const threshold = (values, x, y) => draw("path", { class: "threshold", d: values.map((value, n) =>
    value === null ? "" : `M${x(n - 0.5)} ${y(value)}H${x(n + 0.5)}`).join("") });

  const timeline = (svg, now, { chosen, brush }) => {
    const size = now.length > 150 ? 2.6 : 4, end = now.at(-1);
    const brushed = ([a, b], x, height) => draw("rect", { class: "brush", x: x(a - 0.5), y: 0, height,
      width: Math.max(x(b + 0.5) - x(a - 0.5), 4) });
    const fired = (gate, kind, value, x, y) => now.flatMap((p, n) => (p.acts[gate]
      ? [draw("path", { class: `case ${named(kind)}`, d: SHAPES[kind](x(n), y(p[value]), size) })] : []));
    const x = timed(svg, now, now.flatMap((p) => [p.g0, p.best, p.ag, p.dg]), chosen, (at, y, width, height) => [
      ...(brush ? [brushed(brush, at, height)] : []),
      ...["ag", "dg"].map((gate) => threshold(now.map((p) => p[gate]), at, y)),
      curve("g0", now.map((p) => p.g0), at, y), curve("gmin", now.map((p) => p.best), at, y),
      ...fired("ag", "explore on", "g0", at, y), ...fired("dg", "integrate", "best", at, y),
      ...[["θAG", end.ag, -4], ["θDG", end.dg, 12]].filter(([, value]) => value !== null).map(([text, value, dy]) =>
        label(text, { x: width - EDGE.right, y: y(value) + dy, "text-anchor": "end" })),
    ]);
    return (at) => Math.min(Math.max(Math.round((at - x(0)) / (x(1) - x(0))), 0), now.length - 1);
  };

  const terms = (svg, now, prices, { chosen }) => {
    const at = now.map((p, n) => prices[n].terms[p.hop]);
    timed(svg, now, at.flat(), chosen, (x, y) => ["cost", "gain", "shorter"].map((name, n) =>
      curve(name, at.map((term) => term[n]), x, y)));
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
      // Where F is the same: at both ends of the plane, clipped to it.
      const line = (f) => [low, high].map((gain) => `${x(gain)} ${y(f + one.lam * gain)}`);
      const area = (upper, lower, name) => svg.append(draw("path", { class: `zone ${name}`,
        "clip-path": "url(#room)", d: `M${line(upper).join("L")}L${line(lower).reverse().join("L")}z` }));
      svg.append(draw("clipPath", { id: "room" }, draw("rect", { x: EDGE.left, y: EDGE.top,
        width: width - EDGE.left - EDGE.right, height: height - EDGE.top - EDGE.bottom })));
      const far = most - least + one.lam * (high - low), [ground, roof] = [least - far, most + far];
      const dg = one.dg ?? ground, ag = Math.max(one.ag ?? roof, dg);
      area(dg, ground, "integrate");
      area(ag, dg, "redundant");
      area(roof, ag, "explore");
      const levels = [...new Set([one.dg, 0, one.ag, ...nice(-1, 1)])].filter((f) => f !== null);
      for (const f of levels) {
        const strong = f === one.dg || f === one.ag, end = f + one.lam * high;
        svg.append(draw("path", { class: strong ? "threshold" : "level", "clip-path": "url(#room)",
          d: `M${line(f).join("L")}` }));
        const name = f === one.ag ? "F = θAG" : f === one.dg ? "F = θDG" : f === 0 ? "F = 0" : "";
        if (name && end > least && end < most) {
          svg.append(label(name, { x: x(high) - 3, y: y(end) - 3, "text-anchor": "end" }));
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
  return { timeline, terms, plane };
})();
