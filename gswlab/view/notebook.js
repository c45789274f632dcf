// The pages of this notebook get their scripts back: what several share stands once.
(() => {
  "use strict";
  const shared = JSON.parse(document.getElementById("run").textContent);
  const numbered = /<script type="text\/plain" data-shared="(\d+)"><\/script>/g;
  const later = '<script type="text/plain" data-later>';
  for (const frame of document.querySelectorAll("iframe[srcdoc]")) {
    const whole = frame.srcdoc.replaceAll(later, "<script>")
      .replace(numbered, (_, n) => `<script>${shared[Number(n)]}<\/script>`);
    if (whole === frame.srcdoc) continue;
    // another frame in its place: the first may be loading still, and would win
    const fresh = frame.cloneNode(false);
    fresh.srcdoc = whole;
    frame.replaceWith(fresh);
  }
  // what is wider than the screen is scrolled from the keyboard too
  for (const box of document.querySelectorAll(".output, .input_area, pre")) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
  }
})();
