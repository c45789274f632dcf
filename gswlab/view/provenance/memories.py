"""One text, several memories: what each kept of the same sentence, by its characters.

>>> labs = [gswlab.open(BOOK, f"memory={m}") for m in NAMES]       # doctest: +SKIP
>>> aligned(labs).page().write("aligned.html")                   # doctest: +SKIP

Nothing is matched by name: an entity, a chunk and a role stand in one row because they
rest on the same characters.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pandas as pd

from gswlab.core.errors import GswlabError
from gswlab.view.kit.page import Page, described
from gswlab.view.provenance.holdings import Holdings, Line
from gswlab.view.provenance.page import Heat
from gswlab.view.provenance.text import Holding

LINES, SHOWN = 600, 5  # sentences drawn; entries of a cell before it is folded
_LONG = 160  # characters of an entry

_WHOLE = ("chunk", "sentence", "node", "queue", "recall", "archival")
_COLUMNS = ["memory", "sentence", "part", "kind", "name", "field", "text", "noun",
            "step", "until", "fate"]  # fmt: skip


@dataclass(frozen=True)
class _Aligned:
    """Sentences by memories: a page in a notebook, a line elsewhere."""

    held: Mapping[str, Holdings]

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """The sentences, as the memory that read most of them read them."""
        return max((each.lines for each in self.held.values()), key=len)

    def to_frame(self) -> pd.DataFrame:
        """A row a thing kept of a sentence; a thing of two sentences has two.

        `step` made it, `until` is the step that ended it.
        """
        rows = [
            {"memory": name, "sentence": line.number, "part": line.part, **h._asdict()}
            for line in self.lines
            for name, held in self.held.items()
            for h in held.over(line.span)
        ]
        return pd.DataFrame(rows, columns=_COLUMNS)

    def cell(self, memory: str, line: Line) -> list[list[Holding]] | None:
        """What a memory kept of a sentence, by noun or name; None if it read it not.

        What is kept whole comes first; all questions are one entry, the last.
        """
        held = self.held[memory]
        if next(held.index.over(line.span), None) is None:
            return None
        groups = held.grouped(line.span)
        groups.sort(key=lambda each: each[0].kind not in _WHOLE)
        asked = [h for each in groups for h in each if h.kind == "question"]
        rest = [each for each in groups if each[0].kind != "question"]
        return [*rest, asked] if asked else rest

    def page(self) -> Page:
        """The page of the first `LINES` sentences, whole in one file."""
        lines, many = self.lines[:LINES], len(self.lines)
        return described(
            f"{next(iter(self.held.values())).title}, by memory",
            "provenance/aligned.html",
            ("provenance/aligned.css",),
            ("provenance/aligned.js",),
            f"{many} sentences by {len(self.held)} memories: {', '.join(self.held)}",
            860,
            many=many,
            columns=[
                (name, 1 - Heat(held, ()).share, len(held.all))
                for name, held in self.held.items()
            ],
            parts=dict.fromkeys(line.part for line in lines),
            rows=[(one, [self.cell(name, one) for name in self.held]) for one in lines],
            shown=SHOWN,
            long=_LONG,
        )

    def _repr_html_(self) -> str:
        return self.page()._repr_html_()

    def __repr__(self) -> str:
        return f"Aligned({len(self.lines)} sentences by {', '.join(self.held)})"


def aligned(labs: Iterable[Any] | Mapping[str, Any]) -> _Aligned:
    """What several memories kept of one text, sentence by sentence.

    Labs, or journals, have a column each; a lab without a name has its memory's.

    Raises:
        GswlabError: there is none, or they read different texts.
    """
    named = labs if isinstance(labs, Mapping) else _named([*labs])
    if not named:
        rule = "one or more that read the same text"
        raise GswlabError("there is no lab to align", rule, "aligned([lab, other])")
    held = {name: Holdings(lab) for name, lab in named.items()}
    first, texts = next(iter(held)), None
    for name, each in held.items():
        said = {document.id: document.text for document in each.documents}
        texts = said if texts is None else texts
        if said != texts:
            problem = f"{name} read {each.title}, {first} read {held[first].title}"
            if {*said} == {*texts}:
                problem = f"{name} and {first} read two texts called {each.title}"
            rule = "one text, to the character: characters are what is aligned"
            raise GswlabError(problem, rule, "aligned([lab, other])")
    return _Aligned(held)


def _named(labs: Sequence[Any]) -> dict[str, Any]:
    """Labs by memory; where two have the same, its settings or its place tell which."""
    names = [getattr(lab, "names", {}) for lab in labs]
    memories = [known.get("memory", "run") for known in names]
    found: dict[str, Any] = {}
    for n, (lab, known, memory) in enumerate(zip(labs, names, memories, strict=True)):
        name = memory
        if memories.count(memory) > 1:
            name = f"{memory} {known.get('config', n + 1)}"
        found[name if name not in found else f"{name} ({n + 1})"] = lab
    return found
