"""Order sensitivity: read the same text in other orders, and see which facts survive.

- a noun's stability is the share of its facts that the other orders end with, too; a
  fact's the share of orders that do;
- a memory without a workspace is compared by what it recalls for given questions, and
  any memory by its answers to them.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from gswlab.core.nouns import Answer, Evidence
from gswlab.futures.asked import said, spans_of
from gswlab.futures.shuffles import Unit
from gswlab.futures.stability import Held, Told
from gswlab.view.futures.futures import fragment, futures_page
from gswlab.view.futures.orders import Band, bands, stability_chart

if TYPE_CHECKING:
    import pandas as pd

    from gswlab.view.charts.chart import Chart


class Read(NamedTuple):
    """One order read: what its nouns kept of ours, and what it says and recalls."""

    survived: dict[str, set[Told]]
    told: tuple[tuple[Answer, Evidence], ...]


@dataclass(frozen=True, eq=False)
class Orders:
    """What is so in whatever order the text is read, and what is not."""

    nouns: tuple[Held, ...]
    questions: tuple[str, ...]
    own: tuple[tuple[Answer, Evidence], ...]
    reads: tuple[Read, ...]
    by: Unit
    calls: int

    @property
    def stability(self) -> float:
        """The mean share of a noun's facts that survive another order, over nouns."""
        shares = [band.mean for band in self.bands]
        return sum(shares) / len(shares) if shares else float("nan")

    @property
    def bands(self) -> tuple[Band, ...]:
        """The stability of each noun over the orders, the least stable first."""
        found = [self._band(noun) for noun in self.nouns if noun.told]
        return tuple(sorted(found, key=lambda band: (band.mean, band.least)))

    def _band(self, noun: Held) -> Band:
        shares = [
            len(read.survived.get(noun.id, ())) / len(noun.told) for read in self.reads
        ]
        return Band(noun.id, noun.kind, noun.name, len(noun.told), tuple(shares))

    def to_frame(self) -> pd.DataFrame:
        """A row a noun: its facts, and the mean and least share that survive."""
        import pandas as pd

        rows = [(b.id, b.kind, b.name, b.facts, b.mean, b.least) for b in self.bands]
        names = ["id", "kind", "noun", "facts", "stability", "least"]
        return pd.DataFrame(rows, columns=names)

    def facts(self) -> pd.DataFrame:
        """A row a fact: in which share of the orders it is so."""
        import pandas as pd

        rows = [
            (noun.id, noun.kind, noun.name, *told, self._share(noun, told))
            for noun in self.nouns
            for told in noun.told
        ]
        names = ["id", "kind", "noun", "field", "fact", "stability"]
        found = pd.DataFrame(rows, columns=names)
        return found.sort_values("stability", kind="stable", ignore_index=True)

    def _share(self, noun: Held, told: Told) -> float:
        kept = sum(told in read.survived.get(noun.id, ()) for read in self.reads)
        return kept / len(self.reads)

    def answers(self) -> pd.DataFrame:
        """A row a question: how often it is answered so, and how alike the evidence."""
        import pandas as pd

        rows = []
        for n, question in enumerate(self.questions):
            answer, evidence = self.own[n]
            told = [read.told[n] for read in self.reads]
            same = sum(said(a) == said(answer) for a, _ in told) / len(told)
            alike = sum(_alike(evidence, e) for _, e in told) / len(told)
            rows.append((question, said(answer), same, alike))
        names = ["question", "answer", "same_answer", "same_evidence"]
        return pd.DataFrame(rows, columns=names)

    def chart(self, most: int = 24) -> Chart:
        """The least stable nouns as a figure: mean, and the range over the orders."""
        return stability_chart(self.bands, most)

    def words(self) -> tuple[str, ...]:
        """How much survives, and what survives least."""
        unit = "chapters" if self.by == "chapter" else "chunks"
        asked = f"{self.calls} call{'' if self.calls == 1 else 's'}"
        told = [f"{len(self.reads)} other orders of {unit} read, {asked}."]
        if found := self.bands:
            all_ = sum(band.mean == 1 for band in found)
            told.append(
                f"{self.stability:.1%} of what is told of a noun survives on average; "
                f"{all_} of {len(found)} nouns are the same in every order."
            )
            if (worst := found[0]).mean < 1:
                told.append(f"Least stable: {worst.name} ({worst.mean:.0%}).")
        if len(frame := self.answers()):
            same, alike = frame["same_answer"].mean(), frame["same_evidence"].mean()
            told.append(f"{same:.1%} of the answers are the same, and {alike:.1%} of")
            told[-1] += " what is recalled for them."
        return tuple(told)

    def to_html(self, path: str | Path) -> Path:
        """Write the bands and tables as one page that needs nothing else."""
        title = "What does not depend on the order of reading"
        return futures_page(title, self.words(), self._sections()).write(path)

    def _sections(self) -> dict[str, str]:
        sections = {}
        if found := self.bands:
            sections["Stability of each noun, the least stable first"] = bands(found)
        if len(frame := self.answers()):
            sections["Answers"] = frame.to_html(index=False, border=0, escape=True)
        return sections

    def _repr_html_(self) -> str:
        return fragment(self.words(), self._sections())

    def __repr__(self) -> str:
        read = f"{len(self.reads)} orders of {self.by}s"
        if not self.nouns:
            return f"Orders({read}, {len(self.questions)} asked)"
        return f"Orders({read}, stability {self.stability:.3f})"


def _alike(one: Evidence, other: Evidence) -> float:
    """The share of the spans of either that both rest on; nothing twice is alike."""
    mine, theirs = spans_of(one), spans_of(other)
    return len(mine & theirs) / len(mine | theirs) if mine | theirs else 1.0
