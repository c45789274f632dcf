"""Guess the merge: you decide, then the reconciler, then gold where there is some.

It doubles as an annotation tool: what was decided goes out as JSON Lines or CSV, comes
back in, and any two annotators are held against each other.

>>> told = guess(lab)                                             # doctest: +SKIP
>>> told[3]                                                       # doctest: +SKIP
>>> told.answer(3, "same", annotator="Ann")                       # doctest: +SKIP
>>> told.write("ann.jsonl"); told.page().write("guess.html")      # doctest: +SKIP
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

import pandas as pd

from gswlab.bench.folder import RunFolder
from gswlab.bench.gold.reading import GoldReading
from gswlab.core.errors import GswlabError
from gswlab.view.kit.page import Page, described, embedded
from gswlab.view.kit.spans import escape
from gswlab.view.teach.guess_cases import (
    DECISIONS,
    Annotation,
    Case,
    GuessDecision,
    agreement,
    cases,
    rows_of,
    text_of,
)

RECONCILER, GOLD = "reconciler", "gold"
_NEXT = 'guess.answer(0, "same", annotator="Ann")'


@dataclass(frozen=True)
class Reveal:
    """What the reconciler, and the gold, said of a case that was just decided."""

    case: Case
    decision: GuessDecision

    def _repr_html_(self) -> str:
        return embedded(f"<p>{escape(repr(self))}</p>{self.case.card()}")

    def __repr__(self) -> str:
        said = [f"You: {self.decision}", f"the reconciler: {self.case.decided}"]
        said += [f"gold: {self.case.gold}"] if self.case.gold else []
        return ", ".join(said) + "."


@dataclass
class Guess:
    """The cases of a run and what annotators said of them."""

    title: str
    cases: tuple[Case, ...]
    rows: dict[tuple[str, str], Annotation] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.cases)

    def __getitem__(self, at: int | str) -> Case:
        """A case by its number, from 0, or by its alignment's id (`14:a1`)."""
        if isinstance(at, int) and 0 <= at < len(self):
            return self.cases[at]
        for case in self.cases:
            if case.id == at:
                return case
        rule = f"0 to {len(self) - 1}, or an id such as {self.cases[0].id}"
        raise GswlabError(f"there is no case {at!r}", rule, _NEXT)

    def answer(self, at: int | str, decision: str, annotator: str = "me") -> Reveal:
        """Decide a case; only then is shown what the reconciler and gold say."""
        case, name = self[at], _annotator(annotator)
        if decision not in DECISIONS:
            rule = f"a decision is one of {', '.join(DECISIONS)}"
            raise GswlabError(f"{decision!r} is no decision", rule, _NEXT)
        row = case.annotation(decision, name)
        self.rows[name, case.id] = row
        return Reveal(case, row.decision)

    def read(self, path: str | Path) -> Guess:
        """Take in a file of annotations, anybody's, of this run.

        Raises:
            GswlabError: rows are no annotations, or are of another run.
        """
        found = rows_of(path)
        known = {case.id: case for case in self.cases}
        for row in found:
            case = known.get(row.alignment)
            if case is None or case.annotation(row.decision, "?").spans != row.spans:
                problem = f"{path} has {row.alignment}, {row.name!r}, which is not here"
                rule = "annotations are of the same text, read by the same reconciler"
                raise GswlabError(problem, rule, "guess(lab).read(FILE)")
            _annotator(row.annotator)
        self.rows |= {(row.annotator, row.alignment): row for row in found}
        return self

    def write(self, path: str | Path) -> Path:
        """All annotations as a file, `.jsonl` or `.csv` by its suffix."""
        target = Path(path)
        text = text_of(self._ordered(), target.suffix or str(target))
        return RunFolder(target.parent).write(target.name, text)

    def deciders(self) -> dict[str, dict[str, str]]:
        """Who decided what: annotators by name, then the reconciler, then gold."""
        found: dict[str, dict[str, str]] = {}
        for row in self._ordered():
            found.setdefault(row.annotator, {})[row.alignment] = row.decision
        found[RECONCILER] = {case.id: case.decided for case in self.cases}
        gold = {case.id: case.gold for case in self.cases if case.gold}
        return found | ({GOLD: dict(gold)} if gold else {})

    def agreement(self) -> pd.DataFrame:
        """Each two deciders: how often they agree, Cohen's kappa, 95 % intervals."""
        rows = []
        for (one, its), (other, others) in combinations(self.deciders().items(), 2):
            told = agreement(its, others)
            row: dict[str, Any] = {"one": one, "other": other, **told._asdict()}
            for name in ("share", "kappa"):
                found = row.pop(name)
                ends = {f"{name}_low": found.low, f"{name}_high": found.high}
                row |= {name: found.mean, **ends}
            rows.append(row)
        return pd.DataFrame(rows).set_index(["one", "other"])

    def to_frame(self) -> pd.DataFrame:
        """A row a decision, with what the reconciler and gold say of the same."""
        rows = []
        for row in self._ordered():
            case = self[row.alignment]
            told = {RECONCILER: case.decided, GOLD: case.gold}
            rows.append({**row.model_dump(), **told})
        columns = [*Annotation.model_fields, RECONCILER, GOLD]
        return pd.DataFrame(rows, columns=columns)

    def page(self) -> Page:
        """The exercise as one page: offline, by the keyboard, export inside."""
        left = {"decision", "annotator"}
        data = [
            {
                "row": case.annotation("unsure", "-").model_dump(exclude=left),
                "reconciler": case.decided,
                "gold": case.gold,
            }
            for case in self.cases
        ]
        return described(
            f"{self.title}: guess the merge",
            "teach/guess.html",
            ("teach/guess.css",),
            ("teach/guess.js",),
            f"{len(self)} alignments, {self._in_gold} of them in gold",
            820,
            data=data,
            cases=self.cases,
        )

    @property
    def _in_gold(self) -> int:
        return sum(case.gold is not None for case in self.cases)

    def _ordered(self) -> list[Annotation]:
        at = {case.id: n for n, case in enumerate(self.cases)}
        rows = self.rows.values()
        return sorted(rows, key=lambda row: (row.annotator, at[row.alignment]))

    def _repr_html_(self) -> str:
        return self.page()._repr_html_()

    def __repr__(self) -> str:
        people = len({row.annotator for row in self.rows.values()})
        return (
            f"Guess({self.title}: {len(self)} alignments, {self._in_gold} in gold, "
            f"{len(self.rows)} decided by {people})"
        )


def guess(source: Any) -> Guess:
    """The exercise of a `Lab`, a `Journal`, or a gold excerpt that was read.

    >>> guess(read_excerpt(excerpt, memory)).agreement()  # doctest: +SKIP

    Raises:
        GswlabError: no alignment of it had anybody to be held against.
    """
    if isinstance(source, GoldReading):
        found = tuple(cases(source.steps, source.chunks, (source.document,), source))
        title = source.excerpt.name
    else:
        journal = getattr(source, "journal", source)
        documents = journal.documents()
        found = tuple(cases(journal.steps(), journal.chunks(), documents))
        title = ", ".join(document.id for document in documents)
    if found:
        return Guess(title, found)
    problem = f"{title or 'this run'} has no alignment that weighed a candidate"
    raise GswlabError(problem, "memory=gsw, two chunks read or more", "lab.run()")


def _annotator(name: str) -> str:
    told = name.strip()
    if told and told not in (RECONCILER, GOLD):
        return told
    rule = f"an annotator has a name, and it is not {RECONCILER} or {GOLD}"
    raise GswlabError(f"{name!r} is no annotator", rule, _NEXT)
