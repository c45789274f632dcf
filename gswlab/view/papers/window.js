const slider = document.getElementById("time");
const shown = document.getElementById("at");
const sections = [...document.querySelectorAll("section[data-step]")];
function show() {
  for (const section of sections) section.hidden = section.dataset.step !== slider.value;
  shown.textContent = slider.value + " of " + slider.max;
}
slider.addEventListener("input", show);
show();
