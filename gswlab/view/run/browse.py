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


_Row = dict[int, int]  # of a question: the number of its answer by that of its run


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
        many, asked = len(self.runs), sum(len(run.said) for run in self.runs)
        groups = groupby(range(many), key=lambda number: self.runs[number].of)
        return described(
            self.title,
            "run/browse.html",
            ("run/browse.css",),
            ("run/browse.js",),
            f"{many} run{'s' * (many != 1)}, {asked} answers",
            groups=[self._group([*each], linked, ink) for _, each in groups],
            signs=_SIGNS,
            blamed=_BLAMED,
            most=MOST,
            shown=QUOTES,
        )

    def _group(
        self, each: list[int], linked: Sequence[Sequence[str]], ink: bool
    ) -> dict[str, Any]:
        """Runs that were asked the same: figures; questions, those wrong first."""
        rows: dict[tuple[str, int], _Row] = {}
        for number in each:
            times: Counter[str] = Counter()
            for at, one in enumerate(self.runs[number].said):
                asked = one.saved.question
                rows.setdefault((asked, times[asked]), {})[number] = at
                times[asked] += 1
        runs = {number: self.runs[number] for number in each}
        read = {number: run.documents() for number, run in runs.items()}
        ranked = sorted(rows.items(), key=lambda row: self._worth(row[1]))
        return {
            "runs": runs,
            "figures": [*_figures([*runs.values()])],
            "held": [*_transposed([run.held for run in runs.values()])],
            "ways": [linked[number] for number in each] if linked else [],
            "linked": {number: ink and bool(read[number]) for number in each},
            "filters": _filters(runs),
            "rows": [self._question(q, row, read) for (q, _), row in ranked[:MOST]],
            "many": len(rows),
        }

    def _worth(self, row: _Row) -> float:
        """What runs made of a question, on average; more where nobody judged."""
        grades = (self.runs[run].said[at].grade for run, at in row.items())
        known = [grade.worth for grade in grades if grade]
        return sum(known) / len(known) if known else 2.0

    def _question(
        self, question: str, row: _Row, read: Mapping[int, Sequence[Document]]
    ) -> tuple[Any, ...]:
        """A question, its grade, whether answers differ; what each run made of it."""
        said = {run: self.runs[run].said[at] for run, at in row.items()}
        grade = next((one.grade for one in said.values() if one.grade), None)
        differ = len({one.saved.answer.items for one in said.values()}) > 1
        quotes = {
            run: answer_view(one.saved.answer, read[run]).quotes
            for run, one in said.items()
        }
        cells = [(run, row.get(run), quotes.get(run, ())) for run in read]
        return question, grade, differ, cells

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


def _filters(
    runs: Mapping[int, _Run],
) -> tuple[tuple[str, str, Mapping[Any, str]], ...]:
    """What questions can be sifted by; no options where there is nothing to choose."""
    grades = [one.grade for run in runs.values() for one in run.said if one.grade]
    names = {n: run.name for n, run in runs.items()} if len(runs) > 1 else {}
    kinds, blamed = ({getattr(g, n) for g in grades} for n in ("asked", "blame"))
    return (
        ("run", "in run", names),
        ("verdict", "verdict", {n: n for n in _SIGNS if grades}),
        ("blame", "blame", {n: n for n in _BLAMED if n in blamed}),
        ("asked", "asks for", {n: n for n in sorted(kinds - {""})}),
        ("differ", "answers", {"yes": "that differ"} if names else {}),
    )


def _figures(runs: Sequence[_Run]) -> Iterator[tuple[str, ...]]:
    """A row a figure, a column a run."""
    if runs[0].said:
        verdicts = [Counter(one.verdict for one in run.said) for run in runs]
        yield "verdicts", *(_counted(each, _SIGNS) for each in verdicts)
        blamed = [Counter(one.blame for one in run.said) for run in runs]
        yield "blame", *(_counted(each, _BLAMED) for each in blamed)
    yield from _transposed([run.figures for run in runs])


def _counted(counts: Mapping[str, int], names: Iterable[str]) -> str:
    return ", ".join(f"{name} {counts[name]}" for name in names if counts[name])


def _transposed(found: list[Mapping[str, str]]) -> Iterator[tuple[str, ...]]:
    """A row a name for which any of them has something."""
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
    groups: dict[tuple[str, ...], list[Path]] = {}
    for home in homes:
        path = str(home.relative_to(top))
        of: tuple[str, ...] = ("not finished",)
        if path in table.index:
            saved = answers_of(SimpleNamespace(folder=RunFolder(home)))
            known = [str(table.loc[path].get(n) or "") for n in ("experiment", "world")]
            of = (*known, *(one.question for one in saved[:1]))
        groups.setdefault(of, []).append(home)
    found: list[_Run] = []
    for of in sorted(groups, key=lambda of: (len(of) == 1, of)):
        beside = {str(home.relative_to(top)): RunFolder(home) for home in groups[of]}
        here = table.loc[[path for path in beside if path in table.index]]
        brief = figure_cells(brief_table(here)) if len(here) else here
        found += (_run(each, of, p, table, brief) for p, each in beside.items())
    return Runs(top.resolve().name, tuple(found))


def _run(
    folder: RunFolder, of: tuple[str, ...], path: str, table: Any, brief: pd.DataFrame
) -> _Run:
    """A run, with its row in the table of those it stands beside."""
    saved = answers_of(SimpleNamespace(folder=folder))
    pairs = zip_longest(saved, graded(folder)[: len(saved)])
    row = dict[str, str]()
    if path in brief.index:
        row = {str(key): str(text) for key, text in brief.loc[path].items()}
    at = [*row].index("n") if "n" in row else 0
    names = [text for text in [*row.values()][:at] if text]
    memory = str(table.loc[path, "memory"]) if row else path
    figures = dict([*row.items()][at:])
    scores = folder.read_json(_SCORES)
    made_up = scores.get("invented", {}).get("invented", "")
    held = dict(flat({**scores.get("workspace", {}), "invented": made_up}))
    name = " · ".join(names) or memory
    return _Run(folder, name, of, figures, held, tuple(_Said(*pair) for pair in pairs))
