// What the prices are about, at a step: a maze cell by cell, or the graph of the edits.
// All of it is drawn in the page; here is said what of it is there, and what is new.
const scenes = (() => {
  "use strict";
  const draw = (tag, props = {}, ...children) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(props)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  };
  const line = ([[row, col], [r, c]]) => `M${col + 0.5} ${row + 0.5}L${c + 0.5} ${r + 0.5}`;
  const boxes = (cells, inset) => cells.map(([row, col]) =>
    `M${col + inset} ${row + inset}h${1 - 2 * inset}v${1 - 2 * inset}h${2 * inset - 1}z`).join("");
  const SHAPES = { // of a case, here and in the charts: around x and y, of size r
    integrate: (x, y, r) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`,
    "explore on": (x, y, r) => `M${x} ${y - r * 1.2}l${r * 1.15} ${r * 2.1}h${-2.3 * r}z`,
    redundant: (x, y, r) => `M${x - r} ${y - r}h${2 * r}v${2 * r}h${-2 * r}z`,
  };

  const maze = (svg, { frames, held, open }) => {
    const at = (spells, k) => spells.filter(([, since, until]) =>
      since <= k && (until === null || k < until));
    const things = (spells) => spells.map(([thing]) => thing);
    const show = (k, prices, chosen) => {
      const { at: [row, col], episode } = frames[k];
      const now = (n) => n <= k && frames[n].episode === episode;
      const fired = (gate, kind) => prices.filter((p) => p.acts[gate] && now(p.beat))
        .map((p) => SHAPES[kind](frames[p.beat].at[1] + 0.5, frames[p.beat].at[0] + 0.5, 0.25)).join("");
      const fresh = held.filter(([, since]) => since === k);
      const paths = {
        been: boxes(frames.filter((_, n) => now(n)).map((frame) => frame.at), 0),
        held: things(at(held, k)).map(line).join(""),
        fresh: things(fresh).map(line).join(""),
        cue: boxes(things(at(open, k)), 0.24),
        ag: fired("ag", "explore on"), dg: fired("dg", "integrate"),
        edit: chosen ? chosen.edges.map(line).join("") : "",
        to: chosen?.to && frames[chosen.beat].episode === episode ? boxes([chosen.to], 0.08) : "",
      };
      for (const [part, path] of Object.entries(paths)) {
        svg.querySelector(`[data-part=${part}]`).setAttribute("d", path);
      }
      svg.querySelector(".edit").classList.toggle("not", Boolean(chosen) && !chosen.kept);
      svg.querySelector(".agent").setAttribute("transform", `translate(${col + 0.5} ${row + 0.5})`);
    };
    const told = (k) => `at row ${frames[k].at[0]}, column ${frames[k].at[1]}; `
      + `${at(held, k).length} edges remembered, ${at(open, k).length} on the frontier`;
    return { show, told };
  };

  const graph = (svg, { nodes, edges }) => {
    const parts = [...svg.querySelectorAll("[data-since]")], proposed = svg.querySelector(".edit");
    const show = (k, prices, chosen) => {
      const lit = new Set(chosen ? [...chosen.nodes, ...chosen.edges.flat()] : []);
      for (const part of parts) {
        const since = Number(part.dataset.since);
        part.style.display = since <= k ? "" : "none";
        part.classList.toggle("new", since === k);
        part.classList.toggle("lit", lit.has(part.dataset.id));
      }
      const drawn = (chosen ? chosen.edges : []).filter(([a, b]) => nodes[a] && nodes[b]);
      proposed.setAttribute("d", drawn.map(([a, b]) =>
        `M${nodes[a][0]} ${nodes[a][1]}L${nodes[b][0]} ${nodes[b][1]}`).join(""));
      proposed.classList.toggle("not", Boolean(chosen) && !chosen.kept);
    };
    const told = (k) => `${Object.values(nodes).filter((node) => node[3] <= k).length} nodes proposed, `
      + `${edges.filter(([, , born]) => born <= k).length} edges held`;
    return { show, told };
  };
  return { draw, SHAPES, of: (svg, scene) => (scene.kind === "maze" ? maze : graph)(svg, scene) };
})();
