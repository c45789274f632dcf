"use strict";
/* One stop at a time, by buttons, arrow keys and the address; a guess before a view. */
(() => {
  const body = document.body, by = (id) => document.getElementById(id);
  const stops = [...document.querySelectorAll(".stop")];
  const ja = document.documentElement.lang === "ja";
  const words = ja
    ? { back: "前へ", next: "次へ", right: "✓ 正解です。", wrong: "✗ まだ違います。もう一度考えてみましょう。",
        of: (k, title) => `${stops.length}か所のうち${k + 1}: ${title}`, stop: (k, title) => `${k + 1}: ${title}` }
    : { back: "Previous stop", next: "Next stop", right: "✓ Right.", wrong: "✗ Not yet. Try another.",
        of: (k, title) => `Stop ${k + 1} of ${stops.length}: ${title}`, stop: (k, title) => `Stop ${k + 1}: ${title}` };
  const titles = stops.map((stop) => stop.querySelector("h2").textContent);
  let now = 0;

  const dots = stops.map((_, k) => {
    const button = document.createElement("button"), item = document.createElement("li");
    button.type = "button";
    button.textContent = String(k + 1);
    button.setAttribute("aria-label", words.stop(k, titles[k]));
    button.addEventListener("click", () => go(k));
    item.append(button);
    by("dots").append(item);
    return button;
  });

  function go(k, focus = true) {
    now = Math.max(0, Math.min(stops.length - 1, k));
    stops.forEach((stop, n) => stop.toggleAttribute("data-now", n === now));
    dots.forEach((dot, n) => n === now ? dot.setAttribute("aria-current", "step") : dot.removeAttribute("aria-current"));
    by("back").disabled = now === 0;
    by("next").disabled = now === stops.length - 1;
    by("line").textContent = words.of(now, titles[now]);
    history.replaceState(null, "", "#" + (now + 1));
    window.scrollTo(0, 0);
    if (focus) stops[now].querySelector("h2").focus({ preventScroll: true });
  }

  function judge(quiz, button) {
    const right = button.hasAttribute("data-right"), output = quiz.querySelector("output");
    quiz.querySelectorAll("button").forEach((one) => one.setAttribute("aria-pressed", String(one === button)));
    output.textContent = right ? words.right : words.wrong;
    const hidden = quiz.nextElementSibling;
    if (right && hidden?.matches("details")) hidden.open = true;
  }

  stops.forEach((stop) => stop.querySelector("h2").setAttribute("tabindex", "-1"));
  document.querySelectorAll(".quiz").forEach((quiz) => {
    quiz.append(document.createElement("output"));
    quiz.querySelectorAll("button").forEach((button) => button.addEventListener("click", () => judge(quiz, button)));
  });
  by("back").setAttribute("aria-label", words.back);
  by("next").setAttribute("aria-label", words.next);
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
