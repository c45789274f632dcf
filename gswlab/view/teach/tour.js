"use strict";
/* One stop at a time, by buttons, arrow keys and the address; a guess before a view. */
(() => {
  const body = document.body, by = (id) => document.getElementById(id);
  const stops = [...document.querySelectorAll(".stop")];
  const dots = [...document.querySelectorAll("#dots button")];
  let now = 0;

  function go(k, focus = true) {
    now = Math.max(0, Math.min(stops.length - 1, k));
    stops.forEach((stop, n) => stop.toggleAttribute("data-now", n === now));
    dots.forEach((dot, n) => n === now ? dot.setAttribute("aria-current", "step") : dot.removeAttribute("aria-current"));
    by("back").disabled = now === 0;
    by("next").disabled = now === stops.length - 1;
    by("line").textContent = dots[now].dataset.line;
    history.replaceState(null, "", "#" + (now + 1));
    window.scrollTo(0, 0);
    if (focus) stops[now].querySelector("h2").focus({ preventScroll: true });
  }

  function judge(quiz, button) {
    const right = button.hasAttribute("data-right"), output = quiz.querySelector("output");
    quiz.querySelectorAll("button").forEach((one) => one.setAttribute("aria-pressed", String(one === button)));
    output.textContent = quiz.closest("main").dataset[right ? "right" : "wrong"];
    const hidden = quiz.nextElementSibling;
    if (right && hidden?.matches("details")) hidden.open = true;
  }

  stops.forEach((stop) => stop.querySelector("h2").setAttribute("tabindex", "-1"));
  document.querySelectorAll(".quiz").forEach((quiz) => {
    quiz.append(document.createElement("output"));
    quiz.querySelectorAll("button").forEach((button) => button.addEventListener("click", () => judge(quiz, button)));
  });
  dots.forEach((dot, k) => dot.addEventListener("click", () => go(k)));
  by("back").addEventListener("click", () => go(now - 1));
  by("next").addEventListener("click", () => go(now + 1));
  document.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 }[event.key];
    const typing = event.target.closest("input, select, textarea, .wide");
    if (!step || typing || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    go(now + step);
  });
  window.addEventListener("hashchange", () => go(Number(location.hash.slice(1)) - 1 || 0));
  body.classList.add("js");
  by("stops").hidden = false;
  go(Number(location.hash.slice(1)) - 1 || 0, false);
})();
