// A slider shows what has its number, and lights what it reaches.
(() => {
  "use strict";
  const slider = document.querySelector("input[type=range]"), line = document.querySelector("output");
  const show = () => {
    for (const part of document.querySelectorAll("[data-at]")) part.hidden = part.dataset.at !== slider.value;
    for (const part of document.querySelectorAll("[data-hop]")) {
      part.classList.toggle("in", Number(part.dataset.hop) <= Number(slider.value));
    }
    line.textContent = slider.dataset.said.replace("%", slider.value);
  };
  slider.addEventListener("input", show);
  show();
})();
