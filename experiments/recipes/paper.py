"""Every figure and table of the paper from committed run tables, in one folder.

python experiments/recipes/paper.py [FOLDER]

Nothing is measured here: a table that was not made yet is skipped with a sentence, and
picked up when it is there. The same tables give the same bytes.

>>> rebuilt("experiments/results", "paper")  # doctest: +SKIP
71 figures and tables in paper, 3 skipped
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path

import pandas as pd
from plates import PLATES, Plate
from sheets import SHEETS, Sheet
from tqdm.auto import tqdm

from gswlab.bench.collect import render_table
from gswlab.bench.folder import RunFolder
from gswlab.core.errors import GswlabError
from gswlab.view.kit.chart import Chart
from gswlab.view.run.export import csv_text, facts_of, paper

CONTENTS, PUBLISHED = "contents.md", "published"


@dataclass(frozen=True)
class Piece:
    """A figure or table that was made, or why it was not."""

    kind: str
    name: str
    title: str = ""
    files: tuple[Path, ...] = ()
    skipped: str = ""


@dataclass(frozen=True)
class Rebuilt:
    """All that was made, in the order of the paper."""

    folder: Path
    pieces: tuple[Piece, ...]

    @property
    def skipped(self) -> tuple[str, ...]:
        """A sentence for each reason why something is not there."""
        why: dict[str, list[str]] = {}
        for piece in self.pieces:
            if piece.skipped:
                why.setdefault(piece.skipped, []).append(f"{piece.kind} {piece.name}")
        return tuple(f"{', '.join(names)}: {said}" for said, names in why.items())

    def to_frame(self) -> pd.DataFrame:
        """A row a piece: kind, name, title, how many files, why skipped."""
        rows = [{**asdict(p), "files": len(p.files)} for p in self.pieces]
        return pd.DataFrame(rows).set_index(["kind", "name"])

    def __repr__(self) -> str:
        made = sum(not piece.skipped for piece in self.pieces)
        missing = len(self.pieces) - made
        rest = f", {missing} skipped" if missing else ""
        return f"{made} figures and tables in {self.folder}{rest}"


_Read = Callable[[Sequence[str]], list[pd.DataFrame]]


def _tables(folder: Path) -> _Read:
    """The run tables of a folder by name, without `.csv`, each read once."""

    @cache
    def table(name: str) -> pd.DataFrame:
        file = folder / f"{name}.csv"
        if not file.is_file():
            raise GswlabError(f"{file.name} was not made yet")
        return pd.read_csv(file)

    return lambda names: [table(name).copy() for name in names]


def rebuilt(
    tables: str | Path = "experiments/results",
    folder: str | Path = "paper",
    only: Callable[[str], object] = lambda name: True,
) -> Rebuilt:
    """Draw and set everything into `folder`; `only` says which names.

    Raises:
        GswlabError: `tables` is no folder, or `folder` cannot be written.
    """
    source, into = Path(tables), RunFolder(Path(folder))
    if not source.is_dir():
        rule = "the folder of the run tables, experiments/results"
        raise GswlabError(f"there is no folder {tables}", rule, "make paper")
    into.make()
    known = _tables(source)
    plates = tqdm([p for p in PLATES if only(p.name)], "figures", unit="figure")
    pieces = [_drawn(plate, known, into.path) for plate in plates]
    sheets = tqdm([s for s in SHEETS if only(s.name)], "tables", unit="table")
    pieces += [_set(sheet, known, into) for sheet in sheets]
    made = Rebuilt(into.path, tuple(pieces))
    into.write(CONTENTS, "\n".join(_contents(made)))
    return made


def _drawn(plate: Plate, read: _Read, folder: Path) -> Piece:
    piece = Piece("figure", plate.name)
    try:
        frames = read(plate.needs)
        chart: Chart = plate.draw(*frames)
    except GswlabError as missing:
        return replace(piece, skipped=str(missing))
    files = paper(chart, folder, f"figure_{plate.name}", plate.width)
    return replace(piece, title=chart.title, files=tuple(files))


def _set(sheet: Sheet, read: _Read, folder: RunFolder) -> Piece:
    piece = Piece("table", sheet.name, sheet.title)
    try:
        frames = read(sheet.needs)
        table = sheet.made(*frames)
    except GswlabError as missing:
        return replace(piece, skipped=str(missing))
    measured = [] if sheet.needs[0] == PUBLISHED else facts_of(frames[0])
    told = " ".join([f"**{sheet.title}.**", *measured])
    texts = {"csv": csv_text(table), "tex": render_table(table, "latex")}
    texts["md"] = f"{told}\n\n{render_table(table, 'markdown')}"
    files = [folder.write(f"table_{sheet.name}.{e}", t) for e, t in texts.items()]
    return replace(piece, files=tuple(files))


def _contents(made: Rebuilt) -> Iterator[str]:
    yield from ("# Figures and tables", "")
    for piece in made.pieces:
        if not piece.skipped:
            names = ", ".join(path.name for path in piece.files)
            yield f"- {piece.kind} {piece.name}: {piece.title} ({names})"
    if made.skipped:
        yield from ("", "Not there:", "")
        yield from (f"- {sentence}" for sentence in made.skipped)
    yield ""


if __name__ == "__main__":
    results = Path(__file__).resolve().parents[1] / "results"
    done = rebuilt(results, *sys.argv[1:2])
    print("\n".join([*done.skipped, repr(done)]))
