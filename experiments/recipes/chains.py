"""Chains: what an audit expects and a run holds, against what is annotated.

    python recipes/chains.py RUNS CHAIN.json ... > results/chains.csv

=================== =============================================================
figure              share of
=================== =============================================================
said                cells for which the audit reads a time (place) off the text
expected            of these, those it reads rightly
held                cells whose time (place) the workspace held after the chunk
flagged precision   cells the audit calls missed, or moved unsaid, that are held wrongly
flagged recall      cells held wrongly that the audit calls so
=================== =============================================================

A cell is an actor in a chunk. Intervals resample chunks.
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from table import commit

import gswlab
from gswlab.bench.audit import audit
from gswlab.bench.audit.whereabouts import held_of
from gswlab.bench.statistics import interval
from gswlab.core.errors import GswlabError
from gswlab.lab.lab import Lab
from gswlab.language.keys import name_key

FIELDS = ("time", "place")
HEADS = ("chain", "field", "figure", "value", "low", "high", "n", "commit")


class Cell(NamedTuple):
    """One actor in one chunk: is it said, said rightly, held rightly, called missed?"""

    chain: str
    chunk: int
    field: str
    said: bool
    expected: bool
    held: bool
    flagged: bool


def write_text(chain: dict[str, Any], path: str | Path) -> Path:
    """Write a chain (see `texts/chains`) under its chapters' headings."""
    parts, chapter = [], None
    for chunk in chain["chunks"]:
        if (number := chunk.get("chapter")) != chapter:
            parts.append(f"Chapter {number}")
        chapter = number
        parts.append(chunk["text"])
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    return target


def read(path: Path, runs: Path) -> tuple[dict[str, Any], Lab]:
    """A chain, and the run that has read it."""
    chain = json.loads(path.read_text(encoding="utf-8"))
    text = write_text(chain, runs / f"{path.stem}.txt")
    given = (f"dataset.file={text}", "chunk.sentences=2", "embedder=none")
    lab = gswlab.open(*given, f"run.dir={runs / path.stem}")
    read_as = [chunk.text for chunk in lab.chunks]
    if read_as != [chunk["text"] for chunk in chain["chunks"]]:
        raise GswlabError(f"{path} is cut otherwise", "a chunk is two sentences")
    lab.run()
    return chain, lab


def cells(path: Path, runs: Path) -> Iterator[Cell]:
    """Every scored time and place of a chain."""
    chain, lab = read(path, runs)
    last = lab.workspace
    for name in chain["actors"]:
        found = audit(lab.journal, name)
        rows = {row.chunk: row for row in found.rows}
        called = {(field, row.chunk) for row in found.rows for field in row.missed}
        odd = (t.chunk for t in found.transitions if t.kind == "moves unsaid")
        called |= {("place", chunk) for chunk in odd}
        actor = last.get(found.actor)
        held = {h.chunk: h for h, *_ in held_of(lab.journal, last, actor)}
        for number, chunk in enumerate(lab.chunks):
            where = chain["chunks"][number]["where"].get(name)
            row = rows.get(chunk.id)
            for field in FIELDS if where else ():
                if gold := where[field]:
                    said = getattr(row.expected, field) if row else None
                    had = getattr(held[chunk.id], field)
                    flagged = (field, chunk.id) in called
                    right = [_same(field, gold, value) for value in (said, had)]
                    answered = said is not None
                    yield Cell(path.stem, number, field, answered, *right, flagged)


def _same(field: str, gold: Any, value: str | None) -> bool:
    if value is None:
        return False
    if field == "time":
        return value.startswith(gold)
    return name_key(value) in map(name_key, gold)


def figures(found: list[Cell]) -> Iterator[tuple[str, list[Cell], list[bool]]]:
    """Each figure's name, the cells it is a share of, and which count."""
    flagged = [cell for cell in found if cell.flagged]
    missed = [cell for cell in found if not cell.held]
    said = [cell for cell in found if cell.said]
    yield "said", found, [cell.said for cell in found]
    yield "expected", said, [cell.expected for cell in said]
    yield "held", found, [cell.held for cell in found]
    yield "flagged precision", flagged, [not cell.held for cell in flagged]
    yield "flagged recall", missed, [cell.flagged for cell in missed]


def main(runs: str, *paths: str) -> None:
    """Print the table of all chains, and of them together."""
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(HEADS)
    made = commit()
    every = [cell for path in paths for cell in cells(Path(path), Path(runs))]
    for chain in [*(Path(path).stem for path in paths), "together"]:
        for field in FIELDS:
            chosen = [
                cell
                for cell in every
                if cell.field == field and chain in (cell.chain, "together")
            ]
            for name, own, right in figures(chosen):
                clusters = [(cell.chain, cell.chunk) for cell in own]
                share = interval([float(one) for one in right], clusters).to_dict()
                values = share.values() if own else ("", "", "", 0)
                table.writerow((chain, field, name, *values, made))


if __name__ == "__main__":
    main(*sys.argv[1:])
