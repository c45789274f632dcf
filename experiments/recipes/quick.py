"""How quick a finished run is at hand: CPU seconds, user and system, best of three.

Seconds depend on the machine and on who else is busy there: `ratio` is to the seconds
of `python -c pass` taken in between, and `target` the most seconds asked for.

Then a page of a book with 20,000 people in 2,000 chapters: what it weighs, and in
headless Chromium, which draws without a graphics card, the milliseconds from one frame
to the next while its storyline is zoomed, moved and scrolled. A screen asks for 16.7.

python experiments/recipes/quick.py [RUNS] [--pages]
"""

from __future__ import annotations

import csv
import gzip
import resource
import subprocess
import sys
from pathlib import Path

import numpy as np
from pace import tabbed
from table import commit
from tqdm.auto import tqdm

import gswlab
from gswlab.core.journal import Journal
from gswlab.core.nouns import Actor, Argument, Mention, VerbPhrase
from gswlab.core.step import Extend, Put, Step
from gswlab.text.chunks import chunks
from gswlab.text.document import document_of
from gswlab.view.run.page import page

CHUNKS = 60
QUESTION = "Who opened the exhibition?"
BOOK = ("experiment=generated", "dataset.chapters=20", "chunk.sentences=9")
RESULTS = Path(__file__).resolve().parents[1] / "results"
RESULT, PAGES = RESULTS / "quick.tsv", RESULTS / "quick_pages.tsv"
PEOPLE, CHAPTERS, FRAMES = 20_000, 2_000, 120
_FRAMES = """async (frames) => {
  const [plot, lanes] = ["plot", "lanes"].map((id) => document.getElementById(id));
  const wheel = (move) => plot.dispatchEvent(new WheelEvent("wheel",
    { bubbles: true, cancelable: true, clientX: 900, ...move }));
  const gaps = [];
  let last = await new Promise(requestAnimationFrame);
  for (let n = 0; n < frames; n++) {
    const turn = n % 60;
    if (turn < 30) wheel({ ctrlKey: true, deltaY: turn < 20 ? -40 : 40 });
    else if (turn < 45) wheel({ deltaX: 60, deltaY: 0 });
    else lanes.scrollTop += 400;
    const now = await new Promise(requestAnimationFrame);
    gaps.push(now - last);
    last = now;
  }
  return gaps;
}"""


def finished(runs: Path) -> Path:
    """A run of a generated book, read to its end: 60 chunks and a few."""
    lab = gswlab.open(*BOOK, f"run.dir={runs}/book")
    assert len(lab.chunks) >= CHUNKS, len(lab.chunks)
    while lab.step() is not None:
        pass
    return lab.folder.path


def seconds(*arguments: str) -> float:
    """CPU seconds of a process and its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def crowded(folder: Path) -> Journal:
    """A book that brings ten people a chapter; two of them meet one from before."""
    many = PEOPLE // CHAPTERS
    text = "\n\n".join(f"Chapter {n + 1}\n\nAnn met Bo." for n in range(CHAPTERS))
    document = document_of(text, "crowded")
    read = chunks(document, 1)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "crowded.sqlite").unlink(missing_ok=True)
    journal = Journal(folder / "crowded.sqlite")
    journal.add(document, read)
    rng = np.random.default_rng(0)
    for k, chunk in enumerate(read):
        told = (Mention(chunk.span, "name", chunk.id, "Ann"),)
        ids = [f"a{k * many + n + 1}" for n in range(many)]
        new = (Actor(i, "person", f"Person {i[1:]}", mentions=told) for i in ids)
        changes: list[Put | Extend] = [Put("actor", actor) for actor in new]
        known = [f"a{1 + int((k * many + 1) * rng.random() ** 4)}" for _ in ids[:2]]
        changes += [Extend("actor", one, "mentions", told) for one in sorted({*known})]
        for n, pair in enumerate(zip(ids, known, strict=False)):
            ends = [
                Argument(slot, "Ann", (chunk.span,), one)
                for slot, one in zip(("agent", "patient"), pair, strict=True)
            ]
            verb = VerbPhrase(f"v{2 * k + n + 1}", "meet", (*ends,), chunk=chunk.id)
            changes.append(Put("verb_phrase", verb))
        journal.append(Step(k, chunk.id, tuple(changes)))
    return journal


def frames(file: Path) -> list[float]:
    """Milliseconds between frames while the storyline of a page is moved about."""
    with tabbed() as tab:
        tab.goto(file.resolve().as_uri())
        tab.locator("#plot").scroll_into_view_if_needed()
        return [float(gap) for gap in tab.evaluate(_FRAMES, FRAMES)]


def paged(runs: Path) -> None:
    """Weigh and move the page of a crowded book, and weigh the one of the 60 chunks."""
    rows: list[tuple[str, str, object]] = []
    with crowded(runs) as journal:
        file = page(journal).write(runs / "crowded.html")
    with Journal(runs / "book" / "journal.sqlite", "r") as journal:
        small = page(journal).write(runs / "book.html")
    for name, one in ((f"{PEOPLE:,} people", file), (f"{CHUNKS} chunks", small)):
        whole = one.read_bytes()
        rows.append((f"page of {name}, kB", f"{len(whole) / 1e3:.0f}", ""))
        packed = len(gzip.compress(whole)) / 1e3
        rows.append((f"page of {name}, packed, kB", f"{packed:.0f}", ""))
    gaps = frames(file)
    for share, name in ((0.5, "median"), (0.95, "p95"), (1.0, "longest")):
        told = f"{np.quantile(gaps, share):.1f}"
        rows.append((f"frame, {name}, ms", told, 33.4 if share < 1 else ""))
    with PAGES.open("w", encoding="utf-8", newline="") as sheet:
        writer = csv.writer(sheet, "excel-tab", lineterminator="\n")
        heads = ("figure", "value", "target", "commit")
        writer.writerows([heads, *((*row, commit()) for row in rows)])
    print(PAGES.read_text("utf-8"))


def main(runs: Path) -> None:
    """Measure, and write the tables."""
    run, typed = str(finished(runs)), ("-m", "gswlab")
    measured = {
        "import gswlab": (("-c", "import gswlab"), 0.3),
        "--help": ((*typed, "--help"), 0.3),
        "step 4": ((*typed, "step", run, "4"), 0.6),
        "step -1": ((*typed, "step", run, "-1"), 0.6),
        "step 999": ((*typed, "step", run, "999"), 0.6),
        "ask": ((*typed, "ask", run, QUESTION), 1.5),
    }
    rows = []
    for name, (arguments, target) in tqdm(measured.items(), "measuring"):
        pairs = [(seconds(*arguments), seconds("-c", "pass")) for _ in range(3)]
        best, base = (min(each) for each in zip(*pairs, strict=True))
        rows.append((name, f"{best:.2f}", f"{best / base:.0f}", target, commit()))
    with RESULT.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, "excel-tab", lineterminator="\n")
        writer.writerows([("command", "seconds", "ratio", "target", "commit"), *rows])
    print(RESULT.read_text("utf-8"))
    paged(runs)


if __name__ == "__main__":
    folder = Path(next((one for one in sys.argv[1:] if one[0] != "-"), "runs/quick"))
    if "--pages" in sys.argv and finished(folder):
        paged(folder)
    else:
        main(folder)
