// What the prices are about: a maze cell by cell, or the graph that the edits make.
const scenes = (() => {
  "use strict";
  const SVG = "http://www.w3.org/2000/svg";
  const draw = (tag, props = {}, ...children) => {
    const element = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(props)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  };
  const key = (cell) => cell.join();
  const middle = ([row, col]) => `${col + 0.5} ${row + 0.5}`;
  const line = ([a, b]) => `M${middle(a)}L${middle(b)}`;
  const boxes = (cells, inset) => cells.map(([row, col]) =>
    `M${col + inset} ${row + inset}h${1 - 2 * inset}v${1 - 2 * inset}h${2 * inset - 1}z`).join("");
  // A fire has the shape it has in the charts: AG a triangle, DG a disc.
  const signs = { ag: ([row, col]) => `M${col + 0.5} ${row + 0.24}l.27.48h-.54z`,
    dg: ([row, col]) => `M${col + 0.25} ${row + 0.5}a.25.25 0 1 0 .5 0a.25.25 0 1 0-.5 0z` };
  const parsed = (texts) => [...texts].map((text) => text.split(",").map(Number));

  // A maze is replayed from its differences; every twentieth state is kept.
  const maze = (svg, run) => {
    const { size, rows, frames, start, goal } = run.scene, KEPT = 20;
    const walls = [], states = [];
    rows.forEach((row, r) => [...row].forEach((c, col) => { if (c === "#") walls.push([r, col]); }));
    const step = (state, { at, gained = [], lost = [], opened = [], closed = [], episode }) => {
      if (state.episode !== episode) { state.been = new Set(); state.episode = episode; }
      state.been.add(key(at));
      for (const edge of gained) state.edges.set(edge.map(key).join("|"), edge);
      for (const edge of lost) state.edges.delete(edge.map(key).join("|"));
      for (const cell of opened) state.open.add(key(cell));
      for (const cell of closed) state.open.delete(key(cell));
      return state;
    };
    const copy = (s) => ({ been: new Set(s.been), edges: new Map(s.edges),
      open: new Set(s.open), episode: s.episode });
    const first = { been: new Set(), edges: new Map(), open: new Set(), episode: 0 };
    frames.reduce((state, frame, k) => {
      step(state, frame);
      if (k % KEPT === 0) states.push(copy(state));
      return state;
    }, copy(first));
    const at = (k) => {
      const base = Math.floor(k / KEPT), state = copy(states[base]);
      for (let n = base * KEPT + 1; n <= k; n += 1) step(state, frames[n]);
      return state;
    };
    const part = (name, width) => draw("path", { class: name, ...(width && { "stroke-width": width }) });
    const parts = { been: part("been"), held: part("held", 0.16), fresh: part("fresh", 0.28),
      cue: part("cue", 0.11), edit: part("edit", 0.22), to: part("to", 0.09), ag: part("fire explore"),
      dg: part("fire integrate") };
    const agent = draw("g", { class: "agent" },
      draw("circle", { r: 0.36, "stroke-width": 0.08 }));
    const ends = draw("g", {},
      draw("path", { class: "goal", "stroke-width": 0.12, d: boxes([goal], 0.12) }),
      draw("path", { class: "goal", "stroke-width": 0.08,
        d: `M${start[1] + 0.2} ${start[0] + 0.8}l.3-.6l.3.6z` }));
    svg.setAttribute("viewBox", `0 0 ${size} ${size}`);
    svg.append(draw("rect", { class: "floor", width: size, height: size }), parts.been,
      draw("path", { class: "wall", d: boxes(walls, 0) }), ends, parts.held, parts.fresh,
      parts.cue, parts.edit, parts.to, parts.ag, parts.dg, agent);
    const fired = (k, prices, gate) => prices.filter((p) => p.beat <= k && p.acts[gate]
      && frames[p.beat].episode === frames[k].episode)
      .map((p) => signs[gate](frames[p.beat].at)).join("");
    const show = (k, prices, chosen) => {
      const state = at(k), frame = frames[k], d = (name, path) => parts[name].setAttribute("d", path);
      d("been", boxes(parsed(state.been), 0));
      d("held", [...state.edges.values()].map(line).join(""));
      d("fresh", (frame.gained || []).map(line).join(""));
      d("cue", boxes(parsed(state.open), 0.24));
      d("ag", fired(k, prices, "ag"));
      d("dg", fired(k, prices, "dg"));
      d("edit", chosen ? chosen.edges.map(line).join("") : "");
      parts.edit.classList.toggle("not", Boolean(chosen) && !chosen.kept);
      d("to", chosen?.more.to && frame.episode === frames[chosen.beat].episode
        ? boxes([chosen.more.to], 0.08) : "");
      agent.setAttribute("transform", `translate(${frame.at[1] + 0.5} ${frame.at[0] + 0.5})`);
    };
    const told = (k) => {
      const state = at(k), [row, col] = frames[k].at;
      return `at row ${row}, column ${col}; ${state.edges.size} edges remembered, `
        + `${state.open.size} on the frontier`;
    };
    const keys = [["agent", "circle", "agent"], ["goal", "square", "goal (square), start (triangle)"],
      ["been", "fill", "been to in this episode"], ["held", "line", "edge remembered"],
      ["fresh", "thick", "edge new at this step"], ["cue", "square", "frontier: known, not been to"],
      ["edit", "line", "edit looked at; dashed: not kept"], ["to", "square", "where it goes next"],
      ["case explore", "explore on", "AG fires here"], ["case integrate", "integrate", "DG fires here"]];
    return { show, told, keys };
  };

  const graph = (svg, run) => {
    const { nodes, edges } = run.scene, ids = Object.keys(nodes), items = new Map();
    const xs = ids.map((id) => nodes[id][0]), ys = ids.map((id) => nodes[id][1]);
    const left = Math.min(0, ...xs) - 90, top = Math.min(0, ...ys) - 40;
    const wide = Math.max(300, ...xs) - left + 90, high = Math.max(200, ...ys) - top + 50;
    svg.setAttribute("viewBox", `${left} ${top} ${wide} ${high}`);
    const lines = draw("g"), proposed = draw("g"), dots = draw("g");
    svg.append(lines, proposed, dots);
    const short = (text) => Array.from(text).length > 22
      ? Array.from(text).slice(0, 21).join("") + "…" : text;
    const straight = ([a, b], name) => draw("path", { class: name, "stroke-width": 2,
      d: `M${nodes[a][0]} ${nodes[a][1]}L${nodes[b][0]} ${nodes[b][1]}` });
    for (const id of ids) {
      const [x, y, name] = nodes[id], title = draw("title"), text = draw("text",
        { x, y: y + 22, "text-anchor": "middle" });
      title.textContent = name; text.textContent = short(name);
      const node = draw("g", { class: "node" }, title, draw("circle", { cx: x, cy: y, r: 8 }), text);
      items.set(id, node);
      dots.append(node);
    }
    const show = (k, prices, chosen) => {
      const lit = new Set(chosen ? [...chosen.nodes, ...chosen.edges.flat()] : []);
      for (const [id, node] of items) {
        node.style.display = nodes[id][3] <= k ? "" : "none";
        node.classList.toggle("new", nodes[id][3] === k);
        node.classList.toggle("lit", lit.has(id));
      }
      lines.replaceChildren(...edges.filter(([, , born]) => born <= k).map((edge) =>
        straight(edge, edge[2] === k ? "fresh" : "held")));
      proposed.replaceChildren(...(chosen ? chosen.edges : [])
        .filter(([a, b]) => nodes[a] && nodes[b])
        .map((edge) => straight(edge, chosen.kept ? "edit" : "edit not away")));
    };
    const told = (k) => `${ids.filter((id) => nodes[id][3] <= k).length} nodes proposed, `
      + `${edges.filter(([, , born]) => born <= k).length} edges held`;
    const keys = [["held", "line", "edge held"], ["fresh", "thick", "edge new at this step"],
      ["edit", "line", "edit looked at; dashed: not kept"]];
    return { show, told, keys };
  };
  return { draw, of: (svg, run) => (run.scene.kind === "maze" ? maze : graph)(svg, run) };
})();
