// The page of a run in a frame that may run scripts and nothing else: no cookies, no
// parent page. They exchange a step and ids, never text; what any other window says, or
// what is of another type, is not heard.
const whole = (value) => Number.isInteger(value) && value >= 0;
const ids = (value) => Array.isArray(value) && value.length <= 5000
  && value.every((one) => typeof one === "string" && one.length <= 40);
const PLACES = ["step", "nouns", "lines"];

function render({ model, el }) {
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts");
  frame.style.cssText = "display:block;width:100%;border:0";
  const dress = () => {
    frame.title = model.get("title");
    frame.style.height = `${model.get("height")}px`;
  };
  const fill = () => { frame.srcdoc = model.get("html"); };
  const say = () => {
    const state = Object.fromEntries(PLACES.map((name) => [name, model.get(name)]));
    frame.contentWindow?.postMessage({ gswlab: "panel", ...state }, "*");
  };
  const hear = ({ source, data }) => {
    if (!frame.contentWindow || source !== frame.contentWindow) return;
    if (data === null || typeof data !== "object" || data.gswlab !== "page") return;
    if (!whole(data.step) || !ids(data.nouns) || !ids(data.lines)) return;
    if (typeof data.still !== "boolean") return;
    for (const name of [...PLACES, "still"]) {
      const same = JSON.stringify(model.get(name)) === JSON.stringify(data[name]);
      if (!same) model.set(name, data[name]);
    }
    model.save_changes();
  };
  dress();
  fill();
  frame.addEventListener("load", say);
  window.addEventListener("message", hear);
  model.on("change:html", fill);
  model.on("change:title change:height", dress);
  for (const name of PLACES) model.on(`change:${name}`, say);
  el.append(frame);
  return () => {
    window.removeEventListener("message", hear);
    model.off("change:html", fill);
    model.off("change:title change:height", dress);
    for (const name of PLACES) model.off(`change:${name}`, say);
  };
}

export default { render };
