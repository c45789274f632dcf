// The page of a run in a frame that may run scripts and nothing else: no cookies, no
// parent page. They exchange a step and ids, never text; what any other window says, or
// what is of another type, is not heard.
const whole = (value) => Number.isInteger(value) && value >= 0;
const ids = (value) => Array.isArray(value) && value.length <= 5000
  && value.every((one) => typeof one === "string" && one.length <= 40);

function render({ model, el }) {
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts");
  frame.style.cssText = "display:block;width:100%;border:0";
  const dress = () => {
    frame.title = model.get("title");
    frame.style.height = `${model.get("height")}px`;
  };
  // A page is packed: a notebook's server lets so many bytes a second through.
  const fill = async () => {
    const packed = new Blob([model.get("page")]).stream();
    const text = packed.pipeThrough(new DecompressionStream("gzip"));
    frame.srcdoc = await new Response(text).text();
  };
  const pass = (state) => frame.contentWindow?.postMessage(state, "*");
  const ready = () => model.send({ gswlab: "ready" });
  const hear = ({ source, data }) => {
    if (!frame.contentWindow || source !== frame.contentWindow) return;
    if (data === null || typeof data !== "object" || data.gswlab !== "page") return;
    const { gswlab, step, nouns, lines, still } = data;
    if (!whole(step) || !ids(nouns) || !ids(lines) || typeof still !== "boolean") return;
    model.send({ gswlab, step, nouns, lines, still });
  };
  dress();
  fill();
  frame.addEventListener("load", ready);
  window.addEventListener("message", hear);
  model.on("change:page", fill);
  model.on("change:title change:height", dress);
  model.on("msg:custom", pass);
  el.append(frame);
  return () => {
    window.removeEventListener("message", hear);
    model.off("change:page", fill);
    model.off("change:title change:height", dress);
    model.off("msg:custom", pass);
  };
}

export default { render };
