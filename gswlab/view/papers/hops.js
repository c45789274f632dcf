"use strict";
const slider = document.getElementById("k");
const show = () => {
  const k = slider.value;
  document.querySelector("svg").dataset.k = k;
  document.getElementById("line").textContent = "k = " + k;
  for (const part of document.querySelectorAll(".reach")) part.hidden = part.dataset.k !== k;
};
slider.addEventListener("input", show);
show();
