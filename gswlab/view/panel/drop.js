// A place to drop a file, or to choose one: its name and bytes go to Python.
const MOST = 8e6; // bytes that a notebook's connection takes at once

export default {
  render({ model, el }) {
    const label = document.createElement("label");
    label.textContent = "Drop a file here, or choose one: ";
    label.style = "display:block;padding:1em;border:2px dashed #888;border-radius:6px";
    const input = document.createElement("input");
    input.type = "file";
    const send = async ([file]) => {
      if (!file) return;
      const sent = file.size > MOST ? [] : [await file.arrayBuffer()];
      model.send({ gswlab: "file", name: file.name }, undefined, sent);
      input.value = ""; // the same file may come again
    };
    input.addEventListener("change", () => send(input.files));
    label.addEventListener("dragover", (event) => event.preventDefault());
    label.addEventListener("drop", (event) => {
      event.preventDefault();
      send(event.dataTransfer.files);
    });
    label.append(input);
    el.append(label);
  },
};
