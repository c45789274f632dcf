"use strict";
const slider = document.getElementById("k");
const show = () => {
  const k = slider.value;
  for (const part of document.querySelectorAll("[data-hop]")) {
    part.classList.toggle("in", Number(part.dataset.hop) <= Number(k));
  }
  document.getElementById("line").textContent = "k = " + k;
  for (const part of document.querySelectorAll(".reach")) part.hidden = part.dataset.k !== k;
};
slider.addEventListener("input", show);
show();
