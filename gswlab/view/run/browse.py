"""Runs side by side: figures, and each question with gold, verdicts, blame and ink.

What went wrong stands first: questions in the order of what all runs made of them. A
run folder may be anybody's: its rows are checked before anything is shown of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby, zip_longest
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import pandas as pd

from gswlab.bench.collect import brief_table, collect, figure_cells
from gswlab.bench.folder import RunFolder
from gswlab.bench.graded import Graded, graded
from gswlab.bench.report import flat
from gswlab.core.document import Document
from gswlab.core.nouns import visible
from gswlab.view.kit.page import Page, described
from gswlab.view.provenance.answer import SavedAnswer, answer_view, answers_of
from gswlab.view.provenance.page import ink

MOST, QUOTES = 1000, 3  # questions of a group, and quotes of an answer, that are drawn
_SCORES = "scores.json"
_Answered = tuple[RunFolder, tuple[SavedAnswer, ...]]
_SIGNS = {"right": "✓", "partly": "◐", "wrong": "✗", "not judged": "–"}
_BLAMED = {
    "extraction": "never read off the text",
    "reconciliation": "read, and something else believed",
    "recall": "in memory, and not retrieved",
    "reading": "retrieved, and not said",
}


class _Said(NamedTuple):
    """An answer, and what it is worth where that is known."""

    saved: SavedAnswer
    grade: Graded | None

    @property
    def verdict(self) -> str:
        """One of `_SIGNS`."""
        if self.grade is None:
            return "not judged"
        worth = self.grade.worth
        return "right" if worth >= 1 else "partly" if worth > 0 else "wrong"

    @property
    def blame(self) -> str:
        """The stage to blame, "" where none is."""
        return (self.grade and self.grade.blame) or ""


@dataclass(frozen=True)
class _Run:
    """A run folder: its name beside others, what of, figures, census and answers."""

    folder: RunFolder
    name: str
    of: tuple[str, ...]  # experiment, world, the first question
    figures: Mapping[str, str]
    held: Mapping[str, str]
    said: tuple[_Said, ...]

    def documents(self) -> tuple[Document, ...]:
        """What it read."""
        if not self.folder.journal.exists():
            return ()
        with self.folder.reading() as journal:
            return journal.documents()


@dataclass(frozen=True)
class Runs:
    """The runs below a folder: a page in a notebook, a table, a widget.

    >>> browse("runs")                                              # doctest: +SKIP
    Runs(gsw: 113 of 463 not right; bm25: 240 of 463 not right)
    """

    title: str
    runs: tuple[_Run, ...]

    def page(self, linked: Sequence[Sequence[str]] = (), ink: bool = False) -> Page:
        """All of it in one file.

        Args:
            linked: the pages of each run that can be gone to, by their address.
            ink: whether somebody is there to show the ink of an answer.
        """
        runs = dict(enumerate(self.runs))
        asked = sum(len(run.said) for run in self.runs)
        groups = groupby(runs, key=lambda number: runs[number].of)
        return described(
            self.title,
            "run/browse.html",
            ("run/browse.css",),
            ("run/browse.js",),
            f"{len(runs)} run{'s' * (len(runs) != 1)}, {asked} answers",
            groups=[_group({n: runs[n] for n in each}) for _, each in groups],
            links=linked,
            ink=ink,
            signs=_SIGNS,
            blamed=_BLAMED,
            most=MOST,
            shown=QUOTES,
        )

    def ink(self, run: int, number: int) -> Page:
        """The ink of an answer: its sentences lit in the text, and what they became."""
        one = self.runs[run]
        with one.folder.reading() as journal:
            of = SimpleNamespace(journal=journal, folder=one.folder)
            return ink(of, one.said[number].saved).page()

    def widget(self) -> Any:
        """The page as a widget: what is linked, the ink of an answer, opens below."""
        from gswlab.view.panel.forms import PageFrame, w

        shown, below = PageFrame(), PageFrame()
        shown.show(self.page(ink=True).html, self.title, 700)
        below.show("", "The ink of an answer", 0)

        def heard(_: Any, said: Any, __: Any) -> None:
            with suppress(LookupError, TypeError, ValueError):  # not a page of ours
                page = self.ink(said["step"], int(said["nouns"][0]))
                below.show(page.html, page.title, page.height)

        shown.on_msg(heard)
        return w.VBox([shown, below])

    def to_frame(self) -> pd.DataFrame:
        """A row an answer."""
        heads = ["run", "question", "answer", "verdict", "gold", "worth", "blame"]
        rows: list[tuple[Any, ...]] = []
        for run in self.runs:
            for one in run.said:
                told = (run.name, one.saved.question, one.saved.answer.items)
                grade = one.grade or Graded(gold=(), worth=0)
                known = (grade.gold, grade.worth if one.grade else None, one.blame)
                rows.append((*told, one.verdict, *known))
        return pd.DataFrame(rows, columns=heads)

    def _repr_html_(self) -> str:
        return self.page()._repr_html_()

    def __repr__(self) -> str:
        told = []
        for run in self.runs:
            missed = sum(one.verdict in ("wrong", "partly") for one in run.said)
            many = f"{missed} of {len(run.said)} not right" if run.said else "not asked"
            told.append(f"{visible(run.name)}: {many}")
        return f"Runs({'; '.join(told)})"


def _group(runs: Mapping[int, _Run]) -> dict[str, Any]:
    """Runs that were asked the same: figures; questions, those wrong first."""
    rows: dict[tuple[str, int], dict[int, int]] = {}
    for number, run in runs.items():
        times: Counter[str] = Counter()
        for at, one in enumerate(run.said):
            asked = one.saved.question
            rows.setdefault((asked, times[asked]), {})[number] = at
            times[asked] += 1

    def said(row: Mapping[int, int]) -> list[_Said]:
        return [runs[number].said[at] for number, at in row.items()]

    def worth(row: Mapping[int, int]) -> float:
        known = [one.grade.worth for one in said(row) if one.grade]
        return sum(known) / len(known) if known else 2.0

    ranked = sorted(rows.items(), key=lambda row: worth(row[1]))
    read = {number: run.documents() for number, run in runs.items()}
    return {
        "runs": runs,
        "names": {number: run.name for number, run in runs.items()},
        "figures": [*_transposed([run.figures for run in runs.values()])],
        "held": [*_transposed([run.held for run in runs.values()])],
        "rows": [(asked, row, said(row)) for (asked, _), row in ranked[:MOST]],
        "many": len(rows),
        "grades": [one.grade for run in runs.values() for one in run.said if one.grade],
        "read": read,
        "quoted": lambda run, one: answer_view(one.saved.answer, read[run]).quotes,
    }


def _transposed(found: list[Mapping[str, str]]) -> Iterator[tuple[str, ...]]:
    """A row a name for which any of them has something, a column a run."""
    for name in dict.fromkeys(name for one in found for name in one):
        values = [one.get(name, "") for one in found]
        if {*values} - {"", "0"}:
            said = {"n": "questions"}.get(name, name.replace("_", " "))
            yield said.replace("f1", "F1"), *values


def browse(folder: str | Path) -> Runs:
    """The runs below a folder, or the one that is there.

    Raises:
        GswlabError: there is none, or one of its files is none that a run wrote.
    """
    top = Path(folder)
    files = (path for name in ("journal.sqlite", _SCORES) for path in top.rglob(name))
    homes = sorted({path.parent for path in files})
    if not homes:
        RunFolder(top).reading()  # says what a run folder holds
    done = [home for home in homes if (home / _SCORES).exists()]
    table = collect(top, done).set_index("run", drop=False) if done else pd.DataFrame()
    groups: dict[tuple[str, ...], dict[str, _Answered]] = {}
    for home in homes:
        path, run = str(home.relative_to(top)), RunFolder(home)
        saved = answers_of(SimpleNamespace(folder=run))
        of: tuple[str, ...] = ("not finished",)
        if path in table.index:
            known = [str(table.loc[path].get(n) or "") for n in ("experiment", "world")]
            of = (*known, *(one.question for one in saved[:1]))
        groups.setdefault(of, {})[path] = run, saved
    found: list[_Run] = []
    for of in sorted(groups, key=lambda of: (len(of) == 1, of)):
        here = table.loc[[path for path in groups[of] if path in table.index]]
        brief = figure_cells(brief_table(here)) if len(here) else here
        for path, answered in groups[of].items():
            row = dict[str, str]()
            if path in brief.index:
                row = {str(key): str(text) for key, text in brief.loc[path].items()}
            memory = str(table.loc[path, "memory"]) if row else path
            found.append(_run(answered, of, memory, row))
    return Runs(top.resolve().name, tuple(found))


def _run(
    answered: _Answered, of: tuple[str, ...], memory: str, row: Mapping[str, str]
) -> _Run:
    """A run by its row in the table of those it stands beside."""
    folder, saved = answered
    pairs = zip_longest(saved, graded(folder)[: len(saved)])
    said = tuple(_Said(*pair) for pair in pairs)
    at = [*row].index("n") if "n" in row else 0
    name = " · ".join(filter(None, [*row.values()][:at])) or memory
    figures = {
        "verdicts": _counted((one.verdict for one in said), _SIGNS),
        "blame": _counted((one.blame for one in said), _BLAMED),
        **dict([*row.items()][at:]),
    }
    scores = folder.read_json(_SCORES)
    made_up = scores.get("invented", {}).get("invented", "")
    held = dict(flat({**scores.get("workspace", {}), "invented": made_up}))
    return _Run(folder, name, of, figures, held, said)


def _counted(said: Iterable[str], names: Iterable[str]) -> str:
    counts = Counter(said)
    return ", ".join(f"{name} {counts[name]}" for name in names if counts[name])
