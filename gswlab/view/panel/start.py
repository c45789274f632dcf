"""A text of your own in a minute: name or drop a file, see what is in it, ask.

>>> start("diary.txt").ask("Where was Ann in May?")                  # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from gswlab.bench.runner import chunks_ahead
from gswlab.core.display import Live
from gswlab.core.errors import GswlabError
from gswlab.core.nouns import short
from gswlab.gsw.official import of_published_code
from gswlab.lab import config
from gswlab.lab.lab import Lab
from gswlab.language.dates.format import shown
from gswlab.view.kit.tables import Table, told_table
from gswlab.view.provenance.answer import AnswerView, answer_view
from gswlab.view.run.deeds import nameless
from gswlab.view.run.words import count, first_of

_NEAR, _LONG = 3, 120  # things near a question, how long
_NO_FILE = "no file was read yet", "a file is read first", "gswlab.view.start('FILE')"


class Start(Live):
    """A first page: what a file holds, and answers from it; `lab` is its run."""

    lab: Lab | None = None

    def read(
        self, file: str | Path, tell: Callable[[str], object] = lambda _: None
    ) -> Start:
        """Read a file to its end; `tell` is told how far it is."""
        kind = "official" if of_published_code(str(file)) else "read"
        named = f"dataset.file={config.quoted(str(file))}"
        lab = config.open(f"experiment={kind}", named)
        while lab.step(chunks_ahead(lab)):
            tell(f"reading: {len(lab.unread)} of {len(lab.chunks)} chunks left")
        self.lab = lab
        return self

    def ask(self, question: str) -> AnswerView:
        """An answer and its ink; an abstention offers the nearest that is known."""
        if self.lab is None:
            raise GswlabError(*_NO_FILE)
        answer = self.lab.ask(question)
        if answer.abstained:
            near = [short(t, _LONG) for t in self.lab.memory.near_by(question)]
            told = near[:_NEAR] or [": ".join(row) for row in self.rows]
            reason = f"{answer.reason} It knows {' / '.join(told)}"
            answer = replace(answer, reason=reason)
        return answer_view(answer, self.lab.journal.documents())

    @property
    def rows(self) -> tuple[tuple[str, ...], ...]:
        """The cast, most mentioned first, places and days; or that there is none."""
        return self._summary().rows

    def _summary(self) -> Table:
        facts: dict[str, Any] = {"unread": "; ".join(_NO_FILE), "count": count}
        if self.lab is not None:
            at = self.lab.workspace
            named = (a for a in at.actors if a.mentions and not nameless(a))
            facts["actors"] = sorted(named, key=lambda one: -len(one.mentions))
            facts["days"] = map(shown, sorted({t.value for t in at.times if t.value}))
        return told_table("panel/start.txt", lab=self.lab, first_of=first_of, **facts)

    def _repr_html_(self) -> str:
        return self._summary()._repr_html_()

    def __repr__(self) -> str:
        return repr(self._summary())


def start(file: str | Path | None = None) -> Start:
    """A first page for a file of yours: .txt, .md, .html, .pdf, .docx, .vtt or a chat.

    In a notebook it has a place to drop the file, and a line to ask in.
    """
    return Start().read(file) if file else Start()
