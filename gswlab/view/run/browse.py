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
from gswlab.view.kit.spans import escape, html_text, isolated
from gswlab.view.kit.tables import rows_html
from gswlab.view.panel.buttons import frame, packed
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
        numbers = range(many)
        groups = groupby(numbers, key=lambda number: self.runs[number].of)
        body = "".join(self._group([*each], linked, ink) for _, each in groups)
        return described(
            self.title,
            "run/browse.html",
            ("run/browse.css",),
            ("run/browse.js",),
            f"{many} run{'s' * (many != 1)}, {asked} answers",
            title=escape(self.title),
            groups=body,
        )

    def _group(
        self, each: list[int], linked: Sequence[Sequence[str]], ink: bool
    ) -> str:
        """Runs that were asked the same: their figures, then the questions."""
        runs = [self.runs[number] for number in each]
        return (
            f'<section class="group"><h2>{escape(" ".join(runs[0].of[:2]))}</h2>'
            f"{_figures(runs, [linked[n] for n in each] if linked else [])}"
            f"{self._asked(each, ink) if runs[0].said else ''}</section>"
        )

    def _asked(self, each: list[int], ink: bool) -> str:
        """Questions of runs that were asked the same, what they got wrong first."""
        rows: dict[tuple[str, int], _Row] = {}
        for number in each:
            times: Counter[str] = Counter()
            for at, one in enumerate(self.runs[number].said):
                asked = one.saved.question
                rows.setdefault((asked, times[asked]), {})[number] = at
                times[asked] += 1
        grades = [one.grade for n in each for one in self.runs[n].said if one.grade]
        names = {str(n): self.runs[n].name for n in each} if len(each) > 1 else {}
        kinds, blamed = ({getattr(g, n) for g in grades} for n in ("asked", "blame"))
        fields = (
            _select("run", "in run", names),
            _select("verdict", "verdict", dict.fromkeys(_SIGNS) if grades else {}),
            _select("blame", "blame", dict.fromkeys(n for n in _BLAMED if n in blamed)),
            _select("asked", "asks for", dict.fromkeys(sorted(kinds - {""}))),
            _select("differ", "answers", {"yes": "that differ"} if names else {}),
        )
        told = {n: _Column(self.runs[n], n, bool(names), ink) for n in each}
        ranked = sorted(rows.items(), key=lambda row: self._worth(row[1]))
        items = "".join(self._question(told, q, row) for (q, _), row in ranked[:MOST])
        more = f"<p>The first {MOST} of {len(rows)}.</p>" if len(rows) > MOST else ""
        legend = "; ".join(f"{name}: {means}" for name, means in _BLAMED.items())
        return (
            f'<h3>Questions, wrong answers first</h3><p class="quiet">{legend}.</p>'
            '<div class="filters"><label>words<input type="search" data-by="words">'
            f'</label>{"".join(fields)}<output aria-live="polite"></output></div>'
            f'<ol class="asked" style="--runs:{len(each)}">{items}</ol>{more}'
        )

    def _worth(self, row: _Row) -> float:
        """What runs made of a question, on average; more where nobody judged."""
        grades = (self.runs[run].said[at].grade for run, at in row.items())
        known = [grade.worth for grade in grades if grade]
        return sum(known) / len(known) if known else 2.0

    def _question(self, told: Mapping[int, _Column], question: str, row: _Row) -> str:
        """A question with its gold, and beside it what each run made of it."""
        said = [self.runs[run].said[at] for run, at in row.items()]
        grade, gold = next((one.grade for one in said if one.grade), None), ""
        if grade:
            items = ", ".join(map(isolated, grade.gold)) or "no such thing is told"
            gold = f'<p class="gold">gold: <b>{items}</b></p>'
        differ = "yes" if len({one.saved.answer.items for one in said}) > 1 else "no"
        asked = escape(grade.asked if grade else "")
        return (
            f'<li data-asked="{asked}" data-differ="{differ}">'
            f'<div><p dir="auto">{escape(question)}</p>{gold}</div>'
            f"{''.join(told[n].cell(row.get(n)) for n in told)}</li>"
        )

    def ink(self, run: int, number: int) -> Page:
        """The ink of an answer: its sentences lit in the text, and what they became."""
        one = self.runs[run]
        with one.folder.reading() as journal:
            of = SimpleNamespace(journal=journal, folder=one.folder)
            return ink(of, one.said[number].saved).page()

    def widget(self) -> Any:
        """The page as a widget: what is linked, the ink of an answer, opens below."""
        from ipywidgets import VBox

        shown = frame(self.page(ink=True).html, self.title, 700)
        below = frame("", "The ink of an answer", 0)

        def heard(_: Any, said: Any, __: Any) -> None:
            with suppress(LookupError, TypeError, ValueError):  # not a page of ours
                page = self.ink(said["step"], int(said["nouns"][0]))
                below.title, below.height = page.title, page.height
                below.page = packed(page.html)

        shown.on_msg(heard)
        return VBox([shown, below])

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


class _Column:
    """The answers of a run as a page shows them, with the sentences they cite."""

    def __init__(self, run: _Run, number: int, named: bool, ink: bool) -> None:
        self.run, self.number, self.documents = run, number, run.documents()
        self.ink = ink and bool(self.documents)
        self.name = f'<p class="run">{isolated(run.name)}</p>' if named else ""

    def cell(self, at: int | None) -> str:
        """Verdict, answer, blame; folded: why, what is cited, the way to the ink."""
        if at is None:
            return f'<div class="one">{self.name}<p>not asked</p></div>'
        one = self.run.said[at]
        answer, verdict = one.saved.answer, one.verdict
        items = ", ".join(map(isolated, answer.items)) or "<i>no answer</i>"
        tag = f' <span class="blame">{one.blame}</span>' if one.blame else ""
        more = f"<p>{escape(answer.reason)}</p>" if answer.reason else ""
        quotes = answer_view(answer, self.documents).quotes
        for quote in quotes[:QUOTES]:
            lit = html_text(quote.text, quote.marks, quote.offset)
            more += f'<blockquote dir="auto">{lit}</blockquote>'
        if (left := len(quotes) - QUOTES) > 0:
            more += f"<p>and {left} sentence{'s' * (left > 1)} more</p>"
        if self.ink:
            href, place = f"/{self.number + 1}/ink/{at + 1}", f"{self.number} {at}"
            more += f'<a href="{href}" data-at="{place}">its ink in the text</a>'
        folded = f"<details><summary>why</summary>{more}</details>" if more else ""
        return (
            f'<div class="one {verdict.split()[0]}" data-run="{self.number}" '
            f'data-verdict="{verdict}" data-blame="{one.blame}">{self.name}<p>'
            f'<span class="verdict">{_SIGNS[verdict]} {verdict}</span>{tag}</p>'
            f"<p><b>{items}</b></p>{folded}</div>"
        )


def _figures(runs: Sequence[_Run], linked: Sequence[Sequence[str]]) -> str:
    """A row a figure, a column a run; what each holds is folded."""
    heads = ("figure", *(isolated(run.name) for run in runs))
    rows: list[tuple[str, ...]] = []
    if linked:
        ways = (
            " · ".join(f'<a href="{at}">{at.rpartition("/")[2]}</a>' for at in each)
            for each in linked
        )
        rows.append(("pages", *ways))
    if runs[0].said:
        counts = [Counter(one.verdict for one in run.said) for run in runs]
        rows.append(("verdicts", *(_counted(each, _SIGNS) for each in counts)))
        counts = [Counter(one.blame for one in run.said) for run in runs]
        rows.append(("blame", *(_counted(each, _BLAMED) for each in counts)))
    rows += _transposed([run.figures for run in runs])
    held = rows_html(heads, _transposed([run.held for run in runs]))
    return (
        '<div class="scroll" tabindex="0" role="region" aria-label="Figures">'
        f"{rows_html(heads, rows)}<details><summary>what each holds</summary>{held}"
        "</details></div>"
    )


def _counted(counts: Mapping[str, int], names: Iterable[str]) -> str:
    return ", ".join(f"{name} {counts[name]}" for name in names if counts[name])


def _transposed(found: list[Mapping[str, str]]) -> Iterator[tuple[str, ...]]:
    """A row a name for which any of them has something, as HTML."""
    for name in dict.fromkeys(name for one in found for name in one):
        values = [one.get(name, "") for one in found]
        if {*values} - {"", "0"}:
            said = {"n": "questions"}.get(name, name.replace("_", " "))
            yield (escape(said.replace("f1", "F1")), *map(escape, values))


def _select(name: str, label: str, options: Mapping[str, str | None]) -> str:
    """A filter; nothing where there is nothing to choose."""
    inner = '<option value="">all</option>'
    for key, says in options.items():
        inner += f'<option value="{escape(key)}">{escape(says or key)}</option>'
    field = f'<label>{label}<select data-by="{name}">{inner}</select></label>'
    return field if options else ""


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
